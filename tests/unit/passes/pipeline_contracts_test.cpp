// SPDX-License-Identifier: Apache-2.0
// The pipeline's table on a few programs in which every pass has something to do: each property that a pass ensures is
// broken before it and holds behind it to the end, and a pass that promises it changes nothing when it runs again.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "chip_fixture.h"
#include "contents_check.h"
#include "host_fixture.h"
#include "ir/verifier.h"
#include "passes/pipeline.h"
#include "passes/verify.h"
#include "provenance_fixture.h"

namespace pyptoc::passes {
namespace {

using namespace ir;

constexpr std::string_view kTasks = R"(
V = pl.dynamic("V")

@pl.function(type=pl.FunctionType.AIV)
def join(a: TENSOR, b: pl.InOut[TENSOR]) -> TENSOR:
    return b

@pl.function(type=pl.FunctionType.AIV)
def use(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    return out

@pl.function(type=pl.FunctionType.AIV)
def change(x: pl.InOut[TENSOR]) -> TENSOR:
    return x

@pl.function(type=pl.FunctionType.AIV)
def partly(x: pl.Tensor[[64], pl.FP32, pl.TensorView(valid_shape=[V])], out: pl.Out[TENSOR]) -> TENSOR:
    return out

@pl.function(type=pl.FunctionType.InCore)
def rename(x: TENSOR, first: pl.Out[TENSOR], second: pl.Out[TENSOR]) -> tuple[TENSOR, TENSOR]:
    t = pl.load(x, [0], [64])
    a = pl.store(t, [0], first)
    b = pl.store(t, [0], second)
    return b, a

@pl.function(type=pl.FunctionType.InCore)
def fresh(x: TENSOR) -> TENSOR:
    y = pl.tensor.adds(x, 1.0)
    return y

@pl.function(type=pl.FunctionType.InCore)
def step(x: TENSOR) -> TENSOR:
    y = pl.tensor.add(x, x)
    return y

@pl.inline
def twice(a: TENSOR, b: pl.InOut[TENSOR]) -> TENSOR:
    b = join(a, b)
    b = join(a, b)
    return b

@pl.function(type=pl.FunctionType.Orchestration)
def main(x: pl.InOut[TENSOR], y: pl.InOut[TENSOR], z: pl.InOut[TENSOR], big: pl.InOut[pl.Tensor[[256], pl.FP32]], n: pl.Scalar[pl.INDEX]):
    y = twice(x, y)
    for i in pl.unroll(2):
        y = join(x, y)
    for i in pl.range(8):
        if i > n:
            break
        z = join(pl.tensor.reshape(y, [64]), z)
    k = 2 + 3
    y, z = rename(x, y, z)
    x = change(x)
    w = fresh(x)
    begin = pl.tensor.create([64], dtype=pl.FP32)
    for i, (acc,) in pl.range(4, init_values=(begin,)):
        acc2 = step(acc)
        last = pl.yield_(acc2)
    y = join(last, y)
    y = join(w, y)
    part = pl.tensor.create([64], dtype=pl.FP32)
    part = use(y, part)
    big = pl.tensor.assemble(big, part, [64])
    with pl.at(level=pl.Level.CORE_GROUP):
        s = pl.tensor.add(x, y)
        z = pl.tensor.assemble(z, s, [0])
    for i in pl.spmd(n):
        t = pl.load(x, [0], [64])
        y = pl.store(t, [0], y)
    with pl.scope():
        u = pl.tensor.create([64], dtype=pl.FP32)
        u = use(x, u)
    z = join(u, z)
    with pl.manual_scope():
        ids = pl.array.create(4, pl.TASK_ID)
        for i, (a,) in pl.parallel(4, init_values=(ids,)):
            q = pl.tensor.slice(big, [64], [i * 64])
            q2, t = pl.submit(change, q)
            a2 = pl.array.update_element(a, i, t)
            first = pl.yield_(a2)
        for i in pl.parallel(4):
            q = pl.tensor.slice(big, [64], [(i + 1) % 4 * 64])
            q2, t = pl.submit(change, q, deps=[first])
    x = change(x)
)";

constexpr std::string_view kHierarchy = R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    with pl.at(level=pl.Level.CLUSTER_0):
        y = pl.tensor.add(x, x)
    return y
)";

constexpr std::string_view kMeet = R"(
@pl.function(type=pl.FunctionType.AIV)
def meet(w: pl.InOut[WCOUNTS]) -> WCOUNTS:
    pld.system.wait(w, [0, 0], 1, cmp=pld.WaitCmp.Ge)
    return w

)";

struct Source {
  const char* name;
  std::string text;
};

std::vector<Source> sources() {
  const std::string data =
      "buf = pld.alloc_window_buffer(256)\nx = pld.window(buf, [64], dtype=pl.FP32)\n"
      "for r in pl.range(pld.world_size()):\n    use(x, device=r)\n";
  return {
      {"tasks", std::string(kTasks)},
      {"a hierarchy", std::string(kHierarchy)},
      {"a collective of a chip",
       testing::chip_program("    data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv, core_num=8)\n"
                             "    out = consume_step(data, recv, out)\n    recv = meet(recv)\n",
                             testing::kChipParams, kMeet)},
      {"a collective of the host",
       testing::host_source(data + "x = pld.tensor.allreduce(x, op=pld.ReduceOp.Sum)\n", "y: TENSOR")},
  };
}

// Behind every row of the pipeline.
struct Steps {
  Context ir;
  diag::Engine diags;
  Options options;
  std::vector<size_t> rows;
  std::vector<const Program*> programs;  // [0] before any pass

  explicit Steps(const std::string& text) {
    options.analyze_deps = true;
    rows = rows_between("", "", options);
    PassContext context{ir, diags, options};
    programs.push_back(text::parse_program(ir, testing::program_text(text), "test.py", diags));
    REQUIRE(programs[0] != nullptr);
    for (size_t row : rows) {
      programs.push_back(pipeline()[row].run(programs.back(), context));
      INFO(pipeline()[row].name << messages());
      REQUIRE_FALSE(diags.has_errors());
      diag::Engine found;
      verify(programs.back(), found, {.allow_builtin = true});
      REQUIRE_FALSE(found.has_errors());
      CHECK(test_support::contents_fault(programs.back()) == "");
      for (const Function* f : programs.back()->functions) CHECK(programs.back()->find(f->op) == f);
    }
  }
  std::string messages() const {
    std::string out;
    for (const diag::Diagnostic& d : diags.sorted()) out += "\n" + std::string(d.code->id) + " " + d.message;
    return out;
  }
};

// The property of a pass that refuses a program instead of changing it.
bool is_refused_otherwise(Property property) {
  return property == Property::WindowsDistinct;
}

// Checks of extents are expressions of `tensor.dim`, and no later pass needs calls alone.
bool ends_at(Property property, std::string_view pass) {
  return property == Property::NoNestedCalls && pass == "RequireHostExtents";
}

TEST_CASE("what a pass ensures is not so before it, and is so behind it to the end") {
  std::set<int> broken;  // before the row that ensures it, in some program
  std::set<int> ensured;
  for (const Source& source : sources()) {
    const Steps steps(source.text);
    for (int p = 0; p < kPropertyCount; ++p) {
      const Property property = static_cast<Property>(p);
      INFO(source.name << ", " << name_of(property));
      bool holds = false;
      for (size_t i = 0; i < steps.rows.size(); ++i) {
        if (!holds && !violations(steps.programs[i], property).empty()) broken.insert(p);
        holds = holds || pipeline()[steps.rows[i]].ensures.has(property);
        if (holds) ensured.insert(p);
        INFO("behind " << pipeline()[steps.rows[i]].name);
        if (ends_at(property, pipeline()[steps.rows[i]].name)) break;
        if (holds) CHECK(violations(steps.programs[i + 1], property) == std::vector<std::string>());
      }
    }
  }
  for (int p = 0; p < kPropertyCount; ++p) {
    INFO(name_of(static_cast<Property>(p)));
    CHECK(ensured.contains(p));
    if (!is_refused_otherwise(static_cast<Property>(p))) CHECK(broken.contains(p));
  }
}

TEST_CASE("windows that are not distinct are found, and refused") {
  testing::ProvenanceRun run(testing::chip_function("    a = pld.tensor.allreduce(a, b, SUM)\n"),
                             testing::in_device_loop("chip(a, a, c, x, n, device=r)"));
  CHECK_FALSE(violations(run.after(), Property::WindowsDistinct).empty());
  CHECK(run.has("E0660"));
}

// What a header says, or what is clear from it. ClassifyIterArgCarry and AssignCores make new nodes each time.
TEST_CASE("a pass that promises it changes nothing when it runs again") {
  const std::set<std::string_view> unlike = {"AssignCores", "ClassifyIterArgCarry"};
  const std::set<std::string_view> not_promised = {"RequireHostExtents"};  // its checks come again
  std::map<std::string_view, bool> worked;  // whether it changed some program the first time
  for (const Source& source : sources()) {
    Steps steps(source.text);
    PassContext context{steps.ir, steps.diags, steps.options};
    for (size_t i = 0; i < steps.rows.size(); ++i) {
      const PassInfo& info = pipeline()[steps.rows[i]];
      const Program* after = steps.programs[i + 1];
      worked[info.name] = worked[info.name] || after != steps.programs[i];
      if (after == steps.programs[i] || not_promised.contains(info.name)) continue;
      INFO(source.name << ", " << info.name);
      const Program* again = info.run(after, context);
      CHECK_FALSE(steps.diags.has_errors());
      if (unlike.contains(info.name))
        CHECK_FALSE(first_difference(again, after).has_value());
      else
        CHECK(again == after);
    }
  }
  for (const auto& [name, did] : worked) {
    INFO(name << " has nothing to do in these programs");
    if (name != "CheckWindowProvenance") CHECK(did);
  }
}

}  // namespace
}  // namespace pyptoc::passes
