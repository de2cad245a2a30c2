// SPDX-License-Identifier: Apache-2.0
// HOST programs through the whole pipeline: an allreduce without a signal in every form that it can have, with the IR
// valid, and windows the same, after each pass up to the last.
#include "host_fixture.h"
#include "ir/op_table.h"
#include "ir/walker.h"
#include "passes/pipeline.h"

namespace pyptoc::passes {
namespace {

using namespace ir;

constexpr std::string_view kData =
    "buf = pld.alloc_window_buffer(256)\nx = pld.window(buf, [64], dtype=pl.FP32)\n"
    "for r in pl.range(pld.world_size()):\n    use(x, device=r)\n";

// Every dispatch of a builtin finds each operand's slot in a domain around it.
class Dispatches : public Walker {
 public:
  int count = 0;
  int lost = 0;

 protected:
  void visit(const Node* node) override {
    if (const CommDomainScopeStmt* domain = as<CommDomainScopeStmt>(node))
      for (const Var* slot : domain->slots) slots_.insert(slot);
    const Call* call = as<Call>(node);
    if (call != nullptr && !call->op->is_global_var && is_builtin(call->op->id)) {
      ++count;
      for (const Expr* arg : call->args) {
        const TensorType* type = as_tensor(arg->type);
        if (type == nullptr || type->window_buffer == nullptr || !slots_.contains(type->window_buffer)) ++lost;
      }
    }
    children(node);
  }

 private:
  NodeSet slots_;
};

// What is wrong; the number of dispatches when nothing is.
std::string run(std::string_view body, std::string_view parameters = "n: pl.Scalar[pl.INDEX]") {
  Context ir;
  diag::Engine diags;
  Options options;
  PassContext context{ir, diags, options};
  const Program* program =
      text::parse_program(ir, testing::program_text(testing::host_source(body, parameters)), "test.py", diags);
  auto first = [&] { return std::string(diags.sorted()[0].code->id) + " " + diags.sorted()[0].message; };
  if (program == nullptr || !verify(program, diags)) return first();
  RunPlan plan;
  plan.rows = rows_between("", "", options);
  std::string fault;
  plan.after_pass = [&](size_t row, const Program*, const Program* after) {
    if (diags.has_errors() || !fault.empty()) return;
    diag::Engine found;
    if (!verify(after, found, {.allow_builtin = true}))
      fault = std::string(pipeline()[row].name) + ": " + found.sorted()[0].message;
    Context other;
    const Program* again = text::parse_program(other, text::print_program(after), "again.py", found);
    if (fault.empty() && (again == nullptr || first_difference(after, again)))
      fault = std::string(pipeline()[row].name) + " leaves what its text does not say";
  };
  program = run_passes(program, context, plan);
  if (program == nullptr) return first();
  if (!fault.empty()) return fault;
  Dispatches dispatches;
  for (const Function* f : program->functions)
    if (is_host_orchestrator(f)) dispatches.walk(f->body);
  return dispatches.lost > 0 ? "windows lost" : std::to_string(dispatches.count);
}

TEST_CASE("an allreduce without a signal in every form") {
  const std::string data(kData);
  CHECK(run(data + "x = pld.tensor.allreduce(x, op=pld.ReduceOp.Sum)\n") == "1");
  CHECK(run(data + "pld.tensor.allreduce(x, op=pld.ReduceOp.Sum)\n") == "1");
  CHECK(run(data + "return pld.tensor.allreduce(x, op=pld.ReduceOp.Sum)\n") == "1");
  CHECK(run(data + "x = pld.tensor.allreduce(x, op=pld.ReduceOp.Sum)\n"
                   "x = pld.tensor.allreduce(x, op=pld.ReduceOp.Max, core_num=2)\n") == "2");
  CHECK(run(data + "for i in pl.range(n):\n    x = pld.tensor.allreduce(x, op=pld.ReduceOp.Sum)\n"
                   "    for q in pl.range(pld.world_size()):\n        use(x, device=q)\n") == "1");
  CHECK(run(data + "for i in pl.range(1):\n    x = pld.tensor.allreduce(x, op=pld.ReduceOp.Sum)\n") == "1");
  CHECK(run(data + "if n > 2:\n    x = pld.tensor.allreduce(x, op=pld.ReduceOp.Sum)\n"
                   "for q in pl.range(pld.world_size()):\n    use(x, device=q)\n") == "1");
  CHECK(run(data + "m = n\nwhile m > 0:\n    x = pld.tensor.allreduce(x, op=pld.ReduceOp.Sum, mode=\"ring\")\n"
                   "    m = m - 1\n") == "1");
  CHECK(run(data + "use(pld.tensor.allreduce(x, op=pld.ReduceOp.Sum), device=0)\n") == "1");
}

TEST_CASE("the same on some devices, and on different ones in a loop") {
  CHECK(run("buf = pld.alloc_window_buffer(256)\nx = pld.window(buf, [64], dtype=pl.FP32)\nfor r in pl.range(3):\n"
            "    use(x, device=r)\nx = pld.tensor.allreduce(x, op=pld.ReduceOp.Sum)\n") == "3");
  CHECK(run("a = pld.alloc_window_buffer(256)\nb = pld.alloc_window_buffer(256)\n"
            "x = pld.window(a, [64], dtype=pl.FP32)\ny = pld.window(b, [64], dtype=pl.FP32)\n"
            "for i in pl.range(n):\n    for r in pl.range(2):\n        use(x, device=r)\n"
            "    for q in pl.range(1, 3):\n        use(y, device=q)\n"
            "    x = pld.tensor.allreduce(x, op=pld.ReduceOp.Sum)\n    y = pld.tensor.allreduce(y, "
            "op=pld.ReduceOp.Sum)\n") == "4");
}

TEST_CASE("checks in branches and loops") {
  const std::string body =
      std::string(kData) + "sb = pld.alloc_window_buffer(64)\ns = pld.window(sb, [16], dtype=pl.INT32)\n";
  CHECK(run(body + "if n > 1:\n    x = pld.tensor.broadcast(x, s, root=3)\nelse:\n"
                   "    x = pld.tensor.broadcast(x, s, root=2)\n") == "2");
  CHECK(run(body + "for i in pl.range(n):\n    if i > 1:\n        x = pld.tensor.broadcast(x, s, root=3)\n") == "1");
}

TEST_CASE("sizes and shapes that the last Simplify folds") {
  CHECK(run("k = 4 * 16\nbuf = pld.alloc_window_buffer(k * 4)\nx = pld.window(buf, [k], dtype=pl.FP32)\n"
            "for r in pl.range(pld.world_size()):\n    use(x, device=r)\n"
            "x = pld.tensor.allreduce(x, op=pld.ReduceOp.Sum)\n") == "1");
  CHECK(
      run("w = pld.world_size()\nbuf = pld.alloc_window_buffer(w * 256)\nx = pld.window(buf, [w, 64], dtype=pl.FP32)\n"
          "sb = pld.alloc_window_buffer(w * 4)\ns = pld.window(sb, [w], dtype=pl.INT32)\n"
          "u = pld.window(buf, [64], dtype=pl.FP32)\n"
          "for r in pl.range(w):\n    use(u, device=r)\n"
          "x = pld.tensor.reduce_scatter(x, s, op=pld.ReduceOp.Sum)\n") == "1");
}

TEST_CASE("two windows that meet in one variable") {
  CHECK(run("a = pld.alloc_window_buffer(256)\nb = pld.alloc_window_buffer(256)\n"
            "x = pld.window(a, [64], dtype=pl.FP32)\ny = pld.window(b, [64], dtype=pl.FP32)\n"
            "if n > 0:\n    z = x\nelse:\n    z = y\nfor r in pl.range(pld.world_size()):\n    use(z, device=r)\n")
            .substr(0, 5) == "E0607");
}

}  // namespace
}  // namespace pyptoc::passes
