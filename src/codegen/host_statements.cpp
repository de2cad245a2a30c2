// SPDX-License-Identifier: Apache-2.0
// Statements of a HOST orchestrator: control flow, carries and results, checks.
#include <fmt/format.h>

#include "codegen/host_emitter.h"
#include "diag/codes_emit.h"
#include "diag/codes_host.h"
#include "ir/op_table.h"
#include "support/literals.h"

namespace pyptoc::codegen {

using namespace ir;

namespace {

constexpr int kPythonIndentation = 90;  // of 100 levels; some are the emitter's own

bool is_scalar(const Type* type) {
  return as_scalar(type) != nullptr;
}
bool is_handle(const Type* type) {  // decided while compiling, no value at run time
  return is_distributed(type) || type->kind == TypeKind::CommCtxType;
}

}  // namespace

void HostEmitter::statement(const Stmt* s) {
  switch (s->kind) {
    case NodeKind::SeqStmts:
      for (const Stmt* inner : ir::as<SeqStmts>(s)->stmts) statement(inner);
      return;
    case NodeKind::AssignStmt:
      return assign(ir::as<AssignStmt>(s));
    case NodeKind::EvalStmt:
      return eval(ir::as<EvalStmt>(s));
    case NodeKind::ForStmt:
      return for_loop(ir::as<ForStmt>(s));
    case NodeKind::WhileStmt:
      return while_loop(ir::as<WhileStmt>(s));
    case NodeKind::IfStmt:
      return branch(ir::as<IfStmt>(s));
    case NodeKind::YieldStmt:
      return yield(ir::as<YieldStmt>(s));
    case NodeKind::CommDomainScopeStmt:
      return domain(ir::as<CommDomainScopeStmt>(s));
    case NodeKind::ReturnStmt:
      return;  // results are parameters or nothing that the caller sees
    default:
      diags_.report(diag::codes::host_statement_without_emission, place_of(s), name_of(s->kind), function_->name);
  }
}

void HostEmitter::block(const Stmt* body) {
  size_t before = out_.text().size();
  statement(body);
  if (out_.text().size() == before) out_.line("pass");
}

bool HostEmitter::enter(const Stmt* s) {
  if (blocks_ < kPythonBlocks && out_.depth() < kPythonIndentation) return true;
  diags_.report(diag::codes::host_nesting, place_of(s), function_->name);
  return false;
}

void HostEmitter::eval(const EvalStmt* s) {
  const Call* call = ir::as<Call>(s->expr);
  if (call == nullptr && s->expr->kind != NodeKind::Submit) return;  // a value without effect
  if (call != nullptr && dispatch(call, nullptr)) return;
  if (call != nullptr && call->op->id == OpId::SystemRequire) return require(call);
  if (call != nullptr && operator_value(nullptr, call)) return;
  const Submit* submit = ir::as<Submit>(s->expr);
  diags_.report(diag::codes::host_operator_without_emission, place_of(s->expr),
                call != nullptr ? call->op->name : submit->op->name, function_->name);
}

void HostEmitter::require(const Call* call) {
  const AttrValue* text = find_attr(call->kwargs, "text");
  if (call->args.empty() || text == nullptr || text->kind() != AttrKind::String) return;
  require_ = true;
  in_check_ = true;
  // Each `{}` of the text stands for a value.
  std::string values;
  for (const Expr* value : call->args.subspan(1)) values += ", " + scalar(value);
  out_.line("_require({}, {}{})", scalar(call->args[0]), support::python_string_literal(text->as_string()), values);
  in_check_ = false;
}

void HostEmitter::assign(const AssignStmt* s) {
  const Expr* e = s->value;
  if (const Call* call = ir::as<Call>(e)) {
    if (dispatch(call, s->var) || operator_value(s->var, call)) return;
  }
  if (as_tuple(s->var->type) != nullptr) return assign_tuple(s->var, e);
  if (is_scalar(s->var->type)) {
    HostValue value;
    value.kind = HostValue::Kind::Scalar;
    if (const std::string* early = body_frame_.known.find(s->var)) {
      value.text = *early;
    } else {
      std::string init = scalar(e);
      value.text = fresh(s->var->name_hint);
      out_.line("{} = {}", value.text, init);
    }
    return bind(s->var, std::move(value));
  }
  const HostValue* value = value_of(e);
  if (is_handle(s->var->type)) {
    HostValue handle = handle_value(e);
    if (handle.slot != nullptr) return bind(s->var, std::move(handle));
  }
  if (value != nullptr && value->kind == HostValue::Kind::Tensor) {
    HostValue same = *value;
    if (is_var(e->kind)) {
      std::string key = fresh_key(s->var->name_hint);
      out_.line("{} = {}", key, same.text);
      same.text = key;
    }
    return bind(s->var, std::move(same));
  }
  if (const Call* call = ir::as<Call>(e)) {
    diags_.report(diag::codes::host_operator_without_emission, place_of(e), call->op->name, function_->name);
    if (as_tensor(s->var->type) != nullptr && !is_handle(s->var->type)) {  // its uses are not faults of their own
      HostValue none;
      none.kind = HostValue::Kind::Tensor;
      none.text = "None";
      bind(s->var, std::move(none));
    }
  } else if (value == nullptr || value->kind != HostValue::Kind::None)
    diags_.report(diag::codes::host_value_without_emission, place_of(s), s->var->name_hint, function_->name);
}

void HostEmitter::assign_tuple(const Var* var, const Expr* value) {
  std::vector<HostValue> elements;
  if (const MakeTuple* made = ir::as<MakeTuple>(value)) {
    for (const Expr* e : made->elements) {
      HostValue element;
      if (const HostValue* known = value_of(e)) {
        element = *known;
      } else if (is_scalar(e->type)) {
        element.kind = HostValue::Kind::Scalar;
        element.text = scalars_.primary(e);
      }
      elements.push_back(std::move(element));
    }
  } else if (const std::vector<HostValue>* known = tuples_.find(value)) {
    elements = *known;
  }
  tuples_[var] = std::move(elements);
}

// A carry is a variable or a key of `tensors` that each yield assigns; a window is the same in every iteration.
void HostEmitter::declare_carries(List<const Var*> carries, List<const Var*> results) {
  yield_targets_.emplace_back();
  for (size_t i = 0; i < carries.size(); ++i) {
    const IterArg* arg = ir::as<IterArg>(carries[i]);
    HostValue target;
    if (is_handle(arg->type)) {
      target = handle_value(arg->init_value);
    } else if (is_scalar(arg->type)) {
      std::string init = scalar(arg->init_value);
      target.kind = HostValue::Kind::Scalar;
      target.text = fresh(arg->name_hint);
      out_.line("{} = {}", target.text, init);
    } else if (as_tensor(arg->type) != nullptr) {
      target = tensor_value(arg->init_value);
      std::string init = std::move(target.text);
      target.text = fresh_key(arg->name_hint);
      target.packed = false;  // what the iterations yield is not known here
      out_.line("{} = {}", target.text, init);
    } else {
      missing(arg);
    }
    bind(arg, target);
    if (i < results.size()) bind(results[i], target);
    yield_targets_.back().push_back(std::move(target));
  }
}

void HostEmitter::for_loop(const ForStmt* s) {
  if (!enter(s)) return;
  declare_carries(s->iter_args, s->return_vars);
  std::string start = scalar(s->start);
  std::string stop = scalar(s->stop);
  std::optional<int64_t> step = const_int(s->step);
  if (step == 0) diags_.report(diag::codes::loop_never_advances, place_of(s->step), s->loop_var->name_hint);
  std::string name = fresh(s->loop_var->name_hint);
  std::string range = start == "0" && step == 1 ? fmt::format("range({})", stop)
                      : step == 1               ? fmt::format("range({}, {})", start, stop)
                                                : fmt::format("range({}, {}, {})", start, stop, scalar(s->step));
  if (!step) range = fmt::format("{} if {} != 0 else ()", range, scalars_.primary(s->step));
  std::optional<int64_t> last = const_int(s->stop);
  if (last && step == 1) loop_ends_[s->loop_var] = *last;
  HostValue variable;
  variable.kind = HostValue::Kind::Scalar;
  variable.text = name;
  bind(s->loop_var, std::move(variable));
  loop(fmt::format("for {} in {}:", name, range), s->body);
}

void HostEmitter::while_loop(const WhileStmt* s) {
  if (!enter(s)) return;
  declare_carries(s->iter_args, s->return_vars);
  loop(fmt::format("while {}:", scalar(s->condition)), s->body);
}

// Carries are declared.
void HostEmitter::loop(const std::string& head, const Stmt* body) {
  out_.open("{}", head);
  ++nesting_;
  ++blocks_;
  block(body);
  --blocks_;
  --nesting_;
  out_.close("");
  yield_targets_.pop_back();
}

void HostEmitter::branch(const IfStmt* s) {
  if (!enter(s)) return;
  std::vector<HostValue> targets;
  for (const Var* var : s->return_vars) {
    HostValue target;
    if (is_scalar(var->type)) {
      target.kind = HostValue::Kind::Scalar;
      target.text = fresh(var->name_hint);
    } else if (as_tensor(var->type) != nullptr && !is_handle(var->type)) {
      target.kind = HostValue::Kind::Tensor;
      target.text = fresh_key(var->name_hint);
      target.packed = false;
    }
    bind(var, target);
    targets.push_back(std::move(target));
  }
  yield_targets_.push_back(std::move(targets));
  out_.open("if {}:", scalar(s->condition));
  ++nesting_;
  block(s->then_body);
  if (s->else_body != nullptr) {
    out_.close("else:");
    out_.indent();
    block(s->else_body);
  }
  --nesting_;
  out_.close("");
  for (size_t i = 0; i < s->return_vars.size(); ++i)
    if (is_handle(s->return_vars[i]->type)) bind(s->return_vars[i], yield_targets_.back()[i]);
  yield_targets_.pop_back();
}

// All values are read before any target changes: a carry may be another carry's new value.
void HostEmitter::yield(const YieldStmt* s) {
  if (yield_targets_.empty()) return;
  std::vector<HostValue>& targets = yield_targets_.back();
  std::string left;
  std::string right;
  for (size_t i = 0; i < targets.size() && i < s->value.size(); ++i) {
    const Expr* e = s->value[i];
    if (is_handle(e->type)) {
      HostValue value = handle_value(e);
      if (targets[i].kind == HostValue::Kind::None) targets[i] = value;
      if (value.slot != targets[i].slot) diags_.report(diag::codes::host_window_merge, place_of(s), function_->name);
      continue;
    }
    std::string value = targets[i].kind == HostValue::Kind::Tensor ? tensor_value(e).text : scalar(e);
    if (value == targets[i].text || targets[i].kind == HostValue::Kind::None) continue;
    left += (left.empty() ? "" : ", ") + targets[i].text;
    right += (right.empty() ? "" : ", ") + value;
  }
  if (!left.empty()) out_.line("{} = {}", left, right);
}

}  // namespace pyptoc::codegen
