// SPDX-License-Identifier: Apache-2.0
// Checkers of the properties that the last passes ensure for emission.
#include <fmt/format.h>

#include "ir/walker.h"
#include "passes/property_checks.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

void add(Findings& findings, const Function* f, std::string_view what) {
  if (findings.size() < kMaxFindings) findings.push_back(fmt::format("`{}`: {}", f->name, what));
}

// An AUTO scope inside a manual one is refused by the runtime.
class ScopeNesting : public Walker {
 public:
  bool found = false;

 protected:
  void visit(const Node* node) override {
    const RuntimeScopeStmt* scope = as<RuntimeScopeStmt>(node);
    if (scope == nullptr) return children(node);
    if (manual_ && !scope->manual) found = true;
    bool outer = manual_;
    manual_ |= scope->manual;
    children(node);
    manual_ = outer;
  }

 private:
  bool manual_ = false;
};

class UnclassifiedCarries : public Walker {
 public:
  bool found = false;

 protected:
  void visit(const Node* node) override {
    if (const ForStmt* loop = as<ForStmt>(node))
      for (size_t i = 0; i < loop->iter_args.size(); ++i)
        found |= find_attr(loop->attrs, fmt::format("iter_arg_rebind_{}", i)) == nullptr;
    children(node);
  }
};

}  // namespace

void check_RuntimeScopesMaterialized(const Program* program, Findings& findings) {
  for (const Function* f : program->functions) {
    if (!is_chip_orchestration(f)) continue;
    if (bool_attr(f->attrs, "auto_scope", true)) add(findings, f, "still asks for implicit scopes");
    ScopeNesting nesting;
    nesting.walk(f->body);
    if (nesting.found) add(findings, f, "has an AUTO scope inside a manual one");
  }
}

void check_IterArgCarryClassified(const Program* program, Findings& findings) {
  for (const Function* f : program->functions) {
    if (!is_chip_orchestration(f)) continue;
    UnclassifiedCarries carries;
    carries.walk(f->body);
    if (carries.found) add(findings, f, "has a loop carry without `iter_arg_rebind`");
  }
}

}  // namespace pyptoc::passes
