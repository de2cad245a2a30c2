// SPDX-License-Identifier: Apache-2.0
// Expressions and operators.
#include <cmath>

#include "ir/op_id.h"
#include "orchestration/interpreter.h"
#include "passes/integer_arithmetic.h"

namespace pyptoc::orchestration {

using namespace ir;

int64_t Value::integer() const {
  if (const double* value = std::get_if<double>(&data)) return static_cast<int64_t>(*value);
  return std::get<int64_t>(data);
}

double Value::real() const {
  if (const int64_t* value = std::get_if<int64_t>(&data)) return static_cast<double>(*value);
  return std::get<double>(data);
}

namespace {

bool is_real(const Expr* e) {
  const ScalarType* type = as_scalar(e->type);
  return type != nullptr && ir::is_float(type->dtype);
}
Value real_value(const Expr* e, double value) {
  return {is_scalar_of(e->type, DType::Fp32) ? static_cast<double>(static_cast<float>(value)) : value};
}
bool holds(NodeKind kind, double left, double right) {
  switch (kind) {
    case NodeKind::Eq:
      return left == right;
    case NodeKind::Ne:
      return left != right;
    case NodeKind::Lt:
      return left < right;
    case NodeKind::Le:
      return left <= right;
    case NodeKind::Gt:
      return left > right;
    default:
      return left >= right;
  }
}

}  // namespace

void Interpreter::set_all(List<const Var*> vars, const Values& values) {
  PYPTOC_ASSERT(vars.size() <= values.size(), "a yield of another number of values");
  for (size_t i = 0; i < vars.size(); ++i) values_[vars[i]] = values[i];
}

Values Interpreter::eval_all(List<const Expr*> list) {
  Values out;
  for (const Expr* e : list) out.push_back(eval(e));
  return out;
}

std::vector<int64_t> Interpreter::integers(const Expr* tuple) {
  std::vector<int64_t> out;
  const Value all = eval(tuple);
  for (const Value& value : all.list()) out.push_back(value.integer());
  return out;
}

Value Interpreter::eval(const Expr* e) {
  PYPTOC_ASSERT(++steps_ < 2000000, "a program that does not end");
  if (const ConstInt* value = as<ConstInt>(e)) return {value->value};
  if (const ConstBool* value = as<ConstBool>(e)) return {int64_t{value->value ? 1 : 0}};
  if (const ConstFloat* value = as<ConstFloat>(e)) return real_value(e, value->value);
  if (is_var(e->kind)) {
    auto found = values_.find(e);
    PYPTOC_ASSERT(found != values_.end(), "unset variable " + std::string(as<Var>(e)->name_hint));
    return found->second;
  }
  if (const MakeTuple* tuple = as<MakeTuple>(e)) return {std::make_shared<Values>(eval_all(tuple->elements))};
  if (const TupleGetItemExpr* item = as<TupleGetItemExpr>(e)) {
    const Value tuple = eval(item->tuple);
    return tuple.list().at(static_cast<size_t>(item->index));
  }
  if (const Submit* submit = as<Submit>(e))
    return submit->op->is_global_var ? call_or_submit(e, submit->op, submit->args, submit->attrs)
                                     : Value{std::make_shared<Values>(Values{{tasks_++}})};
  if (const Call* call = as<Call>(e))
    return call->op->is_global_var ? call_or_submit(e, call->op, call->args, call->attrs) : eval_operator(call);
  if (const UnaryExpr* unary = as<UnaryExpr>(e)) return eval_unary(unary);
  return eval_binary(as<BinaryExpr>(e));
}

Value Interpreter::eval_unary(const UnaryExpr* e) {
  const Value value = eval(e->operand);
  if (e->kind == NodeKind::Not) return {int64_t{value.integer() == 0 ? 1 : 0}};
  if (e->kind == NodeKind::Cast) {
    if (is_real(e)) return real_value(e, value.real());
    if (is_scalar_of(e->type, DType::Bool)) return {int64_t{value.real() != 0 ? 1 : 0}};
    return {value.integer()};
  }
  if (is_real(e)) return real_value(e, e->kind == NodeKind::Abs ? std::fabs(value.real()) : -value.real());
  return {*passes::compute(e->kind, value.integer()).value};
}

Value Interpreter::eval_binary(const BinaryExpr* e) {
  PYPTOC_ASSERT(e != nullptr, "an expression that the interpreter does not know");
  const Value left = eval(e->left);
  if (e->kind == NodeKind::And && left.integer() == 0) return {int64_t{0}};
  if (e->kind == NodeKind::Or && left.integer() != 0) return {int64_t{1}};
  const Value right = eval(e->right);
  if (e->kind == NodeKind::And || e->kind == NodeKind::Or) return {int64_t{right.integer() != 0 ? 1 : 0}};
  const bool reals = is_real(e->left) || is_real(e->right);
  if (is_comparison(e->kind))
    return {int64_t{
        (reals ? holds(e->kind, left.real(), right.real()) : passes::compare(e->kind, left.integer(), right.integer()))
            ? 1
            : 0}};
  if (!reals && e->kind != NodeKind::FloatDiv) {
    const std::optional<int64_t> value = passes::compute(e->kind, left.integer(), right.integer()).value;
    PYPTOC_ASSERT(value.has_value(), "arithmetic that has no result");
    return {*value};
  }
  const double a = left.real();
  const double b = right.real();
  switch (e->kind) {
    case NodeKind::Add:
      return real_value(e, a + b);
    case NodeKind::Sub:
      return real_value(e, a - b);
    case NodeKind::Mul:
      return real_value(e, a * b);
    case NodeKind::FloatDiv:
      return real_value(e, a / b);
    case NodeKind::Min:
      return real_value(e, std::min(a, b));
    case NodeKind::Max:
      return real_value(e, std::max(a, b));
    default:
      PYPTOC_UNREACHABLE("floating-point arithmetic that the interpreter does not know");
  }
}

Value Interpreter::elementwise(const Call* call, const std::function<double(double, double)>& f) {
  const Tensor left = eval(call->args[0]).tensor();
  const Value right = eval(call->args[1]);
  Tensor out = Tensor::make(left.dtype, left.shape);
  for (int64_t i = 0; i < left.count(); ++i) {
    const auto index = left.index_of(i);
    const double other = std::holds_alternative<Tensor>(right.data) ? right.tensor().load(index) : right.real();
    out.store(index, f(left.load(index), other));
  }
  return {out};
}

Value Interpreter::eval_operator(const Call* call) {
  switch (call->op->id) {
    case OpId::ArrayCreate: {
      const DType dtype = as_array(call->type)->dtype;
      const Value empty = dtype == DType::TaskId ? Value{int64_t{-1}}
                          : is_float(dtype)      ? Value{0.0}
                                                 : Value{int64_t{0}};
      return {std::make_shared<Values>(static_cast<size_t>(eval(call->args[0]).integer()), empty)};
    }
    case OpId::ArrayGetElement:
      return eval(call->args[0]).list().at(static_cast<size_t>(eval(call->args[1]).integer()));
    case OpId::ArrayUpdateElement: {
      Values changed = eval(call->args[0]).list();
      changed.at(static_cast<size_t>(eval(call->args[1]).integer())) = eval(call->args[2]);
      return {std::make_shared<Values>(std::move(changed))};
    }
    case OpId::SystemTaskInvalid:
      return {int64_t{-1}};
    case OpId::SystemTaskDummy:
      return {tasks_++};
    case OpId::SystemTaskIsValid:
      return {int64_t{eval(call->args[0]).integer() >= 0 ? 1 : 0}};
    case OpId::SystemAvailableAivCount:
      return {device_.aiv_cores};
    case OpId::SystemAvailableClusterCount:
      return {device_.clusters};
    case OpId::TensorGetBlockIdx:
    case OpId::TileGetBlockIdx:
      return {block_.index};
    case OpId::TensorGetBlockNum:
    case OpId::TileGetBlockNum:
      return {block_.count};
    case OpId::TensorGetSubblockIdx:
    case OpId::TileGetSubblockIdx:
      return {block_.lane};
    case OpId::TensorAdd:
    case OpId::TensorAdds:
    case OpId::TileAdd:
    case OpId::TileAdds:
      return elementwise(call, [](double a, double b) { return a + b; });
    case OpId::TensorSub:
    case OpId::TileSub:
      return elementwise(call, [](double a, double b) { return a - b; });
    case OpId::TensorMul:
    case OpId::TensorMuls:
    case OpId::TileMul:
    case OpId::TileMuls:
      return elementwise(call, [](double a, double b) { return a * b; });
    default:
      return tensor_operator(call);
  }
}

Value Interpreter::tensor_operator(const Call* call) {
  if (call->op->id == OpId::TensorCreate) {
    const TensorType* type = as_tensor(call->type);
    Tensor made = Tensor::make(type->dtype, integers(call->args[0]));
    if (const AttrValue* init = find_attr(call->kwargs, "init_value"))
      for (int64_t i = 0; i < made.count(); ++i) made.store(made.index_of(i), init->as_float());
    return {made};
  }
  const Value first = eval(call->args[0]);
  const Tensor& source = first.tensor();
  switch (call->op->id) {
    case OpId::TensorRead:
    case OpId::TileRead: {
      const auto index = integers(call->args[1]);
      if (source.dtype == DType::Fp32) return {source.load(index)};
      return {source.load_int(index)};
    }
    case OpId::TensorWrite: {
      const Value value = eval(call->args[2]);
      const auto index = integers(call->args[1]);
      if (!block_.idle)
        source.dtype == DType::Fp32 ? source.store(index, value.real()) : source.store_int(index, value.integer());
      return first;
    }
    case OpId::TensorDim:
      return {source.shape.at(static_cast<size_t>(eval(call->args[1]).integer()))};
    case OpId::TensorSlice: {
      const Tensor part = source.slice(integers(call->args[1]), integers(call->args[2]));
      if (call->args.size() > 4) return {part.without_axes(integers(call->args[4]))};
      return {part};
    }
    case OpId::TensorReshape:
      return {source.reshape(integers(call->args[1]))};
    case OpId::TensorTranspose: {
      const auto axis = [&](size_t i) {
        const int64_t a = eval(call->args[i]).integer();
        return static_cast<size_t>(a < 0 ? a + static_cast<int64_t>(source.shape.size()) : a);
      };
      return {source.transpose(axis(1), axis(2))};
    }
    case OpId::TensorView:
      return call->args.size() > 1 ? Value{source.reshape(integers(call->args[1]))} : first;
    case OpId::TensorAssemble:
    case OpId::TileStore: {
      const bool assemble = call->op->id == OpId::TensorAssemble;
      const Value target = assemble ? first : eval(call->args[2]);
      const Tensor from = assemble ? eval(call->args[1]).tensor() : source;
      const auto offsets = integers(assemble ? call->args[2] : call->args[1]);
      std::vector<int64_t> extents(offsets.size() - from.shape.size(), 1);
      extents.insert(extents.end(), from.shape.begin(), from.shape.end());
      const Tensor part = target.tensor().slice(extents, offsets);
      if (!block_.idle)
        for (int64_t i = 0; i < from.count(); ++i) part.store(part.index_of(i), from.load(from.index_of(i)));
      return target;
    }
    case OpId::TileLoad: {
      const Tensor part = source.slice(integers(call->args[2]), integers(call->args[1]));
      Tensor tile = Tensor::make(part.dtype, part.shape);
      for (int64_t i = 0; i < part.count(); ++i) tile.store(part.index_of(i), part.load(part.index_of(i)));
      return {tile};
    }
    default:
      PYPTOC_UNREACHABLE("the interpreter does not know `" + std::string(call->op->name) + "`");
  }
}

}  // namespace pyptoc::orchestration
