// SPDX-License-Identifier: Apache-2.0
// compiled_meta.json: the signature of a chip program for whoever calls it. Source: runtime-contract.md.
#pragma once

#include <string>

#include "ir/program.h"
#include "passes/target.h"
#include "support/json_writer.h"

namespace pyptoc::codegen {

// The member `params`: name, direction, shape (-1 for a dynamic extent, null for a scalar) and dtype of each parameter.
void write_params(support::JsonWriter& out, const ir::Function* function);

std::string render_compiled_meta(const ir::Function* function, const passes::Target& target);

}  // namespace pyptoc::codegen
