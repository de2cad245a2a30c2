// SPDX-License-Identifier: Apache-2.0
// The type of an operator call's result.
#pragma once

#include "diag/engine.h"
#include "ir/context.h"
#include "ir/op_table.h"

namespace pyptoc::ir {

// Whether a value of this type can stand for an operand of this kind.
bool operand_fits(OperandKind kind, const Type* type);

// Requires arguments of the number and kinds of the operator's row. Null when the type is not known, or when the
// arguments do not fit together: that is reported to `engine` unless it is null. Memory placement (`memref`) and the
// allocation behind a window are never part of the answer.
const Type* deduce_type(Context& context, OpId op, List<const Expr*> args, List<Attr> kwargs, diag::Engine* engine,
                        const diag::Place& place);

}  // namespace pyptoc::ir
