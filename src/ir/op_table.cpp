// SPDX-License-Identifier: Apache-2.0
// The operator table, built from ops.def.
#include "ir/op_table.h"

#include <vector>

#include "ir/op_rules.h"
#include "ir/op_signature.h"
#include "support/edit_distance.h"

namespace pyptoc::ir {

namespace {

namespace results {
using Kind = ResultStorage::Kind;
constexpr ResultStorage Nothing{Kind::Nothing, 0};
constexpr ResultStorage Fresh{Kind::Fresh, 0};
constexpr ResultStorage Alias0{Kind::Alias, 0};
constexpr ResultStorage Alias1{Kind::Alias, 1};
constexpr ResultStorage Alias2{Kind::Alias, 2};
constexpr ResultStorage View0{Kind::View, 0};
}  // namespace results

const OpInfo kTable[] = {
    OpInfo{},
#define PYPTOC_OP(ID, NAME, AFFINITY, RESULT, RULE, OPERANDS, KEYWORDS) \
  OpInfo{NAME,        AffinityRule::AFFINITY,     results::RESULT,      \
         rules::RULE, detail::operands(OPERANDS), detail::keywords(KEYWORDS)},
#include "ir/ops.def"
#undef PYPTOC_OP
};

constexpr OpId kIds[] = {
#define PYPTOC_OP(ID, ...) OpId::ID,
#include "ir/ops.def"
#undef PYPTOC_OP
};

constexpr std::string_view kReduceOps[] = {"Sum", "Max", "Min", "Prod"};
constexpr std::string_view kNotifyOps[] = {"AtomicAdd", "Set"};
constexpr std::string_view kWaitCmps[] = {"Eq", "Ge"};
constexpr std::string_view kAtomics[] = {"None", "Add"};
constexpr std::string_view kRoundModes[] = {"None", "RINT", "ROUND", "FLOOR", "CEIL", "TRUNC", "ODD"};
constexpr std::string_view kCmpTypes[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
constexpr std::string_view kCoalesces[] = {"Row", "Elem"};

}  // namespace

std::string_view text_of(OperandKind kind) {
  switch (kind) {
    case OperandKind::Any:
      return "a value";
    case OperandKind::Tensor:
      return "a tensor";
    case OperandKind::Window:
      return "a window (a distributed tensor)";
    case OperandKind::Tile:
      return "a tile";
    case OperandKind::Scalar:
      return "a scalar";
    case OperandKind::Int:
      return "an integer scalar";
    case OperandKind::Ints:
      return "a tuple of integer scalars";
    case OperandKind::Array:
      return "an array";
    case OperandKind::Ptr:
      return "a buffer";
    case OperandKind::CommCtx:
      return "a communication context";
    case OperandKind::Task:
      return "a task id";
  }
  PYPTOC_UNREACHABLE("operand kind");
}

AttrKind attr_kind_of(KeywordKind kind) {
  switch (kind) {
    case KeywordKind::Bool:
      return AttrKind::Bool;
    case KeywordKind::Float:
      return AttrKind::Float;
    case KeywordKind::String:
      return AttrKind::String;
    case KeywordKind::DataType:
      return AttrKind::DataType;
    case KeywordKind::MemorySpace:
      return AttrKind::MemorySpace;
    case KeywordKind::TensorLayout:
      return AttrKind::TensorLayout;
    case KeywordKind::TileLayout:
      return AttrKind::TileLayout;
    case KeywordKind::PadValue:
      return AttrKind::PadValue;
    default:
      return AttrKind::Int;
  }
}

std::string_view text_of(KeywordKind kind) {
  switch (kind) {
    case KeywordKind::Int:
      return "an integer";
    case KeywordKind::Bool:
      return "a bool";
    case KeywordKind::Float:
      return "a float";
    case KeywordKind::String:
      return "a string";
    case KeywordKind::DataType:
      return "a DataType";
    case KeywordKind::MemorySpace:
      return "a MemorySpace";
    case KeywordKind::TensorLayout:
      return "a TensorLayout";
    case KeywordKind::TileLayout:
      return "a TileLayout";
    case KeywordKind::PadValue:
      return "a PadValue";
    case KeywordKind::ReduceOp:
      return "a ReduceOp";
    case KeywordKind::NotifyOp:
      return "a NotifyOp";
    case KeywordKind::WaitCmp:
      return "a WaitCmp";
    case KeywordKind::Atomic:
      return "an AtomicType";
    case KeywordKind::RoundMode:
      return "a round mode";
    case KeywordKind::CmpType:
      return "a comparison";
    case KeywordKind::Coalesce:
      return "a Coalesce";
  }
  PYPTOC_UNREACHABLE("keyword kind");
}

List<std::string_view> enumerators(KeywordKind kind) {
  switch (kind) {
    case KeywordKind::ReduceOp:
      return kReduceOps;
    case KeywordKind::NotifyOp:
      return kNotifyOps;
    case KeywordKind::WaitCmp:
      return kWaitCmps;
    case KeywordKind::Atomic:
      return kAtomics;
    case KeywordKind::RoundMode:
      return kRoundModes;
    case KeywordKind::CmpType:
      return kCmpTypes;
    case KeywordKind::Coalesce:
      return kCoalesces;
    default:
      return {};
  }
}

size_t OpInfo::min_args() const {
  size_t count = 0;
  while (count < operands.size() && !operands[count].optional) ++count;
  return count;
}

size_t OpInfo::max_args() const {
  return operands.size() > 0 && operands[operands.size() - 1].variadic ? SIZE_MAX : operands.size();
}

const Operand* OpInfo::operand_at(size_t position) const {
  if (position < operands.size()) return &operands[position];
  return max_args() == SIZE_MAX ? &operands[operands.size() - 1] : nullptr;
}

const Keyword* OpInfo::keyword(std::string_view key) const {
  for (const Keyword& one : keywords)
    if (one.name == key) return &one;
  return nullptr;
}

const OpInfo& op_info(OpId id) {
  size_t row = static_cast<size_t>(id);
  PYPTOC_ASSERT(row < std::size(kTable), "operator beyond the table");
  return kTable[row];
}

List<OpId> all_ops() {
  return kIds;
}

std::optional<std::string_view> closest_op(std::string_view name) {
  std::vector<std::string_view> names;
  names.reserve(std::size(kIds));
  for (OpId id : kIds) names.push_back(op_name(id));
  return support::closest(name, names);
}

bool is_builtin(OpId id) {
  return id >= OpId::BuiltinTensorAllreduce && id <= OpId::BuiltinTensorAllToAllV;
}

bool is_collective(OpId id) {
  return id >= OpId::PldTensorAllreduce && id <= OpId::PldTensorIndexedAllToAllV;
}

bool must_run_once(OpId id) {
  return id == OpId::PldSystemNotify;
}

Effect effect_of(const Call* call, size_t position) {
  const Operand* operand = op_info(call->op->id).operand_at(position);
  if (operand == nullptr) return Effect::Read;
  if (operand->effect != Effect::Write) return operand->effect;
  const AttrValue* atomic = find_attr(call->kwargs, "atomic");
  bool accumulates = atomic != nullptr && atomic->kind() == AttrKind::Int && atomic->as_int() != 0;
  if (call->op->id == OpId::PldSystemNotify) {  // by its NotifyOp: 0 adds, 1 sets
    const AttrValue* how = find_attr(call->kwargs, "op");
    accumulates = how != nullptr && how->kind() == AttrKind::Int && how->as_int() == 0;
  }
  return accumulates ? Effect::ReadWrite : Effect::Write;
}

}  // namespace pyptoc::ir
