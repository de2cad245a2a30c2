// SPDX-License-Identifier: Apache-2.0
#include "passes/lower_host_tensor_collectives.h"

#include "diag/codes_host.h"
#include "ir/map_functions.h"
#include "ir/op_table.h"
#include "ir/rewriter.h"
#include "passes/host_collective_checks.h"
#include "passes/leading_comments.h"
#include "passes/nested_rewriter.h"
#include "passes/rank_invariance.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

class Lowering : public NestedRewriter {
 public:
  Lowering(const Function* function, const HostDomains& domains, PassContext& context)
      : NestedRewriter(context.ir), context_(context), invariance_(function), checks_(function, domains, context) {}

  const Function* run(const Function* f) {
    const Function* now = function(f);
    checks_.finish();
    return checks_.with_checks(now);
  }

 protected:
  const Expr* rewrite(const Expr* e) override { return e; }
  const Stmt* rewrite(const Stmt* s) override {
    if (const AssignStmt* assign = as<AssignStmt>(s)) return lower(s, assign->value, assign->var);
    if (const EvalStmt* eval = as<EvalStmt>(s)) return lower(s, eval->expr, nullptr);
    if (const ReturnStmt* result = as<ReturnStmt>(s)) return lower_results(result);
    std::optional<Enclosing> outer = enclosing_;
    const Stmt* now = s;
    if (const IfStmt* branch = as<IfStmt>(s)) {
      enter("a branch", s, {branch->condition});
      now = inside(branch);
    } else if (const ForStmt* loop = as<ForStmt>(s)) {
      enter("a loop", s, {loop->start, loop->stop, loop->step});
      now = inside(s);
    } else if (const WhileStmt* repeat = as<WhileStmt>(s)) {
      enter("a loop", s, {repeat->condition});
      now = inside(s);
    } else {
      now = rebuild(s);
    }
    enclosing_ = outer;
    return now;
  }

 private:
  // A statement around this one that may run another number of times on each rank.
  struct Enclosing {
    std::string_view what;
    const Stmt* stmt;
    RankInvariance::Reason reason;
  };
  void enter(std::string_view what, const Stmt* s, std::initializer_list<const Expr*> conditions) {
    for (const Expr* condition : conditions)
      if (std::optional<RankInvariance::Reason> reason = invariance_.differs(condition))
        enclosing_ = Enclosing{what, s, *reason};
  }

  const Stmt* lower(const Stmt* s, const Expr* value, const Var* result) {
    std::vector<const Stmt*> out;
    const Expr* operand = dispatches(s, value, out);
    if (operand == nullptr) return s;
    if (result != nullptr) out.push_back(context().assign(result, operand, s->span));
    return seq_with_comments(context(), std::move(out), s->leading_comments, s->span);
  }

  const Stmt* lower_results(const ReturnStmt* s) {
    std::vector<const Stmt*> out;
    std::vector<const Expr*> values;
    for (const Expr* value : s->value) {
      const Expr* operand = dispatches(s, value, out);
      values.push_back(operand != nullptr ? operand : value);
    }
    if (out.empty()) return s;
    ReturnStmt draft = *s;
    draft.leading_comments = {};
    draft.value = context().list(values);
    out.push_back(context().make(draft));
    return seq_with_comments(context(), std::move(out), s->leading_comments, s->span);
  }

  // What the collective in `value` becomes, and the operand that is its result; null when there is none, or a fault.
  const Expr* dispatches(const Stmt* s, const Expr* value, std::vector<const Stmt*>& out) {
    const Call* call = as<Call>(value);
    if (call == nullptr || call->op->is_global_var || !is_collective(call->op->id)) return nullptr;
    const CollectiveInfo* info = collective_of(call);
    if (info == nullptr) return nullptr;  // the type rule has reported the mode
    if (enclosing_)
      context_.diags
          .report(diag::codes::collective_under_condition, place_of(s), info->public_name, enclosing_->what,
                  enclosing_->reason.text())
          .note("it starts here", place_of(enclosing_->stmt));
    const DeviceSet* devices = checks_.check(call, *info, s, around());
    if (devices == nullptr) return nullptr;
    if (devices->is_every()) {
      out.push_back(loop(call, *info));
    } else {
      for (int64_t device : devices->devices())
        out.push_back(dispatch(call, *info, context().const_int(device, DType::Int64, call->span)));
    }
    return call->args[info->data_operand];
  }

  const Stmt* loop(const Call* call, const CollectiveInfo& info) {
    const Type* int64 = context().scalar_type(DType::Int64);
    ForStmt draft;
    draft.kind = NodeKind::ForStmt;
    draft.span = call->span;
    draft.loop_var = context().var("r", int64, call->span);
    draft.start = context().const_int(0, DType::Int64, call->span);
    draft.stop = context().call(context().op("pld.system.world_size", false), {}, int64, call->span);
    draft.step = context().const_int(1, DType::Int64, call->span);
    draft.body = dispatch(call, info, draft.loop_var);
    return context().make(draft);
  }

  const Stmt* dispatch(const Call* call, const CollectiveInfo& info, const Expr* device) {
    Call draft = *call;
    draft.op = context().op(op_name(info.builtin), false);
    draft.type = call->args[info.data_operand]->type;
    std::vector<const Expr*> args(call->args.begin(), call->args.end());
    std::vector<Attr> kwargs = keywords(call, info, args);
    std::vector<int32_t> directions;
    for (size_t i = 0; i < args.size(); ++i)
      directions.push_back(static_cast<int32_t>(i < info.operand_count ? info.directions[i] : ArgDirection::Scalar));
    std::vector<Attr> attrs = kwargs;
    attrs.push_back({"device", AttrValue::of_expr(device)});
    attrs.push_back({"arg_directions", AttrValue::of_ints(AttrKind::ArgDirectionVector, context().list(directions))});
    draft.args = context().list(args);
    draft.kwargs = context().list(kwargs);
    draft.attrs = context().list(attrs);
    EvalStmt eval;
    eval.kind = NodeKind::EvalStmt;
    eval.span = call->span;
    eval.expr = context().make(draft);
    return context().make(eval);
  }

  // In the order of the builtin's row. A constant width is a keyword, another one the last argument.
  std::vector<Attr> keywords(const Call* call, const CollectiveInfo& info, std::vector<const Expr*>& args) {
    std::vector<Attr> out;
    for (const Keyword& keyword : op_info(info.builtin).keywords) {
      const AttrValue* given = find_attr(call->kwargs, keyword.name);
      if (keyword.name == "dtype") {
        out.push_back({keyword.name, AttrValue::of_dtype(as_tensor(call->args[info.data_operand]->type)->dtype)});
      } else if (keyword.name == "core_num" && args.size() > info.operand_count) {
        std::optional<int64_t> width = const_int(args[info.operand_count]);
        if (!width) continue;
        args.resize(info.operand_count);
        out.push_back({keyword.name, AttrValue::of_int(*width)});
      } else if (keyword.name == "core_num" && given == nullptr) {
        out.push_back({keyword.name, AttrValue::of_int(1)});
      } else if (given != nullptr) {
        out.push_back({keyword.name, *given});
      }
    }
    return out;
  }

  PassContext& context_;
  RankInvariance invariance_;
  HostCollectiveChecks checks_;
  std::optional<Enclosing> enclosing_;  // the innermost of these that may differ from rank to rank
};

}  // namespace

const Program* lower_host_tensor_collectives(const Program* program, PassContext& context) {
  return map_functions(program, context.ir, [&](const Function* f) {
    if (!is_host_orchestrator(f)) return f;
    HostDomains domains(f);
    return Lowering(f, domains, context).run(f);
  });
}

}  // namespace pyptoc::passes
