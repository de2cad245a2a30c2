// SPDX-License-Identifier: Apache-2.0
// Storage roots as reachability: values are vertices, "is the same storage as" are edges, roots flow along them.
#include "passes/buffer_roots.h"

#include <algorithm>

#include "ir/call_arguments.h"
#include "ir/renamed_operand.h"
#include "ir/walker.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// What the values that a function returns were before they got other names, where its one return statement and a body
// without control flow show it.
class PlainReturn {
 public:
  // For each value the index of the parameter that it is; nothing where some value may be a part of one.
  std::optional<std::vector<std::optional<int>>> of(const Function* f) {
    const SeqStmts* body = as<SeqStmts>(f->body);
    const List<const Stmt*> stmts = body != nullptr ? body->stmts : List<const Stmt*>(&f->body, 1);
    const ReturnStmt* result = stmts.empty() ? nullptr : as<ReturnStmt>(stmts.back());
    if (result == nullptr) return std::nullopt;
    for (const Expr* value : result->value) {
      if (as_tuple(value->type) != nullptr) return std::nullopt;
      values_.push_back(as_tensor(value->type) != nullptr ? source(value) : nullptr);
    }
    if (!f->contents.has_any(Content::Loop | Content::Branch | Content::Scope)) follow(stmts);
    std::vector<std::optional<int>> out;
    for (const Expr* value : values_) {
      const auto param = std::find(f->params.begin(), f->params.end(), value);
      const bool found = param != f->params.end();
      if (!found && value != nullptr) return std::nullopt;
      out.push_back(found ? std::optional(static_cast<int>(param - f->params.begin())) : std::nullopt);
    }
    return out;
  }

 private:
  // A kernel has few results, so the whole is no longer than its body.
  void follow(List<const Stmt*> stmts) {
    for (size_t i = stmts.size(); i-- > 0;) {
      const AssignStmt* assign = as<AssignStmt>(stmts[i]);
      if (assign == nullptr) continue;
      for (const Expr*& value : values_)
        if (value == assign->var) value = source(assign->value);
    }
  }
  // What has the same elements and another name; null for what is made here.
  static const Expr* source(const Expr* value) {
    const Call* call = as<Call>(value);
    if (call == nullptr || call->op->is_global_var || call->op->id == OpId::Unknown) return value;
    if (!op_info(call->op->id).result.shares_operand()) return nullptr;
    const Expr* renamed = renamed_operand(call);
    return renamed != nullptr ? renamed : value;
  }

  std::vector<const Expr*> values_;
};

}  // namespace

class RootsBuilder : public Walker {
 public:
  explicit RootsBuilder(BufferRoots& program_roots) : program_roots_(program_roots) {}

  // Keeps its memory for the next function.
  void run(const Function* f, FunctionRoots& out) {
    out_ = &out;
    begin(f);
    for (size_t i = 0; i < f->params.size(); ++i) {
      if (as_tensor(f->params[i]->type) == nullptr) continue;
      add_root(var_value(f->params[i]), {Root::Kind::Param, f->params[i], 0, static_cast<int>(i)});
    }
    walk(f->body);
    propagate();
    out.returned_.reserve(returns_.size());
    for (const std::vector<int>& sources : returns_) out.returned_.push_back(param_of(sources));
  }

 protected:
  void visit(const Node* node) override {
    if (!is_stmt(node->kind)) return;  // values are followed where statements bind them
    switch (node->kind) {
      case NodeKind::AssignStmt:
        evaluate_again(as<AssignStmt>(node)->value);
        bind(as<AssignStmt>(node)->var, as<AssignStmt>(node)->value);
        return;
      case NodeKind::ForStmt:
        loop(as<ForStmt>(node)->iter_args, as<ForStmt>(node)->return_vars, as<ForStmt>(node)->body, node);
        return;
      case NodeKind::WhileStmt:
        loop(as<WhileStmt>(node)->iter_args, as<WhileStmt>(node)->return_vars, as<WhileStmt>(node)->body, node);
        return;
      case NodeKind::IfStmt:
        branch(as<IfStmt>(node));
        return;
      case NodeKind::YieldStmt:
        for (size_t i = 0; i < as<YieldStmt>(node)->value.size() && i < yields_.size(); ++i)
          for (const Var* target : yields_[i]) bind(target, as<YieldStmt>(node)->value[i]);
        return;
      case NodeKind::EvalStmt:
        return;
      case NodeKind::ReturnStmt:
        add_return(as<ReturnStmt>(node));
        return;
      default:
        children(node);
    }
  }

 private:
  // Kernels have few values: without this, most of the time went into growing vectors step by step. Each statement of a
  // long list gives a variable and mostly a call.
  void begin(const Function* f) {
    const SeqStmts* body = as<SeqStmts>(f->body);
    const size_t values = f->params.size() + std::max(size_t{5}, body != nullptr ? body->stmts.size() * 2 : 0);
    out_->sets_.reserve(values);
    out_->roots_.reserve(out_->params_.size() + 1);
    out_->values_.reserve(values);
    first_edge_.clear();
    edges_.clear();
    work_.clear();
    yields_.clear();
    returns_.clear();
    defined_.forget();
  }

  // --- vertices

  int new_value() {
    out_->sets_.push_back(FunctionRoots::kNone);
    first_edge_.push_back(-1);
    return static_cast<int>(out_->sets_.size()) - 1;
  }
  int var_value(const Node* node) {
    int& slot = out_->values_[node];
    if (slot == 0) slot = new_value() + 1;
    return slot - 1;
  }
  std::vector<int>& elements(const Node* tuple, size_t count) {
    std::vector<int>& slots = out_->elements_[tuple];
    if (slots.size() < count) slots.resize(count, -1);
    return slots;
  }
  int element_value(const Node* tuple, size_t index) {
    if (elements(tuple, index + 1)[index] < 0) {
      int made = new_value();
      elements(tuple, index + 1)[index] = made;
    }
    return elements(tuple, index + 1)[index];
  }
  void add_root(int value, Root root) {
    out_->roots_.push_back(root);
    add(value, static_cast<int>(out_->roots_.size()) - 1);
  }
  void add(int value, int number) {
    int& set = out_->sets_[static_cast<size_t>(value)];
    if (set == number) return;
    if (set == FunctionRoots::kNone) {
      set = number;
    } else if (set >= 0) {
      out_->several_.push_back({std::min(set, number), std::max(set, number)});
      set = FunctionRoots::kNone - static_cast<int>(out_->several_.size());
    } else {
      std::vector<int>& several = out_->several_[static_cast<size_t>(FunctionRoots::kNone - 1 - set)];
      auto at = std::lower_bound(several.begin(), several.end(), number);
      if (at != several.end() && *at == number) return;
      several.insert(at, number);
    }
    work_.push_back({value, number});
  }
  // `to` may be the same storage as `from`.
  void link(int from, int to) {
    if (from < 0 || to < 0 || from == to) return;
    edges_.push_back({to, first_edge_[static_cast<size_t>(from)]});
    first_edge_[static_cast<size_t>(from)] = static_cast<int>(edges_.size()) - 1;
  }

  // --- expressions

  // Windows lie in what an allocation gives, which is no tensor itself.
  static bool has_storage(const Type* type) { return as_tensor(type) != nullptr || type->kind == TypeKind::Ptr; }

  // The value number of a tensor or allocation, or -1.
  int value_of(const Expr* e) {
    if (!has_storage(e->type)) return -1;
    if (is_var(e->kind)) return var_value(e);
    if (const TupleGetItemExpr* get = as<TupleGetItemExpr>(e)) {
      if (const MakeTuple* made = as<MakeTuple>(get->tuple)) {
        size_t index = static_cast<size_t>(get->index);
        return index < made->elements.size() ? value_of(made->elements[index]) : -1;
      }
      define_call(get->tuple);
      return element_value(get->tuple, static_cast<size_t>(get->index));
    }
    if (e->kind == NodeKind::Call || e->kind == NodeKind::Submit) {
      define_call(e);
      return var_value(e);
    }
    return -1;
  }

  // Statements that share a call make a tensor each.
  void evaluate_again(const Expr* e) {
    const bool* defined = defined_.find(e);
    if (defined == nullptr || !*defined) return;
    defined_[e] = false;
    out_->values_[e] = 0;
    out_->elements_[e].clear();
  }

  // Gives a call its value numbers, once.
  void define_call(const Expr* e) {
    if (e->kind != NodeKind::Call && e->kind != NodeKind::Submit) return;
    bool& defined = defined_[e];
    if (defined) return;
    defined = true;
    const Op* op = e->kind == NodeKind::Call ? as<Call>(e)->op : as<Submit>(e)->op;
    List<const Expr*> args = e->kind == NodeKind::Call ? as<Call>(e)->args : as<Submit>(e)->args;
    if (const TupleType* tuple = as_tuple(e->type)) {
      for (size_t k = 0; k < tuple->types.size(); ++k)
        if (as_tensor(tuple->types[k]) != nullptr) define_result(e, op, args, static_cast<int>(k), element_value(e, k));
    } else if (has_storage(e->type)) {
      define_result(e, op, args, 0, var_value(e));
    }
  }

  void define_result(const Expr* call, const Op* op, List<const Expr*> args, int k, int value) {
    if (!op->is_global_var) {
      const ResultStorage storage = op_info(op->id).result;
      if (storage.shares_operand() && storage.operand < args.size())
        link(value_of(args[storage.operand]), value);
      else if (op->id != OpId::Unknown)
        add_root(value, {Root::Kind::Created, call, k, -1});
      return;
    }
    const Function* callee = program_roots_.program()->find(op);
    note_callee(op, callee);
    if (callee == nullptr) return;
    const auto& returned = program_roots_.returned_params(callee);
    if (static_cast<size_t>(k) >= returned.size()) return;
    std::optional<int> param = returned[static_cast<size_t>(k)];
    std::optional<size_t> arg =
        param ? CallArguments(callee, args).of_param(static_cast<size_t>(*param)) : std::nullopt;
    if (!param)
      add_root(value, {Root::Kind::CallResult, call, k, -1});
    else if (arg)
      link(value_of(args[*arg]), value);
    else
      add_root(value, {Root::Kind::RuntimeMade, call, k, *param});
  }

  void note_callee(const Op* op, const Function* callee) {
    if (!out_->callees_.empty() && out_->callees_.back().op == op) return;
    std::vector<std::optional<int>>& all = out_->callees_returned_;
    const size_t begin = all.size();
    if (callee != nullptr) {
      const auto& returned = program_roots_.returned_params(callee);
      all.insert(all.end(), returned.begin(), returned.end());
    }
    out_->callees_.push_back({op, callee != nullptr ? callee->params : List<const Var*>(), begin, all.size()});
  }

  // --- statements

  void bind(const Var* var, const Expr* value) {
    if (has_storage(var->type)) {
      share_value(var, value);
      link(value_of(value), var_value(var));
      return;
    }
    const TupleType* tuple = as_tuple(var->type);
    if (tuple == nullptr) return;
    define_call(value);
    for (size_t k = 0; k < tuple->types.size(); ++k) {
      if (as_tensor(tuple->types[k]) == nullptr) continue;
      const MakeTuple* made = as<MakeTuple>(value);
      int from = made == nullptr             ? element_value(value, k)
                 : k < made->elements.size() ? value_of(made->elements[k])
                                             : -1;
      link(from, element_value(var, k));
    }
  }

  // What a call makes and the variable that it is bound to first are one value.
  void share_value(const Var* var, const Expr* value) {
    const bool call = value->kind == NodeKind::Call || value->kind == NodeKind::Submit;
    if (!call || !has_storage(value->type) || out_->values_.contains(var)) return;
    const bool* defined = defined_.find(value);
    if (defined != nullptr && *defined) return;
    const int number = var_value(var);
    out_->values_[value] = number + 1;
  }

  void loop(List<const Var*> iter_args, List<const Var*> return_vars, const Stmt* body, const Node* stmt) {
    std::vector<std::vector<const Var*>> targets;
    for (size_t i = 0; i < iter_args.size(); ++i) {
      const IterArg* arg = as<IterArg>(iter_args[i]);
      if (arg != nullptr) bind(arg, arg->init_value);
      targets.push_back({iter_args[i]});
      if (i >= return_vars.size()) continue;
      bind(return_vars[i], iter_args[i]);  // no iteration, or the last yield that came back through the carry
    }
    targets.swap(yields_);
    (void)stmt;
    walk(body);
    yields_.swap(targets);
  }

  void branch(const IfStmt* s) {
    std::vector<std::vector<const Var*>> targets;
    for (const Var* var : s->return_vars) targets.push_back({var});
    targets.swap(yields_);
    walk(s->then_body);
    walk(s->else_body);
    yields_.swap(targets);
  }

  void add_return(const ReturnStmt* s) {
    std::vector<int> values;
    for (const Expr* e : s->value) {
      const TupleType* tuple = as_tuple(e->type);
      if (tuple == nullptr || s->value.size() != 1) {
        values.push_back(value_of(e));
        continue;
      }
      define_call(e);
      for (size_t k = 0; k < tuple->types.size(); ++k) {
        const MakeTuple* made = as<MakeTuple>(e);
        values.push_back(made != nullptr ? value_of(made->elements[k]) : element_value(e, k));
      }
    }
    if (returns_.size() < values.size()) returns_.resize(values.size());
    for (size_t i = 0; i < values.size(); ++i) returns_[i].push_back(values[i]);
  }

  std::optional<int> param_of(const std::vector<int>& sources) const {
    std::optional<int> param;
    for (int value : sources) {
      if (value < 0) return std::nullopt;
      const int set = out_->sets_[static_cast<size_t>(value)];
      if (set < 0) return std::nullopt;
      const Root& root = out_->roots_[static_cast<size_t>(set)];
      if (root.kind != Root::Kind::Param || (param && *param != root.param)) return std::nullopt;
      param = root.param;
    }
    return param;
  }

  void propagate() {
    while (!work_.empty()) {
      auto [value, number] = work_.back();
      work_.pop_back();
      for (int e = first_edge_[static_cast<size_t>(value)]; e >= 0; e = edges_[static_cast<size_t>(e)].next)
        add(edges_[static_cast<size_t>(e)].to, number);
    }
  }

  struct Edge {
    int to;
    int next;  // of the same value, or -1
  };

  BufferRoots& program_roots_;
  FunctionRoots* out_ = nullptr;
  std::vector<int> first_edge_;  // by value
  std::vector<Edge> edges_;
  std::vector<std::pair<int, int>> work_;        // (value, root that is new there)
  std::vector<std::vector<const Var*>> yields_;  // what each yielded value of the innermost loop or branch becomes
  std::vector<std::vector<int>> returns_;
  EpochMap<bool> defined_;  // calls that have their value numbers
};

int FunctionRoots::find_value(const Expr* value) const {
  if (const TupleGetItemExpr* get = as<TupleGetItemExpr>(value)) {
    if (const MakeTuple* made = as<MakeTuple>(get->tuple))
      return find_value(made->elements[static_cast<size_t>(get->index)]);
    const std::vector<int>* slots = elements_.find(get->tuple);
    size_t index = static_cast<size_t>(get->index);
    return slots != nullptr && index < slots->size() ? (*slots)[index] : -1;
  }
  const int* slot = values_.find(value);
  return slot != nullptr ? *slot - 1 : -1;
}

List<int> FunctionRoots::of(const Expr* value) const {
  const int number = find_value(value);
  const int set = number >= 0 ? sets_[static_cast<size_t>(number)] : kNone;
  if (set == kNone) return {};
  if (set >= 0) return List<int>(sets_).subspan(static_cast<size_t>(number), 1);
  return several_[static_cast<size_t>(kNone - 1 - set)];
}

std::optional<int> FunctionRoots::single(const Expr* value) const {
  const List<int> set = of(value);
  return set.size() == 1 ? std::optional<int>(set.front()) : std::nullopt;
}

BufferRoots::BufferRoots(const Program* program, RootsMemo* memo)
    : program_(program), memo_(memo != nullptr ? *memo : own_) {}
BufferRoots::~BufferRoots() = default;

const std::vector<std::optional<int>>* BufferRoots::plainly_returned_params(const Function* function) {
  return is_kernel(function) ? memo_.plainly_returned(function) : nullptr;
}

const std::vector<std::optional<int>>& BufferRoots::returned_params(const Function* function) {
  const std::vector<std::optional<int>>* plain = plainly_returned_params(function);
  return plain != nullptr ? *plain : of(function).returned_params();
}

const FunctionRoots& BufferRoots::of(const Function* function) {
  if (const Done* known = done_.find(function->op); known != nullptr && known->function == function)
    return *known->roots;
  if (const std::shared_ptr<FunctionRoots>* known = replaced_.find(function)) return **known;
  if (!in_progress_.insert(function)) {
    met_recursion_ = true;
    return unknown_;
  }
  DepthGuard guard(depth_);
  std::shared_ptr<FunctionRoots> roots = memo_.roots_[function->op];
  if (roots == nullptr || roots->body_ != function->body || !std::ranges::equal(roots->params_, function->params) ||
      !holds(*roots))
    roots = make(function);
  Done& done = done_[function->op];
  if (done.roots != nullptr) replaced_[done.function] = std::move(done.roots);
  done = {function, std::move(roots)};
  return *done.roots;
}

bool BufferRoots::holds(const FunctionRoots& remembered) {
  for (const FunctionRoots::Callee& callee : remembered.callees_) {
    const Function* now = program_->find(callee.op);
    if (now == nullptr || !std::ranges::equal(now->params, callee.params)) return false;
    const List<std::optional<int>> then(remembered.callees_returned_.data() + callee.begin, callee.end - callee.begin);
    if (!std::ranges::equal(returned_params(now), then)) return false;
  }
  return true;
}

std::shared_ptr<FunctionRoots> BufferRoots::make(const Function* function) {
  auto roots = std::make_shared<FunctionRoots>();
  roots->body_ = function->body;
  roots->params_ = function->params;
  std::unique_ptr<RootsBuilder> builder;  // callees are built meanwhile, by others
  if (idle_.empty()) {
    builder = std::make_unique<RootsBuilder>(*this);
  } else {
    builder = std::move(idle_.back());
    idle_.pop_back();
  }
  builder->run(function, *roots);
  idle_.push_back(std::move(builder));
  // Once a recursive call was met, what is unknown depends on who asked first.
  if (!met_recursion_) memo_.roots_[function->op] = roots;
  return roots;
}

const RootsMemo::Returned* RootsMemo::plainly_returned(const Function* kernel) {
  Plain& known = plain_[kernel->op];
  const bool same = known.body == kernel->body && known.params.data() == kernel->params.data() &&
                    known.params.size() == kernel->params.size();
  if (same) return known.returned;
  std::optional<Returned> returned = PlainReturn().of(kernel);
  known = {kernel->body, kernel->params, returned ? kept(std::move(*returned)) : nullptr};
  return known.returned;
}

const RootsMemo::Returned* RootsMemo::kept(Returned returned) {
  constexpr size_t kCompared = 16;
  for (size_t i = 0; i < returned_.size() && i < kCompared; ++i)
    if (returned_[i] == returned) return &returned_[i];
  return &returned_.emplace_back(std::move(returned));
}

}  // namespace pyptoc::passes
