// SPDX-License-Identifier: Apache-2.0
// The frame of a pass that looks at one function after the other.
#pragma once

#include <utility>
#include <vector>

#include "ir/context.h"

namespace pyptoc::passes {

// The program with `change(f)` in the place of each function f, called in the order of `functions`, which are those of
// the program. The program itself when every function came back as it was.
template <class Functions, class Change>
const ir::Program* map_functions(const ir::Program* program, const Functions& functions, ir::Context& context,
                                 Change change) {
  std::vector<const ir::Function*> out;
  out.reserve(program->functions.size());
  bool changed = false;
  for (const ir::Function* f : functions) {
    out.push_back(change(f));
    changed |= out.back() != f;
  }
  return changed ? context.program(program->name, std::move(out), program->span) : program;
}

// In order of name.
template <class Change>
const ir::Program* map_functions(const ir::Program* program, ir::Context& context, Change change) {
  return map_functions(program, program->functions, context, std::move(change));
}

}  // namespace pyptoc::passes
