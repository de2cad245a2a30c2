// SPDX-License-Identifier: Apache-2.0
// Calls that are no operators but have a form of their own; the rows are in forms.def.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ir/attr.h"

namespace pyptoc::text {

enum class Form : uint32_t {
#define FORM(ID, NAME) ID,
#include "text/forms.def"
#undef FORM
};
std::optional<Form> form_from_name(std::string_view name);

// The name of the operator behind a name as it is written with its namespace: `tensor.create_tensor` is
// `tensor.create`, `tensor.not_` is `tensor.not`.
std::string canonical_op_name(std::string_view written);
// The operator that a name without namespace always stands for, such as `tile.load` for `load`; empty for the others,
// which go by their operands.
std::string_view promoted_op(std::string_view name);

// Keywords that a short name gives its operator when they are not written, as the front end does.
struct KeywordDefault {
  std::string_view op;
  std::string_view key;
  ir::AttrKind kind;
  int64_t number;
};
ir::List<KeywordDefault> keyword_defaults();

}  // namespace pyptoc::text
