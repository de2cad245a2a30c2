// SPDX-License-Identifier: Apache-2.0
// Generic access to nodes through their field descriptions: dispatch by kind, fields in canonical order, children.
#pragma once

#include <type_traits>
#include <utility>

#include "ir/program.h"

namespace pyptoc::ir {

// Calls f(const S&) with the node as the struct that holds its kind.
template <class F>
decltype(auto) dispatch(const Node* node, F&& f) {
  switch (node->kind) {
#define PYPTOC_KIND(K, S) \
  case NodeKind::K:       \
    return f(*static_cast<const S*>(node));
    PYPTOC_NODE_KINDS(PYPTOC_KIND)
#undef PYPTOC_KIND
  }
  PYPTOC_UNREACHABLE("node of an unknown kind");
}

// Calls f(field) for each described field of struct S, in canonical order (span, type and leading_comments, which come
// before them, are not among them).
template <class S, class F>
void for_each_field(F&& f) {
  std::apply([&](const auto&... fields) { (f(fields), ...); }, S::fields());
}

// Calls f(const Node*) for each non-null node in a value of a field: pointers, lists, attributes. Types are skipped.
template <class V, class F>
void for_each_node_in(const V& value, F&& f) {
  using T = std::remove_cv_t<V>;
  if constexpr (std::is_pointer_v<T>) {
    if constexpr (std::is_base_of_v<Node, std::remove_cv_t<std::remove_pointer_t<T>>>) {
      if (value != nullptr) f(static_cast<const Node*>(value));
    }
  } else if constexpr (std::is_same_v<T, List<Attr>>) {
    for (const Attr& attr : value) {
      if (attr.value.kind() == AttrKind::Var) {
        if (attr.value.as_var() != nullptr) f(static_cast<const Node*>(attr.value.as_var()));
      } else if (attr.value.kind() == AttrKind::Expr) {
        if (attr.value.as_expr() != nullptr) f(static_cast<const Node*>(attr.value.as_expr()));
      } else if (attr.value.kind() == AttrKind::VarList) {
        for (const Var* var : attr.value.as_vars())
          if (var != nullptr) f(static_cast<const Node*>(var));
      }
    }
  } else if constexpr (requires {
                         typename T::element_type;
                         value.size();
                       }) {
    using E = std::remove_cv_t<typename T::element_type>;
    if constexpr (std::is_pointer_v<E>)
      for (const auto& element : value) for_each_node_in(element, f);
  }
}

// Calls f(const Node*) for each direct child, in canonical order; nodes inside types are not children.
template <class F>
void for_each_child(const Node* node, F&& f) {
  dispatch(node, [&](const auto& n) {
    using S = std::remove_cvref_t<decltype(n)>;
    for_each_field<S>([&](const auto& described) { for_each_node_in(n.*(described.member), f); });
  });
}

// Calls f(const Node*) for each node that a type names directly or in its parts, in canonical order.
template <class F>
void for_each_node_in_type(const Type* type, F&& f) {
  auto all = [&](const auto& list) {
    for (const auto* element : list) f(static_cast<const Node*>(element));
  };
  auto maybe = [&](const Node* node) {
    if (node != nullptr) f(node);
  };
  if (const ShapedType* shaped = as_shaped(type)) {
    all(shaped->shape);
    if (shaped->memref != nullptr) {
      maybe(shaped->memref->base_node);
      maybe(shaped->memref->byte_offset);
      maybe(shaped->memref->slot_index);
    }
  }
  if (const TensorType* tensor = as_tensor(type)) {
    if (tensor->view != nullptr) {
      all(tensor->view->stride);
      all(tensor->view->valid_shape);
    }
    maybe(tensor->window_buffer);
  } else if (const TileType* tile = as_tile(type)) {
    if (tile->view != nullptr) {
      all(tile->view->valid_shape);
      all(tile->view->stride);
      maybe(tile->view->start_offset);
    }
  } else if (const ArrayType* array = as_array(type)) {
    all(array->shape);
  } else if (const TupleType* tuple = as_tuple(type)) {
    for (const Type* member : tuple->types) for_each_node_in_type(member, f);
  }
}

}  // namespace pyptoc::ir
