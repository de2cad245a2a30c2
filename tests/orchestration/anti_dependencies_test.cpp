// SPDX-License-Identifier: Apache-2.0
// Programs in which a buffer is overwritten that earlier tasks may still read: compiled, run on the stand-in in many
// permitted orders, and compared with what they mean when one task runs after the other. Then each edge and each
// direction that OrderAntiDependencies added is taken away: that must show.
#include <catch2/catch.hpp>
#include <fstream>

#include "codegen/chip_unit.h"
#include "ir/rewriter.h"
#include "passes/call_graph.h"
#include "passes/pipeline.h"
#include "runtime/standin/compile.h"
#include "text/parser.h"

namespace pyptoc {
namespace {

using namespace ir;

constexpr std::string_view kKernels = R"(import pypto.language as pl

@pl.function(type=pl.FunctionType.AIV)
def use(x: pl.Tensor[[64], pl.FP32], out: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
    return out

@pl.function(type=pl.FunctionType.AIV)
def join(a: pl.Tensor[[64], pl.FP32], b: pl.InOut[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
    return b

@pl.function(type=pl.FunctionType.AIV)
def make(out: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
    return out

@pl.function(type=pl.FunctionType.AIV)
def change(x: pl.InOut[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
    return x

@pl.function(type=pl.FunctionType.AIV)
def use_half(x: pl.Tensor[[32], pl.FP32], out: pl.Out[pl.Tensor[[32], pl.FP32]]) -> pl.Tensor[[32], pl.FP32]:
    return out

@pl.function(type=pl.FunctionType.AIV)
def change_half(x: pl.InOut[pl.Tensor[[32], pl.FP32]]) -> pl.Tensor[[32], pl.FP32]:
    return x

@pl.function(type=pl.FunctionType.AIV)
def use_flag(f: pl.Tensor[[4], pl.INT32], out: pl.Out[pl.Tensor[[64], pl.FP32]]) -> pl.Tensor[[64], pl.FP32]:
    return out

@pl.function(type=pl.FunctionType.AIV)
def set_flag(f: pl.InOut[pl.Tensor[[4], pl.INT32]]) -> pl.Tensor[[4], pl.INT32]:
    return f

@pl.function(type=pl.FunctionType.Orchestration)
def main(x: pl.InOut[pl.Tensor[[64], pl.FP32]], y: pl.InOut[pl.Tensor[[64], pl.FP32]],
         z: pl.InOut[pl.Tensor[[64], pl.FP32]], big: pl.InOut[pl.Tensor[[256], pl.FP32]],
         out: pl.InOut[pl.Tensor[[256], pl.FP32]], flag: pl.InOut[pl.Tensor[[4], pl.INT32]],
         n: pl.Scalar[pl.INDEX]):
)";

struct Case {
  std::string_view name;
  std::string_view body;
};

constexpr Case kCases[] = {
    {"straight line", R"(    y2 = use(x, y)
    z2 = use(x, z)
    x2 = change(x)
    z3 = join(x2, z2)
)"},
    {"a chain of temporaries", R"(    t = pl.tensor.create([64], dtype=pl.FP32)
    t2 = use(x, t)
    y2 = join(t2, y)
    t3 = use(y2, t2)
    z2 = join(t3, z)
    t4 = make(t3)
    z3 = join(t4, z2)
)"},
    {"through another view", R"(    wide = pl.tensor.reshape(x, [2, 32])
    row = pl.tensor.slice(wide, [1, 32], [1, 0])
    part = pl.tensor.reshape(row, [32])
    o = pl.tensor.slice(out, [32], [0])
    o2 = use_half(part, o)
    x2 = change(x)
)"},
    {"the reader in a branch", R"(    if n > 2:
        y2 = use(x, y)
        y3 = pl.yield_(y2)
    else:
        y3 = pl.yield_(y)
    x2 = change(x)
)"},
    {"the writer in a branch", R"(    y2 = use(x, y)
    if n > 2:
        x2 = change(x)
        x3 = pl.yield_(x2)
    else:
        x3 = pl.yield_(x)
    z2 = join(x3, z)
    x4 = make(x3)
)"},
    {"across iterations", R"(    for i, (a, b) in pl.range(5, init_values=(x, y)):
        a2 = change(a)
        b2 = use(a2, b)
        a3, b3 = pl.yield_(a2, b2)
    z2 = join(b3, z)
)"},
    {"a temporary of a parallel loop", R"(    t = pl.tensor.create([64], dtype=pl.FP32)
    for i, (a, b) in pl.parallel(4, init_values=(t, z)):
        a2 = make(a)
        b2 = join(a2, b)
        a3, b3 = pl.yield_(a2, b2)
)"},
    {"readers of moving parts, the writer behind the loop", R"(    for i in pl.parallel(n):
        part = pl.tensor.slice(big, [32], [i * 32])
        o = pl.tensor.slice(out, [32], [i * 32])
        o2 = use_half(part, o)
    last = pl.tensor.slice(big, [32], [n * 16 - 16])
    last2 = change_half(last)
)"},
    {"readers of one buffer in a loop, the writer behind it", R"(    for i in pl.range(n):
        o = pl.tensor.slice(out, [64], [i * 64])
        o2 = use(x, o)
    x2 = change(x)
)"},
    {"the next iteration writes what this one reads", R"(    for i in pl.range(4):
        part = pl.tensor.slice(big, [32], [i * 32])
        part2 = change_half(part)
        ahead = pl.tensor.slice(big, [32], [i * 32 + 32])
        o = pl.tensor.slice(out, [32], [i * 32])
        o2 = use_half(ahead, o)
)"},
    {"writer and reader in turns of a branch", R"(    for i, (a, b) in pl.range(6, init_values=(x, y)):
        if i == 2 or i == 5:
            a2 = change(a)
            a3, b3 = pl.yield_(a2, b)
        else:
            o = pl.tensor.slice(out, [64], [i % 4 * 64])
            o2 = use(a, o)
            a3, b3 = pl.yield_(a, b)
        a4, b4 = pl.yield_(a3, b3)
)"},
    {"nested loops", R"(    for i, (a, b) in pl.range(3, init_values=(x, y)):
        a2 = change(a)
        for j, (c,) in pl.range(n, init_values=(b,)):
            c2 = join(a2, c)
            c3 = pl.yield_(c2)
        a3, b3 = pl.yield_(a2, c3)
    x2 = make(a3)
)"},
    {"scopes", R"(    with pl.scope():
        y2 = use(x, y)
        with pl.scope():
            z2 = use(x, z)
    with pl.scope():
        x2 = change(x)
)"},
    {"one of two buffers", R"(    if n > 2:
        a = pl.yield_(x)
    else:
        a = pl.yield_(y)
    z2 = use(a, z)
    x2 = change(x)
    y2 = change(y)
)"},
    {"a task that waits for an element", R"(    y2, t = pl.submit(use, x, y, predicate=(pl.tensor.read(flag, [0]) > 0))
    flag2 = set_flag(flag)
)"},
    {"the orchestration writes an element", R"(    y2 = use(x, y)
    x2 = pl.tensor.write(x, [3], 1.5)
    z2 = join(x2, z)
)"},
    {"the orchestration waits in between", R"(    y2 = use_flag(flag, y)
    v = pl.tensor.read(y2, [0])
    flag2 = set_flag(flag)
    if v != 0.0:
        z2 = use_flag(flag2, z)
        z3 = pl.yield_(z2)
    else:
        z3 = pl.yield_(z)
    flag3 = set_flag(flag2)
)"},
    {"an element that nobody needs", R"(    y2 = use_flag(flag, y)
    v = pl.tensor.read(y2, [0])
    flag2 = set_flag(flag)
)"},
    {"behind a manual scope", R"(    with pl.manual_scope():
        y2, a = pl.submit(use, x, y)
        z2, b = pl.submit(join, y2, z, deps=[a])
    x2 = change(x)
    z3 = join(x2, z2)
)"},
};

// --- What the pass added, and the program without one piece of it

constexpr std::string_view kEdges = "compiler_manual_dep_edges";

List<Attr> attrs_of(const Expr* call) {
  const Submit* submit = as<Submit>(call);
  return submit != nullptr ? submit->attrs : as<Call>(call)->attrs;
}

// Walks the calls of functions in program order; counts what was added, and leaves out number `drop`.
class WithoutOne : public Rewriter {
 public:
  WithoutOne(Context& context, const Program* program, int drop) : Rewriter(context), program_(program), drop_(drop) {}
  int added() const { return added_; }

 protected:
  using Rewriter::rewrite;
  const Expr* rewrite(const Expr* e) override {
    const Op* callee = passes::called_function(e);
    if (callee == nullptr) return rebuild(e);
    const Function* f = program_->find(callee->name);
    std::vector<Attr> attrs(attrs_of(e).begin(), attrs_of(e).end());
    for (Attr& attr : attrs) {
      if (attr.key == kEdges) {
        std::vector<const Var*> kept;
        for (const Var* var : attr.value.as_vars())
          if (added_++ != drop_) kept.push_back(var);
        attr.value = AttrValue::of_vars(context().list(kept));
      } else if (attr.key == "arg_directions") {
        std::vector<int32_t> directions(attr.value.as_ints().begin(), attr.value.as_ints().end());
        for (size_t i = 0; i < directions.size(); ++i) {
          const bool turned = directions[i] == static_cast<int32_t>(ArgDirection::InOut) &&
                              f->param_directions[i] == ParamDirection::In;
          if (turned && added_++ == drop_) directions[i] = static_cast<int32_t>(ArgDirection::Input);
        }
        attr.value = AttrValue::of_ints(AttrKind::ArgDirectionVector, context().list(directions));
      }
    }
    if (const Submit* submit = as<Submit>(e)) {
      Submit draft = *submit;
      draft.attrs = context().list(attrs);
      return context().make(draft);
    }
    Call draft = *as<Call>(e);
    draft.attrs = context().list(attrs);
    return context().make(draft);
  }

 private:
  const Program* program_;
  int drop_;
  int added_ = 0;
};

// --- From text to a program that the stand-in runs

class Compiled {
 public:
  // `drop` -1 keeps everything.
  Compiled(std::string_view body, int drop) {
    passes::Options options;
    passes::PassContext context{ir_, diags_, options};
    const Program* program = text::parse_program(ir_, std::string(kKernels) + std::string(body), "test.py", diags_);
    if (program != nullptr) program = run("", "OrderAntiDependencies", program, context);
    if (program != nullptr) {
      WithoutOne without(ir_, program, drop);
      const Program* mutated = without.program(program);
      added_ = without.added();
      program = run("OrderAntiDependencies", "", drop < 0 ? program : mutated, context);
    }
    if (program != nullptr) load(program, options);
    if (diags_.has_errors())
      for (const diag::Diagnostic& d : diags_.sorted()) error_ += std::string(d.code->id) + " " + d.message + "\n";
  }

  const std::string& error() const { return error_; }
  int added() const { return added_; }
  const standin::Program& program() const { return program_; }

 private:
  static const Program* run(std::string_view after, std::string_view upto, const Program* program,
                            passes::PassContext& context) {
    passes::RunPlan plan;
    plan.rows = passes::rows_between(after, upto, context.options);
    plan.verify_each = false;
    return passes::run_passes(program, context, plan);
  }

  static standin::Direction direction(ParamDirection d) {
    return d == ParamDirection::In    ? standin::Direction::kIn
           : d == ParamDirection::Out ? standin::Direction::kOut
                                      : standin::Direction::kInOut;
  }

  // Kernels do what their parameters say, whatever the directions of the arguments.
  void load(const Program* program, const passes::Options& options) {
    codegen::ChipUnit unit = codegen::emit_chip_unit(program, program->find("main"), options.target, diags_);
    const standin::TempFolder folder;
    const auto source = folder.path() / "main.cpp";
    std::ofstream(source) << unit.source;
    standin::Loaded loaded = standin::load_orchestration(source, {{"-O0"}});
    error_ = loaded.error;
    program_ = std::move(loaded.program);
    for (size_t k = 0; k < unit.kernels.size(); ++k) {
      standin::Kernel kernel;
      kernel.name = std::string(unit.kernels[k].function->name);
      kernel.core = unit.kernels[k].is_cube ? standin::CoreType::kAic : standin::CoreType::kAiv;
      for (codegen::Signature s : unit.kernels[k].signature)
        kernel.signature.push_back(s == codegen::Signature::In    ? standin::Direction::kIn
                                   : s == codegen::Signature::Out ? standin::Direction::kOut
                                                                  : standin::Direction::kInOut);
      std::vector<standin::Direction> does;
      for (ParamDirection d : unit.kernels[k].function->param_directions) does.push_back(direction(d));
      kernel.body = standin::mixing_body(does, k + 1);
      program_.kernels.push_back(std::move(kernel));
    }
  }

  Context ir_;
  diag::Engine diags_;
  standin::Program program_;
  std::string error_;
  int added_ = 0;
};

standin::Arguments arguments(uint64_t n) {
  standin::Arguments out;
  auto floats = [&](std::string name, size_t count, float first) {
    std::vector<float> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = first + static_cast<float>(i);
    out.tensors.push_back(standin::host_tensor(std::move(name), standin::Direction::kInOut, DataType::FLOAT32,
                                               {static_cast<uint32_t>(count)}, values));
  };
  floats("x", 64, 1);
  floats("y", 64, 100);
  floats("z", 64, 200);
  floats("big", 256, 300);
  floats("out", 256, 1000);
  out.tensors.push_back(
      standin::host_tensor<int32_t>("flag", standin::Direction::kInOut, DataType::INT32, {4}, {1, 2, 3, 4}));
  out.scalars.push_back(n);
  return out;
}

std::vector<std::vector<unsigned char>> contents(const standin::RunResult& result) {
  std::vector<std::vector<unsigned char>> out;
  for (const standin::HostTensor& tensor : result.tensors) out.push_back(tensor.bytes);
  return out;
}

// What is wrong in `seeds` runs of the program for each of two values of n, against what it means.
std::string wrong(const standin::Program& program, int seeds) {
  for (uint64_t n : {uint64_t{4}, uint64_t{1}}) {
    standin::Config in_order;
    in_order.in_order = true;
    const auto meant = contents(standin::run(program, arguments(n), in_order));
    std::string problem =
        standin::run_seeds(program, arguments(n), {}, seeds, [&](const standin::RunResult& result) -> std::string {
          return contents(result) == meant ? "" : "another result than in program order";
        });
    if (!problem.empty()) return "n = " + std::to_string(n) + ", " + problem;
  }
  return "";
}

TEST_CASE("every permitted order gives the result of the program order") {
  for (const Case& one : kCases) {
    INFO(one.name);
    const Compiled compiled(one.body, -1);
    REQUIRE(compiled.error() == "");
    CHECK(wrong(compiled.program(), 200) == "");
  }
}

TEST_CASE("no edge and no direction that was added can be missed") {
  int added = 0;
  int caught = 0;
  for (const Case& one : kCases) {
    INFO(one.name);
    const int pieces = Compiled(one.body, -1).added();
    for (int drop = 0; drop < pieces; ++drop) {
      const Compiled compiled(one.body, drop);
      REQUIRE(compiled.error() == "");
      ++added;
      const bool found = !wrong(compiled.program(), 20).empty();
      caught += found ? 1 : 0;
      if (!found) WARN(one.name << ": piece " << drop << " is not missed");
    }
  }
  WARN(caught << " of " << added << " pieces are missed when they are taken away");
  CHECK(added > 20);
  CHECK(caught == added);
}

}  // namespace
}  // namespace pyptoc
