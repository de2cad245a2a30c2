// SPDX-License-Identifier: Apache-2.0
// First a walk that numbers statements and records definitions, accesses, creates and assembles; then the assembles are
// judged in order; then, innermost first, the carries that the fused ones leave without a purpose are found.
#include "passes/fuse_create_assemble_candidates.h"

#include <algorithm>

#include "ir/equal.h"
#include "ir/op_table.h"
#include "ir/walker.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

struct Definition {
  int position = -1;
  int body = 0;
};

struct Assemble {
  const Var* result = nullptr;
  const Call* call = nullptr;
  int position = 0;
  int body = 0;
};

struct Created {
  const Call* call = nullptr;
  int position = 0;
  int body = 0;
  int root = -1;
};

}  // namespace

class FuseAnalysis : public Walker {
 public:
  FuseAnalysis(const Function* f, const Program* program, BufferRoots& roots, ReturnedParams& callees,
               FuseCandidates& out)
      : roots_(roots.of(f)),
        identities_(f, program, callees),
        out_(out),
        accesses_(roots_.size()),
        sources_(roots_.size()) {
    bodies_.push_back(-1);
    for (const Var* param : f->params) define(param);
    walk(f->body);
    for (size_t i = 0; i < assembles_.size(); ++i) judge(i);
    for (const Node* s : inner_first_) drop_carries(s);
  }

 protected:
  void visit(const Node* node) override {
    if (!is_stmt(node->kind)) {
      if (node->kind == NodeKind::Call || node->kind == NodeKind::Submit) record_args(node);
      children(node);
      return;
    }
    ++position_;
    switch (node->kind) {
      case NodeKind::AssignStmt:
        children(node);
        record_assign(as<AssignStmt>(node));
        return;
      case NodeKind::ReturnStmt:
        children(node);
        for (const Expr* value : as<ReturnStmt>(node)->value) record_access(value);
        return;
      case NodeKind::ForStmt:
        loop(node, as<ForStmt>(node)->iter_args, as<ForStmt>(node)->return_vars, as<ForStmt>(node)->body);
        return;
      case NodeKind::WhileStmt:
        loop(node, as<WhileStmt>(node)->iter_args, as<WhileStmt>(node)->return_vars, as<WhileStmt>(node)->body);
        return;
      case NodeKind::IfStmt:
        branch(as<IfStmt>(node));
        return;
      case NodeKind::YieldStmt:
        children(node);
        yield_ = as<YieldStmt>(node);
        return;
      default:
        children(node);
    }
  }

 private:
  // --- recording

  void define(const Var* var) { definitions_[var] = {position_, body_}; }

  void record_access(const Expr* value) {
    for (int root : roots_.of(value)) accesses_[static_cast<size_t>(root)].push_back(position_);
  }

  void record_args(const Node* e) {
    const Call* call = as<Call>(e);
    bool is_operator = call != nullptr && !call->op->is_global_var;
    List<const Expr*> args = call != nullptr ? call->args : as<Submit>(e)->args;
    for (size_t i = 0; i < args.size(); ++i) {
      if (as_tensor(args[i]->type) == nullptr) continue;
      const Operand* operand = is_operator ? op_info(call->op->id).operand_at(i) : nullptr;
      if (operand == nullptr || operand->effect != Effect::None) record_access(args[i]);
    }
  }

  void record_assign(const AssignStmt* s) {
    define(s->var);
    const Call* call = as<Call>(s->value);
    if (call == nullptr) return;
    if (call->op->id == OpId::TensorCreate) {
      std::optional<int> root = roots_.single(s->var);
      if (root) created_[s->var] = {call, position_, body_, *root};
    } else if (call->op->id == OpId::TensorAssemble && call->args.size() == 3) {
      assembles_.push_back({s->var, call, position_, body_});
      for (int root : roots_.of(call->args[1])) ++sources_[static_cast<size_t>(root)];
    }
  }

  void loop(const Node* s, List<const Var*> iter_args, List<const Var*> return_vars, const Stmt* body) {
    for (const Var* var : iter_args) walk(as<IterArg>(var)->init_value);
    enter([&] {
      if (const ForStmt* counted = as<ForStmt>(s)) {
        define(counted->loop_var);
        walk(counted->start);
        walk(counted->stop);
        walk(counted->step);
      } else {
        walk(as<WhileStmt>(s)->condition);
      }
      for (const Var* var : iter_args) define(var);
      yield_ = nullptr;
      walk(body);
    });
    yields_[s] = {yield_, nullptr};
    ++position_;
    for (const Var* var : return_vars) define(var);
    inner_first_.push_back(s);
  }

  void branch(const IfStmt* s) {
    walk(s->condition);
    const YieldStmt* first = nullptr;
    enter([&] {
      yield_ = nullptr;
      walk(s->then_body);
      first = yield_;
    });
    enter([&] {
      yield_ = nullptr;
      walk(s->else_body);
    });
    yields_[s] = {first, yield_};
    ++position_;
    for (const Var* var : s->return_vars) define(var);
    inner_first_.push_back(s);
  }

  template <class F>
  void enter(F inside) {
    int outer = body_;
    bodies_.push_back(outer);
    body_ = static_cast<int>(bodies_.size()) - 1;
    inside();
    body_ = outer;
  }

  // --- judging

  bool is_inside(int body, int outer) const {
    while (body >= 0 && body != outer) body = bodies_[static_cast<size_t>(body)];
    return body == outer;
  }

  bool defined_before(const Node* e, const Created& created) const {
    if (const Var* var = as<Var>(e)) {
      const Definition* at = definitions_.find(var);
      return at == nullptr || (at->position < created.position && is_inside(created.body, at->body));
    }
    bool all = true;
    for_each_child(e, [&](const Node* child) { all = all && defined_before(child, created); });
    return all;
  }

  // Whether any position of an access lies in [from, to].
  bool accessed(int root, int from, int to) const {
    const std::vector<int>& at = accesses_[static_cast<size_t>(root)];
    auto first = std::lower_bound(at.begin(), at.end(), from);
    return first != at.end() && *first <= to;
  }

  static bool fits(const Call* create, const Call* assemble) {
    if (find_attr(create->kwargs, "init_value") != nullptr) return false;
    if (bool_attr(create->kwargs, "manual_dep", false)) return false;
    const AttrValue* atomic = find_attr(assemble->kwargs, "atomic");
    if (atomic != nullptr && (atomic->kind() != AttrKind::Int || atomic->as_int() != 0)) return false;
    const TensorType* part = as_tensor(create->type);
    const TensorType* whole = as_tensor(assemble->args[0]->type);
    const MakeTuple* offsets = as<MakeTuple>(assemble->args[2]);
    return part != nullptr && whole != nullptr && offsets != nullptr && part->dtype == whole->dtype &&
           part->shape.size() <= whole->shape.size() && offsets->elements.size() == whole->shape.size() &&
           is_plain(part) && is_plain(whole);
  }
  static bool is_plain(const TensorType* t) {
    return t->view == nullptr || (t->view->layout == TensorLayout::Nd && t->view->stride.empty());
  }

  void judge(size_t index) {
    const Assemble& assemble = assembles_[index];
    const Expr* source = assemble.call->args[1];
    const Var* var = identities_.of(source);
    const Created* created = var != nullptr ? created_.find(var) : nullptr;
    std::optional<int> root = roots_.single(source);
    if (created == nullptr || !root || *root != created->root) return;
    if (sources_[static_cast<size_t>(*root)] != 1 || assemble.body != created->body) return;
    if (!fits(created->call, assemble.call)) return;
    const Expr* target = out_.replacement(as<Var>(assemble.call->args[0]));
    if (target == nullptr || !defined_before(target, *created) || !defined_before(assemble.call->args[2], *created))
      return;
    // The temporary lives from the create to the assemble, the target rests in between.
    if (accessed(*root, 0, created->position - 1) || accessed(*root, assemble.position + 1, position_)) return;
    for (int behind : roots_.of(target))
      if (accessed(behind, created->position, assemble.position - 1)) return;
    out_.assembles_[var] = assemble.call;
    out_.replacements_[assemble.result] = target;
    ++out_.count_;
  }

  // --- carries

  const Expr* now(const Expr* value) const {
    const Var* var = as<Var>(value);
    return var != nullptr ? out_.replacement(var) : value;
  }

  void drop_carries(const Node* s) {
    const auto* yields = yields_.find(s);
    if (yields == nullptr || yields->first == nullptr) return;
    if (const IfStmt* branch = as<IfStmt>(s)) {
      drop_results(branch, yields->first, yields->second);
      return;
    }
    if (const ForStmt* loop = as<ForStmt>(s))
      drop_carries(loop->iter_args, loop->return_vars, yields->first->value);
    else if (const WhileStmt* repeat = as<WhileStmt>(s))
      drop_carries(repeat->iter_args, repeat->return_vars, yields->first->value);
  }
  void drop_carries(List<const Var*> iter_args, List<const Var*> results, List<const Expr*> values) {
    for (size_t i = 0; i < iter_args.size() && i < values.size() && i < results.size(); ++i) {
      if (now(values[i]) != iter_args[i] || values[i] == iter_args[i]) continue;  // only what this pass did
      const Expr* start = now(as<IterArg>(iter_args[i])->init_value);
      if (!is_var(start->kind)) continue;
      out_.replacements_[iter_args[i]] = start;
      out_.replacements_[results[i]] = start;
    }
  }

  void drop_results(const IfStmt* s, const YieldStmt* first, const YieldStmt* second) {
    if (second == nullptr) return;
    for (size_t i = 0; i < s->return_vars.size(); ++i) {
      if (i >= first->value.size() || i >= second->value.size()) continue;
      const Expr* a = now(first->value[i]);
      const Expr* b = now(second->value[i]);
      if (a == b && is_var(a->kind) && (a != first->value[i] || b != second->value[i]))
        out_.replacements_[s->return_vars[i]] = a;
    }
  }

  const FunctionRoots& roots_;
  TensorIdentities identities_;
  FuseCandidates& out_;
  int position_ = 0;
  int body_ = 0;
  std::vector<int> bodies_;                 // the body around each body of a loop or branch
  std::vector<std::vector<int>> accesses_;  // positions, by root, ascending
  NodeMap<Definition> definitions_;
  NodeMap<Created> created_;
  std::vector<int> sources_;  // assembles that may take a buffer, by root
  std::vector<Assemble> assembles_;
  NodeMap<std::pair<const YieldStmt*, const YieldStmt*>> yields_;  // of a loop; of both branches of an if
  const YieldStmt* yield_ = nullptr;
  std::vector<const Node*> inner_first_;  // loops and ifs
};

FuseCandidates::FuseCandidates(const Function* f, const Program* program, BufferRoots& roots, ReturnedParams& callees) {
  FuseAnalysis(f, program, roots, callees, *this);
}

const Call* FuseCandidates::assemble_of(const Var* created) const {
  const Call* const* found = assembles_.find(created);
  return found != nullptr ? *found : nullptr;
}

const Expr* FuseCandidates::replacement(const Var* var) const {
  const Expr* now = var;
  while (const Var* at = as<Var>(now)) {
    const Expr* const* next = replacements_.find(at);
    if (next == nullptr) break;
    now = *next;
  }
  return now;
}

}  // namespace pyptoc::passes
