// SPDX-License-Identifier: Apache-2.0
// Renames every definition on one walk, with the merges that the liveness analysis asks for.
#include "passes/convert_to_ssa.h"

#include <unordered_map>

#include "diag/codes_front.h"
#include "ir/equal.h"
#include "ir/map_functions.h"
#include "ir/rewriter.h"
#include "passes/convert_to_ssa_init.h"
#include "passes/convert_to_ssa_liveness.h"
#include "passes/convert_to_ssa_types.h"
#include "passes/derived_types.h"
#include "passes/trailing_yield.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// What a variable is at the current place.
struct Version {
  const Var* now = nullptr;  // null: no value
  uint32_t gap = 0;          // then, if not 0: number of the gap that says why, from 1 on
};

class SsaConverter : public Rewriter {
 public:
  SsaConverter(const Program* program, const Function* f, PassContext& context)
      : Rewriter(context.ir, true), program_(program), context_(context), function_(f), facts_(find_ssa_facts(f)) {}

  const Function* run() {
    for (const Var* param : function_->params) {
      used_.insert(param);
      set(param, {param, 0});
    }
    Function draft = *function_;
    at_ = function_->body;
    bool changed = rewrite_attrs(draft.attrs);
    draft.body = stmt(function_->body);
    return changed || draft.body != function_->body ? context().make(draft) : function_;
  }

 protected:
  const Expr* rewrite(const Expr* e) override {
    const Var* var = as<Var>(e);
    if (var == nullptr) return rebuild_value(e);
    if (!facts_.is_defined_here(var)) return var;
    const Version* version = current_.find(var);
    if (version != nullptr && version->now != nullptr) return version->now;
    if (!is_quiet_) report_unassigned(var, version);
    is_unresolved_ = true;
    return var;
  }

  const Stmt* rewrite(const Stmt* s) override {
    at_ = s;
    switch (s->kind) {
      case NodeKind::AssignStmt:
        return convert_assign(as<AssignStmt>(s));
      case NodeKind::IfStmt:
        return convert_if(as<IfStmt>(s));
      case NodeKind::ForStmt:
        return convert_for(as<ForStmt>(s));
      case NodeKind::WhileStmt:
        return convert_while(as<WhileStmt>(s));
      default:
        return is<ScopeStmt>(s) ? convert_scope(static_cast<const ScopeStmt*>(s)) : rebuild(s);
    }
  }

 private:
  // A type that mentions variables means those of the operands' definitions, not those of this place.
  const Expr* rebuild_value(const Expr* e) {
    const Expr* now = rebuild(e);
    const Call* call = as<Call>(now);
    bool follows = call != nullptr && now != e && has_dynamic_extent(call->type);
    return follows ? with_derived_type(context(), call) : now;
  }

  // A value on some paths only.
  struct Gap {
    const Stmt* where;  // the if or loop
  };
  struct Change {
    const Var* var;
    Version before;
  };
  struct Carry {
    const Var* var;
    const Var* arg;
  };

  // ---- Versions

  void set(const Var* var, Version version) {
    Version& now = current_[var];
    log_.push_back({var, now});
    apply(var, now, version);
    if (version.now != nullptr) last_of_name_[var->name_hint] = var;
  }
  void apply(const Var* var, Version& slot, Version version) {
    slot = version;
    substitute(var, version.now == var ? nullptr : version.now);
  }
  void rewind(size_t mark) {
    for (; log_.size() > mark; log_.pop_back()) apply(log_.back().var, current_[log_.back().var], log_.back().before);
  }
  const Var* now(const Var* var) const {
    const Version* version = current_.find(var);
    return version != nullptr ? version->now : nullptr;
  }

  // A variable for one more definition of `var`.
  const Var* new_version(const Var* var, const Type* type) {
    if (var->kind == NodeKind::Var && type == var->type && used_.insert(var)) return var;
    used_.insert(var);
    return context().var(var->name_hint, type, var->span);
  }
  const Var* define_as(const Var* var, const Type* type) {
    const Var* made = new_version(var, type);
    set(var, {made, 0});
    return made;
  }
  const Var* define(const Var* var) override { return define_as(var, type(var->type)); }

  void report_unassigned(const Var* var, const Version* version) {
    if (!reported_.insert(var)) return;
    if (version == nullptr || version->gap == 0) {
      context_.diags.report(diag::codes::unassigned, place_of(at_), var->name_hint);
      return;
    }
    const Stmt* where = gaps_[version->gap - 1].where;
    bool branch = where->kind == NodeKind::IfStmt;
    auto report = context_.diags.report(diag::codes::maybe_unassigned, place_of(at_), var->name_hint);
    report.note(branch ? "only one branch of this if assigns it" : "this loop assigns it, and may run no iteration",
                place_of(where));
    report.note("assigned here", place_of(var));
  }

  // ---- Statements

  const Stmt* convert_assign(const AssignStmt* s) {
    AssignStmt draft = *s;
    draft.value = expr(s->value);
    bool single = *facts_.definitions.find(s->var) == 1;
    draft.var = define_as(s->var, type_of_version(context(), type(s->var->type), draft.value, single));
    return draft.var == s->var && draft.value == s->value ? s : context().make(draft);
  }

  const Stmt* convert_scope(const ScopeStmt* s) {
    return dispatch(s, [&](const auto& scope) -> const Stmt* {
      using S = std::remove_cvref_t<decltype(scope)>;
      if constexpr (std::is_base_of_v<ScopeStmt, S>) {
        S draft = scope;
        bool changed = rewrite_attrs(draft.attrs);
        if constexpr (std::is_same_v<S, SpmdScopeStmt>) draft.core_num = expr(scope.core_num);
        if constexpr (std::is_same_v<S, SpmdScopeStmt>) changed |= draft.core_num != scope.core_num;
        if constexpr (std::is_same_v<S, CommDomainScopeStmt>)
          for (const Var* slot : scope.slots) set(slot, {slot, 0});
        draft.body = stmt(scope.body);
        return changed || draft.body != scope.body ? context().make(draft) : &scope;
      } else {
        PYPTOC_UNREACHABLE("a scope of another kind");
      }
    });
  }

  const Stmt* convert_if(const IfStmt* s) {
    const std::vector<MergedVar>& merges = next_merges();
    IfStmt draft = *s;
    draft.condition = expr(s->condition);
    size_t mark = log_.size();
    draft.then_body = stmt(s->then_body);
    std::vector<const Var*> in_then = versions(merges);
    rewind(mark);
    if (s->else_body != nullptr) draft.else_body = stmt(s->else_body);
    std::vector<const Var*> in_else = versions(merges);
    rewind(mark);
    std::vector<const Var*> results;
    for (const Var* var : s->return_vars) results.push_back(define(var));
    std::vector<const Expr*> then_values;
    std::vector<const Expr*> else_values;
    ScopedTypes joined(context());
    for (size_t i = 0; i < merges.size(); ++i) {
      const Var* var = merges[i].var;
      if (in_then[i] == nullptr || in_else[i] == nullptr) {
        set(var, {nullptr, new_gap(s)});
        continue;
      }
      const Var* result = new_version(var, joined.type(in_then[i]->type));
      joined.rename(in_then[i], result);
      set(var, {result, 0});
      results.push_back(result);
      then_values.push_back(in_then[i]);
      else_values.push_back(in_else[i]);
    }
    draft.return_vars = context().list(results);
    if (!then_values.empty()) {
      draft.then_body = add_to_yield(draft.then_body, then_values);
      if (draft.else_body == nullptr) draft.else_body = context().seq({}, s->span);
      draft.else_body = add_to_yield(draft.else_body, else_values);
    }
    bool same = draft.condition == s->condition && draft.then_body == s->then_body && draft.else_body == s->else_body &&
                same_list(results, s->return_vars);
    return same ? s : context().make(draft);
  }

  const Stmt* convert_for(const ForStmt* s) {
    const std::vector<MergedVar>& merges = next_merges();
    ForStmt draft = *s;
    draft.start = expr(s->start);
    draft.stop = expr(s->stop);
    draft.step = expr(s->step);
    bool changed = rewrite_attrs(draft.attrs);
    std::vector<const Stmt*> before;
    std::vector<Carry> carries = begin_carries(merges, s, s->body, before);
    size_t mark = log_.size();
    std::vector<const Var*> args = enter_carries(s->iter_args, carries);
    draft.loop_var = define(s->loop_var);
    draft.body = finish_body(stmt(s->body), carries);
    rewind(mark);
    std::vector<const Var*> results = leave_carries(s->return_vars, carries);
    draft.iter_args = context().list(args);
    draft.return_vars = context().list(results);
    note_gaps(merges, s);
    bool same = !changed && draft.start == s->start && draft.stop == s->stop && draft.step == s->step &&
                draft.loop_var == s->loop_var && draft.body == s->body && same_list(args, s->iter_args) &&
                same_list(results, s->return_vars);
    return with_before(std::move(before), same ? s : context().make(draft));
  }

  const Stmt* convert_while(const WhileStmt* s) {
    const std::vector<MergedVar>& merges = next_merges();
    WhileStmt draft = *s;
    std::vector<const Stmt*> before;
    std::vector<Carry> carries = begin_carries(merges, s, s->body, before);
    size_t mark = log_.size();
    std::vector<const Var*> args = enter_carries(s->iter_args, carries);
    at_ = s;
    draft.condition = expr(s->condition);
    draft.body = finish_body(stmt(s->body), carries);
    rewind(mark);
    std::vector<const Var*> results = leave_carries(s->return_vars, carries);
    draft.iter_args = context().list(args);
    draft.return_vars = context().list(results);
    note_gaps(merges, s);
    bool same = draft.condition == s->condition && draft.body == s->body && same_list(args, s->iter_args) &&
                same_list(results, s->return_vars);
    return with_before(std::move(before), same ? s : context().make(draft));
  }

  const Stmt* with_before(std::vector<const Stmt*> before, const Stmt* loop) {
    if (before.empty()) return loop;
    before.push_back(loop);
    return context().seq(before, loop->span);
  }

  // ---- Carries

  // Variables that the loop carries, with their IterArgs; those that have a value already come first.
  std::vector<Carry> begin_carries(const std::vector<MergedVar>& merges, const Stmt* loop, const Stmt* body,
                                   std::vector<const Stmt*>& before) {
    std::vector<Carry> carries;
    std::vector<const Var*> new_ones;
    for (const MergedVar& merged : merges) {
      if (const Var* init = now(merged.var))
        carries.push_back({merged.var, make_arg(merged.var, init, init->type, loop)});
      else if (merged.live_after)
        new_ones.push_back(merged.var);
    }
    if (new_ones.empty()) return carries;
    LoopInits inits(program_, body);
    for (const Var* var : new_ones) {
      const Expr* init = initial_value(var, inits, loop, before);
      if (init != nullptr) carries.push_back({var, make_arg(var, init, init->type, loop)});
    }
    return carries;
  }

  const Var* make_arg(const Var* var, const Expr* init, const Type* type, const Stmt* loop) {
    IterArg draft;
    draft.kind = NodeKind::IterArg;
    draft.span = loop->span;
    draft.type = type;
    draft.name_hint = var->name_hint;
    draft.init_value = init;
    return context().make(draft);
  }

  // For a variable that has none before the loop; null when that cannot be.
  const Expr* initial_value(const Var* var, const LoopInits& inits, const Stmt* loop,
                            std::vector<const Stmt*>& before) {
    auto has_value = [this](const Var* other) { return !facts_.is_defined_here(other) || now(other) != nullptr; };
    const bool other = leaves_another_of_its_name(var);
    const Var* left = other ? nullptr : inits.tensor_left_in(var, has_value);
    if (left != nullptr) return facts_.is_defined_here(left) ? now(left) : left;
    is_quiet_ = true;
    is_unresolved_ = false;
    const Type* wanted = type(var->type);
    is_quiet_ = false;
    if (is_unresolved_) return nullptr;
    for (size_t i = 0; i < function_->params.size() && as_tensor(wanted) != nullptr && !other; ++i) {
      const Var* param = now(function_->params[i]);
      if (function_->param_directions[i] != ParamDirection::In && param != nullptr && type_equal(param->type, wanted))
        return param;
    }
    const ForStmt* counted = as<ForStmt>(loop);
    return counted != nullptr && facts_.always_runs(counted)
               ? placeholder(context(), var->name_hint, wanted, loop->span, before)
               : nullptr;
  }

  // Whether the name means a variable of another type before the loop: with no iteration, that is its value behind it.
  bool leaves_another_of_its_name(const Var* var) const {
    auto last = last_of_name_.find(var->name_hint);
    return last != last_of_name_.end() && last->second != var && now(last->second) != nullptr;
  }

  // The IterArgs of the loop, existing ones first, as versions inside of it.
  std::vector<const Var*> enter_carries(List<const Var*> existing, const std::vector<Carry>& carries) {
    std::vector<const Var*> args;
    for (const Var* arg : existing) {
      IterArg draft = *as<IterArg>(arg);
      draft.init_value = expr(draft.init_value);
      draft.type = type(draft.type);
      bool same = draft.init_value == as<IterArg>(arg)->init_value && draft.type == arg->type && used_.insert(arg);
      args.push_back(same ? arg : context().make(draft));
    }
    for (size_t i = 0; i < existing.size(); ++i) set(existing[i], {args[i], 0});
    for (const Carry& carry : carries) {
      args.push_back(carry.arg);
      set(carry.var, {carry.arg, 0});
    }
    return args;
  }
  const Stmt* finish_body(const Stmt* body, const std::vector<Carry>& carries) {
    std::vector<const Expr*> values;
    for (const Carry& carry : carries) {
      const Var* value = now(carry.var);
      values.push_back(value != nullptr ? value : carry.arg);  // the latter after an error in the body
      if (value == nullptr) report_gap(carry.var);
    }
    return values.empty() ? body : add_to_yield(body, values);
  }
  void report_gap(const Var* var) { report_unassigned(var, current_.find(var)); }
  std::vector<const Var*> leave_carries(List<const Var*> existing, const std::vector<Carry>& carries) {
    std::vector<const Var*> results;
    for (const Var* var : existing) results.push_back(define(var));
    for (const Carry& carry : carries) results.push_back(define_as(carry.var, carry.arg->type));
    return results;
  }
  // A variable that only the loop assigns and that has no carry.
  void note_gaps(const std::vector<MergedVar>& merges, const Stmt* loop) {
    for (const MergedVar& merged : merges)
      if (merged.live_after && now(merged.var) == nullptr) set(merged.var, {nullptr, new_gap(loop)});
  }

  // ---- Helpers

  const std::vector<MergedVar>& next_merges() { return facts_.merges[next_merge_++]; }
  uint32_t new_gap(const Stmt* where) {
    gaps_.push_back({where});
    return static_cast<uint32_t>(gaps_.size());
  }
  std::vector<const Var*> versions(const std::vector<MergedVar>& merges) const {
    std::vector<const Var*> out;
    for (const MergedVar& merged : merges) out.push_back(now(merged.var));
    return out;
  }
  const Stmt* add_to_yield(const Stmt* body, const std::vector<const Expr*>& more) {
    std::vector<const Expr*> values;
    if (const YieldStmt* yield = trailing_yield(body)) values.assign(yield->value.begin(), yield->value.end());
    values.insert(values.end(), more.begin(), more.end());
    return with_trailing_yield(context(), body, values);
  }
  static bool same_list(const std::vector<const Var*>& a, List<const Var*> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

  const Program* program_;
  PassContext& context_;
  const Function* function_;
  SsaFacts facts_;
  size_t next_merge_ = 0;
  NodeMap<Version> current_;
  std::unordered_map<std::string_view, const Var*> last_of_name_;  // that got a value
  std::vector<Change> log_;
  std::vector<Gap> gaps_;
  NodeSet used_;      // variables and IterArgs that are the version of some definition
  NodeSet reported_;  // variables that have an error already
  const Stmt* at_ = nullptr;
  bool is_quiet_ = false;
  bool is_unresolved_ = false;
};

}  // namespace

const Program* convert_to_ssa(const Program* program, PassContext& context) {
  return map_functions(program, context.ir, [&](const Function* f) { return SsaConverter(program, f, context).run(); });
}

}  // namespace pyptoc::passes
