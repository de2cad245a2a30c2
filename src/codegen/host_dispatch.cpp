// SPDX-License-Identifier: Apache-2.0
// Dispatches of a HOST orchestrator: of chip programs, of the built-in collectives, of SubWorkers.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/dtype_cpp.h"
#include "codegen/host_emitter.h"
#include "diag/codes_host.h"
#include "ir/describe.h"
#include "support/literals.h"

namespace pyptoc::codegen {

using namespace ir;
using support::python_string_literal;

namespace {

constexpr size_t kMaxTensors = 256;  // of one chip program; runtime-contract.md
constexpr size_t kMaxScalars = 128;

const char* tag_of(ParamDirection direction) {
  return direction == ParamDirection::In ? "INPUT" : direction == ParamDirection::Out ? "OUTPUT_EXISTING" : "INOUT";
}
const char* tag_of(ArgDirection direction) {
  switch (direction) {
    case ArgDirection::Input:
      return "INPUT";
    case ArgDirection::Output:
      return "OUTPUT";
    case ArgDirection::OutputExisting:
      return "OUTPUT_EXISTING";
    default:
      return "INOUT";
  }
}

// Empty: those of the callee's parameters.
List<int32_t> directions_of(const Call* call) {
  const AttrValue* given = find_attr(call->attrs, "arg_directions");
  return given != nullptr && given->kind() == AttrKind::ArgDirectionVector ? given->as_ints() : List<int32_t>();
}

bool is_context(const Type* type) {
  return type->kind == TypeKind::CommCtxType;
}

// The view as the callee declares it where the two disagree on the rank: a window has no gaps, so any shape fits.
const TensorType* window_view(const TensorType* given, const TensorType* declared) {
  if (declared == nullptr || declared->shape.size() == given->shape.size()) return given;
  bool known = std::all_of(declared->shape.begin(), declared->shape.end(),
                           [](const Expr* e) { return const_int(e).has_value(); });
  return known ? declared : given;
}

}  // namespace

bool HostEmitter::dispatch(const Call* call, const Var* result) {
  if (!call->op->is_global_var) {
    const CollectiveInfo* info = collective_of(call);
    if (info == nullptr || info->builtin != call->op->id) return false;
    builtin_dispatch(call, *info, result);
    return true;
  }
  const Function* callee = program_->find(call->op);
  if (callee != nullptr && (is_chip_orchestration(callee) || is_host_sub_worker(callee)))
    function_dispatch(call, callee, result);
  else
    diags_.report(diag::codes::host_call_without_emission, place_of(call), call->op->name, function_->name);
  return true;
}

void HostEmitter::note_device(int64_t device) {
  constexpr int64_t kMost = 1024;  // what the program names may be nonsense that another check reports
  if (device >= 0 && device < kMost) unit_.devices = std::max(unit_.devices, device + 1);
}

std::optional<std::string> HostEmitter::device_of(const Call* call) {
  const AttrValue* device = find_attr(call->attrs, "device");
  if (device == nullptr) return std::nullopt;
  if (device->kind() == AttrKind::Int) {
    note_device(device->as_int());
    return fmt::format("{}", device->as_int());
  }
  const Expr* value = device->kind() == AttrKind::Var    ? device->as_var()
                      : device->kind() == AttrKind::Expr ? device->as_expr()
                                                         : nullptr;
  if (value == nullptr) return std::nullopt;
  if (std::optional<int64_t> constant = const_int(value)) note_device(*constant);
  if (const int64_t* end = loop_ends_.find(value)) note_device(*end - 1);
  return scalar(value);
}

HostEmitter::Dispatch HostEmitter::begin_dispatch(const Call* call) {
  Dispatch d;
  d.rank = device_of(call).value_or("");
  d.args = fresh(fmt::format("ta_{}", dispatches_++));
  out_.line("{} = TaskArgs()", d.args);
  return d;
}

void HostEmitter::add_window(Dispatch& d, const Expr* value, const TensorType* type, std::string_view tag) {
  d.has_window = true;
  const HostSlot* slot = window_slot(value);
  if (slot == nullptr || d.rank.empty()) {
    missing(value);
    return;
  }
  std::string shape = shape_text(type->shape);
  out_.line("{}.add_tensor({}[{}].buffers[{}].tensor(shapes={}, dtype={}), TensorArgType.{})", d.args, slot->domain,
            d.rank, slot->buffer, shape, runtime_dtype_text(type->dtype, value), tag);
}

// Every dispatch with a window argument uses its rank's token, so that those of one rank stay in program order.
void HostEmitter::add_order_token(const Dispatch& d) {
  if (!d.has_window) return;
  if (order_key_.empty()) order_key_ = fresh_key("__order");
  out_.line("{}.add_tensor(make_tensor_arg(orch._worker, {}[{}]), TensorArgType.INOUT)", d.args, order_key_, d.rank);
}

// The caller's arguments fill the callee's parameters in order; contexts are the last of both, and Out parameters
// before them may be left to the dispatch. The directions of the parameters count where the call has none of its own.
std::vector<HostEmitter::DispatchArg> HostEmitter::arguments(const Call* call, const Function* callee) const {
  std::vector<DispatchArg> out;
  const List<int32_t> directions = directions_of(call);
  size_t contexts = 0;
  for (const Expr* arg : call->args) contexts += is_context(arg->type) ? size_t{1} : 0;
  size_t plain = call->args.size() - contexts;
  size_t next = 0;
  size_t next_context = plain;
  for (size_t i = 0; i < callee->params.size(); ++i) {
    bool context = is_context(callee->params[i]->type);
    size_t& at = context ? next_context : next;
    size_t end = context ? call->args.size() : plain;
    const bool given = at < end && at < directions.size();
    out.push_back({at < end ? call->args[at] : nullptr, i,
                   given ? tag_of(static_cast<ArgDirection>(directions[at])) : tag_of(callee->param_directions[i])});
    ++at;
  }
  return out;
}

HostValue HostEmitter::tensor_argument(Dispatch& d, const DispatchArg& arg, const Function* callee, const Call* call) {
  const Var* param = callee->params[arg.param];
  if (arg.value != nullptr && is_distributed(arg.value->type)) {
    if (is_host_sub_worker(callee))
      diags_.report(diag::codes::sub_worker_window, place_of(arg.value), param->name_hint, callee->name);
    else
      add_window(d, arg.value, window_view(as_tensor(arg.value->type), as_tensor(param->type)), arg.tag);
    return handle_value(arg.value);
  }
  HostValue value;
  if (arg.value != nullptr) {
    value = tensor_value(arg.value);
    for (int root : roots_.of(function_).of(arg.value)) {
      used_roots_.insert(root);
      if (callee->param_directions[arg.param] != ParamDirection::In) written_roots_.insert(root);
    }
  } else {
    value.kind = HostValue::Kind::Tensor;
    value.text = allocated(param->name_hint, as_tensor(param->type), nullptr, call);
  }
  const TensorType* type = as_tensor(arg.value != nullptr ? arg.value->type : param->type);
  std::string dtype = runtime_dtype_text(type->dtype, call);
  std::string text = value.text;
  if (type->dtype == DType::Bool || type->dtype == DType::UInt64) {
    views_ = true;  // make_tensor_arg() knows neither
    text += type->dtype == DType::Bool ? ".view(torch.uint8)" : ".view(torch.int64)";
  }
  if (value.packed) {
    out_.line("{}.add_tensor(make_tensor_arg(orch._worker, {}), TensorArgType.{})", d.args, text, arg.tag);
  } else {
    strided_ = true;
    if (value.gaps && !is_host_sub_worker(callee))
      diags_.report(diag::codes::host_slice_with_gaps, place_of(call), describe(arg.value));
    out_.line("{}.add_tensor(_strided_arg(orch._worker, {}, {}), TensorArgType.{})", d.args, text, dtype, arg.tag);
  }
  return value;
}

void HostEmitter::function_dispatch(const Call* call, const Function* callee, const Var* result) {
  Dispatch d = begin_dispatch(call);
  std::vector<DispatchArg> args = arguments(call, callee);
  std::vector<HostValue> by_param(callee->params.size());
  size_t tensors = 0;
  for (const DispatchArg& arg : args) {
    if (as_tensor(callee->params[arg.param]->type) == nullptr) continue;
    by_param[arg.param] = tensor_argument(d, arg, callee, call);
    ++tensors;
  }
  add_order_token(d);
  size_t scalars = 0;
  for (const DispatchArg& arg : args) {
    const Var* param = callee->params[arg.param];
    if (as_scalar(param->type) == nullptr || arg.value == nullptr) continue;
    out_.line("{}.add_scalar({})", d.args, scalars_.bits(dtype_of(param), arg.value));
    ++scalars;
  }
  for (const DispatchArg& arg : args) {
    if (!is_context(callee->params[arg.param]->type) || arg.value == nullptr) continue;
    HostValue context = handle_value(arg.value);
    if (context.slot == nullptr || d.rank.empty()) {
      missing(arg.value);
      continue;
    }
    out_.line("{}.add_scalar({}[{}].device_ctx)", d.args, context.slot->domain, d.rank);
    ++scalars;
  }
  if (tensors + (d.has_window ? 1 : 0) > kMaxTensors || scalars > kMaxScalars)
    diags_.report(diag::codes::dispatch_too_large, place_of(call), callee->name, static_cast<int64_t>(tensors),
                  static_cast<int64_t>(scalars));
  out_.line("_keep.append({})", d.args);
  if (is_host_sub_worker(callee)) {
    out_.line("orch.submit_sub(sub_ids[{}], {})", python_string_literal(host_names_.sub_worker(callee)), d.args);
  } else {
    if (d.rank.empty() && turns_.empty()) turns_ = fresh("turns");
    std::string worker = d.rank.empty() ? fmt::format("next({}) % world_size", turns_) : d.rank;
    out_.line("orch.submit_next_level(callables[{}], {}, config, worker={})",
              python_string_literal(host_names_.chip(callee)), d.args, worker);
  }
  bind_results(call, callee, result, by_param);
}

void HostEmitter::builtin_dispatch(const Call* call, const CollectiveInfo& info, const Var* result) {
  std::optional<CollectiveVariant> variant = variant_of(call);
  if (!variant || call->args.size() < info.operand_count) {
    diags_.report(diag::codes::host_operator_without_emission, place_of(call), call->op->name, function_->name);
    return;
  }
  if (std::find(unit_.builtins.begin(), unit_.builtins.end(), *variant) == unit_.builtins.end())
    unit_.builtins.push_back(*variant);
  Dispatch d = begin_dispatch(call);
  const List<int32_t> given = directions_of(call);
  for (size_t i = 0; i < info.operand_count; ++i) {
    ArgDirection direction = i < given.size() ? static_cast<ArgDirection>(given[i]) : info.directions[i];
    const TensorType* type = as_tensor(call->args[i]->type);
    if (type == nullptr)
      missing(call->args[i]);
    else
      add_window(d, call->args[i], type, tag_of(direction));
  }
  add_order_token(d);
  const HostSlot* slot = window_slot(call->args[info.signal_operand]);
  if (slot != nullptr) out_.line("{}.add_scalar({}[{}].device_ctx)", d.args, slot->domain, d.rank);
  if (info.has_core_num) {
    const AttrValue* width = find_attr(call->kwargs, "core_num");
    if (width == nullptr) width = find_attr(call->attrs, "core_num");
    std::string text = "1";
    if (call->args.size() > info.operand_count && !is_context(call->args[info.operand_count]->type))
      text = scalars_.bits(DType::Int64, call->args[info.operand_count]);
    else if (width != nullptr && width->kind() == AttrKind::Int)
      text = fmt::format("{}", width->as_int());
    else if (width != nullptr && width->kind() == AttrKind::Expr)
      text = scalars_.bits(DType::Int64, width->as_expr());
    out_.line("{}.add_scalar({})", d.args, text);
  }
  std::string config = fresh(d.args + "_config");
  out_.line("{} = CallConfig()", config);
  out_.line("{}.aicpu_thread_num = config.aicpu_thread_num", config);
  out_.line("_keep.append({})", d.args);
  out_.line("orch.submit_next_level(callables[{}], {}, {}, worker={})", python_string_literal(builtin_name(*variant)),
            d.args, config, d.rank);
  if (result != nullptr) bind(result, handle_value(call->args[info.data_operand]));
}

// A result is the argument that the callee hands back; a SubWorker, whose body is Python, hands back what it writes.
void HostEmitter::bind_results(const Call* call, const Function* callee, const Var* result,
                               const std::vector<HostValue>& by_param) {
  if (result == nullptr) return;
  std::vector<std::optional<int>> returned;
  if (is_host_sub_worker(callee)) {
    for (size_t i = 0; i < callee->params.size(); ++i)
      if (callee->param_directions[i] != ParamDirection::In) returned.emplace_back(static_cast<int>(i));
  } else {
    returned = roots_.of(callee).returned_params();
  }
  auto element = [&](size_t k) {
    bool known = k < returned.size() && returned[k].has_value();
    return known ? by_param[static_cast<size_t>(*returned[k])] : HostValue();
  };
  const TupleType* tuple = as_tuple(call->type);
  if (tuple == nullptr) return bind(result, element(0));
  std::vector<HostValue> elements;
  for (size_t k = 0; k < tuple->types.size(); ++k) elements.push_back(element(k));
  tuples_[result] = std::move(elements);
}

}  // namespace pyptoc::codegen
