// SPDX-License-Identifier: Apache-2.0
// Tensor and array operators of an orchestration; the table of emission.md.
#include <fmt/format.h>

#include "codegen/chip_emitter.h"
#include "codegen/dtype_cpp.h"
#include "diag/codes_emit.h"
#include "ir/op_table.h"

namespace pyptoc::codegen {

using namespace ir;

namespace {

List<const Expr*> elements_of(const Expr* e) {
  const MakeTuple* tuple = ir::as<MakeTuple>(e);
  return tuple != nullptr ? tuple->elements : List<const Expr*>();
}

}  // namespace

// False when the operator is no tensor operator of orchestrations.
bool ChipEmitter::operator_value(const Var* var, const Call* call) {
  switch (call->op->id) {
    case OpId::TensorCreate:
      return true;  // allocated by its statement
    case OpId::TensorSlice:
      if (var != nullptr) slice(var, call);
      return true;
    case OpId::TensorReshape:
      if (var != nullptr) reshape(var, call, elements_of(call->args[1]));
      return true;
    case OpId::TensorTranspose:
      if (var != nullptr) transpose(var, call);
      return true;
    case OpId::TensorView:
    case OpId::TensorSetValidshape:
      if (var != nullptr) view(var, call);
      return true;
    case OpId::TensorRead:
      if (var != nullptr) read(var, call);
      return true;
    case OpId::TensorWrite:
      write(var, call);
      return true;
    case OpId::TensorAssemble:
      assemble(var, call);
      return true;
    case OpId::ArrayCreate:
    case OpId::ArrayGetElement:
    case OpId::ArrayUpdateElement:
      array_operator(var, call);
      return true;
    default:
      return false;
  }
}

// The shape is clamped to what is left behind the offset wherever it is not known to fit; view() asserts that it does.
void ChipEmitter::slice(const Var* var, const Call* call) {
  const TensorType* source = as_tensor(call->args[0]->type);
  List<const Expr*> shape = elements_of(call->args[1]);
  List<const Expr*> offsets = elements_of(call->args[2]);
  const Value* source_value = value_of(call->args[0]);
  std::string from = text_of(call->args[0]);  // reports what has no value
  Value from_value = source_value != nullptr ? *source_value : Value{from};
  std::string shape_list;
  std::string offset_list;
  for (size_t i = 0; i < shape.size() && i < offsets.size(); ++i) {
    std::optional<int64_t> extent_value = const_int(shape[i]);
    std::optional<int64_t> offset_value = const_int(offsets[i]);
    std::optional<int64_t> limit =
        source != nullptr && i < source->shape.size() ? const_int(source->shape[i]) : std::nullopt;
    bool whole = offset_value == 0 && source != nullptr && i < source->shape.size() && source->shape[i] == shape[i];
    bool fits = whole || (extent_value && offset_value && limit && *offset_value >= 0 &&
                          *extent_value <= *limit - *offset_value);
    std::string sep = i == 0 ? "" : ", ";
    if (fits) {
      shape_list += sep + extent(shape[i]);
    } else {
      clamps_ = true;
      shape_list +=
          sep + fmt::format("clamp_extent({}, {}, {}.shapes[{}])", scalar(shape[i]), scalar(offsets[i]), from, i);
    }
    offset_list += sep + extent(offsets[i]);
  }
  Value shapes = extent_array(fmt::format("{}_shape", var->name_hint), shape_list);
  Value starts = extent_array(fmt::format("{}_offset", var->name_hint), offset_list);
  std::string init = fmt::format("{}.view({}, {})", from, shapes.text, starts.text);
  List<const Expr*> dropped = call->args.size() > 4 ? elements_of(call->args[4]) : List<const Expr*>();
  std::vector<Value> uses = {from_value, shapes, starts};
  if (!dropped.empty()) init = without_axes(var, init, shape.size(), dropped, uses);
  for (const Value& value : uses) use(value);
  define(var, "ChipTensor", init);
}

// `init` with the kept axes only; `uses` gets the array that names them.
std::string ChipEmitter::without_axes(const Var* var, const std::string& init, size_t rank, List<const Expr*> dropped,
                                      std::vector<Value>& uses) {
  drops_axes_ = true;
  std::vector<bool> gone(rank, false);
  for (const Expr* axis : dropped) {
    std::optional<int64_t> value = const_int(axis);
    if (value && *value < 0) value = *value + static_cast<int64_t>(rank);
    if (value && *value >= 0 && static_cast<size_t>(*value) < rank)
      gone[static_cast<size_t>(*value)] = true;
    else
      diags_.report(diag::codes::axis_not_constant, place_of(axis), "tensor.slice");
  }
  std::string kept;
  size_t count = 0;
  for (size_t i = 0; i < rank; ++i) {
    if (gone[i]) continue;
    kept += (kept.empty() ? "" : ", ") + fmt::format("{}", i);
    ++count;
  }
  uses.push_back(extent_array(fmt::format("{}_axes", var->name_hint), kept));
  return fmt::format("drop_axes({}, {}, {})", init, uses.back().text, count);
}

void ChipEmitter::reshape(const Var* var, const Call* call, List<const Expr*> shape) {
  if (shape.empty() || shape.size() > 5)
    diags_.report(diag::codes::tensor_rank, place_of(call), static_cast<int64_t>(shape.size()));
  std::string values = extents(shape);
  std::string shapes = use(extent_array(fmt::format("{}_shape", var->name_hint), values));
  std::string from = text_of(call->args[0]);
  define(var, "ChipTensor", fmt::format("{}.reshape({}, {})", from, shapes, shape.size()));
}

void ChipEmitter::transpose(const Var* var, const Call* call) {
  const TensorType* source = as_tensor(call->args[0]->type);
  int64_t rank = source != nullptr ? static_cast<int64_t>(source->shape.size()) : 0;
  std::array<int64_t, 2> axes{};
  for (size_t i = 0; i < 2; ++i) {
    std::optional<int64_t> axis = const_int(call->args[i + 1]);
    if (axis && *axis < 0) axis = *axis + rank;
    if (!axis || *axis < 0 || *axis >= rank) {
      diags_.report(diag::codes::axis_not_constant, place_of(call->args[i + 1]), call->op->name);
      axis = 0;
    }
    axes[i] = *axis;
  }
  define(var, "ChipTensor", fmt::format("{}.transpose({}, {})", text_of(call->args[0]), axes[0], axes[1]));
}

// With a shape a reshape, for another layout a transpose of the last two axes, else the same tensor.
void ChipEmitter::view(const Var* var, const Call* call) {
  if (call->op->id == OpId::TensorView && call->args.size() > 1 && !elements_of(call->args[1]).empty())
    return reshape(var, call, elements_of(call->args[1]));
  const TensorType* source = as_tensor(call->args[0]->type);
  const TensorType* result = as_tensor(call->type);
  auto layout = [](const TensorType* t) {
    return t != nullptr && t->view != nullptr ? t->view->layout : TensorLayout::Nd;
  };
  bool flips = call->op->id == OpId::TensorView && layout(source) != layout(result) && source->shape.size() >= 2;
  if (!flips) {
    if (const Value* value = value_of(call->args[0])) return alias(var, *value);
    text_of(call->args[0]);  // reports
    return;
  }
  size_t rank = source->shape.size();
  define(var, "ChipTensor", fmt::format("{}.transpose({}, {})", text_of(call->args[0]), rank - 2, rank - 1));
}

Value ChipEmitter::index_array(std::string_view wanted, const Expr* indices, size_t& count) {
  List<const Expr*> list = elements_of(indices);
  count = list.size();
  return extent_array(wanted, extents(list));
}

void ChipEmitter::read(const Var* var, const Call* call) {
  DType dtype = dtype_of(call);
  std::optional<std::string_view> type = orchestration_type(dtype);
  if (!type) {
    diags_.report(diag::codes::orchestration_scalar_type, place_of(call), name_of(dtype));
    type = "int64_t";
  }
  size_t count = 0;
  std::string indices = use(index_array(fmt::format("{}_index", var->name_hint), call->args[1], count));
  std::string from = text_of(call->args[0]);
  define(var, hoisted_.contains(var) ? "" : fmt::format("const {}", *type),
         fmt::format("get_tensor_data<{}>({}, {}, {})", *type, from, count, indices));
}

void ChipEmitter::write(const Var* var, const Call* call) {
  const TensorType* target = as_tensor(call->args[0]->type);
  DType dtype = target != nullptr ? target->dtype : DType::Fp32;
  std::optional<std::string_view> type = orchestration_type(dtype);
  if (!type) {
    diags_.report(diag::codes::orchestration_scalar_type, place_of(call), name_of(dtype));
    type = "int64_t";
  }
  size_t count = 0;
  std::string name = var != nullptr ? std::string(var->name_hint) : "element";
  std::string indices = use(index_array(name + "_index", call->args[1], count));
  std::string to = text_of(call->args[0]);
  std::string value = scalar_as(dtype, call->args[2]);
  out_.line(fmt::format("set_tensor_data<{}>({}, {}, {}, {});", *type, to, count, indices, value));
  if (var != nullptr)
    if (const Value* same = value_of(call->args[0])) alias(var, *same);
}

// Emits nothing, and is right only where the source already is that region of the target.
void ChipEmitter::assemble(const Var* var, const Call* call) {
  std::optional<int> target = roots_.of(function_).single(call->args[0]);
  std::optional<int> source = roots_.of(function_).single(call->args[1]);
  if (!target || target != source) diags_.report(diag::codes::assemble_not_in_place, place_of(call), function_->name);
  if (var != nullptr)
    if (const Value* same = value_of(call->args[0])) alias(var, *same);
}

std::string ChipEmitter::dim(const Call* call) {
  const TensorType* source = as_tensor(call->args[0]->type);
  std::optional<int64_t> axis = const_int(call->args[1]);
  int64_t rank = source != nullptr ? static_cast<int64_t>(source->shape.size()) : 0;
  if (axis && *axis < 0) axis = *axis + rank;
  if (!axis || *axis < 0 || *axis >= rank) {
    diags_.report(diag::codes::axis_not_constant, place_of(call), call->op->name);
    return "0";
  }
  const Expr* extent_expr = source->shape[static_cast<size_t>(*axis)];
  if (std::optional<int64_t> value = const_int(extent_expr)) return fmt::format("{}", *value);
  return fmt::format("static_cast<int64_t>({}.shapes[{}])", text_of(call->args[0]), *axis);
}

void ChipEmitter::array_operator(const Var* var, const Call* call) {
  const ArrayType* type = as_array(call->op->id == OpId::ArrayCreate ? call->type : call->args[0]->type);
  DType dtype = type != nullptr ? type->dtype : DType::Index;
  std::optional<std::string_view> element = orchestration_type(dtype);
  std::optional<int64_t> extent_value = type != nullptr ? const_int(type->shape[0]) : std::nullopt;
  if (!element || !extent_value || *extent_value < 1) {
    diags_.report(diag::codes::array_extent, place_of(call), call->op->name);
    return;
  }
  if (call->op->id == OpId::ArrayCreate) {
    if (var == nullptr) return;
    std::string name = fresh(var->name_hint);
    bool ids = dtype == DType::TaskId;
    Value value = declared(name, fmt::format("{} {}[{}]{};", *element, name, *extent_value, ids ? "" : " = {}"));
    if (ids) {
      std::string slot = fresh("slot");
      out_.belongs_to(value.decl,
                      fmt::format("for (uint32_t {0} = 0; {0} < {1}; ++{0}) {2}[{0}] = PTO2TaskId::invalid();", slot,
                                  *extent_value, name));
    }
    value.array_size = *extent_value;
    alias(var, value);
    return;
  }
  std::string array = text_of(call->args[0]);
  std::string index = scalar(call->args[1]);
  if (call->op->id == OpId::ArrayGetElement) {
    if (var != nullptr) define(var, fmt::format("const {}", *element), fmt::format("{}[{}]", array, index));
    return;
  }
  const Expr* stored = call->args[2];
  if (const Value* ids = value_of(stored); ids != nullptr && ids->array_size > 0) {
    diags_.report(diag::codes::value_without_emission, place_of(call), ir::as<Var>(stored)->name_hint)
        .help("it stands for several tasks: let a `pl.system.task_dummy` wait for them, and store its id");
  }
  std::string value = dtype == DType::TaskId ? leaf(stored) : scalar_as(dtype, stored);
  out_.line(fmt::format("{}[{}] = {};", array, index, value));
  if (var != nullptr)
    if (const Value* same = value_of(call->args[0])) alias(var, *same);
}

}  // namespace pyptoc::codegen
