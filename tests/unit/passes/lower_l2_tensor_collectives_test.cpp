// SPDX-License-Identifier: Apache-2.0
// LowerL2TensorCollectives: what a collective becomes, and what is refused. Widths: collective_launch_test.cpp.
#include "passes/lower_l2_tensor_collectives.h"

#include <fmt/format.h>

#include "chip_fixture.h"
#include "ir/collectives.h"

namespace pyptoc::passes {
namespace {

using namespace ir;
using testing::ChipRun;
using testing::count_of;
using testing::faults;
using testing::kernel_calls;

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

TEST_CASE("a collective in a return, and one as an operand of another") {
  testing::PassRun run(
      testing::chip_words(
          "@pl.function(type=pl.FunctionType.Orchestration)\ndef pipeline(stage: ROWS, data: "
          "pl.InOut[WROWS], signal: pl.InOut[CELLS], counts: COUNTS, recv: pl.InOut[WCOUNTS]) -> WROWS:\n"
          "    return pld.tensor.allreduce(pld.tensor.all_to_all_v(stage, data, signal, counts, recv), "
          "signal, op=pld.ReduceOp.Sum)\n"),
      {convert_to_ssa, flatten_call_expr, lower_l2_tensor_collectives});
  CHECK(run.messages() == "");
  std::string names;
  for (const Call* call : kernel_calls(run.after())) names += std::string(call->op->name) + " ";
  CHECK(names == "__builtin_all_to_all_v__fp32 __builtin_allreduce__sum__fp32 ");
  Findings left;
  check_ChipCollectivesLowered(run.after(), left);
  CHECK(left.empty());
}

TEST_CASE("exchanges of three element types have three kernels") {
  std::string body;
  std::string params = "signal: pl.InOut[CELLS], counts: COUNTS, recv: pl.InOut[WCOUNTS]";
  for (std::string_view dtype : {"FP32", "INT8", "BF16"}) {
    const std::string x = fmt::format("x{}", dtype);
    params += fmt::format(", {0}: pl.Tensor[[64, 32], pl.{1}], y{0}: pl.InOut[pld.DistributedTensor[[64, 32], pl.{1}]]",
                          x, dtype);
    body += fmt::format("    y{0} = pld.tensor.all_to_all_v({0}, y{0}, signal, counts, recv)\n", x);
  }
  ChipRun run(body + body, params);
  CHECK(faults(run) == "");
  std::string names;
  for (const Function* f : run.after()->functions)
    if (f->name.starts_with("__builtin_")) names += std::string(f->name) + " ";
  CHECK(names == "__builtin_all_to_all_v__bfloat16 __builtin_all_to_all_v__fp32 __builtin_all_to_all_v__int8 ");
  CHECK(kernel_calls(run.after()).size() == 6);
}

TEST_CASE("a collective that is left in an orchestration is found behind the pass") {
  ChipRun run(std::string(kExchange), testing::kChipParams,
              "@pl.function(type=pl.FunctionType.InCore)\ndef inside(data: pl.InOut[WROWS], signal: pl.InOut[CELLS]) "
              "-> WROWS:\n    data = pld.tensor.allreduce(data, signal, op=pld.ReduceOp.Sum)\n    return data\n\n"
              "@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\ndef host(data: pl.InOut[WROWS], signal: "
              "pl.InOut[CELLS]):\n    data = pld.tensor.allreduce(data, signal, op=pld.ReduceOp.Sum)\n\n");
  Findings before;
  check_ChipCollectivesLowered(run.before(), before);
  REQUIRE(before.size() == 1);  // neither the kernel's nor the host's
  CHECK(before[0].find("pipeline") != std::string::npos);
  CHECK(before[0].find("pld.tensor.all_to_all_v") != std::string::npos);
  Findings after;
  check_ChipCollectivesLowered(run.after(), after);
  CHECK(after.empty());
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
