// SPDX-License-Identifier: Apache-2.0
// Rewriting of the expressions inside types.
#include "ir/rewriter.h"

namespace pyptoc::ir {

namespace {

// Copies the list only where something changes, which is rare.
bool rewrite_exprs(Rewriter& rewriter, Context& context, List<const Expr*>& list) {
  std::vector<const Expr*> out;
  for (size_t i = 0; i < list.size(); ++i) {
    const Expr* now = rewriter.expr(list[i]);
    if (now == list[i] && out.empty()) continue;
    if (out.empty()) out.assign(list.begin(), list.end());
    out[i] = now;
  }
  if (out.empty()) return false;
  list = context.list(out);
  return true;
}

bool rewrite_expr(Rewriter& rewriter, const Expr*& e) {
  if (e == nullptr) return false;
  const Expr* now = rewriter.expr(e);
  bool changed = now != e;
  e = now;
  return changed;
}

bool rewrite_memref(Rewriter& rewriter, Context& context, const MemRefInfo*& memref) {
  if (memref == nullptr) return false;
  MemRefInfo draft = *memref;
  bool changed = false;
  if (const Var* base = as<Var>(rewriter.expr(draft.base_node)); base != nullptr && base != draft.base_node) {
    draft.base_node = base;
    changed = true;
  }
  changed |= rewrite_expr(rewriter, draft.byte_offset);
  changed |= rewrite_expr(rewriter, draft.slot_index);
  if (changed) memref = context.copy(draft);
  return changed;
}

const Type* rewrite_tensor(Rewriter& rewriter, Context& context, const TensorType* t) {
  TensorType draft = *t;
  bool changed = rewrite_exprs(rewriter, context, draft.shape);
  changed |= rewrite_memref(rewriter, context, draft.memref);
  if (draft.view != nullptr) {
    TensorView view = *draft.view;
    bool differs = rewrite_exprs(rewriter, context, view.stride);
    differs |= rewrite_exprs(rewriter, context, view.valid_shape);
    if (differs) draft.view = context.copy(view);
    changed |= differs;
  }
  if (draft.window_buffer != nullptr) {
    const Var* now = as<Var>(rewriter.expr(draft.window_buffer));
    changed |= now != nullptr && now != draft.window_buffer;
    if (now != nullptr) draft.window_buffer = now;
  }
  return changed ? context.copy(draft) : t;
}

const Type* rewrite_tile(Rewriter& rewriter, Context& context, const TileType* t) {
  TileType draft = *t;
  bool changed = rewrite_exprs(rewriter, context, draft.shape);
  changed |= rewrite_memref(rewriter, context, draft.memref);
  if (draft.view != nullptr) {
    TileView view = *draft.view;
    bool differs = rewrite_exprs(rewriter, context, view.valid_shape);
    differs |= rewrite_exprs(rewriter, context, view.stride);
    differs |= rewrite_expr(rewriter, view.start_offset);
    if (differs) draft.view = context.copy(view);
    changed |= differs;
  }
  return changed ? context.copy(draft) : t;
}

}  // namespace

const Type* Rewriter::type(const Type* t) {
  DepthGuard guard(depth_);
  if (const TensorType* tensor = as_tensor(t)) return rewrite_tensor(*this, context_, tensor);
  if (const TileType* tile = as_tile(t)) return rewrite_tile(*this, context_, tile);
  if (const ArrayType* array = as_array(t)) {
    ArrayType draft = *array;
    return rewrite_exprs(*this, context_, draft.shape) ? context_.copy(draft) : t;
  }
  if (const TupleType* tuple = as_tuple(t)) {
    std::vector<const Type*> out;  // empty until something changes, which is rare
    for (size_t i = 0; i < tuple->types.size(); ++i) {
      const Type* now = type(tuple->types[i]);
      if (now == tuple->types[i] && out.empty()) continue;
      if (out.empty()) out.assign(tuple->types.begin(), tuple->types.end());
      out[i] = now;
    }
    return out.empty() ? t : context_.tuple_type(out);
  }
  return t;
}

}  // namespace pyptoc::ir
