// SPDX-License-Identifier: Apache-2.0
// Printing of scopes.
#include "ir/walker.h"
#include "text/print_impl.h"

namespace pyptoc::text {

using ir::AttrKind;
using ir::NodeKind;

namespace {

class BlockIndexSearch : public ir::Walker {
 public:
  bool found = false;

 protected:
  void visit(const ir::Node* node) override {
    const auto* call = ir::as<ir::Call>(node);
    if (call != nullptr && call->op->id == ir::OpId::TileGetBlockIdx) found = true;
    if (!found) children(node);
  }
};

// An spmd body that asks for its block index is taken for the body of a kernel, unless it says otherwise.
bool looks_inline(const ir::Stmt* body) {
  if (body->kind == NodeKind::InCoreScopeStmt) return false;
  BlockIndexSearch search;
  try {
    search.walk(body);
  } catch (const ir::NestingTooDeep&) {
    return true;
  }
  return search.found;
}

// Dependencies that `deps=` can say: first in the list, none of them null.
bool has_deps(ir::List<ir::Attr> attrs) {
  if (attrs.empty() || attrs.front().key != "manual_dep_edges" || attrs.front().value.kind() != AttrKind::VarList)
    return false;
  for (const ir::Var* var : attrs.front().value.as_vars())
    if (var == nullptr) return false;
  return !attrs.front().value.as_vars().empty();
}

// The variable that `as` can bind: behind the dependencies, of type TASK_ID.
const ir::Var* captured_task_id(ir::List<ir::Attr> attrs) {
  size_t at = has_deps(attrs) ? 1 : 0;
  if (at >= attrs.size() || attrs[at].key != "task_id_var" || attrs[at].value.kind() != AttrKind::Var) return nullptr;
  const ir::Var* var = attrs[at].value.as_var();
  return var != nullptr && ir::is_scalar_of(var->type, ir::DType::TaskId) ? var : nullptr;
}

}  // namespace

void Printer::name_hint(Items& items, std::string_view name) {
  if (name.empty()) return;
  items.next() += "name_hint=";
  string_literal(name);
}

size_t Printer::scope_attrs(Items& items, ir::List<ir::Attr> list, const ir::Var* task_id) {
  size_t at = 0;
  if (has_deps(list)) {
    items.next() += "deps=";
    attr_value(list[at]);
    ++at;
  }
  if (task_id != nullptr) ++at;
  if (at < list.size() && list[at].key == "allow_early_resolve" && list[at].value.kind() == AttrKind::Bool &&
      list[at].value.as_bool()) {
    items.next() += "allow_early_resolve=True";
    ++at;
  }
  return at;
}

void Printer::incore(const ir::InCoreScopeStmt& node, Items& items) {
  out_ += "pl.at(";
  items.next() += "level=pl.Level.CORE_GROUP";
  if (!node.split.has_value()) {
    items.next() += "optimizations=None";
  } else if (*node.split != ir::SplitMode::None) {
    items.next() += "optimizations=[pl.split(pl.SplitMode.";
    out_ += split_mode_name(*node.split);
    out_ += ")]";
  }
}

void Printer::hierarchy(const ir::HierarchyScopeStmt& node, Items& items) {
  out_ += node.level == ir::Level::CoreGroup ? "pl.hierarchy(" : "pl.at(";
  items.next() += "level=pl.Level.";
  out_ += ir::name_of(node.level);
  if (!node.role.has_value()) return;
  items.next() += "role=pl.Role.";
  out_ += ir::name_of(*node.role);
}

void Printer::spmd(const ir::SpmdScopeStmt& node, Items& items) {
  out_ += "pl.spmd(";
  items.next();
  expr(node.core_num);
  if (node.sync_start) items.next() += "sync_start=True";
  if (looks_inline(node.body)) items.next() += "inline=False";
}

void Printer::window_buffer(const ir::WindowBuffer& buffer, bool named) {
  out_ += "pld.WindowBuffer(";
  var(buffer.base);
  out_ += ", ";
  expr(buffer.size);
  if (buffer.load_from_host) out_ += ", load_from_host=True";
  if (buffer.store_to_host) out_ += ", store_to_host=True";
  if (named || names_.name(&buffer) != buffer.name_hint) {
    out_ += ", name=";
    string_literal(buffer.name_hint);
  }
  if (buffer.type->kind != ir::TypeKind::WindowBufferType) {
    out_ += ", type=";
    type(buffer.type);
  }
  out_ += ')';
}

void Printer::comm_domain(const ir::CommDomainScopeStmt& node, Items& items) {
  out_ += "pld.comm_domain(";
  items.next() += "slots=[";
  Items slots(out_);
  for (const ir::Var* slot : node.slots) {
    slots.next();
    var(slot);
    const auto* buffer = ir::as<ir::WindowBuffer>(slot);
    if (buffer == nullptr || names_.is_global(slot) || !bound_.insert(slot)) continue;
    out_ += " := ";
    window_buffer(*buffer, false);
  }
  out_ += ']';
  if (node.devices.empty()) return;
  items.next() += "devices=[";
  Items devices(out_);
  for (int64_t device : node.devices) {
    devices.next();
    number(device);
  }
  out_ += ']';
}

void Printer::split_aiv(const ir::SplitAivScopeStmt& node, Items& items) {
  out_ += "pl.split_aiv(";
  items.next();
  number(node.count);
  items.next() += "mode=pl.SplitMode.";
  out_ += split_mode_name(node.split);
}

// `for aiv_id in pl.split_aiv(...)` when the body begins by asking for the index of the lane.
const ir::AssignStmt* Printer::lane_index(const ir::SplitAivScopeStmt& node) {
  const auto* seq = ir::as<ir::SeqStmts>(node.body);
  if (seq == nullptr || seq->stmts.size() < 2 || !seq->leading_comments.empty()) return nullptr;
  const auto* assign = ir::as<ir::AssignStmt>(seq->stmts.front());
  if (assign == nullptr || !assign->leading_comments.empty()) return nullptr;
  const auto* call = ir::as<ir::Call>(assign->value);
  bool plain = call != nullptr && call->op->id == ir::OpId::TileGetSubblockIdx && call->args.empty() &&
               call->attrs.empty() && call->kwargs.empty() && ir::is_scalar_of(call->type, ir::DType::Index) &&
               ir::is_scalar_of(assign->var->type, ir::DType::Index);
  return plain ? assign : nullptr;
}

void Printer::scope(const ir::ScopeStmt& node) {
  const ir::AssignStmt* lane = nullptr;
  if (const auto* split = ir::as<ir::SplitAivScopeStmt>(&node)) lane = lane_index(*split);
  const ir::Var* task_id = captured_task_id(node.attrs);
  for (const ir::Attr& attr : node.attrs) {
    if (attr.key != "task_id_var" || attr.value.kind() != AttrKind::Var || attr.value.as_var() == nullptr) continue;
    bool again = !bound_.insert(attr.value.as_var());
    if (again || attr.value.as_var() != task_id) declare(attr.value.as_var());
  }
  line_start();
  if (lane != nullptr) {
    out_ += "for ";
    var(lane->var);
    bound_.insert(lane->var);
    out_ += " in ";
  } else {
    out_ += "with ";
  }
  Items items(out_);
  if (const auto* one = ir::as<ir::InCoreScopeStmt>(&node)) {
    incore(*one, items);
  } else if (const auto* level = ir::as<ir::HierarchyScopeStmt>(&node)) {
    hierarchy(*level, items);
  } else if (const auto* blocks = ir::as<ir::SpmdScopeStmt>(&node)) {
    spmd(*blocks, items);
  } else if (const auto* lanes = ir::as<ir::SplitAivScopeStmt>(&node)) {
    split_aiv(*lanes, items);
  } else if (const auto* runtime = ir::as<ir::RuntimeScopeStmt>(&node)) {
    out_ += runtime->manual ? "pl.manual_scope(" : "pl.scope(";
  } else if (const auto* domain = ir::as<ir::CommDomainScopeStmt>(&node)) {
    comm_domain(*domain, items);
  } else {
    out_ += "pl.cluster(";
  }
  name_hint(items, node.name_hint);
  size_t done = scope_attrs(items, node.attrs, task_id);
  attrs(items, node.attrs.subspan(done));
  out_ += ')';
  if (task_id != nullptr) {
    out_ += " as ";
    var(task_id);
  }
  out_ += ":\n";
  if (lane == nullptr) return body(node.body);
  ++indent_;
  for (const ir::Stmt* one : ir::as<ir::SeqStmts>(node.body)->stmts.subspan(1)) stmt(one);
  --indent_;
}

}  // namespace pyptoc::text
