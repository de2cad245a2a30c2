// SPDX-License-Identifier: Apache-2.0
// Which operands of a collective count as contiguous: every step that is followed and every one that is not, at the
// root, in the middle and at the end of a chain, in straight line, branches and loops.
#include "passes/contiguity.h"

#include <fmt/format.h>

#include "chip_fixture.h"

namespace pyptoc::passes {
namespace {

using testing::ChipRun;

constexpr std::string_view kExchange = "    data = pld.tensor.all_to_all_v({}, data, signal, counts, recv)\n";

// Whether an exchange of `operand` is refused behind `before`, and why: the text behind `contiguous: `.
std::string why(std::string_view before, std::string_view operand = "x", std::string_view more = "") {
  ChipRun run(std::string(before) + fmt::format(fmt::runtime(kExchange), operand), testing::kChipParams, more);
  std::string text = run.errors();
  if (text.empty()) return "";
  constexpr std::string_view kStart = "` may not be contiguous: ";
  size_t at = text.find(kStart);
  INFO(text);
  REQUIRE(at != std::string::npos);
  REQUIRE(text.find('\n') == text.size() - 1);
  return text.substr(at + kStart.size(), text.size() - 1 - at - kStart.size());
}

constexpr std::string_view kTransposed = "it comes from `tensor.transpose`";
constexpr std::string_view kWritten = "it comes from `tensor.write`";

TEST_CASE("roots: parameters, created tensors, what a submit leaves to the runtime") {
  CHECK(why("", "stage") == "");
  CHECK(why("    x = pl.tensor.create([64, 32], dtype=pl.FP32)\n") == "");
  CHECK(why("    s, t = pl.submit(make, inp)\n    x = s\n", "x",
            "@pl.function(type=pl.FunctionType.AIV)\ndef make(inp: ROWS, out: pl.Out[ROWS]) -> ROWS:\n    return "
            "out\n\n") == "");
}

TEST_CASE("followed: reshape, view, assemble, results of kernels and of collectives") {
  CHECK(why("    y = pl.tensor.reshape(stage, [2048])\n    x = pl.tensor.reshape(y, [64, 32])\n") == "");
  CHECK(why("    x = pl.tensor.view(stage, [64, 32])\n") == "");
  CHECK(why("    p = pl.tensor.slice(inp, [4, 32], [0, 0])\n    x = pl.tensor.assemble(stage, p, [0, 0])\n") == "");
  CHECK(why("    x = fill(stage)\n") == "");
  CHECK(why("    both = stage_step(inp, stage, counts)\n    x = both[0]\n") == "");
  CHECK(why("    r = pl.submit(fill, stage)\n    x = r[0]\n") == "");
  CHECK(why("    data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv)\n"
            "    data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv)\n",
            "stage") == "");
}

TEST_CASE("a slice that narrows the leading dimension only") {
  constexpr std::string_view kBig = "    big = pl.tensor.create([128, 64], dtype=pl.FP32)\n";
  auto slice = [&](std::string_view args) {
    return why(std::string(kBig) + "    y = pl.tensor.slice(big, " + std::string(args) +
               ")\n    x = pl.tensor.reshape(y, [64, 32])\n");
  };
  CHECK(slice("[32, 64], [8, 0]") == "");
  CHECK(slice("[32, 64], [96, 0]") == "");
  CHECK(slice("[64, 32], [0, 0]") == "it is a slice that narrows dimension 1");
  CHECK(slice("[32, 64], [97, 0]") == "it is a slice that leaves its source");
  CHECK(slice("[32, 64], [n, 0]") == "it is a slice with offsets that are not constant");
  CHECK(slice("[n, 64], [0, 0]") == "it is a slice with extents that are not constant");
  // Safe, but not on the list: one row of a wider tensor.
  CHECK(why("    big = pl.tensor.create([1, 4096], dtype=pl.FP32)\n    y = pl.tensor.slice(big, [1, 2048], [0, 0])\n"
            "    x = pl.tensor.reshape(y, [64, 32])\n") == "it is a slice that narrows dimension 1");
}

TEST_CASE("not followed: transposes, elements written by the orchestration, results that are no parameter") {
  CHECK(why("    y = pl.tensor.create([32, 64], dtype=pl.FP32)\n    x = pl.tensor.transpose(y, 0, 1)\n") ==
        kTransposed);
  CHECK(why("    x = pl.tensor.write(stage, [0, 0], 1.0)\n") == "it comes from `tensor.write`");
  constexpr std::string_view kMake =
      "@pl.function(type=pl.FunctionType.AIV)\ndef make() -> ROWS:\n"
      "    fresh = pl.tensor.create([64, 32], dtype=pl.FP32)\n    return fresh\n\n";
  CHECK(why("    x = make()\n", "x", kMake) == "result 0 of `make` is none of its parameters");
}

TEST_CASE("a type on the way with another layout, with strides, with a narrower valid shape") {
  // The fault is told of the first value that has it.
  auto param = [&](std::string_view type) {
    return std::string(testing::kChipParams) + ", odd: pl.InOut[pl.Tensor[[64, 32], pl.FP32, " + std::string(type) +
           "]]";
  };
  auto fault = [&](std::string_view type, std::string_view before, std::string_view operand) {
    ChipRun run(std::string(before) + fmt::format(fmt::runtime(kExchange), operand), param(type));
    return run.errors();
  };
  auto text = [](std::string_view operand, std::string_view why_not) {
    return fmt::format("E0655: the operand {} of `pld.tensor.all_to_all_v` may not be contiguous: {}\n", operand,
                       why_not);
  };
  CHECK(fault("pl.DN", "", "odd") == text("`input` (`odd`)", "`odd` has layout `DN`"));
  CHECK(fault("pl.TensorView(stride=[64, 1], layout=pl.TensorLayout.ND)", "", "odd") ==
        text("`input` (`odd`)", "`odd` has strides that are not the packed ones of a constant shape"));
  CHECK(fault("pl.TensorView(stride=[32, 1], layout=pl.TensorLayout.ND)", "", "odd") == "");
  CHECK(fault("pl.TensorView(valid_shape=[60, 32], stride=[], layout=pl.TensorLayout.ND)", "", "odd") ==
        text("`input` (`odd`)", "`odd` has a valid shape that is not its shape"));
  // In the middle: the result of a kernel is what was passed, whatever its own type says.
  CHECK(fault("pl.TensorView(stride=[64, 1], layout=pl.TensorLayout.ND)", "    x = fill(odd)\n", "x") ==
        text("`input` (`x`)", "`odd` has strides that are not the packed ones of a constant shape"));
}

// Its type says nothing.
constexpr std::string_view kBad = "    bad = pl.tensor.write(inp, [0, 0], 1.0)\n";

TEST_CASE("a fault at the root, in the middle and at the end of a chain") {
  CHECK(why(std::string(kBad) + "    x = fill(bad)\n") == kWritten);
  CHECK(why(std::string(kBad) + "    a = fill(bad)\n    b = pl.tensor.reshape(a, [2048])\n"
                                "    x = pl.tensor.reshape(b, [64, 32])\n") == kWritten);
  CHECK(why("    a = fill(stage)\n    b = pl.tensor.reshape(a, [32, 64])\n    x = pl.tensor.transpose(b, 0, 1)\n") ==
        kTransposed);
}

TEST_CASE("every path through a branch") {
  auto branch = [&](std::string_view first, std::string_view second) {
    return why(
        fmt::format("{}    if n > 0:\n        x = fill({})\n    else:\n        x = fill({})\n", kBad, first, second));
  };
  CHECK(branch("stage", "inp") == "");
  CHECK(branch("bad", "stage") == kWritten);
  CHECK(branch("stage", "bad") == kWritten);
}

TEST_CASE("every path through loops: the start of a loop that may not run, what comes back, a swap") {
  auto loop = [&](std::string_view head, std::string_view start, std::string_view next) {
    return why(fmt::format("{}    x = {}\n    {}\n        x = fill({})\n", kBad, start, head, next));
  };
  for (std::string_view head : {"for i in pl.range(n):", "while n > 3:"}) {
    CHECK(loop(head, "fill(stage)", "x") == "");
    CHECK(loop(head, "bad", "stage") == kWritten);  // no iteration
    CHECK(loop(head, "fill(stage)", "bad") == kWritten);
  }
  // The bad one comes into the operand in the second iteration.
  CHECK(why(std::string(kBad) + "    x = fill(stage)\n    z = fill(bad)\n    for i in pl.range(n):\n"
                                "        data = pld.tensor.all_to_all_v(x, data, signal, counts, recv)\n        w = x\n"
                                "        x = z\n        z = w\n",
            "stage") == kWritten);
}

TEST_CASE("a loop in a branch in a loop, and a submit inside") {
  auto nest = [&](std::string_view inner) {
    return why(fmt::format(
        "{}    x = fill(stage)\n    for i in pl.range(n):\n        if i > 2:\n"
        "            for j in pl.range(n):\n                r = pl.submit(fill, {})\n                x = r[0]\n",
        kBad, inner));
  };
  CHECK(nest("x") == "");
  CHECK(nest("stage") == "");
  CHECK(nest("bad") == kWritten);
}

TEST_CASE("each operand is looked at, and told by its name") {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOperands = {{{"input", "stage"},
                                                                                       {"target", "data"},
                                                                                       {"signal", "signal"},
                                                                                       {"send_counts", "counts"},
                                                                                       {"recv_counts", "recv"}}};
  for (const auto& [role, name] : kOperands) {
    // The same tensor through a write of an element, which is not followed; the type stays.
    std::string body = fmt::format("    {0}_0 = pl.tensor.write({0}, [0, 0], {1})\n", name,
                                   role == "input" || role == "target" ? "1.0" : "pl.const(1, pl.INT32)");
    std::string call = "    d = pld.tensor.all_to_all_v(stage, data, signal, counts, recv)\n";
    size_t at = call.find(role == "recv_counts" ? "recv)" : std::string(name) + ",");
    call.insert(at + name.size(), "_0");
    ChipRun run(body + call);
    CHECK(run.errors() ==
          fmt::format(
              "E0655: the operand `{}` (`{}_0`) of `pld.tensor.all_to_all_v` may not be contiguous: it comes from "
              "`tensor.write`\n",
              role, name));
  }
}

}  // namespace
}  // namespace pyptoc::passes
