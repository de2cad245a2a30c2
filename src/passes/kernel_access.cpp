// SPDX-License-Identifier: Apache-2.0
#include "passes/kernel_access.h"

#include "ir/map_functions.h"
#include "ir/renamed_operand.h"
#include "ir/walker.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

class AccessWalk : public Walker {
 public:
  AccessWalk(const Function* f, BufferRoots& roots, const KnownDirections& known)
      : function_(f),
        program_(roots.program()),
        program_roots_(roots),
        known_(known),
        accesses_(f->params.size()),
        straight_(!f->contents.has_any(Content::Loop | Content::Branch | Content::Scope | Content::FunctionCall)) {
    for (size_t i = 0; i < f->params.size(); ++i) {
      names_[f->params[i]] = static_cast<int>(i) + 1;
      if (straight_) storage_[f->params[i]] = static_cast<int>(i) + 1;
    }
    walk(f->body);
  }
  std::vector<ParamAccess> result() && { return std::move(accesses_); }

 protected:
  void visit(const Node* node) override {
    if (const Call* call = as<Call>(node)) {
      for (size_t i = 0; i < call->args.size(); ++i) {
        if (as_tensor(call->args[i]->type) == nullptr) continue;
        Effect effect = call->op->is_global_var ? effect_of_callee(call->op, i) : effect_of_operator(call, i);
        mark(call->args[i], effect);
      }
    } else if (const Submit* submit = as<Submit>(node)) {
      for (size_t i = 0; i < submit->args.size(); ++i) mark(submit->args[i], effect_of_callee(submit->op, i));
    }
    // Without nested calls nothing below other expressions has an effect.
    if (!is_stmt(node->kind) && node->kind != NodeKind::Call && node->kind != NodeKind::Submit) return;
    bool outer = in_branch_;
    if (is_stmt(node->kind) && !is<ScopeStmt>(node) && node->kind != NodeKind::SeqStmts)
      in_branch_ = node->kind == NodeKind::IfStmt || (node->kind == NodeKind::YieldStmt && outer);
    children(node);
    if (node->kind == NodeKind::YieldStmt && in_branch_) hand_on(as<YieldStmt>(node));
    if (const AssignStmt* assign = as<AssignStmt>(node)) {
      name(assign);
      if (straight_ && as_tensor(assign->var->type) != nullptr) storage_.insert(assign->var, storage(assign->value));
    }
    in_branch_ = outer;
  }

 private:
  static Effect effect_of_operator(const Call* call, size_t position) {
    if (op_info(call->op->id).operand_at(position) == nullptr) return Effect::Read;
    return effect_of(call, position);
  }

  Effect effect_of_callee(const Op* op, size_t position) const {
    std::optional<ParamDirection> direction;
    if (const List<ParamDirection>* better = known_.find(op)) {
      if (position < better->size()) direction = (*better)[position];
    } else if (const Function* callee = program_->find(op)) {
      if (position < callee->param_directions.size()) direction = callee->param_directions[position];
    }
    if (direction == ParamDirection::Out) return Effect::Write;
    return direction == ParamDirection::InOut ? Effect::ReadWrite : Effect::Read;
  }

  // Names of a parameter after writes, outside of loops.
  void name(const AssignStmt* s) {
    const Call* call = as<Call>(s->value);
    const Expr* same = call != nullptr ? renamed_operand(call) : nullptr;
    const int* found = names_.find(same != nullptr ? same : s->value);
    if (found == nullptr) return;
    int param = *found;
    names_[s->var] = param;
  }

  // A branch that hands on a parameter may have left it, or parts of it, as they were.
  void hand_on(const YieldStmt* s) {
    for (const Expr* value : s->value)
      if (const int* param = names_.find(value)) accesses_[static_cast<size_t>(*param - 1)].read = true;
  }

  void mark(const Expr* value, Effect effect) {
    if (effect == Effect::None) return;
    if (const int param = storage(value); param != kUnknown) {
      if (param > 0) mark(static_cast<size_t>(param - 1), effect);
      return;
    }
    if (roots_ == nullptr) roots_ = &program_roots_.of(function_);
    for (int number : roots_->of(value)) {
      const Root& root = roots_->root(number);
      if (root.kind == Root::Kind::Param) mark(static_cast<size_t>(root.param), effect);
    }
  }
  void mark(size_t param, Effect effect) {
    accesses_[param].read |= reads(effect);
    accesses_[param].written |= writes(effect);
  }

  // In a body without control flow a value is part of one buffer, which follows from one operand after the other: the
  // parameter, index + 1; 0 for what is made here. Of other bodies, and of other values, the roots know.
  int storage(const Expr* value) const {
    if (const int* known = storage_.find(value)) return *known;
    const Call* call = straight_ ? as<Call>(value) : nullptr;
    if (call == nullptr || as_tensor(call->type) == nullptr || call->op->is_global_var) return kUnknown;
    const ResultStorage result = op_info(call->op->id).result;
    if (!result.shares_operand()) return 0;
    return result.operand < call->args.size() ? storage(call->args[result.operand]) : kUnknown;
  }
  static constexpr int kUnknown = -1;

  const Function* function_;
  const Program* program_;
  BufferRoots& program_roots_;
  const FunctionRoots* roots_ = nullptr;  // once they are needed
  const KnownDirections& known_;
  std::vector<ParamAccess> accesses_;
  bool straight_;           // neither loops nor branches nor calls of functions
  NodeMap<int> storage_;    // by tensor of a straight body
  NodeMap<int> names_;      // of a parameter, before or after writes, but not of a carry -> index + 1
  bool in_branch_ = false;  // the innermost loop or branch is a branch
};

}  // namespace

std::vector<ParamAccess> param_accesses(const Function* function, BufferRoots& roots, const KnownDirections& known) {
  return AccessWalk(function, roots, known).result();
}

const Program* infer_directions(const Program* program, const std::vector<std::string_view>& functions,
                                PassContext& context) {
  if (functions.empty()) return program;
  BufferRoots roots(program, context.roots);
  KnownDirections known;
  for (std::string_view name : functions) {
    const Function* f = program->find(context.ir.op(name, true));
    std::vector<ParamDirection> directions;
    for (const ParamAccess& access : param_accesses(f, roots, known)) directions.push_back(access.direction());
    known[f->op] = context.ir.list(directions);
  }
  return map_functions(program, context.ir, [&](const Function* f) {
    const List<ParamDirection>* found = known.find(f->op);
    if (found == nullptr) return f;
    Function draft = *f;
    draft.param_directions = *found;
    return context.ir.make(draft);
  });
}

}  // namespace pyptoc::passes
