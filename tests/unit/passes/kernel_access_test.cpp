// SPDX-License-Identifier: Apache-2.0
// What kernels do to their parameters, in a straight body and, by way of the storage roots, in one with control flow.
#include "passes/kernel_access.h"

#include "front_fixture.h"

namespace pyptoc::passes {
namespace {

// "a r, b rw" for the parameters that are read or written; nothing else is said of the others.
std::string accesses(const std::string& body) {
  testing::PassRun run(
      "@pl.function(type=pl.FunctionType.InCore)\ndef kernel(a: TENSOR, b: TENSOR, c: TENSOR, u: TENSOR):\n" + body,
      {});
  INFO(run.messages());
  REQUIRE(run.after() != nullptr);
  const ir::Function* kernel = run.after()->find("kernel");
  BufferRoots roots(run.after());
  const std::vector<ParamAccess> found = param_accesses(kernel, roots, {});
  std::string out;
  for (size_t i = 0; i + 1 < found.size(); ++i) {
    if (!found[i].read && !found[i].written) continue;
    out += (out.empty() ? "" : ", ") + std::string(kernel->params[i]->name_hint) + " " + (found[i].read ? "r" : "") +
           (found[i].written ? "w" : "");
  }
  return out;
}

struct Case {
  std::string body;
  const char* accesses;
};

TEST_CASE("accesses of a straight body are those that the roots show") {
  const std::string made = "    t = pl.tensor.adds(a, 1.0)\n";
  const std::string view = "    v = pl.tensor.slice(b, [32], [0])\n";
  const Case cases[] = {
      {"    pl.tensor.dim(a, 0)\n", ""},
      {made, "a r"},
      {made + "    o = pl.tensor.assemble(b, t, [0])\n", "a r, b w"},
      {made + "    o = pl.tensor.assemble(b, t, [0])\n    p = pl.tensor.adds(o, 2.0)\n", "a r, b rw"},
      {made + "    o = pl.tensor.assemble(t, c, [0])\n    p = pl.tensor.adds(o, 2.0)\n", "a r, c r"},
      {view + "    w = pl.tensor.adds(v, 1.0)\n", "b r"},
      {view + "    o = pl.tensor.assemble(v, a, [0])\n", "a r, b w"},
      {view + "    x = v\n    o = pl.tensor.assemble(x, a, [0])\n    p = pl.tensor.assemble(o, c, [0])\n",
       "a r, b w, c r"},
      {"    pl.tensor.write(c, [0], pl.tensor.read(a, [1]))\n", "a r, c w"},
  };
  const std::string loop = "    for i in pl.range(2):\n        z = pl.tensor.adds(u, 0.0)\n";
  for (const Case& one : cases) {
    INFO(one.body);
    CHECK(accesses(one.body) == one.accesses);
    CHECK(accesses(loop + one.body) == one.accesses);
  }
}

}  // namespace
}  // namespace pyptoc::passes
