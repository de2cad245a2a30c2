// SPDX-License-Identifier: Apache-2.0
// Follows boxes through views, calls, branches and loops of a function.
#include "passes/task_regions.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "ir/equal.h"
#include "ir/op_table.h"
#include "ir/walker.h"
#include "passes/call_graph.h"
#include "passes/trailing_yield.h"

namespace pyptoc::passes {

using namespace ir;

bool Region::is_whole() const {
  return std::all_of(axes.begin(), axes.end(), [](const Axis& axis) { return axis.whole; });
}

namespace {

List<const Expr*> elements_of(const Expr* e) {
  const MakeTuple* tuple = as<MakeTuple>(e);
  return tuple != nullptr ? tuple->elements : List<const Expr*>();
}

bool same_axis(const Region::Axis& a, const Region::Axis& b) {
  return a.whole == b.whole && (a.whole || (a.begin == b.begin && a.end == b.end));
}

bool same(const Region& a, const Region& b) {
  if (a.root != b.root || a.exact != b.exact || a.frame_axis != b.frame_axis) return false;
  if (!extents_equal(a.frame, b.frame)) return false;
  if (a.axes.size() != b.axes.size()) return a.is_whole() && b.is_whole();
  return std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), same_axis);
}

// Each axis on its own; `low` and `high` bound what is asked for.
Meeting meet_axis(const Region::Axis& later, const Region::Axis& earlier, const Scalars& scalars, int crossing) {
  if (later.whole) return {true, true, true};
  if (earlier.whole) return {true, true, false};
  if (crossing < 0 && later.begin == earlier.begin && later.end == earlier.end) return {true, true, true};
  const Range behind = scalars.difference(later.begin, earlier.end, crossing);
  const Range ahead = scalars.difference(later.end, earlier.begin, crossing);
  Meeting out;
  out.may = !(behind.low && *behind.low >= 0) && !(ahead.high && *ahead.high <= 0);
  out.must = behind.high && *behind.high < 0 && ahead.low && *ahead.low > 0;
  const Range begins = scalars.difference(later.begin, earlier.begin, crossing);
  const Range ends = scalars.difference(later.end, earlier.end, crossing);
  out.covers = begins.high && *begins.high <= 0 && ends.low && *ends.low >= 0;
  return out;
}

}  // namespace

Meeting meet(const Region& later, const Region& earlier, const Scalars& scalars, int crossing) {
  if (later.root < 0 || later.root != earlier.root) return {};
  if (later.is_whole()) return {true, later.exact, later.exact};
  if (earlier.is_whole()) return {true, earlier.exact, false};
  if (!extents_equal(later.frame, earlier.frame)) return {};
  Meeting out{true, true, true};
  for (size_t i = 0; i < later.axes.size() && i < earlier.axes.size(); ++i) {
    const Meeting axis = meet_axis(later.axes[i], earlier.axes[i], scalars, crossing);
    out.may = out.may && axis.may;
    out.must = out.must && axis.must;
    out.covers = out.covers && axis.covers;
  }
  out.must = out.must && later.exact && earlier.exact;
  out.covers = out.covers && later.exact;
  return out;
}

class RegionFinder {
 public:
  RegionFinder(const Function* f, BufferRoots& program_roots, FunctionRegions& out)
      : function_(f), program_roots_(program_roots), out_(out) {}

  // Carries are taken for what they start as until a yield contradicts that; then everything is followed again. After a
  // few rounds none is trusted any more, which bounds the time.
  void run() {
    constexpr int kRounds = 4;
    for (int round = 0;; ++round) {
      trust_carries_ = round < kRounds;
      contradicted_ = false;
      loops_seen_ = 0;
      out_.values_.clear();
      out_.values_.reserve(out_.roots_.size() * 2);  // most buffers are made and written, each time with a name
      out_.regions_.clear();
      for (const Var* param : function_->params)
        if (as_tensor(param->type) != nullptr) set(param, whole(param));
      stmt(function_->body);
      if (!contradicted_) return;
    }
  }

 private:
  void set(const Var* var, const Region* region) { out_.values_[var] = region; }
  const Region* keep(Region region) { return &out_.regions_.emplace_back(std::move(region)); }

  // --- Statements

  void stmt(const Stmt* s) {
    DepthGuard guard(depth_);
    if (const SeqStmts* seq = as<SeqStmts>(s)) {
      for (const Stmt* inner : seq->stmts) stmt(inner);
    } else if (const AssignStmt* assign = as<AssignStmt>(s)) {
      bind(assign->var, assign->value);
    } else if (const ForStmt* loop = as<ForStmt>(s)) {
      for_loop(loop);
    } else if (const WhileStmt* loop_while = as<WhileStmt>(s)) {
      carried(loop_while->iter_args, loop_while->return_vars, loop_while->body, nullptr);
    } else if (const IfStmt* branch = as<IfStmt>(s)) {
      if_stmt(branch);
    } else if (const ScopeStmt* scope = as<ScopeStmt>(s)) {
      stmt(scope->body);
    }
  }

  void bind(const Var* var, const Expr* value) {
    if (as_tensor(var->type) != nullptr)
      set(var, region_of(value));
    else if (as_tuple(var->type) != nullptr)
      tuples_[var] = value;
    else
      out_.scalars_.assign(var, value, loop_);
  }

  void opaque(const Var* var) {
    if (as_tensor(var->type) != nullptr)
      set(var, somewhere(var));
    else
      out_.scalars_.define(var, loop_);
  }

  void for_loop(const ForStmt* loop) {
    std::optional<Linear> start = out_.scalars_.linear(loop->start);
    std::optional<Linear> stop = out_.scalars_.linear(loop->stop);
    std::optional<Linear> step = out_.scalars_.linear(loop->step);
    Range range;
    int64_t by = step && step->is_constant() ? step->constant : 0;
    if (start && start->is_constant() && by > 0) range.low = start->constant;
    if (start && start->is_constant() && by < 0) range.high = start->constant;
    if (stop && stop->is_constant() && by > 0 && stop->constant > INT64_MIN) range.high = stop->constant - 1;
    if (stop && stop->is_constant() && by < 0 && stop->constant < INT64_MAX) range.low = stop->constant + 1;
    carried(loop->iter_args, loop->return_vars, loop->body,
            [&] { out_.scalars_.define(loop->loop_var, loop_, range, by); });
  }

  void carried(List<const Var*> iter_args, List<const Var*> return_vars, const Stmt* body,
               const std::function<void()>& define_variable) {
    const int outer = loop_;
    loop_ = next_loop(outer);
    if (define_variable) define_variable();
    for (const Var* var : iter_args) {
      const IterArg* arg = as<IterArg>(var);
      if (arg != nullptr && as_tensor(var->type) != nullptr && trust_carries_ && !changing_.contains(var))
        set(var, region_of(arg->init_value));
      else
        opaque(var);
    }
    stmt(body);
    check_carries(iter_args, trailing_yield(body));
    loop_ = outer;
    for (size_t i = 0; i < return_vars.size(); ++i) {
      if (i < iter_args.size() && as_tensor(iter_args[i]->type) != nullptr && !changing_.contains(iter_args[i]))
        set(return_vars[i], region_of(iter_args[i]));
      else
        opaque(return_vars[i]);
    }
  }

  // The numbers are the same in every round.
  int next_loop(int outer) {
    if (static_cast<size_t>(loops_seen_) == loop_count_) {
      out_.loops_.add(outer);
      ++loop_count_;
    }
    return loops_seen_++;
  }

  void check_carries(List<const Var*> iter_args, const YieldStmt* yield) {
    for (size_t i = 0; i < iter_args.size(); ++i) {
      const Var* arg = iter_args[i];
      if (as_tensor(arg->type) == nullptr || changing_.contains(arg)) continue;
      if (yield != nullptr && i < yield->value.size() && same(*region_of(yield->value[i]), *region_of(arg))) continue;
      changing_.insert(arg);
      contradicted_ = true;
    }
  }

  void if_stmt(const IfStmt* branch) {
    stmt(branch->then_body);
    if (branch->else_body != nullptr) stmt(branch->else_body);
    const YieldStmt* then_yield = trailing_yield(branch->then_body);
    const YieldStmt* else_yield = trailing_yield(branch->else_body);
    for (size_t i = 0; i < branch->return_vars.size(); ++i) {
      const Var* var = branch->return_vars[i];
      const bool both = then_yield != nullptr && else_yield != nullptr && i < then_yield->value.size() &&
                        i < else_yield->value.size() && as_tensor(var->type) != nullptr;
      if (both && same(*region_of(then_yield->value[i]), *region_of(else_yield->value[i])))
        set(var, region_of(then_yield->value[i]));
      else
        opaque(var);
    }
  }

  // --- Values

  const Region* whole(const Expr* value) {
    std::optional<int> root = out_.roots_.single(value);
    const TensorType* type = as_tensor(value->type);
    if (!root || type == nullptr) return keep(Region());
    Region region;
    region.root = *root;
    region.exact = true;
    region.frame = type->shape;
    region.frame_axis.resize(type->shape.size());
    std::iota(region.frame_axis.begin(), region.frame_axis.end(), int8_t{0});
    return keep(std::move(region));
  }
  const Region* somewhere(const Expr* value) {
    Region region = *whole(value);
    region.exact = false;
    region.frame_axis.clear();
    return keep(std::move(region));
  }
  // The same elements in an unknown arrangement.
  const Region* rearranged(const Region* source) {
    Region region = *source;
    region.frame_axis.clear();
    return keep(std::move(region));
  }
  const Region* part_of(const Region* source) {
    Region region = *rearranged(source);
    region.exact = false;
    return keep(std::move(region));
  }

  const Region* region_of(const Expr* e) {
    if (is_var(e->kind)) {
      const Region* const* known = out_.values_.find(e);
      return known != nullptr ? *known : somewhere(e);
    }
    if (const TupleGetItemExpr* get = as<TupleGetItemExpr>(e)) return member(e, get->tuple, get->index);
    if (const Call* call = as<Call>(e); call != nullptr && !call->op->is_global_var) return result_of(call);
    if (called_function(e) != nullptr) return result_of(e, e, 0);
    return somewhere(e);
  }

  const Region* member(const Expr* at, const Expr* tuple, int64_t index) {
    for (const Expr* const* next = tuples_.find(tuple); next != nullptr; next = tuples_.find(tuple)) tuple = *next;
    if (const MakeTuple* made = as<MakeTuple>(tuple))
      return static_cast<size_t>(index) < made->elements.size() ? region_of(made->elements[static_cast<size_t>(index)])
                                                                : somewhere(at);
    return called_function(tuple) != nullptr ? result_of(at, tuple, static_cast<size_t>(index)) : somewhere(at);
  }

  // Result k of a call is the argument that the callee hands back.
  const Region* result_of(const Expr* at, const Expr* call, size_t k) {
    const Function* callee = program_roots_.program()->find(called_function(call));
    if (callee == nullptr) return somewhere(at);
    const auto& returned = program_roots_.returned_params(callee);
    if (k >= returned.size() || !returned[k]) return whole(at);
    List<const Expr*> args = call_args(call);
    const size_t param = static_cast<size_t>(*returned[k]);
    if (param >= args.size()) return whole(at);
    const TensorType* type = as_tensor(at->type);
    const TensorType* arg_type = as_tensor(args[param]->type);
    const Region* region = region_of(args[param]);
    const bool alike = type != nullptr && arg_type != nullptr && extents_equal(type->shape, arg_type->shape);
    return alike ? region : part_of(region);
  }

  const Region* result_of(const Call* call) {
    const ResultStorage storage = op_info(call->op->id).result;
    if (!storage.shares_operand()) return whole(call);
    if (storage.operand >= call->args.size() || as_tensor(call->args[storage.operand]->type) == nullptr)
      return somewhere(call);
    const Region* source = region_of(call->args[storage.operand]);
    switch (call->op->id) {
      case OpId::TensorSlice:
        return slice(source, call);
      case OpId::TensorReshape:
        return reshaped(source, call);
      case OpId::TensorTranspose:
        return transposed(source, call);
      case OpId::TensorView:
        return elements_of(call->args.size() > 1 ? call->args[1] : nullptr).empty() ? rearranged(source)
                                                                                    : reshaped(source, call);
      case OpId::TensorReinterpretView:
        return rearranged(source);
      default:
        return storage.kind == ResultStorage::Kind::Alias || call->op->id == OpId::TensorSetValidshape
                   ? source
                   : part_of(source);
    }
  }

  const Region* reshaped(const Region* source, const Call* call) {
    const TensorType* type = as_tensor(call->type);
    if (!source->exact || !source->is_whole() || type == nullptr) return rearranged(source);
    Region region;
    region.root = source->root;
    region.exact = true;
    region.frame = type->shape;
    region.frame_axis.resize(type->shape.size());
    std::iota(region.frame_axis.begin(), region.frame_axis.end(), int8_t{0});
    return keep(std::move(region));
  }

  const Region* transposed(const Region* source, const Call* call) {
    Region region = *source;
    const int64_t rank = static_cast<int64_t>(region.frame_axis.size());
    std::optional<int64_t> a = call->args.size() > 2 ? const_int(call->args[1]) : std::nullopt;
    std::optional<int64_t> b = call->args.size() > 2 ? const_int(call->args[2]) : std::nullopt;
    if (!a || !b || rank == 0) return rearranged(source);
    if (*a < 0) a = *a + rank;
    if (*b < 0) b = *b + rank;
    if (*a < 0 || *b < 0 || *a >= rank || *b >= rank) return rearranged(source);
    std::swap(region.frame_axis[static_cast<size_t>(*a)], region.frame_axis[static_cast<size_t>(*b)]);
    return keep(std::move(region));
  }

  const Region* slice(const Region* source, const Call* call) {
    List<const Expr*> shape = elements_of(call->args.size() > 1 ? call->args[1] : nullptr);
    List<const Expr*> offsets = elements_of(call->args.size() > 2 ? call->args[2] : nullptr);
    if (shape.empty() || shape.size() != offsets.size() || source->frame_axis.size() != shape.size())
      return part_of(source);
    Region region = *source;
    for (size_t i = 0; i < shape.size(); ++i)
      out_.cut(region, static_cast<size_t>(source->frame_axis[i]), offsets[i], shape[i]);
    std::vector<bool> dropped(shape.size(), false);
    for (const Expr* axis : elements_of(call->args.size() > 4 ? call->args[4] : nullptr)) {
      std::optional<int64_t> at = const_int(axis);
      if (at && *at < 0) at = *at + static_cast<int64_t>(shape.size());
      if (!at || *at < 0 || static_cast<size_t>(*at) >= shape.size()) return part_of(source);
      dropped[static_cast<size_t>(*at)] = true;
    }
    region.frame_axis.clear();
    for (size_t i = 0; i < shape.size(); ++i)
      if (!dropped[i]) region.frame_axis.push_back(source->frame_axis[i]);
    return keep(std::move(region));
  }

  const Function* function_;
  BufferRoots& program_roots_;
  FunctionRegions& out_;
  NodeMap<const Expr*> tuples_;
  NodeSet changing_;  // carries that are not what they start as
  bool trust_carries_ = true;
  bool contradicted_ = false;
  int loop_ = -1;
  int loops_seen_ = 0;
  size_t loop_count_ = 0;
  int depth_ = 0;
};

FunctionRegions::FunctionRegions(const Function* function, BufferRoots& roots)
    : roots_(roots.of(function)), scalars_(loops_, function) {
  RegionFinder(function, roots, *this).run();
}

const Region& FunctionRegions::of(const Expr* value) const {
  const Region* const* known = values_.find(value);
  return known != nullptr ? **known : unknown_;
}

// Narrows one axis to `extent` elements from `offset` on. What lies behind the end of the source does not exist, but
// only the end of the whole axis is known to be one.
void FunctionRegions::cut(Region& region, size_t axis, const Expr* offset, const Expr* extent) {
  if (axis >= region.frame.size()) {
    region.exact = false;
    return;
  }
  if (region.axes.empty()) region.axes.resize(region.frame.size());
  Region::Axis& cut = region.axes[axis];
  std::optional<Linear> from = scalars_.linear(offset);
  std::optional<Linear> count = scalars_.linear(extent);
  if (cut.whole && from && *from == Linear{} && extent_equal(extent, region.frame[axis])) return;
  if (from && !cut.whole) from = add(cut.begin, *from, 1);
  std::optional<Linear> end = from && count ? add(*from, *count, 1) : std::nullopt;
  if (!end) {
    region.exact = false;
    return;
  }
  if (!cut.whole) {
    const Range left = scalars_.difference(cut.end, *end, -1);
    region.exact = region.exact && left.low && *left.low >= 0;
  }
  cut = {false, *from, *end};
}

Region FunctionRegions::element(const Expr* tensor, const Expr* indices) {
  Region region = of(tensor);
  List<const Expr*> list = elements_of(indices);
  if (list.empty() || region.frame_axis.size() != list.size()) {
    region.exact = false;
    return region;
  }
  const std::vector<int8_t> mapping = region.frame_axis;
  for (size_t i = 0; i < list.size(); ++i) {
    const size_t axis = static_cast<size_t>(mapping[i]);
    std::optional<Linear> at = scalars_.linear(list[i]);
    if (region.axes.empty()) region.axes.resize(region.frame.size());
    Region::Axis& cut = region.axes[axis];
    if (at && !cut.whole) at = add(cut.begin, *at, 1);
    std::optional<Linear> end = at ? add(*at, Linear{{}, 1}, 1) : std::nullopt;
    if (end)
      cut = {false, *at, *end};
    else
      region.exact = false;
  }
  return region;
}

}  // namespace pyptoc::passes
