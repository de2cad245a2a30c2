// SPDX-License-Identifier: Apache-2.0
// One diagnostic as data; how it looks is the business of render.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "diag/code.h"
#include "diag/place.h"

namespace pyptoc::diag {

struct Note {
  std::string text;
  std::optional<OwnedPlace> place;
};

struct Diagnostic {
  const CodeInfo* code = nullptr;       // never null in a reported diagnostic
  Severity severity = Severity::Error;  // differs from the code's own when a warning counts as an error
  std::string message;
  OwnedPlace place;
  std::vector<Note> notes;
  std::vector<std::string> helps;
  std::string pass;  // the pass that was running; empty while reading
};

// Counts of everything reported, shown or not.
struct Summary {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t hidden_errors = 0;  // those of `errors` beyond the error limit
};

}  // namespace pyptoc::diag
