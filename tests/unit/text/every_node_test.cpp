// SPDX-License-Identifier: Apache-2.0
// Nodes, types and attributes that the corpus lacks, through the text and back; and IR that no program has.
#include <limits>

#include "ir/reflect.h"
#include "text_testing.h"

namespace pyptoc::text::testing {
namespace {

using ir::AttrValue;
using ir::DType;
using ir::NodeKind;
using ir::TypeKind;

// Makes nodes in a context of its own.
struct Maker {
  ir::Context context;

  template <class S>
  S draft(NodeKind kind) {
    S out;
    out.kind = kind;
    return out;
  }
  const ir::Type* scalar(DType dtype) { return context.scalar_type(dtype); }
  const ir::Var* var(std::string_view name, const ir::Type* type) { return context.var(name, type); }
  const ir::Expr* unary(NodeKind kind, const ir::Expr* operand, const ir::Type* type) {
    auto node = draft<ir::UnaryExpr>(kind);
    node.operand = operand;
    node.type = type;
    return context.make(node);
  }
  const ir::Stmt* eval(const ir::Expr* value) {
    auto node = draft<ir::EvalStmt>(NodeKind::EvalStmt);
    node.expr = value;
    return context.make(node);
  }
  const ir::Stmt* seq(const std::vector<const ir::Stmt*>& stmts) {
    auto node = draft<ir::SeqStmts>(NodeKind::SeqStmts);
    node.stmts = context.list(stmts);
    return context.make(node);
  }
  const ir::Function* function(std::string_view name, const std::vector<const ir::Var*>& params, const ir::Stmt* body) {
    auto node = draft<ir::Function>(NodeKind::Function);
    node.name = context.intern(name);
    node.params = context.list(params);
    std::vector<ir::ParamDirection> directions(params.size());
    node.param_directions = context.list(directions);
    node.body = body;
    return context.make(node);
  }
  const ir::Program* program(const std::vector<const ir::Function*>& functions, std::string_view name = "P") {
    return context.program(name, functions, context.unknown_span());
  }
  const ir::Program* around(const std::vector<const ir::Var*>& params, const ir::Stmt* body) {
    return program({function("f", params, body)});
  }
};

TEST_CASE("every operator") {
  Maker make;
  std::vector<const ir::Var*> params;
  for (DType dtype : {DType::Index, DType::Fp32, DType::Bool, DType::Int64})
    params.push_back(make.var("p" + std::to_string(static_cast<int>(dtype)), make.scalar(dtype)));
  std::vector<const ir::Stmt*> stmts;
  for (int k = static_cast<int>(NodeKind::Add); k <= static_cast<int>(NodeKind::BitShiftRight); ++k)
    for (const ir::Var* left : params)
      for (const ir::Var* right : params) {
        // Of the type that follows, and of one that does not.
        const ir::Expr* node = make.context.binary(static_cast<NodeKind>(k), left, right);
        stmts.push_back(make.eval(node));
        stmts.push_back(make.eval(make.context.binary(NodeKind::Mul, node, node)));
        stmts.push_back(make.eval(make.context.binary(NodeKind::Pow, node, node)));
        stmts.push_back(
            make.eval(make.context.binary(NodeKind::Lt, node, make.unary(NodeKind::Neg, node, node->type))));
      }
  for (NodeKind kind : {NodeKind::Abs, NodeKind::Neg, NodeKind::Not, NodeKind::BitNot, NodeKind::Cast})
    for (const ir::Var* operand : params) {
      const ir::Expr* node = make.unary(kind, operand, operand->type);
      stmts.push_back(make.eval(node));
      stmts.push_back(make.eval(make.unary(NodeKind::Neg, node, make.scalar(DType::UInt8))));
      stmts.push_back(make.eval(make.context.binary(NodeKind::And, node, make.unary(kind, node, node->type))));
    }
  check_round_trip(make.around(params, make.seq(stmts)));
}

TEST_CASE("every constant") {
  Maker make;
  std::vector<const ir::Stmt*> stmts;
  for (const ir::EnumRow& row : ir::EnumTraits<DType>::kRows) {
    DType dtype = static_cast<DType>(row.number);
    for (int64_t value : {int64_t{0}, int64_t{5}, int64_t{-7}, std::numeric_limits<int64_t>::max(),
                          std::numeric_limits<int64_t>::min()}) {
      const ir::Expr* node = make.context.const_int(value, dtype);
      stmts.push_back(make.eval(node));
      stmts.push_back(make.eval(make.unary(NodeKind::Neg, node, node->type)));
    }
    for (double value : {0.0, -0.5, 1e300, 5e-324, 1.0, 0.1}) {
      const ir::Expr* node = make.context.const_float(value, dtype);
      stmts.push_back(make.eval(node));
      stmts.push_back(make.eval(make.context.binary(NodeKind::Pow, node, node)));
    }
    auto flag = make.draft<ir::ConstBool>(NodeKind::ConstBool);
    flag.value = true;
    flag.type = make.scalar(dtype);
    stmts.push_back(make.eval(make.context.make(flag)));
  }
  for (double value : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()})
    for (DType dtype : {DType::Fp32, DType::Fp16}) stmts.push_back(make.eval(make.context.const_float(value, dtype)));
  check_round_trip(make.around({}, make.seq(stmts)));
}

TEST_CASE("every kind of attribute") {
  Maker make;
  const ir::Var* x = make.var("x", make.scalar(DType::Index));
  const ir::Expr* sum = make.context.binary(NodeKind::Add, x, x);
  const ir::Expr* five = make.context.const_int(5);
  std::vector<int32_t> numbers = {0, 3, 5};
  std::vector<const ir::Var*> vars = {x, nullptr, x};
  std::vector<AttrValue> values = {
      AttrValue::of_int(-3),
      AttrValue::of_bool(true),
      AttrValue::of_float(0.25),
      AttrValue::of_float(2.0),
      AttrValue::of_string("a \"b\"\n\xC3\xA9"),
      AttrValue::of_string(""),
      AttrValue::of_dtype(DType::Fp8E4M3FN),
      AttrValue::of_enum(ir::AttrKind::MemorySpace, 5),
      AttrValue::of_enum(ir::AttrKind::TensorLayout, 3),
      AttrValue::of_enum(ir::AttrKind::TileLayout, 2),
      AttrValue::of_enum(ir::AttrKind::PadValue, 3),
      AttrValue::of_enum(ir::AttrKind::ArgDirection, 4),
      AttrValue::of_ints(ir::AttrKind::ArgDirectionVector, make.context.list(numbers)),
      AttrValue::of_ints(ir::AttrKind::Int32Vector, make.context.list(numbers)),
      AttrValue::of_ints(ir::AttrKind::ArgDirectionVector, {}),
      AttrValue::of_ints(ir::AttrKind::Int32Vector, {}),
      AttrValue::of_var(x),
      AttrValue::of_var(nullptr),
      AttrValue::of_vars(make.context.list(vars)),
      AttrValue::of_vars({}),
      AttrValue::of_expr(x),
      AttrValue::of_expr(five),
      AttrValue::of_expr(sum),
      AttrValue::of_expr(nullptr),
  };
  std::vector<const ir::Stmt*> stmts;
  for (const char* key : {"some_key", "device", "predicate", "not a name", "deps", "core_num", "attrs", "class"}) {
    std::vector<ir::Attr> attrs;
    for (const AttrValue& value : values) attrs.push_back({key, value});
    for (const char* callee : {"tensor.create", "no.such_op", "system.task_dummy"}) {
      auto call = make.draft<ir::Call>(NodeKind::Call);
      call.op = make.context.op(callee, false);
      call.type = make.context.plain_type(TypeKind::AsyncSessionType);
      call.attrs = make.context.list(attrs);
      call.kwargs = make.context.list(attrs);
      stmts.push_back(make.eval(make.context.make(call)));
    }
    auto submit = make.draft<ir::Submit>(NodeKind::Submit);
    submit.op = make.context.op("f", true);
    submit.type = make.scalar(DType::Bool);
    submit.attrs = make.context.list(attrs);
    submit.kwargs = make.context.list(attrs);
    submit.args = make.context.list<const ir::Expr*>({sum, five});
    submit.deps = make.context.list<const ir::Expr*>({x, five});
    submit.sync_start = true;
    submit.allow_early_resolve = true;
    submit.predicate = sum;
    stmts.push_back(make.eval(make.context.make(submit)));
    submit.core_num = five;
    stmts.push_back(make.eval(make.context.make(submit)));
  }
  ir::Function f = *make.function("f", {x}, make.seq(stmts));
  f.attrs = make.context.list<ir::Attr>({{"external_source", AttrValue::of_string("a/b.cpp")}, {"split", values[0]}});
  f.requires_runtime_binding = true;
  f.func_type = ir::FunctionType::Group;
  f.level = ir::Level::Global;
  check_round_trip(make.program({make.context.make(f)}));
}

TEST_CASE("every type") {
  Maker make;
  const ir::Var* n = make.var("n", make.scalar(DType::Index));
  const ir::Var* base = make.var("base", make.context.plain_type(TypeKind::Ptr));
  ir::List<const ir::Expr*> shape = make.context.list<const ir::Expr*>({n, make.context.const_int(4)});
  ir::MemRefInfo info;
  info.base_node = base;
  info.byte_offset = make.context.const_int(-64, DType::Int64);
  info.size = 128;
  info.is_pinned = true;
  info.slot_count = 2;
  info.slot_index = make.context.binary(NodeKind::FloorMod, n, make.context.const_int(2));
  std::vector<const ir::Type*> types;
  for (TypeKind kind : {TypeKind::TensorType, TypeKind::DistributedTensorType}) {
    ir::TensorType tensor;
    tensor.kind = kind;
    tensor.shape = shape;
    types.push_back(make.context.copy(tensor));
    ir::TensorView view;
    tensor.view = make.context.copy(view);
    types.push_back(make.context.copy(tensor));
    view.layout = ir::TensorLayout::MxAZz;
    tensor.view = make.context.copy(view);
    types.push_back(make.context.copy(tensor));
    view.stride = view.valid_shape = shape;
    view.pad = ir::PadValue::Min;
    tensor.view = make.context.copy(view);
    tensor.memref = make.context.copy(info);
    types.push_back(make.context.copy(tensor));
  }
  ir::TileType tile;
  tile.kind = TypeKind::TileType;
  types.push_back(make.context.copy(tile));  // without an extent
  tile.shape = shape;
  tile.view = make.context.copy(ir::TileView());
  types.push_back(make.context.copy(tile));
  ir::TileView view;
  view.valid_shape = view.stride = shape;
  view.start_offset = n;
  view.blayout = ir::TileLayout::ColMajor;
  view.slayout = ir::TileLayout::RowMajor;
  view.fractal = 1024;
  view.pad = ir::PadValue::Zero;
  view.compact = ir::Compact::Normal;
  tile.view = make.context.copy(view);
  tile.has_memory_space = true;
  tile.memory_space = ir::MemorySpace::RightScale;
  info.byte_offset = make.context.const_int(0);
  info.slot_index = nullptr;
  tile.memref = make.context.copy(info);
  types.push_back(make.context.copy(tile));
  ir::ArrayType array;
  array.kind = TypeKind::ArrayType;
  array.shape = make.context.list<const ir::Expr*>({n});
  types.push_back(make.context.copy(array));
  types.push_back(make.context.tuple_type({}));
  types.push_back(make.context.tuple_type({types[0], make.context.tuple_type({types[1]})}));
  for (int k = static_cast<int>(TypeKind::UnknownType); k <= static_cast<int>(TypeKind::AsyncSessionType); ++k)
    types.push_back(make.context.plain_type(static_cast<TypeKind>(k)));
  std::vector<const ir::Var*> params;
  std::vector<const ir::Stmt*> stmts;
  for (size_t i = 0; i < types.size(); ++i) {
    params.push_back(make.var("p" + std::to_string(i), types[i]));
    stmts.push_back(make.context.assign(make.var("v", types[i]), params.back()));
    stmts.push_back(make.context.assign(make.var("w", types[types.size() - 1 - i]), params.back()));
  }
  ir::Function f = *make.function("f", params, make.seq(stmts));
  f.return_types = make.context.list(types);
  ir::Function g = *make.function("g", {}, make.seq({}));
  g.return_types = make.context.list<const ir::Type*>({make.context.tuple_type({types[0]})});
  check_round_trip(make.program({make.context.make(f), make.context.make(g)}));
}

TEST_CASE("every scope and statement, with comments") {
  Maker make;
  const ir::Var* x = make.var("x", make.scalar(DType::Index));
  const ir::Var* p = make.var("p", make.scalar(DType::Bool));
  const ir::Var* tid = make.var("tid", make.scalar(DType::TaskId));
  const ir::Var* odd = make.var("odd", make.scalar(DType::Int32));
  std::vector<const ir::Stmt*> stmts;
  const ir::Stmt* body = make.eval(x);
  std::vector<std::vector<ir::Attr>> attr_lists = {
      {},
      {{"manual_dep_edges", AttrValue::of_vars(make.context.list<const ir::Var*>({tid}))},
       {"task_id_var", AttrValue::of_var(make.var("t", make.scalar(DType::TaskId)))},
       {"allow_early_resolve", AttrValue::of_bool(true)},
       {"windowize", AttrValue::of_bool(false)}},
      {{"allow_early_resolve", AttrValue::of_bool(false)},
       {"task_id_var", AttrValue::of_var(odd)},
       {"manual_dep_edges", AttrValue::of_vars({})},
       {"predicate", AttrValue::of_expr(p)}},
  };
  int number = 0;
  auto add = [&](auto scope) {
    for (const std::vector<ir::Attr>& attrs : attr_lists) {
      std::vector<ir::Attr> own = attrs;  // each scope defines a variable of its own
      for (ir::Attr& attr : own)
        if (attr.key == "task_id_var") attr.value = AttrValue::of_var(make.var("t", attr.value.as_var()->type));
      scope.attrs = make.context.list(own);
      scope.body = body;
      scope.name_hint = ++number % 2 == 0 ? "a name" : "";
      std::vector<std::string_view> comments = {"one", "", " two", "three\nfour", "#"};
      scope.leading_comments = make.context.list(comments);
      stmts.push_back(make.context.make(scope));
    }
  };
  auto incore = make.draft<ir::InCoreScopeStmt>(NodeKind::InCoreScopeStmt);
  add(incore);
  incore.split = ir::SplitMode::None;
  add(incore);
  incore.split = ir::SplitMode::LeftRight;
  add(incore);
  add(make.draft<ir::ClusterScopeStmt>(NodeKind::ClusterScopeStmt));
  auto level = make.draft<ir::HierarchyScopeStmt>(NodeKind::HierarchyScopeStmt);
  for (ir::Level one : {ir::Level::Host, ir::Level::CoreGroup, ir::Level::Cluster1}) {
    level.level = one;
    level.role.reset();
    add(level);
    level.role = ir::Role::SubWorker;
    add(level);
  }
  auto spmd = make.draft<ir::SpmdScopeStmt>(NodeKind::SpmdScopeStmt);
  spmd.core_num = x;
  add(spmd);
  spmd.sync_start = true;
  add(spmd);
  auto split = make.draft<ir::SplitAivScopeStmt>(NodeKind::SplitAivScopeStmt);
  split.count = 2;
  add(split);
  auto runtime = make.draft<ir::RuntimeScopeStmt>(NodeKind::RuntimeScopeStmt);
  add(runtime);
  runtime.manual = true;
  add(runtime);
  for (std::string_view text :
       {"a = 1", "if a:\n    b = '''\n  c'''\n\n    d()", " indented", "open(", "", "a\n", "x\\"}) {
    auto inline_stmt = make.draft<ir::InlineStmt>(NodeKind::InlineStmt);
    inline_stmt.body = text;
    stmts.push_back(make.context.make(inline_stmt));
  }
  stmts.push_back(make.seq({}));
  stmts.push_back(make.seq({body}));
  stmts.push_back(make.seq({body, make.seq({body, body})}));
  auto branch = make.draft<ir::IfStmt>(NodeKind::IfStmt);
  branch.condition = p;
  branch.then_body = make.seq({body});
  stmts.push_back(make.context.make(branch));
  branch.else_body = make.seq({});
  branch.return_vars = make.context.list<const ir::Var*>({make.var("r", make.scalar(DType::Index))});
  stmts.push_back(make.context.make(branch));
  auto result = make.draft<ir::ReturnStmt>(NodeKind::ReturnStmt);
  stmts.push_back(make.context.make(result));
  auto tuple = make.draft<ir::MakeTuple>(NodeKind::MakeTuple);
  tuple.elements = make.context.list<const ir::Expr*>({x, p});
  tuple.type = make.context.tuple_type({x->type, p->type});
  const ir::Expr* pair = make.context.make(tuple);
  result.value = make.context.list<const ir::Expr*>({pair});
  stmts.push_back(make.context.make(result));
  auto item = make.draft<ir::TupleGetItemExpr>(NodeKind::TupleGetItemExpr);
  item.tuple = pair;
  item.index = 1;
  item.type = p->type;
  stmts.push_back(make.eval(make.context.make(item)));
  item.index = 7;
  stmts.push_back(make.eval(make.context.make(item)));
  item.tuple = x;
  stmts.push_back(make.eval(make.context.make(item)));
  stmts.push_back(make.context.assign(odd, odd));
  check_round_trip(make.around({x, p, tid}, make.seq(stmts)));
}

TEST_CASE("a comm domain, window buffers and MemRef variables") {
  Maker make;
  const ir::Type* ptr = make.context.plain_type(TypeKind::Ptr);
  const ir::Var* base = make.var("buf", ptr);
  auto buffer = make.draft<ir::WindowBuffer>(NodeKind::WindowBuffer);
  buffer.name_hint = "buf";
  buffer.type = make.context.plain_type(TypeKind::WindowBufferType);
  buffer.base = base;
  buffer.size = make.context.const_int(64);
  buffer.load_from_host = true;
  const ir::WindowBuffer* slot = make.context.make(buffer);
  ir::TensorType tensor;
  tensor.kind = TypeKind::DistributedTensorType;
  tensor.window_buffer = slot;
  const ir::Var* view = make.var("view", make.context.copy(tensor));
  auto domain = make.draft<ir::CommDomainScopeStmt>(NodeKind::CommDomainScopeStmt);
  domain.name_hint = "d0";
  domain.slots = make.context.list<const ir::Var*>({slot});
  domain.devices = make.context.list<int64_t>({0, 3});
  const ir::Expr* alloc =
      make.context.call(make.context.op("pld.tensor.alloc_window_buffer", false), {make.context.const_int(64)}, ptr);
  domain.body = make.seq({make.context.assign(base, alloc), make.context.assign(view, view)});
  auto memref = make.draft<ir::MemRef>(NodeKind::MemRef);
  memref.name_hint = "m";
  memref.type = make.context.plain_type(TypeKind::MemRefType);
  memref.base = make.var("ddr", ptr);
  memref.byte_offset = make.context.const_int(8, DType::Int64);
  memref.size = 16;
  memref.slot_count = 3;
  memref.slot_index = make.context.const_int(1);
  const ir::Function* f =
      make.function("f", {}, make.seq({make.context.make(domain), make.eval(make.context.make(memref))}));
  check_round_trip(make.program({f}));
  // Another function that mentions the buffer makes it one of the module.
  const ir::Function* g = make.function("g", {make.var("w", make.context.copy(tensor))}, make.seq({}));
  check_round_trip(make.program({f, g}));
}

TEST_CASE("names that are no names, and names that many variables have") {
  Maker make;
  const ir::Type* index = make.scalar(DType::Index);
  std::vector<const ir::Var*> params;
  for (const char* name : {"class", "a b", "", "1st", "pl",
                           "gr\xC3\xB6\xC3\x9F"
                           "e",
                           "x", "x", "x_1", "self", "\xE2\x86\x92"})
    params.push_back(make.var(name, index));
  std::vector<const ir::Stmt*> stmts;
  for (const char* name : {"x", "x", "x_1", "for", "min", "y", "y"})
    stmts.push_back(make.context.assign(make.var(name, index), params[0]));
  const ir::Function* f = make.function("f", params, make.seq(stmts));
  const ir::Function* g = make.function("not a name", {}, make.seq({}));
  const ir::Function* h = make.function("def", {},
                                        make.eval(make.context.call(make.context.op("not a name", true), {},
                                                                    make.context.plain_type(TypeKind::UnknownType))));
  check_round_trip(make.program({f, g, h}, "a program"));
  CHECK(print_program(make.program({f})).find("class_: pl.Named[\"class\", pl.Scalar[pl.INDEX]]") != std::string::npos);
}

TEST_CASE("variables in strange places") {
  Maker make;
  const ir::Type* index = make.scalar(DType::Index);
  const ir::Var* shared = make.var("n", index);
  const ir::Var* late = make.var("late", index);
  const ir::Var* undefined = make.var("nowhere", make.scalar(DType::Fp32));
  const ir::Expr* zero = make.context.const_int(0);
  auto loop = [&](const ir::Var* var) {
    auto node = make.draft<ir::ForStmt>(NodeKind::ForStmt);
    node.loop_var = var;
    node.start = node.stop = node.step = zero;
    node.body = make.seq({});
    return make.context.make(node);
  };
  std::vector<const ir::Stmt*> stmts = {
      make.eval(late), make.context.assign(late, shared), make.eval(undefined), loop(late),
      loop(late),      make.context.assign(late, zero),   loop(shared),
  };
  const ir::Function* f = make.function("f", {make.var("p", index)}, make.seq(stmts));
  ir::TensorType tensor;
  tensor.kind = TypeKind::TensorType;
  tensor.shape = make.context.list<const ir::Expr*>({shared, late});
  const ir::Function* g = make.function("g", {make.var("late", make.context.copy(tensor)), shared}, make.eval(shared));
  check_round_trip(make.program({f}));
  check_round_trip(make.program({f, g}));
}

TEST_CASE("fragments print with the names that their hints say") {
  Maker make;
  const ir::Var* x = make.var("x", make.scalar(DType::Index));
  const ir::Var* other = make.var("x", make.scalar(DType::Index));
  CHECK(print_expr(make.context.binary(NodeKind::Add, x, other)) == "x + x_1");
  CHECK(print_stmt(make.context.assign(x, other)) == "x: pl.Scalar[pl.INDEX] = x_1\n");
  PrintOptions options;
  options.annotate_assignments = false;
  CHECK(print_stmt(make.context.assign(x, other), options) == "x = x_1\n");
  CHECK(print_type(make.context.tuple_type({x->type})) == "pl.Tuple[pl.Scalar[pl.INDEX]]");
  CHECK(print_function(make.function("f", {x}, make.eval(x))) ==
        "@pl.function\ndef f(x: pl.Scalar[pl.INDEX]):\n    x\n");
}

TEST_CASE("deep and widely shared expressions are cut off, in time") {
  Maker make;
  const ir::Var* x = make.var("x", make.scalar(DType::Index));
  const ir::Expr* deep = x;
  for (int k = 0; k < 100000; ++k) deep = make.unary(NodeKind::BitNot, deep, deep->type);
  CHECK(print_expr(deep).ends_with("~..."));
  const ir::Expr* wide = x;
  for (int k = 0; k < 60; ++k) wide = make.context.binary(NodeKind::Add, wide, wide);
  CHECK(print_program(make.around({x}, make.eval(wide))).size() < (size_t{64} << 20));
  const ir::Stmt* nested = make.eval(x);
  for (int k = 0; k < 100000; ++k) {
    auto loop = make.draft<ir::ClusterScopeStmt>(NodeKind::ClusterScopeStmt);
    loop.body = nested;
    nested = make.context.make(loop);
  }
  CHECK(print_program(make.around({x}, nested)).find("...") != std::string::npos);
}

}  // namespace
}  // namespace pyptoc::text::testing
