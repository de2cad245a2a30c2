// SPDX-License-Identifier: Apache-2.0
#include "passes/convert_tensor_to_tile_ops.h"

#include <string>

#include "diag/codes_front.h"
#include "ir/function_map.h"
#include "ir/map_functions.h"
#include "ir/rewriter.h"
#include "ir/walker.h"
#include "passes/call_graph.h"
#include "passes/kernel_access.h"
#include "passes/output_tensors.h"
#include "passes/returned_params.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// The parameters that a function got, all last and Out.
struct Added {
  const Function* before = nullptr;
  std::vector<const Var*> params;
};
using AddedParams = FunctionMap<Added>;

const TensorType* packed(const Type* type, Context& context) {
  const TensorType* tensor = as_tensor(type);
  return context.tensor_type(tensor->dtype, tensor->shape);
}

// --- kernels

// Stores what the kernel made to its new parameters, in front of the return.
class StoreResults : public Rewriter {
 public:
  StoreResults(Context& context, const std::vector<const Var*>& targets) : Rewriter(context), targets_(targets) {}

 protected:
  const Expr* rewrite(const Expr* e) override { return e; }
  const Stmt* rewrite(const Stmt* s) override {
    if (s->kind == NodeKind::AssignStmt || s->kind == NodeKind::EvalStmt) return s;
    const ReturnStmt* result = as<ReturnStmt>(s);
    if (result == nullptr) return rebuild(s);
    std::vector<const Expr*> values = returned_values(result, targets_.size(), context());
    std::vector<const Stmt*> out;
    for (size_t i = 0; i < values.size() && i < targets_.size(); ++i)
      if (targets_[i] != nullptr) values[i] = store(values[i], targets_[i], out);
    ReturnStmt draft = *result;
    draft.value = context().list(values);
    out.push_back(context().make(draft));
    return context().seq(out, s->span);
  }

 private:
  const Expr* store(const Expr* value, const Var* target, std::vector<const Stmt*>& out) {
    std::vector<const Expr*> zeros(as_tensor(target->type)->shape.size(), context().const_int(0));
    const Op* assemble = context().op("tensor.assemble", false);
    const Call* call =
        context().call(assemble, {target, value, tuple_expr(zeros, context())}, target->type, value->span);
    const Var* stored = context().var(std::string(target->name_hint) + "_stored", target->type, value->span);
    out.push_back(context().assign(stored, call, value->span));
    return stored;
  }

  const std::vector<const Var*>& targets_;  // null for a result that needs no store
};

class DefinedInBody : public Walker {
 public:
  // The first variable of the expressions that the body defines, or null.
  const Var* find(const Function* f, List<const Expr*> extents) {
    for (const Expr* e : extents) collect(e);
    if (wanted_.size() > 0) walk(f->body);
    return found_;
  }

 protected:
  void visit(const Node* node) override {
    const AssignStmt* assign = as<AssignStmt>(node);
    if (assign != nullptr && wanted_.contains(assign->var)) found_ = assign->var;
    if (const ForStmt* loop = as<ForStmt>(node); loop != nullptr && wanted_.contains(loop->loop_var))
      found_ = loop->loop_var;
    if (found_ == nullptr && is_stmt(node->kind)) children(node);
  }

 private:
  void collect(const Node* e) {
    if (is<Var>(e))
      wanted_.insert(e);
    else
      for_each_child(e, [&](const Node* child) { collect(child); });
  }

  NodeSet wanted_;
  const Var* found_ = nullptr;
};

class Kernels {
 public:
  Kernels(const Program* program, PassContext& context)
      : context_(context), roots_(program, context.roots), returned_(roots_) {}

  const Function* convert(const Function* f, AddedParams& added) {
    Function draft = *f;
    bool changed = set_directions(f, draft);
    std::vector<const Var*> targets(f->return_types.size(), nullptr);
    Added mine{f, {}};
    const auto& returned = returned_.of(f);
    for (size_t i = 0; i < f->return_types.size(); ++i) {
      if (as_tensor(f->return_types[i]) == nullptr || returned[i]) continue;
      if (!has_known_shape(f, f->return_types[i])) continue;
      std::string name = std::string(f->name) + "_out" + std::to_string(i);
      targets[i] = context_.ir.var(name, packed(f->return_types[i], context_.ir), f->span);
      mine.params.push_back(targets[i]);
    }
    if (!mine.params.empty()) {
      append_out_params(draft, mine.params, context_.ir);
      draft.body = StoreResults(context_.ir, targets).stmt(f->body);
      added[f->op] = mine;
      changed = true;
    }
    return changed ? context_.ir.make(draft) : f;
  }

 private:
  bool set_directions(const Function* f, Function& draft) {
    std::vector<ParamAccess> accesses = param_accesses(f, roots_, {});
    std::vector<ParamDirection> directions(f->param_directions.begin(), f->param_directions.end());
    bool changed = false;
    for (size_t i = 0; i < directions.size(); ++i) {
      if (directions[i] != ParamDirection::In || !accesses[i].written) continue;
      directions[i] = accesses[i].direction();
      changed = true;
    }
    if (changed) draft.param_directions = context_.ir.list(directions);
    return changed;
  }

  bool has_known_shape(const Function* f, const Type* type) {
    const Var* inner = DefinedInBody().find(f, as_tensor(type)->shape);
    if (inner != nullptr)
      context_.diags.report(diag::codes::result_shape_in_kernel, place_of(inner), f->name, inner->name_hint);
    return inner == nullptr;
  }

  PassContext& context_;
  BufferRoots roots_;
  ReturnedParams returned_;
};

// --- callers

class Callers : public Rewriter {
 public:
  Callers(Context& context, const AddedParams& added) : Rewriter(context), added_(added) {}

  // A wrapper gets the parameters of what it calls; any other function creates the tensors.
  const Function* convert(const Function* f, std::vector<const Var*>* wrapper_params) {
    wrapper_params_ = wrapper_params;
    const Stmt* body = stmt(f->body);
    if (body == f->body) return f;
    Function draft = *f;
    draft.body = body;
    if (wrapper_params != nullptr) append_out_params(draft, *wrapper_params, context());
    return context().make(draft);
  }

 protected:
  const Stmt* rewrite(const Stmt* s) override {
    std::vector<const Stmt*> outer;
    outer.swap(creates_);
    const Stmt* now = rebuild(s);
    creates_.swap(outer);
    if (outer.empty() || now == s) return now;
    outer.push_back(now);
    return context().seq(outer, s->span);
  }

  const Expr* rewrite(const Expr* e) override {
    const Op* op = called_function(e);
    const Added* found = op != nullptr ? added_.find(op) : nullptr;
    if (found == nullptr) return e;
    const Added& added = *found;
    List<const Expr*> args = call_args(e);
    if (args.size() != added.before->params.size()) return e;  // the runtime makes the Out tensors
    std::vector<const Expr*> all(args.begin(), args.end());
    InCallersTerms terms(context(), added.before, args);
    for (const Var* param : added.params) all.push_back(tensor_for(param, terms, e->span));
    return with_args(e, all, context());
  }

 private:
  const Expr* tensor_for(const Var* param, InCallersTerms& terms, const Span* span) {
    const Var* var = context().var(param->name_hint, terms.type(param->type), span);
    if (wrapper_params_ != nullptr) {
      wrapper_params_->push_back(var);
      return var;
    }
    creates_.push_back(create_tensor(var, false, context()));
    return var;
  }

  const AddedParams& added_;
  std::vector<const Var*>* wrapper_params_ = nullptr;
  std::vector<const Stmt*> creates_;  // in front of the statement that is being rewritten
};

}  // namespace

const Program* convert_tensor_to_tile_ops(const Program* program, PassContext& context) {
  Kernels kernels(program, context);
  AddedParams added;
  return map_functions(program, callees_first(program), context.ir, [&](const Function* f) {
    const Function* now = f;
    bool external = find_attr(f->attrs, "external_source") != nullptr;
    if (f->func_type == FunctionType::InCore && !external) {
      now = kernels.convert(f, added);
    } else if (!is_kernel(f) && !added.empty()) {
      std::vector<const Var*> params;
      now = Callers(context.ir, added).convert(f, is_wrapper(f) ? &params : nullptr);
      if (!params.empty()) added[f->op] = {f, params};
    }
    return now;
  });
}

}  // namespace pyptoc::passes
