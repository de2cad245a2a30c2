// SPDX-License-Identifier: Apache-2.0
#include "passes/optimize_orch_merges.h"

#include <algorithm>

#include "ir/equal.h"
#include "ir/op_table.h"
#include "ir/walker.h"
#include "passes/call_graph.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// Whether a kernel has read all of one parameter before it writes another one.
class ReadsFirst : public Walker {
 public:
  ReadsFirst(const Function* f, const FunctionRoots& roots, size_t in, size_t out)
      : roots_(roots), in_(static_cast<int>(in)), out_(static_cast<int>(out)) {
    walk(f->body);
  }
  bool holds() const { return first_write_ > last_read_ && !shared_loop_; }

 protected:
  void visit(const Node* node) override {
    if (is_stmt(node->kind)) ++position_;
    bool loop = node->kind == NodeKind::ForStmt || node->kind == NodeKind::WhileStmt;
    if (loop && depth_++ == 0) reads_in_loop_ = writes_in_loop_ = false;
    children(node);
    if (const Call* call = as<Call>(node)) record(call);
    if (loop && --depth_ == 0) shared_loop_ |= reads_in_loop_ && writes_in_loop_;
  }

 private:
  void record(const Call* call) {
    for (size_t i = 0; i < call->args.size(); ++i) {
      if (as_tensor(call->args[i]->type) == nullptr) continue;
      bool known = op_info(call->op->id).operand_at(i) != nullptr;
      Effect effect = known ? effect_of(call, i) : Effect::ReadWrite;
      for (int number : roots_.of(call->args[i])) {
        const Root& root = roots_.root(number);
        if (root.kind != Root::Kind::Param) continue;
        if (root.param == in_ && effect != Effect::None) {
          last_read_ = std::max(last_read_, position_);
          reads_in_loop_ |= depth_ > 0;
        }
        if (root.param == out_ && effect != Effect::None) {
          first_write_ = std::min(first_write_, position_);
          writes_in_loop_ |= depth_ > 0;
        }
      }
    }
  }

  const FunctionRoots& roots_;
  int in_;
  int out_;
  int position_ = 0;
  int depth_ = 0;
  int last_read_ = 0;
  int first_write_ = 1 << 30;
  bool reads_in_loop_ = false;
  bool writes_in_loop_ = false;
  bool shared_loop_ = false;
};

class CallerWalk : public Walker {
 public:
  // `all_conditions`: false looks at statements only and finds more than there is; most functions end there.
  CallerWalk(const Function* f, const Program* program, BufferRoots& roots, ReturnedParams& returned,
             bool all_conditions)
      : program_(program),
        program_roots_(roots),
        roots_(all_conditions ? &roots.of(f) : nullptr),
        returned_(returned),
        all_conditions_(all_conditions) {
    for (const Var* param : f->params) define(param);
    walk(f->body);
    for (const Loop& loop : loops_) match(loop);
  }

  struct Found {
    std::string_view kernel;
    ParamMerge merge;
    const Var* create = nullptr;
  };
  std::vector<Found> found;

 protected:
  void visit(const Node* node) override {
    if (const Var* var = as<Var>(node)) {
      uses_[var].push_back(position_);
      return;
    }
    if (!is_stmt(node->kind)) {
      if (all_conditions_) children(node);
      return;
    }
    ++position_;
    if (const ForStmt* loop = as<ForStmt>(node)) {
      enter(loop->iter_args, loop->return_vars, loop->body, [&] {
        walk(loop->start);
        walk(loop->stop);
        walk(loop->step);
      });
    } else if (const WhileStmt* repeat = as<WhileStmt>(node)) {
      enter(repeat->iter_args, repeat->return_vars, repeat->body, [&] { walk(repeat->condition); });
    } else if (const AssignStmt* assign = as<AssignStmt>(node)) {
      walk(assign->value);
      define(assign->var);
      if (body_ != nullptr && in_list_) record(assign);
    } else if (node->kind == NodeKind::YieldStmt) {
      children(node);
      if (body_ != nullptr && in_list_) body_->yield = as<YieldStmt>(node);
    } else if (const IfStmt* branch = as<IfStmt>(node)) {
      walk(branch->condition);
      bool outer = in_list_;
      in_list_ = false;
      walk(branch->then_body);
      walk(branch->else_body);
      in_list_ = outer;
      for (const Var* var : branch->return_vars) define(var);
    } else {
      children(node);
    }
  }

 private:
  struct Loop {
    List<const Var*> iter_args;
    int position = 0;
    std::vector<const AssignStmt*> creates;
    std::vector<const AssignStmt*> calls;
    NodeMap<std::vector<std::pair<int64_t, const Var*>>> elements;  // of tuples
    const YieldStmt* yield = nullptr;
  };

  template <class Header>
  void enter(List<const Var*> iter_args, List<const Var*> return_vars, const Stmt* body, Header header) {
    Loop loop;
    loop.iter_args = iter_args;
    loop.position = position_;
    for (const Var* var : iter_args) walk(as<IterArg>(var)->init_value);
    header();
    for (const Var* var : iter_args) define(var);
    Loop* outer = body_;
    bool outer_list = in_list_;
    body_ = &loop;
    in_list_ = true;
    walk(body);
    body_ = outer;
    in_list_ = outer_list;
    ++position_;
    for (const Var* var : return_vars) define(var);
    loops_.push_back(std::move(loop));
  }

  void define(const Var* var) {
    defined_[var] = position_;
    order_.push_back(var);
  }

  void record(const AssignStmt* s) {
    const Call* call = as<Call>(s->value);
    if (call != nullptr && call->op->id == OpId::TensorCreate) body_->creates.push_back(s);
    if (called_function(s->value) != nullptr) body_->calls.push_back(s);
    if (const TupleGetItemExpr* get = as<TupleGetItemExpr>(s->value))
      body_->elements[get->tuple].push_back({get->index, s->var});
  }

  size_t use_count(const Node* var) const {
    const std::vector<int>* uses = uses_.find(var);
    return uses != nullptr ? uses->size() : 0;
  }
  bool is_used_once(const Node* var) const { return !all_conditions_ || use_count(var) == 1; }

  void match(const Loop& loop) {
    if (loop.yield == nullptr || loop.iter_args.empty()) return;
    for (const AssignStmt* call : loop.calls) match_call(loop, call);
  }

  void match_call(const Loop& loop, const AssignStmt* s) {
    const Function* kernel = program_->find(called_function(s->value));
    List<const Expr*> args = call_args(s->value);
    if (kernel == nullptr || kernel->func_type != FunctionType::InCore || args.size() != kernel->params.size()) return;
    List<Attr> attrs = as<Call>(s->value) != nullptr ? as<Call>(s->value)->attrs : as<Submit>(s->value)->attrs;
    if (find_attr(attrs, "arg_direction_overrides") != nullptr) return;
    for (size_t out = 0; out < args.size(); ++out) {
      if (kernel->param_directions[out] != ParamDirection::Out || !is_used_once(args[out])) continue;
      bool made_here = std::any_of(loop.creates.begin(), loop.creates.end(),
                                   [&](const AssignStmt* create) { return create->var == args[out]; });
      const Var* result = made_here ? result_for(loop, s, kernel, out) : nullptr;
      std::optional<size_t> in = result != nullptr ? carry_for(loop, args, result) : std::nullopt;
      if (!in || kernel->param_directions[*in] != ParamDirection::In) continue;
      if (!type_equal(kernel->params[*in]->type, kernel->params[out]->type)) continue;
      if (all_conditions_ && !ReadsFirst(kernel, program_roots_.of(kernel), *in, out).holds()) continue;
      found.push_back({kernel->name, {out, *in}, as<Var>(args[out])});
      return;
    }
  }

  // The variable that the caller has of what the kernel wrote to parameter `out`.
  const Var* result_for(const Loop& loop, const AssignStmt* s, const Function* kernel, size_t out) {
    const std::vector<std::optional<int>>& params = returned_.of(kernel);
    for (size_t r = 0; r < params.size(); ++r) {
      if (params[r] != static_cast<int>(out)) continue;
      if (as_tuple(s->var->type) == nullptr) return s->var;
      if (const auto* elements = loop.elements.find(s->var))
        for (const auto& [index, var] : *elements)
          if (index == static_cast<int64_t>(r)) return var;
    }
    return nullptr;
  }

  // The argument that is the carry which `result` becomes, when nothing else needs what it holds.
  std::optional<size_t> carry_for(const Loop& loop, List<const Expr*> args, const Var* result) const {
    List<const Expr*> yielded = loop.yield->value;
    for (size_t y = 0; y < yielded.size() && y < loop.iter_args.size(); ++y) {
      const Var* carry = loop.iter_args[y];
      if (yielded[y] != result || !is_used_once(carry)) continue;
      if (all_conditions_ && !starts_free(loop, carry)) continue;
      for (size_t i = 0; i < args.size(); ++i)
        if (args[i] == carry) return i;
    }
    return std::nullopt;
  }

  // The carry starts with a tensor made for it, which no older name shows any more.
  bool starts_free(const Loop& loop, const Var* carry) const {
    std::optional<int> root = roots_->single(as<IterArg>(carry)->init_value);
    if (!root || roots_->root(*root).kind != Root::Kind::Created) return false;
    const Call* maker = as<Call>(roots_->root(*root).node);
    if (maker == nullptr || maker->op->id != OpId::TensorCreate) return false;
    for (const auto& [var, position] : names_of(*root)) {
      if (position >= loop.position) continue;
      for (int use : *uses_.find(var))
        if (use > loop.position) return false;
    }
    return true;
  }

  // Variables that may show a buffer and are used, with the place of their definition.
  const std::vector<std::pair<const Var*, int>>& names_of(int root) const {
    if (names_.empty()) {
      names_.resize(roots_->size());
      for (const Var* var : order_)
        for (int r : roots_->of(var))
          if (use_count(var) > 0) names_[static_cast<size_t>(r)].push_back({var, *defined_.find(var)});
    }
    return names_[static_cast<size_t>(root)];
  }

  const Program* program_;
  BufferRoots& program_roots_;
  const FunctionRoots* roots_;
  ReturnedParams& returned_;
  bool all_conditions_;
  int position_ = 0;
  bool in_list_ = false;  // a statement of the loop's own list, not of a branch in it
  Loop* body_ = nullptr;
  std::vector<Loop> loops_;
  NodeMap<int> defined_;
  std::vector<const Var*> order_;
  NodeMap<std::vector<int>> uses_;
  mutable std::vector<std::vector<std::pair<const Var*, int>>> names_;  // by root
};

}  // namespace

ParamMerges find_param_merges(const Program* program, RootsMemo* memo) {
  if (!program->contents.has(Content::Loop)) return {};
  BufferRoots roots(program, memo);
  ReturnedParams returned(roots);
  std::unordered_map<std::string_view, std::vector<CallerWalk::Found>> found;
  for (const Function* f : program->functions) {
    if (is_kernel(f) || is_wrapper(f) || !f->contents.has(Content::Loop)) continue;
    if (CallerWalk(f, program, roots, returned, false).found.empty()) continue;
    for (const CallerWalk::Found& one : CallerWalk(f, program, roots, returned, true).found)
      found[one.kernel].push_back(one);
  }
  ParamMerges out;
  if (found.empty()) return out;
  std::unordered_map<std::string_view, int> calls;
  for (const Function* f : program->functions)
    for (const Expr* call : function_calls(f)) ++calls[called_function(call)->name];
  for (const Function* f : program->functions) {
    auto at = found.find(f->name);
    if (at == found.end()) continue;
    const std::vector<CallerWalk::Found>& all = at->second;
    bool alike = std::all_of(all.begin(), all.end(), [&](const auto& one) { return one.merge == all.front().merge; });
    if (!alike || static_cast<int>(all.size()) != calls[f->name]) continue;
    out.by_kernel[f->name] = all.front().merge;
    for (const CallerWalk::Found& one : all) out.creates.insert(one.create);
  }
  return out;
}

}  // namespace pyptoc::passes
