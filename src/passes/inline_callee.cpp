// SPDX-License-Identifier: Apache-2.0
// Binds parameters and dynamic extents, and copies the body of an Inline function.
#include "passes/inline_callee.h"

#include "diag/codes_front.h"
#include "ir/equal.h"
#include "ir/renamed_operand.h"
#include "ir/walker.h"
#include "passes/body_cloner.h"
#include "passes/derived_types.h"
#include "passes/inline_dump_marks.h"
#include "passes/integer_arithmetic.h"
#include "passes/structured_returns.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

using Assigned = InlineCallee::Assigned;

// How a body assigns the parameters of its function.
class ParamScan : public Walker {
 public:
  ParamScan(const Program* program, const Function* f) : program_(program) {
    for (const Var* param : f->params) how_[param] = Assigned::Never;
    walk(f->body);
  }
  Assigned how(const Var* param) const { return *how_.find(param); }
  size_t statements = 0;

 protected:
  void visit(const Node* node) override {
    if (is_expr(node->kind)) return;
    ++statements;
    if (const AssignStmt* assign = as<AssignStmt>(node)) {
      note(assign->var, updates(assign->value, assign->var) ? Assigned::InPlace : Assigned::Anew);
      last_values_[assign->var] = assign->value;
      return;
    }
    dispatch(node, [&](const auto& n) {
      using S = std::remove_cvref_t<decltype(n)>;
      for_each_field<S>([&](const auto& described) {
        if (!described.defines) return;
        for_each_node_in(n.*(described.member), [&](const Node* var) { note(as<Var>(var), Assigned::Anew); });
      });
    });
    children(node);
  }

 private:
  void note(const Var* var, Assigned how) {
    Assigned* known = how_.find(var);
    if (known != nullptr) *known = std::max(*known, how);
  }

  // Whether `value` is the tensor `var` after it was written.
  bool updates(const Expr* value, const Var* var) const {
    if (value == var) return true;
    if (const TupleGetItemExpr* item = as<TupleGetItemExpr>(value)) {
      const Expr* const* tuple = last_values_.find(item->tuple);
      const Expr* source = tuple != nullptr ? *tuple : item->tuple;
      return !is_operator(source) && passes_as_output(source, var);
    }
    const Call* call = as<Call>(value);
    if (call == nullptr || call->op->is_global_var) return passes_as_output(value, var);
    return renamed_operand(call) == var;
  }
  static bool is_operator(const Expr* e) {
    const Call* call = as<Call>(e);
    return call != nullptr && !call->op->is_global_var;
  }
  bool passes_as_output(const Expr* value, const Var* var) const {
    const Call* call = as<Call>(value);
    const Submit* submit = as<Submit>(value);
    if (call == nullptr && submit == nullptr) return false;
    const Function* f = program_->find(call != nullptr ? call->op : submit->op);
    List<const Expr*> args = call != nullptr ? call->args : submit->args;
    if (f == nullptr) return false;
    for (size_t i = 0; i < args.size() && i < f->param_directions.size(); ++i)
      if (args[i] == var && f->param_directions[i] != ParamDirection::In) return true;
    return false;
  }

  const Program* program_;
  NodeMap<Assigned> how_;
  NodeMap<const Expr*> last_values_;
};

// Cuts the return off the end of a body.
const Stmt* cut_return(Context& context, const Stmt* body, List<const Expr*>& values) {
  if (const ReturnStmt* ret = as<ReturnStmt>(body)) {
    values = ret->value;
    return context.seq({}, body->span);
  }
  if (const SeqStmts* seq = as<SeqStmts>(body); seq != nullptr && !seq->stmts.empty()) {
    const Stmt* last = cut_return(context, seq->stmts.back(), values);
    if (last == seq->stmts.back()) return body;
    std::vector<const Stmt*> stmts(seq->stmts.begin(), seq->stmts.end() - 1);
    stmts.push_back(last);
    return context.seq(stmts, seq->span);
  }
  if (!is<ScopeStmt>(body)) return body;
  return dispatch(body, [&](const auto& scope) -> const Stmt* {
    using S = std::remove_cvref_t<decltype(scope)>;
    if constexpr (std::is_base_of_v<ScopeStmt, S>) {
      S draft = scope;
      draft.body = cut_return(context, scope.body, values);
      return draft.body == scope.body ? &scope : context.make(draft);
    } else {
      PYPTOC_UNREACHABLE("a scope of another kind");
    }
  });
}

// Copies a body; where arguments disagree about an extent, results get the types of their operands again.
class InlineCloner : public BodyCloner {
 public:
  using BodyCloner::BodyCloner;
  void derive_types() { derives_types_ = true; }
  void keep_variables() { keeps_variables_ = true; }

 protected:
  const Var* define(const Var* var) override {
    return keeps_variables_ ? Rewriter::define(var) : BodyCloner::define(var);
  }
  using BodyCloner::rewrite;
  const Expr* rewrite(const Expr* e) override {
    const Expr* now = rebuild(e);
    const Call* call = as<Call>(now);
    return derives_types_ && now != e && call != nullptr ? with_derived_type(context(), call) : now;
  }

 private:
  bool derives_types_ = false;
  bool keeps_variables_ = false;
};

// Copies for one call.
class Copier {
 public:
  Copier(const InlineCallee& callee, const Call* call, PassContext& context)
      : callee_(callee), call_(call), context_(context), cloner_(context.ir) {
    if (callee.is_called_once) cloner_.keep_variables();
  }

  InlineCopy run() {
    for (size_t i = 0; i < callee_.params.size(); ++i) bind(i);
    for (size_t i = 0; i < callee_.params.size(); ++i) bind_extents(i);
    const Stmt* body = with_dump_marks(context_.ir, cloner_.stmt(callee_.body), dump_vars());
    if (const SeqStmts* seq = as<SeqStmts>(body); seq != nullptr && seq->leading_comments.empty())
      out_.stmts.insert(out_.stmts.end(), seq->stmts.begin(), seq->stmts.end());
    else
      out_.stmts.push_back(body);
    for (const Expr* value : callee_.values) out_.values.push_back(cloner_.expr(value));
    return std::move(out_);
  }

 private:
  List<const Var*> dump_vars() const {
    const AttrValue* marks = find_attr(call_->attrs, kDumpVars);
    return marks != nullptr && marks->kind() == AttrKind::VarList ? marks->as_vars() : List<const Var*>();
  }

  void bind(size_t i) {
    const Var* param = callee_.function->params[i];
    const Expr* arg = as_type(folded(call_->args[i]), param->type);
    bool keeps_name = callee_.params[i] == Assigned::Never || (callee_.params[i] == Assigned::InPlace && is<Var>(arg));
    if (keeps_name && (is<Var>(arg) || is_const(arg->kind))) {
      cloner_.substitute(param, arg);
      return;
    }
    const Var* local = context_.ir.var(param->name_hint, arg->type, call_->span);
    out_.stmts.push_back(context_.ir.assign(local, arg, call_->span));
    cloner_.substitute(param, local);
  }

  // `pl.cast(1, pl.INT32)` is a constant, which kernels of the body then hold instead of getting it with each task.
  const Expr* folded(const Expr* arg) {
    const ScalarType* scalar = as_scalar(arg->type);
    if (scalar == nullptr || is_const(arg->kind) || !range_of(scalar->dtype)) return arg;
    std::optional<int64_t> value = constant_value(arg);
    return value ? context_.ir.const_int(*value, scalar->dtype, arg->span) : arg;
  }

  // A scalar has the type of its parameter in the body.
  const Expr* as_type(const Expr* arg, const Type* wanted) {
    const ScalarType* from = as_scalar(arg->type);
    const ScalarType* to = as_scalar(wanted);
    if (from == nullptr || to == nullptr || from->dtype == to->dtype) return arg;
    if (const ConstInt* value = as<ConstInt>(arg); value != nullptr && is_integer(to->dtype))
      return context_.ir.const_int(value->value, to->dtype, value->span);
    return context_.ir.unary(NodeKind::Cast, arg, to, arg->span);
  }

  // What the extents of a parameter's type are in the argument's type.
  void bind_extents(size_t i) {
    const ShapedType* formal = as_shaped(callee_.function->params[i]->type);
    const ShapedType* actual = as_shaped(call_->args[i]->type);
    if (formal == nullptr || actual == nullptr || formal->shape.size() != actual->shape.size()) return;
    for (size_t axis = 0; axis < formal->shape.size(); ++axis) bind_extent(formal->shape[axis], actual->shape[axis], i);
    List<const Expr*> formal_valid = valid_shape(formal);
    List<const Expr*> actual_valid = valid_shape(actual);
    if (formal_valid.size() != actual_valid.size()) return;
    for (size_t axis = 0; axis < formal_valid.size(); ++axis) bind_extent(formal_valid[axis], actual_valid[axis], i);
  }
  static List<const Expr*> valid_shape(const ShapedType* type) {
    const TensorType* tensor = as_tensor(type);
    return tensor != nullptr && tensor->view != nullptr && !tensor->view->valid_shape.empty()
               ? tensor->view->valid_shape
               : type->shape;
  }
  void bind_extent(const Expr* formal, const Expr* actual, size_t i) {
    const Var* symbol = as<Var>(formal);
    if (symbol == nullptr) return;
    const Expr* const* known = extents_.find(symbol);
    if (known == nullptr) {
      if (cloner_.substitution(symbol) != nullptr) return;  // a scalar parameter
      extents_[symbol] = actual;
      if (actual != symbol) cloner_.substitute(symbol, actual);
      return;
    }
    if (!extent_equal(*known, actual)) cloner_.derive_types();
    std::optional<int64_t> before = const_int(*known);
    std::optional<int64_t> now = const_int(actual);
    if (before && now && *before != *now)
      context_.diags.report(diag::codes::inline_extent_conflict, place_of(call_), symbol->name_hint,
                            callee_.function->name, *now, callee_.function->params[i]->name_hint, *before);
  }

  const InlineCallee& callee_;
  const Call* call_;
  PassContext& context_;
  InlineCloner cloner_;
  NodeMap<const Expr*> extents_;
  InlineCopy out_;
};

}  // namespace

InlineCallee make_inline_callee(const Program* program, const Function* function, PassContext& context) {
  InlineCallee out;
  out.function = structure_returns(function, context);
  ParamScan scan(program, out.function);
  for (const Var* param : function->params) out.params.push_back(scan.how(param));
  out.statements = scan.statements + 1;
  out.body = cut_return(context.ir, out.function->body, out.values);
  return out;
}

InlineCopy copy_inline_body(const InlineCallee& callee, const Call* call, PassContext& context) {
  return Copier(callee, call, context).run();
}

}  // namespace pyptoc::passes
