// SPDX-License-Identifier: Apache-2.0
// What occurs in a node, as Context::make computes it, and what does not occur any more after a rewrite.
#include "ir/contents.h"

#include <catch2/catch.hpp>

#include "build.h"
#include "contents_check.h"
#include "ir/rewriter.h"

namespace pyptoc::ir {
namespace {

using test_support::contents_fault;

struct Piece {
  const char* what;
  const Stmt* stmt;
  Contents contents;
};

std::vector<Piece> pieces(test::Build& b) {
  const Var* x = b.var("x", b.tensor({64}));
  const Var* n = b.var("n", b.scalar());
  const Var* window = b.var("w", b.window({64}));
  const Var* pair = b.var("p", b.c.tuple_type({b.tensor({64}), b.plain(TypeKind::CommCtxType)}));
  const Stmt* nothing = b.seq({});
  const Call* call = b.call("f", {x}, b.tensor({64}));
  Submit wide = b.submit("f", {x}, {b.tensor({64})});
  wide.core_num = b.num(2);
  const Var* tile = b.var("t", b.tile({64}));
  const Stmt* by_name = b.assign(b.var("y", b.tensor({64})), call);
  return {
      {"a definition", b.assign(b.var("y", b.tensor({64})), x), {}},
      {"a call", by_name, Content::FunctionCall},
      {"a submit", b.eval(b.c.make(b.submit("f", {x}, {b.tensor({64})}))), Content::FunctionCall | Content::Submit},
      {"an operator of another area", b.eval(b.op("tensor.adds", {x, n}, b.tensor({64}))), {}},
      {"a function that is called like an operator", b.eval(b.call("pld.system.wait", {x}, b.plain())),
       Content::FunctionCall},
      {"an element write", b.eval(b.op("tensor.write", {x, b.ints({0}), n}, b.tensor({64}))), Content::ElementWrite},
      {"an element read", b.assign(n, b.op("tensor.read", {x, b.ints({0})}, b.scalar())),
       Content::ElementRead | Content::Scalar},
      {"a use of a window", b.eval(b.op("tensor.dim", {window, b.num(0)}, b.scalar())), Content::Window},
      {"the definition of a window", b.assign(window, x), Content::Window},
      {"a tuple with a context", b.assign(pair, b.tuple({})), Content::Window},
      {"an operator on windows", b.eval(b.op("pld.system.world_size", {}, b.scalar())), Content::Window},
      {"an unknown operator on windows", b.eval(b.op("pld.tensor.later", {}, b.scalar())), Content::Window},
      {"a pipe", b.eval(b.op("tile.tpush_to_aic", {x}, b.plain())), Content::Pipe},
      {"an array", b.assign(b.var("a", b.array(4)), b.op("array.create", {b.num(4)}, b.array(4))), Content::Array},
      {"a loop", b.loop(b.var("i", b.scalar()), nothing), Content::Loop},
      {"a loop that waits", b.while_loop(b.flag(true), by_name), Content::Loop | Content::FunctionCall},
      {"a carry that starts as a call",
       b.loop(b.var("i", b.scalar()), nothing, {b.iter_arg("acc", call, b.tensor({64}))}),
       Content::Loop | Content::FunctionCall},
      {"a branch", b.branch(b.flag(true), nothing, by_name), Content::Branch | Content::FunctionCall},
      {"a scope", b.scope<RuntimeScopeStmt>(NodeKind::RuntimeScopeStmt, nothing), Content::Scope},
      {"a width", b.eval(b.call("f", {x}, b.tensor({64}), {{"core_num", AttrValue::of_int(2)}})),
       Content::FunctionCall | Content::Width},
      {"the width of a submit", b.eval(b.c.make(wide)), Content::FunctionCall | Content::Submit | Content::Width},
      {"an assembly", b.eval(b.op("tensor.assemble", {x, x, b.ints({0})}, b.tensor({64}))), Content::Assemble},
      {"a matrix operator", b.eval(b.op("tile.matmul", {tile, tile}, tile->type)), Content::Cube},
      {"a tile in cube memory", b.assign(b.var("l", b.tile({64}, DType::Fp32, MemorySpace::Left)), tile),
       Content::Cube},
      {"a tile in vector memory", b.assign(tile, tile), {}},
      {"a sum", b.eval(b.binary(NodeKind::Add, n, n)), Content::Scalar},
      {"a cast", b.eval(b.unary(NodeKind::Cast, n, b.scalar(DType::Int32))), Content::Scalar},
      {"an element of a tuple", b.eval(b.item(pair, 0, b.tensor({64}))), Content::Scalar | Content::Window},
      {"a scalar with a name", b.assign(n, b.num(1)), Content::Scalar},
      {"a sum in an extent", b.assign(b.var("s", b.tensor_of({b.binary(NodeKind::Add, n, n)})), x), Content::Scalar},
      {"an attribute", b.eval(b.op("tensor.adds", {x, n}, b.tensor({64}), {}, {{"e", AttrValue::of_expr(call)}})),
       Content::FunctionCall},
  };
}

TEST_CASE("a node knows what occurs in it") {
  test::Build b;
  for (const Piece& piece : pieces(b)) {
    INFO(piece.what);
    CHECK(piece.stmt->contents == piece.contents);
    CHECK(contents_fault(piece.stmt) == "");
    const Function* f = b.c.make(b.function("g", {}, b.seq({piece.stmt, b.ret({})})));
    CHECK(f->contents == piece.contents);
    CHECK(b.c.program("P", {f}, b.next())->contents == piece.contents);
  }
}

TEST_CASE("parameters and results count") {
  test::Build b;
  Function scaled = b.function("g", {}, b.ret({}));
  const Var* n = b.var("n", b.scalar());
  scaled.return_types = b.c.list<const Type*>({b.tensor_of({b.binary(NodeKind::Mul, n, n)})});
  CHECK(b.c.make(scaled)->contents == Content::Scalar);
  CHECK(b.c.make(b.function("g", {b.var("w", b.window({64}))}, b.ret({})))->contents == Content::Window);
}

class WithoutCalls : public Rewriter {
 public:
  using Rewriter::Rewriter;

 protected:
  using Rewriter::rewrite;
  const Expr* rewrite(const Expr* e) override {
    const Call* call = as<Call>(e);
    return call != nullptr && call->op->is_global_var ? call->args[0] : rebuild(e);
  }
};

// A draft is a copy of a node: what that held must not stay.
TEST_CASE("what a rewrite takes away does not occur any more") {
  test::Build b;
  const Var* x = b.var("x", b.tensor({64}));
  const Stmt* inner = b.assign(b.var("y", b.tensor({64})), b.call("f", {x}, b.tensor({64})));
  const Stmt* before = b.branch(b.flag(true), b.seq({inner, b.yield({})}), nullptr);
  CHECK(before->contents == (Content::Branch | Content::FunctionCall));
  const Stmt* after = WithoutCalls(b.c).stmt(before);
  CHECK(after->contents == Contents(Content::Branch));
  CHECK(contents_fault(after) == "");
}

}  // namespace
}  // namespace pyptoc::ir
