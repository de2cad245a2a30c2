// SPDX-License-Identifier: Apache-2.0
#include "passes/assign_cores_sides.h"

#include <algorithm>

#include "ir/op_table.h"
#include "ir/walker.h"
#include "passes/cube_casts.h"
#include "support/internal_error.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

enum class Side : uint8_t { Vector, Cube };

Side side_of(MemorySpace space) {
  return is_cube_memory(space) ? Side::Cube : Side::Vector;
}

// Values on the chip that are one buffer, or one after the other in one variable of the program.
struct Value {
  bool made[2] = {false, false};  // by Side
  bool used[2] = {false, false};
  bool loaded = false;  // from a tensor in memory, on a side still to be chosen
};

// Of the tensors in memory that a kernel stores to or loads from.
struct Access {
  const Node* origin = nullptr;
  int value = -1;
  int body = 0;
  bool is_store = false;
  std::optional<Side> side;  // when it does not follow from the value
};

class SideWalk : public Walker {
 public:
  SideWalk(const Function* f, BufferRoots& roots) : function_(f), roots_(roots.of(f)) {
    bodies_.push_back(-1);
    walk(f->body);
  }

  KernelSides result() {
    choose_sides();
    for (const Access& access : accesses_)
      if (access.is_store) needs(side_of_access(access));
    KernelSides out = sides_;
    for (size_t i = 0; i < values_.size(); ++i) {
      if (find(static_cast<int>(i)) != static_cast<int>(i)) continue;
      const Value& v = values_[i];
      out.crosses |= (v.made[1] || v.used[1]) && (v.made[0] || v.used[0]);
    }
    for (auto [source, target] : assembled_) out.crosses |= side(source) != side(target);
    out.crosses |= meets_in_memory();
    if (out.crosses) out.cube = out.vector = true;
    return out;
  }

 protected:
  void visit(const Node* node) override {
    switch (node->kind) {
      case NodeKind::AssignStmt:
        result_ = as<AssignStmt>(node)->var;
        if (values_of_.contains(as<AssignStmt>(node)->value)) values_of_[as<AssignStmt>(node)->value] = 0;
        children(node);
        bind(as<AssignStmt>(node)->var, as<AssignStmt>(node)->value);
        return;
      case NodeKind::ForStmt:
        walk(as<ForStmt>(node)->start);
        walk(as<ForStmt>(node)->stop);
        loop(as<ForStmt>(node)->iter_args, as<ForStmt>(node)->return_vars, as<ForStmt>(node)->body);
        return;
      case NodeKind::WhileStmt:
        loop(as<WhileStmt>(node)->iter_args, as<WhileStmt>(node)->return_vars, as<WhileStmt>(node)->body);
        return;
      case NodeKind::IfStmt:
        branch(as<IfStmt>(node));
        return;
      case NodeKind::YieldStmt:
        children(node);
        for (size_t i = 0; i < as<YieldStmt>(node)->value.size() && i < yields_.size(); ++i)
          bind(yields_[i], as<YieldStmt>(node)->value[i]);
        return;
      case NodeKind::SplitAivScopeStmt:
        sides_.vector = true;
        children(node);
        return;
      case NodeKind::Call:
        children(node);
        call(as<Call>(node));
        return;
      default:
        children(node);
    }
  }

 private:
  // --- values

  int find(int v) {
    while (parent_[static_cast<size_t>(v)] != v) {
      int& up = parent_[static_cast<size_t>(v)];
      up = parent_[static_cast<size_t>(up)];
      v = up;
    }
    return v;
  }
  // A read at -1 once went unseen: the corpus reached it, and what the heap held there decided about cores.
  Value& value(int v) {
    PYPTOC_ASSERT(v >= 0, "what lies in memory is no value of a core");
    return values_[static_cast<size_t>(find(v))];
  }
  int new_value() {
    values_.emplace_back();
    parent_.push_back(static_cast<int>(parent_.size()));
    return parent_.back();
  }
  void unite(int a, int b) {
    if (a < 0 || b < 0) return;
    a = find(a);
    b = find(b);
    if (a == b) return;
    Value& from = values_[static_cast<size_t>(b)];
    Value& to = values_[static_cast<size_t>(a)];
    for (int s : {0, 1}) {
      to.made[s] |= from.made[s];
      to.used[s] |= from.used[s];
    }
    to.loaded |= from.loaded;
    parent_[static_cast<size_t>(b)] = a;
  }

  int known_value(const Expr* e) const {
    const int* known = values_of_.find(e);
    return known != nullptr ? *known - 1 : -1;
  }

  static bool on_chip_type(const Type* t) { return as_tensor(t) != nullptr || as_tile(t) != nullptr; }

  // A tensor in memory: a parameter, under whatever name. Views of it are loads and have values.
  bool in_memory(const Expr* e) {
    if (as_tensor(e->type) == nullptr || known_value(e) >= 0) return false;
    const List<int> all = roots_.of(e);
    return !all.empty() &&
           std::all_of(all.begin(), all.end(), [&](int r) { return roots_.root(r).kind == Root::Kind::Param; });
  }

  // The value of an expression, or -1 for what is in memory or no value at all.
  int value_of(const Expr* e) {
    if (!on_chip_type(e->type)) return -1;
    if (int known = known_value(e); known >= 0) return known;
    if (in_memory(e)) return -1;
    int made = new_value();
    values_of_[e] = made + 1;
    if (const TileType* tile = as_tile(e->type); tile != nullptr && tile->has_memory_space)
      values_[static_cast<size_t>(made)].made[static_cast<size_t>(side_of(tile->memory_space))] = true;
    return made;
  }

  void make(const Expr* e, Side s) { value(value_of(e)).made[static_cast<size_t>(s)] = true; }

  void bind(const Var* var, const Expr* e) {
    if (!on_chip_type(var->type)) return;
    if (in_memory(e)) {
      if (in_memory(var)) {
        if (as<Call>(e) != nullptr || is_var(e->kind)) origin_[var] = origin(e);
      } else {
        value(value_of(var)).loaded = true;  // a carry that starts with a tensor in memory
      }
      return;
    }
    int v = value_of(e);
    if (int mine = known_value(var); mine >= 0)
      unite(mine, v);
    else
      values_of_[var] = v + 1;
  }

  // --- tensors in memory

  // What a name of a tensor was before the stores that it was renamed by.
  const Node* origin(const Expr* e) {
    if (const Node** known = origin_.find(e)) return *known;
    const Call* c = as<Call>(e);
    if (c == nullptr || c->op->is_global_var) return e;
    ResultStorage storage = op_info(c->op->id).result;
    return storage.shares_operand() && storage.operand < c->args.size() ? origin(c->args[storage.operand]) : e;
  }

  void access(const Expr* tensor, int v, bool is_store, std::optional<Side> s = std::nullopt) {
    accesses_.push_back({origin(tensor), v, body_, is_store, s});
  }

  Side side_of_access(const Access& a) { return a.side.has_value() ? *a.side : side(a.value); }

  // --- operators

  void call(const Call* c) {
    if (c->op->is_global_var) return;
    const OpInfo& info = op_info(c->op->id);
    switch (c->op->id) {
      case OpId::TensorAssemble:
      case OpId::TileAssemble:
        assemble(c, c->args[0], c->args[1]);
        return;
      case OpId::TileStore:
      case OpId::TileMscatter:
      case OpId::PldTileRemoteStore:
        store(c->args[0], c->args[c->op->id == OpId::PldTileRemoteStore ? 1 : 2]);
        return;
      case OpId::TensorCast:
      case OpId::TileCast:
        cast(c);
        return;
      case OpId::TensorTranspose:  // needs a copy on the chip, other than the views
        compute(c, Side::Vector);
        return;
      case OpId::TileMove:
        move(c);
        return;
      case OpId::TileLoad:
        load(c);
        return;
      case OpId::TensorAivShard:
      case OpId::TileAivShard:
        boundary(c, Side::Cube);
        return;
      case OpId::TensorAicGather:
      case OpId::TileAicGather:
        boundary(c, Side::Vector);
        return;
      default:
        break;
    }
    if (info.result.kind == ResultStorage::Kind::View && info.affinity != AffinityRule::Vector) {
      view(c, c->args[info.result.operand]);
      return;
    }
    CoreAffinity affinity = core_affinity(c);
    if (affinity == CoreAffinity::Vector) {
      compute(c, Side::Vector);
    } else if (affinity == CoreAffinity::Cube) {
      compute(c, Side::Cube);
    } else if (info.result.kind == ResultStorage::Kind::Alias || info.affinity == AffinityRule::FirstTile) {
      view(c, c->args[info.result.operand]);
    }
  }

  void needs(Side s) { (s == Side::Cube ? sides_.cube : sides_.vector) = true; }

  void use(const Expr* e, Side s) {
    if (!on_chip_type(e->type)) return;
    if (in_memory(e)) {
      // A parameter is loaded at the entry, where no store can have been.
      if (origin_.find(e) != nullptr) access(e, -1, false, s);
      return;
    }
    value(value_of(e)).used[static_cast<size_t>(s)] = true;
  }

  void compute(const Call* c, Side s) {
    needs(s);
    const OpInfo& info = op_info(c->op->id);
    for (size_t i = 0; i < c->args.size(); ++i) {
      const Operand* operand = info.operand_at(i);
      bool only_written = operand != nullptr && operand->effect == Effect::Write;
      if ((operand == nullptr || operand->effect != Effect::None) && !(only_written && in_memory(c->args[i])))
        use(c->args[i], s);
    }
    if (!on_chip_type(c->type)) return;
    if (info.result.shares_operand() && info.result.operand < c->args.size()) {
      const Expr* target = c->args[info.result.operand];
      if (in_memory(target)) return;
      // By its roots alone the result of a carry that begins with a parameter would lie in memory.
      if (known_value(c) < 0) values_of_[c] = value_of(target) + 1;
      unite(value_of(target), value_of(c));
    }
    make(c, s);
  }

  // The result lies where the source does.
  void view(const Call* c, const Expr* source) {
    if (!on_chip_type(c->type) || !on_chip_type(source->type)) return;
    if (op_info(c->op->id).result.kind == ResultStorage::Kind::Alias && in_memory(source)) return;
    if (!in_memory(source)) {
      values_of_[c] = value_of(source) + 1;
      return;
    }
    int v = new_value();
    values_of_[c] = v + 1;
    values_[static_cast<size_t>(v)].loaded = true;
    access(source, v, false);
  }

  void load(const Call* c) {
    const AttrValue* memory = find_attr(c->kwargs, "target_memory");
    int v = value_of(c);
    value(v).loaded = true;
    if (memory != nullptr) {
      Side s = side_of(static_cast<MemorySpace>(memory->enum_number()));
      needs(s);
      value(v).made[static_cast<size_t>(s)] = true;
    }
    access(c->args[0], v, false);
  }

  void move(const Call* c) {
    const AttrValue* memory = find_attr(c->kwargs, "target_memory");
    if (memory == nullptr) {
      view(c, c->args[0]);
      return;
    }
    Side s = side_of(static_cast<MemorySpace>(memory->enum_number()));
    needs(s);
    use(c->args[0], s);
    make(c, s);
  }

  void cast(const Call* c) {
    if (!casts_.has_value()) casts_.emplace(function_);
    if (!casts_->holds(result_, c)) {
      compute(c, Side::Vector);
      return;
    }
    value(value_of(c)).made[0] = false;  // whatever memory its type names
    compute(c, Side::Cube);
  }

  void boundary(const Call* c, Side from) {
    use(c->args[0], from);
    make(c, from == Side::Cube ? Side::Vector : Side::Cube);
    sides_.crosses = true;
  }

  void assemble(const Call* c, const Expr* target, const Expr* source) {
    if (in_memory(target)) {
      store(source, target);
      return;
    }
    unite(value_of(target), value_of(c));
    if (in_memory(source)) {
      value(value_of(target)).loaded = true;
      return;
    }
    assembled_.push_back({value_of(source), value_of(target)});
  }

  void store(const Expr* source, const Expr* target) {
    if (in_memory(source))
      access(target, -1, true, Side::Vector);  // copied through the vector core
    else
      access(target, value_of(source), true);
  }

  // --- control flow

  void loop(List<const Var*> iter_args, List<const Var*> return_vars, const Stmt* body) {
    for (const Var* var : iter_args) {
      walk(as<IterArg>(var)->init_value);
      bind(var, as<IterArg>(var)->init_value);
      if (in_memory(var)) origin_[var] = var;  // an origin of its own: which store came before depends on the round
    }
    std::vector<const Var*> outer(iter_args.begin(), iter_args.end());
    outer.swap(yields_);
    nested(body);
    outer.swap(yields_);
    for (size_t i = 0; i < return_vars.size() && i < iter_args.size(); ++i) {
      bind(return_vars[i], iter_args[i]);
      if (in_memory(return_vars[i])) origin_[return_vars[i]] = return_vars[i];
    }
  }

  void branch(const IfStmt* s) {
    walk(s->condition);
    std::vector<const Var*> outer(s->return_vars.begin(), s->return_vars.end());
    outer.swap(yields_);
    nested(s->then_body);
    if (s->else_body != nullptr) nested(s->else_body);
    outer.swap(yields_);
    for (const Var* var : s->return_vars)
      if (in_memory(var)) origin_[var] = var;
  }

  void nested(const Stmt* body) {
    bodies_.push_back(body_);
    int outer = body_;
    body_ = static_cast<int>(bodies_.size()) - 1;
    walk(body);
    body_ = outer;
  }

  // --- the end

  Side side(int v) {
    const Value& now = value(v);
    if (now.made[1]) return Side::Cube;
    return now.made[0] || !now.used[1] ? Side::Vector : Side::Cube;
  }

  // What nothing but assembling makes lies where its parts do.
  void choose_sides() {
    for (auto [source, target] : assembled_) {
      Value& to = value(target);
      if (!to.made[0] && !to.made[1] && !to.used[0] && !to.used[1] && !to.loaded)
        to.made[static_cast<size_t>(side(source))] = true;
    }
  }

  bool is_inside(int body, int outer) const {
    while (body >= 0 && body != outer) body = bodies_[static_cast<size_t>(body)];
    return body == outer;
  }

  // A store of the cube core, the only one to its tensor, and behind it a load of the vector core that runs as often or
  // in a loop or branch behind it.
  bool meets_in_memory() {
    NodeMap<int> stores;
    for (const Access& a : accesses_)
      if (a.is_store) ++stores[a.origin];
    NodeMap<int> body_of_store;  // + 1
    for (const Access& a : accesses_) {
      if (a.is_store) {
        if (*stores.find(a.origin) == 1 && side_of_access(a) == Side::Cube) body_of_store[a.origin] = a.body + 1;
        continue;
      }
      const int* body = body_of_store.find(a.origin);
      if (body != nullptr && side_of_access(a) == Side::Vector && is_inside(a.body, *body - 1)) return true;
    }
    return false;
  }

  const Function* function_;
  const FunctionRoots& roots_;
  std::optional<CubeCasts> casts_;  // made when the first cast is met
  const Var* result_ = nullptr;     // of the assignment that is being walked
  KernelSides sides_;
  std::vector<Value> values_;
  std::vector<int> parent_;
  NodeMap<int> values_of_;                      // variable, or call in its last evaluation -> value + 1
  NodeMap<const Node*> origin_;                 // name of a tensor in memory -> its first name
  std::vector<std::pair<int, int>> assembled_;  // part, whole
  std::vector<Access> accesses_;                // in order of evaluation
  std::vector<int> bodies_;                     // the body around each body of a loop or branch
  int body_ = 0;
  std::vector<const Var*> yields_;  // what the yields of the innermost loop or branch become
};

}  // namespace

KernelSides kernel_sides(const Function* kernel, BufferRoots& roots) {
  return SideWalk(kernel, roots).result();
}

}  // namespace pyptoc::passes
