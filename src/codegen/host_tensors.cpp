// SPDX-License-Identifier: Apache-2.0
// Tensors and windows of a HOST orchestrator: what is allocated, slices, copies.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/dtype_cpp.h"
#include "codegen/host_emitter.h"
#include "diag/codes_emit.h"
#include "diag/codes_host.h"
#include "ir/equal.h"
#include "ir/op_rules.h"
#include "support/literals.h"

namespace pyptoc::codegen {

using namespace ir;
using support::python_string_literal;

// Everything but calls of functions and collectives. False: the operator does nothing of that kind.
bool HostEmitter::operator_value(const Var* var, const Call* call) {
  switch (call->op->id) {
    case OpId::PldTensorAllocWindowBuffer:  // the domain around has allocated it
      return true;
    case OpId::PldTensorWindow:
    case OpId::PldSystemGetCommCtx: {
      if (var == nullptr) return true;
      HostValue value = handle_value(var);
      if (value.slot == nullptr && call->op->id == OpId::PldTensorWindow)
        if (const HostSlot* const* slot = slots_.find(call->args[0])) value.slot = *slot;
      if (value.slot == nullptr) value = handle_value(call);
      value.kind = is_distributed(var->type) ? HostValue::Kind::Window : HostValue::Kind::Context;
      if (value.slot == nullptr) missing(call);
      bind(var, std::move(value));
      return true;
    }
    case OpId::TensorCreate: {
      if (var == nullptr) return true;
      HostValue value;
      value.kind = HostValue::Kind::Tensor;
      value.text = allocated(var->name_hint, as_tensor(call->type), call, call);
      bind(var, std::move(value));
      return true;
    }
    case OpId::TensorSlice:
      if (var != nullptr) slice(var, call);
      return true;
    case OpId::TensorAssemble:
      assemble(var, call);
      return true;
    default:
      return false;
  }
}

// A zeroed tensor of _alloc_intermediates: workers only see memory that was there before they started. `create` gives
// an initial value; null for an Out parameter that the caller leaves out.
std::string HostEmitter::allocated(std::string_view name, const TensorType* type, const Call* create, const Node* at) {
  std::string key = fresh_key(name);
  if (nesting_ > 0) diags_.report(diag::codes::host_tensor_inside, place_of(at), name, function_->name);
  std::optional<std::string_view> dtype = type != nullptr ? torch_dtype(type->dtype) : std::nullopt;
  if (!dtype) {
    diags_.report(diag::codes::host_torch_dtype, place_of(at), type != nullptr ? name_of(type->dtype) : "?");
    return key;
  }
  in_alloc_ = true;
  std::string shape = shape_text(type->shape);
  in_alloc_ = false;
  const AttrValue* init = create != nullptr ? find_attr(create->kwargs, "init_value") : nullptr;
  double value = init == nullptr                   ? 0
                 : init->kind() == AttrKind::Float ? init->as_float()
                 : init->kind() == AttrKind::Int   ? static_cast<double>(init->as_int())
                                                   : 0;
  std::string make =
      value == 0 ? fmt::format("torch.zeros({}, dtype=torch.{})", shape, *dtype)
      : is_float(type->dtype)
          ? fmt::format("torch.full({}, {}, dtype=torch.{})", shape, ScalarPy::real(value, DType::Fp64), *dtype)
          : fmt::format("torch.full({}, {:.0f}, dtype=torch.{})", shape, value, *dtype);
  alloc_lines_.push_back(fmt::format("{} = {}.share_memory_()", key, make));
  return key;
}

void HostEmitter::slice(const Var* var, const Call* call) {
  HostValue source = tensor_value(call->args[0]);
  const TensorType* from = as_tensor(call->args[0]->type);
  std::optional<List<const Expr*>> extents = tuple_elements(call->args[1]);
  std::optional<List<const Expr*>> offsets = tuple_elements(call->args[2]);
  auto list_at = [&](size_t i) {
    return call->args.size() > i ? tuple_elements(call->args[i]).value_or(List<const Expr*>()) : List<const Expr*>();
  };
  List<const Expr*> valid = list_at(3);
  List<const Expr*> dropped = list_at(4);
  bool fits = from != nullptr && extents && offsets && extents->size() == from->shape.size() &&
              offsets->size() == from->shape.size();
  for (size_t i = 0; fits && i < valid.size(); ++i)
    fits = valid.size() == extents->size() && extent_equal(valid[i], (*extents)[i]);
  if (!fits) {
    diags_.report(diag::codes::host_slice_form, place_of(call), function_->name);
    return;
  }
  std::vector<std::string> indices;
  size_t last = 0;     // behind the last index that is not a whole axis
  bool inner = false;  // an axis was cut or has several elements: those behind it must be whole
  bool packed = source.packed;
  for (size_t axis = 0; axis < extents->size(); ++axis) {
    const Expr* extent = (*extents)[axis];
    const Expr* offset = (*offsets)[axis];
    bool is_dropped = std::any_of(dropped.begin(), dropped.end(),
                                  [&](const Expr* d) { return const_int(d) == static_cast<int64_t>(axis); });
    bool whole = const_int(offset) == 0 && extent_equal(extent, from->shape[axis]);
    bool one = is_dropped || const_int(extent) == 1;
    if (inner && !whole) packed = false;
    inner = inner || !one;
    if (is_dropped) {
      indices.push_back(scalar(offset));
    } else if (whole) {
      indices.push_back(":");
      continue;
    } else {
      std::optional<int64_t> first = const_int(offset);
      std::optional<int64_t> count = const_int(extent);
      indices.push_back(first && count
                            ? fmt::format("{}:{}", *first, *first + *count)
                            : fmt::format("{0}:{0} + {1}", scalars_.primary(offset), scalars_.primary(extent)));
    }
    last = axis + 1;
  }
  HostValue value;
  value.kind = HostValue::Kind::Tensor;
  value.packed = packed;
  value.gaps = source.gaps || (source.packed && !packed);
  value.text = source.text;
  if (last > 0) {
    indices.resize(last);
    value.text = fresh(var->name_hint);
    out_.line("{} = {}[{}]", value.text, source.text, fmt::join(indices, ", "));
  }
  bind(var, std::move(value));
}

// The host copies at once, while tasks run later: neither side may be in the hands of a task that was dispatched.
void HostEmitter::assemble(const Var* var, const Call* call) {
  HostValue target = tensor_value(call->args[0]);
  HostValue source = tensor_value(call->args[1]);
  const TensorType* from = as_tensor(call->args[1]->type);
  std::optional<List<const Expr*>> offsets = tuple_elements(call->args[2]);
  if (from == nullptr || !offsets || offsets->size() != from->shape.size()) {
    diags_.report(diag::codes::host_slice_form, place_of(call), function_->name);
    return;
  }
  check_copy(call);
  copies_.push_back({call, nesting_ > 0});
  std::vector<std::string> indices;
  for (size_t axis = 0; axis < offsets->size(); ++axis) {
    std::string offset = scalars_.primary((*offsets)[axis]);
    std::string extent = scalars_.primary(from->shape[axis]);
    indices.push_back(offset == "0" ? fmt::format(":{}", extent) : fmt::format("{0}:{0} + {1}", offset, extent));
  }
  out_.line("{}[{}] = {}", target.text, fmt::join(indices, ", "), source.text);
  if (var != nullptr) bind(var, std::move(target));
}

void HostEmitter::check_copy(const Call* call) {
  const passes::FunctionRoots& roots = roots_.of(function_);
  const List<int> target = roots.of(call->args[0]);
  const List<int> source = roots.of(call->args[1]);
  auto any_in = [](List<int> list, const std::set<int>& set) {
    return list.empty() || std::any_of(list.begin(), list.end(), [&](int root) { return set.contains(root); });
  };
  if (any_in(target, used_roots_) || any_in(source, written_roots_))
    diags_.report(diag::codes::host_copy_too_early, place_of(call), function_->name);
}

}  // namespace pyptoc::codegen
