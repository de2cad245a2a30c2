// SPDX-License-Identifier: Apache-2.0
// The frame of a pass that looks at one function after the other.
#pragma once

#include <utility>
#include <vector>

#include "ir/context.h"

namespace pyptoc::ir {

// The program with `change(f)` in the place of each function f, called in the order of `functions`, which are those of
// the program. The program itself when every function came back as it was.
template <class Functions, class Change>
const Program* map_functions(const Program* program, const Functions& functions, Context& context, Change change) {
  std::vector<const Function*> by_op(program->by_op.begin(), program->by_op.end());
  bool changed = false;
  for (const Function* f : functions) {
    if (f == nullptr) continue;
    const Function* now = change(f);
    changed |= now != f;
    by_op[f->op->function] = now;
  }
  return changed ? context.program_with(program, by_op) : program;
}

// In the order in which their names came up, which is the one that they lie in memory in: the order of names would make
// each pass over thousands of kernels a walk from one place to another.
template <class Change>
const Program* map_functions(const Program* program, Context& context, Change change) {
  return map_functions(program, program->by_op, context, std::move(change));
}

}  // namespace pyptoc::ir
