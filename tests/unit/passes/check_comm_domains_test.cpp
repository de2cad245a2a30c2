// SPDX-License-Identifier: Apache-2.0
// E0612: domains that a program brings along and that do not fit; a crash (exit status 70) before they were checked.
#include "host_fixture.h"

namespace pyptoc::passes {
namespace {

struct Parts {
  std::string slots = "a := pld.WindowBuffer(buf, 256)";
  std::string devices = "[0, 1]";
  std::string view = "pld.DistributedTensor[[64], pl.FP32, pld.window_buffer(a)]";
  std::string inside = "        use(x, device=0)\n";
  std::string outside = "";
};

std::string messages(const Parts& parts) {
  std::string text(testing::kChips);
  text +=
      "@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\ndef host():\n    with pld.comm_domain(slots=[" +
      parts.slots + "], devices=" + parts.devices +
      ", name_hint=\"d\"):\n        buf = pld.alloc_window_buffer(256)\n        x: " + parts.view +
      " = pld.window(buf, [64], dtype=pl.FP32)\n" + parts.inside + parts.outside;
  testing::PassRun run(text, {convert_to_ssa, flatten_call_expr, materialize_comm_domain_scopes});
  return run.messages();
}

TEST_CASE("a domain of the program that fits is taken as it is") {
  CHECK(messages({}) == "");
  CHECK(messages({.devices = "[]",
                  .inside = "        for r in pl.range(pld.world_size()):\n            use(x, "
                            "device=r)\n"}) == "");
}

TEST_CASE("E0612 a domain that does not fit its windows or devices") {
  CHECK(messages({.inside = "        use(x, device=2)\n"}) ==
        "E0612 15: communication domain `d` lies on {0, 1}, but dispatches for {2} get windows of `buf`\n");
  CHECK(messages({.inside = "        for r in pl.range(pld.world_size()):\n            use(x, device=r)\n"}) ==
        "E0612 15: communication domain `d` lies on {0, 1}, but dispatches for every device get windows of `buf`\n");
  CHECK(messages({.devices = "[1, 0]"}) ==
        "E0612 15: the devices of communication domain `d` are not in ascending order\n");
  CHECK(messages({.devices = "[0, 0]"}) == "E0612 15: communication domain `d` has device 0 twice\n");
  CHECK(messages({.devices = "[-1, 0]"}) ==
        "E0612 15: communication domain `d` has device -1, but devices count from 0\n");
  CHECK(messages({.slots = "", .view = "pld.DistributedTensor[[64], pl.FP32]"})
            .find("E0612 16: window allocation `buf` lies in no communication domain\n") != std::string::npos);
  CHECK(messages({.slots = "a := pld.WindowBuffer(buf, 256), b := pld.WindowBuffer(buf, 256)"}) ==
        "E0612 15: window allocation `buf` has two slots\n");
  CHECK(messages({.view = "pld.DistributedTensor[[64], pl.FP32]"}) ==
        "E0612 17: the type of `x` does not name the slot of its allocation `buf`\n");
  CHECK(messages({.outside = "    use(x, device=1)\n"}) ==
        "E0612 19: `x` is used outside of the communication domain of `buf`\n");
}

TEST_CASE("E0612 a slot without an allocation, and more devices than a domain has") {
  CHECK(messages({.slots = "a := pld.WindowBuffer(buf, 256), b := pld.WindowBuffer(other, 256)",
                  .inside = "        other = 3\n        use(x, device=0)\n"})
            .find("slot `b` of communication domain `d` stands for no window allocation") != std::string::npos);
  std::string many;
  for (int i = 0; i < 65; ++i) many += (i > 0 ? ", " : "[") + std::to_string(i);
  CHECK(messages({.devices = many + "]"}) == "E0612 15: communication domain `d` has 65 devices, more than 64\n");
}

}  // namespace
}  // namespace pyptoc::passes
