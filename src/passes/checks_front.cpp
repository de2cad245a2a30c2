// SPDX-License-Identifier: Apache-2.0
// Checkers of the properties that the front passes ensure.
#include "ir/walker.h"
#include "passes/property_checks.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

// Calls found(function, node) for every node of every function body.
template <class F>
class EachNode : public Walker {
 public:
  explicit EachNode(F found) : found_(std::move(found)) {}
  void run(const Program* program) {
    for (const Function* f : program->functions) {
      function_ = f;
      walk(f->body);
    }
  }

 protected:
  void visit(const Node* node) override {
    found_(function_, node);
    children(node);
  }

 private:
  F found_;
  const Function* function_ = nullptr;
};

void add(Findings& findings, const Function* f, std::string_view what) {
  if (findings.size() < kMaxFindings) findings.push_back("`" + std::string(f->name) + "`: " + std::string(what));
}

template <class F>
void for_each_node(const Program* program, F f) {
  EachNode<F>(std::move(f)).run(program);
}

}  // namespace

void check_StructuredCtrlFlow(const Program* program, Findings& findings) {
  for_each_node(program, [&](const Function* f, const Node* node) {
    if (node->kind == NodeKind::BreakStmt || node->kind == NodeKind::ContinueStmt)
      add(findings, f, name_of(node->kind));
  });
}

void check_NoInlineFunctions(const Program* program, Findings& findings) {
  for (const Function* f : program->functions)
    if (f->func_type == FunctionType::Inline) add(findings, f, "is an Inline function");
}

void check_NoUnrollLoops(const Program* program, Findings& findings) {
  for_each_node(program, [&](const Function* f, const Node* node) {
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
      if (!is_stmt(node->kind)) return;
      dispatch(node, [&](const auto& n) {
        using S = std::remove_cvref_t<decltype(n)>;
        for_each_field<S>([&](const auto& described) {
          if (!described.defines) return;
          for_each_node_in(n.*(described.member), [&](const Node* var) { define(as<Var>(var)); });
        });
      });
    };
    EachNode<decltype(visit)> each(visit);
    each.walk(f->body);
  }
}

void check_NoNestedCalls(const Program* program, Findings& findings) {
  for_each_node(program, [&](const Function* f, const Node* node) {
    if (node->kind != NodeKind::Call && node->kind != NodeKind::Submit) return;
    for_each_child(node, [&](const Node* child) {
      if (child->kind == NodeKind::Call || child->kind == NodeKind::Submit) add(findings, f, "has a nested call");
    });
  });
}

}  // namespace pyptoc::passes
