// SPDX-License-Identifier: Apache-2.0
// Type rules of operators without tensors of their own: scalars, arrays, handles, windows, results that are an operand;
// and what all rules share.
#include "ir/op_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "diag/codes_verify.h"
#include "ir/describe.h"
#include "ir/equal.h"
#include "ir/op_types.h"

namespace pyptoc::ir {

namespace {

bool is_int_scalar(const Type* type) {
  const ScalarType* scalar = as_scalar(type);
  return scalar != nullptr && is_integer(scalar->dtype);
}

bool is_int_tuple(const Type* type) {
  const TupleType* tuple = as_tuple(type);
  return tuple != nullptr && std::all_of(tuple->types.begin(), tuple->types.end(), is_int_scalar);
}

}  // namespace

bool operand_fits(OperandKind kind, const Type* type) {
  switch (kind) {
    case OperandKind::Any:
      return true;
    case OperandKind::Tensor:
      return as_tensor(type) != nullptr;
    case OperandKind::Window:
      return is_distributed(type);
    case OperandKind::Tile:
      return as_tile(type) != nullptr;
    case OperandKind::Scalar:
      return as_scalar(type) != nullptr;
    case OperandKind::Int:
      return is_int_scalar(type);
    case OperandKind::Ints:
      return is_int_tuple(type);
    case OperandKind::Array:
      return as_array(type) != nullptr;
    case OperandKind::Ptr:
      return type->kind == TypeKind::Ptr;
    case OperandKind::CommCtx:
      return type->kind == TypeKind::CommCtxType;
    case OperandKind::Task:
      return is_scalar_of(type, DType::TaskId);
  }
  PYPTOC_UNREACHABLE("operand kind");
}

const Type* TypeRuleInput::misfit(const std::string& text) const {
  if (engine != nullptr) engine->report(diag::codes::operands_do_not_fit, place, info.name, text);
  return nullptr;
}

const AttrValue* TypeRuleInput::keyword(std::string_view key, AttrKind kind) const {
  const AttrValue* value = find_attr(kwargs, key);
  return value != nullptr && value->kind() == kind ? value : nullptr;
}

int64_t TypeRuleInput::int_keyword(std::string_view key, int64_t otherwise) const {
  const AttrValue* value = keyword(key, AttrKind::Int);
  return value != nullptr ? value->as_int() : otherwise;
}

bool TypeRuleInput::bool_keyword(std::string_view key) const {
  return bool_attr(kwargs, key, false);
}

std::optional<List<const Expr*>> tuple_elements(const Expr* expr) {
  const MakeTuple* tuple = as<MakeTuple>(expr);
  return tuple != nullptr ? std::optional(tuple->elements) : std::nullopt;
}

List<const Expr*> valid_shape_of(const TensorType* type) {
  bool narrowed = type->view != nullptr && !type->view->valid_shape.empty();
  return narrowed ? type->view->valid_shape : type->shape;
}

bool is_fully_valid(const TensorType* type) {
  return extents_equal(valid_shape_of(type), type->shape);
}

bool is_packed(const TensorType* type) {
  return type->view == nullptr || (type->view->layout == TensorLayout::Nd && type->view->stride.empty());
}

const TensorType* make_tensor(Context& context, TypeKind kind, DType dtype, List<const Expr*> shape, TensorView view,
                              const Var* window_buffer) {
  TensorType draft;
  draft.kind = kind;
  draft.dtype = dtype;
  draft.shape = shape;
  draft.window_buffer = window_buffer;
  if (extents_equal(view.valid_shape, shape)) view.valid_shape = {};
  bool says_something = !view.stride.empty() || view.layout != TensorLayout::Nd || !view.valid_shape.empty() ||
                        view.pad != PadValue::Null;
  if (says_something) draft.view = context.copy(view);
  return context.copy(draft);
}

DType promote(DType a, DType b) {
  if (a == b) return a;
  if (is_float(a) != is_float(b)) return is_float(a) ? a : b;
  if (bits_of(a) != bits_of(b)) return bits_of(a) > bits_of(b) ? a : b;
  return is_signed_int(b) && !is_signed_int(a) ? b : a;
}

bool is_one(const Expr* extent) {
  return const_int(extent) == 1;
}

std::optional<size_t> normalize_axis(int64_t axis, size_t rank) {
  int64_t count = static_cast<int64_t>(rank);
  if (axis < -count || axis >= count) return std::nullopt;
  return static_cast<size_t>(axis < 0 ? axis + count : axis);
}

const Type* deduce_type(Context& context, OpId op, List<const Expr*> args, List<Attr> kwargs, diag::Engine* engine,
                        const diag::Place& place) {
  const OpInfo& info = op_info(op);
  if (info.type_rule == nullptr) return nullptr;
  TypeRuleInput input{context, info, args, kwargs, engine, place};
  return info.type_rule(input);
}

namespace rules {

const Type* nothing(TypeRuleInput& in) {
  return in.context.plain_type(TypeKind::UnknownType);
}
const Type* ptr(TypeRuleInput& in) {
  return in.context.plain_type(TypeKind::Ptr);
}
const Type* comm_ctx(TypeRuleInput& in) {
  return in.context.plain_type(TypeKind::CommCtxType);
}
const Type* prefetch_context(TypeRuleInput& in) {
  return in.context.plain_type(TypeKind::PrefetchAsyncContextType);
}
const Type* async_event(TypeRuleInput& in) {
  return in.context.plain_type(TypeKind::AsyncEventType);
}
const Type* async_session(TypeRuleInput& in) {
  return in.context.plain_type(TypeKind::AsyncSessionType);
}
const Type* index(TypeRuleInput& in) {
  return in.context.scalar_type(DType::Index);
}
const Type* int32(TypeRuleInput& in) {
  return in.context.scalar_type(DType::Int32);
}
const Type* world_size(TypeRuleInput& in) {
  return in.context.scalar_type(DType::Int64);
}
const Type* boolean(TypeRuleInput& in) {
  return in.context.scalar_type(DType::Bool);
}
const Type* task(TypeRuleInput& in) {
  return in.context.scalar_type(DType::TaskId);
}

// The result is the operand itself under a new name.
const Type* same0(TypeRuleInput& in) {
  return in.args[0]->type;
}
const Type* same1(TypeRuleInput& in) {
  return in.args[1]->type;
}
const Type* same2(TypeRuleInput& in) {
  return in.args[2]->type;
}

// A new value in the shape of operand 0; not known where its view or memory would have a say.
const Type* same0_value(TypeRuleInput& in) {
  const Type* type = in.args[0]->type;
  if (const TensorType* tensor = as_tensor(type)) return tensor->view == nullptr ? type : nullptr;
  const TileType* tile = as_tile(type);
  return tile != nullptr && tile->view == nullptr && tile->memref == nullptr ? type : nullptr;
}

// One element, addressed by a tuple with one index for each axis.
const Type* element(TypeRuleInput& in) {
  const ShapedType* source = as_shaped(in.args[0]->type);
  const TupleType* indices = as_tuple(in.args[1]->type);
  if (source == nullptr || indices == nullptr) return nullptr;
  if (indices->types.size() != source->shape.size())
    return in.misfit(fmt::format("{} indices for `{}`", indices->types.size(), describe(source)));
  return in.context.scalar_type(source->dtype);
}

const Type* array_create(TypeRuleInput& in) {
  const AttrValue* dtype = in.keyword("dtype", AttrKind::DataType);
  if (dtype == nullptr) return nullptr;
  ArrayType draft;
  draft.kind = TypeKind::ArrayType;
  draft.dtype = dtype->as_dtype();
  draft.shape = in.context.list({in.args[0]});
  return in.context.copy(draft);
}

const Type* array_element(TypeRuleInput& in) {
  const ArrayType* array = as_array(in.args[0]->type);
  return array != nullptr ? in.context.scalar_type(array->dtype) : nullptr;
}

const Type* window(TypeRuleInput& in) {
  const AttrValue* dtype = in.keyword("dtype", AttrKind::DataType);
  std::optional<List<const Expr*>> shape = tuple_elements(in.args[1]);
  if (dtype == nullptr || !shape.has_value()) return nullptr;
  return in.context.tensor_type(dtype->as_dtype(), *shape, TypeKind::DistributedTensorType);
}

}  // namespace rules

}  // namespace pyptoc::ir
