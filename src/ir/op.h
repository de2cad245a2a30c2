// SPDX-License-Identifier: Apache-2.0
// The callee of a Call or Submit: a function of the program by name, or an operator of the table in ops.def.
#pragma once

#include <cstdint>
#include <string_view>

#include "ir/contents.h"
#include "ir/op_id.h"

namespace pyptoc::ir {

// Interned by Context: one object for each (name, is_global_var).
struct Op {
  std::string_view name;
  bool is_global_var = false;  // names a function of this program
  OpId id = OpId::Unknown;     // Unknown for functions and for operators that the table lacks
  Contents contents;           // of a call of it, arguments aside
  uint32_t function = 0;       // functions of a Context are numbered from 1; 0 for operators
};

}  // namespace pyptoc::ir
