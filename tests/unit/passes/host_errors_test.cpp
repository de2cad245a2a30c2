// SPDX-License-Identifier: Apache-2.0
// What the HOST passes refuse: code, line, words, notes and help.
#include "host_fixture.h"

namespace pyptoc::passes {
namespace {

using testing::HostRun;
using testing::two_windows;

std::string errors(std::string_view body, std::string_view parameters = "", const Options& options = {}) {
  return HostRun(body, materialize_dist_tensor_ctx, parameters, options).messages();
}

TEST_CASE("E0600 an allocation without a view") {
  CHECK(errors("buf = pld.alloc_window_buffer(256)\n") == "E0600 1: window allocation `buf` has no view\n");
}

TEST_CASE("E0601 a view without a use") {
  CHECK(errors("buf = pld.alloc_window_buffer(256)\nx = pld.window(buf, [64], dtype=pl.FP32)\n") ==
        "E0601 1: window allocation `buf` has a view, but no dispatch or collective uses it\n"
        "  note 2: a view is made here\n");
}

// The only use was folded away, and then there was said to be none.
TEST_CASE("a window goes with the use that folding takes away") {
  const std::string window =
      "buf = pld.alloc_window_buffer(256)\nx = pld.window(buf, [64], dtype=pl.FP32)\n"
      "sb = pld.alloc_window_buffer(16)\ns = pld.window(sb, [4], dtype=pl.INT32)\ncells(s, device=0)\n";
  for (const char* use : {"if 1 > 2:\n    use(x, device=0)\n", "for i in pl.range(0):\n    use(x, device=0)\n",
                          "y = x\nif 1 > 2:\n    pld.tensor.allreduce(y, s, op=pld.ReduceOp.Sum)\n"}) {
    INFO(use);
    HostRun run(window + use);
    CHECK(run.messages() == "");
    CHECK(run.count("buffer(256") == 0);
    CHECK(run.count("buffer(16") == 1);
  }
}

TEST_CASE("E0602 collectives alone do not say where they run") {
  CHECK(errors("buf = pld.alloc_window_buffer(16)\ns = pld.window(buf, [4], dtype=pl.INT32)\n"
               "pld.tensor.barrier(s)\n") ==
        "E0602 1: no dispatch says on which devices window allocation `buf` lies\n");
}

TEST_CASE("E0603 a device of another form") {
  CHECK(errors("buf = pld.alloc_window_buffer(256)\nx = pld.window(buf, [64], dtype=pl.FP32)\n"
               "for r in pl.range(4):\n    use(x, device=r + 1)\n") ==
        "E0603 4: `device` of the dispatch of `use` is a constant or the variable of a loop over `range(N)` or "
        "`range(world_size())`, but here it is `r + 1`\n");
  CHECK(errors("buf = pld.alloc_window_buffer(256)\nx = pld.window(buf, [64], dtype=pl.FP32)\n"
               "for r in pl.range(0, 8, 2):\n    use(x, device=r)\n") ==
        "E0603 4: `device` of the dispatch of `use` is a constant or the variable of a loop over `range(N)` or "
        "`range(world_size())`, but here it is `r`\n  note 3: the loop of `r` is here\n");
  CHECK(errors("buf = pld.alloc_window_buffer(256)\nx = pld.window(buf, [64], dtype=pl.FP32)\nuse(x, device=n)\n",
               "n: pl.Scalar[pl.INDEX]") ==
        "E0603 3: `device` of the dispatch of `use` is a constant or the variable of a loop over `range(N)` or "
        "`range(world_size())`, but here it is `n`\n");
}

TEST_CASE("E0604 a dispatch without device") {
  CHECK(errors("buf = pld.alloc_window_buffer(256)\nx = pld.window(buf, [64], dtype=pl.FP32)\nuse(x)\n") ==
        "E0604 3: the dispatch of `use` gets window `x`, but has no `device`\n"
        "  help: add `device=`, for example in a loop `for r in pl.range(pld.world_size())`\n");
}

TEST_CASE("E0605 a negative device") {
  CHECK(errors("buf = pld.alloc_window_buffer(256)\nx = pld.window(buf, [64], dtype=pl.FP32)\nuse(x, device=-1)\n") ==
        "E0605 3: `device` of the dispatch of `use` is -1, but devices count from 0\n");
}

TEST_CASE("E0606 two allocations of one name") {
  CHECK(errors("buf = pld.alloc_window_buffer(256, name=\"w\")\nother = pld.alloc_window_buffer(256, name=\"w\")\n"
               "x = pld.window(buf, [64], dtype=pl.FP32)\ny = pld.window(other, [64], dtype=pl.FP32)\n"
               "for r in pl.range(pld.world_size()):\n    use(x, device=r)\n    use(y, device=r)\n") ==
        "E0606 2: two window allocations of one domain are named `w`\n  note 1: the other one is here\n");
}

TEST_CASE("E0607 a window of two allocations") {
  constexpr std::string_view kTwo =
      "a = pld.alloc_window_buffer(256)\nb = pld.alloc_window_buffer(256)\n"
      "x = pld.window(a, [64], dtype=pl.FP32)\ny = pld.window(b, [64], dtype=pl.FP32)\n";
  CHECK(errors(std::string(kTwo) + "if n > 0:\n    z = x\nelse:\n    z = y\n"
                                   "for r in pl.range(pld.world_size()):\n    use(z, device=r)\n",
               "n: pl.Scalar[pl.INDEX]") ==
        "E0607 10: `z` is a view of `a` on one path and of `b` on another\n"
        "  note 1: `a` is allocated here\n  note 2: `b` is allocated here\n");
  CHECK(errors(std::string(kTwo) + "for i in pl.range(n):\n    for r in pl.range(pld.world_size()):\n"
                                   "        use(x, device=r)\n    x = y\n",
               "n: pl.Scalar[pl.INDEX]")
            .find("E0607 7: `x` is a view of `a` on one path and of `b` on another") != std::string::npos);
  CHECK(errors("a = pld.alloc_window_buffer(256)\nb = pld.alloc_window_buffer(256)\n"
               "x = pld.window(a, [64], dtype=pl.FP32)\ny = pld.window(b, [64], dtype=pl.FP32)\n"
               "if n > 0:\n    z = x\nelse:\n    z = y\nz = pld.tensor.allreduce(z, op=pld.ReduceOp.Sum)\n",
               "n: pl.Scalar[pl.INDEX]")
            .find("E0607 9: `z`") != std::string::npos);
}

TEST_CASE("E0608 a size that is computed later") {
  CHECK(errors("n = pl.tensor.read(t, [0])\nbuf = pld.alloc_window_buffer(n)\n"
               "x = pld.window(buf, [64], dtype=pl.FP32)\nfor r in pl.range(pld.world_size()):\n    use(x, device=r)\n",
               "t: pl.Tensor[[4], pl.INT32]") ==
        "E0608 2: the size of window allocation `buf` depends on `n`, which is not known when the program starts\n"
        "  note 1: `n` gets its value here\n");
}

TEST_CASE("E0609 an allocation in a loop or a branch") {
  CHECK(errors("for i in pl.range(n):\n    buf = pld.alloc_window_buffer(256)\n"
               "    x = pld.window(buf, [64], dtype=pl.FP32)\n    use(x, device=0)\n",
               "n: pl.Scalar[pl.INDEX]") == "E0609 2: window allocation `buf` stands in a loop\n");
  CHECK(errors("if n > 0:\n    buf = pld.alloc_window_buffer(256)\n"
               "    x = pld.window(buf, [64], dtype=pl.FP32)\n    use(x, device=0)\n",
               "n: pl.Scalar[pl.INDEX]") == "E0609 2: window allocation `buf` stands in a branch\n");
}

TEST_CASE("E0610 more than 64 devices") {
  CHECK(errors("buf = pld.alloc_window_buffer(256)\nx = pld.window(buf, [64], dtype=pl.FP32)\n"
               "for r in pl.range(65):\n    use(x, device=r)\n") ==
        "E0610 1: a communication domain has at most 64 devices, but `buf` lies on 65\n");
  CHECK(errors("buf = pld.alloc_window_buffer(256)\nx = pld.window(buf, [64], dtype=pl.FP32)\n"
               "for r in pl.range(64):\n    use(x, device=r)\n") == "");
}

TEST_CASE("E0611 a window from elsewhere") {
  CHECK(errors("for r in pl.range(pld.world_size()):\n    use(w, device=r)\n",
               "w: pld.DistributedTensor[[64], pl.FP32]") == "");  // no allocation: nothing to place
  CHECK(errors("s = pld.tensor.barrier(w)\n", "w: pld.DistributedTensor[[4], pl.INT32]") ==
        "E0611 1: `w` is not known to be a view of a window allocation\n");
}

TEST_CASE("E0613 operands of one allocation") {
  CHECK(errors("buf = pld.alloc_window_buffer(256)\nx = pld.window(buf, [64], dtype=pl.FP32)\n"
               "s = pld.window(buf, [4], dtype=pl.INT32)\nfor r in pl.range(pld.world_size()):\n"
               "    use(x, device=r)\nx = pld.tensor.allreduce(x, s, op=pld.ReduceOp.Sum)\n") ==
        "E0613 6: `pld.tensor.allreduce` operands `x` and `s` are views of one window allocation `buf`\n"
        "  note 2: `x` is made here\n  note 3: `s` is made here\n  note 1: `buf` is allocated here\n"
        "  help: allocate `s` separately with `pld.alloc_window_buffer`\n");
}

TEST_CASE("E0613 every pair of operands of every collective") {
  struct Case {
    std::string_view call;
    size_t operands;
    std::string_view views[5];  // shapes and element types
  };
  const Case cases[] = {
      {"allreduce(a0, a1, op=pld.ReduceOp.Sum)", 2, {"[4], dtype=pl.FP32", "[4], dtype=pl.INT32"}},
      {"allreduce(a0, a1, op=pld.ReduceOp.Sum, mode=\"ring\")", 2, {"[4], dtype=pl.FP32", "[7, 4], dtype=pl.INT32"}},
      {"broadcast(a0, a1, root=0)", 2, {"[4], dtype=pl.FP32", "[4], dtype=pl.INT32"}},
      {"reduce_scatter(a0, a1, op=pld.ReduceOp.Sum)", 2, {"[4, 8], dtype=pl.FP32", "[4], dtype=pl.INT32"}},
      {"allgather(a0, a1, a2)", 3, {"[1, 8], dtype=pl.FP32", "[4, 8], dtype=pl.FP32", "[4], dtype=pl.INT32"}},
      {"all_to_all(a0, a1, a2)", 3, {"[4, 8], dtype=pl.FP32", "[4, 8], dtype=pl.FP32", "[4], dtype=pl.INT32"}},
      {"all_to_all_v(a0, a1, a2, a3, a4)",
       5,
       {"[8, 8], dtype=pl.FP32", "[8, 8], dtype=pl.FP32", "[4, 1], dtype=pl.INT32", "[4, 1], dtype=pl.INT32",
        "[4, 1], dtype=pl.INT32"}},
  };
  for (const Case& one : cases) {
    for (size_t i = 0; i < one.operands; ++i) {
      for (size_t j = i + 1; j < one.operands; ++j) {
        std::string body;
        for (size_t k = 0; k < one.operands; ++k)
          if (k != j) body += "b" + std::to_string(k) + " = pld.alloc_window_buffer(256)\n";
        for (size_t k = 0; k < one.operands; ++k)
          body += "a" + std::to_string(k) + " = pld.window(b" + std::to_string(k == j ? i : k) + ", " +
                  std::string(one.views[k]) + ")\n";
        body +=
            "other = pld.alloc_window_buffer(256)\nx = pld.window(b0, [64], dtype=pl.FP32)\n"
            "y = pld.window(other, [64], dtype=pl.FP32)\n"
            "for r in pl.range(4):\n    use(x, device=r)\n    use(y, device=r)\n";
        body += "pld.tensor." + std::string(one.call) + "\n";
        HostRun run(body);
        INFO(one.call << ": " << i << " and " << j << "\n" << run.messages());
        std::string due = "operands `a" + std::to_string(i) + "` and `a" + std::to_string(j) +
                          "` are views of one window allocation `b" + std::to_string(i) + "`";
        CHECK(run.diags().error_count() == 1);
        CHECK(run.messages().find(due) != std::string::npos);
      }
    }
  }
}

TEST_CASE("E0614 operands on different devices") {
  CHECK(errors("ibuf = pld.alloc_window_buffer(256)\ntbuf = pld.alloc_window_buffer(1024)\n"
               "sbuf = pld.alloc_window_buffer(16)\nx = pld.window(ibuf, [1, 64], dtype=pl.FP32)\n"
               "y = pld.window(tbuf, [4, 64], dtype=pl.FP32)\ns = pld.window(sbuf, [4], dtype=pl.INT32)\n"
               "use(x, device=1)\nfor r in pl.range(4):\n    rows(y, device=r)\n"
               "y = pld.tensor.allgather(x, y, s)\n") ==
        "E0614 10: `pld.tensor.allgather` operands `x` and `y` lie on different devices: {1} and {0, 1, 2, 3}\n"
        "  note 1: `ibuf` is allocated here\n  note 2: `tbuf` is allocated here\n"
        "E0614 10: `pld.tensor.allgather` operands `x` and `s` lie on different devices: {1} and {0, 1, 2, 3}\n"
        "  note 1: `ibuf` is allocated here\n  note 3: `sbuf` is allocated here\n");
}

TEST_CASE("E0615 a plain tensor at host level") {
  CHECK(errors("tbuf = pld.alloc_window_buffer(1024)\nsbuf = pld.alloc_window_buffer(16)\n"
               "y = pld.window(tbuf, [4, 64], dtype=pl.FP32)\ns = pld.window(sbuf, [4], dtype=pl.INT32)\n"
               "for r in pl.range(4):\n    rows(y, device=r)\ny = pld.tensor.all_to_all(t, y, s)\n",
               "t: pl.Tensor[[4, 64], pl.FP32]") ==
        "E0615 7: `input` of `pld.tensor.all_to_all` is a window in a HOST function, but here it is a "
        "`Tensor[[4, 64], FP32]`\n");
}

TEST_CASE("E0616 a signal, a target and counts that are too small") {
  CHECK(errors(two_windows("[3]", "4") + "x = pld.tensor.allreduce(x, s, op=pld.ReduceOp.Sum)\n") ==
        "E0616 7: `pld.tensor.allreduce` needs 4 rows of `signal` for 4 ranks, but `s` has 3\n"
        "  note 4: `s` is made here\n");
  CHECK(errors(two_windows("[5, 3]", "4") + "x = pld.tensor.allreduce(x, s, op=pld.ReduceOp.Sum, mode=\"ring\")\n")
            .find("E0616 7: `pld.tensor.allreduce` needs 7 rows of `signal` for 4 ranks, but `s` has 5") == 0);
  CHECK(errors("tbuf = pld.alloc_window_buffer(1024)\nsbuf = pld.alloc_window_buffer(32)\n"
               "y = pld.window(tbuf, [4, 64], dtype=pl.FP32)\ns = pld.window(sbuf, [8], dtype=pl.INT32)\n"
               "for r in pl.range(5):\n    rows(y, device=r)\n"
               "y = pld.tensor.reduce_scatter(y, s, op=pld.ReduceOp.Sum)\n") ==
        "E0616 7: `pld.tensor.reduce_scatter` needs 5 rows of `target` for 5 ranks, but `y` has 4\n"
        "  note 3: `y` is made here\n");
}

TEST_CASE("E0617 a root that is no rank") {
  CHECK(errors(two_windows("[4]", "4") + "x = pld.tensor.broadcast(x, s, root=4)\n") ==
        "E0617 7: `root` of `pld.tensor.broadcast` is 4, but the domain has 4 ranks\n");
  CHECK(errors("buf = pld.alloc_window_buffer(256)\nsbuf = pld.alloc_window_buffer(16)\n"
               "x = pld.window(buf, [64], dtype=pl.FP32)\ns = pld.window(sbuf, [4], dtype=pl.INT32)\n"
               "use(x, device=1)\nuse(x, device=3)\nx = pld.tensor.broadcast(x, s, root=3)\n") ==
        "E0617 7: `root` of `pld.tensor.broadcast` is 3, but the domain has 2 ranks\n");
}

TEST_CASE("E0618 the signal of a ring is its own") {
  CHECK(errors(two_windows("[7, 4]", "4") + "x = pld.tensor.allreduce(x, s, op=pld.ReduceOp.Sum, mode=\"ring\")\n"
                                            "s = pld.tensor.barrier(s)\n") ==
        "E0618 7: signal `sbuf` of a ring is also a signal of `pld.tensor.barrier`\n"
        "  note 8: the other use of `sbuf` is here\n  note 2: `sbuf` is allocated here\n");
}

TEST_CASE("E0619 more blocks than cores") {
  CHECK(errors(two_windows("[4, 64]") + "x = pld.tensor.allreduce(x, s, op=pld.ReduceOp.Sum, core_num=49)\n") ==
        "E0619 7: `pld.tensor.allreduce` starts 49 blocks, but a2a3 has 48 AIV cores\n");
  Options wide;
  wide.target.aiv_cores = 49;
  CHECK(errors(two_windows("[4, 64]") + "x = pld.tensor.allreduce(x, s, op=pld.ReduceOp.Sum, core_num=49)\n", "",
               wide) == "");
}

TEST_CASE("E0620 a collective that not every rank may reach") {
  const std::string call = "    x = pld.tensor.broadcast(x, s, root=0)\n";
  CHECK(
      errors(two_windows() + "for r in pl.range(pld.world_size()):\n    use(x, device=r)\n    if r == 0:\n    " + call)
          .find("E0620 10: `pld.tensor.broadcast` stands in a branch that depends on `r`, which selects a device\n"
                "  note 9: it starts here\n") == 0);
  CHECK(errors(two_windows() +
               "for r in pl.range(pld.world_size()):\n    use(x, device=r)\n    for i in pl.range(r):\n"
               "    " +
               call)
            .find("E0620 10: `pld.tensor.broadcast` stands in a loop that depends on `r`, which selects a device") ==
        0);
  CHECK(errors(two_windows() + "n = pl.tensor.read(t, [0])\nfor i in pl.range(n):\n" + call,
               "t: pl.Tensor[[4], pl.INT32]")
            .find("E0620 9: `pld.tensor.broadcast` stands in a loop that depends on `n`, which a tensor or a function "
                  "gives") == 0);
  // By way of a branch, and of a value that a loop carries.
  CHECK(errors(two_windows() +
               "for r in pl.range(pld.world_size()):\n    use(x, device=r)\n    m = 1\n"
               "    if r > 0:\n        m = 2\n    if m > 1:\n    " +
               call)
            .find("E0620 13:") == 0);
  CHECK(errors(two_windows() +
               "m = 0\nfor r in pl.range(pld.world_size()):\n    use(x, device=r)\n    m = m + r\n"
               "if m > 4:\n" +
               call)
            .find("E0620 12:") == 0);
  CHECK(errors(two_windows() +
                   "m = 0\nfor i in pl.range(pld.world_size()):\n    m = m + i + n\n"
                   "if m > 4:\n" +
                   call,
               "n: pl.Scalar[pl.INDEX]") == "");
}

TEST_CASE("E0621, E0624 all_to_all_v: exactly one row of the signal for each rank, a cell for each block") {
  auto body = [](std::string_view devices, std::string_view signal, std::string_view more) {
    return "ib = pld.alloc_window_buffer(2048)\ntb = pld.alloc_window_buffer(2048)\nsb = "
           "pld.alloc_window_buffer(8192)\n"
           "cb = pld.alloc_window_buffer(16)\nrb = pld.alloc_window_buffer(16)\n"
           "a = pld.window(ib, [8, 64], dtype=pl.FP32)\nb = pld.window(tb, [8, 64], dtype=pl.FP32)\n"
           "s = pld.window(sb, " +
           std::string(signal) +
           ", dtype=pl.INT32)\n"
           "c = pld.window(cb, [4], dtype=pl.INT32)\nd = pld.window(rb, [4, 1], dtype=pl.INT32)\n"
           "u = pld.window(tb, [64], dtype=pl.FP32)\n"
           "for r in pl.range(" +
           std::string(devices) +
           "):\n    use(u, device=r)\n"
           "b = pld.tensor.all_to_all_v(a, b, s, c, d" +
           std::string(more) + ")\n";
  };
  CHECK(errors(body("4", "[4, 1]", "")) == "");
  CHECK(errors(body("3", "[4, 1]", "")) ==
        "E0621 14: `signal` of `pld.tensor.all_to_all_v` has 4 rows, one for each rank, but the domain has 3 ranks\n"
        "  note 8: `s` is made here\n");
  CHECK(errors(body("4", "[4, 7]", ", core_num=8")) ==
        "E0624 14: `pld.tensor.all_to_all_v` starts 8 blocks, but the rows of `s` have 7 cells\n");
  CHECK(errors(body("4", "[4, 48]", ", core_num=49")) == "");  // 48 blocks
  CHECK(errors(body("4", "[4, 64]", ", core_num=52"))
            .find("E0619 14: `pld.tensor.all_to_all_v` starts 52 blocks, but a2a3 has 48 AIV cores") == 0);
}

TEST_CASE("E0622 a collective of another level") {
  HostRun run(
      "ib = pld.alloc_window_buffer(2048)\ntb = pld.alloc_window_buffer(2048)\nsb = pld.alloc_window_buffer(16)\n"
      "cb = pld.alloc_window_buffer(16)\nrb = pld.alloc_window_buffer(16)\nnb = pld.alloc_window_buffer(32)\n"
      "a = pld.window(ib, [8, 64], dtype=pl.FP32)\nb = pld.window(tb, [8, 64], dtype=pl.FP32)\n"
      "s = pld.window(sb, [4, 1], dtype=pl.INT32)\nc = pld.window(cb, [4], dtype=pl.INT32)\n"
      "d = pld.window(rb, [4, 1], dtype=pl.INT32)\ni = pld.window(nb, [8], dtype=pl.INT32)\n"
      "u = pld.window(tb, [64], dtype=pl.FP32)\nfor r in pl.range(4):\n    use(u, device=r)\n"
      "b = pld.tensor.indexed_all_to_all_v(a, b, s, c, d, i, core_num=1)\n");
  CHECK(run.messages() == "E0622 16: `pld.tensor.indexed_all_to_all_v` does not run in a HOST function\n");
}

TEST_CASE("E0623 the signal of a ring has a row for each step") {
  CHECK(errors(two_windows("[6, 4]", "4") + "x = pld.tensor.allreduce(x, s, op=pld.ReduceOp.Sum, mode=\"ring\")\n") ==
        "E0623 7: `signal` of `pld.tensor.allreduce` with mode `ring` has shape [2 * (NR - 1) + 1, NR], but `s` has 6 "
        "rows for NR = 4\n  note 4: `s` is made here\n  help: allocate 7 rows\n");
}

TEST_CASE("E0625 a check that cannot come first") {
  CHECK(errors(
            "ib = pld.alloc_window_buffer(2048)\ntb = pld.alloc_window_buffer(2048)\nsb = pld.alloc_window_buffer(64)\n"
            "cb = pld.alloc_window_buffer(16)\nrb = pld.alloc_window_buffer(16)\n"
            "a = pld.window(ib, [8, 64], dtype=pl.FP32)\nb = pld.window(tb, [8, 64], dtype=pl.FP32)\n"
            "s = pld.window(sb, [4, 4], dtype=pl.INT32)\nc = pld.window(cb, [4], dtype=pl.INT32)\n"
            "d = pld.window(rb, [4, 1], dtype=pl.INT32)\nu = pld.window(tb, [64], dtype=pl.FP32)\n"
            "for r in pl.range(4):\n    use(u, device=r)\nn = pl.tensor.read(t, [0])\n"
            "b = pld.tensor.all_to_all_v(a, b, s, c, d, n)\n",
            "t: pl.Tensor[[4], pl.INT32]")
            .find("E0625 15: `core_num` cannot be checked when the program starts, since it depends on `n`") == 0);
}

TEST_CASE("E0631 a ring only adds") {
  CHECK(errors(two_windows("[7, 4]", "4") + "x = pld.tensor.allreduce(x, s, op=pld.ReduceOp.Max, mode=\"ring\")\n") ==
        "E0631 7: `pld.tensor.allreduce` with mode `ring` reduces with Sum, but here with Max\n");
}

}  // namespace
}  // namespace pyptoc::passes
