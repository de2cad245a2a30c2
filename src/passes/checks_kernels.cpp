// SPDX-License-Identifier: Apache-2.0
// Checkers of the properties that the outlining and kernel passes ensure.
#include "ir/context.h"
#include "ir/walker.h"
#include "passes/property_checks.h"
#include "passes/returned_params.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

void add(Findings& findings, const Function* f, std::string_view what) {
  if (findings.size() < kMaxFindings) findings.push_back("`" + std::string(f->name) + "`: " + std::string(what));
}

class Statements : public Walker {
 public:
  explicit Statements(NodeKind wanted) : wanted_(wanted) {}
  const std::vector<const Node*>& in(const Function* f) {
    found_.clear();
    walk(f->body);
    return found_;
  }

 protected:
  void visit(const Node* node) override {
    if (!is_stmt(node->kind)) return;
    if (node->kind == wanted_) found_.push_back(node);
    children(node);
  }

 private:
  NodeKind wanted_;
  std::vector<const Node*> found_;
};

}  // namespace

void check_SplitIncoreOrch(const Program* program, Findings& findings) {
  for (const Function* f : program->functions) {
    if (is_kernel(f)) continue;
    Statements scopes(NodeKind::InCoreScopeStmt);
    for (const Node* scope : scopes.in(f))
      add(findings, f, "has the InCore scope `" + std::string(as<ScopeStmt>(scope)->name_hint) + "`");
  }
}

void check_KernelsReady(const Program* program, Findings& findings) {
  for (const Function* f : program->functions)
    if (f->func_type == FunctionType::InCore) add(findings, f, "is InCore, its core is not decided");
}

void check_ReturnParamsExplicit(const Program* program, Findings& findings) {
  BufferRoots roots(program);
  ReturnedParams returned(roots);
  for (const Function* f : program->functions) {
    if ((!is_kernel(f) && !is_wrapper(f)) || f->return_types.empty()) continue;
    const std::vector<std::optional<int>>& params = returned.of(f);
    Statements statements(NodeKind::ReturnStmt);
    for (const Node* node : statements.in(f)) {
      List<const Expr*> values = as<ReturnStmt>(node)->value;
      if (values.size() != params.size()) {
        add(findings, f, "returns a tuple whole");
        continue;
      }
      int last = -1;
      for (size_t i = 0; i < values.size(); ++i) {
        if (!params[i]) continue;
        if (values[i] != f->params[static_cast<size_t>(*params[i])])
          add(findings, f, "returns a parameter under another name");
        if (*params[i] < last) add(findings, f, "returns parameters in another order");
        last = *params[i];
      }
    }
  }
}

}  // namespace pyptoc::passes
