// SPDX-License-Identifier: Apache-2.0
// Rebuilds an orchestration with the ids, carries and dependencies that an order of tasks needs.
#include "passes/task_ids.h"

#include <algorithm>
#include <map>
#include <string>

#include "ir/depth_guard.h"
#include "ir/op_table.h"
#include "passes/call_graph.h"
#include "passes/trailing_yield.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// The variables that hold the ids of tasks, at each level between a task and those that wait for it.
class TaskIdVars {
 public:
  TaskIdVars(const TaskProgram& program, const TaskOrder& order, Context& context)
      : program_(program), context_(context), id_(program.tasks.size(), nullptr), exports_(program.constructs.size()) {
    for (size_t t = 0; t < program.tasks.size(); ++t)
      for (const TaskEdge& edge : order.edges[t]) require(static_cast<int>(t), edge);
    for (size_t s = 0; s < program.tasks.size(); ++s)
      if (id_[s] != nullptr) make_exports(static_cast<int>(s));
  }

  struct Export {
    int task;
    const IterArg* carry = nullptr;   // loops
    const Var* result = nullptr;      // behind the loop or the if
    const Expr* otherwise = nullptr;  // ifs: where the task is not in the branch that runs
    const Expr* inner = nullptr;      // what holds the id at the level of the block that the task is in
    int block = 0;                    // that block
  };

  const Var* id(int t) const { return id_[static_cast<size_t>(t)]; }
  const std::vector<Export>& exports(int construct) const { return exports_[static_cast<size_t>(construct)]; }
  const Var* no_task() const { return no_task_; }  // null when nothing needs it

  // What `t` waits for.
  const Var* at(int t, const TaskEdge& edge) const {
    if (edge.loop >= 0) return find(program_.construct_of_loop[static_cast<size_t>(edge.loop)], edge.source).carry;
    const Var* var = id(edge.source);
    const int common = program_.common_block(block_of(edge.source), block_of(t));
    for (int b = block_of(edge.source); b != common; b = parent(b))
      if (carries(construct_of(b))) var = find(construct_of(b), edge.source).result;
    return var;
  }

 private:
  int block_of(int t) const { return program_.tasks[static_cast<size_t>(t)].block; }
  int parent(int b) const { return program_.blocks[static_cast<size_t>(b)].parent; }
  int construct_of(int b) const { return program_.blocks[static_cast<size_t>(b)].construct; }
  bool carries(int construct) const {
    return program_.constructs[static_cast<size_t>(construct)].kind != Construct::Kind::Scope;
  }
  const Export& find(int construct, int task) const {
    const std::vector<Export>& list = exports_[static_cast<size_t>(construct)];
    auto at = std::lower_bound(list.begin(), list.end(), task, [](const Export& e, int t) { return e.task < t; });
    PYPTOC_ASSERT(at != list.end() && at->task == task, "the id of a task is not carried there");
    return *at;
  }

  void require(int t, const TaskEdge& edge) {
    const size_t source = static_cast<size_t>(edge.source);
    const Task& task = program_.tasks[source];
    if (id_[source] == nullptr) {
      const Op* callee = called_function(task.call);
      std::string name = std::string(callee != nullptr ? callee->name : "barrier") + "_tid";
      id_[source] = task.is_dummy && task.result != nullptr
                        ? task.result
                        : context_.var(context_.intern(name), context_.scalar_type(DType::TaskId), task.stmt->span);
    }
    int upto = edge.loop < 0 ? program_.common_block(block_of(edge.source), block_of(t)) : 0;
    if (edge.loop >= 0) {
      const int construct = program_.construct_of_loop[static_cast<size_t>(edge.loop)];
      upto = program_.constructs[static_cast<size_t>(construct)].block;
    }
    for (int b = block_of(edge.source); b != upto; b = parent(b)) {
      if (!carries(construct_of(b))) continue;
      std::vector<Export>& list = exports_[static_cast<size_t>(construct_of(b))];
      auto at =
          std::lower_bound(list.begin(), list.end(), edge.source, [](const Export& e, int s) { return e.task < s; });
      if (at == list.end() || at->task != edge.source)
        list.insert(at, Export{edge.source, nullptr, nullptr, nullptr, nullptr, b});
    }
  }

  // From the outermost level inwards: what holds an older id, or the invalid one, goes in from outside.
  void make_exports(int s) {
    std::vector<Export*> levels;
    for (int b = block_of(s); parent(b) >= 0; b = parent(b)) {
      if (!carries(construct_of(b))) continue;
      std::vector<Export>& list = exports_[static_cast<size_t>(construct_of(b))];
      auto at = std::lower_bound(list.begin(), list.end(), s, [](const Export& e, int t) { return e.task < t; });
      if (at == list.end() || at->task != s) break;
      levels.push_back(&*at);
    }
    if (levels.empty()) return;
    if (no_task_ == nullptr) no_task_ = context_.var(context_.intern("no_task"), context_.scalar_type(DType::TaskId));
    const Expr* older = no_task_;
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      Export& made = **level;
      made.result = context_.var(id(s)->name_hint, id(s)->type, id(s)->span);
      made.otherwise = older;
      const Construct& construct = program_.constructs[static_cast<size_t>(construct_of(made.block))];
      if (construct.kind != Construct::Kind::Loop) continue;
      IterArg carry;
      carry.kind = NodeKind::IterArg;
      carry.type = id(s)->type;
      carry.span = id(s)->span;
      carry.name_hint = id(s)->name_hint;
      carry.init_value = older;
      made.carry = context_.make(carry);
      older = made.carry;
    }
    const Expr* inner = id(s);
    for (Export* level : levels) {
      level->inner = inner;
      inner = level->result;
    }
  }

  const TaskProgram& program_;
  Context& context_;
  std::vector<const Var*> id_;
  std::vector<std::vector<Export>> exports_;  // by task
  const Var* no_task_ = nullptr;
};

class TaskOrderWriter {
 public:
  TaskOrderWriter(const TaskProgram& tasks, const TaskOrder& order, Context& context)
      : tasks_(tasks), order_(order), context_(context), ids_(tasks, order, context) {}

  const Function* run() {
    const Stmt* body = stmt(tasks_.function->body);
    if (ids_.no_task() != nullptr) {
      const Op* op = context_.op(op_name(OpId::SystemTaskInvalid), false);
      const Expr* none = context_.call(op, {}, context_.scalar_type(DType::TaskId));
      body = context_.seq({context_.assign(ids_.no_task(), none), body}, body->span);
    }
    if (body == tasks_.function->body) return tasks_.function;
    Function draft = *tasks_.function;
    draft.body = body;
    return context_.make(draft);
  }

 private:
  const Stmt* stmt(const Stmt* s) {
    DepthGuard guard(depth_);
    switch (s->kind) {
      case NodeKind::SeqStmts:
        return sequence(as<SeqStmts>(s));
      case NodeKind::AssignStmt:
        return value(s, as<AssignStmt>(s)->value);
      case NodeKind::EvalStmt:
        return value(s, as<EvalStmt>(s)->expr);
      case NodeKind::ForStmt:
        return loop(*as<ForStmt>(s));
      case NodeKind::WhileStmt:
        return loop(*as<WhileStmt>(s));
      case NodeKind::IfStmt:
        return branch(as<IfStmt>(s));
      default:
        return is<ScopeStmt>(s) ? scope(s) : s;
    }
  }

  const Stmt* sequence(const SeqStmts* s) {
    std::vector<const Stmt*> out;
    bool changed = false;
    for (const Stmt* inner : s->stmts) {
      const Stmt* now = stmt(inner);
      changed |= now != inner;
      const SeqStmts* made = now != inner ? as<SeqStmts>(now) : nullptr;
      if (made != nullptr && made->leading_comments.empty() && inner->kind != NodeKind::SeqStmts)
        out.insert(out.end(), made->stmts.begin(), made->stmts.end());
      else
        out.push_back(now);
    }
    if (!changed) return s;
    SeqStmts draft = *s;
    draft.stmts = context_.list(out);
    return context_.make(draft);
  }

  // --- Control flow

  // The values of the yield at the end of the body of block `b`, and those of the exported ids.
  const Stmt* body_with_ids(const Stmt* body, int b, const std::vector<TaskIdVars::Export>& exports) {
    if (exports.empty()) return body;
    std::vector<const Expr*> values;
    if (const YieldStmt* yield = trailing_yield(body)) values.assign(yield->value.begin(), yield->value.end());
    for (const TaskIdVars::Export& made : exports) values.push_back(made.block == b ? made.inner : made.otherwise);
    return with_trailing_yield(context_, body, values);
  }

  static std::vector<const Var*> extended(List<const Var*> vars) { return {vars.begin(), vars.end()}; }

  template <class S>
  const Stmt* loop(const S& s) {
    const int c = next_construct_++;
    const int b = tasks_.constructs[static_cast<size_t>(c)].first_block;
    const std::vector<TaskIdVars::Export>& exports = ids_.exports(c);
    S draft = s;
    draft.body = body_with_ids(stmt(s.body), b, exports);
    if (!exports.empty()) {
      std::vector<const Var*> carries = extended(s.iter_args);
      std::vector<const Var*> results = extended(s.return_vars);
      for (const TaskIdVars::Export& made : exports) {
        carries.push_back(made.carry);
        results.push_back(made.result);
      }
      draft.iter_args = context_.list(carries);
      draft.return_vars = context_.list(results);
    }
    return draft.body == s.body ? static_cast<const Stmt*>(&s) : context_.make(draft);
  }

  const Stmt* branch(const IfStmt* s) {
    const int c = next_construct_++;
    const Construct& construct = tasks_.constructs[static_cast<size_t>(c)];
    const std::vector<TaskIdVars::Export>& exports = ids_.exports(c);
    IfStmt draft = *s;
    draft.then_body = body_with_ids(stmt(s->then_body), construct.first_block, exports);
    if (s->else_body != nullptr)
      draft.else_body = body_with_ids(stmt(s->else_body), construct.second_block, exports);
    else if (!exports.empty())
      draft.else_body = body_with_ids(context_.seq({}, s->span), -1, exports);
    if (!exports.empty()) {
      std::vector<const Var*> results = extended(s->return_vars);
      for (const TaskIdVars::Export& made : exports) results.push_back(made.result);
      draft.return_vars = context_.list(results);
    }
    const bool changed = draft.then_body != s->then_body || draft.else_body != s->else_body;
    return changed ? context_.make(draft) : s;
  }

  const Stmt* scope(const Stmt* s) {
    ++next_construct_;
    return dispatch(s, [&](const auto& node) -> const Stmt* {
      using S = std::remove_cvref_t<decltype(node)>;
      if constexpr (std::is_base_of_v<ScopeStmt, S>) {
        S draft = node;
        draft.body = stmt(node.body);
        if (draft.body != node.body) return context_.make(draft);
      }
      return s;
    });
  }

  // --- Tasks

  const Stmt* value(const Stmt* s, const Expr* e) {
    const Call* call = as<Call>(e);
    const bool is_dummy = call != nullptr && call->op->id == OpId::SystemTaskDummy;
    if (!is_dummy && called_function(e) == nullptr) return s;
    const int t = next_task_++;
    const Expr* now = changed_call(e, t);
    const Var* id = ids_.id(t);
    const AssignStmt* assign = as<AssignStmt>(s);
    if (id == nullptr || (is_dummy && assign != nullptr)) return now == e ? s : with_value(s, now);
    if (is_dummy) return assigned(s, id, now);
    return named(s, now, assign != nullptr ? assign->var : nullptr, id);
  }

  const Stmt* with_value(const Stmt* s, const Expr* value) {
    if (const AssignStmt* assign = as<AssignStmt>(s)) {
      AssignStmt draft = *assign;
      draft.value = value;
      return context_.make(draft);
    }
    EvalStmt draft = *as<EvalStmt>(s);
    draft.expr = value;
    return context_.make(draft);
  }

  const Stmt* assigned(const Stmt* at, const Var* var, const Expr* value) {
    AssignStmt draft;
    draft.kind = NodeKind::AssignStmt;
    draft.span = at->span;
    draft.leading_comments = at->leading_comments;
    draft.var = var;
    draft.value = value;
    return context_.make(draft);
  }

  // The statement as a submit whose results and id are taken apart.
  const Stmt* named(const Stmt* s, const Expr* call, const Var* result, const Var* id) {
    std::vector<const Stmt*> out;
    if (call->kind == NodeKind::Submit) {
      const size_t last = as_tuple(call->type)->types.size() - 1;
      const Var* tuple = result != nullptr ? result : context_.var(called_function(call)->name, call->type, s->span);
      out.push_back(result != nullptr ? with_value(s, call) : assigned(s, tuple, call));
      out.push_back(context_.assign(id, context_.element(tuple, last, tuple->span), s->span));
      return context_.seq(out, s->span);
    }
    const Submit* submit = as_submit(as<Call>(call));
    const size_t results = as_tuple(submit->type)->types.size() - 1;
    const Var* tuple = context_.var(submit->op->name, submit->type, s->span);
    out.push_back(assigned(s, tuple, submit));
    if (result != nullptr && as_tuple(result->type) != nullptr) {
      MakeTuple all;
      all.kind = NodeKind::MakeTuple;
      all.span = call->span;
      all.type = call->type;
      std::vector<const Expr*> elements;
      for (size_t i = 0; i < results; ++i) elements.push_back(context_.element(tuple, i, tuple->span));
      all.elements = context_.list(elements);
      out.push_back(context_.assign(result, context_.make(all), s->span));
    } else if (result != nullptr && results == 1) {
      out.push_back(context_.assign(result, context_.element(tuple, 0, tuple->span), s->span));
    }
    out.push_back(context_.assign(id, context_.element(tuple, results, tuple->span), s->span));
    return context_.seq(out, s->span);
  }

  const Submit* as_submit(const Call* call) {
    std::vector<const Type*> types;
    if (const TupleType* tuple = as_tuple(call->type))
      types.assign(tuple->types.begin(), tuple->types.end());
    else if (as_shaped(call->type) != nullptr || as_scalar(call->type) != nullptr)
      types.push_back(call->type);
    types.push_back(context_.scalar_type(DType::TaskId));
    Submit draft;
    draft.kind = NodeKind::Submit;
    draft.span = call->span;
    draft.type = context_.tuple_type(types);
    draft.op = call->op;
    draft.args = call->args;
    draft.kwargs = call->kwargs;
    std::vector<Attr> attrs;
    for (const Attr& attr : call->attrs)
      if (!is_launch_option(draft, attr)) attrs.push_back(attr);
    draft.attrs = context_.list(attrs);
    return context_.make(draft);
  }

  // What a Call says by attributes a Submit has fields for.
  bool is_launch_option(Submit& draft, const Attr& attr) {
    if (attr.key == "core_num" && attr.value.kind() == AttrKind::Int)
      draft.core_num = context_.const_int(attr.value.as_int(), DType::Index, draft.span);
    else if (attr.key == "core_num" && attr.value.kind() == AttrKind::Expr)
      draft.core_num = attr.value.as_expr();
    else if (attr.key == "sync_start" && attr.value.kind() == AttrKind::Bool)
      draft.sync_start = attr.value.as_bool();
    else if (attr.key == "allow_early_resolve" && attr.value.kind() == AttrKind::Bool)
      draft.allow_early_resolve = attr.value.as_bool();
    else if (attr.key == "predicate" && attr.value.kind() == AttrKind::Expr)
      draft.predicate = attr.value.as_expr();
    else
      return false;
    return true;
  }

  const Expr* changed_call(const Expr* e, int t) {
    const std::vector<TaskEdge>& edges = order_.edges[static_cast<size_t>(t)];
    const std::vector<int>& inout = order_.inout_args[static_cast<size_t>(t)];
    if (edges.empty() && inout.empty() && !loses_names(t)) return e;
    const Submit* submit = as<Submit>(e);
    List<Attr> attrs = changed_attrs(call_attrs(e), t);
    if (submit != nullptr) {
      Submit draft = *submit;
      draft.attrs = attrs;
      return context_.make(draft);
    }
    Call draft = *as<Call>(e);
    draft.attrs = attrs;
    return context_.make(draft);
  }

  List<Attr> changed_attrs(List<Attr> old, int t) {
    std::vector<Attr> attrs(old.begin(), old.end());
    std::vector<const Var*> deps;
    for (Attr& attr : attrs) {
      if (attr.key == "arg_directions" && attr.value.kind() == AttrKind::ArgDirectionVector) {
        std::vector<int32_t> directions(attr.value.as_ints().begin(), attr.value.as_ints().end());
        for (int arg : order_.inout_args[static_cast<size_t>(t)])
          directions[static_cast<size_t>(arg)] = static_cast<int32_t>(ArgDirection::InOut);
        attr.value = AttrValue::of_ints(AttrKind::ArgDirectionVector, context_.list(directions));
      } else if (attr.key == kEdges && attr.value.kind() == AttrKind::VarList) {
        deps.assign(attr.value.as_vars().begin(), attr.value.as_vars().end());
      }
    }
    bool changed = loses_names(t);
    if (changed) std::erase_if(deps, [](const Var* var) { return var != nullptr && as_tensor(var->type) != nullptr; });
    for (const TaskEdge& edge : order_.edges[static_cast<size_t>(t)]) {
      if (edge.through_inner) continue;
      const Var* var = ids_.at(t, edge);
      if (std::find(deps.begin(), deps.end(), var) != deps.end()) continue;
      deps.push_back(var);
      changed = true;
    }
    if (!changed) return context_.list(attrs);
    attrs.erase(std::remove_if(attrs.begin(), attrs.end(), [](const Attr& attr) { return attr.key == kEdges; }),
                attrs.end());
    if (!deps.empty()) attrs.push_back({context_.intern(kEdges), AttrValue::of_vars(context_.list(deps))});
    return context_.list(attrs);
  }
  bool loses_names(int t) const { return order_.has_results && tasks_.tasks[static_cast<size_t>(t)].names_results; }

  static constexpr std::string_view kEdges = "compiler_manual_dep_edges";

  const TaskProgram& tasks_;
  const TaskOrder& order_;
  Context& context_;
  TaskIdVars ids_;
  int next_task_ = 0;
  int next_construct_ = 0;
  int depth_ = 0;
};

}  // namespace

const Function* with_task_order(const TaskProgram& tasks, const TaskOrder& order, Context& context) {
  const bool nothing =
      std::all_of(order.edges.begin(), order.edges.end(), [](const auto& list) { return list.empty(); }) &&
      std::all_of(order.inout_args.begin(), order.inout_args.end(), [](const auto& list) { return list.empty(); }) &&
      !(order.has_results &&
        std::any_of(tasks.tasks.begin(), tasks.tasks.end(), [](const Task& task) { return task.names_results; }));
  return nothing ? tasks.function : TaskOrderWriter(tasks, order, context).run();
}

}  // namespace pyptoc::passes
