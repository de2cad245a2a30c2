// SPDX-License-Identifier: Apache-2.0
// Kinds of nodes, types and values that no file of the corpus shows.
#include <catch2/catch.hpp>

#include "sample.h"

namespace pyptoc::serial::testing {
namespace {

// Reads, writes and reads again in both encodings; gives the canonical JSON.
std::string canonical(const std::string& text) {
  INFO(faults(text));
  auto reading = read(text);
  REQUIRE(reading->program != nullptr);
  std::string json = write_json(reading->program);
  std::string msgpack = write_msgpack(reading->program);
  CHECK(json_of(json) == json);
  CHECK(json_of(msgpack) == json);
  auto again = read(json);
  REQUIRE(again->program != nullptr);
  CHECK((write_msgpack(again->program) == msgpack));
  return json;
}

TEST_CASE("every binary and unary operator") {
  for (std::string_view kind : {"Add", "Sub", "Mul",    "FloorDiv", "FloorMod", "FloatDiv",     "Min",          "Max",
                                "Pow", "Eq",  "Ne",     "Lt",       "Le",       "Gt",           "Ge",           "And",
                                "Or",  "Xor", "BitAnd", "BitOr",    "BitXor",   "BitShiftLeft", "BitShiftRight"}) {
    INFO(kind);
    std::string text = with_expr(fmt::format(
        R"({{"type":"{}","fields":{{"left":{{"ref":11}},"right":{},"type":{{"type_kind":"ScalarType","dtype":21}}}}}})",
        kind, index_of(3)));
    auto reading = read(text);
    REQUIRE(reading->program != nullptr);
    const auto* made = ir::as<ir::BinaryExpr>(looked_at(*reading));
    REQUIRE(made != nullptr);
    CHECK(ir::name_of(made->kind) == kind);
    CHECK(made->left == reading->program->functions[0]->params[1]);
    CHECK(ir::const_int(made->right) == 3);
    CHECK(canonical(text).find(fmt::format("\"type\":\"{}\"}}", kind)) != std::string::npos);
  }
  for (std::string_view kind : {"Abs", "Neg", "Not", "BitNot", "Cast"}) {
    INFO(kind);
    std::string text = with_expr(fmt::format(
        R"({{"type":"{}","fields":{{"operand":{{"ref":11}},"type":{{"type_kind":"ScalarType","dtype":53}}}}}})", kind));
    auto reading = read(text);
    REQUIRE(reading->program != nullptr);
    const auto* made = ir::as<ir::UnaryExpr>(looked_at(*reading));
    REQUIRE(made != nullptr);
    CHECK(ir::name_of(made->kind) == kind);
    CHECK(canonical(text).find(fmt::format("\"type\":\"{}\"}}", kind)) != std::string::npos);
  }
}

TEST_CASE("MemRef nodes") {
  std::string text = with_expr(
      R"({"type":"MemRef","fields":{"name_hint":"m","type":{"type_kind":"MemRefType"},"base":{"type":"Var","id":30,"fields":)"
      R"({"name_hint":"b","type":{"type_kind":"Ptr"}}},"byte_offset":)" +
      index_of(64) + R"(,"size":4096,"is_pinned":true,"slot_count":2,"slot_index":null}})");
  auto reading = read(text);
  REQUIRE(reading->program != nullptr);
  const auto* made = ir::as<ir::MemRef>(looked_at(*reading));
  REQUIRE(made != nullptr);
  CHECK(made->base->name_hint == "b");
  CHECK(ir::const_int(made->byte_offset) == 64);
  CHECK(made->size == 4096);
  CHECK(made->is_pinned);
  CHECK(made->slot_count == 2);
  CHECK(made->slot_index == nullptr);
  CHECK(canonical(text).find(R"("is_pinned":true,"name_hint":"m","size":4096,"slot_count":2,"slot_index":null)") !=
        std::string::npos);
  CHECK(canonical(replaced(text, "\"slot_index\":null", "\"slot_index\":{\"ref\":11}"))
            .find("\"slot_index\":{\"ref\":") != std::string::npos);
}

TEST_CASE("types without parts") {
  for (std::string_view kind : {"UnknownType", "Ptr", "MemRefType", "WindowBufferType", "CommCtxType",
                                "PrefetchAsyncContextType", "AsyncEventType", "AsyncSessionType"}) {
    INFO(kind);
    std::string type = fmt::format("{{\"type_kind\":\"{}\"}}", kind);
    auto reading = read(with_type(type));
    REQUIRE(reading->program != nullptr);
    CHECK(ir::name_of(looked_at(*reading)->type->kind) == kind);
    CHECK(canonical(with_type(type)).find(type) != std::string::npos);
  }
}

TEST_CASE("every data type, by number and by name") {
  for (const ir::EnumRow& row : ir::EnumTraits<ir::DType>::kRows) {
    std::string by_number = canonical(with_type(fmt::format(R"({{"type_kind":"ScalarType","dtype":{}}})", row.number)));
    CHECK(by_number.find(fmt::format(R"({{"dtype":{},"type_kind":"ScalarType"}})", row.number)) != std::string::npos);
    CHECK(canonical(with_type(fmt::format(R"({{"type_kind":"ScalarType","dtype":"{}"}})", row.name))) == by_number);
  }
}

TEST_CASE("tensor and tile types with everything") {
  std::string memref =
      R"({"base":"b","base_node":{"type":"Var","fields":{"name_hint":"b","type":{"type_kind":"Ptr"}}},)"
      R"("byte_offset":)" +
      index_of(32) + R"(,"size":64,"is_pinned":true,"slot_count":3,"slot_index":{"ref":11}})";
  std::string tensor = R"({"type_kind":"TensorType","dtype":"BF16","shape":[4,{"ref":11}],"memref":)" + memref +
                       R"(,"tensor_view":{"stride":[{"ref":11},)" + index_of(1) +
                       R"(],"layout":"MX_B_NN","valid_shape":[{"ref":11}],"pad":"max"}})";
  auto reading = read(with_type(tensor));
  INFO(faults(with_type(tensor)));
  REQUIRE(reading->program != nullptr);
  const ir::TensorType* made = ir::as_tensor(looked_at(*reading)->type);
  REQUIRE(made != nullptr);
  CHECK(made->view->layout == ir::TensorLayout::MxBNn);
  CHECK(made->view->pad == ir::PadValue::Max);
  CHECK(made->view->stride.size() == 2);
  CHECK(made->memref->is_pinned);
  CHECK(made->memref->slot_count == 3);
  CHECK(made->memref->slot_index == made->shape[1]);
  canonical(with_type(tensor));

  std::string tile = R"({"type_kind":"TileType","dtype":"HF8","shape":[16,16],"memref":)" + memref +
                     R"(,"memory_space":"LeftScale","tile_view":{"valid_shape":[{"ref":11}],"stride":[{"ref":11}],)"
                     R"("start_offset":)" +
                     index_of(5) + R"(,"blayout":"col_major","slayout":"row_major","fractal":1024,"pad":"min"}})";
  auto tiles = read(with_type(tile));
  INFO(faults(with_type(tile)));
  REQUIRE(tiles->program != nullptr);
  const ir::TileType* tiled = ir::as_tile(looked_at(*tiles)->type);
  REQUIRE(tiled != nullptr);
  CHECK(tiled->has_memory_space);
  CHECK(tiled->memory_space == ir::MemorySpace::LeftScale);
  CHECK(tiled->view->blayout == ir::TileLayout::ColMajor);
  CHECK(tiled->view->fractal == 1024);
  CHECK(tiled->view->compact == ir::Compact::Null);
  CHECK(ir::const_int(tiled->view->start_offset) == 5);
  std::string json = canonical(with_type(tile));
  CHECK(json.find(R"("compact":"null")") != std::string::npos);
  CHECK(json.find(R"("memory_space":8)") != std::string::npos);
  CHECK(canonical(with_type(replaced(tile, "\"pad\":\"min\"", "\"pad\":\"min\",\"compact\":\"normal\"")))
            .find(R"("compact":"normal")") != std::string::npos);
  CHECK(canonical(with_type(R"({"type_kind":"TileType","dtype":52,"shape":[]})"))
            .find(R"({"dtype":52,"shape":[],"type_kind":"TileType"})") != std::string::npos);
}

TEST_CASE("every kind of attribute value") {
  struct Row {
    const char* written;
    const char* canonical;
    ir::AttrKind kind;
  };
  using Kind = ir::AttrKind;
  for (const Row& row : {
           Row{"-5", "-5", Kind::Int},
           Row{"true", "true", Kind::Bool},
           Row{"\"s\"", "\"s\"", Kind::String},
           Row{"0.5", "0.5", Kind::Float},
           Row{"2.0", "2", Kind::Float},
           Row{"18446744073709549568", "18446744073709549568", Kind::Float},
           Row{R"({"type":"Float","value":"nan"})", R"({"type":"Float","value":"nan"})", Kind::Float},
           Row{R"({"type":"Float","value":"-inf"})", R"({"type":"Float","value":"-inf"})", Kind::Float},
           Row{R"({"type":"DataType","code":"FP4"})", R"({"code":48,"type":"DataType"})", Kind::DataType},
           Row{R"({"type":"MemorySpace","value":"Bias"})", R"({"type":"MemorySpace","value":"Bias"})",
               Kind::MemorySpace},
           Row{R"({"type":"MemorySpace","value":5})", R"({"type":"MemorySpace","value":"Acc"})", Kind::MemorySpace},
           Row{R"({"type":"TensorLayout","value":"NZ"})", R"({"type":"TensorLayout","value":"NZ"})",
               Kind::TensorLayout},
           Row{R"({"type":"TileLayout","value":"none_box"})", R"({"type":"TileLayout","value":"none_box"})",
               Kind::TileLayout},
           Row{R"({"type":"PadValue","value":"null"})", R"({"type":"PadValue","value":"null"})", Kind::PadValue},
           Row{R"({"type":"ArgDirection","value":4})", R"({"type":"ArgDirection","value":4})", Kind::ArgDirection},
           Row{R"({"type":"ArgDirection","value":"Scalar"})", R"({"type":"ArgDirection","value":5})",
               Kind::ArgDirection},
           Row{R"({"type":"ArgDirectionVector","value":["Input",3]})", R"({"type":"ArgDirectionVector","value":[0,3]})",
               Kind::ArgDirectionVector},
           Row{R"({"type":"Int32Vector","value":[-2147483648,7]})", R"({"type":"Int32Vector","value":[-2147483648,7]})",
               Kind::Int32Vector},
           Row{R"({"type":"Var","value":{"ref":11}})", R"({"type":"Var","value":{"ref":4}})", Kind::Var},
           Row{R"({"type":"Var","value":null})", R"({"type":"Var","value":null})", Kind::Var},
           Row{R"({"type":"VarList","value":[null,{"ref":11},null]})",
               R"({"type":"VarList","value":[null,{"ref":4},null]})", Kind::VarList},
           Row{R"({"type":"VarList","value":[]})", R"({"type":"VarList","value":[]})", Kind::VarList},
           Row{R"({"type":"Expr","value":{"ref":10}})", R"({"type":"Expr","value":{"ref":2}})", Kind::Expr},
           Row{R"({"type":"Expr","value":null})", R"({"type":"Expr","value":null})", Kind::Expr},
       }) {
    INFO(row.written);
    auto reading = read(with_attr(row.written));
    REQUIRE(reading->program != nullptr);
    CHECK(ir::as<ir::Call>(looked_at(*reading))->attrs[0].value.kind() == row.kind);
    CHECK(canonical(with_attr(row.written)).find(fmt::format(R"([{{"key":"k","value":{}}}])", row.canonical)) !=
          std::string::npos);
  }
}

TEST_CASE("a submit with a predicate and cores") {
  std::string text = with_expr(
      R"({"type":"Submit","fields":{"op":{"name":"f","is_global_var":true},"args":[{"ref":10}],"deps":[],"core_num":)" +
      index_of(4) +
      R"(,"sync_start":true,"allow_early_resolve":false,"predicate":{"ref":11},"type":{"type_kind":"TupleType","types":[]}}})");
  auto reading = read(text);
  REQUIRE(reading->program != nullptr);
  const auto* submit = ir::as<ir::Submit>(looked_at(*reading));
  REQUIRE(submit != nullptr);
  CHECK(submit->op->is_global_var);
  CHECK(submit->predicate == reading->program->functions[0]->params[1]);
  CHECK(ir::const_int(submit->core_num) == 4);
  CHECK(submit->sync_start);
  canonical(text);
}

TEST_CASE("Graph functions") {
  std::string json =
      canonical(program_of(function_of("f", R"({"type":"BreakStmt","fields":{}})", R"("level":4,"role":0,)", "8")));
  CHECK(json.find("\"func_type\":8") != std::string::npos);
}

TEST_CASE("every scope and the statements around it") {
  std::string inner = R"({"type":"ContinueStmt","fields":{"leading_comments":["one","two"]}})";
  for (
      const char* more : {
          R"("InCoreScopeStmt","fields":{"split":null,)",
          R"("InCoreScopeStmt","fields":{"split":"UpDown",)",
          R"("ClusterScopeStmt","fields":{)",
          R"("HierarchyScopeStmt","fields":{"level":"CLUSTER_1","role":null,)",
          R"("HierarchyScopeStmt","fields":{"level":9,"role":"SubWorker",)",
          R"("SpmdScopeStmt","fields":{"core_num":{"ref":11},"sync_start":false,)",
          R"("SplitAivScopeStmt","fields":{"split":2,"count":2,)",
          R"("RuntimeScopeStmt","fields":{"manual":true,)",
          R"("CommDomainScopeStmt","fields":{"devices":[0,1,65536],"slots":[{"type":"WindowBuffer","fields":{"name_hint":"w",)"
          R"("base":{"ref":11},"size":{"ref":11},"load_from_host":true,"store_to_host":false,)"
          R"("type":{"type_kind":"WindowBufferType"}}}],)",
      }) {
    INFO(more);
    canonical(in_body(fmt::format(R"({{"type":{}"name_hint":"s","body":{}}}}})", more, inner)));
  }
  canonical(in_body(R"({"type":"InlineStmt","fields":{"body":"x = 1\n\t\"\u2028é","language":"Python"}})"));
  canonical(in_body(
      R"({"type":"ForStmt","fields":{"loop_var":{"type":"Var","id":40,"fields":{"name_hint":"i","type":{"type_kind":"ScalarType",)"
      R"("dtype":21}}},"start":{"ref":11},"stop":{"ref":11},"step":{"ref":11},"kind":"Pipeline","body":)"
      R"({"type":"YieldStmt","fields":{"value":[{"ref":40}]}},"iter_args":[{"type":"IterArg","fields":{"name_hint":"a",)"
      R"("type":{"type_kind":"ScalarType","dtype":21},"initValue":{"ref":11}}}]}})"));
  canonical(in_body(R"({"type":"IfStmt","fields":{"condition":{"type":"ConstBool","fields":{"value":true,"type":)"
                    R"({"type_kind":"ScalarType","dtype":0}}},"then_body":{"type":"ReturnStmt","fields":{"value":[]}},)"
                    R"("else_body":null}})"));
}

}  // namespace
}  // namespace pyptoc::serial::testing
