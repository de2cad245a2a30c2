// SPDX-License-Identifier: Apache-2.0
#include "passes/run_time_check.h"

#include "ir/op_table.h"

namespace pyptoc::passes {

using namespace ir;

const Stmt* run_time_check(Context& context, OpId op, const std::vector<const Expr*>& args, std::string_view text,
                           const Span* span) {
  Call call;
  call.kind = NodeKind::Call;
  call.span = span;
  call.type = context.plain_type(TypeKind::UnknownType);
  call.op = context.op(op_name(op), false);
  call.args = context.list(args);
  call.kwargs = context.list({Attr{"text", AttrValue::of_string(context.copy_string(text))}});
  EvalStmt statement;
  statement.kind = NodeKind::EvalStmt;
  statement.span = span;
  statement.expr = context.make(call);
  return context.make(statement);
}

}  // namespace pyptoc::passes
