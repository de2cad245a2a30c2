// SPDX-License-Identifier: Apache-2.0
// The type that an expression has when the text does not say it. The printer writes a type only where it differs from
// this; the parser fills in what was not written.
#pragma once

#include <string_view>
#include <unordered_map>

#include "ir/context.h"
#include "ir/op_table.h"

namespace pyptoc::text {

class ResultTypes {
 public:
  // Types that have to be made live in `context`.
  explicit ResultTypes(ir::Context& context) : context_(context) {}

  // A call of a function has its return type: none is Unknown, several are a tuple.
  void add_function(std::string_view name, ir::List<const ir::Type*> return_types);

  // Comparisons and logic give BOOL; arithmetic the type of its left operand, or of the right one where only that is
  // a float.
  const ir::Type* of_binary(ir::NodeKind kind, const ir::Expr* left, const ir::Expr* right);
  const ir::Type* of_unary(ir::NodeKind kind, const ir::Expr* operand);  // not of Cast
  const ir::Type* of_tuple(ir::List<const ir::Expr*> elements);
  // Null when `tuple` has no such member.
  const ir::Type* of_item(const ir::Expr* tuple, int64_t index);
  // By the operator table or the callee's signature; Unknown where neither knows.
  const ir::Type* of_call(const ir::Call& call);
  // A Submit: what the callee returns, then the TaskId.
  const ir::Type* of_submit(const ir::Op* op);

  // Whether `expr` has the type that the functions above give it.
  bool follows(const ir::Expr* expr);

 private:
  ir::Context& context_;
  std::unordered_map<std::string_view, ir::List<const ir::Type*>> functions_;
};

// Whether these values can be the operands of an operator, as the type rules presume.
bool operands_fit(const ir::OpInfo& info, ir::List<const ir::Expr*> args);

// The annotation `type` without storage (memref, window_buffer): what the value of an assignment has when nothing else
// is written, since storage is given to variables and not to values. Gives `type` itself when it has none.
const ir::Type* without_storage(ir::Context& context, const ir::Type* type);
bool has_storage(const ir::Type* type);

}  // namespace pyptoc::text
