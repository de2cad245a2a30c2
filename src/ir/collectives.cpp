// SPDX-License-Identifier: Apache-2.0
#include "ir/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ir/dtype_names.h"
#include "ir/type.h"

namespace pyptoc::ir {

namespace {

using D = ArgDirection;
using C = Collective;

constexpr std::array<std::string_view, 4> kReduceNames = {"Sum", "Max", "Min", "Prod"};
constexpr std::array<std::string_view, 4> kReduceLower = {"sum", "max", "min", "prod"};

constexpr std::array<CollectiveInfo, 9> kCollectives = {{
    {C::Allreduce,
     "allreduce",
     "pld.tensor.allreduce",
     OpId::PldTensorAllreduce,
     OpId::BuiltinTensorAllreduce,
     2,
     {D::InOut, D::InOut},
     0,
     1,
     true,
     true,
     true,
     true,
     true},
    {C::AllreduceRing,
     "allreduce_ring",
     "pld.tensor.allreduce",
     OpId::PldTensorAllreduce,
     OpId::BuiltinTensorAllreduceRing,
     2,
     {D::InOut, D::InOut},
     0,
     1,
     false,
     true,
     true,
     true,
     true},
    {C::Barrier,
     "barrier",
     "pld.tensor.barrier",
     OpId::PldTensorBarrier,
     OpId::BuiltinTensorBarrier,
     1,
     {D::InOut},
     0,
     0,
     false,
     false,
     true,
     true,
     true},
    {C::Broadcast,
     "broadcast",
     "pld.tensor.broadcast",
     OpId::PldTensorBroadcast,
     OpId::BuiltinTensorBroadcast,
     2,
     {D::InOut, D::InOut},
     0,
     1,
     false,
     false,
     true,
     true,
     true},
    {C::ReduceScatter,
     "reduce_scatter",
     "pld.tensor.reduce_scatter",
     OpId::PldTensorReduceScatter,
     OpId::BuiltinTensorReduceScatter,
     2,
     {D::InOut, D::InOut},
     0,
     1,
     false,
     true,
     true,
     true,
     true},
    {C::Allgather,
     "allgather",
     "pld.tensor.allgather",
     OpId::PldTensorAllgather,
     OpId::BuiltinTensorAllgather,
     3,
     {D::Input, D::InOut, D::InOut},
     1,
     2,
     false,
     false,
     true,
     true,
     true},
    {C::AllToAll,
     "all_to_all",
     "pld.tensor.all_to_all",
     OpId::PldTensorAllToAll,
     OpId::BuiltinTensorAllToAll,
     3,
     {D::Input, D::InOut, D::InOut},
     1,
     2,
     false,
     false,
     true,
     true,
     true},
    {C::AllToAllV,
     "all_to_all_v",
     "pld.tensor.all_to_all_v",
     OpId::PldTensorAllToAllV,
     OpId::BuiltinTensorAllToAllV,
     5,
     {D::Input, D::InOut, D::InOut, D::Input, D::InOut},
     1,
     2,
     true,
     false,
     true,
     true,
     true},
    {C::IndexedAllToAllV,
     "indexed_all_to_all_v",
     "pld.tensor.indexed_all_to_all_v",
     OpId::PldTensorIndexedAllToAllV,
     OpId::Unknown,
     6,
     {D::Input, D::InOut, D::InOut, D::Input, D::InOut, D::Input},
     1,
     2,
     true,
     false,
     false,
     true,
     false},
}};

consteval bool rows_are_in_order() {
  for (size_t i = 0; i < kCollectives.size(); ++i)
    if (kCollectives[i].id != static_cast<Collective>(i)) return false;
  return true;
}
static_assert(rows_are_in_order());

// a2a3 has no BF16 arithmetic: mesh and reduce_scatter compute it in FP32 and round once.
constexpr std::array kReduced = {DType::Fp16, DType::Fp32, DType::Bf16, DType::Int32};
constexpr std::array kMoved = {DType::Fp32,  DType::Fp16,  DType::Bf16,   DType::Int8,   DType::Int16,  DType::Int32,
                               DType::Int64, DType::UInt8, DType::UInt16, DType::UInt32, DType::UInt64, DType::Bool};
constexpr std::array kAllReduceOps = {ReduceOp::Sum, ReduceOp::Max, ReduceOp::Min, ReduceOp::Prod};
constexpr std::array kRingReduceOps = {ReduceOp::Sum};  // the transfer can only add

constexpr std::string_view kChipKernelPrefix = "__builtin_";

std::string_view cut_name(std::string_view& text) {
  size_t at = text.find("__");
  std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 2);
  return head;
}

bool is_ring(const Call* call) {
  const AttrValue* mode = find_attr(call->kwargs, "mode");
  return mode != nullptr && mode->kind() == AttrKind::String && mode->as_string() == "ring";
}
bool is_mesh(const Call* call) {
  const AttrValue* mode = find_attr(call->kwargs, "mode");
  return mode == nullptr || (mode->kind() == AttrKind::String && mode->as_string() == "mesh");
}

std::optional<int64_t> int_keyword(const Call* call, std::string_view key) {
  const AttrValue* value = find_attr(call->kwargs, key);
  if (value == nullptr || value->kind() != AttrKind::Int) return std::nullopt;
  return value->as_int();
}

}  // namespace

std::string_view name_of(ReduceOp op) {
  return kReduceNames[static_cast<size_t>(op)];
}
std::string_view lower_name_of(ReduceOp op) {
  return kReduceLower[static_cast<size_t>(op)];
}

const CollectiveInfo& collective_info(Collective id) {
  return kCollectives[static_cast<size_t>(id)];
}
List<CollectiveInfo> all_collectives() {
  return kCollectives;
}

const CollectiveInfo* collective_of(const Call* call) {
  OpId id = call->op->is_global_var ? OpId::Unknown : call->op->id;
  if (id == OpId::Unknown) return nullptr;
  if (id == OpId::PldTensorAllreduce) {
    if (is_ring(call)) return &collective_info(Collective::AllreduceRing);
    return is_mesh(call) ? &collective_info(Collective::Allreduce) : nullptr;
  }
  for (const CollectiveInfo& info : kCollectives)
    if (info.op == id || info.builtin == id) return &info;
  return nullptr;
}

List<DType> supported_dtypes(Collective id) {
  if (id == Collective::Barrier) return {};
  if (collective_info(id).reduces) return kReduced;
  return kMoved;
}
List<ReduceOp> supported_reduce_ops(Collective id) {
  if (!collective_info(id).reduces) return {};
  if (id == Collective::AllreduceRing) return kRingReduceOps;
  return kAllReduceOps;
}
bool is_supported(Collective id, DType dtype) {
  List<DType> list = supported_dtypes(id);
  return std::find(list.begin(), list.end(), dtype) != list.end();
}
bool is_supported(Collective id, ReduceOp op) {
  List<ReduceOp> list = supported_reduce_ops(id);
  return std::find(list.begin(), list.end(), op) != list.end();
}

std::string variant_name(const CollectiveVariant& v) {
  const CollectiveInfo& info = collective_info(v.id);
  if (v.id == Collective::Barrier) return "barrier__fp32";
  std::string_view dtype = lower_name_of(v.dtype);
  if (info.reduces) return fmt::format("{}__{}__{}", info.name, lower_name_of(v.reduce), dtype);
  if (v.id == Collective::Broadcast) return fmt::format("{}__root{}__{}", info.name, v.root, dtype);
  return fmt::format("{}__{}", info.name, dtype);
}

std::string builtin_name(const CollectiveVariant& variant) {
  return "builtin.tensor." + variant_name(variant);
}
std::string chip_kernel_name(const CollectiveVariant& variant) {
  return std::string(kChipKernelPrefix) + variant_name(variant);
}

std::optional<CollectiveVariant> parse_chip_kernel_name(std::string_view name) {
  if (!name.starts_with(kChipKernelPrefix)) return std::nullopt;
  return parse_variant_name(name.substr(kChipKernelPrefix.size()));
}

std::optional<CollectiveVariant> parse_variant_name(std::string_view name) {
  std::string_view rest = name;
  std::string_view op = cut_name(rest);
  const auto* row = std::find_if(kCollectives.begin(), kCollectives.end(), [&](const auto& r) { return r.name == op; });
  if (row == kCollectives.end()) return std::nullopt;
  CollectiveVariant v;
  v.id = row->id;
  if (row->reduces) {
    std::string_view reduce = cut_name(rest);
    const auto* found = std::find(kReduceLower.begin(), kReduceLower.end(), reduce);
    if (found == kReduceLower.end()) return std::nullopt;
    v.reduce = static_cast<ReduceOp>(found - kReduceLower.begin());
  } else if (v.id == Collective::Broadcast) {
    std::string_view root = cut_name(rest);
    if (root.substr(0, 4) != "root") return std::nullopt;
    std::from_chars(root.data() + 4, root.data() + root.size(), v.root);
  }
  for (DType dtype : supported_dtypes(v.id))
    if (lower_name_of(dtype) == rest) v.dtype = dtype;
  bool known =
      v.id == Collective::Barrier || (is_supported(v.id, v.dtype) && (!row->reduces || is_supported(v.id, v.reduce)));
  if (!known || variant_name(v) != name) return std::nullopt;
  return v;
}

std::optional<CollectiveVariant> variant_of(const Call* call) {
  const CollectiveInfo* info = collective_of(call);
  CollectiveVariant v;
  v.id = info->id;
  if (v.id == Collective::Barrier) return v;
  if (call->args.size() <= info->data_operand) return std::nullopt;
  const TensorType* type = as_tensor(call->args[info->data_operand]->type);
  if (type == nullptr || !is_supported(v.id, type->dtype)) return std::nullopt;
  v.dtype = type->dtype;
  v.root = int_keyword(call, "root").value_or(0);
  if (!info->reduces) return v;
  std::optional<int64_t> op = int_keyword(call, "op");
  if (!op || *op < 0 || *op >= static_cast<int64_t>(kReduceNames.size())) return std::nullopt;
  v.reduce = static_cast<ReduceOp>(*op);
  if (!is_supported(v.id, v.reduce)) return std::nullopt;
  return v;
}

}  // namespace pyptoc::ir
