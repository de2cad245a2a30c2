// SPDX-License-Identifier: Apache-2.0
// The unit around the statements: parameters, dynamic extents, the prologue; and the names of values.
#include "codegen/chip_emitter.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/chip_names.h"
#include "codegen/dtype_cpp.h"
#include "diag/codes_emit.h"
#include "passes/derive_call_directions.h"

namespace pyptoc::codegen {

using namespace ir;

ChipEmitter::ChipEmitter(const Program* program, const Function* function, const passes::Target& target,
                         diag::Engine& diags)
    : program_(program),
      function_(function),
      target_(target),
      diags_(diags),
      names_(chip_unit_names()),
      scalars_([this](const Expr* e) { return leaf(e); }, diags),
      roots_(program),
      escapes_(function),
      id_arrays_(function) {
  unit_.function = function;
}

ChipUnit ChipEmitter::run() {
  out_.set_depth(1);
  parameters();
  List<const Stmt*> whole = statements_of(function_->body);
  const RuntimeScopeStmt* scope = whole.size() == 1 ? ir::as<RuntimeScopeStmt>(whole[0]) : nullptr;
  lasting_depth_ = scope != nullptr && !scope->manual ? 1 : 0;
  list(function_->body);
  unit_.source = unit_text(out_.finish());
  return std::move(unit_);
}

bool ChipEmitter::is_partial_output(size_t param) const {
  const AttrValue* list = find_attr(function_->attrs, passes::kPartialOutputs);
  if (list == nullptr || list->kind() != AttrKind::Int32Vector) return false;
  return std::find(list->as_ints().begin(), list->as_ints().end(), static_cast<int32_t>(param)) !=
         list->as_ints().end();
}

void ChipEmitter::parameters() {
  size_t tensors = 0;
  size_t scalars = 0;
  for (size_t i = 0; i < function_->params.size(); ++i) {
    const Var* param = function_->params[i];
    if (as_tensor(param->type) != nullptr) {
      std::string name = fresh(param->name_hint);
      bind(param, declared(name, fmt::format("const ChipTensor &{} = orch_args.tensor({}).ref();", name, tensors)));
      ++tensors;
      ParamDirection d = function_->param_directions[i];
      if (d == ParamDirection::Out && is_partial_output(i)) d = ParamDirection::InOut;
      unit_.signature.push_back(d == ParamDirection::In    ? Signature::In
                                : d == ParamDirection::Out ? Signature::Out
                                                           : Signature::InOut);
      continue;
    }
    bool context = param->type->kind == TypeKind::CommCtxType;
    std::optional<std::string_view> type =
        context ? std::optional<std::string_view>("uint64_t") : orchestration_type(dtype_of(param));
    if (!type || dtype_of(param) == DType::TaskId) {
      diags_.report(diag::codes::orchestration_scalar_type, place_of(param), name_of(dtype_of(param)));
      type = "int64_t";
    }
    std::string name = fresh(param->name_hint);
    bind(param,
         declared(name, fmt::format("const {0} {1} = from_u64<{0}>(orch_args.scalar({2}));", *type, name, scalars)));
    ++scalars;
  }
  tensors = 0;
  for (const Var* param : function_->params)
    if (as_tensor(param->type) != nullptr) dynamic_extents(param, tensors++);
}

// A symbol is read once, from the first parameter that has it as a bare extent.
void ChipEmitter::dynamic_extents(const Var* param, size_t tensor_index) {
  const TensorType* type = as_tensor(param->type);
  for (size_t axis = 0; axis < type->shape.size(); ++axis) {
    const Var* symbol = ir::as<Var>(type->shape[axis]);
    if (symbol == nullptr || values_.contains(symbol)) continue;
    std::string name = fresh(symbol->name_hint);
    bind(symbol,
         declared(name, fmt::format("const int64_t {} = static_cast<int64_t>(orch_args.tensor({}).ref().shapes[{}]);",
                                    name, tensor_index, axis)));
  }
}

Value ChipEmitter::declared(std::string text, std::string line) {
  Value value;
  value.text = std::move(text);
  value.decl = out_.declare(std::move(line));
  value.scope_depth = scope_depth_;
  return value;
}

void ChipEmitter::bind(const Var* var, Value value) {
  values_[var] = std::move(value);
}

// A value of the open scope goes to the variable that was declared before it.
Value ChipEmitter::kept(const Hoisted& hoisted, Value value) {
  if (value.text.empty() || value.scope_depth <= hoisted.depth) return value;
  if (value.array_size > 0 && value.array_size != hoisted.value.array_size) return value;
  out_.use(value.decl);
  if (value.array_size > 0) {
    fill_slots(hoisted.value, value.text, value.array_size);
    return hoisted.value;
  }
  out_.belongs_to(hoisted.value.decl, fmt::format("{} = {};", hoisted.value.text, value.text));
  return hoisted.value;
}

void ChipEmitter::alias(const Var* var, Value value) {
  const Hoisted* hoisted = hoisted_.find(var);
  bind(var, hoisted != nullptr ? kept(*hoisted, std::move(value)) : std::move(value));
}

void ChipEmitter::bind_tuple(const Var* var, std::vector<Value> elements) {
  if (const std::vector<Hoisted>* hoisted = hoisted_elements_.find(var))
    for (size_t i = 0; i < elements.size() && i < hoisted->size(); ++i)
      elements[i] = kept((*hoisted)[i], std::move(elements[i]));
  tuples_[var] = std::move(elements);
}

void ChipEmitter::define(const Var* var, std::string_view type, const std::string& init, std::string_view suffix) {
  if (const Hoisted* hoisted = hoisted_.find(var)) {
    out_.belongs_to(hoisted->value.decl, fmt::format("{} = {};", hoisted->value.text, init));
    bind(var, hoisted->value);
    return;
  }
  std::string name = fresh(var->name_hint);
  bind(var, declared(name, fmt::format("{} {}{} = {};", type, name, suffix, init)));
}

const Value* ChipEmitter::value_of(const Expr* e) {
  if (const TupleGetItemExpr* get = ir::as<TupleGetItemExpr>(e)) {
    size_t index = static_cast<size_t>(get->index);
    if (const MakeTuple* made = ir::as<MakeTuple>(get->tuple))
      return index < made->elements.size() ? value_of(made->elements[index]) : nullptr;
    const std::vector<Value>* elements = tuples_.find(get->tuple);
    return elements != nullptr && index < elements->size() ? &(*elements)[index] : nullptr;
  }
  return values_.find(e);
}

std::string ChipEmitter::text_of(const Expr* e) {
  const Value* value = value_of(e);
  if (value == nullptr || value->text.empty()) {
    const Var* var = ir::as<Var>(e);
    diags_.report(diag::codes::value_without_emission, place_of(e), var != nullptr ? var->name_hint : name_of(e->kind));
    return "0";
  }
  out_.use(value->decl);
  return value->text;
}

std::string ChipEmitter::leaf(const Expr* e) {
  if (const Call* call = ir::as<Call>(e)) {
    if (call->op->id == OpId::TensorDim) return dim(call);
    if (call->op->id == OpId::SystemTaskInvalid) return "PTO2TaskId::invalid()";
    if (call->op->id == OpId::SystemTaskIsValid && !call->args.empty()) {
      const Value* id = value_of(call->args[0]);
      return text_of(call->args[0]) + (id != nullptr && id->array_size > 0 ? "[0].is_valid()" : ".is_valid()");
    }
    if (call->op->id == OpId::SystemAvailableAivCount) return "rt_available_aiv_count()";
    if (call->op->id == OpId::SystemAvailableClusterCount) return "rt_available_cluster_count()";
    diags_.report(diag::codes::operator_without_emission, place_of(e), call->op->name, function_->name);
    return "0";
  }
  return text_of(e);
}

std::string ChipEmitter::extent(const Expr* e) {
  if (std::optional<int64_t> value = const_int(e)) return fmt::format("{}", *value);
  return fmt::format("static_cast<uint32_t>({})", scalar(e));
}

std::string ChipEmitter::extents(List<const Expr*> values) {
  std::string out;
  for (const Expr* e : values) out += (out.empty() ? "" : ", ") + extent(e);
  return out;
}

Value ChipEmitter::extent_array(std::string_view wanted, const std::string& values) {
  std::string name = fresh(wanted);
  return declared(name, fmt::format("const uint32_t {}[] = {{{}}};", name, values));
}

ChipUnit emit_chip_unit(const Program* program, const Function* function, const passes::Target& target,
                        diag::Engine& diags) {
  return ChipEmitter(program, function, target, diags).run();
}

std::string_view name_of(Signature signature) {
  return signature == Signature::In ? "IN" : signature == Signature::Out ? "OUT" : "INOUT";
}

}  // namespace pyptoc::codegen
