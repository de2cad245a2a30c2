// SPDX-License-Identifier: Apache-2.0
// The one table of what managed collectives support: (operator, mode) x element type x ReduceOp x rail, and how a
// variant is called. Type rules, all rails and the template renderer read it, so that no layer accepts what another one
// rejects. Source: collectives.md, "One table of what is supported"; names: runtime-contract.md, "Builtin sub-builds".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ir/expr.h"
#include "ir/op_id.h"

namespace pyptoc::ir {

// allreduce has two protocols that share no signal layout, hence two rows.
enum class Collective : uint8_t {
  Allreduce,
  AllreduceRing,
  Barrier,
  Broadcast,
  ReduceScatter,
  Allgather,
  AllToAll,
  AllToAllV,
  IndexedAllToAllV,
};

enum class Rail : uint8_t { Host, Chip, InCore };

enum class ReduceOp : uint8_t { Sum, Max, Min, Prod };  // numbers as in files
std::string_view name_of(ReduceOp op);                  // `Sum`
std::string_view lower_name_of(ReduceOp op);            // `sum`, as in variants

// The size of the runtime's window table: no domain has more ranks.
inline constexpr int64_t kMaxRanks = 64;

inline constexpr size_t kMaxCollectiveOperands = 6;

struct CollectiveInfo {
  Collective id;
  std::string_view name;         // template folder and first part of a variant: `allreduce_ring`
  std::string_view public_name;  // in messages: `pld.tensor.allreduce`
  OpId op;                       // in the user's program
  OpId builtin;                  // one dispatch of the HOST rail; Unknown where that rail has none
  size_t operand_count;          // tensors, the signal included
  // In order of the operands, of a builtin dispatch and of the synthesized kernel alike.
  std::array<ArgDirection, kMaxCollectiveOperands> directions;
  size_t data_operand;    // the one whose element type selects the variant, and that is the result
  size_t signal_operand;  // for barrier the data operand too
  bool has_core_num;      // in the signature of the HOST rail's entry
  bool reduces;
  bool on_host;
  bool on_chip;
  bool on_incore;

  bool on(Rail rail) const { return rail == Rail::Host ? on_host : rail == Rail::Chip ? on_chip : on_incore; }
};

const CollectiveInfo& collective_info(Collective id);
List<CollectiveInfo> all_collectives();

// The row of a call of pld.tensor.* or builtin.tensor.*; null for every other call, and for an allreduce whose mode is
// neither `mesh` nor `ring`.
const CollectiveInfo* collective_of(const Call* call);

// Element types of the data operand that a rail takes, in the order in which messages list them. Empty for barrier,
// which moves no data.
List<DType> supported_dtypes(Collective id);
List<ReduceOp> supported_reduce_ops(Collective id);
bool is_supported(Collective id, DType dtype);
bool is_supported(Collective id, ReduceOp op);

// One kernel: what its text depends on.
struct CollectiveVariant {
  Collective id = Collective::Barrier;
  DType dtype = DType::Fp32;
  ReduceOp reduce = ReduceOp::Sum;  // where the operator reduces
  int64_t root = 0;                 // broadcast only; a rank of the domain

  bool operator==(const CollectiveVariant&) const = default;
};

// `allreduce__sum__fp32`, `broadcast__root0__int8`, `barrier__fp32`.
std::string variant_name(const CollectiveVariant& variant);
// The sub-build and callable of the HOST rail: `builtin.tensor.allreduce__sum__fp32`.
std::string builtin_name(const CollectiveVariant& variant);
// The synthesized function of the CHIP rail: `__builtin_allreduce__sum__fp32`.
std::string chip_kernel_name(const CollectiveVariant& variant);
// The other way; nothing for any other name.
std::optional<CollectiveVariant> parse_chip_kernel_name(std::string_view name);
// The reverse of variant_name; nothing for a name that no supported variant has.
std::optional<CollectiveVariant> parse_variant_name(std::string_view name);

// The variant that a call needs, from the type of its data operand and its keywords. Requires collective_of(call).
// Nothing when the element type or the ReduceOp is outside of the table.
std::optional<CollectiveVariant> variant_of(const Call* call);

// The number of blocks of all_to_all_v for a requested width and a number of ranks: the width while it is below the
// ranks, else the largest multiple of the ranks that it holds. Requires both >= 1.
constexpr int64_t all_to_all_v_blocks(int64_t ranks, int64_t width) {
  return width < ranks ? width : width / ranks * ranks;
}

}  // namespace pyptoc::ir
