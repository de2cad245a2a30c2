// SPDX-License-Identifier: Apache-2.0
#include "passes/require_host_extents.h"

#include <fmt/format.h>

#include <algorithm>

#include "diag/codes_host.h"
#include "diag/codes_verify.h"
#include "ir/call_arguments.h"
#include "ir/contains.h"
#include "ir/describe.h"
#include "ir/map_functions.h"
#include "ir/op_rules.h"
#include "ir/op_table.h"
#include "ir/rewriter.h"
#include "passes/call_graph.h"
#include "passes/host_checks.h"
#include "passes/linear_extent.h"
#include "passes/nested_rewriter.h"
#include "passes/run_time_check.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

// Whether `e` cannot fall while `var` grows, seen from its form.
bool grows_with(const Expr* e, const Var* var, int depth = 0) {
  constexpr int kMaxDepth = 16;
  if (e == var || !mentions(e, var)) return true;
  const BinaryExpr* b = as<BinaryExpr>(e);
  if (b == nullptr || depth > kMaxDepth) return false;
  if (b->kind == NodeKind::Add) return grows_with(b->left, var, depth + 1) && grows_with(b->right, var, depth + 1);
  if (b->kind == NodeKind::Sub) return grows_with(b->left, var, depth + 1) && !mentions(b->right, var);
  if (b->kind != NodeKind::Mul) return false;
  auto factor = [&](const Expr* one, const Expr* other) {
    std::optional<int64_t> by = const_int(one);
    return by && *by >= 0 && grows_with(other, var, depth + 1);
  };
  return factor(b->left, b->right) || factor(b->right, b->left);
}

class Extents : public NestedRewriter {
 public:
  Extents(const Program* program, const Function* function, PassContext& context)
      : NestedRewriter(context.ir),
        program_(program),
        function_(function),
        context_(context),
        checks_(function, context.ir) {}

  const Function* run() {
    parameters();
    return checks_.insert_into(function(function_));
  }

 protected:
  const Expr* rewrite(const Expr* e) override { return e; }
  const Stmt* rewrite(const Stmt* s) override {
    if (const AssignStmt* assign = as<AssignStmt>(s)) return checked(s, assign->value, assign->var);
    if (const EvalStmt* eval = as<EvalStmt>(s)) return checked(s, eval->expr, nullptr);
    return nests(s) ? inside(s) : rebuild(s);
  }

 private:
  const Stmt* checked(const Stmt* s, const Expr* value, const Var* result) {
    at_ = s;
    before_.clear();
    const Call* call = as<Call>(value);
    if (call != nullptr && !call->op->is_global_var) {
      if (call->op->id == OpId::TensorSlice && !is_distributed(call->args[0]->type)) slice(call);
      if (call->op->id == OpId::PldTensorWindow && result != nullptr) view(result);
    } else if (const Op* callee = called_function(value)) {
      dispatch(value, program_->find(callee));
    }
    if (before_.empty()) return s;
    before_.push_back(s);
    return context().seq(before_, s->span);
  }

  // --- What is expected where

  void parameters() {
    for (const Var* param : function_->params) {
      const TensorType* type = as_tensor(param->type);
      if (type == nullptr || is_distributed(param->type) || type->shape.empty()) continue;
      const Expr* holds = nullptr;
      std::vector<const Expr*> values;
      std::vector<const Expr*> due;
      for (size_t axis = 0; axis < type->shape.size(); ++axis) {
        const Expr* extent = dim(param, axis);
        values.push_back(extent);
        due.push_back(type->shape[axis]);
        if (!decides(param, axis)) both(holds, checks_.condition(NodeKind::Eq, extent, type->shape[axis]));
      }
      if (holds == nullptr) continue;
      std::string places = repeated(type->shape.size());
      values.insert(values.end(), due.begin(), due.end());
      checks_.require(holds, fmt::format("`{}` has shape [{}], and [{}] is due", param->name_hint, places, places),
                      param->span, {}, values);
    }
  }

  bool decides(const Var* param, size_t axis) const {
    std::optional<LinearExtent> form = linear_extent(as_tensor(param->type)->shape[axis]);
    if (!form || form->symbol == nullptr) return false;
    std::optional<BindingExtent> binding = binding_extent(function_, form->symbol);
    return binding && binding->param == param && binding->axis == axis;
  }

  void slice(const Call* call) {
    const TensorType* source = as_tensor(call->args[0]->type);
    std::optional<List<const Expr*>> extents = tuple_elements(call->args[1]);
    std::optional<List<const Expr*>> offsets = tuple_elements(call->args[2]);
    if (source == nullptr || !extents || !offsets || extents->size() != source->shape.size() ||
        offsets->size() != extents->size())
      return;  // emission reports the form
    for (size_t axis = 0; axis < extents->size(); ++axis) {
      const Expr* first = at_first((*offsets)[axis]);
      const Expr* end = end_of((*offsets)[axis], (*extents)[axis]);
      const Expr* extent = source->shape[axis];
      const std::string what = fmt::format("slice of `{}`", describe(call->args[0]));
      const Expr* begins = checks_.condition(NodeKind::Ge, first, checks_.number(0));
      const Expr* ends = checks_.condition(NodeKind::Le, end, extent);
      if (checks_.known(begins) == Truth::No || checks_.known(ends) == Truth::No) {
        std::string reach = fmt::format("from {} to {}", describe(first), describe(end));
        context_.diags.report(diag::codes::host_slice_outside, place_of(at_), describe(call->args[0]), reach,
                              static_cast<int64_t>(axis), describe(extent));
        continue;
      }
      require(begins, fmt::format("{} begins at {{}} on axis {}", what, axis), {first}, around());
      require(ends, fmt::format("{} ends at {{}} on axis {}, which has {{}} elements", what, axis), {end, extent},
              without(passed_over_));
    }
  }

  void view(const Var* result) {
    const TensorType* type = as_tensor(result->type);
    const WindowBuffer* slot =
        type != nullptr && type->window_buffer != nullptr ? as<WindowBuffer>(type->window_buffer) : nullptr;
    if (slot == nullptr) return;
    if (bits_of(type->dtype) % 8 != 0) return;  // no window holds parts of bytes: the runtime has no such element
    const Expr* bytes = product(type->shape, checks_.number(bits_of(type->dtype) / 8));
    const Expr* fits = checks_.condition(NodeKind::Le, bytes, slot->size);
    if (checks_.known(fits) != Truth::No)
      return require(
          fits,
          fmt::format("window `{}` has {{}} bytes, and allocation `{}` only {{}}", result->name_hint, slot->name_hint),
          {bytes, slot->size}, around());
    const BinaryExpr* numbers = as<BinaryExpr>(fits);
    context_.diags
        .report(diag::codes::window_view_too_large, place_of(at_), result->name_hint, describe(numbers->left),
                slot->name_hint, describe(numbers->right))
        .note(fmt::format("`{}` is allocated here", slot->name_hint), place_of(slot));
  }

  void dispatch(const Expr* call, const Function* callee) {
    if (callee == nullptr) return;
    List<const Expr*> args = call_args(call);
    CallArguments map(callee, args);
    Rewriter symbols(context());
    NodeSet bound;
    for (size_t i = 0; i < args.size(); ++i) {
      const Var* param = callee->params[map.param_of(i)];
      const TensorType* due = as_tensor(param->type);
      const TensorType* have = as_tensor(args[i]->type);
      if (due == nullptr || have == nullptr) continue;
      bind(symbols, bound, *due, *have);
      if (extents_agree(*due, *have, symbols)) continue;
      elements(args[i], *have, param, *due, callee, symbols, bound);
    }
  }

  // A symbol of the callee is what the first argument with such an extent says.
  void bind(Rewriter& symbols, NodeSet& bound, const TensorType& due, const TensorType& have) {
    if (due.shape.size() != have.shape.size()) return;
    for (size_t axis = 0; axis < due.shape.size(); ++axis)
      if (const Var* symbol = as<Var>(due.shape[axis]); symbol != nullptr && bound.insert(symbol))
        symbols.substitute(symbol, have.shape[axis]);
  }

  bool extents_agree(const TensorType& due, const TensorType& have, Rewriter& symbols) {
    if (due.shape.size() != have.shape.size()) return false;
    for (size_t axis = 0; axis < due.shape.size(); ++axis)
      if (checks_.known(checks_.condition(NodeKind::Eq, symbols.expr(due.shape[axis]), have.shape[axis])) != Truth::Yes)
        return false;
    return true;
  }

  void elements(const Expr* arg, const TensorType& have, const Var* param, const TensorType& due,
                const Function* callee, Rewriter& symbols, const NodeSet& bound) {
    for (const Expr* extent : due.shape) {
      const auto unbound = [&](const Node* node) { return is_var(node->kind) && !bound.contains(node); };
      if (contains(extent, unbound)) return;  // decided by another parameter, in a form that is not followed
    }
    const Expr* there = product(have.shape, nullptr);
    const Expr* needed = symbols.expr(product(due.shape, nullptr));
    const Expr* enough = checks_.condition(NodeKind::Ge, there, needed);
    if (checks_.known(enough) == Truth::No && const_int(as<BinaryExpr>(enough)->left) &&
        const_int(as<BinaryExpr>(enough)->right))
      return;  // the verifier reports it
    require(enough,
            fmt::format("parameter `{}` of `{}` has {{}} elements, the argument `{}` only {{}}", param->name_hint,
                        callee->name, describe(arg)),
            {needed, there}, around());
  }

  // --- Building

  // At the beginning, or in front of the statement where it needs a value that is computed later.
  void require(const Expr* condition, const std::string& text, const std::vector<const Expr*>& values,
               const std::vector<Around>& around) {
    if (checks_.require(condition, text, at_->span, around, values) == nullptr) return;
    std::vector<const Expr*> args = {condition};
    args.insert(args.end(), values.begin(), values.end());
    before_.push_back(run_time_check(context(), OpId::SystemRequire, args, text, at_->span));
  }

  void both(const Expr*& all, const Expr* one) {
    all = all == nullptr ? one : context().binary(NodeKind::And, all, one);
  }

  const Expr* dim(const Var* param, size_t axis) {
    return context().call(context().op(op_name(OpId::TensorDim), false),
                          {param, checks_.number(static_cast<int64_t>(axis))}, context().scalar_type(DType::Index),
                          param->span);
  }

  const Expr* product(List<const Expr*> factors, const Expr* out) {
    for (const Expr* factor : factors) {
      std::optional<int64_t> left = out != nullptr ? const_int(out) : 1;
      std::optional<int64_t> right = const_int(factor);
      int64_t both = 0;
      if (out == nullptr || left == 1)
        out = factor;
      else if (left && right && !__builtin_mul_overflow(*left, *right, &both))
        out = checks_.number(both);
      else if (right != 1)
        out = context().binary(NodeKind::Mul, out, factor);
    }
    return out == nullptr ? checks_.number(1) : out;
  }

  static std::string repeated(size_t times) {
    std::string out;
    for (size_t i = 0; i < times; ++i) out += i > 0 ? ", {}" : "{}";
    return out;
  }

  // The value in the first iteration of the loops that it grows with.
  const Expr* at_first(const Expr* e) {
    for (const Around& one : counting_loops())
      if (const ForStmt* loop = as<ForStmt>(one.stmt); mentions(e, loop->loop_var) && grows_with(e, loop->loop_var))
        e = replaced(e, loop->loop_var, loop->start);
    return e;
  }

  // `offset + extent` in the last iteration of such loops. Where that is the end of a loop from 0 on, it is 0 or less
  // when the loop does not run, and the loop is passed over.
  const Expr* end_of(const Expr* offset, const Expr* extent) {
    passed_over_.clear();
    for (const Around& one : counting_loops()) {
      const ForStmt* loop = as<ForStmt>(one.stmt);
      if (extent != nullptr && mentions(extent, loop->loop_var)) continue;
      if (!mentions(offset, loop->loop_var) || !grows_with(offset, loop->loop_var)) continue;
      if (offset == loop->loop_var && extent != nullptr && const_int(extent) == 1) {
        offset = loop->stop;  // stop - 1 + 1
        extent = nullptr;
        if (const_int(loop->start) == 0) passed_over_.push_back(loop);
      } else {
        offset = replaced(offset, loop->loop_var, context().binary(NodeKind::Sub, loop->stop, checks_.number(1)));
      }
    }
    if (extent == nullptr) return offset;
    return const_int(offset) == 0 ? extent : context().binary(NodeKind::Add, offset, extent);
  }

  // Innermost first, since bounds name the variables of outer ones.
  std::vector<Around> counting_loops() const {
    std::vector<Around> out;
    for (size_t i = around().size(); i-- > 0;)
      if (const ForStmt* loop = as<ForStmt>(around()[i].stmt); loop != nullptr && const_int(loop->step) == 1)
        out.push_back(around()[i]);
    return out;
  }

  std::vector<Around> without(const std::vector<const ForStmt*>& loops) const {
    std::vector<Around> out;
    for (const Around& one : around())
      if (std::find(loops.begin(), loops.end(), one.stmt) == loops.end()) out.push_back(one);
    return out;
  }

  const Expr* replaced(const Expr* e, const Var* var, const Expr* value) {
    Rewriter substitution(context());
    substitution.substitute(var, value);
    return substitution.expr(e);
  }

  const Program* program_;
  const Function* function_;
  PassContext& context_;
  HostChecks checks_;
  const Stmt* at_ = nullptr;
  std::vector<const ForStmt*> passed_over_;
  std::vector<const Stmt*> before_;
};

}  // namespace

const Program* require_host_extents(const Program* program, PassContext& context) {
  return map_functions(program, context.ir, [&](const Function* f) {
    return is_host_orchestrator(f) ? Extents(program, f, context).run() : f;
  });
}

}  // namespace pyptoc::passes
