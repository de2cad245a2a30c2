// SPDX-License-Identifier: Apache-2.0
// Folding: each rule of the contract before and after, what must stay, and every error.
#include "passes/simplify.h"

#include <limits>

#include "front_fixture.h"
#include "passes/convert_to_ssa.h"

namespace pyptoc::passes::testing {
namespace {

// The value that `expression` of i, j (any) and x (a tensor) becomes, as text.
std::string folded(std::string_view expression) {
  PassRun run(
      "\n@pl.function\ndef main(x: TENSOR, i: pl.Scalar[pl.INDEX], j: pl.Scalar[pl.INDEX], p: pl.Scalar[pl.BOOL]):\n"
      "    return " +
          std::string(expression) + "\n",
      {simplify});
  INFO(run.messages());
  CHECK(run.messages() == "");
  std::string text = run.text();
  size_t at = text.find("return ") + 7;
  return text.substr(at, text.find('\n', at) - at);
}

TEST_CASE("simplify: constants are computed exactly, rounding towards minus infinity") {
  CHECK(folded("(2 + 3) * 4 - 1") == "19");
  CHECK(folded("-7 // 2") == "-4");
  CHECK(folded("-7 % 2") == "1");
  CHECK(folded("7 % -2") == "-1");
  CHECK(folded("7 // -2") == "-4");
  CHECK(folded("min(3, -3) + max(4, 5)") == "2");
  CHECK(folded("2 ** 10") == "1024");
  CHECK(folded("1 << 4 | 3 & 6 ^ 1") == "19");
  CHECK(folded("-1 >> 1") == "-1");
  CHECK(folded("~5") == "-6");
  CHECK(folded("~pl.const(5, pl.UINT8)") == "pl.const(250, pl.UINT8)");  // was out of range
  CHECK(folded("abs(-5)") == "5");
  CHECK(folded("9223372036854775807 - 1") == "9223372036854775806");
  CHECK(folded("3 < 4") == "True");
  CHECK(folded("3 == 4") == "False");
  CHECK(folded("not 3 >= 4") == "True");
}

TEST_CASE("simplify: identities") {
  CHECK(folded("i + 0") == "i");
  CHECK(folded("0 + i") == "i");
  CHECK(folded("i - 0") == "i");
  CHECK(folded("i * 1") == "i");
  CHECK(folded("1 * i") == "i");
  CHECK(folded("i * 0") == "0");
  CHECK(folded("i - i") == "0");
  CHECK(folded("i // 1") == "i");
  CHECK(folded("i % 1") == "0");
  CHECK(folded("min(i, i)") == "i");
  CHECK(folded("(i + 1) + 2") == "i + 3");
  CHECK(folded("(i + 1) - 3") == "i - 2");
  CHECK(folded("(i - 1) + 1") == "i");
  CHECK(folded("i == i") == "True");
  CHECK(folded("i + 1 > i") == "True");
  CHECK(folded("i * 2 + j < j + 2 * i") == "False");
  CHECK(folded("p and True") == "p");
  CHECK(folded("False or p") == "p");
  CHECK(folded("p and False") == "False");
  CHECK(folded("not not p") == "p");
}

TEST_CASE("simplify: what is not known stays") {
  CHECK(folded("i + j") == "i + j");
  CHECK(folded("i // 2") == "i // 2");
  CHECK(folded("0 // i") == "0 // i");
  CHECK(folded("i < j") == "i < j");
  CHECK(folded("i - j < 0") == "i - j < 0");
  CHECK(folded("pl.tensor.read(x, [0]) * 0.0") == "pl.tensor.read(x, [0]) * 0.0");
  CHECK(folded("pl.cast(3, pl.INT32)") == "pl.cast(3, pl.INT32)");
  CHECK(folded("1.5 + 0.0") == "1.5 + 0.0");
}

// `if s < n` with `s = n` stayed; both names became one in C++, and -Wtautological-compare refused `n < n`.
TEST_CASE("simplify: a copy is its value under another name") {
  auto decided = [](std::string_view condition) {
    PassRun run(
        "\n@pl.function\ndef main(n: pl.Scalar[pl.INDEX], m: pl.Scalar[pl.INDEX]):\n    s = n\n    t = s\n"
        "    if m < 5:\n        u = m\n        p = " +
            std::string(condition) + "\n    else:\n        p = s < 0\n    return p\n",
        {convert_to_ssa, simplify});
    INFO(run.messages());
    const std::string text = run.text();
    const size_t at = text.find(" = ", text.find("if m < 5")) + 3;
    return std::string(condition) + (text.find("True") != std::string::npos    ? " holds"
                                     : text.find("False") != std::string::npos ? " does not"
                                                                               : " is " + text.substr(at, 5));
  };
  CHECK(decided("s < n") == "s < n does not");
  CHECK(decided("t == n") == "t == n holds");
  CHECK(decided("t + 1 > n") == "t + 1 > n holds");
  CHECK(decided("u < 6") == "u < 6 holds");
  CHECK(decided("s < m").substr(0, 9) == "s < m is ");
}

TEST_CASE("simplify: faults of arithmetic") {
  auto fault = [](std::string_view expression) {
    PassRun run("\n@pl.function\ndef main(i: pl.Scalar[pl.INDEX]):\n    return " + std::string(expression) + "\n",
                {simplify});
    return run.messages();
  };
  CHECK(fault("9223372036854775807 + 1") == "E0425 3: `9223372036854775807 + 1` is out of the range of INDEX\n");
  CHECK(fault("pl.const(127, pl.INT8) + pl.const(1, pl.INT8)").substr(0, 7) == "E0425 3");
  CHECK(fault("1 // (2 - 2)").substr(0, 7) == "E0426 3");
  CHECK(fault("i % 0").substr(0, 7) == "E0426 3");
  CHECK(fault("1 << 64").substr(0, 7) == "E0427 3");
  CHECK(fault("1 << 62 << 1").substr(0, 7) == "E0425 3");
  CHECK(fault("2 ** 63").substr(0, 7) == "E0425 3");
  check_error({simplify}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    for i in pl.range(0, 4, 0):
        y = pl.exp(x)
    return x
)",
              "E0411", 3);
  // Code that never runs has no faults.
  check_pass({simplify}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    n = 0
    if n > 0:
        y = pl.tensor.slice(x, [64], [4 // n])
    for i in pl.range(n):
        z = pl.tensor.slice(x, [64], [4 // n])
    return x
)",
             R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    return x
)");
}

TEST_CASE("simplify: constants spread from the top level, into types too") {
  check_pass({simplify}, R"(
@pl.function
def main(x: pl.Tensor[[4096], pl.FP32]) -> pl.Tensor[[4096], pl.FP32]:
    chunk = 512
    y = pl.tensor.slice(x, [chunk * 2], [0])
    with pl.at(level=pl.Level.CORE_GROUP):
        z = pl.exp(y)
        for k in pl.range(0, 4096, chunk):
            w = pl.tensor.slice(x, [chunk], [k])
    return x
)",
             R"(
@pl.function
def main(x: pl.Tensor[[4096], pl.FP32]) -> pl.Tensor[[4096], pl.FP32]:
    y = pl.tensor.slice(x, [1024], [0])
    with pl.at(level=pl.Level.CORE_GROUP):
        z = pl.exp(y)
        for k in pl.range(0, 4096, 512):
            w = pl.tensor.slice(x, [512], [k])
    return x
)");
}

TEST_CASE("simplify: in branches and loops a constant keeps its name, but decides") {
  check_pass({simplify}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        k = 2
        y = pl.tensor.slice(x, [64], [k])
        if k < 3:
            z = pl.exp(y)
        else:
            w = pl.sqrt(y)
    return x
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        k = 2
        y = pl.tensor.slice(x, [64], [k])
        z = pl.exp(y)
    return x
)");
}

// A difference of unsigned values below 0 is a large one on the chip, and a sum of narrow ones has their type: what was
// decided as if nothing wrapped was another branch than the one that ran.
TEST_CASE("simplify: unsigned and narrow arithmetic wraps") {
  for (const std::string type : {"UINT8", "UINT32", "UINT64", "INT8", "INT32"}) {
    const std::string head = "\n@pl.function\ndef main(x: TENSOR, u: pl.Scalar[pl." + type + "], v: pl.Scalar[pl." +
                             type + "]) -> TENSOR:\n";
    const std::string one = "pl.const(1, pl." + type + ")";
    for (const std::string& open : {std::string("u + v < u"), std::string("u - v <= u"), "u - " + one + " < u",
                                    "u * pl.const(2, pl." + type + ") >= u", "v + " + one + " > " + one}) {
      const std::string text =
          head + "    if v >= " + one + ":\n        if " + open + ":\n            a = pl.exp(x)\n    return x\n";
      check_pass({simplify}, text, text);
    }
    const std::string ten = "pl.const(10, pl." + type + ")";
    const std::string begin = head + "    if v >= " + one + ":\n        if v < " + ten + ":\n";
    check_pass({simplify}, begin + "            if v - " + one + " < v:\n                a = pl.exp(x)\n    return x\n",
               begin + "            a = pl.exp(x)\n    return x\n");
  }
}

TEST_CASE("simplify: bounds of loop variables and conditions") {
  check_pass({simplify}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(0, 68, 2):
        off = i * 256 + 256
        if off == 0:
            a = pl.exp(x)
        else:
            b = pl.tensor.slice(x, [64], [off])
        if i < 4:
            c = pl.tensor.slice(x, [64], [i // 4])
            d = pl.tensor.slice(x, [64], [i % 4])
    if n < 10:
        if n < 20:
            e = pl.exp(x)
    else:
        if n == 3:
            f = pl.exp(x)
        g = pl.tensor.slice(x, [64], [max(n, 5)])
    return x
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(0, 68, 2):
        off = i * 256 + 256
        b = pl.tensor.slice(x, [64], [off])
        if i < 4:
            c = pl.tensor.slice(x, [64], [0])
            d = pl.tensor.slice(x, [64], [i])
    if n < 10:
        e = pl.exp(x)
    else:
        g = pl.tensor.slice(x, [64], [n])
    return x
)");
}

TEST_CASE("simplify: a constant branch yields its values") {
  check_pass({simplify}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    n = 1
    # chosen
    if n == 1:
        y = pl.exp(x)
        z, k = pl.yield_(y, n + 1)
    else:
        w = pl.sqrt(x)
        z, k = pl.yield_(w, n)
    r = pl.tensor.slice(z, [64], [k])
    return r
)",
             R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    # chosen
    y = pl.exp(x)
    r = pl.tensor.slice(y, [64], [2])
    return r
)");
}

TEST_CASE("simplify: loops of no iteration leave their initial values") {
  check_pass({simplify}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i, (a,) in pl.range(n, n, init_values=(x,)):
        b = pl.exp(a)
        c = pl.yield_(b)
    return c
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    c = x
    return c
)");
}

TEST_CASE("simplify: plain loops of one iteration become their body") {
  check_pass({simplify}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i, (a,) in pl.range(n, n + 1, init_values=(x,)):
        if i == n:
            b = pl.tensor.slice(a, [64], [i])
            b_1 = pl.yield_(b)
        else:
            b_1 = pl.yield_(a)
        c = pl.yield_(b_1)
    for j in pl.range(0, 128, 128):
        d = pl.tensor.slice(c, [64], [j])
    return c
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    b = pl.tensor.slice(x, [64], [n])
    d = pl.tensor.slice(b, [64], [0])
    return b
)");
  check_unchanged({simplify}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.parallel(1):
        a = pl.tensor.slice(x, [64], [i])
    for i in pl.pipeline(1, stage=2):
        a = pl.tensor.slice(x, [64], [i])
    for i in pl.range(n, n + 2):
        a = pl.tensor.slice(x, [64], [i])
    for i in pl.range(n):
        a = pl.tensor.slice(x, [64], [i])
    return x
)");
}

TEST_CASE("simplify: a loop whose condition is false never runs") {
  check_pass({simplify}, R"(
@pl.function
def main(n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
    for (k,) in pl.while_(init_values=(n,)):
        pl.cond(3 < 2)
        m = pl.yield_(k + 1)
    return m
)",
             R"(
@pl.function
def main(n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
    m = n
    return m
)");
}

TEST_CASE("simplify: the members of a tuple are its elements") {
  check_pass({simplify}, R"(
@pl.function
def main(x: TENSOR, y: TENSOR) -> TENSOR:
    both = (x, y)
    a = both[0]
    b = both[1]
    c = pl.add(a, b)
    return c
)",
             R"(
@pl.function
def main(x: TENSOR, y: TENSOR) -> TENSOR:
    c = pl.add(x, y)
    return c
)");
}

TEST_CASE("simplify: unused scalars go, calls and task ids stay") {
  check_pass({simplify}, R"(
@pl.function(type=pl.FunctionType.InCore)
def kernel(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    return out
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX], ints: pl.Tensor[[4], pl.INT32]) -> TENSOR:
    a = n + 1
    b = a * 2
    read = pl.tensor.read(ints, [0])
    dim = pl.tensor.dim(x, 0)
    out = pl.create_tensor([64], dtype=pl.FP32)
    y, t = pl.submit(kernel, x, out)
    if n > 3:
        c = n + 5
        d, z = pl.yield_(c, y)
    else:
        d, z = pl.yield_(n, x)
    return z
)",
             R"(
@pl.function(type=pl.FunctionType.InCore)
def kernel(x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
    return out
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX], ints: pl.Tensor[[4], pl.INT32]) -> TENSOR:
    read = pl.tensor.read(ints, [0])
    out = pl.create_tensor([64], dtype=pl.FP32)
    y, t = pl.submit(kernel, x, out)
    if n > 3:
        z = pl.yield_(y)
    else:
        z = pl.yield_(x)
    return z
)");
}

TEST_CASE("simplify: a scalar that only a type mentions is used") {
  check_unchanged({simplify}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        k = i + 1
        y = pl.tensor.slice(x, [k], [0])
    return x
)");
}

TEST_CASE("simplify: the width of a launch") {
  check_pass({simplify}, R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    n = 64
    with pl.spmd(n // 16):
        with pl.at(level=pl.Level.CORE_GROUP):
            y = pl.exp(x)
    return x
)",
             R"(
@pl.function
def main(x: TENSOR) -> TENSOR:
    with pl.spmd(4):
        with pl.at(level=pl.Level.CORE_GROUP):
            y = pl.exp(x)
    return x
)");
}

TEST_CASE("simplify: the window buffer of a type stays the same node") {
  ir::Context ir;
  diag::Engine diags;
  const ir::Type* index = ir.scalar_type(ir::DType::Index);
  const ir::Var* base = ir.var("base", ir.plain_type(ir::TypeKind::Ptr));
  ir::WindowBuffer window;
  window.kind = ir::NodeKind::WindowBuffer;
  window.type = ir.plain_type(ir::TypeKind::WindowBufferType);
  window.name_hint = "w";
  window.base = base;
  window.size = ir.const_int(64);
  const ir::WindowBuffer* w = ir.make(window);
  const ir::Var* n = ir.var("n", index);
  auto type_with = [&](const ir::Expr* extent) {
    ir::TensorType type =
        *ir.tensor_type(ir::DType::Fp32, ir.list<const ir::Expr*>({extent}), ir::TypeKind::DistributedTensorType);
    type.window_buffer = w;
    return ir.copy(type);
  };
  const ir::Var* param = ir.var("p", type_with(ir.const_int(8)));
  const ir::Var* v = ir.var("v", type_with(n));
  ir::ReturnStmt ret;
  ret.kind = ir::NodeKind::ReturnStmt;
  ret.value = ir.list<const ir::Expr*>({v});
  ir::Function f;
  f.kind = ir::NodeKind::Function;
  f.name = "f";
  f.params = ir.list({param});
  f.param_directions = ir.list({ir::ParamDirection::In});
  f.body = ir.seq({ir.assign(n, ir.const_int(8)), ir.assign(v, param), ir.make(ret)});
  Options options;
  PassContext context{ir, diags, options};
  const ir::Program* p = ir.program("P", {ir.make(f)}, nullptr);
  for (int run = 0; run < 2; ++run) p = simplify(p, context);
  const ir::Stmt* first = p->functions[0]->body;
  if (const ir::SeqStmts* seq = ir::as<ir::SeqStmts>(first)) first = seq->stmts[0];
  const ir::AssignStmt* assign = ir::as<ir::AssignStmt>(first);
  REQUIRE(assign != nullptr);
  CHECK(ir::const_int(ir::as_tensor(assign->var->type)->shape[0]) == 8);
  CHECK(ir::as_tensor(assign->var->type)->window_buffer == w);
  CHECK(p->functions[0]->params[0] == param);
}

}  // namespace
}  // namespace pyptoc::passes::testing
