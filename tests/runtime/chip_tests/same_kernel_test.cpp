// SPDX-License-Identifier: Apache-2.0
// One exchange, built for the CHIP rail and for the HOST rail: the kernel is the same file.
#include <catch2/catch.hpp>

#include "pipeline.h"

using namespace chip_tests;
using collectives::Op;
using collectives::Variant;

namespace {

void compare(const Variant& variant) {
  Pipeline p;
  p.step.variant = variant;
  p.step.core_num = variant.has_blocks() ? 3 : 1;
  p.ranks = 3;
  const Tree chip(p);
  p.on_host = true;
  const Tree host(p);
  INFO(variant.name());
  REQUIRE(chip.messages() == "");
  REQUIRE(host.messages() == "");
  const std::string on_chip = chip.read("next_levels/chip_pipeline/kernels/aiv/__builtin_" + variant.name() + ".cpp");
  const std::string sub_build = "next_levels/builtin.tensor." + variant.name();
  const std::string on_host = host.read(sub_build + "/kernels/aiv/builtin_tensor_" + variant.name() + "_kernel.cpp");
  CHECK(on_chip.size() > 1000);
  CHECK(on_chip == on_host);
  CHECK(chip.sub_builds() == std::vector<std::string>{"chip_pipeline"});
  CHECK(host.sub_builds().size() == 3);
}

}  // namespace

TEST_CASE("both rails have byte for byte the same kernel") {
  for (const char* variant : {"allreduce__prod__fp16", "allreduce_ring__sum__bfloat16", "barrier__fp32",
                              "broadcast__root2__uint8", "reduce_scatter__min__int32", "allgather__int64",
                              "all_to_all__bool", "all_to_all_v__fp32", "all_to_all_v__int8"}) {
    compare(collectives::variant_named(variant));
  }
}

TEST_CASE("both rails have byte for byte the same kernel, every variant", "[.full]") {
  for (const Variant& variant : collectives::all_variants()) {
    if (variant.op != Op::kIndexed) compare(variant);
  }
}
