// SPDX-License-Identifier: Apache-2.0
// How wide a collective of a chip function is launched, and which widths are refused.
#include "passes/collective_launch.h"

#include <fmt/format.h>

#include "chip_fixture.h"
#include "ir/walker.h"
#include "passes/lower_l2_tensor_collectives.h"

namespace pyptoc::passes {
namespace {

using namespace ir;
using testing::ChipRun;
using testing::count_of;
using testing::faults;
using testing::kernel_calls;

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

// What the specification says, counted out.
int64_t blocks_due(int64_t ranks, int64_t width) {
  if (width < ranks) return width;
  int64_t blocks = 0;
  while (blocks + ranks <= width) blocks += ranks;
  return blocks;
}

TEST_CASE("launch width: every P up to 64 and L up to 130, constant") {
  size_t wrong = 0;
  for (int64_t ranks = 1; ranks <= 64; ++ranks) {
    for (int64_t width = 1; width <= 130; ++width) {
      const int64_t due = blocks_due(ranks, width);
      const std::string found = width_of(ranks, due, width);  // S = B is enough
      if (found == (due == 1 ? "1" : fmt::format("{} sync", due))) continue;
      if (++wrong == 1) UNSCOPED_INFO(ranks << " ranks, core_num " << width << ": " << found);
    }
  }
  CHECK(wrong == 0);
}

// The value of an expression over one variable; what it does not know fails the test.
int64_t value_of(const Expr* e, const std::string& name, int64_t value) {
  if (std::optional<int64_t> number = const_int(e)) return *number;
  if (const Var* var = as<Var>(e)) {
    REQUIRE(var->name_hint == name);
    return value;
  }
  const BinaryExpr* both = as<BinaryExpr>(e);
  REQUIRE(both != nullptr);
  const int64_t left = value_of(both->left, name, value);
  const int64_t right = value_of(both->right, name, value);
  switch (both->kind) {
    case NodeKind::Min:
      return std::min(left, right);
    case NodeKind::Max:
      return std::max(left, right);
    case NodeKind::FloorDiv:
      return left / right;
    case NodeKind::Mul:
      return left * right;
    default:
      FAIL("an operator that the test does not know");
  }
  return 0;
}

// What is assigned to a variable of that name.
class AssignmentOf : public Walker {
 public:
  AssignmentOf(const Function* f, std::string_view name) : name_(name) { walk(f->body); }
  const Expr* value = nullptr;

 protected:
  void visit(const Node* node) override {
    const AssignStmt* assign = as<AssignStmt>(node);
    if (assign != nullptr && assign->var->name_hint == name_) value = assign->value;
    if (is_stmt(node->kind)) children(node);
  }

 private:
  std::string_view name_;
};

TEST_CASE("launch width: every P up to 64 and L up to 130, as computed at run time") {
  size_t wrong = 0;
  for (int64_t ranks = 1; ranks <= 64; ++ranks) {
    ChipRun run(
        "    data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv, n)\n",
        fmt::format("stage: pl.Tensor[[{0}, 8], pl.FP32], data: pl.InOut[pld.DistributedTensor[[{0}, 8], pl.FP32]], "
                    "signal: pl.InOut[pld.DistributedTensor[[{0}, 130], pl.INT32]], counts: pl.Tensor[[{0}, 1], "
                    "pl.INT32], recv: pl.InOut[pld.DistributedTensor[[{0}, 1], pl.INT32]], n: pl.Scalar[pl.INDEX]",
                    ranks));
    REQUIRE(run.errors() == "");
    const Expr* blocks = AssignmentOf(run.after()->find("pipeline"), "blocks").value;
    REQUIRE(blocks != nullptr);
    for (int64_t width = 1; width <= 130; ++width)
      wrong += value_of(blocks, "n", width) == blocks_due(ranks, width) ? 0U : 1U;
  }
  CHECK(wrong == 0);
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

}  // namespace
}  // namespace pyptoc::passes
