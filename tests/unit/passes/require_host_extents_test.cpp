// SPDX-License-Identifier: Apache-2.0
// RequireHostExtents: what is checked, where the check stands, and what is refused.
#include "passes/require_host_extents.h"

#include "host_fixture.h"

namespace pyptoc::passes {
namespace {

using testing::HostRun;

constexpr std::string_view kFunctions = R"(
NR = pl.dynamic("NR")
M = pl.dynamic("M")
R = pl.dynamic("R")

@pl.function(type=pl.FunctionType.Orchestration)
def row(x: pl.Tensor[[1, 64], pl.FP32]):
    pass

@pl.function(type=pl.FunctionType.Orchestration)
def rows(x: pl.Tensor[[R, 64], pl.FP32], y: pl.Tensor[[R, 8], pl.FP32]):
    pass

@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def host()";

// The HOST function's body after the pass, or the messages; without the checks of parameters where `body` is given.
class Extents {
 public:
  Extents(std::string_view parameters, std::string_view body) {
    std::string text(kFunctions);
    text += std::string(parameters) + "):\n";
    while (!body.empty()) {
      size_t end = std::min(body.find('\n'), body.size() - 1) + 1;
      text += "    " + std::string(body.substr(0, end));
      body.remove_prefix(end);
    }
    run_ = std::make_unique<testing::PassRun>(
        text, std::initializer_list<PassFunction>{convert_to_ssa, simplify, flatten_call_expr,
                                                  synthesize_allreduce_signals, materialize_comm_domain_scopes,
                                                  lower_host_tensor_collectives, require_host_extents});
    if (!run_->diags().has_errors()) ir::verify(run_->after(), run_->diags(), {.allow_builtin = true});
  }
  std::string messages() const {
    std::string out;
    for (const diag::Diagnostic& d : run_->diags().sorted()) out += std::string(d.code->id) + " " + d.message + "\n";
    return out;
  }
  // Lines that mention a text, without indentation in front of the function's.
  std::string lines(std::string_view what) const {
    if (run_->diags().has_errors()) return messages();
    std::string text = run_->text();
    text = text.substr(text.find("def host("));
    std::string out;
    for (size_t at = 0; at < text.size();) {
      size_t end = text.find('\n', at);
      std::string line = text.substr(at, end - at);
      if (line.size() > 8 && line.find(what) != std::string::npos && line.find("def host") == std::string::npos)
        out += line.substr(8) + "\n";
      at = end + 1;
    }
    return out;
  }

 private:
  std::unique_ptr<testing::PassRun> run_;
};

TEST_CASE("parameters have the extents of their types") {
  Extents run("x: pl.Tensor[[NR, 64], pl.FP32], y: pl.Tensor[[NR, 2 * M], pl.FP32], z: pl.Tensor[[M], pl.FP32]",
              "row(pl.tensor.slice(x, [1, 64], [0, 0]))\n");
  CHECK(run.messages() == "");
  CHECK(run.lines("is due") ==
        "pl.system.require(pl.tensor.dim(x, pl.const(1, pl.INT64)) == 64, pl.tensor.dim(x, "
        "pl.const(0, pl.INT64)), pl.tensor.dim(x, pl.const(1, pl.INT64)), NR, 64, text=\"`x` has shape [{}, {}], and "
        "[{}, {}] is due\")\n"
        "pl.system.require(pl.tensor.dim(y, pl.const(0, pl.INT64)) == NR, pl.tensor.dim(y, pl.const(0, pl.INT64)), "
        "pl.tensor.dim(y, pl.const(1, pl.INT64)), NR, 2 * M, text=\"`y` has shape [{}, {}], and [{}, {}] is due\")\n"
        "pl.system.require(pl.tensor.dim(z, pl.const(0, pl.INT64)) == M, pl.tensor.dim(z, pl.const(0, pl.INT64)), M, "
        "text=\"`z` has shape [{}], and [{}] is due\")\n");
}

TEST_CASE("a slice in a counting loop is checked for the last iteration") {
  Extents run("x: pl.Tensor[[NR, 64], pl.FP32]",
              "for r in pl.range(pld.world_size()):\n    row(pl.tensor.slice(x, [1, 64], [r, 0]), device=r)\n");
  CHECK(run.lines("slice of") ==
        "pl.system.require(pld.system.world_size() <= NR, pld.system.world_size(), NR, text=\"slice of `x` ends at {} "
        "on axis 0, which has {} elements\")\n");
  Extents two("x: pl.Tensor[[NR, 64], pl.FP32], n: pl.Scalar[pl.INDEX]",
              "for i in pl.range(n):\n    for r in pl.range(2):\n"
              "        row(pl.tensor.slice(x, [1, 64], [i * 2 + r, 0]), device=r)\n");
  INFO(two.lines("") << two.messages());
  CHECK(two.lines("slice of").find("    pl.system.require((n - pl.const(1, pl.INT64)) * 2 + ") == 0);
  CHECK(two.lines("if ") == "if 0 < n:\n");
}

TEST_CASE("an offset that a scalar gives is checked at both ends") {
  Extents run("x: pl.Tensor[[8, 64], pl.FP32], n: pl.Scalar[pl.INDEX]", "row(pl.tensor.slice(x, [1, 64], [n, 0]))\n");
  CHECK(run.lines("slice of") ==
        "pl.system.require(n >= pl.const(0, pl.INT64), n, text=\"slice of `x` begins at {} on axis 0\")\n"
        "pl.system.require(n + 1 <= 8, n + 1, 8, text=\"slice of `x` ends at {} on axis 0, which has {} elements\")\n");
}

TEST_CASE("a check that needs a value of the body stands in front of the slice") {
  Extents run("x: pl.Tensor[[8, 64], pl.FP32], n: pl.Scalar[pl.INDEX]",
              "i = 0\nwhile i < n:\n    p = pl.tensor.slice(x, [1, 64], [i, 0])\n    row(p)\n    i = i * 2 + 1\n");
  INFO(run.lines(""));
  CHECK(run.messages() == "");
  std::string lines = run.lines("");
  size_t loop = lines.find("while_");
  size_t check = lines.find("ends at {} on axis 0");
  size_t slice = lines.find("p: pl.Tensor");
  CHECK(loop < check);
  CHECK(check < slice);
  CHECK(slice != std::string::npos);
}

TEST_CASE("E0688 a slice that is known to leave its tensor") {
  CHECK(Extents("x: pl.Tensor[[3, 64], pl.FP32]",
                "for r in pl.range(4):\n    row(pl.tensor.slice(x, [1, 64], [r, 0]), device=r)\n")
            .messages() == "E0688 slice of `x` reaches from 0 to 4 on axis 0, whose extent is 3\n");
  CHECK(Extents("x: pl.Tensor[[3, 64], pl.FP32]",
                "for r in pl.range(4):\n    row(pl.tensor.slice(x, [1, 64], [r - 1, 0]), device=r)\n")
            .messages()
            .find("E0688 slice of `x` reaches from 0 - 1 to ") == 0);
  CHECK(Extents("x: pl.Tensor[[4, 64], pl.FP32]",
                "for r in pl.range(4):\n    row(pl.tensor.slice(x, [1, 64], [r, 0]), device=r)\n")
            .messages() == "");
}

TEST_CASE("E0689 a view that is longer than its allocation") {
  HostRun fixed(
      "buf = pld.alloc_window_buffer(252)\nx = pld.window(buf, [64], dtype=pl.FP32)\n"
      "for r in pl.range(4):\n    use(x, device=r)\n",
      require_host_extents);
  CHECK(fixed.messages() ==
        "E0689 2: window `x` has 256 bytes, and allocation `buf` only 252\n  note 1: `buf` is allocated here\n");
  HostRun open(
      "buf = pld.alloc_window_buffer(n)\nx = pld.window(buf, [64], dtype=pl.FP32)\n"
      "for r in pl.range(4):\n    use(x, device=r)\n",
      require_host_extents, "n: pl.Scalar[pl.INDEX]");
  CHECK(open.messages() == "");
  CHECK(open.count("pl.system.require(pl.const(256, pl.INT64) <= n, pl.const(256, pl.INT64), n, text=\"window `x` has "
                   "{} bytes, and allocation `buf` only {}\")") == 1);
}

TEST_CASE("an argument has the elements that the parameter's type says") {
  Extents run("x: pl.Tensor[[NR, 64], pl.FP32], y: pl.Tensor[[M, 8], pl.FP32]", "rows(x, y)\n");
  CHECK(
      run.lines("parameter") ==
      "pl.system.require(M * 8 >= NR * 8, NR * 8, M * 8, text=\"parameter `y` of `rows` has {} elements, the argument "
      "`y` only {}\")\n");
  CHECK(Extents("x: pl.Tensor[[NR, 64], pl.FP32], y: pl.Tensor[[NR, 8], pl.FP32]", "rows(x, y)\n").lines("parameter") ==
        "");
}

TEST_CASE("a HOST function without anything to check stays as it is") {
  testing::check_unchanged({require_host_extents}, R"(
@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def host(n: pl.Scalar[pl.INDEX]):
    pass
)");
}

}  // namespace
}  // namespace pyptoc::passes
