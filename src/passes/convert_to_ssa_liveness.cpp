// SPDX-License-Identifier: Apache-2.0
// One walk forwards records uses, definitions and structure on a tape; one scan backwards over the tape finds what is
// live.
#include "passes/convert_to_ssa_liveness.h"

#include <algorithm>
#include <utility>

#include "ir/depth_guard.h"
#include "ir/reflect.h"
#include "passes/integer_arithmetic.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

struct Event {
  enum class Kind : uint8_t { Use, Define, IfBegin, Else, IfEnd, LoopBegin, LoopEnd, Break, Continue, Return };
  Kind kind;
  const Var* var;
  uint32_t region;
};

struct Region {
  std::vector<const Var*> assigned;  // each once, when the region is complete
  std::vector<const Var*> exposed;   // loops: used in an iteration before they are surely assigned in it
  bool always_runs = false;
};

template <class F>
void for_each_defined(const Stmt* s, F&& f) {
  dispatch(s, [&](const auto& n) {
    using S = std::remove_cvref_t<decltype(n)>;
    for_each_field<S>([&](const auto& described) {
      if (!described.defines) return;
      for_each_node_in(n.*(described.member), [&](const Node* var) { f(as<Var>(var)); });
    });
  });
}

void count_definitions(const Stmt* s, SsaFacts& facts, int& depth) {
  DepthGuard guard(depth);
  for_each_defined(s, [&](const Var* var) { ++facts.definitions[var]; });
  const AssignStmt* assign = as<AssignStmt>(s);
  if (assign != nullptr && is<ConstInt>(assign->value)) facts.constants[assign->var] = assign->value;
  for_each_child(s, [&](const Node* child) {
    if (is_stmt(child->kind)) count_definitions(static_cast<const Stmt*>(child), facts, depth);
  });
}

// Sorted by creation, each once.
void make_unique(std::vector<const Var*>& vars) {
  auto older = [](const Var* a, const Var* b) { return a->serial < b->serial; };
  std::sort(vars.begin(), vars.end(), older);
  vars.erase(std::unique(vars.begin(), vars.end()), vars.end());
}

class Recorder {
 public:
  explicit Recorder(const SsaFacts& facts) : facts_(facts) {}
  std::vector<Event> tape;
  std::vector<Region> regions;

  void run(const Function* f) {
    for (const Var* param : f->params) define(param);
    visit(f->body);
  }
  std::vector<const Var*> locals;  // in order of their first definition

 private:
  struct Undo {
    const Var* var;
    int before;
  };

  // ---- Expressions

  void use_all(const Node* node) {
    ++epoch_;
    use(node);
  }
  void use(const Node* node) {
    if (node == nullptr || is_const(node->kind)) return;
    if (const Var* var = as<Var>(node)) {
      if (facts_.is_defined_here(var)) use_var(var);
      return;
    }
    uint32_t& seen = seen_[node];
    if (seen == epoch_) return;
    seen = epoch_;
    DepthGuard guard(depth_);
    for_each_child(node, [&](const Node* child) { use(child); });
    use_type(static_cast<const Expr*>(node)->type);
  }
  void use_type(const Type* type) {
    if (type->kind != TypeKind::ScalarType) for_each_node_in_type(type, [&](const Node* node) { use(node); });
  }
  void use_var(const Var* var) {
    tape.push_back({Event::Kind::Use, var, 0});
    const int* level = assigned_level_.find(var);
    int surely = level != nullptr ? *level : -1;
    for (int loop = static_cast<int>(loops_.size()); loop > surely && loop > 0; --loop)
      if (!exposed_[static_cast<size_t>(loop - 1)].insert(var)) break;
  }
  template <class V>
  void use_field(const V& value) {
    ++epoch_;
    for_each_node_in(value, [&](const Node* node) { use(node); });
  }

  // ---- Definitions

  void define(const Var* var) {
    if (!is_known_.contains(var)) locals.push_back(var);
    tape.push_back({Event::Kind::Define, var, 0});
    if (!open_.empty()) regions[open_.back()].assigned.push_back(var);
    mark_assigned(var);
  }
  // From here on, surely assigned in the current iteration of the innermost loop.
  void mark_assigned(const Var* var) {
    int* level = &assigned_level_[var];
    int now = static_cast<int>(loops_.size());
    undo_.push_back({var, is_known_.insert(var) ? -1 : *level});
    *level = now;
  }
  std::vector<const Var*> take_back(size_t mark) {
    std::vector<const Var*> vars;
    for (size_t i = undo_.size(); i > mark; --i) {
      assigned_level_[undo_[i - 1].var] = undo_[i - 1].before;
      vars.push_back(undo_[i - 1].var);
    }
    undo_.resize(mark);
    make_unique(vars);
    return vars;
  }

  // ---- Statements

  void visit(const Stmt* s) {
    if (s == nullptr) return;
    DepthGuard guard(depth_);
    switch (s->kind) {
      case NodeKind::AssignStmt: {
        const AssignStmt* assign = as<AssignStmt>(s);
        use_all(assign->value);
        use_type(assign->var->type);
        define(assign->var);
        return;
      }
      case NodeKind::SeqStmts:
        for (const Stmt* one : as<SeqStmts>(s)->stmts) visit(one);
        return;
      case NodeKind::IfStmt:
        return visit_if(as<IfStmt>(s));
      case NodeKind::ForStmt:
        return visit_for(as<ForStmt>(s));
      case NodeKind::WhileStmt:
        return visit_while(as<WhileStmt>(s));
      case NodeKind::BreakStmt:
        return leave(Event::Kind::Break);
      case NodeKind::ContinueStmt:
        return leave(Event::Kind::Continue);
      case NodeKind::ReturnStmt:
        visit_other(s);
        return leave(Event::Kind::Return);
      default:
        return visit_other(s);
    }
  }

  // From here on nothing is reached until the next join.
  void leave(Event::Kind kind) {
    tape.push_back({kind, nullptr, 0});
    is_left_ = true;
    if (kind != Event::Kind::Return && !loops_.empty()) regions[loops_.back()].always_runs = false;
  }

  // Scopes, and statements without bodies.
  void visit_other(const Stmt* s) {
    const ScopeStmt* scope = is<ScopeStmt>(s) ? static_cast<const ScopeStmt*>(s) : nullptr;
    if (scope != nullptr) {
      use_field(scope->attrs);
      if (const SpmdScopeStmt* spmd = as<SpmdScopeStmt>(s)) use_all(spmd->core_num);
      if (const CommDomainScopeStmt* domain = as<CommDomainScopeStmt>(s))
        for (const Var* slot : domain->slots) define(slot);
      visit(scope->body);
      return;
    }
    ++epoch_;
    for_each_child(s, [&](const Node* child) { use(child); });
  }

  uint32_t begin(Event::Kind kind) {
    uint32_t index = static_cast<uint32_t>(regions.size());
    regions.emplace_back();
    open_.push_back(index);
    tape.push_back({kind, nullptr, index});
    return index;
  }
  void end(Event::Kind kind, uint32_t index) {
    open_.pop_back();
    tape.push_back({kind, nullptr, index});
    make_unique(regions[index].assigned);
    if (open_.empty()) return;
    std::vector<const Var*>& outer = regions[open_.back()].assigned;
    outer.insert(outer.end(), regions[index].assigned.begin(), regions[index].assigned.end());
  }

  void visit_if(const IfStmt* s) {
    use_all(s->condition);
    uint32_t index = begin(Event::Kind::IfBegin);
    size_t mark = undo_.size();
    bool was_left = std::exchange(is_left_, false);
    visit(s->then_body);
    std::vector<const Var*> in_then = take_back(mark);
    bool then_leaves = std::exchange(is_left_, false);
    tape.push_back({Event::Kind::Else, nullptr, index});
    visit(s->else_body);
    std::vector<const Var*> in_else = take_back(mark);
    bool else_leaves = is_left_;
    is_left_ = was_left || (then_leaves && else_leaves);
    std::vector<const Var*> in_both;
    if (then_leaves || else_leaves)
      in_both = then_leaves ? std::move(in_else) : std::move(in_then);
    else
      std::set_intersection(in_then.begin(), in_then.end(), in_else.begin(), in_else.end(), std::back_inserter(in_both),
                            [](const Var* a, const Var* b) { return a->serial < b->serial; });
    end(Event::Kind::IfEnd, index);
    for (const Var* var : in_both) mark_assigned(var);
    for (const Var* var : s->return_vars) define(var);
  }

  void visit_for(const ForStmt* s) {
    use_all(s->start);
    use_all(s->stop);
    use_all(s->step);
    for (const Var* arg : s->iter_args) use_all(as<IterArg>(arg)->init_value);
    use_field(s->attrs);
    visit_loop(s->iter_args, s->loop_var, nullptr, s->body, facts_.always_runs(s));
    for (const Var* var : s->return_vars) define(var);
  }
  void visit_while(const WhileStmt* s) {
    for (const Var* arg : s->iter_args) use_all(as<IterArg>(arg)->init_value);
    visit_loop(s->iter_args, nullptr, s->condition, s->body, false);
    for (const Var* var : s->return_vars) define(var);
  }
  void visit_loop(List<const Var*> iter_args, const Var* loop_var, const Expr* condition, const Stmt* body, bool runs) {
    uint32_t index = begin(Event::Kind::LoopBegin);
    regions[index].always_runs = runs;
    size_t mark = undo_.size();
    loops_.push_back(index);
    exposed_.emplace_back();
    for (const Var* arg : iter_args) define_inside(arg);
    if (loop_var != nullptr) define_inside(loop_var);
    if (condition != nullptr) use_all(condition);
    bool was_left = std::exchange(is_left_, false);
    visit(body);
    is_left_ = was_left;
    runs = regions[index].always_runs;
    loops_.pop_back();
    regions[index].exposed = exposed_.back().take();
    exposed_.pop_back();
    std::vector<const Var*> surely = take_back(mark);
    end(Event::Kind::LoopEnd, index);
    if (!runs) return;
    for (const Var* var : surely) mark_assigned(var);
  }
  // Iteration variables are not visible behind the loop.
  void define_inside(const Var* var) {
    tape.push_back({Event::Kind::Define, var, 0});
    mark_assigned(var);
  }

  // A set that can be listed in order of insertion.
  class VarList {
   public:
    bool insert(const Var* var) {
      if (!set_.insert(var)) return false;
      list_.push_back(var);
      return true;
    }
    std::vector<const Var*> take() { return std::move(list_); }

   private:
    NodeSet set_;
    std::vector<const Var*> list_;
  };

  const SsaFacts& facts_;
  NodeMap<uint32_t> seen_;
  uint32_t epoch_ = 0;
  int depth_ = 0;
  bool is_left_ = false;         // the current place is behind a jump
  NodeMap<int> assigned_level_;  // loops around the place since which it is surely assigned; -1 nowhere
  NodeSet is_known_;
  std::vector<Undo> undo_;
  std::vector<uint32_t> open_;    // regions around the current place
  std::vector<uint32_t> loops_;   // those of loops
  std::vector<VarList> exposed_;  // for each of them
};

class Backward {
 public:
  Backward(const std::vector<Region>& regions, SsaFacts& facts) : regions_(regions), facts_(facts) {
    facts_.merges.resize(regions.size());
  }

  void run(const std::vector<Event>& tape) {
    for (size_t i = tape.size(); i > 0; --i) step(tape[i - 1]);
  }
  bool is_live(const Var* var) const {
    const bool* live = live_.find(var);
    return live != nullptr && *live;
  }

 private:
  struct Change {
    const Var* var;
    bool before;
  };
  struct Frame {
    size_t mark;
    std::vector<Change> in_else;  // `before` is the value at the beginning of the branch here
  };
  struct Loop {
    size_t behind;       // sizes of the log at the targets of break
    size_t end_of_body;  // and continue
  };

  void set(const Var* var, bool live) {
    bool& now = live_[var];
    if (now == live) return;
    log_.push_back({var, now});
    now = live;
  }

  void step(const Event& event) {
    switch (event.kind) {
      case Event::Kind::Use:
        return set(event.var, true);
      case Event::Kind::Define:
        return set(event.var, false);
      case Event::Kind::IfEnd:
        note_merges(event.region, nullptr);
        frames_.push_back({log_.size(), {}});
        return;
      case Event::Kind::Else:
        frames_.back().in_else = rewind(frames_.back().mark);
        return;
      case Event::Kind::IfBegin:
        return join_branches();
      case Event::Kind::LoopEnd:
        note_merges(event.region, &regions_[event.region].exposed);
        frames_.push_back({log_.size(), {}});
        for (const Var* var : regions_[event.region].exposed) set(var, true);
        loops_.push_back({frames_.back().mark, log_.size()});
        return;
      case Event::Kind::LoopBegin:
        loops_.pop_back();
        return leave_loop(regions_[event.region].always_runs);
      case Event::Kind::Break:
        return go_back_to(loops_.empty() ? 0 : loops_.back().behind);
      case Event::Kind::Continue:
        return go_back_to(loops_.empty() ? 0 : loops_.back().end_of_body);
      case Event::Kind::Return:
        return go_back_to(0);
    }
  }

  void note_merges(uint32_t index, const std::vector<const Var*>* exposed) {
    NodeSet around;
    if (exposed != nullptr)
      for (const Var* var : *exposed) around.insert(var);
    std::vector<MergedVar>& merges = facts_.merges[index];
    for (const Var* var : regions_[index].assigned) {
      MergedVar merged{var, is_live(var), exposed != nullptr && around.contains(var)};
      if (merged.live_after || merged.live_around) merges.push_back(merged);
    }
    std::sort(merges.begin(), merges.end(), [](const MergedVar& a, const MergedVar& b) {
      return a.var->name_hint != b.var->name_hint ? a.var->name_hint < b.var->name_hint : a.var->serial < b.var->serial;
    });
  }

  // What is live at the target of a jump is live before it, and nothing else.
  void go_back_to(size_t mark) {
    std::vector<Change> at_target;
    ++epoch_;
    for (size_t i = mark; i < log_.size(); ++i) {
      uint32_t& seen = seen_[log_[i].var];
      if (seen != epoch_) at_target.push_back(log_[i]);
      seen = epoch_;
    }
    for (const Change& change : at_target) set(change.var, change.before);
  }

  // Undoes the changes since `mark`; gives each variable that differs from then, with its value from now.
  std::vector<Change> rewind(size_t mark) {
    std::vector<Change> changed;
    ++epoch_;
    for (size_t i = mark; i < log_.size(); ++i) {
      uint32_t& seen = seen_[log_[i].var];
      if (seen == epoch_) continue;
      seen = epoch_;
      if (is_live(log_[i].var) != log_[i].before) changed.push_back({log_[i].var, is_live(log_[i].var)});
    }
    for (size_t i = log_.size(); i > mark; --i) live_[log_[i - 1].var] = log_[i - 1].before;
    log_.resize(mark);
    return changed;
  }

  void join_branches() {
    std::vector<Change> in_then = rewind(frames_.back().mark);
    std::vector<Change> in_else = std::move(frames_.back().in_else);
    frames_.pop_back();
    // Live before when live in one of them: a branch that did not change a variable has it as it is behind the if.
    NodeSet changed_in_then;
    for (const Change& change : in_then) changed_in_then.insert(change.var);
    NodeSet changed_in_both;
    for (const Change& change : in_else)
      if (changed_in_then.contains(change.var)) changed_in_both.insert(change.var);
    for (const Change& change : in_then)
      if (change.before || changed_in_both.contains(change.var)) set(change.var, change.before);
    for (const Change& change : in_else)
      if (change.before) set(change.var, true);
  }

  void leave_loop(bool always_runs) {
    size_t mark = frames_.back().mark;
    frames_.pop_back();
    if (always_runs) return;
    for (const Change& change : rewind(mark))
      if (change.before) set(change.var, true);
  }

  const std::vector<Region>& regions_;
  SsaFacts& facts_;
  NodeMap<bool> live_;
  NodeMap<uint32_t> seen_;
  uint32_t epoch_ = 0;
  std::vector<Change> log_;
  std::vector<Frame> frames_;
  std::vector<Loop> loops_;
};

}  // namespace

bool SsaFacts::always_runs(const ForStmt* loop) const {
  auto known = [&](const Expr* bound) {
    const Expr* const* constant = constants.find(bound);
    return constant != nullptr && *definitions.find(bound) == 1 ? *constant : bound;
  };
  return trip_count(known(loop->start), known(loop->stop), known(loop->step)).value_or(0) > 0;
}

SsaFacts find_ssa_facts(const Function* function) {
  SsaFacts facts;
  int depth = 0;
  for (const Var* param : function->params) ++facts.definitions[param];
  count_definitions(function->body, facts, depth);
  Recorder recorder(facts);
  recorder.run(function);
  Backward backward(recorder.regions, facts);
  backward.run(recorder.tape);
  NodeSet params;
  for (const Var* param : function->params) params.insert(param);
  for (const Var* local : recorder.locals)
    if (!params.contains(local) && backward.is_live(local)) facts.live_at_entry.push_back(local);
  return facts;
}

}  // namespace pyptoc::passes
