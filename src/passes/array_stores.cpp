// SPDX-License-Identifier: Apache-2.0
#include "passes/array_stores.h"

#include <fmt/format.h>

#include "diag/codes_orch.h"
#include "ir/op_id.h"
#include "ir/walker.h"
#include "passes/trailing_yield.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

class ArrayStores : public Walker {
 public:
  ArrayStores(const Function* function, diag::Engine& diags) : diags_(diags) { walk(function->body); }

 protected:
  void visit(const Node* node) override {
    if (is_var(node->kind)) return use(static_cast<const Var*>(node));
    if (node->kind == NodeKind::AssignStmt) return assign(as<AssignStmt>(node));
    if (node->kind == NodeKind::IfStmt) return branch(as<IfStmt>(node));
    if (const ForStmt* loop = as<ForStmt>(node)) {
      walk(loop->start);
      walk(loop->stop);
      walk(loop->step);
      return this->loop(loop->iter_args, loop->return_vars, loop->body, &loop->attrs);
    }
    if (const WhileStmt* loop = as<WhileStmt>(node)) {
      walk(loop->condition);
      return this->loop(loop->iter_args, loop->return_vars, loop->body, nullptr);
    }
    if (is_stmt(node->kind)) at_ = node;
    children(node);
  }

 private:
  static constexpr int kNoVersion = -1;  // what holds depends on the path

  // A C array, and the version that it holds.
  struct Object {
    int version = kNoVersion;
    const Node* stored_at = nullptr;
  };
  struct Array {
    int object = -1;
    int version = kNoVersion;
  };
  struct Change {
    int object;
    int before;
  };

  void use(const Var* var) {
    const Array* array = arrays_.find(var);
    if (array == nullptr) return;
    const Object& object = objects_[static_cast<size_t>(array->object)];
    if (object.version == array->version || !reported_.insert(var)) return;
    diags_.report(diag::codes::array_behind_store, place_of(at_), var->name_hint)
        .note("the element is stored here", place_of(object.stored_at));
  }

  void new_array(const Var* var) {
    objects_.push_back({versions_, at_});
    arrays_[var] = {static_cast<int>(objects_.size()) - 1, versions_++};
  }
  void hold(int object, int version) {
    Object& changed = objects_[static_cast<size_t>(object)];
    changes_.push_back({object, changed.version});
    changed.version = version;
  }
  // The variable is what the array holds from now on.
  void store(const Var* var, int object) {
    hold(object, versions_);
    arrays_[var] = {object, versions_++};
  }
  int version_of(int object) const { return objects_[static_cast<size_t>(object)].version; }

  void assign(const AssignStmt* s) {
    at_ = s;
    walk(s->value);
    if (as_array(s->var->type) == nullptr) return;
    const Call* call = as<Call>(s->value);
    const bool updates = call != nullptr && call->op->id == OpId::ArrayUpdateElement;
    const Array* found = arrays_.find(updates ? call->args[0] : s->value);
    if (found == nullptr) return new_array(s->var);
    const Array source = *found;
    if (!updates) {
      arrays_[s->var] = source;
      return;
    }
    objects_[static_cast<size_t>(source.object)].stored_at = s;
    store(s->var, source.object);
  }

  // Goes back to how things were at `mark`; returns for each object that had changed what it held, in order of change.
  std::vector<Change> undo(size_t mark) {
    std::vector<Change> held;
    for (size_t i = mark; i < changes_.size(); ++i)
      held.push_back({changes_[i].object, version_of(changes_[i].object)});
    while (changes_.size() > mark) {
      objects_[static_cast<size_t>(changes_.back().object)].version = changes_.back().before;
      changes_.pop_back();
    }
    return held;
  }

  void branch(const IfStmt* s) {
    at_ = s;
    walk(s->condition);
    const size_t mark = changes_.size();
    walk(s->then_body);
    const std::vector<Change> then_holds = undo(mark);
    if (s->else_body != nullptr) walk(s->else_body);
    const size_t end = changes_.size();
    for (size_t i = mark; i < end; ++i) hold(changes_[i].object, kNoVersion);
    for (const Change& change : then_holds) hold(change.object, kNoVersion);
    for (const Var* var : s->return_vars)
      if (as_array(var->type) != nullptr) new_array(var);
  }

  void loop(List<const Var*> carries, List<const Var*> results, const Stmt* body, const List<Attr>* attrs) {
    std::vector<Array> starts(carries.size());
    for (size_t i = 0; i < carries.size(); ++i) {
      if (as_array(carries[i]->type) == nullptr) continue;
      const Expr* init = as<IterArg>(carries[i])->init_value;
      walk(init);
      const Array* start = arrays_.find(init);
      const bool rebinds = attrs == nullptr || bool_attr(*attrs, fmt::format("iter_arg_rebind_{}", i), true);
      if (rebinds || start == nullptr) {
        new_array(carries[i]);
      } else {
        starts[i] = *start;
        store(carries[i], starts[i].object);
      }
    }
    const int outside = static_cast<int>(objects_.size());
    const size_t mark = changes_.size();
    walk(body);
    finish(carries, results, body, starts);
    for (size_t i = mark, end = changes_.size(); i < end; ++i) {
      const int object = changes_[i].object;
      if (object >= outside || is_carried(object, carries)) continue;
      // The next iteration would find what this one left.
      const Object& left = objects_[static_cast<size_t>(object)];
      if (const AssignStmt* store = as<AssignStmt>(left.stored_at); store != nullptr && reported_.insert(store->var))
        diags_.report(diag::codes::array_behind_store, place_of(store), store->var->name_hint)
            .note("the loop stores it in each iteration", place_of(store));
      hold(object, kNoVersion);
    }
  }

  bool is_carried(int object, List<const Var*> carries) const {
    for (const Var* carry : carries)
      if (const Array* array = arrays_.find(carry); array != nullptr && array->object == object) return true;
    return false;
  }

  // The array that a loop carries holds what it started with if no iteration stored anything.
  void finish(List<const Var*> carries, List<const Var*> results, const Stmt* body, const std::vector<Array>& starts) {
    const YieldStmt* yield = trailing_yield(body);
    for (size_t i = 0; i < carries.size(); ++i) {
      const Array* found = arrays_.find(carries[i]);
      if (found == nullptr) continue;
      const Array carry = *found;
      const Array* last = yield != nullptr && i < yield->value.size() ? arrays_.find(yield->value[i]) : nullptr;
      const bool untouched = starts[i].object >= 0 && (last == nullptr || last->version == carry.version);
      if (untouched)
        hold(carry.object, starts[i].version);
      else
        hold(carry.object, versions_++);
      if (i < results.size()) arrays_[results[i]] = {carry.object, version_of(carry.object)};
    }
  }

  diag::Engine& diags_;
  std::vector<Object> objects_;
  NodeMap<Array> arrays_;
  std::vector<Change> changes_;
  NodeSet reported_;
  int versions_ = 0;
  const Node* at_ = nullptr;
};

}  // namespace

void check_array_stores(const Function* function, diag::Engine& diags) {
  ArrayStores(function, diags);
}

}  // namespace pyptoc::passes
