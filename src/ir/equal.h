// SPDX-License-Identifier: Apache-2.0
// Equality of types and expressions, and of whole programs up to the names of local variables.
#pragma once

#include <optional>
#include <string>

#include "ir/program.h"

namespace pyptoc::ir {

// The same value wherever both are in scope: variables are the same node, everything else is alike part by part; spans
// do not count. What is nested or repeated beyond a fixed bound counts as different, so the cost is bounded.
bool expr_equal(const Expr* a, const Expr* b);
// expr_equal, but of two integer constants only the values count.
bool extent_equal(const Expr* a, const Expr* b);
bool extents_equal(List<const Expr*> a, List<const Expr*> b);

struct TypeEqualOptions {
  bool views = true;           // stride, layout, valid_shape and padding of tensors and tiles
  bool memory_space = true;    // of tiles
  bool memref = false;         // where memory planning placed it
  bool window_buffer = false;  // which allocation a distributed tensor lies in
};
// Variables in the types must be the same node. An empty valid_shape is the shape.
bool type_equal(const Type* a, const Type* b, const TypeEqualOptions& options = {});

struct EqualOptions {
  bool leading_comments = true;
  bool local_names = false;  // compare the name hints of local variables too
};

struct Difference {
  std::string path;  // `$.functions[2].value.body.stmts[0].value.type`, the same in both programs
  std::string text;  // `Add, in the other Sub`
  diag::Place place_a;
  diag::Place place_b;
};

// The first difference in canonical order, or nothing. Names of the program, functions and parameters, operators, keys
// and all other texts must be the same; a local variable of one program must always meet the same variable of the
// other, whatever the two are called. Spans and creation numbers do not count, nor whether equal parts are one node or
// several.
//
// Takes time near the number of nodes, shared ones counted once. Throws NestingTooDeep.
std::optional<Difference> first_difference(const Program* a, const Program* b, const EqualOptions& options = {});

}  // namespace pyptoc::ir
