// SPDX-License-Identifier: Apache-2.0
// LowerL2TensorCollectives: what a collective becomes, how wide it is launched, and what is refused.
#include "passes/lower_l2_tensor_collectives.h"

#include <fmt/format.h>

#include "chip_fixture.h"
#include "ir/collectives.h"
#include "ir/verifier.h"
#include "passes/call_graph.h"
#include "passes/property_checks.h"

namespace pyptoc::passes {
namespace {

using namespace ir;
using testing::ChipRun;

// All calls of synthesized kernels in a function, in order.
std::vector<const Call*> kernel_calls(const Program* program, std::string_view function = "pipeline") {
  std::vector<const Call*> out;
  for (const Expr* call : function_calls(program->find(function)))
    if (called_function(call)->name.starts_with("__builtin_")) out.push_back(as<Call>(call));
  return out;
}

size_t count_of(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

std::string faults(ChipRun& run) {
  std::string out = run.messages();
  diag::Engine engine;
  verify(run.after(), engine);
  for (const diag::Diagnostic& d : engine.sorted()) out += d.message + "\n";
  Findings findings;
  check_ChipCollectivesLowered(run.after(), findings);
  check_NoNestedCalls(run.after(), findings);
  check_SSAForm(run.after(), findings);
  for (const std::string& finding : findings) out += finding + "\n";
  return out;
}

constexpr std::string_view kExchange =
    "    data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv, core_num=8)\n";

TEST_CASE("an exchange becomes a call of one synthesized kernel") {
  ChipRun run(std::string(kExchange) + "    out = consume_step(data, recv, out)\n");
  CHECK(faults(run) == "");
  std::vector<const Call*> calls = kernel_calls(run.after());
  REQUIRE(calls.size() == 1);
  CHECK(calls[0]->op->name == "__builtin_all_to_all_v__fp32");
  CHECK(calls[0]->args.size() == 5);
  CHECK(calls[0]->kwargs.empty());
  const Function* kernel = run.after()->find("__builtin_all_to_all_v__fp32");
  REQUIRE(kernel != nullptr);
  CHECK(kernel->func_type == FunctionType::Aiv);
  std::string params;
  for (size_t i = 0; i < kernel->params.size(); ++i)
    params += fmt::format("{}: {} {} {}, ", kernel->params[i]->name_hint, name_of(kernel->params[i]->type->kind),
                          name_of(as_tensor(kernel->params[i]->type)->dtype), name_of(kernel->param_directions[i]));
  CHECK(
      params ==
      "input: TensorType FP32 In, target: DistributedTensorType FP32 InOut, signal: DistributedTensorType INT32 InOut, "
      "send_counts: TensorType INT32 In, recv_counts: DistributedTensorType INT32 InOut, ");
  CHECK(find_attr(kernel->attrs, "builtin_template_dir")->as_string() ==
        ":pypto.runtime.builtins.collectives.all_to_all_v");
  CHECK(find_attr(kernel->attrs, "builtin_template_vars")->as_string() == "dtype_cpp=float");
  CHECK(bool_attr(kernel->attrs, "require_contiguous_operands", false));
  const ReturnStmt* body = as<ReturnStmt>(kernel->body);
  REQUIRE(body != nullptr);
  CHECK(body->value[0] == kernel->params[1]);
}

TEST_CASE("the lowered program can be written and read again, and stays as it is") {
  ChipRun run(std::string(kExchange) + "    out = consume_step(data, recv, out)\n");
  diag::Engine diags;
  const Program* again = text::parse_program(run.ir(), run.text(), "again.py", diags);
  for (const diag::Diagnostic& d : diags.sorted()) CHECK(d.message == "");
  REQUIRE(again != nullptr);
  std::optional<Difference> found = first_difference(run.after(), again);
  CHECK((found ? found->path + ": " + found->text : "") == "");
  Options options;
  PassContext context{run.ir(), run.diags(), options};
  CHECK(lower_l2_tensor_collectives(run.after(), context) == run.after());
}

TEST_CASE("one kernel for each variant, shared by all calls and functions") {
  constexpr std::string_view kSecond =
      "@pl.function(type=pl.FunctionType.Orchestration)\n"
      "def second(stage: ROWS, data: pl.InOut[WROWS], signal: pl.InOut[CELLS], counts: COUNTS, recv: "
      "pl.InOut[WCOUNTS]):\n"
      "    data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv)\n\n";
  ChipRun run(std::string(kExchange) + std::string(kExchange), testing::kChipParams, kSecond);
  CHECK(faults(run) == "");
  size_t synthesized = 0;
  for (const Function* f : run.after()->functions) synthesized += f->name.starts_with("__builtin_") ? 1U : 0U;
  CHECK(synthesized == 1);
  CHECK(kernel_calls(run.after()).size() == 2);
  CHECK(kernel_calls(run.after(), "second").size() == 1);
}

TEST_CASE("statement, branch, loop and while hold collectives as well") {
  ChipRun run(std::string("    pld.tensor.all_to_all_v(stage, data, signal, counts, recv)\n") + "    if n > 0:\n    " +
              std::string(kExchange) + "    for i in pl.range(n):\n    " + std::string(kExchange) +
              "    while n > 3:\n    " + std::string(kExchange));
  CHECK(faults(run) == "");
  CHECK(kernel_calls(run.after()).size() == 4);
}

// --- The seven collectives

struct Variant {
  std::string call;
  std::string_view kernel;
  std::string_view values;
  size_t params;
};

TEST_CASE("every collective of the table has its kernel") {
  const std::vector<Variant> variants = {
      {"data = pld.tensor.allreduce(data, signal, op=pld.ReduceOp.Sum)", "allreduce__sum__fp32",
       "dtype_cpp=float,reduce_op=Sum", 2},
      {"data = pld.tensor.allreduce(data, signal, op=pld.ReduceOp.Max, core_num=8)", "allreduce__max__fp32",
       "dtype_cpp=float,reduce_op=Max", 2},
      {"data = pld.tensor.allreduce(data, ring, op=pld.ReduceOp.Sum, mode=\"ring\")", "allreduce_ring__sum__fp32",
       "dtype_cpp=float,reduce_op=Sum", 2},
      {"signal = pld.tensor.barrier(signal)", "barrier__fp32", "", 1},
      {"data = pld.tensor.broadcast(data, signal, root=3)", "broadcast__root3__fp32", "dtype_cpp=float,root=3", 2},
      {"rows = pld.tensor.reduce_scatter(rows, signal, op=pld.ReduceOp.Prod)", "reduce_scatter__prod__fp32",
       "dtype_cpp=float,reduce_op=Prod", 2},
      {"rows = pld.tensor.allgather(row, rows, signal)", "allgather__fp32", "dtype_cpp=float", 3},
      {"rows = pld.tensor.all_to_all(mine, rows, signal)", "all_to_all__fp32", "dtype_cpp=float", 3},
      {"data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv)", "all_to_all_v__fp32", "dtype_cpp=float", 5},
  };
  const std::string params = std::string(testing::kChipParams) +
                             ", ring: pl.InOut[pld.DistributedTensor[[7, 4], pl.INT32]], "
                             "rows: pl.InOut[pld.DistributedTensor[[4, 32], pl.FP32]], "
                             "row: pl.Tensor[[1, 32], pl.FP32], mine: pl.Tensor[[4, 32], pl.FP32]";
  for (const Variant& v : variants) {
    ChipRun run("    " + v.call + "\n", params);
    INFO(v.call);
    CHECK(faults(run) == "");
    std::vector<const Call*> calls = kernel_calls(run.after());
    REQUIRE(calls.size() == 1);
    CHECK(calls[0]->op->name == fmt::format("__builtin_{}", v.kernel));
    const Function* kernel = run.after()->find(calls[0]->op->name);
    CHECK(kernel->params.size() == v.params);
    CHECK(find_attr(kernel->attrs, "builtin_template_vars")->as_string() == v.values);
    CHECK(count_of(run.text(), "system.require_contiguous(") == v.params);
  }
}

TEST_CASE("an INT8 payload is a variant of its own, counts and signals stay INT32") {
  ChipRun run("    data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv)\n",
              "stage: pl.Tensor[[64, 32], pl.INT8], data: pl.InOut[pld.DistributedTensor[[64, 32], pl.INT8]], "
              "signal: pl.InOut[CELLS], counts: COUNTS, recv: pl.InOut[WCOUNTS]");
  CHECK(faults(run) == "");
  const Function* kernel = run.after()->find("__builtin_all_to_all_v__int8");
  REQUIRE(kernel != nullptr);
  CHECK(find_attr(kernel->attrs, "builtin_template_vars")->as_string() == "dtype_cpp=int8_t");
  CHECK(as_tensor(kernel->params[0]->type)->dtype == DType::Int8);
  CHECK(as_tensor(kernel->params[2]->type)->dtype == DType::Int32);
}

TEST_CASE("a window serves as input and as counts") {
  ChipRun run("    data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv)\n",
              "stage: pl.InOut[WROWS], data: pl.InOut[WROWS], signal: pl.InOut[CELLS], counts: pl.InOut[WCOUNTS], "
              "recv: pl.InOut[WCOUNTS]");
  CHECK(faults(run) == "");
  CHECK(run.after()->find("__builtin_all_to_all_v__fp32")->params[0]->type->kind == TypeKind::TensorType);
}

// --- Launch width

// `7 sync`, or `1` for a call without a width; the first message for one that is refused.
std::string width_of(int64_t ranks, int64_t cells, int64_t width, bool operand = false, int64_t cores = 1000) {
  Options options;
  options.target.aiv_cores = static_cast<int>(cores);
  std::string call = fmt::format("    data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv, {}{})\n",
                                 operand ? "" : "core_num=", width);
  std::string params = fmt::format(
      "stage: pl.Tensor[[{0}, 8], pl.FP32], data: pl.InOut[pld.DistributedTensor[[{0}, 8], pl.FP32]], "
      "signal: pl.InOut[pld.DistributedTensor[[{1}, {2}], pl.INT32]], counts: pl.Tensor[[{1}, 1], pl.INT32], "
      "recv: pl.InOut[pld.DistributedTensor[[{1}, 1], pl.INT32]]",
      ranks * 2, ranks, cells);
  ChipRun run(call, params, "", options);
  if (!run.errors().empty()) return run.errors();
  const Call* kernel = kernel_calls(run.after()).at(0);
  const AttrValue* blocks = find_attr(kernel->attrs, "core_num");
  if (blocks == nullptr) return bool_attr(kernel->attrs, "sync_start", false) ? "1 sync" : "1";
  return fmt::format("{}{}", *const_int(blocks->as_expr()),
                     bool_attr(kernel->attrs, "sync_start", false) ? " sync" : "");
}

TEST_CASE("launch width: the examples of the specification, in both forms of core_num") {
  struct Example {
    int64_t ranks, width, blocks;
  };
  for (const Example& e : std::vector<Example>{{8, 7, 7},
                                               {8, 8, 8},
                                               {8, 10, 8},
                                               {8, 15, 8},
                                               {8, 16, 16},
                                               {16, 15, 15},
                                               {16, 16, 16},
                                               {4, 2, 2},
                                               {4, 10, 8},
                                               {4, 16, 16},
                                               {2, 5, 4},
                                               {2, 6, 6},
                                               {2, 51, 50},
                                               {1, 1, 1},
                                               {1, 7, 7}}) {
    std::string due = e.blocks == 1 ? "1" : fmt::format("{} sync", e.blocks);
    INFO(e.ranks << " ranks, core_num " << e.width);
    CHECK(width_of(e.ranks, e.blocks, e.width) == due);  // S = B is enough, whatever L is
    CHECK(width_of(e.ranks, e.blocks, e.width, true) == due);
  }
}

TEST_CASE("launch width: the folded number of blocks for every P up to 64 and L up to 130") {
  for (int64_t ranks = 1; ranks <= 64; ++ranks) {
    for (int64_t width = 1; width <= 130; ++width) {
      const int64_t due = width < ranks ? width : (width / ranks) * ranks;
      CHECK(all_to_all_v_blocks(ranks, width) == due);
      // The same in the form that is emitted for a width known at run time only.
      CHECK(std::max(std::min(width, ranks - 1), width / ranks * ranks) == due);
    }
  }
}

TEST_CASE("launch width: refused where the signal or the device is too small") {
  CHECK(width_of(8, 7, 8) ==
        "E0652: the signal `signal` of `pld.tensor.all_to_all_v` has 7 cells for each rank, 8 blocks need as many\n");
  CHECK(width_of(8, 8, 10) == "8 sync");
  CHECK(
      width_of(8, 16, 16, false, 15) ==
      "E0653: `pld.tensor.all_to_all_v` launches 16 blocks that wait for each other, target `a2a3` has 15 AIV cores\n");
  CHECK(width_of(8, 16, 16, false, 16) == "16 sync");
  for (bool operand : {false, true}) {
    CHECK(width_of(8, 8, 0, operand) ==
          "E0651: `core_num` of `pld.tensor.all_to_all_v` must lie in 1 to 2147483647, it is 0\n");
    CHECK(width_of(8, 8, 2147483648, operand) ==
          "E0651: `core_num` of `pld.tensor.all_to_all_v` must lie in 1 to 2147483647, it is 2147483648\n");
  }
  CHECK(width_of(8, 8, 2147483647).starts_with("E0652"));
  CHECK(width_of(65, 1, 1) ==
        "E0654: the signal `signal` of `pld.tensor.all_to_all_v` must have a constant number of rows from 1 to 64, one "
        "for "
        "each rank\n");
}

TEST_CASE("launch width: mesh allreduce launches exactly what is asked for, ring one block") {
  auto blocks = [](std::string_view keywords, std::string_view signal) {
    ChipRun run(fmt::format("    data = pld.tensor.allreduce(data, s, op=pld.ReduceOp.Sum{})\n", keywords),
                fmt::format("data: pl.InOut[WROWS], s: pl.InOut[pld.DistributedTensor[{}, pl.INT32]]", signal));
    if (!run.errors().empty()) return run.errors();
    const AttrValue* width = find_attr(kernel_calls(run.after()).at(0)->attrs, "core_num");
    return std::to_string(width != nullptr ? *const_int(width->as_expr()) : 1);
  };
  CHECK(blocks("", "[4]") == "1");
  CHECK(blocks(", core_num=3", "[4, 3]") == "3");
  CHECK(
      blocks(", core_num=3", "[4, 2]") ==
      "E0652: the signal `signal` (`s`) of `pld.tensor.allreduce` has 2 cells for each rank, 3 blocks need as many\n");
  CHECK(
      blocks(", core_num=2", "[4]") ==
      "E0652: the signal `signal` (`s`) of `pld.tensor.allreduce` has 1 cells for each rank, 2 blocks need as many\n");
  CHECK(blocks(", core_num=49", "[4, 64]").starts_with("E0653"));
  CHECK(blocks(", mode=\"ring\"", "[7, 4]") == "1");
  CHECK(blocks(", mode=\"ring\", core_num=2", "[7, 4]") ==
        "E0651: `core_num` of `pld.tensor.allreduce` must lie in 1 to 1, it is 2\n");
}

TEST_CASE("a width known at run time only is computed and checked in front of the launch") {
  ChipRun run("    data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv, n)\n");
  CHECK(faults(run) == "");
  std::string text = run.text();
  INFO(text);
  CHECK(count_of(text, "system.require(") == 3);
  CHECK(text.find("max(min(n, 3), n // 4 * 4)") != std::string::npos);
  CHECK(text.find("{} blocks wait for each other, the device has 48 AIV cores") != std::string::npos);
  CHECK(text.find("operand signal ('signal') has {} cells for each rank, {} blocks need as many") != std::string::npos);
  const AttrValue* width = find_attr(kernel_calls(run.after()).at(0)->attrs, "core_num");
  REQUIRE(width != nullptr);
  CHECK(as<Var>(width->as_expr())->name_hint == "blocks");
}

// --- Checks in front of the launch

TEST_CASE("one check of contiguity for each tensor and path") {
  auto checks = [](const std::string& body) {
    ChipRun run(body);
    CHECK(faults(run) == "");
    return count_of(run.text(), "system.require_contiguous(");
  };
  CHECK(checks(std::string(kExchange)) == 5);
  CHECK(checks(std::string(kExchange) + std::string(kExchange)) == 5);
  CHECK(checks("    stage = fill(stage)\n" + std::string(kExchange) + "    stage = fill(stage)\n" +
               std::string(kExchange)) == 5);
  const std::string in_branch = "    if n > 0:\n    " + std::string(kExchange);
  CHECK(checks(in_branch + std::string(kExchange)) == 10);                      // the branch may not run
  CHECK(checks(std::string(kExchange) + in_branch) == 5);                       // what holds before holds inside
  CHECK(checks(in_branch + "    else:\n    " + std::string(kExchange)) == 10);  // two paths
  CHECK(checks("    for i in pl.range(n):\n    " + std::string(kExchange) + std::string(kExchange)) == 10);
  // Two tensors that change places: the carry is neither for sure.
  CHECK(checks("    x = inp\n    y = out\n    data = pld.tensor.all_to_all_v(x, data, signal, counts, recv)\n"
               "    for i in pl.range(n):\n        data = pld.tensor.all_to_all_v(x, data, signal, counts, recv)\n"
               "        z = x\n        x = y\n        y = z\n") == 6);
}

// --- What is refused

TEST_CASE("a user's function with the name of a kernel") {
  ChipRun run(kExchange, testing::kChipParams,
              "@pl.function(type=pl.FunctionType.AIV)\ndef __builtin_all_to_all_v__fp32(x: pl.InOut[ROWS]) -> ROWS:\n"
              "    return x\n\n");
  CHECK(run.errors() ==
        "E0650: `__builtin_all_to_all_v__fp32` has the name of the kernel that `pld.tensor.all_to_all_v` becomes\n");
}

// --- The indexed exchange

// With `width` on `target`; recv_counts and index are plain tensors, send_counts is a window.
ChipRun indexed(std::string_view width, std::string_view target = "a5", int cores = 72) {
  Options options;
  options.target = *find_target(target);
  options.target.aiv_cores = cores;
  return ChipRun(
      fmt::format("    data = pld.tensor.indexed_all_to_all_v(rows, data, signal, w, got, idx, core_num={})\n", width),
      std::string(testing::kChipParams) +
          ", w: pl.InOut[WCOUNTS], got: pl.InOut[COUNTS], idx: pl.Tensor[[64], pl.INT32], rows: pl.Tensor[[90, 32], "
          "pl.FP32]",
      "", options);
}

TEST_CASE("the indexed exchange has a kernel of six tensors for a5, of exactly the width asked for") {
  ChipRun run = indexed("7");
  CHECK(faults(run) == "");
  std::vector<const Call*> calls = kernel_calls(run.after());
  REQUIRE(calls.size() == 1);
  CHECK(calls[0]->op->name == "__builtin_indexed_all_to_all_v__fp32");
  CHECK(*const_int(find_attr(calls[0]->attrs, "core_num")->as_expr()) == 7);
  CHECK(bool_attr(calls[0]->attrs, "sync_start", false));
  const Function* kernel = run.after()->find("__builtin_indexed_all_to_all_v__fp32");
  std::string params;
  for (size_t i = 0; i < kernel->params.size(); ++i)
    params += fmt::format("{}: {} {}, ", kernel->params[i]->name_hint,
                          is_distributed(kernel->params[i]->type) ? "window" : "tensor",
                          name_of(kernel->param_directions[i]));
  CHECK(params ==
        "input: tensor In, target: window InOut, signal: window InOut, send_counts: window In, recv_counts: tensor "
        "InOut, index: tensor In, ");
  CHECK(count_of(run.text(), "system.require_contiguous(") == 6);
}

TEST_CASE("what the indexed exchange refuses") {
  CHECK(indexed("4", "a2a3").errors() ==
        "E0657: `pld.tensor.indexed_all_to_all_v` needs target `a5`, this is `a2a3`\n");
  CHECK(indexed("9").errors() ==
        "E0652: the signal `signal` of `pld.tensor.indexed_all_to_all_v` has 8 cells for each rank, 9 blocks need as "
        "many\n");
  CHECK(indexed("7", "a5", 6).errors() ==
        "E0653: `pld.tensor.indexed_all_to_all_v` launches 7 blocks that wait for each other, target `a5` has 6 AIV "
        "cores\n");
  CHECK(indexed("0").errors() ==
        "E0651: `core_num` of `pld.tensor.indexed_all_to_all_v` must lie in 1 to 2147483647, it is 0\n");
}

TEST_CASE("two operands are parts of one tensor that the function made") {
  // counts and rows of one INT32 tensor, through views, kernels and a loop
  const auto exchange = [](std::string_view before, std::string_view input, std::string_view counts) {
    return ChipRun(
               fmt::format("{}    d = pld.tensor.all_to_all_v({}, d, signal, {}, recv)\n", before, input, counts),
               "d: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]], signal: pl.InOut[CELLS], counts: COUNTS, recv: "
               "pl.InOut[WCOUNTS], n: pl.Scalar[pl.INDEX]",
               "@pl.function(type=pl.FunctionType.AIV)\ndef put(c: pl.InOut[COUNTS]) -> COUNTS:\n    return c\n\n")
        .errors();
  };
  constexpr std::string_view kOwn = "    x = pl.tensor.create([4, 1], dtype=pl.INT32)\n";
  const auto alias = [](std::string_view first, std::string_view second) {
    return fmt::format(
        "E0660: `pld.tensor.all_to_all_v` operands `input` (`{}`) and `send_counts` (`{}`) are parts of "
        "one tensor\n",
        first, second);
  };
  const std::string own(kOwn);
  CHECK(exchange(own + "    x = put(x)\n", "x", "counts") == "");
  CHECK(exchange(own + "    y = pl.tensor.create([4, 1], dtype=pl.INT32)\n    x = put(x)\n    y = put(y)\n", "x",
                 "y") == "");
  CHECK(exchange(own + "    f = pl.tensor.reshape(x, [4])\n    y = pl.tensor.reshape(f, [4, 1])\n", "x", "y") ==
        alias("x", "y"));
  CHECK(exchange(own + "    y = put(x)\n", "y", "x") == alias("y", "x"));
  CHECK(exchange("    big = pl.tensor.create([8, 1], dtype=pl.INT32)\n    x = pl.tensor.slice(big, [4, 1], [0, 0])\n"
                 "    y = pl.tensor.slice(big, [4, 1], [4, 0])\n",
                 "x", "y") == alias("x", "y"));
  CHECK(exchange(own + "    y = put(x)\n    for i in pl.range(n):\n        y = put(y)\n", "x", "y") == alias("x", "y"));
}

TEST_CASE("an allreduce without a signal, an element type without a kernel") {
  CHECK(ChipRun("    data = pld.tensor.allreduce(data, op=pld.ReduceOp.Sum)\n").errors() ==
        "E0656: `pld.tensor.allreduce` in a chip function needs a signal operand\n");
  CHECK(ChipRun("    d = pld.tensor.allreduce(d, signal, op=pld.ReduceOp.Sum)\n",
                "d: pl.InOut[pld.DistributedTensor[[64], pl.INT8]], signal: pl.InOut[CELLS]")
            .errors() == "E0659: `pld.tensor.allreduce` has no kernel for INT8 with these keywords\n");
}

TEST_CASE("all faults are told, and the program stays as it was where they are") {
  ChipRun run(
      "    data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv, core_num=0)\n"
      "    data = pld.tensor.allreduce(data, op=pld.ReduceOp.Sum)\n");
  CHECK(count_of(run.errors(), "\n") == 2);
}

TEST_CASE("kernels and host functions keep their collectives") {
  ChipRun run("    out = consume_step(data, recv, out)\n", testing::kChipParams,
              "@pl.function(type=pl.FunctionType.InCore)\ndef inside(data: pl.InOut[WROWS], signal: pl.InOut[CELLS]) "
              "-> WROWS:\n"
              "    data = pld.tensor.allreduce(data, signal, op=pld.ReduceOp.Sum)\n    return data\n\n"
              "@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
              "def host(data: pl.InOut[WROWS], signal: pl.InOut[CELLS]):\n"
              "    data = pld.tensor.allreduce(data, signal, op=pld.ReduceOp.Sum)\n\n");
  CHECK(run.messages() == "");
  CHECK(run.after()->find("__builtin_allreduce__sum__fp32") == nullptr);
}

}  // namespace
}  // namespace pyptoc::passes
