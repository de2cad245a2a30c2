// SPDX-License-Identifier: Apache-2.0
// Inline functions: every error.
#include "front_fixture.h"
#include "passes/inline_functions.h"

namespace pyptoc::passes::testing {
namespace {

TEST_CASE("inline: errors") {
  check_error({inline_functions}, R"(
@pl.inline
def a(x: TENSOR) -> TENSOR:
    y = b(x)
    return y
@pl.inline
def b(x: TENSOR) -> TENSOR:
    y = a(x)
    return y
@pl.function
def main(x: TENSOR) -> TENSOR:
    y = a(x)
    return y
)",
              "E0401", 2);
  PassRun cycle(R"(
@pl.inline
def a(x: TENSOR) -> TENSOR:
    y = a(x)
    return y
)",
                {inline_functions});
  CHECK(cycle.messages().find("`a` -> `a`") != std::string::npos);
  check_error({inline_functions}, R"(
@pl.inline
def a(x: TENSOR) -> TENSOR:
    return x
@pl.function
def main(x: TENSOR) -> TENSOR:
    y, t = pl.submit(a, x)
    return y
)",
              "E0403", 6);
  check_error({inline_functions}, R"(
@pl.inline
def a(n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
    return n
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    while a(n) < 4:
        n = n + 1
    return x
)",
              "E0405", 6);
  check_error({inline_functions}, R"(
N = pl.dynamic("N")
@pl.inline
def a(x: pl.Tensor[[N], pl.FP32], y: pl.Tensor[[N], pl.FP32]):
    z = pl.add(x, y)
@pl.function
def main(x: TENSOR, y: pl.Tensor[[32], pl.FP32]) -> TENSOR:
    a(x, y)
    return x
)",
              "E0406", 7);
  check_error({inline_functions}, R"(
@pl.inline
def a(x: TENSOR) -> TENSOR:
    for i in pl.range(4):
        if i > 2:
            return x
    return x
@pl.function
def main(x: TENSOR) -> TENSOR:
    y = a(x)
    return y
)",
              "E0418", 5);
}

TEST_CASE("inline: doubling chains end with an error") {
  std::string text = "\n@pl.inline\ndef f0(x: TENSOR):\n    y = pl.add(x, x)\n";
  for (int i = 1; i <= 40; ++i) {
    std::string callee = "f" + std::to_string(i - 1);
    text += "@pl.inline\ndef f" + std::to_string(i) + "(x: TENSOR):\n    " + callee + "(x)\n    " + callee + "(x)\n";
  }
  text += "@pl.function\ndef main(x: TENSOR) -> TENSOR:\n    f40(x)\n    return x\n";
  PassRun run(text, {inline_functions});
  CHECK(run.has("E0407"));
}

// Faults that the parser does not let through.
TEST_CASE("inline: calls that do not fit the function") {
  ir::Context ir;
  diag::Engine parsing;
  const ir::Program* p = text::parse_program(ir, program_text(R"(
@pl.inline
def a(x: TENSOR):
    y = pl.add(x, x)
@pl.function
def main(x: TENSOR) -> TENSOR:
    a(x)
    return x
)"),
                                             "test.py", parsing);
  REQUIRE(p != nullptr);
  const ir::Function* main = p->find("main");
  const ir::Var* x = main->params[0];
  auto codes_with_first = [&](const ir::Stmt* first) {
    ir::Function draft = *main;
    draft.body = ir.seq({first, ir::as<ir::SeqStmts>(main->body)->stmts[1]});
    diag::Engine diags;
    Options options;
    PassContext context{ir, diags, options};
    inline_functions(ir.program("P", {p->find("a"), ir.make(draft)}, nullptr), context);
    std::string found;
    for (const diag::Diagnostic& d : diags.sorted()) found += std::string(d.code->id) + " ";
    return found;
  };
  ir::Call call = *ir.call(ir.op("a", true), {x}, x->type);
  CHECK(codes_with_first(ir.assign(ir.var("used", x->type), ir.make(call))) == "E0404 ");
  ir::EvalStmt eval;
  eval.kind = ir::NodeKind::EvalStmt;
  call.attrs = ir.list({ir::Attr{"sync_start", ir::AttrValue::of_bool(true)}});
  eval.expr = ir.make(call);
  CHECK(codes_with_first(ir.make(eval)) == "W0408 ");
  call.args = {};
  eval.expr = ir.make(call);
  CHECK(codes_with_first(ir.make(eval)) == "E0402 ");
}

}  // namespace
}  // namespace pyptoc::passes::testing
