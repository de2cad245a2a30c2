// SPDX-License-Identifier: Apache-2.0
// One pass over the statements of a function, in program order, with the storage of every value at hand.
#include "graph/function_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "graph/item_text.h"
#include "ir/depth_guard.h"
#include "ir/describe.h"
#include "ir/op_table.h"
#include "ir/reflect.h"

namespace pyptoc::graph {

using namespace ir;

namespace {

// What a value is made of: storages behind tensors, items behind task ids, both for each element of a tuple.
struct Value {
  NumberSet storages;
  NumberSet tasks;
  std::shared_ptr<const std::vector<Value>> elements;
};

Value either(const Value& a, const Value& b) {
  return {joined(a.storages, b.storages), joined(a.tasks, b.tasks), a.elements != nullptr ? a.elements : b.elements};
}

void add_name(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::count(names, name) == 0) names.push_back(name);
}

class FunctionWalk {
 public:
  FunctionWalk(const Function* function, const Surroundings& known) : function_(function), known_(known) {
    const size_t count = function->params.size();
    result_.summary.reads.resize(count);
    result_.summary.writes.resize(count);
    for (size_t i = 0; i < count; ++i) {
      const Var* param = function->params[i];
      values_[param] = {{storages_.add(std::string(param->name_hint), static_cast<int>(i))}, {}, nullptr};
    }
    in_kernel_ = is_kernel(function) || is_wrapper(function);
  }

  WalkResult run() {
    statement(function_->body);
    for (const Value& value : returned_) {
      NumberSet params;
      for (const int storage : value.storages)
        if (storages_[storage].param >= 0) params.push_back(storages_[storage].param);
      std::ranges::sort(params);
      result_.summary.returns.push_back(std::move(params));
    }
    return std::move(result_);
  }

 private:
  // ---- Items

  int add_item(ItemKind kind, std::string title, std::string detail, const Node* node) {
    Item item;
    item.kind = kind;
    item.title = std::move(title);
    item.detail = std::move(detail);
    item.place = place_text(node);
    item.parent = group_;
    item.depth = group_ < 0 ? 0 : items()[static_cast<size_t>(group_)].depth + 1;
    items().push_back(std::move(item));
    return static_cast<int>(items().size()) - 1;
  }
  std::vector<Item>& items() { return result_.graph.items; }
  Item& item(int number) { return items()[static_cast<size_t>(number)]; }

  template <class Body>
  void inside(int group, int branch, Body body) {
    groups_.open(group, group_, branch);
    const int around = std::exchange(group_, group);
    body();
    group_ = around;
  }
  template <class Body>
  void in_group(ItemKind kind, std::string title, std::string detail, const Node* node, int branch, Body body) {
    if (in_kernel_) return body();  // the inside of a kernel is not drawn
    inside(add_item(kind, std::move(title), std::move(detail), node), branch, body);
  }

  void flow(int from, int to, const std::string& tensor, bool is_order) {
    result_.graph.flows.push_back({from, to, tensor, is_order});
  }

  // What a task makes for itself is its own business.
  bool is_temporary(int storage, int user) const { return task_ >= 0 && user >= task_ && storage >= task_storages_; }

  void note_read(const Value& value, int reader) {
    for (const int storage : value.storages) {
      if (is_temporary(storage, reader)) continue;
      const Storage& info = storages_[storage];
      if (info.param >= 0 && info.writes.empty()) result_.summary.reads[static_cast<size_t>(info.param)] = true;
      if (reader < 0) continue;
      add_name(item(reader).reads, info.name);
      const NumberSet writers = storages_.writers(storage, group_, groups_);
      for (const int writer : writers)
        if (writer != reader) flow(writer, reader, info.name, false);
      if (writers.empty() && info.param >= 0) flow(-1, reader, info.name, false);
    }
  }
  void note_write(const Value& value, int writer) {
    for (const int storage : value.storages) {
      if (is_temporary(storage, writer)) continue;
      const Storage& info = storages_[storage];
      if (info.param >= 0) result_.summary.writes[static_cast<size_t>(info.param)] = true;
      if (writer < 0) continue;
      add_name(item(writer).writes, info.name);
      storages_.write(storage, writer, item(writer).parent, groups_);
    }
  }
  void note_order(const NumberSet& tasks, int later) {
    for (const int task : tasks)
      if (task != later) flow(task, later, "", true);
  }

  // ---- Statements

  void statement(const Stmt* node) {
    if (node == nullptr) return;
    DepthGuard guard(depth_);
    ++statement_;
    if (const auto* seq = as<SeqStmts>(node)) {
      for (const Stmt* each : seq->stmts) statement(each);
    } else if (const auto* assign = as<AssignStmt>(node)) {
      values_[assign->var] = evaluate(assign->value, assign->var->name_hint);
    } else if (const auto* eval = as<EvalStmt>(node)) {
      evaluate(eval->expr, "");
    } else if (const auto* ret = as<ReturnStmt>(node)) {
      leave_with(ret->value);
    } else if (const auto* yield = as<YieldStmt>(node)) {
      yielded_.clear();
      for (const Expr* value : yield->value) yielded_.push_back(evaluate(value, ""));
    } else if (const auto* branch = as<IfStmt>(node)) {
      if_statement(branch);
    } else if (const auto* loop = as<ForStmt>(node)) {
      for_statement(loop);
    } else if (const auto* repeat = as<WhileStmt>(node)) {
      while_statement(repeat);
    } else if (const auto* scope = as<ScopeStmt>(node)) {
      scope_statement(scope);
    }
  }

  void leave_with(List<const Expr*> values) {
    if (returned_.size() < values.size()) returned_.resize(values.size());
    for (size_t i = 0; i < values.size(); ++i) returned_[i] = either(returned_[i], evaluate(values[i], ""));
  }

  std::vector<Value> arm(std::string title, const Stmt* body, const IfStmt* node, int branch) {
    yielded_.clear();
    if (body != nullptr) in_group(ItemKind::Branch, std::move(title), "", node, branch, [&] { statement(body); });
    return std::exchange(yielded_, {});
  }
  void if_statement(const IfStmt* node) {
    evaluate(node->condition, "");
    const int branch = next_branch_++;
    const std::string condition = describe(node->condition);
    const std::vector<Value> then_values = arm("if " + condition, node->then_body, node, branch);
    const std::vector<Value> else_values = arm("else", node->else_body, node, branch);
    for (size_t i = 0; i < node->return_vars.size(); ++i) {
      Value value;
      if (i < then_values.size()) value = then_values[i];
      if (i < else_values.size()) value = either(value, else_values[i]);
      values_[node->return_vars[i]] = std::move(value);
    }
  }

  template <class Loop>
  void loop_body(const Loop* node, std::string title) {
    std::vector<Value> carried;
    for (const Var* arg : node->iter_args) {
      const auto* iter = as<IterArg>(arg);
      carried.push_back(iter == nullptr ? Value{} : evaluate(iter->init_value, ""));
      values_[arg] = carried.back();
    }
    yielded_.clear();
    in_group(ItemKind::Loop, std::move(title), "", node, -1, [&] { statement(node->body); });
    const std::vector<Value> last = std::exchange(yielded_, {});
    for (size_t i = 0; i < node->return_vars.size(); ++i) {
      Value value = i < carried.size() ? carried[i] : Value{};
      if (i < last.size()) value = either(value, last[i]);
      values_[node->return_vars[i]] = std::move(value);
    }
  }
  void for_statement(const ForStmt* node) {
    for (const Expr* bound : {node->start, node->stop, node->step}) evaluate(bound, "");
    std::string range = describe(node->stop);
    const bool plain_step = const_int(node->step) == 1;
    if (const_int(node->start) != 0 || !plain_step) range = describe(node->start) + ", " + range;
    if (!plain_step) range += ", " + describe(node->step);
    std::string title = fmt::format("for {} in range({})", node->loop_var->name_hint, range);
    if (node->for_kind != ForKind::Sequential) title += fmt::format(" {}", name_of(node->for_kind));
    loop_body(node, std::move(title));
  }
  void while_statement(const WhileStmt* node) { loop_body(node, "while " + describe(node->condition)); }

  // ---- Scopes

  void scope_statement(const ScopeStmt* node) {
    if (const auto* runtime = as<RuntimeScopeStmt>(node)) {
      const char* title = runtime->manual ? "manual scope" : "scope";
      return in_group(ItemKind::Scope, title, std::string(node->name_hint), node, -1, [&] { statement(node->body); });
    }
    if (const auto* domain = as<CommDomainScopeStmt>(node)) return domain_scope(domain);
    const auto* level = as<HierarchyScopeStmt>(node);
    if (level != nullptr && level->level >= Level::Chip) {
      return in_group(ItemKind::Scope, fmt::format("at {}", name_of(level->level)), std::string(node->name_hint), node,
                      -1, [&] { statement(node->body); });
    }
    task_scope(node);
  }

  void domain_scope(const CommDomainScopeStmt* node) {
    const std::string devices =
        node->devices.empty() ? "all devices" : fmt::format("devices {}", fmt::join(node->devices, ", "));
    const std::string name = node->name_hint.empty() ? "domain" : fmt::format("domain {}", node->name_hint);
    in_group(ItemKind::Domain, name, devices, node, -1, [&] {
      for (const Var* slot : node->slots) {
        const auto* buffer = as<WindowBuffer>(slot);
        const std::string size = buffer == nullptr ? "" : describe(buffer->size) + " bytes";
        const int window = in_kernel_ ? -1 : add_item(ItemKind::Window, std::string(slot->name_hint), size, slot);
        values_[slot] = {{storages_.add(std::string(slot->name_hint), -1, window)}, {}, nullptr};
        if (buffer != nullptr && buffer->base != nullptr) values_[buffer->base] = values_[slot];
      }
      statement(node->body);
    });
  }

  // A scope that becomes a kernel. Scopes in it only say more about the same task.
  void task_scope(const ScopeStmt* node) {
    const auto* spmd = as<SpmdScopeStmt>(node);
    if (spmd != nullptr) evaluate(spmd->core_num, "");
    if (in_kernel_) {
      if (task_ >= 0) describe_task(node, item(task_));
      return statement(node->body);
    }
    task_ = add_item(ItemKind::Task, std::string(node->name_hint), "", node);
    task_storages_ = storages_.size();
    describe_task(node, item(task_));
    for (const char* key : {"manual_dep_edges", "compiler_manual_dep_edges"})
      note_order(listed_tasks(node->attrs, key), task_);
    in_kernel_ = true;
    inside(task_, -1, [&] { statement(node->body); });
    in_kernel_ = false;
    if (item(task_).title.empty()) item(task_).title = "task";
    const AttrValue* id = find_attr(node->attrs, "task_id_var");
    if (id != nullptr && id->kind() == AttrKind::Var && id->as_var() != nullptr)
      values_[id->as_var()] = {{}, {task_}, nullptr};
    task_ = -1;
  }
  NumberSet listed_tasks(List<Attr> attrs, std::string_view key) {
    const AttrValue* list = find_attr(attrs, key);
    NumberSet tasks;
    if (list == nullptr || list->kind() != AttrKind::VarList) return tasks;
    for (const Var* var : list->as_vars())
      if (var != nullptr) tasks = joined(tasks, evaluate(var, "").tasks);
    return tasks;
  }

  // ---- Expressions

  // `name`: of the variable that the value gets.
  Value evaluate(const Expr* expr, std::string_view name) {
    if (expr == nullptr || is_const(expr->kind)) return {};
    if (is_var(expr->kind)) {
      const Value* value = values_.find(expr);
      return value == nullptr ? Value{} : *value;
    }
    // Parts that an expression shares are looked at once for each statement.
    if (const Seen* seen = seen_.find(expr); seen != nullptr && seen->statement == statement_) return seen->value;
    DepthGuard guard(depth_);
    Value value = computed(expr, name);
    seen_[expr] = {statement_, value};
    return value;
  }

  Value computed(const Expr* expr, std::string_view name) {
    if (const auto* call = as<Call>(expr)) {
      std::vector<Value> args = evaluate_all(call->args);
      return call->op->is_global_var ? call_function(expr, call->op, call->args, args, call->attrs, nullptr, name)
                                     : apply(call, args, name);
    }
    if (const auto* submit = as<Submit>(expr)) {
      return call_function(expr, submit->op, submit->args, evaluate_all(submit->args), submit->attrs, submit, name);
    }
    if (const auto* tuple = as<MakeTuple>(expr)) {
      auto elements = std::make_shared<std::vector<Value>>(evaluate_all(tuple->elements));
      return {{}, {}, std::move(elements)};
    }
    if (const auto* item = as<TupleGetItemExpr>(expr)) {
      const Value whole = evaluate(item->tuple, name);
      const auto index = static_cast<size_t>(item->index);
      if (whole.elements == nullptr || index >= whole.elements->size()) return {};
      return (*whole.elements)[index];
    }
    for_each_child(expr, [&](const Node* child) { evaluate(as<Expr>(child), ""); });
    return {};
  }
  std::vector<Value> evaluate_all(List<const Expr*> exprs) {
    std::vector<Value> values;
    values.reserve(exprs.size());
    for (const Expr* expr : exprs) values.push_back(evaluate(expr, ""));
    return values;
  }

  // The tensors of a value and of the elements of a tuple.
  static Value flat(const Value& value) {
    Value all{value.storages, value.tasks, nullptr};
    if (value.elements != nullptr)
      for (const Value& element : *value.elements) all = either(all, Value{element.storages, element.tasks, nullptr});
    return all;
  }

  Value fresh(const Expr* expr, std::string_view name) {
    if (as_shaped(expr->type) == nullptr && expr->type->kind != TypeKind::Ptr) return {};
    return {{storages_.add(name.empty() ? "unnamed" : std::string(name))}, {}, nullptr};
  }

  // ---- Operators

  Value apply(const Call* call, const std::vector<Value>& args, std::string_view name) {
    if (call->op->id == OpId::PldTensorAllocWindowBuffer) return allocation(call, name);
    const OpInfo& info = op_info(call->op->id);
    const bool collective = is_collective(call->op->id) || is_builtin(call->op->id);
    const int own = collective ? collective_item(call, args) : -1;
    const int who = own >= 0 ? own : task_;
    Value result;
    for (size_t i = 0; i < args.size(); ++i)
      if (reads(effect_of(call, i))) note_read_by(flat(args[i]), own);
    for (size_t i = 0; i < args.size(); ++i)
      if (writes(effect_of(call, i))) write_by(flat(args[i]), args, call, own);
    if (info.result.shares_operand() && info.result.operand < args.size()) {
      result.storages = flat(args[info.result.operand]).storages;
    } else if (info.result.kind == ResultStorage::Kind::Fresh) {
      result = fresh(call, name);
      if (who < 0) hand_on(args, result);
    }
    for (const Value& arg : args) result.tasks = joined(std::move(result.tasks), flat(arg).tasks);
    return result;
  }
  void note_read_by(const Value& value, int own) {
    note_read(value, own >= 0 ? own : task_);
    if (own >= 0 && task_ >= 0) note_read(value, task_);
  }
  void write_by(const Value& value, const std::vector<Value>& args, const Call* call, int own) {
    if (own < 0 && task_ < 0 && !in_kernel_) {
      // Between tasks: whoever made what is written in stands for the writer.
      for (size_t i = 0; i < args.size(); ++i)
        if (reads(effect_of(call, i))) hand_on({args[i]}, value);
    }
    note_write(value, own);
    note_write(value, task_);
  }
  // What an operator of the orchestrator makes of tensors comes from those who made the tensors.
  void hand_on(const std::vector<Value>& sources, const Value& target) {
    if (in_kernel_) return;
    for (const Value& source : sources)
      for (const int storage : flat(source).storages)
        for (const int writer : storages_.writers(storage, group_, groups_))
          for (const int into : target.storages) storages_.write(into, writer, group_, groups_);
  }

  Value allocation(const Call* call, std::string_view name) {
    const AttrValue* given = find_attr(call->kwargs, "name");
    std::string title(name);
    if (given != nullptr && given->kind() == AttrKind::String) title = std::string(given->as_string());
    const std::string size = call->args.empty() ? "" : describe(call->args[0]) + " bytes";
    const int window = add_item(ItemKind::Window, title, size, call);
    const Value value{{storages_.add(title, -1, window)}, {}, nullptr};
    storages_.write(value.storages[0], window, group_, groups_);
    return value;
  }

  int collective_item(const Call* call, const std::vector<Value>& args) {
    std::string_view title = call->op->name;
    title.remove_prefix(title.rfind('.') == std::string_view::npos ? 0 : title.rfind('.') + 1);
    const int number = add_item(ItemKind::Collective, std::string(title), collective_detail(call), call);
    for (const Value& arg : args) {
      for (const int storage : arg.storages) {
        const Storage& info = storages_[storage];
        if (info.param >= 0 && is_distributed(function_->params[static_cast<size_t>(info.param)]->type))
          result_.collective_params.emplace_back(number, info.param);
      }
    }
    return number;
  }

  // ---- Calls

  Value call_function(const Expr* expr, const Op* op, List<const Expr*> arg_exprs, const std::vector<Value>& args,
                      List<Attr> attrs, const Submit* submit, std::string_view name) {
    const Function* callee = known_.program->find(op);
    if (callee == nullptr) return {};
    const int number = in_kernel_ ? -1 : call_item(expr, callee, attrs, submit);
    const Summary* summary = known_.summaries.find(callee);
    for (size_t i = 0; i < args.size() && i < callee->params.size(); ++i) {
      if (reads_param(callee, summary, i)) note_read(flat(args[i]), number >= 0 ? number : task_);
      hand_window(callee, i, arg_exprs[i], args[i]);
    }
    for (size_t i = 0; i < args.size() && i < callee->params.size(); ++i)
      if (writes_param(callee, summary, i)) note_write(flat(args[i]), number >= 0 ? number : task_);
    if (number >= 0) {
      for (const char* key : {"manual_dep_edges", "compiler_manual_dep_edges"})
        note_order(listed_tasks(attrs, key), number);
      if (submit != nullptr)
        for (const Expr* dep : submit->deps) note_order(flat(evaluate(dep, "")).tasks, number);
    }
    return returned_by(expr, callee, summary, args, submit, number, name);
  }

  static bool has_directions(const Function* f) { return f->func_type != FunctionType::Inline; }
  static bool reads_param(const Function* f, const Summary* summary, size_t i) {
    const bool seen = summary == nullptr || summary->reads[i];
    return has_directions(f) ? f->param_directions[i] != ParamDirection::Out : seen;
  }
  static bool writes_param(const Function* f, const Summary* summary, size_t i) {
    const bool seen = summary != nullptr && summary->writes[i];
    return seen || (has_directions(f) && f->param_directions[i] != ParamDirection::In);
  }

  int call_item(const Expr* expr, const Function* callee, List<Attr> attrs, const Submit* submit) {
    const ItemKind own = is_kernel(callee) || is_wrapper(callee) ? ItemKind::Task : ItemKind::Call;
    const ItemKind kind = device_of(attrs) != nullptr ? ItemKind::Dispatch : own;
    const int number = add_item(kind, std::string(callee->name), call_detail(callee, attrs, submit), expr);
    const int* callee_number = known_.numbers.find(callee);
    item(number).callee = callee_number == nullptr ? -1 : *callee_number;
    return number;
  }

  void hand_window(const Function* callee, size_t param, const Expr* expr, const Value& arg) {
    const int* number = known_.numbers.find(callee);
    if (number == nullptr || !is_distributed(expr->type)) return;
    for (const int storage : arg.storages) {
      const Storage& info = storages_[storage];
      if (info.window < 0 && info.param < 0) continue;
      result_.arguments.push_back({*number, static_cast<int>(param), info.window >= 0 ? info.name : "", info.param});
    }
  }

  Value returned_by(const Expr* expr, const Function* callee, const Summary* summary, const std::vector<Value>& args,
                    const Submit* submit, int number, std::string_view name) {
    std::vector<Value> values;
    for (size_t i = 0; i < callee->return_types.size(); ++i) {
      Value value;
      if (summary != nullptr && i < summary->returns.size())
        for (const int param : summary->returns[i])
          if (static_cast<size_t>(param) < args.size()) value = either(value, args[static_cast<size_t>(param)]);
      if (value.storages.empty()) {
        value.storages = {storages_.add(name.empty() ? std::string(callee->name) : std::string(name))};
        if (number >= 0) storages_.write(value.storages[0], number, group_, groups_);
      }
      values.push_back(std::move(value));
    }
    if (submit != nullptr) values.push_back({{}, number >= 0 ? NumberSet{number} : NumberSet{}, nullptr});
    if (values.size() == 1 && submit == nullptr && expr->type->kind != TypeKind::TupleType) return values[0];
    return {{}, {}, std::make_shared<const std::vector<Value>>(std::move(values))};
  }

  struct Seen {
    uint32_t statement = 0;
    Value value;
  };

  const Function* function_;
  const Surroundings& known_;
  WalkResult result_;
  Storages storages_;
  Groups groups_;
  NodeMap<Value> values_;
  NodeMap<Seen> seen_;
  std::vector<Value> yielded_;
  std::vector<Value> returned_;
  uint32_t statement_ = 0;
  int group_ = -1;         // innermost
  int task_ = -1;          // the scope whose body is walked
  int task_storages_ = 0;  // storages from this number on are made in it
  bool in_kernel_ = false;
  int next_branch_ = 0;
  int depth_ = 0;
};

}  // namespace

WalkResult walk_function(const Function* function, const Surroundings& known) {
  return FunctionWalk(function, known).run();
}

}  // namespace pyptoc::graph
