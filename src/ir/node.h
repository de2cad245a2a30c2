// SPDX-License-Identifier: Apache-2.0
// What every IR node has: kind, creation number, span; and how fields are described.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>

#include "diag/place.h"
#include "ir/contents.h"

namespace pyptoc::ir {

template <class T>
using List = std::span<const T>;  // memory of the compilation's arena

// All node kinds: X(Kind, struct that holds it). The name is the `type` of the node in files.
#define PYPTOC_EXPR_KINDS(X)                                                                                       \
  X(Var, Var)                                                                                                      \
  X(IterArg, IterArg)                                                                                              \
  X(WindowBuffer, WindowBuffer) X(MemRef, MemRef) X(ConstInt, ConstInt) X(ConstFloat, ConstFloat)                  \
      X(ConstBool, ConstBool) X(Add, BinaryExpr) X(Sub, BinaryExpr) X(Mul, BinaryExpr) X(FloorDiv, BinaryExpr)     \
          X(FloorMod, BinaryExpr) X(FloatDiv, BinaryExpr) X(Min, BinaryExpr) X(Max, BinaryExpr) X(Pow, BinaryExpr) \
              X(Eq, BinaryExpr) X(Ne, BinaryExpr) X(Lt, BinaryExpr) X(Le, BinaryExpr) X(Gt, BinaryExpr)            \
                  X(Ge, BinaryExpr) X(And, BinaryExpr) X(Or, BinaryExpr) X(Xor, BinaryExpr) X(BitAnd, BinaryExpr)  \
                      X(BitOr, BinaryExpr) X(BitXor, BinaryExpr) X(BitShiftLeft, BinaryExpr)                       \
                          X(BitShiftRight, BinaryExpr) X(Abs, UnaryExpr) X(Neg, UnaryExpr) X(Not, UnaryExpr)       \
                              X(BitNot, UnaryExpr) X(Cast, UnaryExpr) X(Call, Call) X(Submit, Submit)              \
                                  X(MakeTuple, MakeTuple) X(TupleGetItemExpr, TupleGetItemExpr)

#define PYPTOC_STMT_KINDS(X)                                                                                    \
  X(AssignStmt, AssignStmt)                                                                                     \
  X(EvalStmt, EvalStmt)                                                                                         \
  X(ReturnStmt, ReturnStmt) X(YieldStmt, YieldStmt) X(SeqStmts, SeqStmts) X(IfStmt, IfStmt) X(ForStmt, ForStmt) \
      X(WhileStmt, WhileStmt) X(BreakStmt, BreakStmt) X(ContinueStmt, ContinueStmt)                             \
          X(InCoreScopeStmt, InCoreScopeStmt) X(ClusterScopeStmt, ClusterScopeStmt)                             \
              X(HierarchyScopeStmt, HierarchyScopeStmt) X(SpmdScopeStmt, SpmdScopeStmt)                         \
                  X(SplitAivScopeStmt, SplitAivScopeStmt) X(RuntimeScopeStmt, RuntimeScopeStmt)                 \
                      X(CommDomainScopeStmt, CommDomainScopeStmt) X(InlineStmt, InlineStmt)

#define PYPTOC_NODE_KINDS(X) PYPTOC_EXPR_KINDS(X) PYPTOC_STMT_KINDS(X) X(Function, Function) X(Program, Program)

enum class NodeKind : uint8_t {
#define PYPTOC_KIND(K, S) K,
  PYPTOC_NODE_KINDS(PYPTOC_KIND)
#undef PYPTOC_KIND
};
std::string_view name_of(NodeKind kind);

constexpr bool is_expr(NodeKind kind) {
  return kind <= NodeKind::TupleGetItemExpr;
}
constexpr bool is_stmt(NodeKind kind) {
  return kind >= NodeKind::AssignStmt && kind <= NodeKind::InlineStmt;
}
constexpr bool is_binary(NodeKind kind) {
  return kind >= NodeKind::Add && kind <= NodeKind::BitShiftRight;
}
constexpr bool is_unary(NodeKind kind) {
  return kind >= NodeKind::Abs && kind <= NodeKind::Cast;
}
constexpr bool is_var(NodeKind kind) {
  return kind <= NodeKind::MemRef;
}
constexpr bool is_comparison(NodeKind kind) {
  return kind >= NodeKind::Eq && kind <= NodeKind::Ge;
}
constexpr bool is_const(NodeKind kind) {
  return kind >= NodeKind::ConstInt && kind <= NodeKind::ConstBool;
}

// Where a node comes from: the user's Python source (1-based, -1 unknown) and the byte offset of the node in the input
// file. A rewritten node keeps the Span object of the node that it replaces, so the place survives every pass.
struct Span {
  std::string_view filename;
  int32_t begin_line = -1;
  int32_t begin_column = -1;
  int32_t end_line = -1;
  int32_t end_column = -1;
  uint32_t offset = diag::Place::kNoOffset;

  diag::Place place() const {
    diag::Place out;
    out.filename = filename;
    out.begin_line = begin_line;
    out.begin_column = begin_column;
    out.end_line = end_line;
    out.end_column = end_column;
    out.offset = offset;
    return out;
  }
};

// Nodes are plain structs: filled as a draft on the stack, then made immutable by Context::make, which checks them.
// Identity is the address. `serial` counts nodes in order of creation and orders things where an order is needed.
struct Node {
  NodeKind kind;
  Contents contents;  // of a draft: nothing yet
  uint32_t serial = 0;
  const Span* span = nullptr;
};

inline diag::Place place_of(const Node* node) {
  return node->span->place();
}

// One field of a node: its key in files and the member. The order of a struct's fields() is the order of visits, by
// which nodes are numbered in files (ir-format.md, "Canonical numbers"). Printing, comparing, hashing, visiting,
// rewriting, reading and writing all go by these descriptions.
template <class S, class M>
struct Field {
  const char* key;
  M S::*member;
  bool nullable = false;  // pointers and optionals only: nothing stands for the file's null
  bool defines = false;   // the variables in it are defined here, not used
};
template <class S, class M>
constexpr Field<S, M> field(const char* key, M S::*member) {
  return {key, member, false, false};
}
template <class S, class M>
constexpr Field<S, M> nullable(const char* key, M S::*member) {
  return {key, member, true, false};
}
template <class S, class M>
constexpr Field<S, M> defining(const char* key, M S::*member) {
  return {key, member, false, true};
}

template <class T>
const T* as(const Node* node) {
  return node != nullptr && T::holds(node->kind) ? static_cast<const T*>(node) : nullptr;
}
template <class T>
bool is(const Node* node) {
  return node != nullptr && T::holds(node->kind);
}

}  // namespace pyptoc::ir
