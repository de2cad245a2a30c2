// SPDX-License-Identifier: Apache-2.0
// Every collective from DSL text to exact results: the compiler's host_orch.py is executed, what it submits runs on P
// ranks, dispatches of different ranks at once.
#include <catch2/catch.hpp>

#include "collective_text.h"

namespace host_tests {
namespace {

using collectives::Op;
using collectives::Step;
using collectives::variant_named;

Step step_of(const char* variant, int64_t size, int core_num = 1) {
  Step step;
  step.variant = variant_named(variant);
  step.size = size;
  step.core_num = core_num;
  return step;
}

// Four element types of different sizes, so that few chip programs are compiled.
std::vector<Step> every_operator() {
  return {step_of("allreduce__sum__fp32", 257, 3),
          step_of("allreduce_ring__sum__int32", 97),
          step_of("barrier__fp32", 40),
          step_of("broadcast__root1__int8", 130),
          step_of("reduce_scatter__max__int32", 33),
          step_of("allgather__int8", 45),
          step_of("all_to_all__fp32", 9),
          step_of("all_to_all_v__fp32", 20, 5)};
}

}  // namespace

TEST_CASE("every collective of the HOST rail in one program, twice, with exact results") {
  for (int ranks : {2, 3, 4, 8}) {
    INFO(ranks << " ranks");
    CHECK(CollectiveProgram(ranks, 2, every_operator()).run(ranks < 8 ? 4 : 2) == "");
  }
}

// The runtime's host side has no name for BOOL, and takes no host tensor of UINT64: such a program ended when it
// started.
TEST_CASE("element types that the runtime's host side does not know") {
  CHECK(CollectiveProgram(2, 1, {step_of("broadcast__root0__bool", 45), step_of("allgather__uint64", 7)}).run(3) == "");
}

TEST_CASE("every variant of the table through host_orch.py", "[.]") {
  for (const collectives::Variant& variant : collectives::all_variants()) {
    if (variant.op == Op::kIndexed) continue;  // runs in chip programs only
    for (int ranks : {2, 3, 4, 8}) {
      INFO(variant.name() << " on " << ranks << " ranks");
      Step step;
      step.variant = variant;
      step.size = 67;
      step.core_num = variant.has_blocks() ? 3 : 1;
      CHECK(CollectiveProgram(ranks, 2, {step}).run(6) == "");
    }
  }
}

}  // namespace host_tests
