// SPDX-License-Identifier: Apache-2.0
// Cuts DSL text into tokens by the rules of Python: indentation, joined lines, strings, comments.
#pragma once

#include <string_view>
#include <vector>

#include "text/token.h"

namespace pyptoc::text {

struct TokenList {
  std::vector<Token> tokens;  // the last one is End
  std::vector<Comment> comments;
};

// Reports nothing: what is no token becomes a Fault token, which matters only where the parser meets it (the bodies of
// Python workers are never parsed). A bracket that is open where a new statement seems to begin counts as never
// closed, so that the fault does not swallow the rest of the text. Requires at most 2^32 - 2 bytes.
TokenList tokenize(std::string_view text, Names& names);

}  // namespace pyptoc::text
