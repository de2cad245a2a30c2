// SPDX-License-Identifier: Apache-2.0
#include "passes/lower_l2_tensor_collectives.h"

#include <fmt/format.h>

#include "diag/codes_host.h"
#include "ir/contains.h"
#include "ir/op_table.h"
#include "ir/rewriter.h"
#include "ir/walker.h"
#include "passes/collective_kernels.h"
#include "passes/collective_launch.h"
#include "passes/contiguity.h"
#include "passes/run_time_check.h"
#include "passes/task_program.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

bool is_collective_call(const Node* node) {
  const Call* call = as<Call>(node);
  return call != nullptr && !call->op->is_global_var && is_collective(call->op->id);
}

// Collectives that a kernel cannot run.
class NotInKernels : public Walker {
 public:
  NotInKernels(const Function* f, diag::Engine& diags) : diags_(diags) { walk(f->body); }

 protected:
  void visit(const Node* node) override {
    const Call* call = as<Call>(node);
    const CollectiveInfo* info = call != nullptr && !call->op->is_global_var ? collective_of(call) : nullptr;
    if (info != nullptr && !info->on(Rail::InCore))
      diags_.report(diag::codes::collective_not_on_rail, place_of(call), info->public_name, "kernel");
    children(node);
  }

 private:
  diag::Engine& diags_;
};

// Tensors that have been checked on the way to a statement. A block forgets at its end what it added.
class Checked {
 public:
  bool insert(const Node* key) {
    bool& known = known_[key];
    if (known) return false;
    known = true;
    log_.push_back(key);
    return true;
  }
  size_t mark() const { return log_.size(); }
  void forget(size_t mark) {
    for (; log_.size() > mark; log_.pop_back()) known_[log_.back()] = false;
  }

 private:
  NodeMap<bool> known_;
  std::vector<const Node*> log_;
};

class Lowering : public Rewriter {
 public:
  Lowering(const Program* program, PassContext& context)
      : Rewriter(context.ir),
        program_(program),
        pass_(context),
        roots_(program, context.roots),
        returned_(roots_),
        kernels_(program, context) {}

  const Function* function(const Function* f) override {
    if (is_kernel(f)) NotInKernels(f, pass_.diags);
    if (!submits_tasks(f) || !contains(f->body, is_collective_call)) return f;
    contiguity_.emplace(f, program_, returned_);
    identities_.emplace(f, program_, returned_);
    buffers_ = &roots_.of(f);
    checked_ = Checked();
    return Rewriter::function(f);
  }

  const Program* finish(const Program* changed) {
    std::vector<const Function*> made = kernels_.made();
    if (made.empty()) return changed;
    std::vector<const Function*> all(changed->functions.begin(), changed->functions.end());
    all.insert(all.end(), made.begin(), made.end());
    return context().program(changed->name, std::move(all), changed->span);
  }

 protected:
  using Rewriter::rewrite;
  const Stmt* rewrite(const Stmt* s) override {
    switch (s->kind) {
      case NodeKind::AssignStmt:
        return lowered(s, as<AssignStmt>(s)->value);
      case NodeKind::EvalStmt:
        return lowered(s, as<EvalStmt>(s)->expr);
      case NodeKind::IfStmt:
        return branch(as<IfStmt>(s));
      case NodeKind::ForStmt:
      case NodeKind::WhileStmt: {
        const size_t before = checked_.mark();
        const Stmt* result = rebuild(s);
        checked_.forget(before);
        return result;
      }
      default:
        return rebuild(s);
    }
  }

 private:
  const Stmt* branch(const IfStmt* s) {
    IfStmt draft = *s;
    const size_t before = checked_.mark();
    draft.condition = expr(s->condition);
    draft.then_body = stmt(s->then_body);
    checked_.forget(before);
    if (s->else_body != nullptr) draft.else_body = stmt(s->else_body);
    checked_.forget(before);
    const bool changed =
        draft.condition != s->condition || draft.then_body != s->then_body || draft.else_body != s->else_body;
    return changed ? context().make(draft) : s;
  }

  const Stmt* lowered(const Stmt* s, const Expr* value) {
    const Call* call = as<Call>(value);
    if (call == nullptr || call->op->is_global_var || !is_collective(call->op->id)) return rebuild(s);
    const CollectiveInfo* info = collective_of(call);
    if (info == nullptr || !fits(*info, call)) return s;
    std::vector<const Expr*> args;
    for (const Expr* arg : call->args) args.push_back(expr(arg));
    CollectiveLaunch launch = collective_launch(*info, call, args, pass_);
    const bool contiguous = check_operands(*info, call);
    const bool apart = check_own_tensors(*info, call);
    const Function* kernel = kernels_.of(*variant_of(call), call);
    if (!launch.good || !contiguous || !apart || kernel == nullptr) return s;
    args.resize(info->operand_count);
    std::vector<const Stmt*> out = std::move(launch.before);
    for (size_t i = 0; i < args.size(); ++i) require_contiguous(*info, call, i, args[i], out);
    out.push_back(with_value(s, kernel_call(call, kernel, args, launch.blocks)));
    return context().seq(out, s->span);
  }

  // What the table says of the collective on this rail.
  bool fits(const CollectiveInfo& info, const Call* call) {
    if (info.id == Collective::IndexedAllToAllV && pass_.options.target.name != "a5") {
      pass_.diags.report(diag::codes::indexed_exchange_target, place_of(call), info.public_name,
                         pass_.options.target.name);
      return false;
    }
    if (call->args.size() < info.operand_count) {  // only the signal of an allreduce may be missing
      pass_.diags.report(diag::codes::collective_without_signal, place_of(call), info.public_name)
          .help("allocate a signal window in the host function and pass it to the chip function");
      return false;
    }
    if (variant_of(call)) return true;
    const Type* type = call->args[info.data_operand]->type;
    pass_.diags.report(diag::codes::collective_without_kernel, place_of(call), info.public_name,
                       name_of(as_tensor(type)->dtype));
    return false;
  }

  // The call as written, so that the place of a fault is the user's.
  bool check_operands(const CollectiveInfo& info, const Call* call) {
    bool good = true;
    for (size_t i = 0; i < info.operand_count; ++i) {
      const ContiguityFault* fault = contiguity_->fault_of(call->args[i]);
      if (fault == nullptr) continue;
      good = false;
      pass_.diags
          .report(diag::codes::collective_operand_layout, place_of(call), operand_text(info, i, call->args[i]),
                  info.public_name, fault->text)
          .note(as<Var>(fault->at) != nullptr ? "it is made here" : "this step is here", place_of(fault->at));
    }
    return good;
  }

  // No two operands are one tensor that this function made. Those of its caller are for CheckWindowProvenance.
  bool check_own_tensors(const CollectiveInfo& info, const Call* call) {
    bool good = true;
    for (size_t i = 0; i < info.operand_count; ++i) {
      const std::optional<int> root = buffers_->single(call->args[i]);
      if (!root || buffers_->root(*root).kind == Root::Kind::Param) continue;
      for (size_t j = i + 1; j < info.operand_count; ++j) {
        if (buffers_->single(call->args[j]) != root) continue;
        good = false;
        pass_.diags
            .report(diag::codes::collective_operands_alias, place_of(call), info.public_name,
                    operand_text(info, i, call->args[i]), operand_text(info, j, call->args[j]), "parts of one tensor")
            .note("it is made here", place_of(buffers_->root(*root).node));
      }
    }
    return good;
  }

  // What identifies the tensor, so that it is checked once for each path: the parameter or the create that it is, where
  // the storage says so too; else the value itself.
  const Node* key_of(const Expr* operand) const {
    const Var* same = identities_->of(operand);
    if (same == nullptr) return operand;
    std::optional<int> root = buffers_->single(operand);
    return root && buffers_->single(same) == root ? same : operand;
  }

  void require_contiguous(const CollectiveInfo& info, const Call* call, size_t operand, const Expr* value,
                          std::vector<const Stmt*>& out) {
    if (!checked_.insert(key_of(call->args[operand]))) return;
    std::string_view role = op_info(info.op).operands[operand].name;
    const Var* var = as<Var>(value);
    std::string text = fmt::format("{}: operand {}", info.public_name, role);
    if (var != nullptr) text += fmt::format(" ('{}')", check_name(var->name_hint));
    out.push_back(run_time_check(context(), OpId::SystemRequireContiguous, {value}, text, call->span));
  }

  const Expr* kernel_call(const Call* call, const Function* kernel, const std::vector<const Expr*>& args,
                          const Expr* blocks) {
    Call draft = *call;
    draft.op = context().op(kernel->name, true);
    draft.args = context().list(args);
    draft.kwargs = {};
    rewrite_attrs(draft.attrs);
    std::vector<Attr> attrs(draft.attrs.begin(), draft.attrs.end());
    if (blocks != nullptr) {
      attrs.push_back({"core_num", AttrValue::of_expr(blocks)});
      attrs.push_back({"sync_start", AttrValue::of_bool(true)});
    }
    draft.attrs = context().list(attrs);
    return context().make(draft);
  }

  const Stmt* with_value(const Stmt* s, const Expr* value) {
    if (const AssignStmt* assign = as<AssignStmt>(s)) {
      AssignStmt draft = *assign;
      draft.value = value;
      return context().make(draft);
    }
    EvalStmt draft = *as<EvalStmt>(s);
    draft.expr = value;
    return context().make(draft);
  }

  const Program* program_;
  PassContext& pass_;
  BufferRoots roots_;
  ReturnedParams returned_;
  CollectiveKernels kernels_;
  std::optional<Contiguity> contiguity_;
  std::optional<TensorIdentities> identities_;
  const FunctionRoots* buffers_ = nullptr;
  Checked checked_;
};

}  // namespace

const Program* lower_l2_tensor_collectives(const Program* program, PassContext& context) {
  if (!program->contents.has(Content::Window)) return program;
  Lowering lowering(program, context);
  return lowering.finish(lowering.program(program));
}

}  // namespace pyptoc::passes
