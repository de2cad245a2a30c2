// SPDX-License-Identifier: Apache-2.0
// One text for each diagnostic of the text module: its place, its words, its help.
#include "text_testing.h"

namespace pyptoc::text::testing {
namespace {

// The faults of a body, lines counted from the body's first.
std::string body_faults(std::string_view body) {
  Parsed parsed = parse(in_function(body));
  CHECK(parsed.program == nullptr);
  std::string out;
  for (const diag::Diagnostic& one : parsed.engine->sorted()) {
    out += fmt::format("{}:{} {} {}", one.place.begin_line - kBodyLine + 1, one.place.begin_column - 8, one.code->id,
                       one.message);
    for (const std::string& help : one.helps) out += " | " + help;
    out += "\n";
  }
  return out;
}

TEST_CASE("E0228: beyond 32-bit offsets") {
  ir::Context context;
  diag::Engine engine;
  // Nothing is read of a text of that size, so none has to be there.
  CHECK(parse_program(context, std::string_view("", std::size_t{1} << 32), "a.py", engine) == nullptr);
  REQUIRE(engine.sorted().size() == 1);
  CHECK(engine.sorted()[0].code->id == "E0228");
  CHECK(engine.sorted()[0].message == "expected a text of at most 4294967280 bytes, found 4294967296");
}

TEST_CASE("E0200 grammar") {
  CHECK(body_faults("x = i +\n") == "1:8 E0200 expected an expression, found the end of the line\n");
  CHECK(body_faults("x = (i j)\n") == "1:8 E0200 expected `)`, found `j`\n");
  CHECK(body_faults("x: = i\n") == "1:4 E0200 expected a type such as `pl.Tensor[[64, 64], pl.FP32]`, found `=`\n");
  CHECK(body_faults("if p\n    x = i\n") == "1:5 E0200 expected `:`, found the end of the line\n");
  CHECK(body_faults("i + 1 = j\n") == "1:1 E0200 expected a name to assign to, found an expression\n");
  CHECK(body_faults("else:\n    x = i\n") == "1:1 E0200 expected a statement, found keyword `else`\n");
  CHECK(faults_of("def f():\n    return\n") == "1:1 E0200 expected `@pl.function` above, found `def`\n");
}

TEST_CASE("E0201 to E0207 tokens and blocks") {
  CHECK(body_faults("x = min(i, j\ny = i\n") == "1:8 E0201 bracket `(` is never closed\n");
  CHECK(body_faults("x = \"abc\ny = i\n") == "1:5 E0202 string is not closed\n");
  CHECK(body_faults("x = i $ j\n") == "1:7 E0203 character `$` has no meaning here\n");
  CHECK(body_faults("if p:\n    x = i\n  y = i\n") == "3:3 E0204 this indentation belongs to no open block\n");
  CHECK(body_faults("x = i\n    y = x\nz = y\n") == "2:5 E0205 this line is indented deeper than its block\n");
  CHECK(body_faults("if p:\nx = i\n") == "1:5 E0206 expected an indented block after this header\n");
  CHECK(body_faults("x = 12ab\n") == "1:5 E0207 `12ab` is not a number\n");
  // A UINT64 of 2^63 was read, and refused later as a negative one.
  const std::string large =
      "E0207 `9223372036854775808` is not a number | integers of a program are below 2^63, those of type UINT64 too\n";
  CHECK(body_faults("x = 9223372036854775808\n") == "1:5 " + large);
  CHECK(body_faults("x = pl.const(9223372036854775808, pl.UINT64)\n") == "1:14 " + large);
  CHECK(body_faults("x = 18446744073709551616\n") == "1:5 E0207 `18446744073709551616` is not a number\n");
  CHECK(body_faults("x = float(\"big\")\n") == "1:11 E0207 `big` is not a number\n");
}

TEST_CASE("E0208 to E0212 names") {
  CHECK(body_faults("counter = i\nx = countr + 1\ny = x\n") ==
        "2:5 E0208 name `countr` is not defined | did you mean `counter`?\n");
  CHECK(body_faults("x = f\n") ==
        "1:5 E0208 name `f` is not defined | functions of the program are called as `self.f(...)`\n");
  CHECK(faults_of("@pl.function\ndef f(x: pl.Tensor[[M], pl.FP32]):\n    return x\n") ==
        "2:21 E0208 name `M` is not defined | declare a dynamic extent above the functions: `M = pl.dynamic(\"M\")`\n");
  CHECK(body_faults("x: pl.Tensr[[8], pl.FP32] = a\ny = x\n") ==
        "1:7 E0209 `pl` has no member `Tensr` | did you mean `Tensor`?\n");
  CHECK(body_faults("x: pl.Scalar[pl.FP23] = a\n") == "1:17 E0209 `pl` has no member `FP23` | did you mean `FP32`?\n");
  CHECK(body_faults("t = pl.laod(a, [0, 0], [8, 8])\n") ==
        "1:8 E0209 `pl` has no member `laod` | did you mean `load`?\n");
  CHECK(body_faults("t = pl.tensor.fillpad(a, pad_value=pl.PadValue.zreo)\n") ==
        "1:48 E0209 `pl.PadValue` has no member `zreo` | did you mean `zero`?\n");
  CHECK(body_faults("t = pl.tensor.ad(a, b)\n") ==
        "1:5 E0210 unknown operator `tensor.ad` | did you mean `pl.tensor.add`?\n");
  CHECK(body_faults("x = self.g(a)\n").find("1:10 E0211 the program has no function `g`") == 0);
  CHECK(body_faults("t: pl.Tensor[[64, 64], pl.FP32] = pl.tensor.matmul(a, b, b_trns=True)\n") ==
        "1:58 E0212 `tensor.matmul` has no keyword `b_trns` | did you mean `b_trans`?\n");
  CHECK(body_faults("for k in pl.range(8, stage=2):\n    pass\n") == "1:22 E0212 `pl.range` has no keyword `stage`\n");
}

TEST_CASE("E0213 to E0216 calls and types") {
  CHECK(body_faults("t: pl.Tensor[[64, 64], pl.FP32] = pl.tensor.matmul(a, b, b_trans=3)\n") ==
        "1:66 E0213 keyword `b_trans` of `tensor.matmul` takes a bool, found `3`\n");
  CHECK(body_faults("x = pl.tensor.slice(a, valid_shape=[8, 8])\n") ==
        "1:5 E0214 `tensor.slice` takes 3 to 5 operands, found 2\n");
  CHECK(body_faults("for k in pl.range():\n    pass\n") == "1:18 E0214 `pl.range` takes 1 to 3 operands, found 0\n");
  CHECK(body_faults("x = pl.tensor.dim(a, 0, axis=1)\n") ==
        "1:25 E0215 argument `axis` of `tensor.dim` is given twice\n");
  CHECK(body_faults("x = pl.tensor.sort32(a, b)\n")
            .find("1:1 E0216 the type of `x` does not follow from its value | annotate it: ") == 0);
}

// A value whose operands do not fit gives no type. That was all that was said, with the advice to annotate it.
TEST_CASE("a fault of an operand is told in place of E0216") {
  CHECK(body_faults("x = pl.tensor.dim(i, 0)\n").find("E0335 argument `") != std::string::npos);
  CHECK(body_faults("x = pl.tensor.dim(i, 0)\n").find("E0216") == std::string::npos);
  const std::string inner = body_faults("x = pl.tensor.reshape(pl.tensor.slice(i, [8, 8], [0, 0]), [64])\n");
  CHECK(inner.find("of `tensor.slice` must be a tensor, found `Scalar[INDEX]`") != std::string::npos);
  CHECK(inner.find("E0216") == std::string::npos);
  const std::string misfit = body_faults("x = pl.tensor.matmul(a, pl.tensor.slice(a, [8, 8], [0, 0]))\n");
  CHECK(misfit.find("E0216") == std::string::npos);
  CHECK(misfit.find("`tensor.matmul`") != std::string::npos);
}

TEST_CASE("E0217 to E0220 statements") {
  CHECK(body_faults("x = i < j < 3\n") == "1:11 E0217 comparisons cannot be chained | write `a < b and b < c`\n");
  CHECK(body_faults("assert p\n") == "1:1 E0218 `assert` is not part of the DSL\n");
  CHECK(body_faults("x = i if p else j\n") ==
        "1:7 E0218 a conditional expression is not part of the DSL | use an `if` statement\n");
  CHECK(faults_of("@pl.function\ndef f(x: pl.Scalar[pl.INDEX], x: pl.Scalar[pl.INDEX]):\n    return\n")
            .find("2:31 E0219 parameter `x` is defined twice\n") != std::string::npos);
  CHECK(faults_of("@pl.function\ndef f():\n    pass\n@pl.function\ndef f():\n    pass\n")
            .find("5:5 E0219 function `f` is defined twice\n") != std::string::npos);
  CHECK(body_faults("x, y = pl.yield_(i)\n").find("E0229") != std::string::npos);
  CHECK(body_faults("x, y = i, j, p\n") == "1:1 E0220 expected 2 values, found 3\n");
  CHECK(body_faults("for k, (x, y) in pl.range(4, init_values=(i,)):\n    pass\n") ==
        "1:1 E0220 expected 2 values, found 1\n");
}

TEST_CASE("E0221 nesting") {
  std::string deep = "x = " + std::string(5000, '(') + "i" + std::string(5000, ')') + "\n";
  CHECK(body_faults(deep).find(" E0221 nested more than ") != std::string::npos);
  std::string chain = "x = i";
  for (int k = 0; k < 5000; ++k) chain += " + i";
  CHECK(body_faults(chain + "\n").find(" E0221 nested more than ") != std::string::npos);
  std::string blocks;
  for (int k = 0; k < 3000; ++k) blocks += std::string(static_cast<size_t>(k), ' ') + "if p:\n";
  CHECK(body_faults(blocks).find(" E0221 nested more than ") != std::string::npos);
}

TEST_CASE("E0222 to E0230 the rest") {
  CHECK(faults_of("x = 1\n# \xFF\n") == "2:3 E0222 expected UTF-8 text, found byte 0xff\n");
  CHECK(faults_of(std::string_view("a\0b", 3)) == "1:2 E0222 expected UTF-8 text, found byte 0x00\n");
  CHECK(faults_of("import os\n") == "1:1 E0223 the text has no `@pl.program` class and no `@pl.function`\n");
  CHECK(faults_of("@pl.function\ndef f(x):\n    return\n") == "2:7 E0224 parameter `x` has no type\n");
  CHECK(body_faults("for k in range(4):\n    pass\n") ==
        "1:10 E0225 `for` loops run over `pl.range` and its like, found `range` | write `pl.range`\n");
  CHECK(body_faults("for k in pl.rnge(4):\n    pass\n") ==
        "1:13 E0225 `for` loops run over `pl.range` and its like, found `pl.rnge` | did you mean `range`?\n");
  CHECK(body_faults("with pl.cluser():\n    pass\n") ==
        "1:9 E0226 `with` opens scopes such as `pl.at`, found `pl.cluser` | did you mean `cluster`?\n");
  CHECK(body_faults("with pl.cluster(deps=[i + 1]):\n    pass\n") == "1:23 E0227 expected a variable, found `i`\n");
  CHECK(body_faults("x = pl.yield_(i)\n") == "1:1 E0229 `pl.yield_` is assigned outside a loop or branch\n");
  CHECK(body_faults("x = a[0, 0, 0]\n") == "1:5 E0230 expected at most 2 indices, found 3\n");
  CHECK(body_faults("x = a[0:8:2]\n") == "1:10 E0230 slices have no step\n");
}

// Each iteration used the value from before the loop: the new type made another variable of the name.
TEST_CASE("E0231: a name that changes its type in a loop that uses it") {
  CHECK(body_faults("t = i\nfor k in pl.range(4):\n    x = t + 1\n    t = 0.5\n") ==
        "4:5 E0231 `t` is `Scalar[INDEX]` where the loop begins and `Scalar[FP32]` where an iteration ends | use "
        "another name for the new value\n");
  CHECK(body_faults("t = i\nwhile t < 4:\n    t = 0.5\n").find("3:5 E0231 ") == 0);
  CHECK(body_faults("t = i\nfor k in pl.range(4):\n    if p:\n        t = 2\n    x = t\n    t = 0.5\n")
            .find("6:5 E0231 ") == 0);
  CHECK(body_faults("t = i\nfor k in pl.range(4):\n    for l in pl.range(4):\n        x = t\n    t = 0.5\n")
            .find("5:5 E0231 ") == 0);
  const auto fits = [](std::string_view body) { return parse(in_function(body)).program != nullptr; };
  CHECK(fits("t = i\nfor k in pl.range(4):\n    x = t + 1\n    t = 0.5\n    t = x\n"));
  CHECK(fits("t = i\nfor k in pl.range(4):\n    t = 2\n    x = t + 1\n    t = 0.5\n"));
  CHECK(fits(
      "t = i\nfor k in pl.range(4):\n    if p:\n        t = 2\n    else:\n        t = 3\n    x = t\n    t = 0.5\n"));
  CHECK(fits("t = i\nt = 0.5\nfor k in pl.range(4):\n    t = 2\n    t = 0.5\n"));
  CHECK(fits("t = i\nif p:\n    t = 0.5\n    x = t * 2.0\nelse:\n    y = t + 1\n"));
}

TEST_CASE("a declared name without a value is a fault") {
  CHECK(body_faults("x: pl.Scalar[pl.INDEX]\ny = i\n") ==
        "1:1 E0208 name `x` is not defined | it is declared here, but nothing gives it a value\n");
}

TEST_CASE("each statement has its own fault, and no fault follows from another") {
  CHECK(body_faults("x = i +\ny = x + 1\nz = undefined\nw = z + y\nv = pl.laod(w)\n") ==
        "1:8 E0200 expected an expression, found the end of the line\n"
        "3:5 E0208 name `undefined` is not defined\n"
        "5:8 E0209 `pl` has no member `laod` | did you mean `load`?\n");
}

TEST_CASE("a fault of syntax in one function leaves the faults of the others visible") {
  std::string text = std::string(kImports) +
                     "@pl.program\nclass P:\n"
                     "    @pl.function\n    def f(self, i: pl.Scalar[pl.INDEX]):\n        x = (i +\n        y = i\n"
                     "    @pl.function\n    def g(self, i: pl.Scalar[pl.INDEX]):\n        if i:\n            pass\n"
                     "    @pl.function\n    def h(self, i: pl.Scalar[pl.INDEX]):\n        self.f(i, i)\n";
  std::string faults = faults_of(text);
  INFO(faults);
  CHECK(faults.find("7:13 E0201 ") == 0);
  CHECK(faults.find("\n11:9 E0315 ") != std::string::npos);  // the condition of the if
  CHECK(faults.find("\n15:") != std::string::npos);          // the number of arguments
}

TEST_CASE("a broken header costs only its function") {
  std::string faults =
      faults_of("@pl.function\ndef f(x: pl.Scalar[pl.INDEX]:\n    return x\n\n@pl.function\ndef g(y):\n    return y\n");
  INFO(faults);
  CHECK(faults.find("2:") == 0);
  CHECK(faults.find("\n6:7 E0224 parameter `y` has no type\n") != std::string::npos);
}

}  // namespace
}  // namespace pyptoc::text::testing
