// SPDX-License-Identifier: Apache-2.0
#include "passes/materialize_runtime_scopes.h"

#include <optional>

#include "diag/codes_orch.h"
#include "ir/rewriter.h"
#include "ir/walker.h"
#include "passes/buffer_roots.h"
#include "passes/trailing_yield.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

NodeSet calls_in(const Stmt* body) {
  class Calls : public Walker {
   public:
    NodeSet found;

   protected:
    void visit(const Node* node) override {
      if (node->kind == NodeKind::Call || node->kind == NodeKind::Submit) found.insert(node);
      children(node);
    }
  };
  Calls calls;
  calls.walk(body);
  return std::move(calls.found);
}

// Reports each scope of the user that the runtime would refuse.
class AutoInManual : public Walker {
 public:
  AutoInManual(const Function* function, diag::Engine& diags) : function_(function), diags_(diags) {
    walk(function->body);
  }

 protected:
  void visit(const Node* node) override {
    const RuntimeScopeStmt* scope = as<RuntimeScopeStmt>(node);
    if (!node->contents.has(Content::Scope)) return;
    if (scope == nullptr) return children(node);
    if (!scope->manual && manual_ != nullptr)
      diags_.report(diag::codes::auto_scope_in_manual, place_of(node), function_->name)
          .note("the manual scope is here", place_of(manual_));
    const Node* outer = manual_;
    if (scope->manual) manual_ = node;
    children(node);
    manual_ = outer;
  }

 private:
  const Function* function_;
  diag::Engine& diags_;
  const Node* manual_ = nullptr;
};

class Scopes : public Rewriter {
 public:
  Scopes(PassContext& context, const Program* program)
      : Rewriter(context.ir), diags_(context.diags), program_roots_(program, context.roots) {}

  const Function* function(const Function* f) override {
    if (!is_chip_orchestration(f)) return f;
    AutoInManual(f, diags_);
    if (!bool_attr(f->attrs, "auto_scope", true)) return f;
    roots_ = &program_roots_.of(f);
    Function draft = *f;
    draft.body = scoped(f->body);
    draft.attrs = without_auto_scope(f->attrs);
    return context().make(draft);
  }

 protected:
  using Rewriter::rewrite;
  const Expr* rewrite(const Expr* e) override { return e; }
  const Stmt* rewrite(const Stmt* s) override {
    if (!s->contents.has_any(Content::Loop | Content::Branch | Content::Scope)) return s;
    if (const ForStmt* loop = as<ForStmt>(s)) {
      ForStmt draft = *loop;
      draft.body = scoped(loop->body);
      return draft.body == loop->body ? s : context().make(draft);
    }
    if (const IfStmt* branch = as<IfStmt>(s)) {
      IfStmt draft = *branch;
      draft.then_body = scoped(branch->then_body);
      if (branch->else_body != nullptr) draft.else_body = scoped(branch->else_body);
      return draft.then_body == branch->then_body && draft.else_body == branch->else_body ? s : context().make(draft);
    }
    const RuntimeScopeStmt* scope = as<RuntimeScopeStmt>(s);
    if (scope != nullptr && scope->manual) return s;
    return rebuild(s);
  }

 private:
  // A body that is one AUTO scope already keeps it; the bodies inside get theirs.
  const Stmt* scoped(const Stmt* body) {
    const Stmt* inner = stmt(body);
    if (is_one_scope(inner) || yields_own_buffer(body)) return inner;
    RuntimeScopeStmt draft;
    draft.kind = NodeKind::RuntimeScopeStmt;
    draft.span = body->span;
    draft.body = inner;
    return context().make(draft);
  }

  bool yields_own_buffer(const Stmt* body) {
    const YieldStmt* yield = trailing_yield(body);
    if (yield == nullptr) return false;
    std::optional<NodeSet> calls;
    for (const Expr* value : yield->value)
      for (int number : roots_->of(value)) {
        if (!calls) calls = calls_in(body);
        if (calls->contains(roots_->root(number).node)) return true;
      }
    return false;
  }

  static bool is_one_scope(const Stmt* body) {
    const SeqStmts* seq = as<SeqStmts>(body);
    if (seq != nullptr && seq->stmts.size() == 1) return is_one_scope(seq->stmts.front());
    const RuntimeScopeStmt* scope = as<RuntimeScopeStmt>(body);
    return scope != nullptr && !scope->manual;
  }

  List<Attr> without_auto_scope(List<Attr> attrs) {
    std::vector<Attr> out;
    for (const Attr& attr : attrs)
      if (attr.key != "auto_scope") out.push_back(attr);
    out.push_back({context().intern("auto_scope"), AttrValue::of_bool(false)});
    return context().list(out);
  }

  diag::Engine& diags_;
  BufferRoots program_roots_;
  const FunctionRoots* roots_ = nullptr;
};

}  // namespace

const Program* materialize_runtime_scopes(const Program* program, PassContext& context) {
  return Scopes(context, program).program(program);
}

}  // namespace pyptoc::passes
