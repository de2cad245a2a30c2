// SPDX-License-Identifier: Apache-2.0
// One source line cut to the width of the terminal, with carets below the marked part.
#pragma once

#include <string>

#include "diag/location.h"

namespace pyptoc::diag {

struct Excerpt {
  std::string text;    // visible, without trailing blanks
  std::string carets;  // empty when nothing is marked
};

// `width` is the room for the text in terminal columns. A longer line is cut on either side with `...` so that the
// beginning of the marked part is always seen. Tabs take four columns. When the end is unknown, the dotted name at the
// beginning is marked, or one character.
Excerpt make_excerpt(const MarkedLine& line, int width);

}  // namespace pyptoc::diag
