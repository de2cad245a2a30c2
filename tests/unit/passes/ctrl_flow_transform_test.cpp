// SPDX-License-Identifier: Apache-2.0
// Jumps and early returns: each rule of the contract before and after, and every error.
#include "passes/ctrl_flow_transform.h"

#include "front_fixture.h"
#include "passes/convert_to_ssa.h"
#include "passes/property_checks.h"

namespace pyptoc::passes::testing {
namespace {

TEST_CASE("control flow: nothing to do") {
  check_unchanged({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        if i > 2:
            x = pl.exp(x)
    return x
)");
}

TEST_CASE("control flow: continue moves the rest into the other branch") {
  check_pass({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        if i > 2:
            continue
        x = pl.exp(x)
        if i > 1:
            x = pl.sqrt(x)
        else:
            continue
        x = pl.exp(x)
    return x
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        if i > 2:
            pass
        else:
            x = pl.exp(x)
            if i > 1:
                x = pl.sqrt(x)
                x = pl.exp(x)
    return x
)");
}

TEST_CASE("control flow: what is never reached goes") {
  check_pass({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        if i > 2:
            x = pl.exp(x)
            continue
        else:
            continue
        x = pl.sqrt(x)
    return x
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        if i > 2:
            x = pl.exp(x)
    return x
)");
}

TEST_CASE("control flow: where both branches may stay, a flag says what to skip") {
  check_pass({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        if i > 2:
            if i > 4:
                continue
            x = pl.exp(x)
        x = pl.sqrt(x)
    return x
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        left = False
        if i > 2:
            if i > 4:
                left = True
            else:
                x = pl.exp(x)
        if not left:
            x = pl.sqrt(x)
    return x
)");
}

TEST_CASE("control flow: break of a loop of unknown length makes it a while loop") {
  check_pass({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    # up
    for i in pl.range(0, n, 2):
        x = pl.exp(x)
        if i > 2:
            break
        x = pl.sqrt(x)
    for i in pl.range(n, 0, -1):
        if i > 2:
            break
    return x
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    # up
    stopped = False
    stop = n
    i = 0
    while i < stop and not stopped:
        x = pl.exp(x)
        if i > 2:
            stopped = True
        else:
            x = pl.sqrt(x)
        i = i + 2
    other = False
    j = n
    while j > 0 and not other:
        if j > 2:
            other = True
        j = j + -1
    return x
)");
}

TEST_CASE("control flow: break of a loop of known length guards its body") {
  check_pass({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(8):
        if i > n:
            break
        x = pl.sqrt(x)
    for i in pl.range(0, 8, n):
        break
    return x
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    stopped = False
    for i in pl.range(8):
        if not stopped:
            if i > n:
                stopped = True
            else:
                x = pl.sqrt(x)
    other = False
    for i in pl.range(0, 8, n):
        if not other:
            other = True
    return x
)");
}

TEST_CASE("control flow: assigning the loop variable does not change how the loop goes on") {
  check_pass({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        if i > 2:
            break
        i = i * 2
        x = pl.tensor.slice(x, [64], [i])
    return x
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    stopped = False
    stop = n
    k = 0
    while k < stop and not stopped:
        i = k
        if i > 2:
            stopped = True
        else:
            i = i * 2
            x = pl.tensor.slice(x, [64], [i])
        k = k + 1
    return x
)");
}

TEST_CASE("control flow: a variable that a skipped part needs not") {
  check_pass({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        if i > 2:
            if i > 4:
                continue
            k = 1
            y = pl.exp(x)
        else:
            k = 2
            y = pl.sqrt(x)
        x = pl.tensor.slice(y, [64], [k])
    return x
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    k = 0
    y = x
    for i in pl.range(n):
        left = False
        if i > 2:
            if i > 4:
                left = True
            else:
                k = 1
                y = pl.exp(x)
        else:
            k = 2
            y = pl.sqrt(x)
        if not left:
            x = pl.tensor.slice(y, [64], [k])
    return x
)");
  PassRun run(R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        if i > 2:
            if i > 4:
                continue
        else:
            y = pl.sqrt(x)
        x = pl.exp(y)
    return x
)",
              {ctrl_flow_transform, convert_to_ssa});
  CHECK(run.has("E0420"));
}

TEST_CASE("control flow: break and continue of while loops") {
  check_pass({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    while n > 0:
        n = n - 1
        if n == 3:
            break
        if n == 5:
            continue
        x = pl.exp(x)
    return x
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    stopped = False
    while n > 0 and not stopped:
        n = n - 1
        if n == 3:
            stopped = True
        else:
            if n == 5:
                pass
            else:
                x = pl.exp(x)
    return x
)");
}

TEST_CASE("control flow: an iteration that is left does not change what the loop carries") {
  check_pass({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i, (a,) in pl.range(n, init_values=(x,)):
        if i > 2:
            continue
        b = pl.exp(a)
        c = pl.yield_(b)
    return c
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    c = x
    for i in pl.range(n):
        if i > 2:
            pass
        else:
            b = pl.exp(c)
            c = b
    return c
)");
}

TEST_CASE("control flow: results of an if that is left in one branch") {
  check_pass({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        if i > 2:
            if i > 4:
                continue
            y = pl.yield_(x)
        else:
            y = pl.yield_(pl.exp(x))
        x = pl.sqrt(y)
    return x
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    y = x
    for i in pl.range(n):
        left = False
        if i > 2:
            if i > 4:
                left = True
            else:
                y = x
        else:
            y = pl.exp(x)
        if not left:
            x = pl.sqrt(y)
    return x
)");
}

TEST_CASE("control flow: runtime scopes are looked through") {
  check_pass({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        with pl.scope():
            if i > 2:
                continue
            x = pl.exp(x)
        x = pl.sqrt(x)
    return x
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        left = False
        with pl.scope():
            if i > 2:
                left = True
            else:
                x = pl.exp(x)
        if not left:
            x = pl.sqrt(x)
    return x
)");
}

TEST_CASE("control flow: loops in loops have flags of their own") {
  PassRun run(R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        for j in pl.range(n):
            if j > i:
                break
            x = pl.exp(x)
        if i > 3:
            break
    return x
)",
              {ctrl_flow_transform});
  CHECK(run.messages() == "");
  Findings findings;
  check_StructuredCtrlFlow(run.after(), findings);
  CHECK(findings.empty());
  std::string text = run.text();
  CHECK(text.find("while i < stop and not stopped:") != std::string::npos);
  CHECK(text.find("while j < stop_1 and not stopped_1:") != std::string::npos);
}

TEST_CASE("control flow: an early return") {
  check_pass({ctrl_flow_transform}, R"(
@pl.function(type=pl.FunctionType.InCore)
def kernel(x: TENSOR, y: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    if n == 0:
        z = pl.exp(x)
        return z
    if n == 1:
        return y
    return x
)",
             R"(
@pl.function(type=pl.FunctionType.InCore)
def kernel(x: TENSOR, y: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    if n == 0:
        z = pl.exp(x)
        r = z
    else:
        if n == 1:
            r = y
        else:
            r = x
    return r
)");
}

TEST_CASE("control flow: errors") {
  check_error({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.parallel(n):
        if i > 2:
            break
    return x
)",
              "E0416", 3);
  check_error({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        with pl.at(level=pl.Level.CORE_GROUP):
            if i > 2:
                break
    return x
)",
              "E0417", 6);
  check_error({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.range(n):
        if i > 2:
            return x
    return x
)",
              "E0418", 5);
  check_error({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    if n > 2:
        return x
    n = n + 1
)",
              "E0419", 2);
}

// The parser refuses it.
TEST_CASE("control flow: a jump without a loop") {
  ir::Context ir;
  diag::Engine diags;
  ir::BreakStmt jump;
  jump.kind = ir::NodeKind::BreakStmt;
  ir::Function f;
  f.kind = ir::NodeKind::Function;
  f.name = "f";
  f.body = ir.make(jump);
  Options options;
  PassContext context{ir, diags, options};
  ctrl_flow_transform(ir.program("P", {ir.make(f)}, nullptr), context);
  REQUIRE(diags.error_count() == 1);
  CHECK(diags.sorted()[0].code->id == "E0415");
}

TEST_CASE("control flow: break of a pipeline guards its body") {
  check_pass({ctrl_flow_transform}, R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    for i in pl.pipeline(n, stage=2):
        if i > 4:
            break
        x = pl.sqrt(x)
    return x
)",
             R"(
@pl.function
def main(x: TENSOR, n: pl.Scalar[pl.INDEX]) -> TENSOR:
    stopped = False
    for i in pl.pipeline(n, stage=2):
        if not stopped:
            if i > 4:
                stopped = True
            else:
                x = pl.sqrt(x)
    return x
)");
}

}  // namespace
}  // namespace pyptoc::passes::testing
