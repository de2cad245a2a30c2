// SPDX-License-Identifier: Apache-2.0
// Follows in-place writes inside of a loop back to what was there before it.
#include "passes/convert_to_ssa_init.h"

#include "ir/renamed_operand.h"
#include "ir/walker.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// Longer chains of names for one buffer inside of a loop are not followed.
constexpr int kMaxChain = 16;

class LastValues : public Walker {
 public:
  LastValues(const Stmt* body, NodeMap<const Expr*>& values) : values_(values) { walk(body); }

 protected:
  void visit(const Node* node) override {
    if (is_expr(node->kind)) return;
    if (const AssignStmt* assign = as<AssignStmt>(node)) values_[assign->var] = assign->value;
    children(node);
  }

 private:
  NodeMap<const Expr*>& values_;
};

}  // namespace

LoopInits::LoopInits(const Program* program, const Stmt* body) : program_(program) {
  LastValues(body, last_values_);
}

const Var* LoopInits::tensor_left_in(const Var* var, const std::function<bool(const Var*)>& before) const {
  for (int step = 0; step < kMaxChain; ++step) {
    const Expr* const* value = last_values_.find(var);
    if (value == nullptr) return nullptr;
    const Var* source = source_of(*value);
    if (source == nullptr || source == var) return nullptr;
    if (before(source)) return source;
    var = source;
  }
  return nullptr;
}

// The variable whose storage an assigned value is.
const Var* LoopInits::source_of(const Expr* value) const {
  if (const Var* var = as<Var>(value)) return var;
  if (const TupleGetItemExpr* item = as<TupleGetItemExpr>(value)) {
    const Expr* const* tuple = last_values_.find(item->tuple);
    return output_of(tuple != nullptr ? *tuple : item->tuple, static_cast<size_t>(item->index));
  }
  const Call* call = as<Call>(value);
  if (call == nullptr || call->op->is_global_var) return output_of(value, std::nullopt);
  return as<Var>(renamed_operand(call));
}

// The only written argument of a call, or the one of a tuple's member when the callee returns all that it writes.
const Var* LoopInits::output_of(const Expr* value, std::optional<size_t> result) const {
  const Call* call = as<Call>(value);
  const Submit* submit = as<Submit>(value);
  if (call == nullptr && submit == nullptr) return nullptr;
  const Op* op = call != nullptr ? call->op : submit->op;
  List<const Expr*> args = call != nullptr ? call->args : submit->args;
  const Function* f = op->is_global_var ? program_->find(op) : nullptr;
  if (f == nullptr) return nullptr;
  std::vector<const Var*> written;
  for (size_t i = 0; i < args.size() && i < f->param_directions.size(); ++i)
    if (f->param_directions[i] != ParamDirection::In) written.push_back(as<Var>(args[i]));
  if (written.size() == 1 && f->return_types.size() == 1) return written[0];
  bool one_each = result && written.size() == f->return_types.size() && *result < written.size();
  return one_each ? written[*result] : nullptr;
}

namespace {

const Expr* make_tuple(Context& context, List<const Expr*> elements, const Span* span) {
  std::vector<const Type*> types;
  for (const Expr* element : elements) types.push_back(element->type);
  MakeTuple draft;
  draft.kind = NodeKind::MakeTuple;
  draft.span = span;
  draft.type = context.tuple_type(types);
  draft.elements = elements;
  return context.make(draft);
}

const Expr* zero(Context& context, const ScalarType* type, const Span* span) {
  if (type->dtype == DType::TaskId) return nullptr;
  if (type->dtype == DType::Bool) return context.const_bool(false, span);
  if (is_float(type->dtype)) return context.const_float(0, type->dtype, span);
  return context.const_int(0, type->dtype, span);
}

Attr attr(std::string_view key, AttrValue value) {
  return {key, value};
}

}  // namespace

const Expr* placeholder(Context& context, std::string_view name, const Type* type, const Span* span,
                        std::vector<const Stmt*>& out) {
  Call draft;
  draft.kind = NodeKind::Call;
  draft.span = span;
  draft.type = type;
  if (const ScalarType* scalar = as_scalar(type)) {
    if (const Expr* value = zero(context, scalar, span)) return value;
    draft.op = context.op("system.task_invalid", false);
  } else if (const ShapedType* shaped = as_shaped(type);
             shaped != nullptr && type->kind != TypeKind::DistributedTensorType) {
    const TileType* tile = as_tile(type);
    draft.op = context.op(tile != nullptr ? "tile.create" : "tensor.create", false);
    draft.args = context.list({make_tuple(context, shaped->shape, span)});
    std::vector<Attr> kwargs{attr("dtype", AttrValue::of_dtype(shaped->dtype))};
    if (tile != nullptr && tile->has_memory_space)
      kwargs.push_back(
          attr("target_memory", AttrValue::of_enum(AttrKind::MemorySpace, static_cast<int64_t>(tile->memory_space))));
    draft.kwargs = context.list(kwargs);
  } else {
    return nullptr;
  }
  const Var* var = context.var(name, type, span);
  out.push_back(context.assign(var, context.make(draft), span));
  return var;
}

}  // namespace pyptoc::passes
