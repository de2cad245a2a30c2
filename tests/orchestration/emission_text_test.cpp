// SPDX-License-Identifier: Apache-2.0
// What is emitted for each construct, as far as a run on the stand-in cannot tell it from something else.
#include <catch2/catch.hpp>

#include "orchestration/groups.h"
#include "orchestration/kernels.h"
#include "orchestration/programs.h"

namespace pyptoc::orchestration {
namespace {

std::string emitted(const std::string& text, bool for_a5 = false) {
  Case one{"emitted", text};
  one.for_a5 = for_a5;
  const Lowered lowered(one);
  INFO(lowered.error());
  REQUIRE(lowered.error() == "");
  return lowered.units().at(0).source;
}
std::string refused_with(const std::string& text, bool for_a5 = false) {
  Case one{"refused", text};
  one.for_a5 = for_a5;
  const Lowered lowered(one);
  return lowered.error().empty() ? "" : lowered.error().substr(lowered.error().find('\n') + 1, 5);
}

size_t count(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}
size_t place(const std::string& text, const std::string& what) {
  INFO(what << " in\n" << text);
  REQUIRE(text.find(what) != std::string::npos);
  return text.find(what);
}
#define CHECK_COUNT(source, what, n) \
  do {                               \
    INFO(source);                    \
    CHECK(count(source, what) == n); \
  } while (false)

TEST_CASE("emission: the creates of a list are allocated at its start, at most 16 in one call") {
  std::string body = "    x = change(x)\n";
  for (int i = 0; i < 17; ++i) body += "    t" + std::to_string(i) + " = pl.tensor.create([64], dtype=pl.FP32)\n";
  for (int i = 0; i < 17; ++i) body += "    t" + std::to_string(i) + " = use(x, t" + std::to_string(i) + ")\n";
  const std::string source = emitted(body);
  CHECK_COUNT(source, "alloc_tensors(", 2);
  const size_t first = place(source, "alloc_tensors(");
  const std::string call = source.substr(first, source.find(')', first) - first);
  CHECK(count(call, ",") == 15);
  CHECK(source.rfind("alloc_tensors(") < place(source, "rt_submit_"));
}

TEST_CASE("emission: a create whose shape needs a value of its list stands there, those of a manual scope before it") {
  const std::string in_place = emitted(
      "    k = pl.tensor.read(flag, [1])\n    t = pl.tensor.create([pl.cast(k, pl.INDEX) * 64], dtype=pl.FP32)\n"
      "    u = pl.tensor.create([64], dtype=pl.FP32)\n    u = use(x, u)\n    p = pl.tensor.slice(t, [64], [0])\n"
      "    p = use(u, p)\n");
  CHECK_COUNT(in_place, "alloc_tensors(", 2);
  CHECK(place(in_place, "alloc_tensors(u_info)") < place(in_place, "get_tensor_data<int32_t>(flag, 1, "));
  CHECK(place(in_place, "get_tensor_data<int32_t>(flag, 1, ") < place(in_place, "alloc_tensors(t_info)"));
  const std::string manual = emitted(
      "    with pl.manual_scope():\n        t = pl.tensor.create([64], dtype=pl.FP32)\n"
      "        t, a = pl.submit(use, x, t)\n        y, b = pl.submit(join, t, y, deps=[a])\n");
  CHECK(place(manual, "alloc_tensors(t_info)") < place(manual, "PTO2_SCOPE(PTO2ScopeMode::MANUAL)"));
}

// Taking an element of what a failed allocation or submit returns ends the process.
TEST_CASE("emission: what the runtime made is taken behind a look at whether it could") {
  const std::string source = emitted(
      "    t = pl.tensor.create([64], dtype=pl.FP32)\n    a, i = pl.submit(use, x)\n"
      "    b, c, j = pl.submit(split, a)\n    t = sum(b, c, t)\n    y = join(t, y)\n");
  std::istringstream lines(source);
  std::string before;
  size_t seen = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool takes = line.find(".get_ref(") != std::string::npos;
    if (takes)
      CHECK((before.find("if (rt_is_fatal()) return;") != std::string::npos ||
             before.find(".get_ref(") != std::string::npos || before.find(".task_id()") != std::string::npos));
    seen += takes ? 1 : 0;
    before = line;
  }
  CHECK(seen == 4);
  CHECK_COUNT(source, "if (rt_is_fatal()) return;", 3);
}

TEST_CASE("emission: a dynamic extent is read once, at entry, from the first parameter that has it") {
  const std::string source = emitted(
      "kernel use_all(x: FMx64, out: Out FMx64) -> out\n"
      "orchestration main(w: F4xM, x: FMx64, y: Out FMx64, n: INT)\n    t = pl.tensor.create([M, 64], dtype=pl.FP32)\n"
      "    for i in pl.range(M):\n        t = use_all(x, t)\n    y = use_all(t, y)\n");
  CHECK_COUNT(source, ".shapes[", 1);
  CHECK(place(source, "const int64_t M = static_cast<int64_t>(orch_args.tensor(0).ref().shapes[1]);") <
        place(source, "PTO2_SCOPE"));
}

TEST_CASE("emission: block counts and sync start by target") {
  const std::string body =
      "    y = use(x, y, attrs={\"core_num\": 8, \"sync_start\": True})\n    x, t = pl.spmd_submit(use, y, x, "
      "core_num=n + 1)\n    z = use(x, z, attrs={\"core_num\": 1})\n";
  const std::string a2a3 = emitted(body);
  CHECK_COUNT(a2a3, ".launch_spec.set_block_num(8);", 1);
  CHECK_COUNT(a2a3, ".launch_spec.set_block_num(static_cast<int16_t>(n + 1));", 1);
  CHECK_COUNT(a2a3, ".set_require_sync_start(true);", 1);
  CHECK_COUNT(a2a3, "set_block_num", 2);
  const std::string a5 = emitted(body, true);
  CHECK_COUNT(a5, ".launch_spec.set_core_num(8);", 1);
  CHECK_COUNT(a5, "set_block_num", 0);
}

const std::string kGroups = std::string(kClusterKernels) + kBoth + kPair + R"(
@pl.function(type=pl.FunctionType.Group, dual_aiv_dispatch=True)
def lanes_too(x: F64, mid: pl.InOut[F64], out: pl.InOut[F64]) -> F64:
    product_first(x, mid, out)
    r = add_last(x, mid, out)
    return r

orchestration main(x: InOut F64, y: InOut F64, z: InOut F64, n: INT)
)";

TEST_CASE("emission: a group is one task of both cores, the cube kernel first") {
  const std::string& groups = kGroups;
  CHECK_COUNT(emitted(groups + "    z = both(x, y, z)\n"), "rt_submit_task(MixedKernels{0, 1, INVALID_KERNEL_ID}, ", 1);
  CHECK_COUNT(emitted(groups + "    z = lanes_too(x, y, z)\n"), "rt_submit_task(MixedKernels{0, 1, 1}, ", 1);
  CHECK_COUNT(emitted(groups + "    z = pair(x, z)\n"), "rt_submit_task(MixedKernels{INVALID_KERNEL_ID, 0, 0}, ", 1);
  CHECK_COUNT(emitted("    y = product(x, y)\n    z = use(y, z)\n"), "rt_submit_aic_task(0, ", 1);
}

// A launch that starts together and is wider than its kind of cores never starts.
TEST_CASE("emission: how wide a launch may start together") {
  auto wide = [](const char* call, int blocks, bool a5) {
    std::string text = kGroups + "    " + call;
    text.insert(text.size() - 1, ", attrs={\"core_num\": " + std::to_string(blocks) + ", \"sync_start\": True}");
    return refused_with(text + "\n", a5);
  };
  const char* const vector = "y = use(x, y)";
  const char* const cube = "y = product(x, y)";
  const char* const mixed = "z = both(x, y, z)";
  CHECK(wide(vector, 48, false) == "");
  CHECK(wide(vector, 49, false) == "E0716");
  CHECK(wide(vector, 72, true) == "");
  CHECK(wide(vector, 73, true) == "E0716");
  for (const char* one : {cube, mixed}) {
    CHECK(wide(one, 24, false) == "");
    CHECK(wide(one, 25, false) == "E0716");
    CHECK(wide(one, 36, true) == "");
    CHECK(wide(one, 37, true) == "E0716");
  }
}

TEST_CASE("emission: each dependency once, guarded where it may be none") {
  const std::string straight = emitted(
      "    a, t = pl.submit(use, x, y)\n    u = t\n    b, v = pl.submit(use, a, z, deps=[t, u, "
      "t])\n");
  CHECK_COUNT(straight, "args1_deps[args1_ndeps++] = outs0_id;", 1);
  CHECK_COUNT(straight, "PTO2TaskId args1_deps[1];", 1);
  CHECK_COUNT(straight, "is_valid", 0);
  CHECK_COUNT(straight, "args1.set_dependencies(args1_deps, args1_ndeps);", 1);
  const std::string carried = emitted(
      "    t = pl.system.task_invalid()\n    for i in pl.range(n):\n        x, t = pl.submit(scale, x, i, deps=[t])\n"
      "    ids = pl.array.create(3, pl.TASK_ID)\n    ids[n % 3] = t\n    y, u = pl.submit(change, y, deps=[ids, t])\n");
  CHECK_COUNT(carried, "if (t_1.is_valid()) args0_deps[args0_ndeps++] = t_1;", 1);
  CHECK_COUNT(carried, "if (ids[slot_1].is_valid()) args1_deps[args1_ndeps++] = ids[slot_1];", 1);
  CHECK_COUNT(carried, "PTO2TaskId args1_deps[4];", 1);
  const std::string none = emitted("    t = pl.system.task_invalid()\n    x, u = pl.submit(change, x, deps=[t])\n");
  CHECK_COUNT(none, "if (t.is_valid()) args0_deps[args0_ndeps++] = t;", 1);
}

TEST_CASE("emission: a predicate either way round, early resolve, dummy tasks") {
  const std::string source = emitted(
      "    a, t = pl.submit(change, x, predicate=(pl.tensor.read(flag, [1]) > 3), allow_early_resolve=True)\n"
      "    b, u = pl.submit(change, y, predicate=(3 > pl.tensor.read(flag, [2])))\n"
      "    f = pl.system.task_dummy(deps=[t, u])\n    z, v = pl.submit(change, z, deps=[f])\n");
  CHECK_COUNT(source, ".op = PredicateOp::GT;", 1);
  CHECK_COUNT(source, ".op = PredicateOp::LT;", 1);
  CHECK_COUNT(source, ".operand.indices[0] = 2;", 1);
  CHECK_COUNT(source, ".set_allow_early_resolve(true);", 1);
  CHECK_COUNT(source, "rt_submit_dummy_task(args2)", 1);
}

TEST_CASE("emission: elements are read and written in their own type, numbers come back bit for bit") {
  const std::string source = emitted(
      "    v = pl.tensor.read(flag, [n])\n    flag = pl.tensor.write(flag, [0], v)\n"
      "    x = pl.tensor.write(x, [1], 0.1)\n    y = blend(x, y, 16777217.0)\n");
  CHECK_COUNT(source, "get_tensor_data<int32_t>(flag, 1, ", 1);
  CHECK_COUNT(source, "set_tensor_data<int32_t>(flag, 1, ", 1);
  CHECK_COUNT(source, "set_tensor_data<float>(x, 1, ", 1);
  CHECK_COUNT(source, "0.1f", 1);
}

}  // namespace
}  // namespace pyptoc::orchestration
