// SPDX-License-Identifier: Apache-2.0
#include "passes/derive_call_directions.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "ir/function_map.h"
#include "ir/map_functions.h"
#include "ir/rewriter.h"
#include "ir/walker.h"
#include "passes/buffer_roots.h"
#include "passes/full_writes.h"
#include "passes/scope_lifetimes.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

// --- Wrappers: their parameters take the strongest direction of what they are forwarded to.

ParamDirection stronger(ParamDirection a, ParamDirection b) {
  auto rank = [](ParamDirection d) { return d == ParamDirection::In ? 0 : d == ParamDirection::Out ? 1 : 2; };
  return rank(a) >= rank(b) ? a : b;
}

class Forwards : public Walker {
 public:
  // `use(variable, operator of the callee, parameter index)` for each variable that a body passes on.
  template <class F>
  static void each(const Function* f, F use) {
    each_argument(f, [&](const Expr* value, const Op* callee, size_t at) {
      if (const Var* var = as<Var>(value)) use(var, callee, at);
    });
  }
  // The same for every argument.
  template <class F>
  static void each_argument(const Function* f, F use) {
    Forwards walker;
    walker.use_ = use;
    walker.walk(f->body);
  }

 protected:
  void visit(const Node* node) override {
    if (!node->contents.has(Content::FunctionCall)) return;
    const Op* op = node->kind == NodeKind::Call     ? as<Call>(node)->op
                   : node->kind == NodeKind::Submit ? as<Submit>(node)->op
                                                    : nullptr;
    if (op != nullptr && op->is_global_var) {
      List<const Expr*> args = node->kind == NodeKind::Call ? as<Call>(node)->args : as<Submit>(node)->args;
      for (size_t i = 0; i < args.size(); ++i) use_(args[i], op, i);
    }
    children(node);
  }

 private:
  std::function<void(const Expr*, const Op*, size_t)> use_;
};

// Of all functions, wrappers and orchestrations as they are found to be.
class Directions {
 public:
  explicit Directions(const Program* program) : program_(program) {}
  // Empty where the program has no such function.
  List<ParamDirection> of(const Op* callee) const {
    if (const std::vector<ParamDirection>* better = better_.find(callee)) return *better;
    const Function* f = program_->find(callee);
    return f != nullptr ? f->param_directions : List<ParamDirection>();
  }
  std::vector<ParamDirection>& own(const Function* f) {
    std::vector<ParamDirection>& own = better_[f->op];
    if (own.empty()) own.assign(f->param_directions.begin(), f->param_directions.end());
    return own;
  }

 private:
  const Program* program_;
  FunctionMap<std::vector<ParamDirection>> better_;
};

Directions promoted_directions(const Program* program) {
  Directions directions(program);
  std::vector<const Function*> wrappers;
  for (const Function* f : program->functions)
    if (is_wrapper(f)) wrappers.push_back(f);
  // Wrappers are nested a few levels (Spmd over Group over kernel), each round settles one level.
  for (bool changed = true; changed;) {
    changed = false;
    for (const Function* f : wrappers) {
      NodeMap<size_t> index;
      for (size_t i = 0; i < f->params.size(); ++i) index[f->params[i]] = i;
      std::vector<ParamDirection>& own = directions.own(f);
      Forwards::each(f, [&](const Var* var, const Op* callee, size_t at) {
        const size_t* param = index.find(var);
        const List<ParamDirection> target = directions.of(callee);
        if (param == nullptr || at >= target.size()) return;
        ParamDirection now = stronger(own[*param], target[at]);
        changed |= now != own[*param];
        own[*param] = now;
      });
    }
  }
  return directions;
}

// What an orchestration's tasks write is written by the orchestration, whatever view of a parameter they get. A
// parameter whose first access in program order already needs its content is InOut once anything writes it; one that a
// task writes first keeps being Out.
void promote_orchestration(const Function* f, BufferRoots& program_roots, Directions& directions) {
  const FunctionRoots& roots = program_roots.of(f);
  std::vector<ParamDirection>& own = directions.own(f);
  std::vector<std::optional<ParamDirection>> first(own.size());
  std::vector<bool> written(own.size(), false);
  Forwards::each_argument(f, [&](const Expr* value, const Op* callee, size_t at) {
    const List<ParamDirection> target = directions.of(callee);
    if (at >= target.size()) return;
    ParamDirection access = target[at];
    for (int number : roots.of(value)) {
      const Root& root = roots.root(number);
      if (root.kind != Root::Kind::Param) continue;
      size_t param = static_cast<size_t>(root.param);
      if (!first[param]) first[param] = access;
      if (access != ParamDirection::In) written[param] = true;
    }
  });
  for (size_t i = 0; i < own.size(); ++i)
    if (written[i])
      own[i] = stronger(own[i], first[i] == ParamDirection::Out ? ParamDirection::Out : ParamDirection::InOut);
}

// --- Calls

// The roots written so far in a statement list and the lists around it. A branch is undone by its log, not by a copy.
class Written {
 public:
  void clear() {
    has_.clear();
    log_.clear();
  }
  bool contains(int root) const { return static_cast<size_t>(root) < has_.size() && has_[static_cast<size_t>(root)]; }
  void insert(int root) {
    if (contains(root)) return;
    if (has_.size() <= static_cast<size_t>(root)) has_.resize(static_cast<size_t>(root) + 1);
    has_[static_cast<size_t>(root)] = true;
    log_.push_back(root);
  }
  size_t mark() const { return log_.size(); }
  // Forgets what was inserted after `mark`, and returns it.
  std::vector<int> undo(size_t mark) {
    std::vector<int> undone(log_.begin() + static_cast<std::ptrdiff_t>(mark), log_.end());
    for (int root : undone) has_[static_cast<size_t>(root)] = false;
    log_.resize(mark);
    return undone;
  }

 private:
  std::vector<bool> has_;
  std::vector<int> log_;
};

class DirectionsOfCalls : public Rewriter {
 public:
  DirectionsOfCalls(Context& context, BufferRoots& roots, const Directions& directions)
      : Rewriter(context), program_roots_(roots), directions_(directions) {}

  const Function* function(const Function* f) override {
    if (is_kernel(f)) return f;  // calls no functions
    const List<ParamDirection> now = directions_.of(f->op);
    Function draft = *f;
    bool changed = !std::equal(now.begin(), now.end(), f->param_directions.begin(), f->param_directions.end());
    if (changed) draft.param_directions = context().list(std::vector<ParamDirection>(now.begin(), now.end()));
    if (f->level != Level::Host) {
      function_ = f;
      roots_ = &program_roots_.of(f);
      written_.clear();
      sequential_loops_ = 0;
      draft.body = stmt(f->body);
      changed |= draft.body != f->body;
    }
    return changed ? context().make(draft) : f;
  }

 protected:
  const Stmt* rewrite(const Stmt* s) override {
    switch (s->kind) {
      case NodeKind::ForStmt: {
        bool sequential = as<ForStmt>(s)->for_kind != ForKind::Parallel;
        return in_body(s, sequential);
      }
      case NodeKind::WhileStmt:
        return in_body(s, true);
      case NodeKind::IfStmt:
        return branches(as<IfStmt>(s));
      default:
        return rebuild(s);
    }
  }

  const Expr* rewrite(const Expr* e) override {
    if (const Call* call = as<Call>(e)) {
      if (!call->op->is_global_var) return rebuild(e);
      Call draft = *call;
      return with_directions(draft, call);
    }
    if (const Submit* submit = as<Submit>(e)) {
      if (!submit->op->is_global_var) return rebuild(e);
      Submit draft = *submit;
      return with_directions(draft, submit);
    }
    return rebuild(e);
  }

 private:
  // A body sees what is written before it, and its writes count for what follows it.
  const Stmt* in_body(const Stmt* s, bool sequential) {
    sequential_loops_ += sequential ? 1 : 0;
    const Stmt* result = rebuild(s);
    sequential_loops_ -= sequential ? 1 : 0;
    return result;
  }

  // Each branch works on what was written before the if; afterwards both count.
  const Stmt* branches(const IfStmt* s) {
    size_t before = written_.mark();
    IfStmt draft = *s;
    draft.condition = expr(s->condition);
    draft.then_body = stmt(s->then_body);
    std::vector<int> of_then = written_.undo(before);
    if (s->else_body != nullptr) draft.else_body = stmt(s->else_body);
    for (int root : of_then) written_.insert(root);
    bool changed =
        draft.condition != s->condition || draft.then_body != s->then_body || draft.else_body != s->else_body;
    return changed ? context().make(draft) : s;
  }

  // Directions that the call has stay; arguments that a pass appended since have none yet.
  template <class C>
  const Expr* with_directions(C& draft, const C* call) {
    if (program_roots_.program()->find(call->op) == nullptr) return call;
    const AttrValue* attr = find_attr(call->attrs, "arg_directions");
    const bool has_some = attr != nullptr && attr->kind() == AttrKind::ArgDirectionVector;
    const List<int32_t> given = has_some ? attr->as_ints() : List<int32_t>();
    std::vector<int32_t> result = derived(call);
    std::copy_n(given.begin(), std::min(given.size(), result.size()), result.begin());
    note_writes(call->args, result);
    if (has_some && given.size() >= result.size()) return call;
    std::vector<Attr> attrs;
    for (const Attr& one : call->attrs)
      if (one.key != "arg_directions") attrs.push_back(one);
    attrs.push_back(
        {context().intern("arg_directions"), AttrValue::of_ints(AttrKind::ArgDirectionVector, context().list(result))});
    draft.attrs = context().list(attrs);
    return context().make(draft);
  }

  template <class C>
  std::vector<int32_t> derived(const C* call) const {
    const List<ParamDirection> params = directions_.of(call->op);
    std::vector<int32_t> result;
    for (size_t i = 0; i < call->args.size(); ++i) {
      const ArgDirection direction = i < params.size() ? direction_of(call->args[i], params[i]) : ArgDirection::Scalar;
      result.push_back(static_cast<int32_t>(direction));
    }
    const AttrValue* overrides = find_attr(call->attrs, "arg_direction_overrides");
    if (overrides == nullptr || overrides->kind() != AttrKind::Int32Vector) return result;
    for (int32_t slot : overrides->as_ints())
      if (slot >= 0 && static_cast<size_t>(slot) < result.size())
        result[static_cast<size_t>(slot)] = static_cast<int32_t>(ArgDirection::NoDep);
    return result;
  }

  ArgDirection direction_of(const Expr* arg, ParamDirection param) const {
    if (as_tensor(arg->type) == nullptr) return ArgDirection::Scalar;
    if (param == ParamDirection::In) return ArgDirection::Input;
    if (param == ParamDirection::InOut) return ArgDirection::InOut;
    const List<int> set = roots_->of(arg);
    if (set.size() > 1) return ArgDirection::InOut;
    if (sequential_loops_ > 0) return ArgDirection::InOut;
    if (set.empty()) return ArgDirection::OutputExisting;
    const Root& root = roots_->root(set.front());
    if (written_.contains(set.front())) return ArgDirection::InOut;
    if (root.kind == Root::Kind::Param &&
        function_->param_directions[static_cast<size_t>(root.param)] == ParamDirection::InOut)
      return ArgDirection::InOut;
    return ArgDirection::OutputExisting;
  }

  void note_writes(List<const Expr*> args, const std::vector<int32_t>& directions) {
    for (size_t i = 0; i < args.size() && i < directions.size(); ++i) {
      ArgDirection d = static_cast<ArgDirection>(directions[i]);
      if (d != ArgDirection::InOut && d != ArgDirection::Output && d != ArgDirection::OutputExisting) continue;
      for (int root : roots_->of(args[i])) written_.insert(root);
    }
  }

  BufferRoots& program_roots_;
  const Directions& directions_;
  const Function* function_ = nullptr;
  const FunctionRoots* roots_ = nullptr;
  Written written_;
  int sequential_loops_ = 0;
};

// Names the Out parameters of orchestrations that keep some of their content. `before` has the directions that the
// program declares: a parameter that became Out because tasks write it was not called one.
const Program* with_partial_outputs(const Program* before, const Program* program, PassContext& context) {
  BufferRoots roots(program, context.roots);
  std::optional<BlockingKernels> blocking;
  return map_functions(program, context.ir, [&](const Function* f) {
    const bool any_out = std::find(f->param_directions.begin(), f->param_directions.end(), ParamDirection::Out) !=
                         f->param_directions.end();
    if (!is_chip_orchestration(f) || !any_out) return f;
    if (!blocking) blocking.emplace(program);
    const std::vector<bool> full = written_in_full(f, before->find(f->name)->param_directions, roots, *blocking);
    std::vector<int32_t> partial;
    for (size_t i = 0; i < full.size(); ++i)
      if (f->param_directions[i] == ParamDirection::Out && !full[i]) partial.push_back(static_cast<int32_t>(i));
    const AttrValue* known = find_attr(f->attrs, kPartialOutputs);
    if (partial.empty() || known != nullptr) return f;
    Function draft = *f;
    std::vector<Attr> attrs(f->attrs.begin(), f->attrs.end());
    attrs.push_back(
        {context.ir.intern(kPartialOutputs), AttrValue::of_ints(AttrKind::Int32Vector, context.ir.list(partial))});
    draft.attrs = context.ir.list(attrs);
    return context.ir.make(draft);
  });
}

}  // namespace

const Program* derive_call_directions(const Program* given, PassContext& context) {
  const Program* program = allocate_before_scopes(given, context);
  Directions directions = promoted_directions(program);
  BufferRoots roots(program, context.roots);
  for (const Function* f : program->functions)
    if (is_chip_orchestration(f)) promote_orchestration(f, roots, directions);
  return with_partial_outputs(given, DirectionsOfCalls(context.ir, roots, directions).program(program), context);
}

}  // namespace pyptoc::passes
