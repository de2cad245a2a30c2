// SPDX-License-Identifier: Apache-2.0
// Checkers of the properties that the front passes ensure.
#include "ir/node_map.h"
#include "ir/walker.h"
#include "passes/plain_value.h"
#include "passes/property_checks.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

// Calls found(function, node) for every statement of every function body.
template <class F>
class EachStatement {
 public:
  explicit EachStatement(F found) : found_(std::move(found)) {}
  void run(const Program* program) {
    for (const Function* f : program->functions) {
      function_ = f;
      visit(f->body);
    }
  }
  void visit(const Node* s) {
    if (s == nullptr) return;
    DepthGuard guard(depth_);
    found_(function_, s);
    if (s->kind == NodeKind::AssignStmt || s->kind == NodeKind::EvalStmt) return;  // the most, and without statements
    for_each_child(s, [&](const Node* child) {
      if (is_stmt(child->kind)) visit(child);
    });
  }

 private:
  F found_;
  const Function* function_ = nullptr;
  int depth_ = 0;
};

void add(Findings& findings, const Function* f, std::string_view what) {
  if (findings.size() < kMaxFindings) findings.push_back("`" + std::string(f->name) + "`: " + std::string(what));
}

template <class F>
void for_each_statement(const Program* program, F f) {
  EachStatement<F>(std::move(f)).run(program);
}

}  // namespace

void check_StructuredCtrlFlow(const Program* program, Findings& findings) {
  for_each_statement(program, [&](const Function* f, const Node* node) {
    if (node->kind == NodeKind::BreakStmt || node->kind == NodeKind::ContinueStmt)
      add(findings, f, name_of(node->kind));
  });
}

void check_NoInlineFunctions(const Program* program, Findings& findings) {
  for (const Function* f : program->functions)
    if (f->func_type == FunctionType::Inline) add(findings, f, "is an Inline function");
}

void check_NoUnrollLoops(const Program* program, Findings& findings) {
  for_each_statement(program, [&](const Function* f, const Node* node) {
    const ForStmt* loop = as<ForStmt>(node);
    if (loop != nullptr && loop->for_kind == ForKind::Unroll) add(findings, f, "has an Unroll loop");
  });
}

void check_SSAForm(const Program* program, Findings& findings) {
  for (const Function* f : program->functions) {
    NodeSet defined;
    auto define = [&](const Var* var) {
      if (var != nullptr && !defined.insert(var))
        add(findings, f, "defines `" + std::string(var->name_hint) + "` twice");
    };
    for (const Var* param : f->params) define(param);
    auto visit = [&](const Function*, const Node* node) {
      dispatch(node, [&](const auto& n) {
        using S = std::remove_cvref_t<decltype(n)>;
        for_each_field<S>([&](const auto& described) {
          if (!described.defines) return;
          for_each_node_in(n.*(described.member), [&](const Node* var) { define(as<Var>(var)); });
        });
      });
    };
    EachStatement<decltype(visit)> each(visit);
    each.visit(f->body);
  }
}

namespace {

// Looks at the expressions of statements: a call may be the whole value of an assignment or of a statement.
class NestedCalls {
 public:
  NestedCalls(const Function* f, Findings& findings) : function_(f), findings_(findings) { visit(f->body); }

 private:
  void visit(const Stmt* s) {
    DepthGuard guard(depth_);
    const AssignStmt* assign = as<AssignStmt>(s);
    const EvalStmt* eval = as<EvalStmt>(s);
    whole_ = assign != nullptr ? assign->value : (eval != nullptr ? eval->expr : nullptr);
    const bool call = whole_ != nullptr && (is<Call>(whole_) || is<Submit>(whole_)) && !is_plain_value(whole_);
    if (call && !wholes_.insert(whole_)) add(findings_, function_, "has a call that is the value of two statements");
    seen_.forget();
    const Node* predicate = predicate_of(s);
    for_each_child(s, [&](const Node* child) {
      if (is_expr(child->kind) && child != predicate) look_at(child);
    });
    for_each_child(s, [&](const Node* child) {
      if (is_stmt(child->kind)) visit(static_cast<const Stmt*>(child));
    });
  }
  // The runtime evaluates it, like that of a Submit.
  static const Node* predicate_of(const Stmt* s) {
    if (!is<ScopeStmt>(s)) return nullptr;
    const AttrValue* value = find_attr(static_cast<const ScopeStmt*>(s)->attrs, "predicate");
    return value != nullptr && value->kind() == AttrKind::Expr ? value->as_expr() : nullptr;
  }
  void look_at(const Node* e) {
    if (is_var(e->kind) || is_const(e->kind)) return;
    if (!seen_.insert(e, true)) return;
    DepthGuard guard(depth_);
    bool call = (e->kind == NodeKind::Call || e->kind == NodeKind::Submit) && !is_plain_value(e);
    if (call && e != whole_) add(findings_, function_, "has a nested call");
    auto each = [&](const Node* child) { look_at(child); };
    if (const Submit* submit = as<Submit>(e)) {  // its predicate and attributes are no arguments
      for_each_node_in(submit->args, each);
      for_each_node_in(submit->deps, each);
      for_each_node_in(submit->core_num, each);
    } else if (const Call* plain = as<Call>(e)) {
      for_each_node_in(plain->args, each);
    } else {
      for_each_child(e, each);
    }
  }

  const Function* function_;
  Findings& findings_;
  const Expr* whole_ = nullptr;
  NodeSet wholes_;
  EpochMap<bool> seen_;  // in this statement
  int depth_ = 0;
};

}  // namespace

void check_NoNestedCalls(const Program* program, Findings& findings) {
  for (const Function* f : program->functions) NestedCalls(f, findings);
}

}  // namespace pyptoc::passes
