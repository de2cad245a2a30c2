// SPDX-License-Identifier: Apache-2.0
// Hand-written programs and readable answers, for the tests of reading and writing.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "diag/engine.h"
#include "paths.h"
#include "serial/input_source.h"
#include "serial/reader.h"
#include "serial/writer.h"

namespace pyptoc::serial::testing {

struct Reading {
  ir::Context context;
  diag::Engine diagnostics;
  const ir::Program* program = nullptr;
};

inline std::unique_ptr<Reading> read(std::string_view bytes, const ReadOptions& options = {}) {
  auto reading = std::make_unique<Reading>();
  reading->program = read_program(reading->context, bytes, reading->diagnostics, options);
  return reading;
}

// One line for each diagnostic: `E0104 $.functions[0].value.foo: message; help: ...`. Faults of syntax show line and
// column, in MessagePack the byte.
inline std::string faults(std::string_view bytes, const ReadOptions& options = {}) {
  std::unique_ptr<Reading> reading = read(bytes, options);
  reading->diagnostics.set_error_limit(0);
  InputSource source("prog.json", bytes);
  std::string lines;
  for (const diag::Diagnostic& diagnostic : reading->diagnostics.sorted()) {
    diag::InputPosition position = source.locate(diagnostic.place.offset);
    std::string place = position.ir_path;
    if (diagnostic.place.syntax)
      place = position.line < 0 ? fmt::format("byte {}", diagnostic.place.offset)
                                : fmt::format("{}:{}", position.line, position.column);
    lines += fmt::format("{} {}: {}", diagnostic.code->id, place, diagnostic.message);
    for (const std::string& help : diagnostic.helps) lines += "; help: " + help;
    lines += '\n';
  }
  if ((reading->program == nullptr) != reading->diagnostics.has_errors()) lines += "(and an answer that contradicts)\n";
  return lines;
}

inline std::string json_of(std::string_view bytes) {
  std::unique_ptr<Reading> reading = read(bytes);
  return reading->program != nullptr ? write_json(reading->program) : faults(bytes);
}

inline std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline std::string data_file(std::string_view name) {
  return file_bytes(test_support::source_dir() / "tests" / "data" / name);
}

inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  std::size_t at = text.find(from);
  return at == std::string::npos ? "(nothing to replace)" : text.replace(at, from.size(), to);
}

// ---- A program written as a person would. Ids: `x` 10, `n` 11.

inline std::string program_of(std::string_view functions) {
  return fmt::format(R"({{"type":"Program","fields":{{"name":"P","functions":[{}]}}}})", functions);
}
inline std::string function_of(std::string_view name, std::string_view body, std::string_view more = "",
                               std::string_view type = "\"Orchestration\"") {
  return fmt::format(
      R"({{"key":{{"name":"{0}","is_global_var":true}},"value":{{"type":"Function","fields":{{"name":"{0}","params":[)"
      R"({{"type":"Var","id":10,"fields":{{"name_hint":"x","type":{{"type_kind":"TensorType","dtype":"FP32","shape":[16]}}}}}},)"
      R"({{"type":"Var","id":11,"fields":{{"name_hint":"n","type":{{"type_kind":"ScalarType","dtype":"INDEX"}}}}}}],)"
      R"("param_directions":["In","In"],"func_type":{3},"requires_runtime_binding":false,"return_types":[],{2})"
      R"("body":{1}}}}}}})",
      name, body, more, type);
}
// One function `f` whose body is the statement.
inline std::string in_body(std::string_view stmt) {
  return program_of(function_of("f", stmt));
}
inline std::string eval_of(std::string_view expr) {
  return fmt::format(R"({{"type":"EvalStmt","fields":{{"expr":{}}}}})", expr);
}
// The expression as the value that is looked at.
inline std::string with_expr(std::string_view expr) {
  return in_body(eval_of(expr));
}
inline std::string index_of(int value) {
  return fmt::format(
      R"({{"type":"ConstInt","fields":{{"value":{},"type":{{"type_kind":"ScalarType","dtype":"INDEX"}}}}}})", value);
}
inline std::string call_of(std::string_view more) {
  return fmt::format(R"({{"type":"Call","fields":{{"op":{{"name":"tensor.create","is_global_var":false}},"args":[],)"
                     R"("type":{{"type_kind":"UnknownType"}}{}}}}})",
                     more);
}
inline std::string with_attr(std::string_view value) {
  return with_expr(call_of(fmt::format(R"(,"attrs":[{{"key":"k","value":{}}}])", value)));
}
// A variable of the type.
inline std::string with_type(std::string_view type) {
  return with_expr(fmt::format(R"({{"type":"Var","fields":{{"name_hint":"v","type":{}}}}})", type));
}

// The expression of eval_of in the program read.
inline const ir::Expr* looked_at(const Reading& reading) {
  return ir::as<ir::EvalStmt>(reading.program->functions[0]->body)->expr;
}

inline constexpr std::string_view kBody = "$.functions[0].value.body";

}  // namespace pyptoc::serial::testing
