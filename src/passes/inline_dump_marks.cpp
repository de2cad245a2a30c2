// SPDX-License-Identifier: Apache-2.0
// Adds dump marks where marked variables are used.
#include "passes/inline_dump_marks.h"

#include <algorithm>

#include "ir/rewriter.h"
#include "ir/walker.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

class UsedOf : public Walker {
 public:
  UsedOf(const Node* where, List<const Var*> wanted) : wanted_(wanted) { walk(where); }
  std::vector<const Var*> found;

 protected:
  void visit(const Node* node) override {
    for (const Var* var : wanted_)
      if (node == var && std::find(found.begin(), found.end(), var) == found.end()) found.push_back(var);
    children(node);
  }

 private:
  List<const Var*> wanted_;
};

template <class S>
const S* marked_copy(Context& context, const S& node, List<const Var*> wanted) {
  std::vector<const Var*> vars = UsedOf(&node, wanted).found;
  if (vars.empty()) return &node;
  S draft = node;
  std::vector<Attr> attrs;
  for (const Attr& attr : node.attrs) {
    if (attr.key != kDumpVars || attr.value.kind() != AttrKind::VarList) {
      attrs.push_back(attr);
      continue;
    }
    for (const Var* var : attr.value.as_vars())
      if (std::find(vars.begin(), vars.end(), var) == vars.end()) vars.push_back(var);
  }
  attrs.push_back({kDumpVars, AttrValue::of_vars(context.list(vars))});
  draft.attrs = context.list(attrs);
  return context.make(draft);
}

class DumpMarker : public Rewriter {
 public:
  DumpMarker(Context& context, List<const Var*> marked) : Rewriter(context), marked_(marked) {}

 protected:
  const Expr* rewrite(const Expr* e) override {
    if (const Call* call = as<Call>(e); call != nullptr && call->op->is_global_var)
      return marked_copy(context(), *call, marked_);
    if (const Submit* submit = as<Submit>(e)) return marked_copy(context(), *submit, marked_);
    return rebuild(e);
  }
  const Stmt* rewrite(const Stmt* s) override {
    if (!becomes_task(s->kind)) return rebuild(s);
    return dispatch(s, [&](const auto& scope) -> const Stmt* {
      using S = std::remove_cvref_t<decltype(scope)>;
      if constexpr (std::is_base_of_v<ScopeStmt, S>) {
        return marked_copy(context(), scope, marked_);
      } else {
        PYPTOC_UNREACHABLE("a scope of another kind");
      }
    });
  }

 private:
  static bool becomes_task(NodeKind kind) {
    return kind == NodeKind::InCoreScopeStmt || kind == NodeKind::ClusterScopeStmt ||
           kind == NodeKind::HierarchyScopeStmt || kind == NodeKind::SpmdScopeStmt;
  }

  List<const Var*> marked_;
};

}  // namespace

const Stmt* with_dump_marks(Context& context, const Stmt* stmt, List<const Var*> marked) {
  return marked.empty() ? stmt : DumpMarker(context, marked).stmt(stmt);
}

}  // namespace pyptoc::passes
