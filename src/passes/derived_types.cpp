// SPDX-License-Identifier: Apache-2.0
// Asks the type rules of the operator table.
#include "passes/derived_types.h"

#include "ir/equal.h"
#include "ir/op_rules.h"

namespace pyptoc::passes {

using namespace ir;

const Call* with_derived_type(Context& context, const Call* call) {
  if (call->op->is_global_var || as_shaped(call->type) == nullptr) return call;
  const OpInfo& info = op_info(call->op->id);
  if (info.type_rule == nullptr || call->args.size() < info.min_args() || call->args.size() > info.max_args())
    return call;
  TypeRuleInput input{context, info, call->args, call->kwargs, nullptr, place_of(call)};
  const Type* derived = info.type_rule(input);
  if (derived == nullptr || derived->kind != call->type->kind || type_equal(derived, call->type)) return call;
  Call draft = *call;
  draft.type = derived;
  return context.make(draft);
}

}  // namespace pyptoc::passes
