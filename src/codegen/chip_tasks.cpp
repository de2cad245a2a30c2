// SPDX-License-Identifier: Apache-2.0
// Tasks: arguments, dependencies, launch spec, submit, results.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/chip_emitter.h"
#include "codegen/dtype_cpp.h"
#include "diag/codes_emit.h"
#include "ir/op_table.h"

namespace pyptoc::codegen {

using namespace ir;

namespace {

constexpr size_t kMaxTensors = 32;  // of one task; runtime-contract.md
constexpr size_t kMaxScalars = 16;

bool is_tensor_arg(const LaunchArg& arg) {
  return arg.value == nullptr || as_tensor(arg.value->type) != nullptr;
}

const char* add_function(ArgDirection direction) {
  switch (direction) {
    case ArgDirection::Input:
      return "add_input";
    case ArgDirection::InOut:
      return "add_inout";
    case ArgDirection::NoDep:
      return "add_no_dep";
    default:
      return "add_output";
  }
}

Signature signature_of(ArgDirection direction) {
  switch (direction) {
    case ArgDirection::Input:
      return Signature::In;
    case ArgDirection::InOut:
    case ArgDirection::NoDep:
      return Signature::InOut;
    default:
      return Signature::Out;
  }
}

}  // namespace

void ChipEmitter::task(const Expr* call, const Var* result) {
  std::optional<Launch> launch = resolve_launch(program_, call);
  if (!launch) {
    diags_.report(diag::codes::call_without_emission, place_of(call), call_view(call)->op->name, function_->name);
    return;
  }
  check_limits(*launch, call);
  if (launch->unlike != nullptr)
    diags_.report(diag::codes::group_kernels_differ, place_of(call), launch->unlike->name, launch->callee->name);
  std::string args = fresh(fmt::format("args{}", tasks_));
  std::string outs = fresh(fmt::format("outs{}", tasks_));
  ++tasks_;
  std::vector<std::string> infos = runtime_outputs(*launch, call, args);
  out_.line(fmt::format("CoreTaskArgs {};", args));
  task_arguments(args, *launch, infos);
  task_dumps(args, *launch, call);
  task_dependencies(args, call, kept_tensors(*launch));
  task_launch_spec(args, *launch, call);
  if (scope_depth_ <= lasting_depth_) lasting_.insert(call);
  std::string text = submit_text(*launch, args);
  LineBuffer::Decl decl = out_.declare_prefix(fmt::format("TaskOutputTensors {} = ", outs), text);
  bind_results(call, result, *launch, outs, decl);
}

void ChipEmitter::check_limits(const Launch& launch, const Expr* call) {
  size_t tensors = static_cast<size_t>(std::count_if(launch.args.begin(), launch.args.end(), is_tensor_arg));
  size_t scalars = launch.args.size() - tensors;
  if (tensors > kMaxTensors)
    diags_.report(diag::codes::too_many_task_tensors, place_of(call), launch.callee->name,
                  static_cast<int64_t>(tensors));
  if (scalars > kMaxScalars)
    diags_.report(diag::codes::too_many_task_scalars, place_of(call), launch.callee->name,
                  static_cast<int64_t>(scalars));
}

// One TensorCreateInfo for each Out parameter that the call leaves to the runtime, in order of parameters.
std::vector<std::string> ChipEmitter::runtime_outputs(const Launch& launch, const Expr* call, const std::string& args) {
  std::vector<std::string> infos;
  const TupleType* results = as_tuple(call->type);
  const auto& returned = roots_.returned_params(launch.callee);
  for (const LaunchArg& arg : launch.args) {
    if (arg.value != nullptr) continue;
    const Type* type = arg.param != nullptr ? arg.param->type : nullptr;
    for (size_t k = 0; k < returned.size(); ++k)
      if (returned[k] == arg.outer)
        type = results != nullptr && k < results->types.size() ? results->types[k] : call->type;
    const TensorType* tensor = type != nullptr ? as_tensor(type) : nullptr;
    std::optional<std::string_view> dtype = tensor != nullptr ? runtime_dtype(tensor->dtype) : std::nullopt;
    if (!dtype) {
      diags_.report(diag::codes::no_runtime_dtype, place_of(call), tensor != nullptr ? name_of(tensor->dtype) : "?");
      dtype = "FLOAT32";
    }
    std::string shape = fresh(fmt::format("{}_out{}_shape", args, infos.size()));
    std::string list_text = tensor != nullptr ? extents(tensor->shape) : "1";
    out_.line(fmt::format("const uint32_t {}[] = {{{}}};", shape, list_text));
    std::string info = fresh(fmt::format("{}_out{}", args, infos.size()));
    out_.line(fmt::format("const TensorCreateInfo {}({}, {}, DataType::{});", info, shape,
                          tensor != nullptr ? tensor->shape.size() : 1, *dtype));
    infos.push_back(info);
  }
  return infos;
}

// Tensors in the kernel's order, then scalars; the runtime takes lvalues only.
void ChipEmitter::task_arguments(const std::string& args, const Launch& launch, const std::vector<std::string>& infos) {
  size_t made = 0;
  for (const LaunchArg& arg : launch.args) {
    if (!is_tensor_arg(arg)) continue;
    if (arg.value == nullptr) {
      out_.line(fmt::format("{}.add_output({});", args, infos[made++]));
      continue;
    }
    std::string text = text_of(arg.value);
    out_.line(fmt::format("{}.{}({});", args, add_function(arg.direction), text));
  }
  size_t count = 0;
  for (const LaunchArg& arg : launch.args) {
    if (is_tensor_arg(arg)) continue;
    if (arg.value->type->kind == TypeKind::CommCtxType) {
      std::string text = text_of(arg.value);
      out_.line(fmt::format("{}.add_scalar({});", args, text));
      continue;
    }
    DType dtype =
        arg.param != nullptr && as_scalar(arg.param->type) != nullptr ? dtype_of(arg.param) : dtype_of(arg.value);
    bool lvalue =
        value_of(arg.value) != nullptr && orchestration_type(dtype) == orchestration_type(dtype_of(arg.value));
    std::string text = scalar_as(dtype, arg.value);
    if (!lvalue) {
      std::optional<std::string_view> type = orchestration_type(dtype);
      if (!type) diags_.report(diag::codes::orchestration_scalar_type, place_of(arg.value), name_of(dtype));
      std::string name = fresh(fmt::format("{}_scalar{}", args, count));
      out_.line(fmt::format("const {} {} = {};", type.value_or("int64_t"), name, text));
      text = name;
    }
    ++count;
    out_.line(fmt::format("{}.add_scalar({});", args, text));
  }
}

// Arguments whose content the runtime dumps, as the user asked.
void ChipEmitter::task_dumps(const std::string& args, const Launch& launch, const Expr* call) {
  const AttrValue* dumps = find_attr(call_view(call)->attrs, "dump_vars");
  if (dumps == nullptr || dumps->kind() != AttrKind::VarList) return;
  for (const Var* var : dumps->as_vars()) {
    const Value* value = var != nullptr ? value_of(var) : nullptr;
    if (value == nullptr) continue;
    std::string text = value->text;
    bool is_argument = std::any_of(launch.args.begin(), launch.args.end(), [&](const LaunchArg& arg) {
      const Value* own = arg.value != nullptr && is_tensor_arg(arg) ? value_of(arg.value) : nullptr;
      return own != nullptr && own->text == text;
    });
    if (is_argument) out_.line(fmt::format("{}.dump({});", args, text));
  }
}

// In a manual scope the runtime does not tie a task to what made its buffers either, and would reuse their memory while
// the task runs: the arguments whose makers the task has to name.
std::vector<std::string> ChipEmitter::kept_tensors(const Launch& launch) {
  std::vector<std::string> out;
  if (manual_scopes_ == 0) return out;
  const passes::FunctionRoots& roots = roots_.of(function_);
  for (const LaunchArg& arg : launch.args) {
    if (!is_tensor_arg(arg) || arg.value == nullptr) continue;
    List<int> found = roots.of(arg.value);
    const bool lasts = !found.empty() && std::all_of(found.begin(), found.end(), [&](int r) {
      const passes::Root& root = roots.root(r);
      return root.kind == passes::Root::Kind::Param || lasting_.contains(root.node);
    });
    if (lasts) continue;
    std::string text = text_of(arg.value);
    if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(std::move(text));
  }
  keeps_ |= !out.empty();
  return out;
}

// The user's and the compiler's dependencies, each once, in one stack array that outlives the submit.
void ChipEmitter::task_dependencies(const std::string& args, const Expr* call, const std::vector<std::string>& kept) {
  std::vector<const Expr*> deps;
  if (const Submit* submit = ir::as<Submit>(call)) deps.assign(submit->deps.begin(), submit->deps.end());
  for (const char* key : {"manual_dep_edges", "compiler_manual_dep_edges"}) {
    const AttrValue* edges = find_attr(call_view(call)->attrs, key);
    if (edges == nullptr || edges->kind() != AttrKind::VarList) continue;
    for (const Var* var : edges->as_vars())
      if (var != nullptr) deps.push_back(var);
  }
  std::vector<std::pair<std::string, const Value*>> ids;
  int64_t capacity = 0;
  for (const Expr* dep : deps) {
    const Call* direct = ir::as<Call>(dep);
    if (direct != nullptr && direct->op->id == OpId::SystemTaskInvalid) continue;
    std::string text = text_of(dep);
    const Value* value = value_of(dep);
    PYPTOC_ASSERT(ir::as_tensor(dep->type) == nullptr, "a tensor in the place of a task's id");
    bool known = std::any_of(ids.begin(), ids.end(), [&](const auto& id) { return id.first == text; });
    if (known || value == nullptr) continue;
    ids.push_back({text, value});
    capacity += std::max<int64_t>(value->array_size, 1);
  }
  capacity += static_cast<int64_t>(kept.size());
  if (capacity == 0) return;
  std::string array = fresh(args + "_deps");
  std::string count = fresh(args + "_ndeps");
  out_.line(fmt::format("PTO2TaskId {}[{}];", array, capacity));
  out_.line(fmt::format("uint32_t {} = 0;", count));
  for (const auto& [text, value] : ids) {
    if (value->array_size > 0) {
      std::string slot = fresh("slot");
      out_.open(fmt::format("for (uint32_t {0} = 0; {0} < {1}; ++{0}) {{", slot, value->array_size));
      out_.line(fmt::format("if ({0}[{1}].is_valid()) {2}[{3}++] = {0}[{1}];", text, slot, array, count));
      out_.close("}");
    } else if (value->valid_id) {
      out_.line(fmt::format("{}[{}++] = {};", array, count, text));
    } else {
      out_.line(fmt::format("if ({0}.is_valid()) {1}[{2}++] = {0};", text, array, count));
    }
  }
  for (const std::string& tensor : kept) out_.line(fmt::format("keep_alive({}, {}, {});", tensor, array, count));
  out_.line(fmt::format("{}.set_dependencies({}, {});", args, array, count));
}

void ChipEmitter::task_launch_spec(const std::string& args, const Launch& launch, const Expr* call) {
  List<Attr> attrs = call_view(call)->attrs;
  std::optional<int64_t> fixed = launch.width != nullptr ? const_int(launch.width) : std::nullopt;
  const AttrValue* width = find_attr(attrs, "core_num");
  if (launch.width == nullptr && width != nullptr && width->kind() == AttrKind::Int) fixed = width->as_int();
  int cores = launch.is_group || launch.aic != nullptr ? target_.aic_cores : target_.aiv_cores;
  if (fixed && (*fixed < 1 || *fixed > INT16_MAX))
    diags_.report(diag::codes::launch_width_range, place_of(call), launch.callee->name, *fixed);
  if (fixed && launch.sync_start && *fixed > 1 && *fixed > cores)
    diags_.report(diag::codes::sync_start_too_wide, place_of(call), launch.callee->name, *fixed, cores, target_.name);
  if (fixed && *fixed != 1) {
    out_.line(fmt::format("{}.launch_spec.{}({});", args, target_.set_width, *fixed));
  } else if (launch.width != nullptr && !fixed) {
    std::string text = scalar(launch.width);
    out_.line(fmt::format("{}.launch_spec.{}(static_cast<int16_t>({}));", args, target_.set_width, text));
  }
  if (launch.sync_start) out_.line(fmt::format("{}.launch_spec.set_require_sync_start(true);", args));
  const Submit* submit = ir::as<Submit>(call);
  bool early = (submit != nullptr && submit->allow_early_resolve) || bool_attr(attrs, "allow_early_resolve", false);
  if (early) out_.line(fmt::format("{}.set_allow_early_resolve(true);", args));
  const AttrValue* predicate = find_attr(attrs, "predicate");
  if (submit != nullptr && submit->predicate != nullptr)
    task_predicate(args, submit->predicate);
  else if (predicate != nullptr && predicate->kind() == AttrKind::Expr && predicate->as_expr() != nullptr)
    task_predicate(args, predicate->as_expr());
}

// One comparison of an element of a signed integer tensor, at constant indices, with a constant; either way round.
void ChipEmitter::task_predicate(const std::string& args, const Expr* predicate) {
  const BinaryExpr* test = ir::as<BinaryExpr>(predicate);
  bool swapped = test != nullptr && const_int(test->left).has_value();
  const Call* element = test != nullptr ? ir::as<Call>(swapped ? test->right : test->left) : nullptr;
  std::optional<int64_t> bound = test != nullptr ? const_int(swapped ? test->left : test->right) : std::nullopt;
  const MakeTuple* indices =
      element != nullptr && element->args.size() > 1 ? ir::as<MakeTuple>(element->args[1]) : nullptr;
  bool fits = test != nullptr && is_comparison(test->kind) && element != nullptr && bound &&
              element->op->id == OpId::TensorRead && indices != nullptr && indices->elements.size() <= 5 &&
              is_signed_int(dtype_of(element)) &&
              std::all_of(indices->elements.begin(), indices->elements.end(),
                          [](const Expr* e) { return const_int(e).has_value(); });
  if (!fits) {
    diags_.report(diag::codes::predicate_form, place_of(predicate));
    return;
  }
  NodeKind kind = test->kind;
  if (swapped) {
    kind = kind == NodeKind::Lt   ? NodeKind::Gt
           : kind == NodeKind::Le ? NodeKind::Ge
           : kind == NodeKind::Gt ? NodeKind::Lt
           : kind == NodeKind::Ge ? NodeKind::Le
                                  : kind;
  }
  std::string op(name_of(kind));
  std::transform(op.begin(), op.end(), op.begin(),
                 [](char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c); });
  std::string name = fresh(args + "_predicate");
  out_.line(fmt::format("CoreTaskPredicate {};", name));
  std::string tensor = text_of(element->args[0]);
  out_.line(fmt::format("{}.operand.tensor = &{};", name, tensor));
  out_.line(fmt::format("{}.operand.ndims = {};", name, indices->elements.size()));
  for (size_t i = 0; i < indices->elements.size(); ++i)
    out_.line(fmt::format("{}.operand.indices[{}] = {};", name, i, *const_int(indices->elements[i])));
  out_.line(fmt::format("{}.op = PredicateOp::{};", name, op));
  out_.line(fmt::format("{}.target = {};", name, ScalarCpp::integer(*bound, DType::Int64)));
  out_.line(fmt::format("{}.set_predicate({});", args, name));
}

int ChipEmitter::kernel_id(const Function* kernel, const Launch& launch) {
  for (size_t i = 0; i < unit_.kernels.size(); ++i)
    if (unit_.kernels[i].function == kernel) return static_cast<int>(i);
  Kernel entry;
  entry.function = kernel;
  entry.is_cube = kernel->func_type == FunctionType::Aic;
  for (const LaunchArg& arg : launch.args)
    if (is_tensor_arg(arg)) entry.signature.push_back(signature_of(arg.direction));
  unit_.kernels.push_back(std::move(entry));
  return static_cast<int>(unit_.kernels.size()) - 1;
}

std::string ChipEmitter::submit_text(const Launch& launch, const std::string& args) {
  // The cube kernel of a group gets its number first.
  std::string aic = launch.aic != nullptr ? fmt::format("{}", kernel_id(launch.aic, launch)) : "INVALID_KERNEL_ID";
  std::string aiv = launch.aiv != nullptr ? fmt::format("{}", kernel_id(launch.aiv, launch)) : "INVALID_KERNEL_ID";
  if (!launch.is_group)
    return launch.aic != nullptr ? fmt::format("rt_submit_aic_task({}, {});", aic, args)
                                 : fmt::format("rt_submit_aiv_task({}, {});", aiv, args);
  bool lanes = launch.aiv != nullptr && (launch.both_lanes || launch.aic == nullptr);
  return fmt::format("rt_submit_task(MixedKernels{{{}, {}, {}}}, {});", aic, aiv, lanes ? aiv : "INVALID_KERNEL_ID",
                     args);
}

void ChipEmitter::bind_results(const Expr* call, const Var* result, const Launch& launch, const std::string& outs,
                               LineBuffer::Decl outs_decl) {
  if (result == nullptr) return;
  const auto& returned = roots_.returned_params(launch.callee);
  const TupleType* tuple = as_tuple(call->type);
  bool fatal_checked = false;
  auto element = [&](size_t k, const Type* type) -> Value {
    if (is_scalar_of(type, DType::TaskId)) {
      out_.use(outs_decl);
      std::string name = fresh(fmt::format("{}_id", outs));
      Value id = declared(name, fmt::format("const PTO2TaskId {} = {}.task_id();", name, outs));
      id.valid_id = true;
      return id;
    }
    if (k >= returned.size() || !returned[k]) return {};
    size_t position = 0;  // among the runtime's outputs
    for (const LaunchArg& arg : launch.args) {
      if (arg.outer == *returned[k] && arg.value != nullptr) {
        const Value* value = value_of(arg.value);
        return value != nullptr ? *value : Value{};
      }
      if (arg.outer == *returned[k]) {
        if (!fatal_checked) out_.line("if (rt_is_fatal()) return;");
        fatal_checked = true;
        out_.use(outs_decl);
        std::string name = fresh(fmt::format("{}_{}", result->name_hint, position));
        return declared(name, fmt::format("const ChipTensor &{} = {}.get_ref({});", name, outs, position));
      }
      position += arg.value == nullptr ? 1 : 0;
    }
    return {};
  };
  if (tuple == nullptr) {
    Value value = element(0, call->type);
    if (!value.text.empty()) alias(result, value);
    return;
  }
  std::vector<Value> elements;
  for (size_t k = 0; k < tuple->types.size(); ++k) elements.push_back(element(k, tuple->types[k]));
  bind_tuple(result, std::move(elements));
}

void ChipEmitter::dummy_task(const Expr* call, const Var* result) {
  std::string args = fresh(fmt::format("args{}", tasks_));
  std::string outs = fresh(fmt::format("outs{}", tasks_));
  ++tasks_;
  out_.line(fmt::format("CoreTaskArgs {};", args));
  task_dependencies(args, call, {});
  LineBuffer::Decl decl =
      out_.declare_prefix(fmt::format("TaskOutputTensors {} = ", outs), fmt::format("rt_submit_dummy_task({});", args));
  if (result == nullptr) return;
  out_.use(decl);
  std::string name = fresh(fmt::format("{}_id", outs));
  Value id = declared(name, fmt::format("const PTO2TaskId {} = {}.task_id();", name, outs));
  id.valid_id = true;
  if (as_tuple(result->type) != nullptr)
    bind_tuple(result, {id});
  else
    alias(result, id);
}

}  // namespace pyptoc::codegen
