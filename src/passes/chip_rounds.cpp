// SPDX-License-Identifier: Apache-2.0
#include "passes/chip_rounds.h"

#include "ir/depth_guard.h"
#include "ir/op_table.h"
#include "passes/call_graph.h"
#include "passes/collective_kernels.h"
#include "passes/integer_arithmetic.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

constexpr size_t kMostRounds = 1000;  // of one chip function; more are not compared

class Rounds {
 public:
  Rounds(const Program* program, const FunctionRoots& roots, ChipRounds& out)
      : program_(program), roots_(roots), out_(out) {}

  // `known`: the statement runs exactly once, in program order.
  void stmt(const Stmt* s, bool known) {
    if (s == nullptr || out_.all_open) return;
    DepthGuard guard(depth_);
    if (const SeqStmts* seq = as<SeqStmts>(s)) {
      for (const Stmt* one : seq->stmts) stmt(one, known);
    } else if (const AssignStmt* assign = as<AssignStmt>(s)) {
      evaluate(assign->value, known);
    } else if (const EvalStmt* eval = as<EvalStmt>(s)) {
      evaluate(eval->expr, known);
    } else if (const ReturnStmt* result = as<ReturnStmt>(s)) {
      for (const Expr* value : result->value) evaluate(value, known);
    } else if (const IfStmt* branch = as<IfStmt>(s)) {
      stmt(branch->then_body, false);
      stmt(branch->else_body, false);
    } else if (const WhileStmt* repeat = as<WhileStmt>(s)) {
      stmt(repeat->body, false);
    } else if (const ForStmt* loop = as<ForStmt>(s)) {
      repeated(loop, known);
    } else if (is<ScopeStmt>(s)) {
      // Tasks of a manual scope are in the order that the program gives them.
      const RuntimeScopeStmt* scope = as<RuntimeScopeStmt>(s);
      stmt(static_cast<const ScopeStmt*>(s)->body, known && (scope == nullptr || !scope->manual));
    }
  }

 private:
  void repeated(const ForStmt* loop, bool known) {
    const std::optional<int64_t> trips = trip_count(*loop);
    if (!known || !trips) return stmt(loop->body, false);
    for (int64_t i = 0; i < *trips && !out_.all_open; ++i) {
      const size_t before = out_.rounds.size();
      stmt(loop->body, true);
      if (out_.rounds.size() == before) return;
      out_.all_open |= out_.rounds.size() > kMostRounds;
    }
  }

  void evaluate(const Expr* e, bool known) {
    const Op* op = called_function(e);
    const Function* callee = op != nullptr ? program_->find(op) : nullptr;
    if (callee == nullptr) return operation(as<Call>(e));
    const std::optional<CollectiveVariant> variant = collective_variant(callee);
    if (!variant) return touches(call_args(e));
    const CollectiveInfo& info = collective_info(variant->id);
    const Expr* signal = call_args(e)[info.signal_operand];
    const std::optional<size_t> param = param_of(signal);
    if (!param || !known || has_predicate(e) || variant->id == Collective::IndexedAllToAllV) return opens(signal);
    for (int i = 0; i < rounds_of(info); ++i) out_.rounds.push_back({*param, e, &info});
  }

  // The orchestration itself may change a cell.
  void operation(const Call* call) {
    if (call != nullptr && call->op->id == OpId::TensorWrite) touches(call->args);
  }
  void touches(List<const Expr*> args) {
    for (const Expr* arg : args)
      if (is_distributed(arg->type)) opens(arg);
  }
  void opens(const Expr* window) {
    const List<int> all = roots_.of(window);
    out_.all_open |= all.empty();
    for (const int number : all) {
      const Root& root = roots_.root(number);
      if (root.kind == Root::Kind::Param)
        out_.open.insert(static_cast<size_t>(root.param));
      else
        out_.all_open = true;
    }
  }
  std::optional<size_t> param_of(const Expr* window) const {
    const std::optional<int> number = roots_.single(window);
    if (!number || roots_.root(*number).kind != Root::Kind::Param) return std::nullopt;
    return static_cast<size_t>(roots_.root(*number).param);
  }

  const Program* program_;
  const FunctionRoots& roots_;
  ChipRounds& out_;
  int depth_ = 0;
};

}  // namespace

int rounds_of(const CollectiveInfo& info) {
  // A ring is one row of cells after the other; what counts is that it is not mixed with anything else.
  return info.id == Collective::Barrier || info.id == Collective::AllreduceRing ? 1 : 2;
}

ChipRounds chip_rounds(const Program* program, const Function* chip, BufferRoots& roots) {
  ChipRounds out;
  Rounds(program, roots.of(chip), out).stmt(chip->body, true);
  return out;
}

}  // namespace pyptoc::passes
