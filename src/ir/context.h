// SPDX-License-Identifier: Apache-2.0
// The owner of one compilation's IR: arena, interned strings, operators and types, and the checked factories.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/reflect.h"
#include "support/arena.h"

namespace pyptoc::ir {

// Everything handed out lives as long as the Context. Not thread safe.
class Context {
 public:
  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Copies a draft into the arena and checks it: no null where the field is not nullable, a span, a type for an
  // expression, the kind one of the struct's. A violation is a bug of pyptoc (InternalError): readers check before.
  template <class S>
  const S* make(S draft) {
    if (draft.span == nullptr) draft.span = &unknown_span_;
    check(draft);
    complete(draft);
    draft.contents = contents_of(draft);
    draft.serial = ++serial_;
    return arena_.copy(draft);
  }

  std::string_view intern(std::string_view text);
  // For long texts that occur once.
  std::string_view copy_string(std::string_view text) { return arena_.copy_string(text); }
  const Op* op(std::string_view name, bool is_global_var);
  const Span* span(const Span& value) { return arena_.copy(value); }
  const Span* unknown_span() const { return &unknown_span_; }

  template <class T>
  List<T> list(const std::vector<T>& values) {
    return arena_.copy_list(values.data(), values.size());
  }
  template <class T>
  List<T> list(std::initializer_list<T> values) {
    return arena_.copy_list(values.begin(), values.size());
  }
  template <class T>
  const T* copy(const T& value) {  // MemRefInfo, TensorView, TileView and the structs of types
    T* made = arena_.copy(value);
    if constexpr (std::is_base_of_v<Type, T>) made->contents = type_contents(made);
    return made;
  }

  // Types. Scalars and the kinds without parts are interned.
  const ScalarType* scalar_type(DType dtype);
  const Type* plain_type(TypeKind kind);
  const TupleType* tuple_type(const std::vector<const Type*>& types);
  const TensorType* tensor_type(DType dtype, List<const Expr*> shape, TypeKind kind = TypeKind::TensorType);

  // Frequent nodes.
  const ConstInt* const_int(int64_t value, DType dtype = DType::Index, const Span* span = nullptr);
  const ConstBool* const_bool(bool value, const Span* span = nullptr);
  const ConstFloat* const_float(double value, DType dtype, const Span* span = nullptr);
  const Var* var(std::string_view name_hint, const Type* type, const Span* span = nullptr);
  // Comparison kinds get BOOL, the others the type of `left`.
  const BinaryExpr* binary(NodeKind kind, const Expr* left, const Expr* right, const Span* span = nullptr);
  const UnaryExpr* unary(NodeKind kind, const Expr* operand, const Type* type, const Span* span = nullptr);
  // Element `index` of a value with a TupleType.
  const TupleGetItemExpr* element(const Expr* tuple, size_t index, const Span* span = nullptr);
  const Call* call(const Op* op, const std::vector<const Expr*>& args, const Type* type, const Span* span = nullptr);
  const AssignStmt* assign(const Var* var, const Expr* value, const Span* span = nullptr);
  // One statement as it is; several as SeqStmts; nested SeqStmts without comments are spliced.
  const Stmt* seq(const std::vector<const Stmt*>& stmts, const Span* span = nullptr);
  // Sorted by name; duplicate names are the caller's to exclude.
  const Program* program(std::string_view name, std::vector<const Function*> functions, const Span* span);
  // `program` with other functions of the same names, in the order of Program::by_op and null where that is.
  const Program* program_with(const Program* program, const std::vector<const Function*>& by_op);

  uint32_t last_serial() const { return serial_; }
  size_t bytes_reserved() const { return arena_.bytes_reserved(); }

 private:
  template <class S>
  static void check(const S& draft) {
    PYPTOC_ASSERT(S::holds(draft.kind), "node of a kind that its struct does not hold");
    if constexpr (std::is_base_of_v<Expr, S>) PYPTOC_ASSERT(draft.type != nullptr, "expression without a type");
    for_each_field<S>(
        [&](const auto& described) { check_value(draft.*(described.member), described.nullable, described.key); });
  }
  template <class V>
  static void check_value(const V& value, bool nullable, const char* key) {
    if constexpr (std::is_pointer_v<V>) {
      if (value == nullptr && !nullable) internal_null(key);
    } else if constexpr (requires {
                           typename V::element_type;
                           value.size();
                         }) {
      if constexpr (std::is_pointer_v<std::remove_cv_t<typename V::element_type>>)
        for (const auto* element : value)
          if (element == nullptr) internal_null(key);
    }
  }
  // What the callers of make() leave to it.
  static void complete(const Node&) {}
  void complete(Function& draft);
  void complete(Program& draft);
  template <class S>
  static Contents contents_of(const S& draft) {
    Contents out = own_contents(draft.kind);
    if constexpr (std::is_base_of_v<Expr, S>) {
      out |= draft.type->contents;
      if constexpr (requires { draft.op; }) {
        out |= draft.op->contents;
        if (find_attr(draft.attrs, "core_num") != nullptr) out |= Content::Width;
      }
      if constexpr (requires { draft.core_num; })
        if (draft.core_num != nullptr) out |= Content::Width;
    }
    if constexpr (std::is_same_v<AssignStmt, S>)
      if (draft.var->type->kind == TypeKind::ScalarType) out |= Content::Scalar;
    if constexpr (std::is_same_v<Function, S>)
      for (const Type* type : draft.return_types) out |= type->contents;
    for_each_field<S>([&](const auto& described) {
      for_each_node_in(draft.*(described.member), [&](const Node* child) { out |= child->contents; });
    });
    return out;
  }
  static constexpr Contents own_contents(NodeKind kind) {
    if (kind == NodeKind::Submit) return Content::Submit;
    if (kind == NodeKind::ForStmt || kind == NodeKind::WhileStmt) return Content::Loop;
    if (kind == NodeKind::IfStmt) return Content::Branch;
    if (is_binary(kind) || is_unary(kind) || kind == NodeKind::TupleGetItemExpr) return Content::Scalar;
    return ScopeStmt::holds(kind) ? Contents(Content::Scope) : Contents();
  }
  static Contents type_contents(const Type* type);
  [[noreturn]] static void internal_null(const char* key);

  struct Tables;
  support::Arena arena_;
  Span unknown_span_;
  uint32_t serial_ = 0;
  std::unique_ptr<Tables> tables_;
};

}  // namespace pyptoc::ir
