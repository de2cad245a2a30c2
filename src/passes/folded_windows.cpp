// SPDX-License-Identifier: Apache-2.0
#include "passes/folded_windows.h"

#include "ir/op_table.h"
#include "ir/rewriter.h"
#include "ir/walker.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// The allocations of a function, and which of them are used: by anything but a view of them.
class WindowUses : public Walker {
 public:
  explicit WindowUses(const Function* f) { walk(f->body); }

  std::vector<const Var*> allocations;
  bool is_used(const Var* allocation) const { return used_.contains(allocation); }
  // What defines the allocation and its views.
  const std::vector<const Stmt*>& statements_of(const Var* allocation) const { return *statements_.find(allocation); }

 private:
  void visit(const Node* node) override {
    if (const AssignStmt* assign = as<AssignStmt>(node); assign != nullptr && defines(assign)) return;
    if (const Var* var = as<Var>(node))
      if (const Var* const* allocation = allocation_of_.find(var)) used_.insert(*allocation);
    children(node);
  }

  bool defines(const AssignStmt* s) {
    const Call* call = as<Call>(s->value);
    if (call != nullptr && call->op->id == OpId::PldTensorAllocWindowBuffer) {
      allocations.push_back(s->var);
      note(s, s->var);
      return true;
    }
    const Expr* viewed = is_var(s->value->kind) ? s->value : nullptr;
    if (call != nullptr && call->op->id == OpId::PldTensorWindow) viewed = call->args[0];
    if (call != nullptr && viewed == nullptr && !call->op->is_global_var) {
      const ResultStorage storage = op_info(call->op->id).result;
      if (storage.kind == ResultStorage::Kind::View && storage.operand < call->args.size())
        viewed = call->args[storage.operand];
    }
    const Var* const* allocation = viewed != nullptr ? allocation_of_.find(viewed) : nullptr;
    if (allocation == nullptr) return false;
    note(s, *allocation);
    return true;
  }
  void note(const AssignStmt* s, const Var* allocation) {
    allocation_of_[s->var] = allocation;
    statements_[allocation].push_back(s);
  }

  NodeMap<const Var*> allocation_of_;  // by the variable, itself or a view
  NodeMap<std::vector<const Stmt*>> statements_;
  NodeSet used_;
};

class Without : public Rewriter {
 public:
  Without(Context& context, const NodeSet& gone) : Rewriter(context), gone_(gone) {}

 protected:
  const Expr* rewrite(const Expr* e) override { return e; }
  const Stmt* rewrite(const Stmt* s) override { return gone_.contains(s) ? nullptr : rebuild(s); }

 private:
  const NodeSet& gone_;
};

}  // namespace

const Function* drop_folded_windows(const Function* before, const Function* after, Context& context) {
  if (before == after) return after;
  const WindowUses now(after);
  NodeSet gone;
  std::optional<WindowUses> then;
  for (const Var* allocation : now.allocations) {
    if (now.is_used(allocation)) continue;
    if (!then) then.emplace(before);
    if (!then->is_used(allocation)) continue;
    for (const Stmt* s : now.statements_of(allocation)) gone.insert(s);
  }
  return gone.size() == 0 ? after : Without(context, gone).function(after);
}

}  // namespace pyptoc::passes
