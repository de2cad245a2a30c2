// SPDX-License-Identifier: Apache-2.0
// What a person may leave out or write otherwise, and the canonical form that it becomes.
#include <catch2/catch.hpp>

#include "sample.h"

namespace pyptoc::serial::testing {
namespace {

constexpr std::string_view kUnknownSpan =
    R"({"begin_column":-1,"begin_line":-1,"end_column":-1,"end_line":-1,"filename":""})";

TEST_CASE("the canonical form of the smallest program") {
  CHECK(json_of(R"({"type": "Program", "fields": {"functions": [], "name": "P"}})") ==
        fmt::format(R"({{"fields":{{"functions":[],"name":"P","span":{}}},"id":0,"type":"Program"}})", kUnknownSpan) +
            "\n");
}

TEST_CASE("names for numbers, plain extents, levels and roles left out") {
  std::string text = in_body(R"({"type":"ContinueStmt","fields":{}})");
  auto reading = read(text);
  REQUIRE(reading->program != nullptr);
  const ir::Function* f = reading->program->functions[0];
  CHECK(f->func_type == ir::FunctionType::Orchestration);
  CHECK(f->level == ir::Level::Chip);
  CHECK(f->role == ir::Role::Orchestrator);
  CHECK(f->param_directions[1] == ir::ParamDirection::In);
  const ir::TensorType* type = ir::as_tensor(f->params[0]->type);
  CHECK(type->dtype == ir::DType::Fp32);
  const auto* extent = ir::as<ir::ConstInt>(type->shape[0]);
  REQUIRE(extent != nullptr);
  CHECK(extent->value == 16);
  CHECK(ir::is_scalar_of(extent->type, ir::DType::Index));
  CHECK(extent->span->offset == text.find("16"));
  CHECK(extent->span->begin_line == -1);

  std::string canonical = write_json(reading->program);
  CHECK(canonical.find(R"("func_type":1,"level":4,"name":"f","param_directions":[0,0])") != std::string::npos);
  CHECK(canonical.find(R"("role":0)") != std::string::npos);
  CHECK(canonical.find(R"("value":16},"id":3,"type":"ConstInt"})") != std::string::npos);
  CHECK(json_of(canonical) == canonical);
}

TEST_CASE("each function type that implies a level") {
  struct Row {
    const char* type;
    ir::Level level;
    ir::Role role;
  };
  for (const Row& row :
       {Row{"Orchestration", ir::Level::Chip, ir::Role::Orchestrator},
        Row{"Graph", ir::Level::Chip, ir::Role::Orchestrator}, Row{"InCore", ir::Level::ChipDie, ir::Role::SubWorker},
        Row{"AIV", ir::Level::Aiv, ir::Role::SubWorker}, Row{"AIC", ir::Level::Aic, ir::Role::SubWorker},
        Row{"Group", ir::Level::CoreGroup, ir::Role::SubWorker}}) {
    INFO(row.type);
    auto reading =
        read(program_of(function_of("f", R"({"type":"BreakStmt","fields":{}})", "", fmt::format("\"{}\"", row.type))));
    REQUIRE(reading->program != nullptr);
    CHECK(reading->program->functions[0]->level == row.level);
    CHECK(reading->program->functions[0]->role == row.role);
  }
}

TEST_CASE("functions may come in any order") {
  std::string body = R"({"type":"BreakStmt","fields":{}})";
  std::string other = replaced(replaced(function_of("a", body), "\"id\":10", "\"id\":20"), "\"id\":11", "\"id\":21");
  auto reading = read(program_of(function_of("b", body) + "," + other));
  REQUIRE(reading->program != nullptr);
  REQUIRE(reading->program->functions.size() == 2);
  CHECK(reading->program->functions[0]->name == "a");
  CHECK(reading->program->find("b") == reading->program->functions[1]);
}

TEST_CASE("a whole number where a float is due, and floats that are no numbers") {
  auto value_of = [](std::string_view spelling) {
    auto reading = read(with_expr(
        fmt::format(R"({{"type":"ConstFloat","fields":{{"value":{},"type":{{"type_kind":"ScalarType","dtype":52}}}}}})",
                    spelling)));
    REQUIRE(reading->program != nullptr);
    return ir::as<ir::ConstFloat>(looked_at(*reading))->value;
  };
  CHECK(value_of("2") == 2.0);
  CHECK(value_of("-3") == -3.0);
  CHECK(value_of("18446744073709551615") == 18446744073709551616.0);
  CHECK(value_of("2.5") == 2.5);
  CHECK(value_of("1e300") == 1e300);
  CHECK(std::isnan(value_of(R"({"type":"Float","value":"nan"})")));
  CHECK(value_of(R"({"type":"Float","value":"-inf"})") == -std::numeric_limits<double>::infinity());
}

TEST_CASE("a whole number as a keyword that the operator takes as a float") {
  auto keyword_of = [](std::string_view key, std::string_view value) {
    auto reading = read(with_expr(call_of(fmt::format(R"(,"kwargs":[{{"key":"{}","value":{}}}])", key, value))));
    REQUIRE(reading->program != nullptr);
    std::string json = write_json(reading->program);
    CHECK(json.find(fmt::format(R"("kwargs":[{{"key":"{}","value":{}}}])", key, value)) != std::string::npos);
    return ir::as<ir::Call>(looked_at(*reading))->kwargs[0].value;
  };
  ir::AttrValue filled = keyword_of("init_value", "-3");
  REQUIRE(filled.kind() == ir::AttrKind::Float);
  CHECK(filled.as_float() == -3.0);
  CHECK(keyword_of("init_value", "0.5").as_float() == 0.5);
  CHECK(keyword_of("some_count", "3").kind() == ir::AttrKind::Int);
}

TEST_CASE("refs before and after their nodes, ids of any size") {
  std::string call = replaced(with_expr(call_of("")), "\"args\":[]",
                              R"("args":[{"ref":9000000000000000000},{"type":"Var","id":9000000000000000000,)"
                              R"("fields":{"name_hint":"v","type":{"type_kind":"Ptr"}}},{"ref":9000000000000000000}])");
  auto reading = read(call);
  REQUIRE(reading->program != nullptr);
  const auto* made = ir::as<ir::Call>(looked_at(*reading));
  CHECK(made->args[0] == made->args[1]);
  CHECK(made->args[2] == made->args[1]);
  CHECK(made->args[0]->span->offset == call.find(R"({"type":"Var","id":9000)"));
}

TEST_CASE("spaces, line ends and the order of keys do not matter") {
  std::string canonical = json_of(data_file("submit.msgpack"));
  std::string spaced;
  bool in_string = false;
  for (std::size_t i = 0; i < canonical.size(); ++i) {
    char c = canonical[i];
    if (c == '"' && (i == 0 || canonical[i - 1] != '\\')) in_string = !in_string;
    spaced += c;
    if (!in_string && (c == ',' || c == ':' || c == '{' || c == '[')) spaced += "\r\n\t ";
  }
  CHECK(json_of(spaced) == canonical);
}

TEST_CASE("attribute keys are free and kept") {
  std::string text =
      with_expr(call_of(R"(,"attrs":[{"key":"never heard of","value":"x\n\u00e9"},{"value":1,"key":""}])"));
  auto reading = read(text);
  REQUIRE(reading->program != nullptr);
  const auto* call = ir::as<ir::Call>(looked_at(*reading));
  REQUIRE(call->attrs.size() == 2);
  CHECK(call->attrs[0].key == "never heard of");
  CHECK(call->attrs[0].value.as_string() == "x\n\xC3\xA9");
  CHECK(call->attrs[1].key.empty());
  CHECK(write_json(reading->program).find(R"([{"key":"never heard of","value":"x\né"},{"key":"","value":1}])") !=
        std::string::npos);
}

}  // namespace
}  // namespace pyptoc::serial::testing
