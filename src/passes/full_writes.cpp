// SPDX-License-Identifier: Apache-2.0
#include "passes/full_writes.h"

#include <algorithm>

#include "ir/op_table.h"
#include "ir/walker.h"
#include "passes/call_graph.h"
#include "passes/integer_arithmetic.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// Of constants; nothing where one is not known.
std::optional<int64_t> product(List<const Expr*> extents) {
  int64_t out = 1;
  for (const Expr* e : extents) {
    const std::optional<int64_t> value = const_int(e);
    if (!value || __builtin_mul_overflow(out, *value, &out)) return std::nullopt;
  }
  return out;
}

std::optional<int64_t> elements_of(const Type* type) {
  const ShapedType* shaped = as_shaped(type);
  return shaped != nullptr ? product(shaped->shape) : std::nullopt;
}

// What a kernel stores to each of its parameters: how many elements at places that are constants. A use of another kind
// may write anything.
class Stores : public Walker {
 public:
  Stores(const Function* kernel, const FunctionRoots& roots)
      : roots_(roots), elements_(kernel->params.size(), 0), open_(kernel->params.size(), false) {
    walk(kernel->body);
  }
  // False only where the body shows that elements stay as they were.
  bool may_fill(const Function* kernel, size_t param) const {
    const std::optional<int64_t> all = elements_of(kernel->params[param]->type);
    return open_[param] || elements_[param] == 0 || !all || elements_[param] >= *all;
  }

 protected:
  void visit(const Node* node) override {
    if (const Call* call = as<Call>(node)) note(call);
    children(node);
  }

 private:
  void note(const Call* call) {
    const bool store = call->op->id == OpId::TileStore && call->args.size() > 2;
    const bool assemble = call->op->id == OpId::TensorAssemble && call->args.size() > 2;
    if (!store && !assemble) {
      // Views and element reads look; what else gets a parameter may write it.
      if (call->op->id == OpId::TileLoad || call->op->id == OpId::TensorDim || call->op->id == OpId::TensorRead) return;
      for (const Expr* arg : call->args) leave_open(arg);
      return;
    }
    const Expr* target = call->args[store ? 2 : 0];
    const Expr* source = call->args[store ? 0 : 1];
    const std::optional<int64_t> count = elements_of(source->type);
    const MakeTuple* offsets = as<MakeTuple>(call->args[store ? 1 : 2]);
    const bool fixed = count && offsets != nullptr && product(offsets->elements).has_value();
    for (int root : roots_.of(target)) {
      if (roots_.root(root).kind != Root::Kind::Param) continue;
      const size_t param = static_cast<size_t>(roots_.root(root).param);
      if (!fixed)
        open_[param] = true;
      else
        elements_[param] += *count;
    }
  }
  void leave_open(const Expr* value) {
    for (int root : roots_.of(value))
      if (roots_.root(root).kind == Root::Kind::Param) open_[static_cast<size_t>(roots_.root(root).param)] = true;
  }

  const FunctionRoots& roots_;
  std::vector<int64_t> elements_;
  std::vector<bool> open_;
};

// What the stores of a program's kernels can fill.
class Fills {
 public:
  explicit Fills(BufferRoots& roots) : roots_(roots) {}

  // False only where the body of what runs shows that a parameter keeps elements as they were.
  bool may_fill(const Function* callee, size_t param) {
    for (int level = 0; level < 8 && is_wrapper(callee); ++level) {
      const std::vector<const Expr*> inner = function_calls(callee);
      const Expr* only = inner.size() == 1 ? inner.front() : nullptr;
      if (only == nullptr) return true;
      List<const Expr*> args = call_args(only);
      size_t at = 0;
      while (at < args.size() && args[at] != callee->params[param]) ++at;
      const Function* next = roots_.program()->find(called_function(only));
      if (at == args.size() || next == nullptr || at >= next->params.size()) return true;
      callee = next;
      param = at;
    }
    if (!is_kernel(callee)) return true;
    const Stores*& known = stores_[callee];
    if (known == nullptr) {
      owned_.push_back(std::make_unique<Stores>(callee, roots_.of(callee)));
      known = owned_.back().get();
    }
    return known->may_fill(callee, param);
  }

 private:
  BufferRoots& roots_;
  NodeMap<const Stores*> stores_;
  std::vector<std::unique_ptr<Stores>> owned_;
};

// The frequent case, for which no regions are needed: a task on the straight way through the body is the first to use
// the parameter, and gets all of it to write.
class FirstUses {
 public:
  FirstUses(const Function* function, BufferRoots& roots, Fills& fills)
      : function_(function), program_(roots.program()), roots_(roots.of(function)), fills_(fills) {}

  // Whether that is so for each parameter in `wanted`.
  bool fill(const std::vector<bool>& wanted) {
    used_.assign(wanted.size(), 0);
    size_t left = static_cast<size_t>(std::count(wanted.begin(), wanted.end(), true));
    const SeqStmts* body = as<SeqStmts>(function_->body);
    for (const Stmt* s : body != nullptr ? body->stmts : List<const Stmt*>()) {
      const AssignStmt* assign = as<AssignStmt>(s);
      const EvalStmt* eval = as<EvalStmt>(s);
      const Expr* value = assign != nullptr ? assign->value : eval != nullptr ? eval->expr : nullptr;
      if (left == 0 || value == nullptr) break;
      if (value->kind != NodeKind::Call && value->kind != NodeKind::Submit) continue;
      if (has_predicate(value)) return false;  // it reads
      note_uses(value);
      for (size_t param : now_used_) {
        if (!wanted[param]) continue;
        if (!is_filled_by(value, param)) return false;
        --left;
      }
    }
    return left == 0;
  }

 private:
  // Parameters that no statement before has used; how often this one does.
  void note_uses(const Expr* value) {
    now_used_.clear();
    for (const Expr* arg : call_args(value)) {
      for (int number : roots_.of(arg)) {
        const Root& root = roots_.root(number);
        if (root.kind != Root::Kind::Param) continue;
        const size_t param = static_cast<size_t>(root.param);
        const bool first = used_[param] == 0;
        if (first) now_used_.push_back(param);
        if (first || std::find(now_used_.begin(), now_used_.end(), param) != now_used_.end()) ++used_[param];
      }
    }
  }
  bool is_filled_by(const Expr* call, size_t param) {
    const Op* op = called_function(call);
    const Function* callee = op != nullptr ? program_->find(op) : nullptr;
    if (callee == nullptr || used_[param] != 1) return false;
    List<const Expr*> args = call_args(call);
    const auto at = static_cast<size_t>(std::find(args.begin(), args.end(), function_->params[param]) - args.begin());
    return at < args.size() && at < callee->params.size() && callee->param_directions[at] == ParamDirection::Out &&
           fills_.may_fill(callee, at);
  }

  const Function* function_;
  const Program* program_;
  const FunctionRoots& roots_;
  Fills& fills_;
  std::vector<int> used_;         // by parameter: how often, in the first statement that does
  std::vector<size_t> now_used_;  // for the first time
};

class FullWrites {
 public:
  FullWrites(const Function* function, BufferRoots& roots, Fills& fills, const BlockingKernels& blocking)
      : program_(roots.program()),
        function_(function),
        fills_(fills),
        regions_(function, roots),
        tasks_(task_program(program_, function, regions_, blocking)),
        full_(tasks_.blocks.size(), std::vector<bool>(function->params.size(), false)),
        filled_by_task_(tasks_.tasks.size()),
        filled_by_construct_(tasks_.constructs.size()),
        needs_content_(function->params.size(), false),
        parts_(tasks_.tasks.size()) {}

  // Those of `wanted`, which are Out, that are written in full.
  std::vector<bool> run(const std::vector<bool>& wanted) {
    for (const Construct& c : tasks_.constructs)
      if (const ForStmt* loop = as<ForStmt>(c.stmt)) constant_loops_[loop->loop_var] = c.trips.has_value();
    // Blocks inside come behind those around them.
    for (size_t b = tasks_.blocks.size(); b-- > 0;) {
      for (const TaskItem& item : tasks_.items[b]) {
        if (item.kind == TaskItem::Kind::Task) task(static_cast<size_t>(item.index), b);
        if (item.kind == TaskItem::Kind::Construct) construct(tasks_.constructs[static_cast<size_t>(item.index)], b);
      }
    }
    std::vector<bool> full(function_->params.size(), false);
    reads(0, full);
    std::vector<bool> out(function_->params.size(), false);
    for (size_t i = 0; i < out.size(); ++i) out[i] = wanted[i] && full_[0][i] && !needs_content_[i];
    return out;
  }

 private:
  void construct(const Construct& c, size_t b) {
    const std::vector<bool>& first = full_[static_cast<size_t>(c.first_block)];
    if (c.kind == Construct::Kind::Loop && !c.runs_always) return;
    if (c.kind == Construct::Kind::Branch && c.second_block < 0) return;
    for (size_t i = 0; i < first.size(); ++i)
      if (first[i] && (c.kind != Construct::Kind::Branch || full_[static_cast<size_t>(c.second_block)][i]))
        full_[b][i] = true;
  }

  // --- In order: what is read before it was written here

  // `full`: parameters of which every element was certainly written before.
  void reads(size_t b, std::vector<bool>& full) {
    for (const TaskItem& item : tasks_.items[b]) {
      const size_t at = static_cast<size_t>(item.index);
      switch (item.kind) {
        case TaskItem::Kind::Task:
          accesses(tasks_.tasks[at].accesses, full);
          for (size_t param : filled_by_task_[at]) full[param] = true;
          for (const Region* region : parts_of(at)) written_.push_back(region);
          break;
        case TaskItem::Kind::Host:
          accesses(tasks_.hosts[at].accesses, full);
          break;
        case TaskItem::Kind::Construct:
          inside(at, full);
          break;
      }
    }
  }
  void inside(size_t at, std::vector<bool>& full) {
    const Construct& c = tasks_.constructs[at];
    if (c.kind == Construct::Kind::Scope) return reads(static_cast<size_t>(c.first_block), full);
    const size_t mark = written_.size();
    std::vector<bool> first = full;
    reads(static_cast<size_t>(c.first_block), first);
    written_.resize(mark);
    if (c.kind == Construct::Kind::Branch && c.second_block >= 0) {
      std::vector<bool> second = full;
      reads(static_cast<size_t>(c.second_block), second);
      written_.resize(mark);
      for (size_t i = 0; i < full.size(); ++i) full[i] = first[i] && second[i];
    } else if (c.kind == Construct::Kind::Loop && c.runs_always) {
      full = first;
    }
    for (size_t param : filled_by_construct_[at]) full[param] = true;
  }
  void accesses(const std::vector<Access>& list, const std::vector<bool>& full) {
    for (const Access& access : list) {
      if (!access.reads || access.region == nullptr || access.root < 0 || access.root >= tasks_.peers_root) continue;
      const Root& root = regions_.roots().root(access.root);
      if (root.kind != Root::Kind::Param || full[static_cast<size_t>(root.param)]) continue;
      const bool written = std::any_of(written_.begin(), written_.end(), [&](const Region* part) {
        return part->root == access.root && meet(*part, *access.region, regions_.scalars(), -1).covers;
      });
      if (!written) needs_content_[static_cast<size_t>(root.param)] = true;
    }
  }

  // --- What a task fills

  // Parts of parameters that task number `index` writes for sure.
  const std::vector<const Region*>& parts_of(size_t index) const { return parts_[index]; }

  void task(size_t index, size_t b) {
    const Task& t = tasks_.tasks[index];
    const Op* op = called_function(t.call);
    const Function* callee = op != nullptr ? program_->find(op) : nullptr;
    if (callee == nullptr || has_predicate(t.call)) return;
    List<const Expr*> args = call_args(t.call);
    for (size_t i = 0; i < args.size() && i < callee->params.size(); ++i) {
      if (callee->param_directions[i] != ParamDirection::Out) continue;
      const std::optional<int> root = regions_.roots().single(args[i]);
      if (!root || regions_.roots().root(*root).kind != Root::Kind::Param) continue;
      const size_t param = static_cast<size_t>(regions_.roots().root(*root).param);
      const Region& region = regions_.of(args[i]);
      if (!region.exact || !fills_.may_fill(callee, i)) continue;
      parts_[index].push_back(&region);
      std::optional<size_t> block = region.is_whole() ? b : block_that_fills(region, b);
      if (!block && laid_out_at_run_time(region)) block = around_loops(b);
      if (!block) continue;
      full_[*block][param] = true;
      if (const std::optional<size_t> construct = construct_in(*block, b))
        filled_by_construct_[*construct].push_back(param);
      else
        filled_by_task_[index].push_back(param);
    }
  }
  // The construct of block `outer` that holds block `b`; none when it is the same block.
  std::optional<size_t> construct_in(size_t outer, size_t b) const {
    std::optional<size_t> found;
    while (b != outer) {
      found = static_cast<size_t>(tasks_.blocks[b].construct);
      b = static_cast<size_t>(tasks_.constructs[*found].block);
    }
    return found;
  }

  // A part lies where a value says that only a run knows: a loop of unknown length, an element.
  bool laid_out_at_run_time(const Region& region) const {
    auto known = [&](const Var* var) {
      const bool* constant = var != nullptr ? constant_loops_.find(var) : nullptr;
      return var == nullptr || (constant != nullptr && *constant);
    };
    for (const Region::Axis& axis : region.axes)
      for (const Linear::Term& term : axis.whole ? std::vector<Linear::Term>() : axis.begin.terms)
        if (!known(term.first) || !known(term.second)) return true;
    return false;
  }
  size_t around_loops(size_t b) const {
    while (tasks_.blocks[b].construct >= 0) {
      const Construct& c = tasks_.constructs[static_cast<size_t>(tasks_.blocks[b].construct)];
      if (c.kind == Construct::Kind::Branch) break;
      b = static_cast<size_t>(c.block);
    }
    return b;
  }

  // The block in which, when it is over, the parts that loops around the task lay side by side fill the whole.
  std::optional<size_t> block_that_fills(const Region& region, size_t b) {
    size_t open = 0;
    for (const Region::Axis& axis : region.axes) open += axis.whole ? 0 : 1;
    if (region.frame.size() != region.axes.size()) return std::nullopt;
    for (; open > 0; --open) {
      // Up to the next loop that moves the part; loops between run at least once.
      std::optional<size_t> axis;
      while (!axis) {
        const TaskBlock& block = tasks_.blocks[b];
        if (block.construct < 0) return std::nullopt;
        const Construct& c = tasks_.constructs[static_cast<size_t>(block.construct)];
        if (c.kind == Construct::Kind::Branch) return std::nullopt;
        if (const ForStmt* loop = as<ForStmt>(c.stmt); loop != nullptr && c.kind == Construct::Kind::Loop)
          axis = axis_of(region, loop);
        if (c.kind == Construct::Kind::Loop && !axis && !c.runs_always) return std::nullopt;
        b = static_cast<size_t>(c.block);
      }
    }
    return b;
  }

  // The axis on which the loop's iterations lay parts side by side from 0 to the end.
  std::optional<size_t> axis_of(const Region& region, const ForStmt* loop) {
    if (const_int(loop->start) != 0 || const_int(loop->step).value_or(0) <= 0) return std::nullopt;
    for (size_t d = 0; d < region.axes.size(); ++d) {
      const Region::Axis& axis = region.axes[d];
      if (axis.whole) continue;
      const std::optional<Linear> extent = add(axis.end, axis.begin, -1);
      if (!extent || axis.begin.constant != 0 || axis.begin.terms.size() != 1) continue;
      const Linear::Term& term = axis.begin.terms.front();
      // A part of an extent that is known: `i * part` in steps of 1, or `i` in steps of `part`.
      if (term.first != loop->loop_var || term.second != nullptr || !extent->is_constant()) continue;
      if (term.factor * *const_int(loop->step) != extent->constant) continue;
      const std::optional<int64_t> trips = trip_count(*loop);
      const std::optional<int64_t> all = const_int(region.frame[d]);
      if (trips && all && *trips * extent->constant >= *all) return d;
      if (!all && fills_symbol(region.frame[d], loop, extent->constant, term.factor)) return d;
    }
    return std::nullopt;
  }

  // `for i in range(0, M, part)`: the last part is cut where it does not fit.
  static bool fills_symbol(const Expr* frame, const ForStmt* loop, int64_t part, int64_t factor) {
    return factor == 1 && loop->stop == frame && const_int(loop->step) == part;
  }

  const Program* program_;
  const Function* function_;
  Fills& fills_;
  FunctionRegions regions_;
  TaskProgram tasks_;
  std::vector<std::vector<bool>> full_;                   // by block and parameter
  std::vector<std::vector<size_t>> filled_by_task_;       // parameters that are full behind it
  std::vector<std::vector<size_t>> filled_by_construct_;  // the same
  std::vector<bool> needs_content_;                       // by parameter: a task may read what the caller left there
  std::vector<const Region*> written_;                    // parts that were written on the way to the present place
  std::vector<std::vector<const Region*>> parts_;         // of parameters, that a task certainly writes
  NodeMap<bool> constant_loops_;  // variable of a loop -> whether it is known how often the loop runs
};

}  // namespace

std::vector<bool> written_in_full(const Function* orchestration, List<ParamDirection> declared, BufferRoots& roots,
                                  const BlockingKernels& blocking) {
  std::vector<bool> wanted(orchestration->params.size());
  for (size_t i = 0; i < wanted.size(); ++i)
    wanted[i] = declared[i] == ParamDirection::Out && orchestration->param_directions[i] == ParamDirection::Out;
  Fills fills(roots);
  if (FirstUses(orchestration, roots, fills).fill(wanted)) return wanted;
  return FullWrites(orchestration, roots, fills, blocking).run(wanted);
}

}  // namespace pyptoc::passes
