// SPDX-License-Identifier: Apache-2.0
// CheckWindowProvenance: what the domain of a dispatch and the extents of its windows have to do with each other.
#include <fmt/format.h>

#include "provenance_fixture.h"

namespace pyptoc::passes {
namespace {

using namespace testing;

std::string two_domains(std::string_view args) {
  return "    a_buf = pld.tensor.alloc_window_buffer(16, name=\"a_buf\")\n"
         "    b_buf = pld.tensor.alloc_window_buffer(16, name=\"b_buf\")\n"
         "    c_buf = pld.tensor.alloc_window_buffer(16, name=\"c_buf\")\n"
         "    a = pld.tensor.window(a_buf, [4], dtype=pl.INT32)\n"
         "    b = pld.tensor.window(b_buf, [4], dtype=pl.INT32)\n"
         "    c = pld.tensor.window(c_buf, [4], dtype=pl.INT32)\n"
         "    for q in pl.range(4):\n        keep(b, b, b, device=q)\n"
         "    for r in pl.range(2):\n"
         "        chip(" +
         std::string(args) + ", device=r)\n";
}

TEST_CASE("operands of two domains") {
  check(body("one domain", kReduce, kGood, ""));
  check({"b lies on more devices", chip_function(kReduce), two_domains(kGood), "E0661"});
  check({"b is not part of the collective", chip_function("    a = pld.tensor.allreduce(a, c, SUM)\n"),
         two_domains(kGood), ""});
  check({"through a callee", chip_function(kReduce, "inner") + chip_function("    inner(a, b, c, x, n)\n"),
         two_domains(kGood), "E0661"});
}

TEST_CASE("the number of ranks and the rows of signals and tables") {
  auto reduce = [](int64_t rows, std::string_view devices) {
    ProvenanceRun run(
        typed_chip(
            fmt::format(
                "p: pl.InOut[W], s: pl.InOut[pld.DistributedTensor[[{}], pl.INT32]], q: pl.InOut[W], t: pl.InOut[W]",
                rows),
            "    p = pld.tensor.allreduce(p, s, SUM)\n    q = touch(q)\n    t = touch(t)\n"),
        typed_host(fmt::format("    p = pld.tensor.window(p_buf, [4], dtype=pl.INT32)\n    q = "
                               "pld.tensor.window(q_buf, [4], dtype=pl.INT32)\n"
                               "    t = pld.tensor.window(t_buf, [4], dtype=pl.INT32)\n"
                               "    s = pld.tensor.window(s_buf, [{}], dtype=pl.INT32)\n",
                               rows),
                   devices, "p, s, q, t"));
    return run.errors();
  };
  CHECK(reduce(4, "4") == "");
  CHECK(reduce(5, "4") == "");
  CHECK(reduce(3, "4") ==
        "E0662: the operand `signal` (`s`) of `pld.tensor.allreduce` must have at least 4 rows, it has 3\n");
  CHECK(reduce(2, "2") == "");
}

TEST_CASE("all_to_all_v needs exactly as many rows as ranks") {
  auto exchange = [](int64_t rows, int64_t devices) {
    ProvenanceRun run(
        typed_chip(
            fmt::format("p: pl.Tensor[[{0}, 8], pl.INT32], q: pl.InOut[pld.DistributedTensor[[{0}, 8], pl.INT32]], "
                        "s: pl.InOut[pld.DistributedTensor[[{0}, 1], pl.INT32]], c: pl.Tensor[[{0}, 1], pl.INT32], "
                        "t: pl.InOut[pld.DistributedTensor[[{0}, 1], pl.INT32]], u: pl.InOut[W]",
                        rows),
            "    q = pld.tensor.all_to_all_v(p, q, s, c, t)\n    u = touch(u)\n"),
        typed_host(fmt::format("    p = pld.tensor.window(p_buf, [4], dtype=pl.INT32)\n    q = "
                               "pld.tensor.window(q_buf, [{0}, 8], dtype=pl.INT32)\n"
                               "    s = pld.tensor.window(s_buf, [{0}, 1], dtype=pl.INT32)\n"
                               "    t = pld.tensor.window(t_buf, [{0}, 1], dtype=pl.INT32)\n",
                               rows),
                   std::to_string(devices), "x, q, s, y, t, p"),
        fmt::format("x: pl.Tensor[[{0}, 8], pl.INT32], y: pl.Tensor[[{0}, 1], pl.INT32]", rows));
    return run.errors();
  };
  CHECK(exchange(4, 4) == "");
  CHECK(exchange(4, 2) ==
        "E0662: the operand `signal` (`s`) of `pld.tensor.all_to_all_v` must have exactly 2 rows, it has 4\n");
  CHECK(exchange(4, 5).starts_with("E0662"));
}

TEST_CASE("the indexed exchange: exactly as many rows as ranks, no two operands of one allocation") {
  Options a5;
  a5.target = *find_target("a5");
  auto exchange = [&](int64_t devices, std::string_view args) {
    ProvenanceRun run(
        typed_chip("p: pl.Tensor[[9, 8], pl.INT32], q: pl.InOut[pld.DistributedTensor[[4, 8], pl.INT32]], "
                   "s: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]], c: pl.InOut[pld.DistributedTensor[[4, 1], "
                   "pl.INT32]], t: pl.InOut[pl.Tensor[[4, 1], pl.INT32]], u: pl.InOut[W], i: X, v: "
                   "pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]]",
                   "    q = pld.tensor.indexed_all_to_all_v(p, q, s, c, t, i, core_num=1)\n    u = touch(u)\n"),
        typed_host("    p = pld.tensor.window(p_buf, [4], dtype=pl.INT32)\n"
                   "    q = pld.tensor.window(q_buf, [4, 8], dtype=pl.INT32)\n"
                   "    s = pld.tensor.window(s_buf, [4, 1], dtype=pl.INT32)\n"
                   "    t = pld.tensor.window(t_buf, [4, 1], dtype=pl.INT32)\n",
                   std::to_string(devices), std::string(args) + ", t"),
        "x: pl.Tensor[[9, 8], pl.INT32], y: pl.InOut[pl.Tensor[[4, 1], pl.INT32]], z: X", a5);
    INFO(run.messages());
    return run.errors();
  };
  CHECK(exchange(4, "x, q, s, t, y, p, z") == "");
  CHECK(exchange(3, "x, q, s, t, y, p, z") ==
        "E0662: the operand `signal` (`s`) of `pld.tensor.indexed_all_to_all_v` must have exactly 3 rows, it has 4\n");
  CHECK(exchange(4, "x, q, s, s, y, p, z").starts_with("E0660: `pld.tensor.indexed_all_to_all_v` operands `signal`"));
}

TEST_CASE("a root that is no rank, a signal of a ring that something else uses") {
  auto text = [](std::string_view call) { return fmt::format("    a = {}\n", call); };
  check(body("root 3 of 4", text("pld.tensor.broadcast(a, b, root=3)"), kGood, ""));
  check(body("root 4 of 4", text("pld.tensor.broadcast(a, b, root=4)"), kGood, "E0617"));
}

TEST_CASE("a signal of a ring that another collective uses") {
  auto codes = [](std::string_view second) {
    return ProvenanceRun(
               typed_chip(
                   "p: pl.InOut[W], s: pl.InOut[pld.DistributedTensor[[7, 4], pl.INT32]], t: pl.InOut[W], q: "
                   "pl.InOut[W]",
                   fmt::format("    p = pld.tensor.allreduce(p, s, SUM, mode=\"ring\")\n    {}\n    q = touch(q)\n"
                               "    t = touch(t)\n",
                               second)),
               typed_host("    p = pld.tensor.window(p_buf, [4], dtype=pl.INT32)\n"
                          "    q = pld.tensor.window(q_buf, [4], dtype=pl.INT32)\n"
                          "    t = pld.tensor.window(t_buf, [4], dtype=pl.INT32)\n"
                          "    s = pld.tensor.window(s_buf, [7, 4], dtype=pl.INT32)\n",
                          "4", "p, s, t, q"))
        .codes();
  };
  CHECK(codes("p = pld.tensor.allreduce(p, s, SUM, mode=\"ring\")") == "");
  CHECK(codes("p = pld.tensor.allreduce(p, t, SUM)") == "");
  CHECK(codes("p = pld.tensor.allreduce(p, s, SUM)") == "E0669");
  CHECK(codes("s = pld.tensor.barrier(s)") == "E0669");
}

TEST_CASE("every device of the domain takes part") {
  auto host = [](std::string_view dispatches) {
    std::string out = in_device_loop("pass");
    return out.substr(0, out.find("        pass")) + std::string(dispatches);
  };
  check({"two of four", chip_function(kReduce),
         host("    for q in pl.range(2):\n        chip(a, b, c, x, n, device=q)\n"), "E0664"});
  check({"one after the other", chip_function(kReduce),
         host("    chip(a, b, c, x, n, device=0)\n    chip(a, b, c, x, n, device=2)\n"
              "    chip(a, b, c, x, n, device=1)\n    chip(a, b, c, x, n, device=3)\n"),
         ""});
  check({"two functions, each on its half", chip_function(kReduce) + chip_function(kReduce, "second"),
         host("    for q in pl.range(2):\n        chip(a, b, c, x, n, device=q)\n"
              "    for q in pl.range(2, 4):\n        second(a, b, c, x, n, device=q)\n"),
         ""});
  check({"two halves with signals of their own", chip_function(kReduce),
         host("    for q in pl.range(2):\n        chip(a, b, c, x, n, device=q)\n"
              "    for q in pl.range(2, 4):\n        chip(a, c, b, x, n, device=q)\n"),
         "E0664"});
}

// --- What ranks must agree on

}  // namespace
}  // namespace pyptoc::passes
