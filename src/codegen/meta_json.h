// SPDX-License-Identifier: Apache-2.0
// compiled_meta.json and distributed_meta.json: the signature of a chip or HOST program for whoever calls it. Source:
// runtime-contract.md.
#pragma once

#include <string>

#include "ir/program.h"
#include "passes/target.h"
#include "support/json_writer.h"

namespace pyptoc::codegen {

// The member `params`: name, direction, shape (-1 for a dynamic extent, null for a scalar) and dtype of each parameter.
void write_params(support::JsonWriter& out, const ir::Function* function);

std::string render_compiled_meta(const ir::Function* function, const passes::Target& target);

// `devices`: how many the program names at least; the caller may put other ids and more of them into the file.
std::string render_distributed_meta(const ir::Function* function, const passes::Target& target, int64_t devices,
                                    int64_t sub_workers);

}  // namespace pyptoc::codegen
