// SPDX-License-Identifier: Apache-2.0
// Statements: definitions and the blocks they live in, yields, returns, loops, scopes.
#include <fmt/format.h>

#include "diag/codes_verify.h"
#include "ir/depth_guard.h"
#include "ir/describe.h"
#include "ir/verifier_body.h"
#include "ir/walker.h"

namespace pyptoc::ir {

namespace {

// The yield that ends a body, through the statements that only group others.
const YieldStmt* trailing_yield(const Stmt* body) {
  for (;;) {
    if (const SeqStmts* seq = as<SeqStmts>(body)) {
      if (seq->stmts.empty()) return nullptr;
      body = seq->stmts.back();
    } else if (const ScopeStmt* scope = as<ScopeStmt>(body)) {
      body = scope->body;
    } else {
      return as<YieldStmt>(body);
    }
  }
}

// The members of a single tuple, otherwise the types themselves.
std::vector<const Type*> flat(List<const Type*> types) {
  if (types.size() == 1 && as_tuple(types[0]) != nullptr) types = as_tuple(types[0])->types;
  return {types.begin(), types.end()};
}

bool is_host_sub_worker(const Function* f) {
  return f->level == Level::Host && f->role == Role::SubWorker;
}

}  // namespace

void BodyVerifier::run(const Function* function) {
  facts_.claim(function);
  function_ = function;
  at_ = function;
  defined_ = {};
  own_symbols_ = {};
  loops_ = 0;
  root_ = scopes_.open();
  for (const Var* param : function->params) {
    if (!defined_.insert(param))
      engine_.report(diag::codes::redefinition, place_of(param), param->name_hint, function->name);
    scopes_.define(param);
  }
  // Types may name parameters that stand further behind.
  for (const Var* param : function->params) {
    collect_own_symbols(param->type);
    use_type(param->type);
    check_type(param->type, param);
  }
  for (const Type* type : function->return_types) {
    use_type(type);
    check_type(type, function);
  }
  for (const Attr& attr : function->attrs) use_attr(attr.value);
  stmt(function->body);
  scopes_.close();
}

// Extents that occur in a parameter's type at any depth of its expressions.
void BodyVerifier::collect_own_symbols(const Type* type) {
  class Collector : public Walker {
   public:
    Collector(const VerifierFacts& facts, NodeSet& out) : facts_(facts), out_(out) {}

   protected:
    void visit(const Node* node) override {
      if (const Var* var = as<Var>(node); var != nullptr && facts_.is_symbol(var)) out_.insert(var);
      children(node);
    }

   private:
    const VerifierFacts& facts_;
    NodeSet& out_;
  };
  Collector collector(facts_, own_symbols_);
  for_each_node_in_type(type, [&](const Node* node) { collector.walk(node); });
}

void BodyVerifier::stmt(const Stmt* s) {
  DepthGuard guard(depth_);
  const Node* outer = at_;
  at_ = s;
  switch (s->kind) {
    case NodeKind::SeqStmts:
      for (const Stmt* inner : as<SeqStmts>(s)->stmts) stmt(inner);
      break;
    case NodeKind::AssignStmt:
      assign(*as<AssignStmt>(s));
      break;
    case NodeKind::EvalStmt:
      use(as<EvalStmt>(s)->expr);
      break;
    case NodeKind::ReturnStmt:
      returns(*as<ReturnStmt>(s));
      break;
    case NodeKind::YieldStmt:
      for (const Expr* value : as<YieldStmt>(s)->value) use(value);
      if (!placed_yields_.contains(s)) engine_.report(diag::codes::misplaced_yield, place_of(s));
      break;
    case NodeKind::IfStmt:
      branch(*as<IfStmt>(s));
      break;
    case NodeKind::ForStmt:
      loop(*as<ForStmt>(s));
      break;
    case NodeKind::WhileStmt:
      loop(*as<WhileStmt>(s));
      break;
    case NodeKind::BreakStmt:
    case NodeKind::ContinueStmt:
      if (loops_ == 0)
        engine_.report(diag::codes::outside_loop, place_of(s), s->kind == NodeKind::BreakStmt ? "break" : "continue");
      break;
    case NodeKind::InlineStmt:
      if (!is_host_sub_worker(function_))
        engine_.report(diag::codes::misplaced_inline_code, place_of(s), function_->name);
      break;
    default:
      scope(static_cast<const ScopeStmt&>(*s));
  }
  at_ = outer;
}

void BodyVerifier::define(const Var* var, const Node* by, bool only_once) {
  bool fresh = defined_.insert(var);
  if (!fresh && (only_once || options_.ssa))
    engine_.report(diag::codes::redefinition, place_of(by), var->name_hint, function_->name);
  use_type(var->type);
  check_type(var->type, by);
  scopes_.define(var);
}

void BodyVerifier::assign(const AssignStmt& s) {
  use(s.value);
  define(s.var, &s, false);
  if (is<IterArg>(s.var) || is<MemRef>(s.var))
    engine_.report(diag::codes::wrong_variable_kind, place_of(&s), s.var->name_hint, "a variable",
                   name_of(s.var->kind));
  if (fit(s.value->type, s.var->type) != Fit::Good)
    engine_.report(diag::codes::assigned_type, place_of(&s), s.var->name_hint, describe(s.var->type),
                   describe(s.value->type));
}

void BodyVerifier::returns(const ReturnStmt& s) {
  for (const Expr* value : s.value) use(value);
  // A function may leave its results undeclared, and on either side one tuple may stand for several results.
  std::vector<const Type*> due = flat(function_->return_types);
  if (due.empty()) return;
  std::vector<const Type*> types;
  for (const Expr* value : s.value) types.push_back(value->type);
  types = flat(types);
  if (types.size() != due.size()) {
    engine_.report(diag::codes::return_count, place_of(&s), function_->name, due.size(), types.size())
        .note("the function is here", place_of(function_));
    return;
  }
  for (size_t i = 0; i < types.size(); ++i) {
    Fit how = fit(types[i], due[i]);
    if (how == Fit::None)
      engine_.report(diag::codes::return_type, place_of(&s), function_->name, describe(due[i]), describe(types[i]));
    else if (how == Fit::OtherShape)
      engine_.report(diag::codes::return_shape, place_of(&s), function_->name, describe(due[i]), describe(types[i]));
  }
}

void BodyVerifier::condition(const Expr* e, std::string_view what) {
  use(e);
  if (!is_scalar_of(e->type, DType::Bool))
    engine_.report(diag::codes::condition_type, place_of(at_), what, describe(e->type));
}

void BodyVerifier::branch(const IfStmt& s) {
  condition(s.condition, "if");
  yielded(&s, "then branch", s.then_body, s.return_vars);
  if (s.else_body != nullptr)
    yielded(&s, "else branch", s.else_body, s.return_vars);
  else if (!s.return_vars.empty())
    engine_.report(diag::codes::missing_yield, place_of(&s), "else branch", s.return_vars.size());

  int then_block = scopes_.open();
  stmt(s.then_body);
  scopes_.close();
  int else_block = scopes_.open();
  if (s.else_body != nullptr) stmt(s.else_body);
  scopes_.close();
  if (s.return_vars.empty()) {
    scopes_.leak(then_block, scopes_.current());
    scopes_.leak(else_block, scopes_.current());
  }
  for (const Var* var : s.return_vars) define(var, &s, true);
}

void BodyVerifier::loop_bound(const Expr* e, std::string_view what) {
  const ScalarType* scalar = as_scalar(e->type);
  if (scalar == nullptr || !is_integer(scalar->dtype))
    engine_.report(diag::codes::loop_bound_type, place_of(at_), what, describe(e->type));
}

void BodyVerifier::loop(const ForStmt& s) {
  for (const Expr* bound : {s.start, s.stop, s.step}) use(bound);
  loop_bound(s.loop_var, "variable of a loop");
  loop_bound(s.start, "start of a loop");
  loop_bound(s.stop, "stop of a loop");
  loop_bound(s.step, "step of a loop");
  carried(&s, "for loop", s.iter_args, s.return_vars, s.body);

  int outer = scopes_.current();
  scopes_.open();
  define(s.loop_var, &s, false);
  for (const Var* arg : s.iter_args) define(arg, &s, true);
  int body = scopes_.open();
  ++loops_;
  stmt(s.body);
  --loops_;
  scopes_.close();
  scopes_.close();
  if (s.return_vars.empty()) scopes_.leak(body, outer);
  for (const Var* var : s.return_vars) define(var, &s, true);
  for (const Attr& attr : s.attrs) use_attr(attr.value);
  verify_attrs(s.attrs, s.kind, &s, engine_);
}

void BodyVerifier::loop(const WhileStmt& s) {
  carried(&s, "while loop", s.iter_args, s.return_vars, s.body);
  int outer = scopes_.current();
  scopes_.open();
  for (const Var* arg : s.iter_args) define(arg, &s, true);
  condition(s.condition, "while");
  int body = scopes_.open();
  ++loops_;
  stmt(s.body);
  --loops_;
  scopes_.close();
  scopes_.close();
  if (s.return_vars.empty()) scopes_.leak(body, outer);
  for (const Var* var : s.return_vars) define(var, &s, true);
}

void BodyVerifier::carried(const Stmt* s, std::string_view what, List<const Var*> iter_args,
                           List<const Var*> return_vars, const Stmt* body) {
  for (const Var* var : iter_args) {
    const IterArg* arg = as<IterArg>(var);
    if (arg == nullptr) {
      engine_.report(diag::codes::wrong_variable_kind, place_of(s), var->name_hint, "an IterArg", name_of(var->kind));
      continue;
    }
    use(arg->init_value);
    if (fit(arg->init_value->type, arg->type) == Fit::None)
      engine_.report(diag::codes::carried_type, place_of(s), "initial value of", arg->name_hint, describe(arg->type),
                     describe(arg->init_value->type));
  }
  if (iter_args.size() != return_vars.size()) {
    engine_.report(diag::codes::carried_count, place_of(s), what, iter_args.size(), return_vars.size());
    if (const YieldStmt* yield = trailing_yield(body)) placed_yields_.insert(yield);  // no second fault
    return;
  }
  for (size_t i = 0; i < iter_args.size(); ++i)
    if (fit(iter_args[i]->type, return_vars[i]->type) == Fit::None)
      engine_.report(diag::codes::carried_type, place_of(s), "result", return_vars[i]->name_hint,
                     describe(return_vars[i]->type), describe(iter_args[i]->type));
  yielded(s, what, body, iter_args);
}

void BodyVerifier::yielded(const Stmt* owner, std::string_view what, const Stmt* body, List<const Var*> targets) {
  const YieldStmt* yield = trailing_yield(body);
  if (yield != nullptr) placed_yields_.insert(yield);
  size_t values = yield != nullptr ? yield->value.size() : 0;
  if (yield == nullptr && !targets.empty()) {
    engine_.report(diag::codes::missing_yield, place_of(owner), what, targets.size());
    return;
  }
  if (values != targets.size()) {
    engine_.report(diag::codes::yield_count, place_of(yield), what, values, targets.size())
        .note(fmt::format("the {} belongs to this statement", what), place_of(owner));
    return;
  }
  for (size_t i = 0; i < targets.size(); ++i)
    if (fit(yield->value[i]->type, targets[i]->type) == Fit::None)
      engine_
          .report(diag::codes::carried_type, place_of(yield), "value yielded for", targets[i]->name_hint,
                  describe(targets[i]->type), describe(yield->value[i]->type))
          .note(fmt::format("`{}` belongs to this statement", targets[i]->name_hint), place_of(owner));
}

void BodyVerifier::scope(const ScopeStmt& s) {
  const Var* task = task_id_var(s);
  for (const Attr& attr : s.attrs)
    if (attr.key != "task_id_var") use_attr(attr.value);
  verify_attrs(s.attrs, s.kind, &s, engine_);
  if (const SpmdScopeStmt* spmd = as<SpmdScopeStmt>(&s)) {
    use(spmd->core_num);
    loop_bound(spmd->core_num, "number of blocks of a scope");
  }
  if (const CommDomainScopeStmt* domain = as<CommDomainScopeStmt>(&s)) {
    for (const Var* slot : domain->slots) {
      if (!is<WindowBuffer>(slot))
        engine_.report(diag::codes::wrong_variable_kind, place_of(&s), slot->name_hint, "a WindowBuffer",
                       name_of(slot->kind));
      define(slot, &s, true);
    }
  }
  if (task != nullptr) define(task, &s, false);
  stmt(s.body);
}

}  // namespace pyptoc::ir
