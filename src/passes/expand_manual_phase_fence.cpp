// SPDX-License-Identifier: Apache-2.0
// Finds fan-outs of whole TaskId arrays in one walk, then puts barriers in their place.
#include "passes/expand_manual_phase_fence.h"

#include <algorithm>
#include <map>
#include <vector>

#include "ir/map_functions.h"
#include "ir/op_table.h"
#include "ir/rewriter.h"
#include "passes/integer_arithmetic.h"
#include "passes/task_program.h"
#include "passes/trailing_yield.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

bool is_task_array(const Expr* e) {
  const ArrayType* type = as_array(e->type);
  return type != nullptr && type->dtype == DType::TaskId;
}

// A product that stays at its greatest value instead of overflowing.
int64_t times(int64_t a, int64_t b) {
  int64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? INT64_MAX : out;
}

// N * M > N + M, without the product: (N - 1) * (M - 1) > 1.
bool pays(int64_t producers, int64_t consumers) {
  return producers > 1 && consumers > 1 && (producers > 2 || consumers > 2);
}

// Statements are numbered as they begin; loops cover the numbers of what is in them.
struct Loop {
  const Stmt* stmt = nullptr;
  int outer = -1;  // the loop around it in the same manual scope
  int begin = 0;
  int end = 0;
  bool eligible = false;              // a barrier may stand before it
  std::optional<int64_t> iterations;  // for loops around it; nothing: unknown
  int64_t own_factor = 1;
};

struct Consumer {
  int number;  // of its statement
  const Var* array;
  int loop;
};

class FanOuts {
 public:
  explicit FanOuts(const Function* f) {
    stmt(f->body);
    weigh();
  }

  // By number of the loop's statement: arrays that get a barrier before it.
  const std::vector<const Var*>& arrays_before(int loop_number) const {
    static const std::vector<const Var*> kNone;
    auto at = before_.find(loop_number);
    return at != before_.end() ? at->second : kNone;
  }
  // The loop before which the barrier stands that the submit of that number waits for; -1 for none.
  int barrier_of(int number) const {
    auto at = barrier_.find(number);
    return at != barrier_.end() ? at->second : -1;
  }
  bool empty() const { return before_.empty(); }

 private:
  void stmt(const Stmt* s) {
    DepthGuard guard(depth_);
    const int number = next_++;
    if (const SeqStmts* seq = as<SeqStmts>(s)) {
      for (const Stmt* inner : seq->stmts) stmt(inner);
    } else if (const AssignStmt* assign = as<AssignStmt>(s)) {
      value(assign->value, assign->var, number);
    } else if (const EvalStmt* eval = as<EvalStmt>(s)) {
      value(eval->expr, nullptr, number);
    } else if (const ForStmt* loop_for = as<ForStmt>(s)) {
      loop(s, number, loop_for->iter_args, loop_for->return_vars, loop_for->body, loop_for);
    } else if (const WhileStmt* loop_while = as<WhileStmt>(s)) {
      loop(s, number, loop_while->iter_args, loop_while->return_vars, loop_while->body, nullptr);
    } else if (const IfStmt* branch = as<IfStmt>(s)) {
      stmt(branch->then_body);
      if (branch->else_body != nullptr) stmt(branch->else_body);
      results(branch->return_vars, trailing_yield(branch->then_body));
      if (branch->else_body != nullptr) results(branch->return_vars, trailing_yield(branch->else_body));
    } else if (const ScopeStmt* scope = as<ScopeStmt>(s)) {
      const RuntimeScopeStmt* runtime = as<RuntimeScopeStmt>(s);
      const bool enters = runtime != nullptr && runtime->manual && !manual_;
      const int outer = loop_;
      if (enters) loop_ = -1;
      manual_ |= enters;
      stmt(scope->body);
      if (enters) manual_ = false;
      loop_ = outer;
    }
  }

  void loop(const Stmt* s, int number, List<const Var*> iter_args, List<const Var*> return_vars, const Stmt* body,
            const ForStmt* counted) {
    Loop made;
    made.stmt = s;
    made.outer = manual_ ? loop_ : -1;
    made.begin = number;
    std::optional<int64_t> trips = counted != nullptr ? trip_count(*counted) : std::nullopt;
    const bool parallel = counted != nullptr && counted->for_kind == ForKind::Parallel;
    made.eligible = manual_ && counted != nullptr && (trips ? *trips > 0 : !parallel);
    made.iterations = trips && *trips > 0 ? trips : std::nullopt;
    made.own_factor = made.iterations.value_or(1);
    const int outer = loop_;
    loop_ = static_cast<int>(loops_.size());
    loops_.push_back(made);
    for (const Var* arg : iter_args) {
      const IterArg* carry = as<IterArg>(arg);
      if (!is_task_array(arg)) continue;
      defined_[arg] = number + 1;  // inside
      if (carry != nullptr) unite(arg, carry->init_value);
    }
    ++next_;
    stmt(body);
    results(iter_args, trailing_yield(body));
    for (size_t i = 0; i < return_vars.size() && i < iter_args.size(); ++i)
      if (is_task_array(return_vars[i])) unite(return_vars[i], iter_args[i]);
    loops_[static_cast<size_t>(loop_)].end = next_;
    loop_ = outer;
    for (const Var* var : return_vars) defined_[var] = next_;
    ++next_;
  }

  void results(List<const Var*> vars, const YieldStmt* yield) {
    for (size_t i = 0; i < vars.size(); ++i) {
      if (!is_task_array(vars[i])) continue;
      if (!defined_.contains(vars[i])) defined_[vars[i]] = next_ - 1;
      if (yield != nullptr && i < yield->value.size()) unite(vars[i], yield->value[i]);
    }
  }

  void value(const Expr* e, const Var* result, int number) {
    if (result != nullptr && is_task_array(result)) defined_[result] = number;
    if (result != nullptr && is_task_array(result) && is_var(e->kind)) unite(result, e);
    if (const Call* call = as<Call>(e); call != nullptr && call->op->id == OpId::ArrayUpdateElement) {
      if (result != nullptr) unite(result, call->args[0]);
      updates_.push_back({call->args[0], number});
    }
    const Submit* submit = as<Submit>(e);
    if (submit == nullptr || !manual_ || loop_ < 0 || submit->deps.size() != 1) return;
    const Var* array = as<Var>(submit->deps[0]);
    if (array != nullptr && is_task_array(array)) consumers_.push_back({number, array, loop_});
  }

  // --- Arrays that share storage

  int index_of(const Expr* e) {
    int& index = class_[e];
    if (index == 0) {
      parents_.push_back(static_cast<int>(parents_.size()));
      index = static_cast<int>(parents_.size());
    }
    return index - 1;
  }
  int find(int i) {
    while (parents_[static_cast<size_t>(i)] != i) {
      parents_[static_cast<size_t>(i)] = parents_[static_cast<size_t>(parents_[static_cast<size_t>(i)])];
      i = parents_[static_cast<size_t>(i)];
    }
    return i;
  }
  void unite(const Expr* a, const Expr* b) {
    if (!is_var(b->kind)) return;
    const int x = find(index_of(a));
    const int y = find(index_of(b));
    parents_[static_cast<size_t>(std::max(x, y))] = std::min(x, y);
  }

  bool stable_in(const Var* array, const Loop& loop) {
    const int* defined = defined_.find(array);
    if (defined == nullptr || (*defined >= loop.begin && *defined < loop.end)) return false;
    const std::vector<int>& numbers = updated_at_[find(index_of(array))];
    auto at = std::lower_bound(numbers.begin(), numbers.end(), loop.begin);
    return at == numbers.end() || *at >= loop.end;
  }

  // --- What pays

  void weigh() {
    for (const auto& [array, number] : updates_) updated_at_[find(index_of(array))].push_back(number);
    using Key = std::pair<int, const Var*>;
    auto less = [](const Key& a, const Key& b) {
      return std::pair(a.first, a.second->serial) < std::pair(b.first, b.second->serial);
    };
    std::map<Key, int64_t, decltype(less)> submits(less);  // loop and array -> M
    for (const Consumer& consumer : consumers_) {
      int64_t count = 1;
      for (int l = consumer.loop; l >= 0; l = loops_[static_cast<size_t>(l)].outer) {
        const Loop& loop = loops_[static_cast<size_t>(l)];
        int64_t& total = submits[{l, consumer.array}];
        const int64_t more = times(count, loop.own_factor);
        total = total > INT64_MAX - more ? INT64_MAX : total + more;
        if (!loop.iterations) break;  // how often the loops around it submit is not known
        count = more;
      }
    }
    for (const Consumer& consumer : consumers_) {
      int chosen = -1;
      for (int l = consumer.loop; l >= 0; l = loops_[static_cast<size_t>(l)].outer) {
        const Loop& loop = loops_[static_cast<size_t>(l)];
        auto at = submits.find({l, consumer.array});
        if (at == submits.end()) break;
        std::optional<int64_t> extent = const_int(as_array(consumer.array->type)->shape[0]);
        if (loop.eligible && extent && pays(*extent, at->second) && stable_in(consumer.array, loop)) chosen = l;
        if (!loop.iterations) break;
      }
      if (chosen < 0) continue;
      const int begin = loops_[static_cast<size_t>(chosen)].begin;
      barrier_[consumer.number] = begin;
      std::vector<const Var*>& arrays = before_[begin];
      if (std::find(arrays.begin(), arrays.end(), consumer.array) == arrays.end()) arrays.push_back(consumer.array);
    }
  }

  std::vector<Loop> loops_;
  std::vector<Consumer> consumers_;
  std::vector<std::pair<const Expr*, int>> updates_;
  std::map<int, std::vector<int>> updated_at_;  // by class, ascending
  NodeMap<int> defined_;                        // number at which an array variable gets its value
  NodeMap<int> class_;
  std::vector<int> parents_;
  std::map<int, std::vector<const Var*>> before_;
  std::map<int, int> barrier_;
  int next_ = 0;
  int loop_ = -1;
  bool manual_ = false;
  int depth_ = 0;
};

// Walks in the same order and with the same numbers as FanOuts.
class Fences : public Rewriter {
 public:
  Fences(Context& context, const FanOuts& found) : Rewriter(context), found_(found) {}

  const Function* run(const Function* f) {
    Function draft = *f;
    draft.body = stmt(f->body);
    return draft.body == f->body ? f : context().make(draft);
  }

 protected:
  using Rewriter::rewrite;
  const Stmt* rewrite(const Stmt* s) override {
    const int number = next_++;
    if (is<ForStmt>(s) || is<WhileStmt>(s)) return loop(s, number);
    const int barrier = found_.barrier_of(number);
    if (barrier < 0) return rebuild(s);
    const AssignStmt* assign = as<AssignStmt>(s);
    Submit draft = *as<Submit>(assign != nullptr ? assign->value : as<EvalStmt>(s)->expr);
    draft.deps = context().list<const Expr*>({fence_of(barrier, as<Var>(draft.deps[0]))});
    if (assign != nullptr) {
      AssignStmt now = *assign;
      now.value = context().make(draft);
      return context().make(now);
    }
    EvalStmt now = *as<EvalStmt>(s);
    now.expr = context().make(draft);
    return context().make(now);
  }

 private:
  const Stmt* loop(const Stmt* s, int number) {
    std::vector<const Stmt*> out;
    for (const Var* array : found_.arrays_before(number)) out.push_back(fence(s, number, array));
    ++next_;
    const Stmt* now = rebuild(s);
    ++next_;
    if (out.empty()) return now;
    out.push_back(now);
    return context().seq(out, s->span);
  }

  const Stmt* fence(const Stmt* at, int number, const Var* array) {
    Call draft;
    draft.kind = NodeKind::Call;
    draft.span = at->span;
    draft.type = context().scalar_type(DType::TaskId);
    draft.op = context().op(op_name(OpId::SystemTaskDummy), false);
    draft.attrs = context().list<Attr>(
        {{context().intern("dummy_task"), AttrValue::of_bool(true)},
         {context().intern("manual_dep_edges"), AttrValue::of_vars(context().list<const Var*>({array}))}});
    const Var* var = context().var("fence", draft.type, at->span);
    fences_.push_back({number, array, var});
    return context().assign(var, context().make(draft), at->span);
  }

  const Var* fence_of(int number, const Var* array) const {
    for (auto made = fences_.rbegin(); made != fences_.rend(); ++made)
      if (made->loop == number && made->array == array) return made->var;
    PYPTOC_UNREACHABLE("a barrier that was not made");
  }

  struct Made {
    int loop;
    const Var* array;
    const Var* var;
  };
  const FanOuts& found_;
  std::vector<Made> fences_;
  int next_ = 0;
};

}  // namespace

const Program* expand_manual_phase_fence(const Program* program, PassContext& context) {
  return map_functions(program, context.ir, [&](const Function* f) {
    if (!submits_tasks(f) || !f->contents.has(Content::Loop)) return f;
    FanOuts found(f);
    return found.empty() ? f : Fences(context.ir, found).run(f);
  });
}

}  // namespace pyptoc::passes
