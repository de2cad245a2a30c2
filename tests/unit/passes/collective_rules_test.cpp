// SPDX-License-Identifier: Apache-2.0
// The type rules of collectives: every sentence of the table in collectives.md that one call shows.
#include "host_fixture.h"

namespace pyptoc::passes {
namespace {

using testing::host_source;
using testing::program_text;

// `call` in a kernel with the parameters given; what the verifier says, lines left out.
std::string rule(std::string_view parameters, std::string_view call) {
  ir::Context ir;
  diag::Engine diags;
  std::string source = program_text("\n@pl.function(type=pl.FunctionType.InCore)\ndef k(" + std::string(parameters) +
                                    "):\n    pld.tensor." + std::string(call) + "\n");
  const ir::Program* program = text::parse_program(ir, source, "test.py", diags);
  if (program != nullptr) ir::verify(program, diags);
  std::string out;
  for (const diag::Diagnostic& d : diags.sorted()) out += std::string(d.code->id) + " " + d.message + "\n";
  return out;
}
std::string window(std::string_view name, std::string_view shape, std::string_view dtype) {
  return std::string(name) + ": pl.InOut[pld.DistributedTensor[" + std::string(shape) + ", pl." + std::string(dtype) +
         "]]";
}
std::string allreduce(std::string_view dtype, std::string_view signal, std::string_view keywords) {
  return rule(window("x", "[64]", dtype) + ", " + window("s", signal, "INT32"),
              "allreduce(x, s, " + std::string(keywords) + ")");
}

TEST_CASE("E0630 element types: the table's, listed") {
  for (std::string_view dtype : {"FP16", "FP32", "BF16", "INT32"}) {
    CHECK(allreduce(dtype, "[4]", "op=pld.ReduceOp.Prod") == "");
    CHECK(allreduce(dtype, "[7, 4]", "op=pld.ReduceOp.Sum, mode=\"ring\"") == "");
  }
  CHECK(allreduce("INT8", "[4]", "op=pld.ReduceOp.Sum") ==
        "E0630 `target` of `pld.tensor.allreduce` has element type FP16, FP32, BF16 or INT32, but here INT8\n");
  CHECK(allreduce("FP64", "[7, 4]", "op=pld.ReduceOp.Sum, mode=\"ring\"") ==
        "E0630 `target` of `pld.tensor.allreduce` with mode `ring` has element type FP16, FP32, BF16 or INT32, but "
        "here FP64\n");
  CHECK(rule(window("x", "[4, 8]", "FP64") + ", " + window("s", "[4]", "INT32"), "broadcast(x, s, root=0)") ==
        "E0630 `target` of `pld.tensor.broadcast` has element type FP32, FP16, BF16, INT8, INT16, INT32, INT64, UINT8, "
        "UINT16, UINT32, UINT64 or BOOL, but here FP64\n");
  for (std::string_view dtype : {"FP32", "BF16", "INT8", "INT64", "UINT16", "BOOL"})
    CHECK(rule(window("x", "[4, 8]", dtype) + ", " + window("s", "[4]", "INT32"), "broadcast(x, s, root=0)") == "");
}

TEST_CASE("E0632 modes") {
  CHECK(allreduce("FP32", "[4]", "op=pld.ReduceOp.Sum, mode=\"tree\"") ==
        "E0632 `pld.tensor.allreduce` has mode `mesh` or `ring`, but here `tree`\n");
}

TEST_CASE("E0633 signals and counts are INT32") {
  CHECK(rule(window("x", "[64]", "FP32") + ", " + window("s", "[4]", "FP32"), "broadcast(x, s, root=0)") ==
        "E0633 `signal` of `pld.tensor.broadcast` has element type INT32, but here FP32\n");
  CHECK(rule(window("s", "[4]", "INT64"), "barrier(s)") ==
        "E0633 `signal` of `pld.tensor.barrier` has element type INT32, but here INT64\n");
}

TEST_CASE("E0634 shapes") {
  CHECK(rule(window("s", "[4, 1, 1]", "INT32"), "barrier(s)") ==
        "E0634 `signal` of `pld.tensor.barrier` has shape [NR] or [NR, S], but here `[4, 1, 1]`\n");
  CHECK(allreduce("FP32", "[7]", "op=pld.ReduceOp.Sum, mode=\"ring\"") ==
        "E0634 `signal` of `pld.tensor.allreduce` has shape [2 * (NR - 1) + 1, NR], but here `[7]`\n");
  CHECK(rule(window("x", "[64]", "FP32") + ", " + window("s", "[4]", "INT32"),
             "reduce_scatter(x, s, op=pld.ReduceOp.Sum)") ==
        "E0634 `target` of `pld.tensor.reduce_scatter` has shape [NR, SIZE], but here `[64]`\n");
  CHECK(
      rule(window("i", "[4, 64]", "FP32") + ", " + window("x", "[4, 64]", "FP32") + ", " + window("s", "[4]", "INT32"),
           "allgather(i, x, s)") ==
      "E0634 `input` of `pld.tensor.allgather` has shape [1, SIZE], but here `[4, 64]`\n");
}

TEST_CASE("the indexed exchange: rows of any number, an index for each row of the target") {
  const auto indexed = [](std::string_view input, std::string_view index, std::string_view dtype = "INT32") {
    return rule(fmt::format("i: pl.Tensor[{}, pl.FP32], {}, {}, {}, r: pl.InOut[pl.Tensor[[4, 1], pl.INT32]], x: "
                            "pl.Tensor[{}, pl.{}]",
                            input, window("t", "[16, 8]", "FP32"), window("s", "[4, 1]", "INT32"),
                            window("c", "[4]", "INT32"), index, dtype),
                "indexed_all_to_all_v(i, t, s, c, r, x, core_num=1)");
  };
  CHECK(indexed("[16, 8]", "[16]") == "");
  CHECK(indexed("[100, 8]", "[16, 1]") == "");
  CHECK(indexed("[100, 9]", "[16]") ==
        "E0638 row length of `pld.tensor.indexed_all_to_all_v` is 9 in `input`, but 8 in `target`\n");
  CHECK(indexed("[100]", "[16]") ==
        "E0634 `input` of `pld.tensor.indexed_all_to_all_v` has shape [ROWS, SIZE], but here `[100]`\n");
  CHECK(indexed("[16, 8]", "[15]") ==
        "E0638 number of rows of `pld.tensor.indexed_all_to_all_v` is 16 in `target`, but 15 in `index`\n");
  CHECK(indexed("[16, 8]", "[4, 4]") ==
        "E0634 `index` of `pld.tensor.indexed_all_to_all_v` has shape [NR * MAX_RECV] or [NR * MAX_RECV, 1], but here "
        "`[4, 4]`\n");
  CHECK(indexed("[16, 8]", "[16]", "INT64") ==
        "E0633 `index` of `pld.tensor.indexed_all_to_all_v` has element type INT32, but here INT64\n");
}

// Windows i, t, s, c, r of all_to_all_v.
std::string exchange(std::string_view input, std::string_view target, std::string_view signal, std::string_view send,
                     std::string_view recv, std::string_view more = "") {
  return rule(window("i", input, "FP32") + ", " + window("t", target, "FP32") + ", " + window("s", signal, "INT32") +
                  ", " + window("c", send, "INT32") + ", " + window("r", recv, "INT32") + ", n: pl.Scalar[pl.INDEX]",
              "all_to_all_v(i, t, s, c, r" + std::string(more) + ")");
}

TEST_CASE("all_to_all_v: forms of its operands") {
  CHECK(exchange("[8, 16]", "[8, 16]", "[4, 1]", "[4]", "[4, 1]") == "");
  CHECK(exchange("[8, 16]", "[8, 16]", "[4, 1]", "[4, 1]", "[4, 1]", ", n") == "");
  CHECK(exchange("[8, 16]", "[8, 16]", "[4, 1]", "[4, 1]", "[4, 1]", ", core_num=3") == "");
  // A scalar under the keyword is the operand; it was refused before.
  CHECK(exchange("[8, 16]", "[8, 16]", "[4, 1]", "[4, 1]", "[4, 1]", ", core_num=n") == "");
  CHECK(exchange("[8, 16]", "[8, 16]", "[4, 1]", "[4, 1]", "[4, 1]", ", n, core_num=n") ==
        "E0215 argument `core_num` of `pld.tensor.all_to_all_v` is given twice\n");
  CHECK(exchange("[8, 16]", "[8, 16]", "[4]", "[4]", "[4, 1]") ==
        "E0634 `signal` of `pld.tensor.all_to_all_v` has shape [NR, S] with a constant NR, but here `[4]`\n");
  CHECK(exchange("[8, 16]", "[8, 16]", "[4, 1]", "[4, 2]", "[4, 1]") ==
        "E0634 `send_counts` of `pld.tensor.all_to_all_v` has shape [NR] or [NR, 1], but here `[4, 2]`\n");
  CHECK(exchange("[8, 16]", "[8, 16]", "[4, 1]", "[4]", "[4]") ==
        "E0634 `recv_counts` of `pld.tensor.all_to_all_v` has shape [NR, 1], but here `[4]`\n");
  CHECK(exchange("[8, 16]", "[8, 16]", "[4, 1]", "[5]", "[4, 1]") ==
        "E0638 number of ranks of `pld.tensor.all_to_all_v` is 4 in `signal`, but 5 in `send_counts`\n");
  CHECK(exchange("[9, 16]", "[9, 16]", "[4, 1]", "[4]", "[4, 1]") ==
        "E0639 `target` of `pld.tensor.all_to_all_v` has 9 rows, which 4 ranks do not divide\n");
  CHECK(exchange("[8, 16]", "[8, 16]", "[4, 1]", "[4]", "[4, 1]", ", core_num=0") ==
        "E0636 `core_num` of `pld.tensor.all_to_all_v` is in the range from 1 to 2147483647, but here 0\n");
  CHECK(exchange("[8, 16]", "[8, 16]", "[4, 1]", "[4]", "[4, 1]", ", n, core_num=2") ==
        "E0642 `core_num` of `pld.tensor.all_to_all_v` is given twice, as an argument and as a keyword\n");
}

TEST_CASE("E0635 lanes of a signal") {
  CHECK(allreduce("FP32", "[4]", "op=pld.ReduceOp.Sum, core_num=2") ==
        "E0635 `signal` of `pld.tensor.allreduce` needs a constant stride of at least 2, but has `[4]`\n");
  CHECK(allreduce("FP32", "[4, 3]", "op=pld.ReduceOp.Sum, core_num=4") ==
        "E0635 `signal` of `pld.tensor.allreduce` needs a constant stride of at least 4, but has `[4, 3]`\n");
  CHECK(allreduce("FP32", "[4, 6]", "op=pld.ReduceOp.Sum, core_num=4") == "");
}

TEST_CASE("E0636 cores") {
  CHECK(allreduce("FP32", "[7, 4]", "op=pld.ReduceOp.Sum, mode=\"ring\", core_num=2") ==
        "E0636 `core_num` of `pld.tensor.allreduce` with mode `ring` is in the range from 1 to 1, but here 2\n");
  CHECK(allreduce("FP32", "[4]", "op=pld.ReduceOp.Sum, core_num=0") ==
        "E0636 `core_num` of `pld.tensor.allreduce` is in the range from 1 to 2147483647, but here 0\n");
}

TEST_CASE("E0637 one expression twice") {
  CHECK(rule(window("x", "[4, 8]", "FP32") + ", " + window("s", "[4]", "INT32"), "all_to_all(x, x, s)") ==
        "E0637 `pld.tensor.all_to_all` gets `x` twice, as `input` and as `target`\n");
}

TEST_CASE("E0637 every pair of operands of every collective") {
  struct Case {
    std::string_view op, keywords, shape;
    std::vector<std::string_view> operands;
  };
  const std::vector<Case> cases = {
      {"allreduce", ", op=pld.ReduceOp.Sum", "[4]", {"target", "signal"}},
      {"allreduce", ", op=pld.ReduceOp.Sum, mode=\"ring\"", "[1, 1]", {"target", "signal"}},
      {"broadcast", ", root=0", "[4]", {"target", "signal"}},
      {"reduce_scatter", ", op=pld.ReduceOp.Sum", "[4, 4]", {"target", "signal"}},
      {"allgather", "", "[1, 1]", {"input", "target", "signal"}},
      {"all_to_all", "", "[4, 4]", {"input", "target", "signal"}},
      {"all_to_all_v", "", "[4, 1]", {"input", "target", "signal", "send_counts", "recv_counts"}},
      {"indexed_all_to_all_v",
       ", core_num=1",
       "[4, 1]",
       {"input", "target", "signal", "send_counts", "recv_counts", "index"}},
  };
  for (const Case& one : cases) {
    for (size_t i = 0; i < one.operands.size(); ++i) {
      for (size_t j = i + 1; j < one.operands.size(); ++j) {
        std::string parameters;
        std::string call = std::string(one.op) + "(";
        for (size_t k = 0; k < one.operands.size(); ++k) {
          parameters += (k > 0 ? ", " : "") + window("a" + std::to_string(k), one.shape, "INT32");
          call += (k > 0 ? ", a" : "a") + std::to_string(k == j ? i : k);
        }
        INFO(call);
        CHECK(rule(parameters, call + std::string(one.keywords) + ")") ==
              fmt::format("E0637 `pld.tensor.{}` gets `a{}` twice, as `{}` and as `{}`\n", one.op, i, one.operands[i],
                          one.operands[j]));
      }
    }
  }
}

TEST_CASE("E0638 input and target agree") {
  CHECK(rule(window("i", "[4, 8]", "FP32") + ", " + window("x", "[4, 9]", "FP32") + ", " + window("s", "[4]", "INT32"),
             "all_to_all(i, x, s)") ==
        "E0638 row length of `pld.tensor.all_to_all` is 8 in `input`, but 9 in `target`\n");
  CHECK(rule(window("i", "[4, 8]", "FP16") + ", " + window("x", "[4, 8]", "FP32") + ", " + window("s", "[4]", "INT32"),
             "all_to_all(i, x, s)") ==
        "E0638 element type of `pld.tensor.all_to_all` is FP16 in `input`, but FP32 in `target`\n");
}

TEST_CASE("E0640 nothing to do") {
  CHECK(rule(window("x", "[0]", "FP32") + ", " + window("s", "[4]", "INT32"), "broadcast(x, s, root=0)") ==
        "E0640 `target` of `pld.tensor.broadcast` has no elements: `[0]`\n");
}

TEST_CASE("E0641 a negative root") {
  CHECK(rule(window("x", "[8]", "FP32") + ", " + window("s", "[4]", "INT32"), "broadcast(x, s, root=-1)") ==
        "E0641 `root` of `pld.tensor.broadcast` is -1, but ranks count from 0\n");
}

TEST_CASE("operand count") {
  CHECK(rule(window("x", "[8]", "FP32"), "broadcast(x, root=0)") ==
        "E0334 operator `pld.tensor.broadcast` takes 2 arguments, found 1\n");
}

TEST_CASE("E0643 a builtin needs its device and directions; E0340 in a fresh program it is refused") {
  ir::Context ir;
  diag::Engine diags;
  std::string source = program_text(
      "\n@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
      "def host(s: pld.DistributedTensor[[4], pl.INT32]):\n    pl.builtin.tensor.barrier(s, device=0)\n");
  const ir::Program* lacking = text::parse_program(ir, source, "test.py", diags);
  REQUIRE(lacking != nullptr);
  CHECK(!ir::verify(lacking, diags, {.allow_builtin = true}));
  REQUIRE(diags.sorted().size() == 1);
  CHECK(std::string(diags.sorted()[0].code->id) == "E0643");
  CHECK(diags.sorted()[0].message == "`builtin.tensor.barrier` has no attribute `arg_directions`");

  diag::Engine fresh;
  source.insert(source.find("device=0") + 8, ", attrs={\"arg_directions\": [pl.adir.inout]}");
  const ir::Program* program = text::parse_program(ir, source, "test.py", fresh);
  REQUIRE(program != nullptr);
  CHECK(ir::verify(program, fresh, {.allow_builtin = true}));
  CHECK(!ir::verify(program, fresh, {.allow_builtin = false}));
  CHECK(std::string(fresh.sorted()[0].code->id) == "E0340");
}

}  // namespace
}  // namespace pyptoc::passes
