// SPDX-License-Identifier: Apache-2.0
// Compares what is live at the beginning of a function before and after its jumps were lowered.
#include "passes/exit_placeholders.h"

#include "ir/equal.h"
#include "passes/convert_to_ssa_init.h"
#include "passes/convert_to_ssa_liveness.h"
#include "passes/convert_to_ssa_types.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// Written parameters first: a kernel that returns the variable then returns what it writes.
const Var* param_of_type(const Function* f, const Type* type) {
  const Var* found = nullptr;
  for (size_t i = 0; i < f->params.size(); ++i) {
    if (as_tensor(type) == nullptr || !type_equal(f->params[i]->type, type)) continue;
    if (f->param_directions[i] != ParamDirection::In) return f->params[i];
    if (found == nullptr) found = f->params[i];
  }
  return found;
}

}  // namespace

const Function* with_placeholders(const Function* before, const Function* after, PassContext& context) {
  std::vector<const Var*> now = find_ssa_facts(after).live_at_entry;
  if (now.empty()) return after;
  NodeSet live_before;
  for (const Var* var : find_ssa_facts(before).live_at_entry) live_before.insert(var);
  std::vector<const Stmt*> body;
  for (const Var* var : now) {
    if (live_before.contains(var) || has_dynamic_extent(var->type)) continue;
    const Expr* value = param_of_type(after, var->type);
    if (value == nullptr) value = placeholder(context.ir, var->name_hint, var->type, after->body->span, body);
    if (value != nullptr) body.push_back(context.ir.assign(var, value, after->body->span));
  }
  if (body.empty()) return after;
  body.push_back(after->body);
  Function draft = *after;
  draft.body = context.ir.seq(body, after->body->span);
  return context.ir.make(draft);
}

}  // namespace pyptoc::passes
