// SPDX-License-Identifier: Apache-2.0
// Names of forms and of operators as people write them.
#include "text/forms.h"

#include "text/spelling.h"

namespace pyptoc::text {

std::optional<Form> form_from_name(std::string_view name) {
#define FORM(ID, NAME) \
  if (name == NAME) return Form::ID;
#include "text/forms.def"
#undef FORM
  return std::nullopt;
}

namespace {
struct Alias {
  std::string_view written;
  std::string_view op;
};
constexpr Alias kQualified[] = {
    {"tensor.create_tensor", "tensor.create"},
    {"tensor.arange", "tensor.ci"},
    {"tile.create_tile", "tile.create"},
    {"tile.gather_compare", "tile.gather_compare"},
};
constexpr Alias kPromoted[] = {
    {"create_tensor", "tensor.create"},
    {"create_tile", "tile.create"},
    {"create_l1", "tensor.create_l1"},
    {"arange", "tensor.ci"},
    {"dim", "tensor.dim"},
    {"full", "tensor.full"},
    {"random", "tensor.random"},
    {"gather", "tensor.gather"},
    {"scatter", "tensor.scatter"},
    {"expand_clone", "tensor.expand_clone"},
    {"paged_gather", "tensor.paged_gather"},
    {"get_block_idx", "tile.get_block_idx"},
    {"get_block_num", "tile.get_block_num"},
    {"get_subblock_idx", "tile.get_subblock_idx"},
    {"load", "tile.load"},
    {"store", "tile.store"},
    {"move", "tile.move"},
    {"aic_initialize_pipe", "system.aic_initialize_pipe"},
    {"aiv_initialize_pipe", "system.aiv_initialize_pipe"},
    {"import_peer_buffer", "system.import_peer_buffer"},
    {"reserve_buffer", "system.reserve_buffer"},
    {"tfree_to_aic", "system.tfree_to_aic"},
    {"tfree_to_aiv", "system.tfree_to_aiv"},
    {"tpush_to_aic", "tile.tpush_to_aic"},
    {"tpush_to_aiv", "tile.tpush_to_aiv"},
    {"tpop_from_aic", "tile.tpop_from_aic"},
    {"tpop_from_aiv", "tile.tpop_from_aiv"},
};

constexpr int64_t number_of(auto value) {
  return static_cast<int64_t>(value);
}
constexpr KeywordDefault kDefaults[] = {
    {"tile.load", "target_memory", ir::AttrKind::MemorySpace, number_of(ir::MemorySpace::Vec)},
    {"tile.create", "target_memory", ir::AttrKind::MemorySpace, number_of(ir::MemorySpace::Vec)},
    {"tensor.create", "layout", ir::AttrKind::TensorLayout, number_of(ir::TensorLayout::Nd)},
    {"tensor.create_l1", "transpose", ir::AttrKind::Bool, 0},
    {"tensor.matmul", "a_trans", ir::AttrKind::Bool, 0},
    {"tensor.matmul", "b_trans", ir::AttrKind::Bool, 0},
    {"tensor.matmul", "c_matrix_nz", ir::AttrKind::Bool, 0},
    {"tensor.matmul_acc", "a_trans", ir::AttrKind::Bool, 0},
    {"tensor.matmul_acc", "b_trans", ir::AttrKind::Bool, 0},
    {"tensor.cast", "mode", ir::AttrKind::Int, 2},
    {"tile.cast", "mode", ir::AttrKind::Int, 2},
    {"tensor.ci", "dtype", ir::AttrKind::DataType, number_of(ir::DType::Int32)},
    {"tensor.ci", "descending", ir::AttrKind::Bool, 0},
    {"tensor.fillpad", "pad_value", ir::AttrKind::PadValue, number_of(ir::PadValue::Zero)},
    {"tile.fillpad", "pad_value", ir::AttrKind::PadValue, number_of(ir::PadValue::Zero)},
    {"tensor.random", "dtype", ir::AttrKind::DataType, number_of(ir::DType::UInt32)},
    {"tensor.random", "rounds", ir::AttrKind::Int, 10},
    {"tensor.gather_row", "transpose", ir::AttrKind::Bool, 0},
    {"tensor.cmp", "cmp_type", ir::AttrKind::Int, 0},
    {"tile.cmp", "cmp_type", ir::AttrKind::Int, 0},
};
}  // namespace

ir::List<KeywordDefault> keyword_defaults() {
  return kDefaults;
}

std::string canonical_op_name(std::string_view written) {
  for (const Alias& alias : kQualified)
    if (alias.written == written) return std::string(alias.op);
  std::string out;
  while (true) {
    size_t dot = written.find('.');
    std::string_view part = written.substr(0, dot);
    if (part.ends_with('_') && is_keyword(part.substr(0, part.size() - 1))) part.remove_suffix(1);
    out += part;
    if (dot == std::string_view::npos) return out;
    out += '.';
    written.remove_prefix(dot + 1);
  }
}

std::string_view promoted_op(std::string_view name) {
  for (const Alias& alias : kPromoted)
    if (alias.written == name) return alias.op;
  return {};
}

}  // namespace pyptoc::text
