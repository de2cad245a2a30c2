// SPDX-License-Identifier: Apache-2.0
// The table of collectives: every supported variant has a name of its own that leads back to it.
#include "ir/collectives.h"

#include <catch2/catch.hpp>
#include <set>

namespace pyptoc::ir {

namespace {

std::vector<CollectiveVariant> every_variant() {
  std::vector<CollectiveVariant> out;
  for (const CollectiveInfo& info : all_collectives()) {
    if (info.id == Collective::Barrier) out.push_back({info.id, DType::Fp32, ReduceOp::Sum, 0});
    for (DType dtype : supported_dtypes(info.id)) {
      if (!info.reduces) out.push_back({info.id, dtype, ReduceOp::Sum, info.id == Collective::Broadcast ? 63 : 0});
      for (ReduceOp op : supported_reduce_ops(info.id)) out.push_back({info.id, dtype, op, 0});
    }
  }
  return out;
}

}  // namespace

TEST_CASE("variants have names that lead back to them") {
  std::set<std::string> names;
  for (const CollectiveVariant& v : every_variant()) {
    std::string name = variant_name(v);
    INFO(name);
    CHECK(names.insert(name).second);
    REQUIRE(parse_variant_name(name).has_value());
    CHECK(*parse_variant_name(name) == v);
  }
  CHECK(names.size() == 16u + 4u + 1u + 12u + 16u + 4u * 12u);
  CHECK(names.count("allreduce__sum__fp32") == 1);
  CHECK(names.count("broadcast__root63__int8") == 1);
  CHECK(names.count("all_to_all_v__bfloat16") == 1);
}

TEST_CASE("names outside of the table lead nowhere") {
  for (std::string_view name :
       {"", "allreduce", "allreduce__sum__fp64", "allreduce__and__fp32", "allreduce_ring__max__fp32", "broadcast__fp32",
        "broadcast__root__fp32", "broadcast__root01__fp32", "barrier__int8", "all_to_all_v__fp32__",
        "reduce_scatter__sum__int8"})
    CHECK_FALSE(parse_variant_name(name).has_value());
}

TEST_CASE("blocks of all_to_all_v: the examples of the specification") {
  struct Row {
    int64_t ranks, width, blocks;
  };
  for (const Row& row :
       {Row{8, 7, 7}, Row{8, 8, 8}, Row{8, 10, 8}, Row{8, 15, 8}, Row{8, 16, 16}, Row{16, 15, 15}, Row{16, 16, 16},
        Row{4, 2, 2}, Row{4, 10, 8}, Row{4, 16, 16}, Row{2, 5, 4}, Row{2, 6, 6}, Row{2, 51, 50}, Row{1, 9, 9}})
    CHECK(all_to_all_v_blocks(row.ranks, row.width) == row.blocks);
}

}  // namespace pyptoc::ir
