// SPDX-License-Identifier: Apache-2.0
// The module around the statements, the values that are there from the beginning, and the names of values.
#include "codegen/host_emitter.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/dtype_cpp.h"
#include "codegen/host_names.h"
#include "diag/codes_emit.h"
#include "diag/codes_host.h"
#include "ir/depth_guard.h"
#include "ir/op_rules.h"
#include "ir/op_table.h"
#include "passes/linear_extent.h"
#include "support/literals.h"

namespace pyptoc::codegen {

using namespace ir;
using support::python_string_literal;

namespace {

std::string tensor_key(std::string_view name) {
  return fmt::format("tensors[{}]", python_string_literal(name));
}

}  // namespace

HostEmitter::HostEmitter(const Program* program, const Function* function, const HostNames& host_names,
                         diag::Engine& diags)
    : program_(program),
      function_(function),
      host_names_(host_names),
      diags_(diags),
      names_(host_module_names()),
      keys_(support::NameRules{}),
      scalars_([this](const Expr* e) { return leaf(e); }, diags),
      roots_(program) {}

HostUnit HostEmitter::run() {
  entry_ = fresh(function_->name);
  check_parameters();
  collect_definitions(function_->body);
  statement(function_->body);
  for (const Copy& copy : copies_)
    if (copy.repeats) check_copy(copy.call);
  unit_.source = module_text(out_.take());
  return std::move(unit_);
}

void HostEmitter::check_parameters() {
  std::set<std::string_view> seen;
  for (const Var* param : function_->params) {
    if (!seen.insert(param->name_hint).second)
      diags_.report(diag::codes::host_parameter_twice, place_of(param), param->name_hint, function_->name);
    keys_.reserve(param->name_hint);
    if (as_tensor(param->type) != nullptr) {
      HostValue value;
      value.kind = HostValue::Kind::Tensor;
      value.text = tensor_key(param->name_hint);
      bind(param, std::move(value));
    }
  }
}

// What _alloc_intermediates and the sizes of windows may use although the body computes it: scalars of straight-line
// code, which depend on the arguments only.
void HostEmitter::collect_definitions(const Stmt* s) {
  if (const SeqStmts* seq = ir::as<SeqStmts>(s)) {
    for (const Stmt* inner : seq->stmts) collect_definitions(inner);
  } else if (const CommDomainScopeStmt* scope = ir::as<CommDomainScopeStmt>(s)) {
    collect_definitions(scope->body);
  } else if (const AssignStmt* a = ir::as<AssignStmt>(s); a != nullptr && as_scalar(a->var->type) != nullptr) {
    const Call* call = ir::as<Call>(a->value);
    if (call == nullptr || !call->op->is_global_var) definitions_[a->var] = a->value;
  }
}

std::string HostEmitter::fresh_key(std::string_view wanted) {
  return tensor_key(keys_.fresh(wanted));
}

std::string HostEmitter::missing(const Expr* e) {
  const Var* var = ir::as<Var>(e);
  diags_.report(in_alloc_ ? diag::codes::host_value_too_early : diag::codes::host_value_without_emission, place_of(e),
                var != nullptr ? var->name_hint : name_of(e->kind), function_->name);
  return "0";
}

const HostValue* HostEmitter::value_of(const Expr* e) const {
  if (const TupleGetItemExpr* get = ir::as<TupleGetItemExpr>(e)) {
    size_t index = static_cast<size_t>(get->index);
    if (const MakeTuple* made = ir::as<MakeTuple>(get->tuple))
      return index < made->elements.size() ? value_of(made->elements[index]) : nullptr;
    const std::vector<HostValue>* elements = tuples_.find(get->tuple);
    return elements != nullptr && index < elements->size() ? &(*elements)[index] : nullptr;
  }
  return values_.find(e);
}

bool HostEmitter::is_parameter(const Expr* e) const {
  return std::find(function_->params.begin(), function_->params.end(), e) != function_->params.end();
}

std::string HostEmitter::leaf(const Expr* e) {
  if (const Call* call = ir::as<Call>(e)) {
    if (call->op->id == OpId::PldSystemWorldSize) return "world_size";
    const TensorType* type =
        call->op->id == OpId::TensorDim && call->args.size() == 2 ? as_tensor(call->args[0]->type) : nullptr;
    std::optional<int64_t> axis = type != nullptr ? const_int(call->args[1]) : std::nullopt;
    int64_t rank = type != nullptr ? static_cast<int64_t>(type->shape.size()) : 0;
    if (axis && *axis < 0) *axis += rank;
    if (axis && *axis >= 0 && *axis < rank && in_check_ && is_parameter(call->args[0]))
      return actual_extent(ir::as<Var>(call->args[0]), static_cast<size_t>(*axis));
    if (axis && *axis >= 0 && *axis < rank) return scalars_.primary(type->shape[static_cast<size_t>(*axis)]);
    diags_.report(diag::codes::host_operator_without_emission, place_of(e), call->op->name, function_->name);
    return "0";
  }
  const HostValue* value = in_alloc_ ? nullptr : value_of(e);
  if (value != nullptr && value->kind == HostValue::Kind::Scalar) return value->text;
  std::string text = is_var(e->kind) ? early_value(ir::as<Var>(e)) : "";
  return text.empty() ? missing(e) : text;
}

// A value that the arguments decide: a line at the top of the Python function under way gives it. Empty: it is none.
std::string HostEmitter::early_value(const Var* var) {
  const Frame& frame = in_alloc_ ? alloc_frame_ : body_frame_;
  if (const std::string* known = frame.known.find(var)) return *known;
  for (const Var* param : function_->params) {
    if (param != var || as_scalar(param->type) == nullptr) continue;
    DType dtype = dtype_of(param);
    plain_ = true;
    const std::string plain = fmt::format("_plain({})", tensor_key(param->name_hint));
    if (dtype == DType::Fp32) return early_line(var, scalars_.f32(plain));  // Python's 0.1 is none
    const char* convert = dtype == DType::Bool ? "bool" : is_float(dtype) ? "float" : "int";
    return early_line(var, fmt::format("{}({})", convert, plain));
  }
  std::string extent = dynamic_extent(var);
  if (!extent.empty()) return extent;
  const Expr* const* definition = definitions_.find(var);
  if (definition == nullptr) return "";
  DepthGuard guard(early_depth_);
  std::string init = scalar(*definition);
  return early_line(var, init);
}

std::string HostEmitter::early_line(const Var* var, std::string_view init) {
  std::string& name = early_names_[var];
  const HostValue* in_body = values_.find(var);
  if (name.empty()) name = in_body != nullptr ? in_body->text : fresh(var->name_hint);
  Frame& frame = in_alloc_ ? alloc_frame_ : body_frame_;
  frame.lines.push_back(fmt::format("{} = {}", name, init));
  frame.known[var] = name;
  return name;
}

// Read off the first parameter that has the symbol as an extent, or in one that determines it.
std::string HostEmitter::dynamic_extent(const Var* symbol) {
  std::optional<passes::BindingExtent> binding = passes::binding_extent(function_, symbol);
  if (!binding) return "";
  std::string extent = actual_extent(binding->param, binding->axis);
  int64_t offset = binding->form.offset;
  if (offset != 0) extent = fmt::format("{} {} {}", extent, offset > 0 ? "-" : "+", offset > 0 ? offset : -offset);
  if (binding->form.factor == 1) return early_line(symbol, extent);
  Frame& frame = in_alloc_ ? alloc_frame_ : body_frame_;
  std::string rest = fresh("rest");
  std::string name = early_line(symbol, "");
  frame.lines.back() = fmt::format("{}, {} = divmod({}, {})", name, rest, extent, binding->form.factor);
  std::string text = fmt::format("extent {} of `{}` is {{}}, which has no whole number for `{}`", binding->axis,
                                 binding->param->name_hint, symbol->name_hint);
  require_ = true;
  frame.lines.push_back(fmt::format("_require({} == 0, {}, {})", rest, python_string_literal(text),
                                    actual_extent(binding->param, binding->axis)));
  return name;
}

// What the caller passes, which a check compares with what the parameter's type says.
std::string HostEmitter::actual_extent(const Var* param, size_t axis) const {
  return fmt::format("int({}.shape[{}])", tensor_key(param->name_hint), axis);
}

HostValue HostEmitter::tensor_value(const Expr* e) {
  const HostValue* value = value_of(e);
  if (value != nullptr && value->kind == HostValue::Kind::Tensor) return *value;
  missing(e);
  HostValue none;
  none.kind = HostValue::Kind::Tensor;
  none.text = "None";
  return none;
}

const HostSlot* HostEmitter::window_slot(const Expr* e) {
  const TensorType* type = as_tensor(e->type);
  const WindowBuffer* window =
      type != nullptr && type->window_buffer != nullptr ? ir::as<WindowBuffer>(type->window_buffer) : nullptr;
  if (window != nullptr) {
    if (const HostSlot* const* slot = slots_.find(window)) return *slot;
    if (const HostSlot* const* slot = slots_.find(window->base)) return *slot;
  }
  const HostValue* value = value_of(e);
  return value != nullptr ? value->slot : nullptr;
}

HostValue HostEmitter::handle_value(const Expr* e) {
  HostValue out;
  const Call* call = ir::as<Call>(e);
  const Expr* window = call != nullptr && call->op->id == OpId::PldSystemGetCommCtx ? call->args[0] : e;
  out.slot = window_slot(window);
  if (out.slot != nullptr) out.kind = is_distributed(e->type) ? HostValue::Kind::Window : HostValue::Kind::Context;
  return out;
}

std::string HostEmitter::shape_text(List<const Expr*> shape) {
  std::string out = "(";
  for (size_t i = 0; i < shape.size(); ++i) out += (i > 0 ? ", " : "") + scalar(shape[i]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

std::string HostEmitter::runtime_dtype_text(DType dtype, const Node* at) {
  std::optional<std::string_view> name = runtime_dtype(dtype);
  if (!name) diags_.report(diag::codes::no_runtime_dtype, place_of(at), name_of(dtype));
  if (dtype == DType::Bool) name = "UINT8";  // the runtime's Python has no BOOL; both are a byte
  return fmt::format("DataType.{}", name.value_or("FLOAT32"));
}

HostUnit emit_host_unit(const Program* program, const Function* function, const HostNames& names, diag::Engine& diags) {
  return HostEmitter(program, function, names, diags).run();
}

}  // namespace pyptoc::codegen
