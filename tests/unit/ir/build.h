// SPDX-License-Identifier: Apache-2.0
// Small programs for tests of the IR, written in a few words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diag/engine.h"
#include "ir/context.h"
#include "ir/verifier.h"

namespace pyptoc::ir::test {

using Exprs = std::vector<const Expr*>;
using Vars = std::vector<const Var*>;
using Stmts = std::vector<const Stmt*>;
using Attrs = std::vector<Attr>;

// Each node gets a line of its own in `p.py`, in order of creation, so that reports come in that order.
class Build {
 public:
  Context c;

  const Span* at(int line) {
    Span span;
    span.filename = "p.py";
    span.begin_line = line;
    span.begin_column = 1;
    return c.span(span);
  }
  const Span* next() { return at(++line_); }

  // Types.
  const Type* scalar(DType dtype = DType::Index) { return c.scalar_type(dtype); }
  const Type* task() { return c.scalar_type(DType::TaskId); }
  const TensorType* tensor(std::vector<int64_t> extents, DType dtype = DType::Fp32,
                           TypeKind kind = TypeKind::TensorType) {
    Exprs shape;
    for (int64_t extent : extents) shape.push_back(c.const_int(extent));
    return c.tensor_type(dtype, c.list(shape), kind);
  }
  const TensorType* tensor_of(Exprs shape, DType dtype = DType::Fp32) { return c.tensor_type(dtype, c.list(shape)); }
  const TensorType* window(std::vector<int64_t> extents, DType dtype = DType::Fp32) {
    return tensor(std::move(extents), dtype, TypeKind::DistributedTensorType);
  }
  const Type* tile(std::vector<int64_t> extents, DType dtype = DType::Fp32, MemorySpace memory = MemorySpace::Vec) {
    TileType draft;
    draft.kind = TypeKind::TileType;
    draft.dtype = dtype;
    draft.shape = tensor(std::move(extents))->shape;
    draft.has_memory_space = true;
    draft.memory_space = memory;
    return c.copy(draft);
  }
  const Type* array(int64_t extent, DType dtype = DType::TaskId) {
    ArrayType draft;
    draft.kind = TypeKind::ArrayType;
    draft.dtype = dtype;
    draft.shape = c.list({static_cast<const Expr*>(c.const_int(extent))});
    return c.copy(draft);
  }
  const Type* plain(TypeKind kind = TypeKind::UnknownType) { return c.plain_type(kind); }

  // Expressions.
  const Var* var(std::string_view name, const Type* type) { return c.var(name, type, next()); }
  const Expr* num(int64_t value, DType dtype = DType::Index) { return c.const_int(value, dtype, next()); }
  const Expr* flag(bool value) { return c.const_bool(value, next()); }
  const Expr* ints(std::vector<int64_t> values) {
    Exprs elements;
    for (int64_t value : values) elements.push_back(num(value));
    return tuple(elements);
  }
  const Expr* tuple(const Exprs& elements) {
    std::vector<const Type*> types;
    for (const Expr* e : elements) types.push_back(e->type);
    return tuple(elements, c.tuple_type(types));
  }
  const Expr* tuple(const Exprs& elements, const Type* type) {
    auto draft = expr<MakeTuple>(NodeKind::MakeTuple, type);
    draft.elements = c.list(elements);
    return c.make(draft);
  }
  const Expr* item(const Expr* of, int64_t index, const Type* type) {
    auto draft = expr<TupleGetItemExpr>(NodeKind::TupleGetItemExpr, type);
    draft.tuple = of;
    draft.index = index;
    return c.make(draft);
  }
  const Expr* binary(NodeKind kind, const Expr* left, const Expr* right) { return c.binary(kind, left, right, next()); }
  const Expr* binary(NodeKind kind, const Expr* left, const Expr* right, const Type* type) {
    auto draft = expr<BinaryExpr>(kind, type);
    draft.left = left;
    draft.right = right;
    return c.make(draft);
  }
  const Expr* unary(NodeKind kind, const Expr* operand, const Type* type) {
    auto draft = expr<UnaryExpr>(kind, type);
    draft.operand = operand;
    return c.make(draft);
  }
  const Call* op(std::string_view name, const Exprs& args, const Type* type, const Attrs& kwargs = {},
                 const Attrs& attrs = {}) {
    return call_node(name, false, args, type, kwargs, attrs);
  }
  const Call* call(std::string_view function, const Exprs& args, const Type* type, const Attrs& attrs = {},
                   const Attrs& kwargs = {}) {
    return call_node(function, true, args, type, kwargs, attrs);
  }
  Submit submit(std::string_view function, const Exprs& args, const std::vector<const Type*>& results) {
    std::vector<const Type*> types = results;
    types.push_back(task());
    auto draft = expr<Submit>(NodeKind::Submit, c.tuple_type(types));
    draft.op = c.op(function, true);
    draft.args = c.list(args);
    return draft;
  }

  // Statements.
  const Stmt* assign(const Var* var, const Expr* value) { return c.assign(var, value, next()); }
  const Stmt* eval(const Expr* e) {
    auto draft = stmt<EvalStmt>(NodeKind::EvalStmt);
    draft.expr = e;
    return c.make(draft);
  }
  const Stmt* ret(const Exprs& values) {
    auto draft = stmt<ReturnStmt>(NodeKind::ReturnStmt);
    draft.value = c.list(values);
    return c.make(draft);
  }
  const Stmt* yield(const Exprs& values) {
    auto draft = stmt<YieldStmt>(NodeKind::YieldStmt);
    draft.value = c.list(values);
    return c.make(draft);
  }
  const Stmt* seq(const Stmts& stmts) { return c.seq(stmts, next()); }
  const Stmt* branch(const Expr* condition, const Stmt* then_body, const Stmt* else_body, const Vars& results = {}) {
    auto draft = stmt<IfStmt>(NodeKind::IfStmt);
    draft.condition = condition;
    draft.then_body = then_body;
    draft.else_body = else_body;
    draft.return_vars = c.list(results);
    return c.make(draft);
  }
  const IterArg* iter_arg(std::string_view name, const Expr* init, const Type* type) {
    auto draft = expr<IterArg>(NodeKind::IterArg, type);
    draft.name_hint = c.intern(name);
    draft.init_value = init;
    return c.make(draft);
  }
  const Stmt* loop(const Var* i, const Stmt* body, const Vars& args = {}, const Vars& results = {}) {
    auto draft = stmt<ForStmt>(NodeKind::ForStmt);
    draft.loop_var = i;
    draft.start = num(0);
    draft.stop = num(4);
    draft.step = num(1);
    draft.iter_args = c.list(args);
    draft.return_vars = c.list(results);
    draft.body = body;
    return c.make(draft);
  }
  const Stmt* while_loop(const Expr* condition, const Stmt* body, const Vars& args = {}, const Vars& results = {}) {
    auto draft = stmt<WhileStmt>(NodeKind::WhileStmt);
    draft.condition = condition;
    draft.iter_args = c.list(args);
    draft.return_vars = c.list(results);
    draft.body = body;
    return c.make(draft);
  }
  template <class S>
  const Stmt* scope(NodeKind kind, const Stmt* body, const Attrs& attrs = {}) {
    auto draft = stmt<S>(kind);
    draft.body = body;
    draft.attrs = c.list(attrs);
    return c.make(draft);
  }

  // A draft with a type that implies nothing, and only In parameters.
  Function function(std::string_view name, const Vars& params, const Stmt* body,
                    const std::vector<const Type*>& results = {}) {
    Function draft;
    draft.kind = NodeKind::Function;
    draft.span = next();
    draft.name = c.intern(name);
    draft.params = c.list(params);
    draft.param_directions = c.list(std::vector<ParamDirection>(params.size(), ParamDirection::In));
    draft.return_types = c.list(results);
    draft.body = body;
    return draft;
  }
  List<ParamDirection> directions(std::initializer_list<ParamDirection> list) { return c.list(list); }
  const Program* program(const std::vector<Function>& functions) {
    std::vector<const Function*> made;
    for (const Function& f : functions) made.push_back(c.make(f));
    return c.program("P", made, next());
  }

  Attr dtype(DType value) { return {"dtype", AttrValue::of_dtype(value)}; }
  Attr integer(std::string_view key, int64_t value) { return {key, AttrValue::of_int(value)}; }

  template <class S>
  S stmt(NodeKind kind) {
    S draft;
    draft.kind = kind;
    draft.span = next();
    return draft;
  }
  template <class S>
  S expr(NodeKind kind, const Type* type) {
    S draft = stmt<S>(kind);
    draft.type = type;
    return draft;
  }

 private:
  const Call* call_node(std::string_view name, bool is_function, const Exprs& args, const Type* type,
                        const Attrs& kwargs, const Attrs& attrs) {
    auto draft = expr<Call>(NodeKind::Call, type);
    draft.op = c.op(name, is_function);
    draft.args = c.list(args);
    draft.kwargs = c.list(kwargs);
    draft.attrs = c.list(attrs);
    return c.make(draft);
  }

  int line_ = 0;
};

// What the verifier reports: `E0300 variable ...`, then its notes and helps, each indented.
inline std::vector<std::string> faults(const Program* program, const VerifyOptions& options = {}) {
  diag::Engine engine;
  bool good = verify(program, engine, options);
  std::vector<std::string> out;
  bool errors = false;
  for (const diag::Diagnostic& d : engine.sorted()) {
    errors = errors || d.code->id[0] == 'E';
    out.push_back(std::string(d.code->id) + " " + d.message);
    for (const std::string& help : d.helps) out.push_back("  help: " + help);
  }
  if (good == errors) out.push_back("verify() answers the opposite of what it reports");
  return out;
}
// Of a program with one function `f` that has this body.
inline std::vector<std::string> body_faults(Build& b, const Stmts& body, const Vars& params = {},
                                            const VerifyOptions& options = {}) {
  return faults(b.program({b.function("f", params, b.seq(body))}), options);
}
using Faults = std::vector<std::string>;

}  // namespace pyptoc::ir::test
