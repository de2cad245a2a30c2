// SPDX-License-Identifier: Apache-2.0
// SSA form: what has no form of that kind.
#include "front_fixture.h"
#include "passes/convert_to_ssa.h"

namespace pyptoc::passes::testing {
namespace {

TEST_CASE("ssa: errors stand at the use and name both places") {
  PassRun branch(R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    if n > 2:
        y = pl.exp(x)
    return y
)",
                 {convert_to_ssa});
  REQUIRE(branch.diags().error_count() == 1);
  const diag::Diagnostic found = branch.diags().sorted()[0];
  CHECK(found.code->id == "E0420");
  CHECK(branch.line_of(found) == 5);
  REQUIRE(found.notes.size() == 2);
  CHECK(found.notes[0].place->begin_line == 3 + 3);
  CHECK(found.notes[1].place->begin_line == 4 + 3);
  check_error({convert_to_ssa}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        y = pl.exp(x)
    return y
)",
              "E0420", 5);
}

// With no iteration `t` is the tensor from before the loop. The carry began as the output of the other type instead.
TEST_CASE("ssa: a variable that gets another type in a loop that may not run") {
  const char* text = R"(
@pl.function
def main(x: TENSOR, y: TENSOR, out: pl.Out[pl.Tensor[[8, 8], pl.FP32]], n: pl.Scalar[pl.INDEX]) -> pl.Tensor[[8, 8], pl.FP32]:
    t = x
    for i in pl.range(n):
        t = pl.tensor.reshape(y, [8, 8])
    return t
)";
  check_error({convert_to_ssa}, text, "E0420", 6);
  std::string runs = text;
  runs.replace(runs.find("pl.range(n)"), 11, "pl.range(3)");
  PassRun run(runs, {convert_to_ssa});
  CHECK(run.messages() == "");
  CHECK(run.text().find("init_values=(out,)") == std::string::npos);
}

// The parser refuses it.
TEST_CASE("ssa: a use before any assignment") {
  ir::Context ir;
  diag::Engine diags;
  const ir::Type* index = ir.scalar_type(ir::DType::Index);
  const ir::Var* a = ir.var("a", index);
  const ir::Var* b = ir.var("b", index);
  ir::Function f;
  f.kind = ir::NodeKind::Function;
  f.name = "f";
  f.body = ir.seq({ir.assign(b, a), ir.assign(a, ir.const_int(1))});
  Options options;
  PassContext context{ir, diags, options};
  convert_to_ssa(ir.program("P", {ir.make(f)}, nullptr), context);
  REQUIRE(diags.error_count() == 1);
  CHECK(diags.sorted()[0].code->id == "E0421");
}

}  // namespace
}  // namespace pyptoc::passes::testing
