// SPDX-License-Identifier: Apache-2.0
// Names of variants and the table of what is supported, as collectives.md has it.
#include "variant.h"

#include <stdexcept>

namespace collectives {
namespace {

const char* const kOps[] = {"allreduce", "allreduce_ring", "barrier",      "broadcast",           "reduce_scatter",
                            "allgather", "all_to_all",     "all_to_all_v", "indexed_all_to_all_v"};
const char* const kReduces[] = {"sum", "max", "min", "prod"};
const char* const kTypes[] = {"fp32",     "fp16",  "int32",  "int16",  "int8",   "uint8",
                              "bfloat16", "int64", "uint64", "uint16", "uint32", "bool"};
constexpr int32_t kAllTypes = 12;

std::vector<Variant> make_all() {
  std::vector<Variant> all;
  const int32_t arithmetic[] = {STANDIN_FP16, STANDIN_FP32, STANDIN_BF16, STANDIN_INT32};
  for (Op op : {Op::kAllreduce, Op::kReduceScatter}) {
    for (int32_t type : arithmetic) {
      for (Reduce reduce : {Reduce::kSum, Reduce::kMax, Reduce::kMin, Reduce::kProd}) {
        all.push_back({op, type, reduce, 0});
      }
    }
  }
  for (int32_t type : arithmetic) all.push_back({Op::kRing, type, Reduce::kSum, 0});
  all.push_back({Op::kBarrier, STANDIN_FP32, Reduce::kSum, 0});
  for (Op op : {Op::kBroadcast, Op::kAllgather, Op::kAllToAll, Op::kAllToAllV, Op::kIndexed}) {
    for (int32_t type = 0; type < kAllTypes; ++type) all.push_back({op, type, Reduce::kSum, 0});
  }
  return all;
}

}  // namespace

std::string type_name(int32_t type) {
  return kTypes[static_cast<size_t>(type)];
}

DataType data_type(int32_t type) {
  return static_cast<DataType>(type);
}

std::string Variant::name() const {
  std::string text = kOps[static_cast<size_t>(op)];
  if (reduces()) text += std::string("__") + kReduces[static_cast<size_t>(reduce)];
  if (op == Op::kBroadcast) text += "__root" + std::to_string(root);
  return text + "__" + type_name(type);
}

const std::vector<Variant>& all_variants() {
  static const std::vector<Variant> all = make_all();
  return all;
}

Variant variant_named(const std::string& name) {
  for (Variant variant : all_variants()) {
    for (int root = 0; root < (variant.op == Op::kBroadcast ? 64 : 1); ++root) {
      variant.root = root;
      if (variant.name() == name) return variant;
    }
  }
  throw std::invalid_argument("no variant `" + name + "`");
}

}  // namespace collectives
