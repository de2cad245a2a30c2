// SPDX-License-Identifier: Apache-2.0
#include "passes/id_arrays.h"

#include <algorithm>

#include "ir/walker.h"
#include "passes/integer_arithmetic.h"
#include "passes/trailing_yield.h"

namespace pyptoc::passes {

using namespace ir;

// One round; extents only grow, so rounds go on until none does.
class IdArrayFinder : public Walker {
 public:
  explicit IdArrayFinder(IdArrays& out) : out_(out) {}
  bool grew() const { return grew_; }

 protected:
  void visit(const Node* node) override {
    const RuntimeScopeStmt* scope = as<RuntimeScopeStmt>(node);
    manual_ += scope != nullptr && scope->manual ? 1 : 0;
    if (is_stmt(node->kind)) children(node);
    manual_ -= scope != nullptr && scope->manual ? 1 : 0;
    if (const AssignStmt* s = as<AssignStmt>(node)) {
      if (is_var(s->value->kind)) set(s->var, out_.extent(s->value));
    } else if (const IfStmt* branch = as<IfStmt>(node)) {
      for (const Stmt* body : {branch->then_body, branch->else_body})
        for (size_t i = 0; body != nullptr && i < branch->return_vars.size(); ++i)
          set(branch->return_vars[i], yielded(body, i));
    } else if (const WhileStmt* loop = as<WhileStmt>(node)) {
      carry(loop->iter_args, loop->return_vars, loop->body);
    } else if (const ForStmt* each = as<ForStmt>(node)) {
      if (each->for_kind == ForKind::Parallel && manual_ > 0)
        gather(each);
      else
        carry(each->iter_args, each->return_vars, each->body);
    }
  }

 private:
  void set(const Var* var, int64_t extent) {
    if (!is_scalar_of(var->type, DType::TaskId) || extent <= out_.extent(var)) return;
    if (extent > IdArrays::kMost) {
      if (out_.too_many_ == nullptr) out_.too_many_ = var;
      return;
    }
    out_.extents_[var] = extent;
    grew_ = true;
  }
  int64_t yielded(const Stmt* body, size_t i) const {
    const YieldStmt* yield = trailing_yield(body);
    return yield != nullptr && i < yield->value.size() ? out_.extent(yield->value[i]) : 0;
  }
  void carry(List<const Var*> carries, List<const Var*> results, const Stmt* body) {
    for (size_t i = 0; i < carries.size(); ++i) {
      const int64_t extent = std::max(out_.extent(as<IterArg>(carries[i])->init_value), yielded(body, i));
      set(carries[i], extent);
      if (i < results.size()) set(results[i], extent);
    }
  }
  // The ids of all iterations; each iteration starts from what was before the loop.
  void gather(const ForStmt* loop) {
    const std::optional<int64_t> trips = trip_count(*loop);
    for (size_t i = 0; i < loop->iter_args.size(); ++i) {
      set(loop->iter_args[i], out_.extent(as<IterArg>(loop->iter_args[i])->init_value));
      if (!trips || *trips < 1 || *trips == INT64_MAX || i >= loop->return_vars.size()) continue;
      const int64_t each = std::max<int64_t>(yielded(loop->body, i), 1);
      set(loop->return_vars[i], *trips > IdArrays::kMost ? *trips : *trips * each);
    }
  }

  IdArrays& out_;
  int manual_ = 0;
  bool grew_ = false;
};

IdArrays::IdArrays(const Function* function) {
  // A carry that grows with each iteration doubles at least in each round, until kMost stops it.
  for (bool grew = true; grew && too_many_ == nullptr;) {
    IdArrayFinder round(*this);
    round.walk(function->body);
    grew = round.grew();
  }
}

int64_t IdArrays::extent(const Expr* id) const {
  const int64_t* found = extents_.find(id);
  return found != nullptr ? *found : 0;
}

}  // namespace pyptoc::passes
