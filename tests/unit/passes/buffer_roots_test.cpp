// SPDX-License-Identifier: Apache-2.0
// Roots that are remembered from one program to the next are those that would be found anew.
#include "passes/buffer_roots.h"

#include <catch2/catch.hpp>

#include "corpus.h"
#include "front_fixture.h"
#include "ir/walker.h"
#include "passes/pipeline.h"
#include "serial/reader.h"

namespace pyptoc::passes {
namespace {

using namespace ir;

constexpr std::string_view kCaller = R"(
@pl.function(type=pl.FunctionType.Orchestration)
def caller(a: pl.InOut[TENSOR], b: pl.InOut[TENSOR]) -> TENSOR:
    c = chosen(a, b)
    return c
)";

std::string chosen(std::string_view result, std::string_view type) {
  return "@pl.function(type=pl.FunctionType." + std::string(type) +
         ")\ndef chosen(a: pl.InOut[TENSOR], b: pl.InOut[TENSOR]) -> TENSOR:\n    return " + std::string(result) + "\n";
}

std::optional<int> returned_by(const Program* program, std::string_view function, RootsMemo& memo) {
  BufferRoots roots(program, &memo);
  return roots.of(program->find(function)).returned_params().at(0);
}

TEST_CASE("the roots of a function change with what the functions that it calls hand back") {
  for (std::string_view type : {"AIV", "Orchestration"}) {
    testing::PassRun run(chosen("a", type) + std::string(kCaller), {});
    const Program* first = run.after();
    const Program* other = run.parse(chosen("b", type) + std::string(kCaller));
    Context& ir = run.context();
    const Program* second = ir.program(first->name, {first->find("caller"), other->find("chosen")}, first->span);
    RootsMemo memo;
    CHECK(returned_by(first, "caller", memo) == 0);
    CHECK(returned_by(second, "caller", memo) == 1);
    CHECK(returned_by(first, "caller", memo) == 0);
  }
}

TEST_CASE("a function and one of its name that a pass made of it have roots of their own") {
  testing::PassRun run(chosen("a", "Orchestration"), {});
  const Function* first = run.after()->find("chosen");
  const Function* second = run.parse(chosen("b", "Orchestration"))->find("chosen");
  REQUIRE(first->op == second->op);
  BufferRoots roots(run.after());
  const FunctionRoots& before = roots.of(first);
  CHECK(roots.of(second).returned_params().at(0) == 1);
  CHECK(&roots.of(first) == &before);
  CHECK(before.returned_params().at(0) == 0);
  CHECK(roots.of(second).returned_params().at(0) == 1);
}

// The first change of the callee is seen by nobody but the callee; the caller is asked about later.
TEST_CASE("roots that a changed callee made wrong are not brought back by asking for the callee first") {
  testing::PassRun run(chosen("inner(a, b)", "Orchestration") + std::string(kCaller) +
                           "@pl.function(type=pl.FunctionType.AIV)\ndef inner(a: pl.InOut[TENSOR], b: "
                           "pl.InOut[TENSOR]) -> TENSOR:\n    return a\n",
                       {});
  const Program* first = run.after();
  const Program* other = run.parse(
      "@pl.function(type=pl.FunctionType.AIV)\ndef inner(a: pl.InOut[TENSOR], b: pl.InOut[TENSOR]) -> TENSOR:\n"
      "    return b\n");
  const Program* second = run.context().program(
      first->name, {first->find("caller"), first->find("chosen"), other->find("inner")}, first->span);
  RootsMemo memo;
  CHECK(returned_by(first, "caller", memo) == 0);
  CHECK(returned_by(second, "chosen", memo) == 1);
  CHECK(returned_by(second, "caller", memo) == 1);
}

// Behind stores in a straight list, and only there, a kernel's results are known without its roots.
TEST_CASE("what a kernel hands back under another name") {
  struct Case {
    const char* what;
    std::string body;
    bool plain;
  };
  const std::string stored = "    o = pl.tensor.assemble(b, a, [0])\n";
  const Case cases[] = {
      {"a parameter", "    return b\n", true},
      {"what was stored", stored + "    return o\n", true},
      {"the same twice", stored + "    p = pl.tensor.assemble(o, a, [0])\n    q = p\n    return q\n", true},
      {"what was made here", "    o = pl.tensor.adds(a, 1.0)\n    return o\n", true},
      {"what was stored to what was made here",
       "    n = pl.tensor.adds(a, 1.0)\n    o = pl.tensor.assemble(n, a, [0])\n    return o\n", true},
      {"a view", "    o = pl.tensor.reshape(b, [1, 64])\n    p = pl.tensor.reshape(o, [64])\n    return p\n", false},
      {"a carry",
       "    for i, (c,) in pl.range(4, init_values=(b,)):\n        d = pl.tensor.assemble(c, a, [0])\n"
       "        c = pl.yield_(d)\n    return c\n",
       false},
  };
  for (const Case& one : cases) {
    INFO(one.what);
    testing::PassRun run(
        "@pl.function(type=pl.FunctionType.AIV)\ndef kernel(a: TENSOR, b: pl.InOut[TENSOR]) -> TENSOR:\n" + one.body,
        {});
    INFO(run.messages());
    REQUIRE(run.after() != nullptr);
    const Function* kernel = run.after()->find("kernel");
    BufferRoots roots(run.after());
    CHECK((roots.plainly_returned_params(kernel) != nullptr) == one.plain);
    CHECK(roots.returned_params(kernel) == roots.of(kernel).returned_params());
  }
}

TEST_CASE("the roots of a function that nobody changed are found once") {
  testing::PassRun run(chosen("a", "AIV") + std::string(kCaller), {});
  const Program* first = run.after();
  Function renamed = *first->find("chosen");
  renamed.param_directions = run.context().list(std::vector<ParamDirection>{ParamDirection::InOut, ParamDirection::In});
  const Program* second =
      run.context().program(first->name, {first->find("caller"), run.context().make(renamed)}, first->span);
  RootsMemo memo;
  BufferRoots before(first, &memo);
  BufferRoots after(second, &memo);
  CHECK(&before.of(first->find("caller")) == &after.of(second->find("caller")));
  BufferRoots alone(second);
  CHECK(&before.of(first->find("caller")) != &alone.of(second->find("caller")));
}

// Every tensor value of a function, with its roots written out.
class Written : public Walker {
 public:
  Written(const Function* f, const FunctionRoots& roots) : roots_(roots) { walk(f->body); }
  std::vector<std::string> lines;

 protected:
  void visit(const Node* node) override {
    if (const AssignStmt* assign = as<AssignStmt>(node)) {
      std::string line = std::string(assign->var->name_hint) + ":";
      for (int number : roots_.of(assign->var)) {
        const Root& root = roots_.root(number);
        line += " " + std::to_string(static_cast<int>(root.kind)) + "." + std::to_string(root.param) + "." +
                std::to_string(root.element) + "." + std::to_string(root.node->serial);
      }
      lines.push_back(std::move(line));
    }
    children(node);
  }

 private:
  const FunctionRoots& roots_;
};

TEST_CASE("what the passes remember of real programs is what would be found anew") {
  const auto programs = test_support::graphs_in(test_support::corpus_folder() / "programs");
  if (programs.empty()) WARN("skipped: no corpus beside the repository");
  size_t compared = 0;
  for (size_t p = 0; p < programs.size(); p += 4) {
    Context ir;
    diag::Engine diags;
    const Options options;
    const std::string bytes = test_support::bytes_of(programs[p]);
    const Program* program = serial::read_program(ir, bytes, diags);
    RootsMemo memo;
    PassContext context{ir, diags, options, &memo};
    for (size_t row : rows_between("", "", options)) {
      if (program == nullptr || diags.has_errors()) break;
      program = pipeline()[row].run(program, context);
      BufferRoots remembered(program, &memo);
      BufferRoots anew(program);
      for (const Function* f : program->functions) {
        INFO(programs[p].filename() << " behind " << pipeline()[row].name << ", " << f->name);
        REQUIRE(remembered.of(f).returned_params() == anew.of(f).returned_params());
        REQUIRE(Written(f, remembered.of(f)).lines == Written(f, anew.of(f)).lines);
        ++compared;
      }
    }
  }
  CHECK((programs.empty() || compared > 1000));
}

}  // namespace
}  // namespace pyptoc::passes
