// SPDX-License-Identifier: Apache-2.0
// The type rules that the rows of ops.def name.
//
// A rule gives the type of an operator call's result from its arguments and keywords. It presumes that the arguments
// have the number and kinds of the table's row. It answers null where the table does not know the type, and where the
// arguments do not fit together: then it has reported that, unless it runs without an engine. A collective has the type
// of its data operand even then.
#pragma once

#include <string>
#include <vector>

#include "diag/engine.h"
#include "ir/context.h"
#include "ir/op_table.h"

namespace pyptoc::ir {

struct TypeRuleInput {
  Context& context;
  const OpInfo& info;
  List<const Expr*> args;
  List<Attr> kwargs;
  diag::Engine* engine;  // may be null
  diag::Place place;

  // Reports that the operands do not fit together, and gives the null that a rule then returns.
  const Type* misfit(const std::string& text) const;
  const AttrValue* keyword(std::string_view key, AttrKind kind) const;  // null when absent or of another kind
  int64_t int_keyword(std::string_view key, int64_t otherwise) const;
  bool bool_keyword(std::string_view key) const;  // false when absent
};

// The elements of a tuple operand; nothing when it is not written out as one.
std::optional<List<const Expr*>> tuple_elements(const Expr* expr);
// Every extent that the data really has: valid_shape, or shape where there is none.
List<const Expr*> valid_shape_of(const TensorType* type);
bool is_fully_valid(const TensorType* type);
// Row-major without gaps as far as the type tells.
bool is_packed(const TensorType* type);
// A tensor type whose view is left out where it says nothing.
const TensorType* make_tensor(Context& context, TypeKind kind, DType dtype, List<const Expr*> shape, TensorView view,
                              const Var* window_buffer = nullptr);
// The common type of the operands of an arithmetic operator: floats win over integers, more bits over fewer, the signed
// one of two equally wide integers.
DType promote(DType a, DType b);
bool is_one(const Expr* extent);
// Negative axes count from the end. Nothing when out of range.
std::optional<size_t> normalize_axis(int64_t axis, size_t rank);

namespace rules {

using Rule = const Type*(TypeRuleInput&);

inline constexpr TypeRule unknown = nullptr;

Rule nothing, ptr, index, int32, boolean, task, world_size, comm_ctx;
Rule prefetch_context, async_event, async_session;
Rule same0, same1, same2, same0_value, element;
Rule array_create, array_element, window, collective;

Rule tensor_create, tensor_from_shape0, tensor_from_shape1, tensor_from_shape6;
Rule tensor_assemble, tensor_write, tensor_slice, tensor_reshape, tensor_transpose, tensor_view, tensor_set_validshape;
Rule tensor_fillpad, tensor_concat, tensor_gather, tensor_shard;
Rule tensor_binary, tensor_scalar, tensor_scalar_int, tensor_unary, tensor_unary_float, tensor_unary_full, tensor_cast;
Rule tensor_row_reduce, tensor_col_reduce, tensor_expand, tensor_matmul;

Rule tile_create, tile_load, tile_store, tile_move, tile_full0, tile_full1, tile_reshape;
Rule tile_binary, tile_scalar, tile_unary, tile_cast, tile_row_reduce, tile_col_reduce, tile_expand, tile_matmul;

}  // namespace rules

}  // namespace pyptoc::ir
