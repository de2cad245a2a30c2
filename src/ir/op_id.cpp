// SPDX-License-Identifier: Apache-2.0
// Lookup of operators by name.
#include "ir/op_id.h"

#include <unordered_map>

namespace pyptoc::ir {

OpId op_id_of(std::string_view name) {
  static const std::unordered_map<std::string_view, OpId> kByName = {
#define PYPTOC_OP(ID, NAME, ...) {NAME, OpId::ID},
#include "ir/ops.def"
#undef PYPTOC_OP
  };
  auto found = kByName.find(name);
  return found == kByName.end() ? OpId::Unknown : found->second;
}

}  // namespace pyptoc::ir
