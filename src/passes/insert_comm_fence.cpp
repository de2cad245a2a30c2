// SPDX-License-Identifier: Apache-2.0
#include "passes/insert_comm_fence.h"

#include <fmt/format.h>

#include "diag/codes_host.h"
#include "ir/equal.h"
#include "ir/map_functions.h"
#include "ir/op_table.h"
#include "ir/rewriter.h"
#include "passes/caller_obligations.h"
#include "passes/collective_kernels.h"
#include "passes/shared_tensors.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

OpId operator_of(const Stmt* s) {
  const AssignStmt* assign = as<AssignStmt>(s);
  const EvalStmt* eval = as<EvalStmt>(s);
  const Call* call = as<Call>(assign != nullptr ? assign->value : eval != nullptr ? eval->expr : nullptr);
  return call != nullptr && !call->op->is_global_var ? call->op->id : OpId::Unknown;
}

bool is_marker(const Stmt* s) {
  const OpId id = operator_of(s);
  return id == OpId::SystemCacheinvalid || id == OpId::SystemFence;
}

// Adds the markers to one kernel.
class Markers : public Rewriter {
 public:
  explicit Markers(Context& context) : Rewriter(context) {}

  const Function* kernel(const Function* f, bool invalidate_at_entry) {
    const Stmt* body = stmt(f->body);
    if (invalidate_at_entry && !begins_with_invalidate(body))
      body = context().seq({invalidate(f->span), body}, f->body->span);
    if (body == f->body) return f;
    Function draft = *f;
    draft.body = body;
    return context().make(draft);
  }

 protected:
  const Expr* rewrite(const Expr* e) override { return e; }
  const Stmt* rewrite(const Stmt* s) override {
    const SeqStmts* seq = as<SeqStmts>(s);
    if (seq == nullptr) return single(s);
    std::vector<const Stmt*> out;
    bool changed = false;
    for (size_t i = 0; i < seq->stmts.size(); ++i) {
      const Stmt* old = seq->stmts[i];
      const Stmt* now = is<SeqStmts>(old) ? stmt(old) : rebuild(old);
      changed |= now != old;
      out.push_back(now);
      std::vector<const Stmt*> markers = markers_of(old);
      if (markers.empty() || (i + 1 < seq->stmts.size() && is_marker(seq->stmts[i + 1]))) continue;
      out.insert(out.end(), markers.begin(), markers.end());
      changed = true;
    }
    if (!changed) return s;
    SeqStmts draft = *seq;
    draft.stmts = context().list(out);
    return context().make(draft);
  }

 private:
  const Stmt* single(const Stmt* s) {
    const Stmt* now = rebuild(s);
    std::vector<const Stmt*> out = markers_of(s);
    if (out.empty()) return now;
    out.insert(out.begin(), now);
    return context().seq(out, s->span);
  }

  static bool begins_with_invalidate(const Stmt* body) {
    const SeqStmts* seq = as<SeqStmts>(body);
    const Stmt* first = seq != nullptr && !seq->stmts.empty() ? seq->stmts.front() : body;
    return operator_of(first) == OpId::SystemCacheinvalid;
  }

  // What stands behind a statement.
  std::vector<const Stmt*> markers_of(const Stmt* s) {
    const AssignStmt* assign = as<AssignStmt>(s);
    const EvalStmt* eval = as<EvalStmt>(s);
    const Call* call = as<Call>(assign != nullptr ? assign->value : eval != nullptr ? eval->expr : nullptr);
    if (call == nullptr || call->op->is_global_var) return {};
    switch (call->op->id) {
      case OpId::PldSystemWait:
        return {invalidate(s->span)};
      case OpId::PldSystemNotify:
      case OpId::SystemCacheinvalid:
        return {};
      case OpId::PldTensorPut:
      case OpId::PldTensorRemoteStore:
      case OpId::PldTilePut:
      case OpId::PldTileRemoteStore:
        return {fence(s->span)};
      default:
        break;
    }
    if (is_collective(call->op->id)) return {};
    for (size_t i = 0; i < call->args.size(); ++i) {
      const TensorType* type = as_tensor(call->args[i]->type);
      if (type == nullptr || !writes(effect_of(call, i))) continue;
      if (is_distributed(type) || call->op->id == OpId::TensorWrite)
        return {clean(call->args[i], type, s->span), fence(s->span)};
    }
    return {};
  }

  const Stmt* invalidate(const Span* span) { return marker(OpId::SystemCacheinvalid, {}, span); }
  const Stmt* fence(const Span* span) { return marker(OpId::SystemFence, {}, span); }
  const Stmt* clean(const Expr* tensor, const TensorType* type, const Span* span) {
    std::vector<const Expr*> zeros(type->shape.size(), context().const_int(0, DType::Index, span));
    std::vector<const Expr*> shape(type->shape.begin(), type->shape.end());
    return marker(OpId::SystemCacheinvalid, {tensor, tuple(shape, span), tuple(zeros, span)}, span);
  }
  const Expr* tuple(const std::vector<const Expr*>& elements, const Span* span) {
    std::vector<const Type*> types;
    for (const Expr* e : elements) types.push_back(e->type);
    MakeTuple draft;
    draft.kind = NodeKind::MakeTuple;
    draft.span = span;
    draft.type = context().tuple_type(types);
    draft.elements = context().list(elements);
    return context().make(draft);
  }
  const Stmt* marker(OpId op, const std::vector<const Expr*>& args, const Span* span) {
    EvalStmt draft;
    draft.kind = NodeKind::EvalStmt;
    draft.span = span;
    draft.expr =
        context().call(context().op(op_name(op), false), args, context().plain_type(TypeKind::UnknownType), span);
    return context().make(draft);
  }
};

// What an external kernel has to do itself.
const Function* with_duties(const Function* f, const SharedTensors& shared, PassContext& pass) {
  std::vector<std::string> duties;
  for (size_t i = 0; i < f->params.size(); ++i) {
    if (as_tensor(f->params[i]->type) == nullptr) continue;
    const SharedTensors::Use use = shared.use(f, i);
    std::string_view name = f->params[i]->name_hint;
    if (!use.collective_before.empty() && f->param_directions[i] != ParamDirection::Out) {
      pass.diags.report(diag::codes::external_reads_collective, place_of(f), f->name, name, use.collective_before);
      duties.push_back(
          fmt::format("invalidates the data cache at its entry before it reads elements of `{}`, which `{}` writes",
                      name, use.collective_before));
    }
    if (!use.collective_after.empty() && f->param_directions[i] != ParamDirection::In) {
      pass.diags.report(diag::codes::external_writes_for_collective, place_of(f), f->name, name, use.collective_after);
      duties.push_back(fmt::format("cleans the cache lines of elements that it writes to `{}`, which `{}` reads", name,
                                   use.collective_after));
    }
  }
  return add_obligations(f, duties, pass.ir);
}

}  // namespace

const Program* insert_comm_fence(const Program* program, PassContext& context) {
  if (!program->contents.has_any(Content::Window | Content::ElementWrite)) return program;
  BufferRoots roots(program, context.roots);
  SharedTensors shared(program, roots);
  Markers markers(context.ir);
  return map_functions(program, context.ir, [&](const Function* f) {
    if (is_kernel(f) && find_attr(f->attrs, "external_source") != nullptr) return with_duties(f, shared, context);
    if (!is_kernel(f) || collective_variant(f)) return f;
    bool stale = false;
    for (size_t i = 0; i < f->params.size(); ++i)
      stale |= shared.reads_elements(f, i) && shared.use(f, i).after_elements;
    return markers.kernel(f, stale);
  });
}

}  // namespace pyptoc::passes
