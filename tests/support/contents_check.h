// SPDX-License-Identifier: Apache-2.0
// What ir/contents.h promises, computed the slow way.
#pragma once

#include <string>
#include <string_view>

#include "ir/node_map.h"
#include "ir/op_table.h"
#include "ir/reflect.h"

namespace pyptoc::test_support {

// Walks everything below a node. An IterArg counts with its initial value wherever it stands.
class ContentsCheck {
 public:
  // The first node whose contents are wrong, as text; empty when all are right.
  std::string fault(const ir::Node* root) {
    of(root);
    return fault_;
  }

 private:
  using Content = ir::Content;

  ir::Contents of(const ir::Node* node) {
    if (const ir::Contents* known = done_.find(node)) return *known;
    ir::Contents out = own(node);
    ir::for_each_child(node, [&](const ir::Node* child) { out |= of(child); });
    done_[node] = out;
    if (out != node->contents && fault_.empty())
      fault_ = "node " + std::to_string(node->serial) + ", " + std::string(ir::name_of(node->kind));
    return out;
  }

  ir::Contents of_type(const ir::Type* type) {
    const std::string_view kind = ir::name_of(type->kind);
    ir::Contents out;
    if (kind == "DistributedTensorType" || kind == "WindowBufferType" || kind == "CommCtxType") out |= Content::Window;
    if (kind == "ArrayType") out |= Content::Array;
    const ir::TileType* tile = ir::as_tile(type);
    if (tile != nullptr && tile->has_memory_space && tile->memory_space != ir::MemorySpace::Vec &&
        tile->memory_space != ir::MemorySpace::Ddr)
      out |= Content::Cube;
    if (const ir::TupleType* tuple = ir::as_tuple(type)) {
      for (const ir::Type* member : tuple->types) out |= of_type(member);
      return out;
    }
    ir::for_each_node_in_type(type, [&](const ir::Node* node) {
      if (of(node).has(Content::Scalar)) out |= Content::Scalar;
    });
    return out;
  }

  static ir::Contents of_op(const ir::Op* op) {
    if (op->is_global_var) return Content::FunctionCall;
    ir::Contents out;
    for (std::string_view area : {"pld.", "dist.", "builtin."})
      if (op->name.substr(0, area.size()) == area) out |= Content::Window;
    if (op->name == "tensor.write") out |= Content::ElementWrite;
    if (op->name == "tensor.read") out |= Content::ElementRead;
    for (std::string_view pipe : {"tile.tpush_to_aic", "tile.tpush_to_aiv", "tile.tpop_from_aic", "tile.tpop_from_aiv",
                                  "system.aic_initialize_pipe", "system.aiv_initialize_pipe"})
      if (op->name == pipe) out |= Content::Pipe;
    if (op->name == "tensor.assemble") out |= Content::Assemble;
    using enum ir::AffinityRule;
    for (ir::AffinityRule rule : {Cube, Boundary, CoreType, TargetMemory, Move})
      if (ir::op_info(op->id).affinity == rule) out |= Content::Cube;
    return out;
  }

  ir::Contents own(const ir::Node* node) {
    const std::string_view kind = ir::name_of(node->kind);
    ir::Contents out;
    if (ir::is_expr(node->kind)) out |= of_type(static_cast<const ir::Expr*>(node)->type);
    if (const ir::Call* call = ir::as<ir::Call>(node)) {
      out |= of_op(call->op);
      if (ir::find_attr(call->attrs, "core_num") != nullptr) out |= Content::Width;
    }
    if (const ir::Submit* submit = ir::as<ir::Submit>(node)) {
      out |= of_op(submit->op) | Content::Submit;
      if (submit->core_num != nullptr || ir::find_attr(submit->attrs, "core_num") != nullptr) out |= Content::Width;
    }
    if (ir::is<ir::BinaryExpr>(node) || ir::is<ir::UnaryExpr>(node) || ir::is<ir::TupleGetItemExpr>(node))
      out |= Content::Scalar;
    if (const ir::AssignStmt* assign = ir::as<ir::AssignStmt>(node);
        assign != nullptr && ir::as_scalar(assign->var->type))
      out |= Content::Scalar;
    if (const ir::Function* f = ir::as<ir::Function>(node))
      for (const ir::Type* type : f->return_types) out |= of_type(type);
    if (kind == "ForStmt" || kind == "WhileStmt") out |= Content::Loop;
    if (kind == "IfStmt") out |= Content::Branch;
    if (kind.size() > 9 && kind.substr(kind.size() - 9) == "ScopeStmt") out |= Content::Scope;
    return out;
  }

  ir::NodeMap<ir::Contents> done_;
  std::string fault_;
};

inline std::string contents_fault(const ir::Node* root) {
  return ContentsCheck().fault(root);
}

}  // namespace pyptoc::test_support
