// SPDX-License-Identifier: Apache-2.0
// The IR as PyPTO DSL text, for people, dumps and round trips; docs/language.md describes the text.
#pragma once

#include <string>

#include "ir/program.h"

namespace pyptoc::text {

struct PrintOptions {
  // False leaves the annotations of assignments out: shorter for people, but the text no longer says everything.
  bool annotate_assignments = true;
};

// Any IR is taken, valid or not, and the same IR gives the same text. The text of a valid program, read by
// parse_program, is structurally equal to the program. Linear in the size of the text; nesting beyond
// ir::kMaxNesting and expressions whose shared parts would unfold without end are cut off with `...`.
std::string print_program(const ir::Program* program, const PrintOptions& options = {});

// Fragments, for diagnostics and tests. Variables have the names that their hints say, told apart by suffix.
std::string print_function(const ir::Function* function, const PrintOptions& options = {});
std::string print_stmt(const ir::Stmt* stmt, const PrintOptions& options = {});
std::string print_expr(const ir::Expr* expr);
std::string print_type(const ir::Type* type);

}  // namespace pyptoc::text
