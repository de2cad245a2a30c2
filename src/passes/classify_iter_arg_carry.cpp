// SPDX-License-Identifier: Apache-2.0
#include "passes/classify_iter_arg_carry.h"

#include <fmt/format.h>

#include <memory>

#include "diag/codes_orch.h"
#include "ir/renamed_operand.h"
#include "ir/rewriter.h"
#include "passes/array_stores.h"
#include "passes/buffer_roots.h"
#include "passes/id_arrays.h"
#include "passes/integer_arithmetic.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

class Classifier : public Rewriter {
 public:
  Classifier(PassContext& pass, BufferRoots& roots) : Rewriter(pass.ir), pass_(pass), roots_(roots) {}

  const Function* function(const Function* f) override {
    if (!is_chip_orchestration(f) || !f->contents.has(Content::Loop)) return f;
    ids_ = std::make_unique<IdArrays>(f);
    if (const Var* carry = ids_->too_many())
      pass_.diags.report(diag::codes::too_many_task_ids, place_of(carry), carry->name_hint, IdArrays::kMost);
    return Rewriter::function(f);
  }

 protected:
  using Rewriter::rewrite;

  const Stmt* rewrite(const Stmt* s) override {
    if (const AssignStmt* assign = as<AssignStmt>(s)) {
      note(assign);
      return s;
    }
    if (const YieldStmt* yield = as<YieldStmt>(s)) {
      if (!yields_.empty()) yields_.back() = yield;
      return s;
    }
    if (const RuntimeScopeStmt* scope = as<RuntimeScopeStmt>(s)) {
      bool outer = manual_;
      manual_ |= scope->manual;
      const Stmt* result = rebuild(s);
      manual_ = outer;
      return result;
    }
    if (s->kind == NodeKind::IfStmt || s->kind == NodeKind::WhileStmt) {
      yields_.push_back(nullptr);
      const Stmt* result = rebuild(s);
      yields_.pop_back();
      return result;
    }
    const ForStmt* loop = as<ForStmt>(s);
    return loop != nullptr ? classify(loop) : rebuild(s);
  }

 private:
  // The variable whose C++ object the value is; the value itself where it is an object of its own.
  const Node* handle(const Expr* e) const {
    if (const TupleGetItemExpr* get = as<TupleGetItemExpr>(e)) {
      if (const MakeTuple* made = as<MakeTuple>(get->tuple))
        return handle(made->elements[static_cast<size_t>(get->index)]);
      const std::vector<const Node*>* elements = elements_.find(get->tuple);
      size_t index = static_cast<size_t>(get->index);
      return elements != nullptr && index < elements->size() ? (*elements)[index] : e;
    }
    const Node* const* known = handles_.find(e);
    return known != nullptr ? *known : e;
  }

  void note(const AssignStmt* s) {
    if (is_var(s->value->kind) || s->value->kind == NodeKind::TupleGetItemExpr) {
      handles_[s->var] = handle(s->value);
      if (const std::vector<const Node*>* elements = elements_.find(s->value)) {
        std::vector<const Node*> copy = *elements;
        elements_[s->var] = copy;
      }
      return;
    }
    if (s->value->kind == NodeKind::Call || s->value->kind == NodeKind::Submit) note_call(s);
  }

  void note_call(const AssignStmt* s) {
    const Call* call = as<Call>(s->value);
    const Op* op = call != nullptr ? call->op : as<Submit>(s->value)->op;
    List<const Expr*> args = call != nullptr ? call->args : as<Submit>(s->value)->args;
    if (!op->is_global_var) {
      // Not a view of it, which has a handle of its own.
      const Expr* same = call != nullptr ? renamed_operand(call) : nullptr;
      if (same != nullptr) handles_[s->var] = handle(same);
      return;
    }
    const Function* callee = roots_.program()->find(op);
    if (callee == nullptr) return;
    const auto& returned = roots_.returned_params(callee);
    auto result = [&](size_t k) -> const Node* {
      bool known = k < returned.size() && returned[k] && static_cast<size_t>(*returned[k]) < args.size();
      return known ? handle(args[static_cast<size_t>(*returned[k])]) : nullptr;
    };
    if (const TupleType* tuple = as_tuple(s->var->type)) {
      std::vector<const Node*> elements;
      for (size_t k = 0; k < tuple->types.size(); ++k) elements.push_back(result(k));
      elements_[s->var] = std::move(elements);
    } else if (const Node* same = result(0)) {
      handles_[s->var] = same;
    }
  }

  const Stmt* classify(const ForStmt* s) {
    yields_.push_back(nullptr);
    ForStmt draft = *s;
    draft.body = stmt(s->body);
    const YieldStmt* yield = yields_.back();
    yields_.pop_back();
    std::vector<Attr> attrs;
    for (const Attr& attr : s->attrs)
      if (!attr.key.starts_with("iter_arg_")) attrs.push_back(attr);
    for (size_t i = 0; i < s->iter_args.size(); ++i) {
      const IterArg* carry = as<IterArg>(s->iter_args[i]);
      const Expr* value = yield != nullptr && i < yield->value.size() ? yield->value[i] : carry;
      bool is_id = is_scalar_of(carry->type, DType::TaskId);
      bool rebinds = is_id || handle(value) != carry;
      attrs.push_back({context().intern(fmt::format("iter_arg_rebind_{}", i)), AttrValue::of_bool(rebinds)});
      if (is_id) add_extent(s, carry, i, attrs);
      if (i >= s->return_vars.size()) continue;
      // An array of a nested loop is another array than that of the loop around it.
      bool own = rebinds || as_array(carry->type) != nullptr;
      handles_[s->return_vars[i]] = own ? s->return_vars[i] : handle(carry->init_value);
    }
    if (!s->iter_args.empty()) draft.attrs = context().list(attrs);
    return draft.body == s->body && s->iter_args.empty() ? s : context().make(draft);
  }

  void add_extent(const ForStmt* s, const IterArg* carry, size_t slot, std::vector<Attr>& attrs) {
    const std::optional<int64_t> trips = trip_count(*s);
    if (manual_ && s->for_kind == ForKind::Parallel && (!trips || *trips == INT64_MAX)) {  // that many, or more
      pass_.diags.report(diag::codes::parallel_trip_count, place_of(s), carry->name_hint)
          .help("give the loop constant bounds, or make it a `pl.range` loop");
      return;
    }
    const int64_t extent = ids_->extent(slot < s->return_vars.size() ? s->return_vars[slot] : s->iter_args[slot]);
    if (extent > 0)
      attrs.push_back({context().intern(fmt::format("iter_arg_array_size_{}", slot)), AttrValue::of_int(extent)});
  }

  PassContext& pass_;
  BufferRoots& roots_;
  bool manual_ = false;
  NodeMap<const Node*> handles_;
  NodeMap<std::vector<const Node*>> elements_;
  std::unique_ptr<IdArrays> ids_;
  std::vector<const YieldStmt*> yields_;  // of the innermost loop or branch, once it was met
};

}  // namespace

const Program* classify_iter_arg_carry(const Program* program, PassContext& context) {
  BufferRoots roots(program, context.roots);
  const Program* classified = Classifier(context, roots).program(program);
  for (const Function* f : classified->functions)
    if (is_chip_orchestration(f) && f->contents.has(Content::Array)) check_array_stores(f, context.diags);
  return classified;
}

}  // namespace pyptoc::passes
