// SPDX-License-Identifier: Apache-2.0
// What the three outlining passes share: a scope becomes a function and a call of it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "passes/outline_captures.h"
#include "passes/pass.h"

namespace pyptoc::passes {

enum class OutlineKind : uint8_t { Hierarchy, InCore, Cluster, Spmd };

// The names of functions that a program uses.
class FunctionNames {
 public:
  explicit FunctionNames(const ir::Program* program) : program_(program) {}
  bool taken(const std::string& name) const { return taken_.contains(name) || program_->find(name) != nullptr; }
  void take(const std::string& name) { taken_.insert(name); }
  // `{name}_{n}` with the smallest n that is free.
  std::string numbered(const std::string& name);

 private:
  const ir::Program* program_;
  std::unordered_set<std::string> taken_;  // beyond those of the program
  std::unordered_map<std::string, int> next_;  // names are never given back, so smaller numbers stay taken
};

struct Outlined {
  const ir::Function* function = nullptr;     // what is left of the function, with calls
  std::vector<const ir::Function*> outlined;  // new functions, callees before their callers
  bool empty() const { return outlined.empty(); }
};

// Every scope of the kind in the body of `f` becomes a function.
//
//   with pl.at(level=CORE_GROUP, name_hint="k") as tid:      def k(x: In, out: Out): o = tile.store(.., out); return o
//     o = tile.store(tile.load(x, ..), [0, 0], out)          r = submit(k, x, out); o = r[0]; tid = r[1]
//
// Parameters: what the scope takes from around it, in order of first use. Results: what is used behind it, in order of
// definition. One result is the call itself, several are a tuple, none is a statement of its own. A scope with a task
// id, dependencies, a predicate or early resolution becomes a Submit whose last result is the task id, any other a
// Call. Directions are all In; infer_directions (kernel_access.h) sets them when the program is complete.
//
// Names: the hint; on its second use in one function with `_0`, `_1`; on its use in another one `{func}_{hint}`;
// without a hint `{func}_{kind}_{n}`, n counting the scopes of the function.
//
// Errors: E0440 to E0449, each at the scope or statement at fault.
Outlined outline_scopes(const ir::Function* f, OutlineKind kind, FunctionNames& taken, PassContext& context);

// All functions for which `selects` holds; `leave` makes the function that is left (its type may change).
template <class Selects, class Leave>
const ir::Program* outline_program(const ir::Program* program, OutlineKind kind, PassContext& context,
                                   std::vector<std::string_view>& new_names, Selects selects, Leave leave) {
  FunctionNames taken(program);
  std::vector<const ir::Function*> functions;
  bool changed = false;
  for (const ir::Function* f : program->functions) {
    if (!selects(f)) {
      functions.push_back(f);
      continue;
    }
    Outlined result = outline_scopes(f, kind, taken, context);
    functions.push_back(result.empty() ? f : leave(result.function));
    changed |= functions.back() != f;
    for (const ir::Function* made : result.outlined) {
      functions.push_back(made);
      new_names.push_back(made->name);
    }
  }
  return changed ? context.ir.program(program->name, std::move(functions), program->span) : program;
}

}  // namespace pyptoc::passes
