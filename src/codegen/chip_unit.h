// SPDX-License-Identifier: Apache-2.0
// The C++ unit of one chip orchestration and the kernels that it submits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diag/engine.h"
#include "ir/program.h"
#include "passes/target.h"

namespace pyptoc::codegen {

enum class Signature : uint8_t { In, Out, InOut };
std::string_view name_of(Signature signature);  // `IN`, `OUT`, `INOUT`

struct Kernel {
  const ir::Function* function = nullptr;  // AIC or AIV
  bool is_cube = false;
  std::vector<Signature> signature;  // of the first submit, tensors only
};

struct ChipUnit {
  const ir::Function* function = nullptr;
  std::string source;                // the .cpp
  std::vector<Signature> signature;  // of the function's tensor parameters
  std::vector<Kernel> kernels;       // func_id is the index
};

// Requires a program after the last pass and a chip Orchestration of it. Reports what cannot be emitted, each construct
// at its place; the unit is not to be used then. Emission decides nothing: it follows the IR statement by statement.
ChipUnit emit_chip_unit(const ir::Program* program, const ir::Function* function, const passes::Target& target,
                        diag::Engine& diags);

}  // namespace pyptoc::codegen
