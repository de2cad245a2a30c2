// SPDX-License-Identifier: Apache-2.0
// Which core of a cluster runs an operator call.
//
// The rules, in the order in which they decide:
// 1. A side that the operator itself or its keyword core_type states.
// 2. A move from cube memory to vector memory or back, a shard and a gather are on both sides: one side sends, the
//    other receives.
// 3. The memory that the result lands in: accumulators and the other cube memories are the cube core's, Vec is the
//    vector core's.
// 4. The memory of the first tile operand: views, stores and scalar reads run where their tile lies.
// 5. Otherwise the call runs wherever its neighbours do.
#include "ir/op_table.h"

namespace pyptoc::ir {

namespace {

CoreAffinity side_of(MemorySpace space) {
  return is_cube_memory(space) ? CoreAffinity::Cube : CoreAffinity::Vector;
}

std::optional<MemorySpace> first_tile_memory(const Call* call) {
  for (const Expr* arg : call->args) {
    const TileType* tile = as_tile(arg->type);
    if (tile == nullptr) continue;
    return tile->has_memory_space ? std::optional(tile->memory_space) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<MemorySpace> memory_keyword(const Call* call, std::string_view key) {
  const AttrValue* value = find_attr(call->kwargs, key);
  if (value == nullptr || value->kind() != AttrKind::MemorySpace) return std::nullopt;
  return enum_from_number<MemorySpace>(value->enum_number());
}

CoreAffinity by_first_tile(const Call* call) {
  std::optional<MemorySpace> memory = first_tile_memory(call);
  return memory.has_value() ? side_of(*memory) : CoreAffinity::Neutral;
}

CoreAffinity by_target_memory(const Call* call) {
  if (call->op->id == OpId::TensorPagedGather) return side_of(memory_keyword(call, "space").value_or(MemorySpace::Mat));
  return side_of(memory_keyword(call, "target_memory").value_or(MemorySpace::Vec));
}

CoreAffinity of_move(const Call* call) {
  std::optional<MemorySpace> source = first_tile_memory(call);
  std::optional<MemorySpace> target = memory_keyword(call, "target_memory");
  if (!source.has_value()) return CoreAffinity::Vector;
  if (target.has_value() && is_cube_memory(*source) != is_cube_memory(*target)) return CoreAffinity::Mixed;
  return side_of(*source);
}

CoreAffinity by_core_type(const Call* call) {
  const AttrValue* value = find_attr(call->kwargs, "core_type");
  if (value == nullptr || value->kind() != AttrKind::String) return CoreAffinity::Shared;
  std::string_view type = value->as_string();
  if (type == "aic" || type == "aic_only") return CoreAffinity::Cube;
  if (type == "aiv" || type == "aiv_only") return CoreAffinity::Vector;
  return CoreAffinity::Shared;
}

bool is_placed_on_aiv(const Call* call) {
  const AttrValue* value = find_attr(call->attrs, "core_placement");
  return value != nullptr && value->kind() == AttrKind::String && value->as_string() == "aiv";
}

}  // namespace

CoreAffinity core_affinity(const Call* call) {
  if (call->op->is_global_var) return CoreAffinity::Neutral;
  CoreAffinity own = CoreAffinity::Neutral;
  switch (op_info(call->op->id).affinity) {
    case AffinityRule::None:
    case AffinityRule::Neutral:
      break;
    case AffinityRule::Shared:
      return CoreAffinity::Shared;
    case AffinityRule::Vector:
      return CoreAffinity::Vector;
    case AffinityRule::Cube:
      return CoreAffinity::Cube;
    case AffinityRule::Boundary:
      return CoreAffinity::Mixed;
    case AffinityRule::CoreType:
      return by_core_type(call);
    case AffinityRule::TargetMemory:
      own = by_target_memory(call);
      break;
    case AffinityRule::FirstTile:
      own = by_first_tile(call);
      break;
    case AffinityRule::Move:
      own = of_move(call);
      break;
  }
  return own == CoreAffinity::Neutral && is_placed_on_aiv(call) ? CoreAffinity::Vector : own;
}

CoreAffinity combine(CoreAffinity a, CoreAffinity b) {
  auto decides_nothing = [](CoreAffinity x) { return x == CoreAffinity::Neutral || x == CoreAffinity::Shared; };
  if (a == b || b == CoreAffinity::Neutral) return a;
  if (decides_nothing(a)) return b;
  if (decides_nothing(b)) return a;
  return CoreAffinity::Mixed;
}

}  // namespace pyptoc::ir
