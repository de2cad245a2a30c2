// SPDX-License-Identifier: Apache-2.0
// Statements: control flow, carries and results, runtime scopes.
#include <fmt/format.h>

#include "codegen/chip_emitter.h"
#include "codegen/dtype_cpp.h"
#include "diag/codes_emit.h"
#include "ir/op_table.h"

namespace pyptoc::codegen {

using namespace ir;

namespace {

std::string cpp_type(const Type* type) {
  if (as_tensor(type) != nullptr) return "ChipTensor";
  if (type->kind == TypeKind::CommCtxType) return "uint64_t";
  if (const ArrayType* array = as_array(type)) return std::string(orchestration_type(array->dtype).value_or("int64_t"));
  const ScalarType* scalar = as_scalar(type);
  return std::string(scalar != nullptr ? orchestration_type(scalar->dtype).value_or("int64_t") : "int64_t");
}

}  // namespace

int64_t ChipEmitter::array_extent(const Var* var, const Type* type) const {
  if (const ArrayType* array = as_array(type)) return const_int(array->shape[0]).value_or(1);
  return var != nullptr ? id_arrays_.extent(var) : 0;
}

// A variable that a branch or a scope fills later.
std::string ChipEmitter::empty_variable(const Var* var, const Type* type, const std::string& name) const {
  std::string out = fmt::format("{} {}", cpp_type(type), name);
  if (as_tensor(type) != nullptr) return out + ";";
  if (int64_t extent = array_extent(var, type); extent > 0) return fmt::format("{}[{}];", out, extent);
  return out + (is_scalar_of(type, DType::TaskId) ? " = PTO2TaskId::invalid();" : "{};");
}

void ChipEmitter::list(const Stmt* body) {
  NodeSet defined;
  List<const Stmt*> all = statements_of(body);
  for (const Stmt* s : all)
    if (const AssignStmt* a = ir::as<AssignStmt>(s)) defined.insert(a->var);
  allocate(creates_of(body, defined));
  for (const Stmt* s : all) statement(s);
}

void ChipEmitter::statement(const Stmt* s) {
  switch (s->kind) {
    case NodeKind::SeqStmts:
      for (const Stmt* inner : ir::as<SeqStmts>(s)->stmts) statement(inner);
      return;
    case NodeKind::AssignStmt:
      return assign(ir::as<AssignStmt>(s));
    case NodeKind::EvalStmt: {
      const Expr* e = ir::as<EvalStmt>(s)->expr;
      std::optional<CallView> view = call_view(e);
      if (!view) return;  // a value without effect
      if (view->op->is_global_var) return task(e, nullptr);
      if (e->kind == NodeKind::Submit || view->op->id == OpId::SystemTaskDummy) return dummy_task(e, nullptr);
      if (run_time_check(ir::as<Call>(e))) return;
      if (!operator_value(nullptr, ir::as<Call>(e)))
        diags_.report(diag::codes::operator_without_emission, place_of(e), view->op->name, function_->name);
      return;
    }
    case NodeKind::ForStmt:
      return for_loop(ir::as<ForStmt>(s));
    case NodeKind::WhileStmt:
      return while_loop(ir::as<WhileStmt>(s));
    case NodeKind::IfStmt:
      return branch(ir::as<IfStmt>(s));
    case NodeKind::YieldStmt:
      return yield(ir::as<YieldStmt>(s));
    case NodeKind::RuntimeScopeStmt:
      return runtime_scope(ir::as<RuntimeScopeStmt>(s));
    case NodeKind::ReturnStmt:
      return;  // results are parameters or nothing that the caller sees
    default:
      diags_.report(diag::codes::statement_without_emission, place_of(s), name_of(s->kind), function_->name);
  }
}

void ChipEmitter::assign(const AssignStmt* s) {
  const Expr* e = s->value;
  if (std::optional<CallView> view = call_view(e)) {
    if (view->op->is_global_var) return task(e, s->var);
    if (view->op->id == OpId::SystemTaskDummy) return dummy_task(e, s->var);
    if (view->op->id == OpId::TensorCreate && !allocated_.contains(s->var)) allocate({s});
    if (const Call* call = ir::as<Call>(e); call != nullptr && operator_value(s->var, call)) return;
  }
  if (as_tuple(s->var->type) != nullptr) return assign_tuple(s->var, e);
  bool handle = as_scalar(s->var->type) == nullptr || is_scalar_of(s->var->type, DType::TaskId);
  if (handle || is_var(e->kind) || e->kind == NodeKind::TupleGetItemExpr) {
    if (const Value* value = value_of(e)) return alias(s->var, *value);
  }
  if (as_scalar(s->var->type) != nullptr) {
    DType dtype = as_scalar(s->var->type)->dtype;
    std::optional<std::string_view> type = orchestration_type(dtype);
    if (!type) diags_.report(diag::codes::orchestration_scalar_type, place_of(s), name_of(dtype));
    std::string init = scalar_as(dtype, e);
    return define(s->var, hoisted_.contains(s->var) ? "" : fmt::format("const {}", type.value_or("int64_t")), init);
  }
  if (std::optional<CallView> view = call_view(e))
    diags_.report(diag::codes::operator_without_emission, place_of(e), view->op->name, function_->name);
  else
    diags_.report(diag::codes::value_without_emission, place_of(s), s->var->name_hint);
}

void ChipEmitter::assign_tuple(const Var* var, const Expr* value) {
  std::vector<Value> elements;
  if (const MakeTuple* made = ir::as<MakeTuple>(value)) {
    for (const Expr* e : made->elements) {
      const Value* element = value_of(e);
      if (element != nullptr)
        elements.push_back(*element);
      else if (as_scalar(e->type) != nullptr)
        elements.push_back(Value{scalars_.primary(e), LineBuffer::kNoDecl, false, 0, scope_depth_});
      else
        elements.push_back({});
    }
  } else if (const std::vector<Value>* known = tuples_.find(value)) {
    elements = *known;
  }
  bind_tuple(var, std::move(elements));
}

void ChipEmitter::declare_carry(const Var* carry, const Var* result, bool rebinds, int64_t array_size, bool parallel) {
  const IterArg* arg = ir::as<IterArg>(carry);
  const Expr* init = arg->init_value;
  const Value* from = value_of(init);
  if (!rebinds && from != nullptr) {
    Value same = *from;
    bind(carry, same);
    if (result != nullptr) bind(result, same);
    yield_targets_.back().push_back(Value{});
    return;
  }
  std::string name = fresh(carry->name_hint);
  Value target{name, LineBuffer::kNoDecl, false, 0, scope_depth_};
  const bool is_array = as_array(carry->type) != nullptr;
  if (const int64_t extent = array_extent(carry, carry->type); extent > 0 && array_size == 0) array_size = extent;
  if (array_size > 0) {
    std::string value = init->kind == NodeKind::Call ? leaf(init) : text_of(init);
    out_.line(fmt::format("{} {}[{}];", cpp_type(carry->type), name, array_size));
    target.array_size = array_size;
    target.gathers = parallel && !is_array;
    fill_slots(target, value, from != nullptr ? from->array_size : 0);
  } else {
    bool arithmetic = as_scalar(carry->type) != nullptr && !is_scalar_of(carry->type, DType::TaskId);
    std::string value = arithmetic                     ? scalar_as(dtype_of(carry), init)
                        : init->kind == NodeKind::Call ? leaf(init)
                                                       : text_of(init);
    out_.line(fmt::format("[[maybe_unused]] {} {} = {};", cpp_type(carry->type), name, value));
  }
  // The iterations of a parallel loop do not see each other's ids: the carry is the initial value in all of them.
  bind(carry, target.gathers && from != nullptr ? Value(*from) : target);
  if (result != nullptr) bind(result, target);
  yield_targets_.back().push_back(target);
}

void ChipEmitter::for_loop(const ForStmt* s) {
  yield_targets_.emplace_back();
  for (size_t i = 0; i < s->iter_args.size(); ++i) {
    bool rebinds = bool_attr(s->attrs, fmt::format("iter_arg_rebind_{}", i), true);
    const AttrValue* size = find_attr(s->attrs, fmt::format("iter_arg_array_size_{}", i));
    declare_carry(s->iter_args[i], i < s->return_vars.size() ? s->return_vars[i] : nullptr, rebinds,
                  size != nullptr && size->kind() == AttrKind::Int ? size->as_int() : 0,
                  s->for_kind == ForKind::Parallel && manual_scopes_ > 0);
  }
  DType dtype = dtype_of(s->loop_var);
  std::string_view type = orchestration_type(dtype).value_or("int64_t");
  std::string name = fresh(s->loop_var->name_hint);
  std::string start = scalar_as(dtype, s->start);
  std::string stop = scalars_.primary(s->stop);
  std::string step = scalars_.primary(s->step);
  std::string test;
  std::optional<int64_t> constant = const_int(s->step);
  if (constant && *constant == 0)
    diags_.report(diag::codes::loop_never_advances, place_of(s->step), s->loop_var->name_hint);
  if (constant)
    test = fmt::format("{} {} {}", name, *constant > 0 ? "<" : ">", stop);
  else
    test = fmt::format("{1} > 0 ? {0} < {2} : {1} < 0 && {0} > {2}", name, step, stop);
  std::string advance = constant == 1    ? fmt::format("++{}", name)
                        : constant == -1 ? fmt::format("--{}", name)
                                         : fmt::format("{} += {}", name, scalar_as(dtype, s->step));
  out_.open(fmt::format("for ({} {} = {}; {}; {}) {{", type, name, start, test, advance));
  bind(s->loop_var, Value{name, LineBuffer::kNoDecl, false, 0, scope_depth_});
  std::string outer_iteration = std::move(iteration_);
  iteration_ = start == "0" ? name : fmt::format("({} - ({}))", name, start);
  if (constant != 1) iteration_ = fmt::format("{} / ({})", iteration_, step);
  list(s->body);
  iteration_ = std::move(outer_iteration);
  out_.close("}");
  yield_targets_.pop_back();
  hand_out(s->return_vars);
}

// Results of a loop that are used behind the scope around it.
void ChipEmitter::hand_out(List<const Var*> results) {
  for (const Var* var : results) {
    const Value* value = value_of(var);
    if (value == nullptr) continue;
    Value copy = *value;
    alias(var, copy);
  }
}

void ChipEmitter::while_loop(const WhileStmt* s) {
  yield_targets_.emplace_back();
  for (size_t i = 0; i < s->iter_args.size(); ++i)
    declare_carry(s->iter_args[i], i < s->return_vars.size() ? s->return_vars[i] : nullptr, true, 0, false);
  out_.open(fmt::format("while ({}) {{", scalar(s->condition)));
  list(s->body);
  out_.close("}");
  yield_targets_.pop_back();
  hand_out(s->return_vars);
}

void ChipEmitter::declare_result(const Var* var) {
  if (const Hoisted* hoisted = hoisted_.find(var)) {  // declared before the scope around
    Value target = hoisted->value;
    out_.use(target.decl);
    bind(var, target);
    yield_targets_.back().push_back(target);
    return;
  }
  std::string name = fresh(var->name_hint);
  out_.line("[[maybe_unused]] " + empty_variable(var, var->type, name));
  Value target{name, LineBuffer::kNoDecl, false, array_extent(var, var->type), scope_depth_};
  bind(var, target);
  yield_targets_.back().push_back(target);
}

void ChipEmitter::branch(const IfStmt* s) {
  yield_targets_.emplace_back();
  for (const Var* var : s->return_vars) declare_result(var);
  out_.open(fmt::format("if ({}) {{", scalar(s->condition)));
  list(s->then_body);
  if (s->else_body != nullptr) {
    out_.reopen("} else {");
    list(s->else_body);
  }
  out_.close("}");
  yield_targets_.pop_back();
}

// The values are read before any target changes: a carry may be another carry's new value.
void ChipEmitter::yield(const YieldStmt* s) {
  if (yield_targets_.empty()) return;
  const std::vector<Value>& targets = yield_targets_.back();
  std::vector<std::string> values(targets.size());
  bool crossing = false;
  for (size_t i = 0; i < targets.size() && i < s->value.size(); ++i) {
    if (targets[i].text.empty()) continue;
    const Expr* e = s->value[i];
    bool arithmetic = as_scalar(e->type) != nullptr && !is_scalar_of(e->type, DType::TaskId);
    values[i] = arithmetic ? scalar_as(dtype_of(e), e) : ir::as<Call>(e) != nullptr ? leaf(e) : text_of(e);
    for (size_t k = 0; k < i; ++k)
      crossing |= !targets[k].text.empty() && values[i].find(targets[k].text) != std::string::npos;
  }
  if (crossing) {
    for (size_t i = 0; i < targets.size() && i < s->value.size(); ++i) {
      const Value* from = value_of(s->value[i]);
      const bool whole_array = from != nullptr && from->array_size > 0;
      if (targets[i].text.empty() || targets[i].gathers) continue;
      std::string name = fresh(targets[i].text + "_next");
      if (whole_array) {
        out_.line(fmt::format("{} {}[{}];", cpp_type(s->value[i]->type), name, from->array_size));
        fill_slots(Value{name, LineBuffer::kNoDecl, false, from->array_size, scope_depth_}, values[i],
                   from->array_size);
      } else {
        out_.line(fmt::format("const {} {} = {};", cpp_type(s->value[i]->type), name, values[i]));
      }
      values[i] = name;
    }
  }
  for (size_t i = 0; i < targets.size() && i < s->value.size(); ++i) {
    if (targets[i].text.empty() || values[i] == targets[i].text) continue;
    if (targets[i].array_size == 0) {
      out_.line(fmt::format("{} = {};", targets[i].text, values[i]));
      continue;
    }
    const Value* from = value_of(s->value[i]);
    const int64_t from_size = from != nullptr ? from->array_size : 0;
    if (!targets[i].gathers)
      fill_slots(targets[i], values[i], from_size);
    else if (from_size == 0)
      out_.line(fmt::format("{}[{}] = {};", targets[i].text, iteration_, values[i]));
    else
      out_.line(fmt::format("for (uint32_t {0} = 0; {0} < {1}; ++{0}) {2}[({3}) * {1} + {0}] = {4}[{0}];",
                            fresh("slot"), from_size, targets[i].text, iteration_, values[i]));
  }
}

ChipEmitter::Hoisted ChipEmitter::hoist(std::string_view wanted, const Var* var, const Type* type) {
  std::string name = fresh(wanted);
  Value value = declared(name, empty_variable(var, type, name));
  value.array_size = array_extent(var, type);
  return {value, scope_depth_};
}

void ChipEmitter::fill_slots(const Value& to, const std::string& from, int64_t from_size) {
  const std::string slot = fresh("slot");
  const std::string value = from_size == 0               ? from
                            : from_size == to.array_size ? fmt::format("{}[{}]", from, slot)
                                                         : fmt::format("{}[{} % {}]", from, slot, from_size);
  out_.belongs_to(to.decl, fmt::format("for (uint32_t {0} = 0; {0} < {1}; ++{0}) {2}[{0}] = {3};", slot, to.array_size,
                                       to.text, value));
}

void ChipEmitter::runtime_scope(const RuntimeScopeStmt* s) {
  if (s->manual) allocate(creates_of(s->body, NodeSet()));
  for (const Var* var : escapes_.of(s)) {
    if (allocated_.contains(var)) continue;
    const TupleType* tuple = as_tuple(var->type);
    const ArrayType* array = as_array(var->type);
    bool has_id = is_scalar_of(var->type, DType::TaskId) || (array != nullptr && array->dtype == DType::TaskId);
    if (tuple != nullptr) {
      std::vector<Hoisted>& elements = hoisted_elements_[var];
      for (const Type* type : tuple->types) {
        has_id |= is_scalar_of(type, DType::TaskId);
        elements.push_back(hoist(var->name_hint, nullptr, type));
      }
    } else {
      hoisted_[var] = hoist(var->name_hint, var, var->type);
    }
    if (const Node* use = escapes_.use_behind_scope(var); use != nullptr && has_id)
      diags_.report(diag::codes::task_id_behind_scope, place_of(use), var->name_hint)
          .note(fmt::format("`{}` is made here", var->name_hint), place_of(var));
  }
  out_.open(s->manual ? "PTO2_SCOPE(PTO2ScopeMode::MANUAL) {" : "PTO2_SCOPE() {");
  ++scope_depth_;
  manual_scopes_ += s->manual ? 1 : 0;
  list(s->body);
  manual_scopes_ -= s->manual ? 1 : 0;
  --scope_depth_;
  out_.close("}");
}

}  // namespace pyptoc::codegen
