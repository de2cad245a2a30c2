// SPDX-License-Identifier: Apache-2.0
// What people write and the printer does not: each form against the canonical one.
#include "ir/verifier.h"
#include "text_testing.h"

namespace pyptoc::text::testing {
namespace {

TEST_CASE("assignments of all kinds") {
  CHECK(body_printed("x = i + 1\nx += 2\n") == "x: pl.Scalar[pl.INDEX] = i + 1\nx: pl.Scalar[pl.INDEX] = x + 2\n");
  CHECK(body_printed("x, y = i, j\n") == "x: pl.Scalar[pl.INDEX] = i\ny: pl.Scalar[pl.INDEX] = j\n");
  CHECK(body_printed("x: pl.INT64 = i\n") == "x: pl.Scalar[pl.INT64] = i\n");
  CHECK(body_printed("x = i; y = x\n") == "x: pl.Scalar[pl.INDEX] = i\ny: pl.Scalar[pl.INDEX] = x\n");
  CHECK(body_printed("x = i\nx = 1.5\n") == "x: pl.Scalar[pl.INDEX] = i\nx_1: pl.Scalar[pl.FP32] = 1.5\n");
}

TEST_CASE("operators bind as in Python") {
  auto value = [](std::string_view text) {
    std::string line = body_printed("x = " + std::string(text) + "\n");
    return line.substr(line.find(" = ") + 3);
  };
  CHECK(value("i + j * 2") == "i + j * 2\n");
  CHECK(value("(i + j) * 2") == "(i + j) * 2\n");
  CHECK(value("i - (j - 1)") == "i - (j - 1)\n");
  CHECK(value("i // 2 % j") == "i // 2 % j\n");
  CHECK(value("-i ** 2") == "-i ** 2\n");
  CHECK(value("(-i) ** 2") == "(-i) ** 2\n");
  CHECK(value("-5") == "-5\n");
  CHECK(value("-5 ** 2") == "-5 ** 2\n");
  CHECK(value("-(5)") == "-(5)\n");
  CHECK(value("i ** j ** 2") == "i ** j ** 2\n");
  CHECK(value("(i ** j) ** 2") == "(i ** j) ** 2\n");
  CHECK(value("not (i < j) and p or p") == "not i < j and p or p\n");
  CHECK(value("(i < j) == p") == "(i < j) == p\n");
  CHECK(value("i << 1 | j & ~i ^ 3") == "i << 1 | j & ~i ^ 3\n");
  CHECK(value("p ^ p") == "p ^ p\n");
  CHECK(value("min(i, max(j, 2))") == "min(i, max(j, 2))\n");
  CHECK(value("pl.min(i, abs(j))") == "min(i, abs(j))\n");
  CHECK(value("pl.cast(i, pl.FP16)") == "pl.cast(i, pl.FP16)\n");
  CHECK(value("pl.cast(i, target_type=pl.FP16)") == "pl.cast(i, pl.FP16)\n");
  CHECK(value("pl.const(3, pl.FP16)") == "pl.const(3.0, pl.FP16)\n");
  CHECK(value("float('-inf')") == "float(\"-inf\")\n");
}

// `max + 1` was a syntax error, the name being taken for the function whatever followed it.
TEST_CASE("variables may be called like Python's functions") {
  for (std::string_view name : {"min", "max", "abs", "float", "tuple"}) {
    auto with_name = [&](std::string text) {
      for (size_t at = text.find('@'); at != std::string::npos; at = text.find('@')) text.replace(at, 1, name);
      return text;
    };
    // The printer keeps the functions what they are for who reads its text.
    CHECK(body_printed(with_name("@ = i + 1\nx = -@ + (@) * 2\n")) ==
          with_name("@_: pl.Scalar[pl.INDEX] = i + 1\nx: pl.Scalar[pl.INDEX] = -@_ + @_ * 2\n"));
    const Parsed parsed = parse(in_function(with_name(
        "for @ in pl.range(4):\n    y = pl.tensor.slice(a, [1, 64], [@, 0])\n    x = pl.max(i, @) + pl.abs(j)\n")));
    INFO(parsed.faults());
    REQUIRE(parsed.program != nullptr);
    check_round_trip(parsed.program);
  }
  CHECK(parse(in_function("max = i\nx = max(i, j)\n")).program == nullptr);
  CHECK(parse(in_function("x = max\n")).program == nullptr);
}

TEST_CASE("short names find their operator by the operands") {
  CHECK(body_printed("t = pl.load(a, [0, 0], [64, 64])\n") ==
        "t: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [0, 0], [64, 64], [64, 64], "
        "target_memory=pl.Mem.Vec)\n");
  CHECK(body_printed("t = pl.add(a, b)\n") == "t: pl.Tensor[[64, 64], pl.FP32] = pl.tensor.add(a, b)\n");
  CHECK(body_printed("t = pl.mul(a, 2.0)\n") == "t: pl.Tensor[[64, 64], pl.FP32] = pl.tensor.muls(a, 2.0)\n");
  CHECK(body_printed("t = a + b\nu = 2.0 * a\n") ==
        "t: pl.Tensor[[64, 64], pl.FP32] = pl.tensor.add(a, b)\n"
        "u: pl.Tensor[[64, 64], pl.FP32] = pl.tensor.muls(a, 2.0)\n");
  CHECK(body_printed("t = pl.create_tensor([8], pl.FP16)\n") ==
        "t: pl.Tensor[[8], pl.FP16] = pl.tensor.create([8], dtype=pl.FP16, layout=pl.TensorLayout.ND)\n");
  CHECK(body_printed("t = pl.cast(a, pl.FP16, mode=\"floor\")\n") ==
        "t: pl.Tensor[[64, 64], pl.FP16] = pl.tensor.cast(a, target_type=pl.FP16, mode=3)\n");
  CHECK(body_printed("n = pl.dim(a, 0)\n") == "n: pl.Scalar[pl.INDEX] = pl.tensor.dim(a, 0)\n");
  CHECK(body_printed("t = pl.slice(a, shape=[8, 8], offsets=[0, 0])\n") ==
        "t: pl.Tensor[[8, 8], pl.FP32] = pl.tensor.slice(a, [8, 8], [0, 0])\n");
}

TEST_CASE("subscripts") {
  CHECK(body_printed("x = a[i, 0]\n") == "x: pl.Scalar[pl.FP32] = pl.tensor.read(a, [i, 0])\n");
  CHECK(body_printed("x = a[i:i + 8, 1]\n") ==
        "x: pl.Tensor[[8], pl.FP32] = pl.tensor.slice(a, [8, 1], [i, 1], [], [1])\n");
  CHECK(body_printed("x = a[0:8]\n") == "x: pl.Tensor[[8, 64], pl.FP32] = pl.tensor.slice(a, [8, 64], [0, 0])\n");
  CHECK(body_printed("out[0, i] = 1.0\n") == "out: pl.Tensor[[64, 64], pl.FP32] = pl.tensor.write(out, [0, i], 1.0)\n");
  CHECK(body_printed("out[:] = a\n") == "out: pl.Tensor[[64, 64], pl.FP32] = pl.tensor.assemble(out, a, [0, 0])\n");
  CHECK(body_printed("r = pl.array.create(4, pl.INT32)\nr[1] = pl.const(7, pl.INT32)\nx = r[i]\n") ==
        "r: pl.Array[4, pl.INT32] = pl.array.create(4, dtype=pl.INT32)\n"
        "r: pl.Array[4, pl.INT32] = pl.array.update_element(r, 1, pl.const(7, pl.INT32))\n"
        "x: pl.Scalar[pl.INT32] = pl.array.get_element(r, i)\n");
}

TEST_CASE("branches, loops and yields") {
  CHECK(body_printed("if i < j:\n    x = pl.yield_(i)\nelif p:\n    x = pl.yield_(j)\nelse:\n    x = pl.yield_(0)\n") ==
        "if i < j:\n    x_1 = pl.yield_(i)\nelse:\n    if p:\n        x = pl.yield_(j)\n    else:\n"
        "        x = pl.yield_(0)\n    x_1 = pl.yield_(x)\n");
  CHECK(body_printed("for k in pl.range(i, 8): x = k\n") ==
        "for k in pl.range(i, 8):\n    x: pl.Scalar[pl.INDEX] = k\n");
  CHECK(body_printed("for (x,) in pl.while_(init_values=(i,)):\n    pl.cond(x < 8)\n    y = pl.yield_(x + 1)\n") ==
        "for (x,) in pl.while_(init_values=(i,)):\n    pl.cond(x < 8)\n    y = pl.yield_(x + 1)\n");
  CHECK(body_printed("while p:\n    break\n") == "while p:\n    break\n");
  CHECK(body_printed("for k in pl.pipeline(8, stage=2):\n    continue\n") ==
        "for k in pl.pipeline(8, stage=2):\n    continue\n");
}

TEST_CASE("scopes") {
  CHECK(body_printed("for k in pl.spmd(4):\n    x = k\n") ==
        "with pl.spmd(4):\n    with pl.at(level=pl.Level.CORE_GROUP):\n"
        "        k: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()\n        x: pl.Scalar[pl.INDEX] = k\n");
  CHECK(body_printed("with pl.spmd(4, name_hint=\"s\"):\n    x = pl.get_block_idx()\n") ==
        "with pl.spmd(4, name_hint=\"s\"):\n    with pl.at(level=pl.Level.CORE_GROUP):\n"
        "        x: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()\n");
  CHECK(body_printed("with pl.at(pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN), "
                     "pl.cross_core_slot(slot_num=4)]) as t:\n    pass\n") ==
        "with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN)], "
        "attrs={\"slot_num\": 4}) as t:\n    pass\n");
  CHECK(body_printed("with pl.scope(mode=pl.ScopeMode.MANUAL):\n    x = i\n") ==
        "with pl.manual_scope():\n    x: pl.Scalar[pl.INDEX] = i\n");
  CHECK(body_printed("for k in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):\n    x = k\n") ==
        "for k in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):\n    x: pl.Scalar[pl.INDEX] = k\n");
}

TEST_CASE("comments and docstrings lead the next statement") {
  CHECK(body_printed("\"\"\"One\n  two\"\"\"\n# three\nx = i  # four\n# lost\n") ==
        "# One\n#           two\n# three\n# four\nx: pl.Scalar[pl.INDEX] = i\n");
  CHECK(body_printed("if p:  # a\n    # b\n    x = i\n    # lost\n# c\nelse:\n    y = j\n") ==
        "# a\nif p:\n    # b\n    x: pl.Scalar[pl.INDEX] = i\nelse:\n    # c\n    y: pl.Scalar[pl.INDEX] = j\n");
}

TEST_CASE("functions without a class, without self, with constants of the module") {
  std::string text = printed(
      "import pypto.language as pl\nN = 32\nSHAPE = [N, 2 * N]\n"
      "@pl.function\ndef g(x: pl.Tensor[[N, N * 2], pl.FP32]) -> pl.Tensor[[N, 64], pl.FP32]:\n    return x\n"
      "@pl.inline\ndef h(x: pl.Scalar[pl.INDEX]):\n    y = pl.create_tensor(SHAPE, dtype=pl.FP32)\n    z = g(y)\n");
  CHECK(text.find("class prog:") != std::string::npos);
  CHECK(text.find("pl.tensor.create([32, 64], ") != std::string::npos);
  CHECK(text.find("@pl.function(type=pl.FunctionType.Inline)\n    def h(self, x:") != std::string::npos);
  CHECK(text.find("= self.g(y)") != std::string::npos);
  CHECK(printed("import pypto.language as pl\n@pl.program\nclass Q:\n    pass\n").find("class Q:\n    pass\n") !=
        std::string::npos);
}

TEST_CASE("a submit is unpacked into its tuple") {
  std::string text =
      printed(std::string(kImports) +
              "@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.InCore)\n"
              "    def k(self, x: pl.Tensor[[8], pl.FP32]) -> pl.Tensor[[8], pl.FP32]:\n        return x\n"
              "    @pl.function\n    def m(self, x: pl.Tensor[[8], pl.FP32]):\n"
              "        y, t = pl.submit(self.k, x)\n"
              "        z, u = pl.spmd_submit(self.k, y, core_num=4, deps=[t])\n");
  CHECK(text.find("y: pl.Tensor[[8], pl.FP32] = y_tuple[0]\n") != std::string::npos);
  CHECK(text.find("pl.spmd_submit(self.k, y, deps=[t], core_num=4)\n") != std::string::npos);
}

TEST_CASE("window buffers by shape and data type are named after their variable") {
  CHECK(body_printed("buf = pld.alloc_window_buffer([64, 4], dtype=pl.FP32)\n") ==
        "buf: pl.Ptr = pld.tensor.alloc_window_buffer(1024, name=\"buf\")\n");
  CHECK(body_printed("buf = pld.alloc_window_buffer([pld.world_size(), 2], pl.INT32)\n") ==
        "buf: pl.Ptr = pld.tensor.alloc_window_buffer(pld.system.world_size() * 8, name=\"buf\")\n");
  CHECK(body_printed("buf = pld.alloc_window_buffer(i * 4)\nw = pld.window(buf, [64], dtype=pl.FP32)\n") ==
        "buf: pl.Ptr = pld.tensor.alloc_window_buffer(i * 4, name=\"buf\")\n"
        "w: pld.DistributedTensor[[64], pl.FP32] = pld.tensor.window(buf, [64], dtype=pl.FP32)\n");
}

TEST_CASE("no_dep marks arguments, and declared allocations are held in variables") {
  CHECK(body_printed("self.f(a, pl.no_dep(b), i, j, p, out)\n").find("attrs={\"arg_direction_overrides\": [1]}") !=
        std::string::npos);
  std::string text = printed(in_function(
      "ping = pl.MemRef(slots=2)\n"
      "t: pl.Tile[[64, 64], pl.FP32, ping[i % 2], pl.Mem.Vec] = pl.load(a, [0, 0], [64, 64])\n"
      "u: pl.Tile[[64, 64], pl.FP32, pl.MemRef(\"ping\", slots=2)[0], pl.Mem.Vec] = pl.load(b, [0, 0], [64, 64])\n"));
  CHECK(text.find("ping = pl.Var(\"ping\", pl.Ptr)\n") != std::string::npos);
  CHECK(text.find("pl.MemRef(ping, 0, 0, pinned=True, slots=2, slot=i % 2), pl.Mem.Vec]") != std::string::npos);
  CHECK(text.find("pl.MemRef(ping, 0, 0, pinned=True, slots=2, slot=0), pl.Mem.Vec]") != std::string::npos);
}

TEST_CASE("spans are places in the text") {
  Parsed parsed = parse(in_function("x = i + j\n"), "dir/prog.py");
  REQUIRE(parsed.program != nullptr);
  const auto* assign = ir::as<ir::AssignStmt>(parsed.program->functions[0]->body);
  REQUIRE(assign != nullptr);
  CHECK(assign->span->filename == "dir/prog.py");
  CHECK(assign->span->begin_line == kBodyLine);
  CHECK(assign->span->begin_column == 9);
  CHECK(assign->span->end_column == 18);
  CHECK(assign->value->span->begin_column == 13);
  CHECK(assign->value->span->end_column == 18);
}

}  // namespace
}  // namespace pyptoc::text::testing
