// SPDX-License-Identifier: Apache-2.0
#include "passes/assign_cores.h"

#include "ir/function_map.h"
#include "ir/map_functions.h"
#include "ir/rewriter.h"
#include "ir/walker.h"
#include "passes/assign_cores_sides.h"
#include "passes/assign_cores_steps.h"
#include "passes/body_cloner.h"
#include "passes/call_graph.h"
#include "passes/outline_scopes.h"
#include "passes/output_tensors.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

struct Pair {
  std::string_view aic;
  std::string_view aiv;
};
using Pairs = FunctionMap<Pair>;

struct Callers {
  bool group = false;
  bool other = false;
};

FunctionMap<Callers> callers_of(const Program* program) {
  FunctionMap<Callers> out;
  for (const Function* f : program->functions) {
    for (const Expr* call : function_calls(f)) {
      Callers& callers = out[called_function(call)];
      (f->func_type == FunctionType::Group ? callers.group : callers.other) = true;
    }
  }
  return out;
}

std::optional<int64_t> split_mode(const Function* f) {
  const AttrValue* value = find_attr(f->attrs, "split");
  return value != nullptr && value->kind() == AttrKind::Int && value->as_int() != 0 ? std::optional(value->as_int())
                                                                                    : std::nullopt;
}

class Transports : public Walker {
 public:
  // Whether the body hands tiles to the other side by itself.
  static bool in(const Function* f) {
    if (!f->body->contents.has(Content::Pipe)) return false;
    Transports walk;
    walk.walk(f->body);
    return walk.found_;
  }

 protected:
  void visit(const Node* node) override {
    if (!is_stmt(node->kind)) return;
    const Expr* value = as<AssignStmt>(node) != nullptr ? as<AssignStmt>(node)->value : nullptr;
    if (const EvalStmt* eval = as<EvalStmt>(node)) value = eval->expr;
    if (const Call* call = as<Call>(value)) {
      OpId id = call->op->id;
      found_ |= id == OpId::TileTpushToAic || id == OpId::TileTpushToAiv || id == OpId::TileTpopFromAic ||
                id == OpId::TileTpopFromAiv;
    }
    children(node);
  }

 private:
  bool found_ = false;
};

class ReturnsNothing : public Rewriter {
 public:
  using Rewriter::Rewriter;

 protected:
  const Expr* rewrite(const Expr* e) override { return e; }
  const Stmt* rewrite(const Stmt* s) override { return s->kind == NodeKind::ReturnStmt ? nullptr : rebuild(s); }
};

class Assigner {
 public:
  Assigner(const Program* program, PassContext& context)
      : program_(program), context_(context), ir_(context.ir), roots_(program, context.roots), names_(program) {}

  const Program* run() {
    const Program* out = map_functions(program_, ir_, [&](const Function* f) {
      if (f->func_type == FunctionType::Aiv) return with_lanes(f);
      if (f->func_type != FunctionType::InCore) return f;
      if (!f->contents.has(Content::Cube)) return typed(f, false);
      const KernelSides sides = kernel_sides(f, roots_);
      if (!sides.is_mixed()) return typed(f, sides.cube);
      mixed_[f->op] = sides;
      return f;
    });
    if (!mixed_.empty()) out = rewrite_groups(with_halves(out));
    out = unify_group_arguments(out, context_);
    if (target().needs_gm_pipe_buffer) out = add_pipe_buffers(out, meeting_, context_);
    return out;
  }

 private:
  // In the place of each mixed kernel its halves, and a Group of both for callers that are none.
  const Program* with_halves(const Program* program) {
    FunctionMap<Callers> callers = callers_of(program_);
    std::vector<const Function*> functions;
    for (const Function* f : program->functions) {
      if (const KernelSides* sides = mixed_.find(f->op))
        split(f, *sides, callers[f->op], functions);
      else
        functions.push_back(f);
    }
    return ir_.program(program->name, std::move(functions), program->span);
  }

  const Target& target() const { return context_.options.target; }

  void set_core(Function& draft, bool cube) const {
    draft.func_type = cube ? FunctionType::Aic : FunctionType::Aiv;
    draft.level = cube ? Level::Aic : Level::Aiv;
    draft.role = Role::SubWorker;
  }

  const Function* typed(const Function* f, bool cube) {
    Function draft = *f;
    set_core(draft, cube);
    if (!cube && bool_attr(f->attrs, "split_aiv", false)) add_dual_dispatch(draft);
    return ir_.make(draft);
  }

  void add_dual_dispatch(Function& draft) {
    if (bool_attr(draft.attrs, "dual_aiv_dispatch", false)) return;
    std::vector<Attr> attrs;
    for (const Attr& attr : draft.attrs)
      if (attr.key != "dual_aiv_dispatch") attrs.push_back(attr);
    attrs.push_back({"dual_aiv_dispatch", AttrValue::of_bool(true)});
    draft.attrs = ir_.list(attrs);
  }

  // A vector kernel that the user wrote for a pair: split work is for both vector cores; so is the handshake of pipes
  // that go through global memory, which both of them take part in.
  const Function* with_lanes(const Function* f) {
    bool external = find_attr(f->attrs, "external_source") != nullptr;
    bool split = split_mode(f).has_value();
    bool both = bool_attr(f->attrs, "split_aiv", false) || (split && (external || Transports::in(f))) ||
                (!split && !external && target().needs_gm_pipe_buffer && Transports::in(f));
    if (!both || bool_attr(f->attrs, "dual_aiv_dispatch", false)) return f;
    Function draft = *f;
    add_dual_dispatch(draft);
    return ir_.make(draft);
  }

  std::string_view half_name(const Function* f, std::string_view suffix) {
    std::string name = std::string(f->name) + std::string(suffix);
    if (names_.taken(name)) name = names_.numbered(name);
    names_.take(name);
    return ir_.intern(name);
  }

  void split(const Function* f, const KernelSides& sides, const Callers& callers,
             std::vector<const Function*>& functions) {
    Pair pair{half_name(f, "_aic"), half_name(f, "_aiv")};
    pairs_[f->op] = pair;
    if (sides.crosses) {
      meeting_.insert(std::string(pair.aic));
      meeting_.insert(std::string(pair.aiv));
    }

    Function aic = *clone_function(f, pair.aic, ir_);
    set_core(aic, true);
    aic.body = ReturnsNothing(ir_).stmt(aic.body);
    aic.return_types = {};
    functions.push_back(ir_.make(aic));

    Function aiv = *clone_function(f, pair.aiv, ir_);
    set_core(aiv, false);
    if (bool_attr(f->attrs, "split_aiv", false) || split_mode(f).has_value() || target().needs_gm_pipe_buffer)
      add_dual_dispatch(aiv);
    functions.push_back(ir_.make(aiv));

    if (callers.other || !callers.group) functions.push_back(group(f));
  }

  const Type* result_type(const Function* f) {
    if (f->return_types.empty()) return ir_.plain_type(TypeKind::UnknownType);
    if (f->return_types.size() == 1) return f->return_types.front();
    return ir_.tuple_type({f->return_types.begin(), f->return_types.end()});
  }

  const Function* group(const Function* f) {
    Function draft;
    draft.kind = NodeKind::Function;
    draft.span = f->span;
    draft.name = f->name;
    draft.func_type = FunctionType::Group;
    draft.level = Level::CoreGroup;
    draft.role = Role::SubWorker;
    BodyCloner cloner(ir_);
    std::vector<const Var*> params = fresh_params(f, cloner, ir_);
    draft.params = ir_.list(params);
    draft.param_directions = f->param_directions;
    draft.return_types = f->return_types;
    std::vector<const Expr*> args(params.begin(), params.end());
    const Call* call = ir_.call(ir_.op(f->name, true), args, result_type(f), f->span);
    if (f->return_types.empty()) {
      draft.body = eval(call);
    } else {
      const Var* result = ir_.var("result", call->type, f->span);
      ReturnStmt back;
      back.kind = NodeKind::ReturnStmt;
      back.span = f->span;
      back.value = ir_.list<const Expr*>({result});
      draft.body = ir_.seq({ir_.assign(result, call, f->span), ir_.make(back)}, f->span);
    }
    return ir_.make(draft);  // calls itself by the old name until rewrite_groups
  }

  const Stmt* eval(const Expr* call) {
    EvalStmt draft;
    draft.kind = NodeKind::EvalStmt;
    draft.span = call->span;
    draft.expr = call;
    return ir_.make(draft);
  }

  // In Groups, a call of a mixed kernel becomes a call of each half.
  class PairCalls : public Rewriter {
   public:
    PairCalls(Context& context, const Pairs& pairs) : Rewriter(context), pairs_(pairs) {}

   protected:
    const Expr* rewrite(const Expr* e) override { return e; }
    const Stmt* rewrite(const Stmt* s) override {
      const Expr* value = nullptr;
      if (const AssignStmt* assign = as<AssignStmt>(s)) value = assign->value;
      if (const EvalStmt* eval = as<EvalStmt>(s)) value = eval->expr;
      const Op* op = value != nullptr ? called_function(value) : nullptr;
      const Pair* found = op != nullptr ? pairs_.find(op) : nullptr;
      if (found == nullptr) return rebuild(s);
      List<const Expr*> args = call_args(value);
      EvalStmt first;
      first.kind = NodeKind::EvalStmt;
      first.span = s->span;
      first.expr = context().call(context().op(found->aic, true), {args.begin(), args.end()},
                                  context().plain_type(TypeKind::UnknownType), value->span);
      return context().seq({context().make(first), with_callee(s, value, found->aiv)}, s->span);
    }

   private:
    const Stmt* with_callee(const Stmt* s, const Expr* value, std::string_view name) {
      const Op* op = context().op(name, true);
      const Expr* call = nullptr;
      if (const Submit* submit = as<Submit>(value)) {
        Submit draft = *submit;
        draft.op = op;
        call = context().make(draft);
      } else {
        Call draft = *as<Call>(value);
        draft.op = op;
        call = context().make(draft);
      }
      if (const AssignStmt* assign = as<AssignStmt>(s)) {
        AssignStmt draft = *assign;
        draft.value = call;
        return context().make(draft);
      }
      EvalStmt draft = *as<EvalStmt>(s);
      draft.expr = call;
      return context().make(draft);
    }

    const Pairs& pairs_;
  };

  const Program* rewrite_groups(const Program* program) {
    return map_functions(program, ir_, [&](const Function* f) {
      return f->func_type == FunctionType::Group ? PairCalls(ir_, pairs_).function(f) : f;
    });
  }

  const Program* program_;
  PassContext& context_;
  Context& ir_;
  BufferRoots roots_;
  FunctionNames names_;
  FunctionMap<KernelSides> mixed_;           // of kernels for both cores
  Pairs pairs_;                              // mixed kernel -> its halves
  std::unordered_set<std::string> meeting_;  // halves that meet in a pipe
};

}  // namespace

std::vector<const Var*> fresh_params(const Function* f, Rewriter& cloner, Context& context) {
  auto make = [&](const Var* param) {
    cloner.substitute(param, context.var(param->name_hint, cloner.type(param->type), param->span));
  };
  // The types of tensors may name scalars, wherever those stand.
  for (const Var* param : f->params)
    if (as_scalar(param->type) != nullptr) make(param);
  for (const Var* param : f->params)
    if (as_scalar(param->type) == nullptr) make(param);
  std::vector<const Var*> out;
  for (const Var* param : f->params) out.push_back(as<Var>(cloner.substitution(param)));
  return out;
}

const Function* clone_function(const Function* f, std::string_view name, Context& context) {
  BodyCloner cloner(context);
  Function draft = *f;
  draft.params = context.list(fresh_params(f, cloner, context));
  std::vector<const Type*> results;
  for (const Type* type : f->return_types) results.push_back(cloner.type(type));
  draft.return_types = context.list(results);
  draft.body = cloner.stmt(f->body);
  draft.name = context.intern(name);
  return context.make(draft);
}

const Program* assign_cores(const Program* program, PassContext& context) {
  return Assigner(program, context).run();
}

}  // namespace pyptoc::passes
