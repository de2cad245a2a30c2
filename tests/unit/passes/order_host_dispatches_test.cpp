// SPDX-License-Identifier: Apache-2.0
// Which host tensors of dispatches become InOut so that the runtime orders them, and which stay as declared.
#include "passes/order_host_dispatches.h"

#include "front_fixture.h"
#include "ir/walker.h"
#include "passes/convert_to_ssa.h"
#include "passes/flatten_call_expr.h"
#include "passes/order_anti_dependencies.h"
#include "passes/simplify.h"

namespace pyptoc::passes {
namespace {

using namespace ir;

constexpr std::string_view kHead = R"(
N = pl.dynamic("N")

@pl.function(type=pl.FunctionType.Orchestration)
def move(a: TENSOR, b: pl.Out[TENSOR]) -> TENSOR:
    return b

@pl.function(type=pl.FunctionType.Orchestration)
def change(a: pl.InOut[TENSOR]):
    pass

@pl.function(type=pl.FunctionType.Orchestration)
def put(a: TENSOR, w: pl.Out[pld.DistributedTensor[[64], pl.FP32]]):
    pass

@pl.function(type=pl.FunctionType.Orchestration)
def get(w: pld.DistributedTensor[[64], pl.FP32], b: pl.Out[TENSOR]):
    pass

@pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)
def look(a: TENSOR):
    assert a.sum() == 0

@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
def host(x: TENSOR, y: pl.Out[TENSOR], t: pl.InOut[TENSOR], u: pl.InOut[TENSOR], p: pl.InOut[pl.Tensor[[N, 64], pl.FP32]], q: pl.InOut[pl.Tensor[[8, N, 64], pl.FP32]], n: pl.Scalar[pl.INDEX]):
    buf = pld.alloc_window_buffer(256)
    w = pld.window(buf, [64], dtype=pl.FP32)
)";

// `move:.+ get:..` in order of the calls: a letter for each argument, `+` one that became InOut, `.` one that did not.
class Marks : public Walker {
 public:
  explicit Marks(const Program* program) : program_(program) { walk(program->find("host")->body); }
  std::string text;

 private:
  void visit(const Node* node) override {
    const Call* call = as<Call>(node);
    if (call != nullptr && call->op->is_global_var) {
      const Function* callee = program_->find(call->op);
      const AttrValue* given = find_attr(call->attrs, "arg_directions");
      text += (text.empty() ? "" : " ") + std::string(call->op->name) + ":";
      for (size_t i = 0; i < call->args.size(); ++i) {
        const bool inout = given != nullptr && static_cast<ArgDirection>(given->as_ints()[i]) == ArgDirection::InOut;
        text += inout && callee->param_directions[i] != ParamDirection::InOut ? '+' : '.';
      }
    }
    children(node);
  }
  const Program* program_;
};

std::string marks(const std::string& body) {
  std::string source(kHead);
  for (size_t at = 0; at < body.size();) {
    const size_t end = body.find('\n', at) + 1;
    source += "    " + body.substr(at, end - at);
    at = end;
  }
  testing::PassRun run(source, {convert_to_ssa, simplify, flatten_call_expr, order_anti_dependencies});
  INFO(run.messages());
  REQUIRE(run.after() != nullptr);
  REQUIRE(run.diags().empty());
  PassContext context{run.ir(), run.diags(), {}};
  CHECK(order_anti_dependencies(run.after(), context) == run.after());
  return Marks(run.after()).text;
}

const std::string kRanks = "for r in pl.range(pld.world_size()):\n";

TEST_CASE("a dispatch that overwrites what another device may still read, and one that overwrites a result") {
  CHECK(marks("move(x, t, device=0)\nmove(t, y, device=1)\nmove(x, t, device=0)\n") == "move:.+ move:+. move:.+");
  CHECK(marks("move(x, y, device=0)\nmove(t, y, device=1)\n") == "move:.. move:.+");
  CHECK(marks("move(x, y)\nmove(t, y)\n") == "move:.. move:.+");
  CHECK(marks("move(t, y, device=0)\nchange(t, device=1)\n") == "move:+. change:.");
  CHECK(marks("look(t)\nchange(t, device=1)\n") == "look:+ change:.");
}

TEST_CASE("what the runtime orders by itself stays as declared") {
  CHECK(marks("move(x, t, device=0)\nmove(t, y, device=1)\n") == "move:.. move:..");
  CHECK(marks("change(t, device=0)\nchange(t, device=1)\nmove(t, y, device=0)\n") == "change:. change:. move:..");
  CHECK(marks("move(x, y, device=0)\nmove(x, t, device=1)\nlook(x)\n") == "move:.. move:.. look:.");
}

TEST_CASE("iterations of a loop: of one tensor, of a part for each") {
  CHECK(marks("for i in pl.range(n):\n    move(x, y, device=0)\n") == "move:.+");
  CHECK(marks("for i in pl.range(n):\n    move(x, t, device=0)\n    move(t, y, device=1)\n") == "move:.+ move:++");
  CHECK(marks(kRanks + "    move(x, p[r], device=r)\n") == "move:..");
  CHECK(
      marks("for i in pl.range(8):\n    for r in pl.range(pld.world_size()):\n        move(x, q[i, r], device=r)\n") ==
      "move:..");
  CHECK(
      marks("for i in pl.range(8):\n    for r in pl.range(pld.world_size()):\n        move(x, q[0, r], device=r)\n") ==
      "move:.+");
  CHECK(marks("m = n\nwhile m > 0:\n    move(x, y, device=0)\n    m = m - 1\n") == "move:.+");
}

TEST_CASE("dispatches of one rank that get windows are in order by its token") {
  CHECK(marks("get(w, t, device=0)\nput(t, w, device=0)\nget(w, t, device=0)\n") == "get:.. put:.. get:..");
  CHECK(marks("get(w, t, device=0)\nput(t, w, device=1)\nget(w, t, device=0)\n") == "get:.+ put:+. get:.+");
  const std::string both = kRanks + "    put(p[r], w, device=r)\n" + kRanks + "    get(w, p[r], device=r)\n";
  CHECK(marks(both + both) == "put:.. get:.. put:.. get:..");
  // The part of another rank.
  CHECK(marks(kRanks + "    put(p[r], w, device=r)\n" + kRanks +
              "    get(w, p[pld.world_size() - 1 - r], device=r)\n") == "put:+. get:.+");
  // No windows: two dispatches of one device may run in any order.
  CHECK(marks(kRanks + "    move(p[r], t[0:64], device=r)\n" + kRanks + "    change(p[r], device=r)\n") ==
        "move:++ change:.");
  CHECK(marks("move(x, y, device=0)\nmove(t, y, device=0)\n") == "move:.. move:.+");
  // One tensor for all ranks, in one body: the same iteration is of one rank, others are not.
  CHECK(marks(kRanks + "    get(w, t, device=r)\n    put(t, w, device=r)\n") == "get:.+ put:+.");
  // A loop inside of the one that counts the device.
  CHECK(marks(kRanks + "    for i in pl.range(n):\n        get(w, p[r], device=r)\n        put(p[r], w, device=r)\n") ==
        "get:.. put:..");
}

TEST_CASE("parts that share nothing, by constants") {
  CHECK(marks("put(p[0], w, device=0)\nget(w, p[1], device=1)\n") == "put:.. get:..");
  CHECK(marks("move(p[0], p[1], device=0)\nmove(p[2], p[1], device=1)\n") == "move:.. move:.+");
}

TEST_CASE("a tensor that one branch or another gives") {
  CHECK(marks("if n > 0:\n    z = t\nelse:\n    z = u\nmove(z, y, device=0)\nchange(u, device=1)\n") ==
        "move:+. change:.");
}

TEST_CASE("what a dispatch makes is overwritten") {
  CHECK(marks("z = move(x, device=0)\nmove(t, z, device=1)\n") == "move:. move:.+");
}

// Comparing each with each would take time that grows with the square of the program.
TEST_CASE("of more parts than are compared all become InOut") {
  std::string body;
  std::string due;
  for (int i = 0; i < 60; ++i) {
    body += "move(x, p[" + std::to_string(i) + "], device=" + std::to_string(i % 2) + ")\n";
    due += (i > 0 ? " " : "") + std::string("move:.") + (i < 40 ? "." : "+");
  }
  std::string some = body.substr(0, body.find("move(x, p[40]"));
  CHECK(marks(some) == due.substr(0, some.empty() ? 0 : 40 * 8 - 1));
  std::string found = marks(body);
  CHECK(found.substr(found.size() - 8 * 10) == due.substr(due.size() - 8 * 10));
}

}  // namespace
TEST_CASE("one tensor for two parameters of a dispatch") {
  // Each parameter is a copy of its own: what was written to the first of two that come back was lost.
  auto codes = [](const std::string& body) {
    std::string source(kHead);
    source.replace(source.find("@pl.function(level"), 0,
                   "@pl.function(type=pl.FunctionType.Orchestration)\ndef two(a: pl.Out[TENSOR], b: "
                   "pl.InOut[TENSOR]):\n    pass\n\n@pl.function(level=pl.Level.HOST, "
                   "role=pl.Role.SubWorker)\ndef both(a: pl.Out[TENSOR], b: pl.InOut[TENSOR]):\n    a[:] = b\n\n");
    testing::PassRun run(source + body, {convert_to_ssa, simplify, flatten_call_expr, order_anti_dependencies});
    std::string out;
    for (const diag::Diagnostic& d : run.diags().sorted()) out += d.message + "\n";
    return out;
  };
  const std::string twice = "the dispatch of `two` writes one tensor as `a` and as `b`\n";
  CHECK(codes("    two(t, u, device=0)\n") == "");
  CHECK(codes("    two(t, t, device=0)\n") == twice);
  CHECK(codes("    t2 = t\n    two(t2, t, device=0)\n") == twice);
  CHECK(codes("    move(t, t, device=0)\n") == "");  // reads what was there before
  CHECK(codes("    both(t, t)\n") == "");            // gets the tensor itself
  auto row = [](const std::string& name, const std::string& number) {
    return "    " + name + " = pl.tensor.slice(p, [1, 64], [" + number + ", 0], [], [0])\n";
  };
  CHECK(codes(row("a", "1") + row("b", "2") + "    two(a, b, device=0)\n") == "");
  CHECK(codes(row("a", "n") + row("b", "n + 1") + "    two(a, b, device=0)\n") == "");
  CHECK(codes(row("a", "n") + row("b", "n") + "    two(a, b, device=0)\n") == twice);
  CHECK(codes(row("a", "n") + row("b", "2") + "    two(a, b, device=0)\n") == "");  // may be two rows
}

}  // namespace pyptoc::passes
