// SPDX-License-Identifier: Apache-2.0
// The collectives as their tests see them: an operator, its element type, its ReduceOp or root. Independent of the
// compiler's own table, with which it is compared.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "standin_instructions.h"
#include "tensor.h"

namespace collectives {

enum class Op { kAllreduce, kRing, kBarrier, kBroadcast, kReduceScatter, kAllgather, kAllToAll, kAllToAllV, kIndexed };
enum class Reduce { kSum, kMax, kMin, kProd };

struct Variant {
  Op op = Op::kAllreduce;
  int32_t type = STANDIN_FP32;
  Reduce reduce = Reduce::kSum;
  int root = 0;

  std::string name() const;  // `allreduce__sum__fp32`, as sub-builds are called
  bool reduces() const { return op == Op::kAllreduce || op == Op::kRing || op == Op::kReduceScatter; }
  bool counts() const { return op == Op::kAllToAllV || op == Op::kIndexed; }
  bool has_blocks() const { return op == Op::kAllreduce || counts(); }
};

// All that the table supports, broadcast with root 0.
const std::vector<Variant>& all_variants();
// By name; aborts the test on an unknown one.
Variant variant_named(const std::string& name);

DataType data_type(int32_t type);
std::string type_name(int32_t type);

}  // namespace collectives
