// SPDX-License-Identifier: Apache-2.0
// Each list from the table that the compiler itself works with.
#include "driver/lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/embedded_templates.h"
#include "codegen/template_text.h"
#include "diag/code_table.h"
#include "ir/op_table.h"
#include "passes/pipeline.h"
#include "passes/target.h"

namespace pyptoc::driver {
namespace {

using support::JsonWriter;
constexpr auto kInline = JsonWriter::Layout::kInline;

std::vector<std::string_view> names_of(passes::PropertySet set) {
  std::vector<std::string_view> names;
  for (int i = 0; i < passes::kPropertyCount; ++i)
    if (const auto property = static_cast<passes::Property>(i); set.has(property)) names.push_back(name_of(property));
  return names;
}

std::string_view effect_name(ir::Effect effect) {
  switch (effect) {
    case ir::Effect::None:
      return "none";
    case ir::Effect::Read:
      return "read";
    case ir::Effect::Write:
      return "write";
    case ir::Effect::ReadWrite:
      return "readwrite";
  }
  return "";
}

// `target, source?, offsets...`: how an operator is called.
std::string operand_list(const ir::OpInfo& op) {
  std::string text;
  for (const ir::Operand& operand : op.operands) {
    text += text.empty() ? "" : ", ";
    text += operand.variadic ? fmt::format("*{}", operand.name) : std::string(operand.name);
    if (operand.optional) text += "=...";
  }
  for (const ir::Keyword& keyword : op.keywords) {
    text += text.empty() ? "" : ", ";
    text += fmt::format("{}{}", keyword.name, keyword.required ? "=" : "=...");
  }
  return text;
}

}  // namespace

std::string passes_as_text() {
  std::string text;
  int number = 0;
  for (const passes::PassInfo& pass : passes::pipeline()) {
    fmt::format_to(std::back_inserter(text), "{:02} {:<32} {}{}\n", ++number, pass.name, pass.summary,
                   pass.opt_in ? " (--analyze-deps)" : "");
  }
  return text;
}

std::string passes_as_json() {
  JsonWriter json;
  json.begin_array();
  for (const passes::PassInfo& pass : passes::pipeline()) {
    json.begin_object().member("name", pass.name).member("summary", pass.summary);
    json.key("requires").inline_array(names_of(pass.requires_));
    json.key("ensures").inline_array(names_of(pass.ensures));
    json.member("opt_in", pass.opt_in).end();
  }
  return json.end().take();
}

std::string ops_as_text() {
  std::string text;
  for (const ir::OpId id : ir::all_ops()) {
    const ir::OpInfo& op = ir::op_info(id);
    fmt::format_to(std::back_inserter(text), "{}({})\n", op.name, operand_list(op));
  }
  return text;
}

std::string ops_as_json() {
  JsonWriter json;
  json.begin_array();
  for (const ir::OpId id : ir::all_ops()) {
    const ir::OpInfo& op = ir::op_info(id);
    json.begin_object().member("name", op.name).key("operands").begin_array();
    for (const ir::Operand& operand : op.operands) {
      json.begin_object(kInline).member("name", operand.name).member("kind", text_of(operand.kind));
      json.member("effect", effect_name(operand.effect)).member("optional", operand.optional);
      json.member("variadic", operand.variadic).end();
    }
    json.end().key("keywords").begin_array();
    for (const ir::Keyword& keyword : op.keywords) {
      json.begin_object(kInline).member("name", keyword.name).member("kind", text_of(keyword.kind));
      json.member("required", keyword.required).end();
    }
    json.end().end();
  }
  return json.end().take();
}

std::string targets_as_text() {
  std::string text = fmt::format("{:<6} {:<12} {:>4} {:>4} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "name", "device",
                                 "aiv", "aic", "vec", "mat", "left", "right", "acc", "bias");
  for (const passes::Target& t : passes::kTargets) {
    fmt::format_to(std::back_inserter(text), "{:<6} {:<12} {:>4} {:>4} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", t.name,
                   t.backend_type, t.aiv_cores, t.aic_cores, t.vec_bytes, t.mat_bytes, t.left_bytes, t.right_bytes,
                   t.acc_bytes, t.bias_bytes);
  }
  return text;
}

std::string targets_as_json() {
  JsonWriter json;
  json.begin_array();
  for (const passes::Target& t : passes::kTargets) {
    json.begin_object().member("name", t.name).member("device", t.backend_type);
    json.member("aiv_cores", t.aiv_cores).member("aic_cores", t.aic_cores);
    json.member("vec_bytes", t.vec_bytes).member("mat_bytes", t.mat_bytes).member("left_bytes", t.left_bytes);
    json.member("right_bytes", t.right_bytes).member("acc_bytes", t.acc_bytes).member("bias_bytes", t.bias_bytes).end();
  }
  return json.end().take();
}

std::string templates_as_text() {
  codegen::TemplateStore store;
  std::string text;
  for (const codegen::EmbeddedTemplate& file : codegen::embedded_templates()) {
    fmt::format_to(std::back_inserter(text), "{:<46}", file.path);
    for (std::string_view name : codegen::names_used_by(std::string(file.path), store))
      text += fmt::format(" {}", name);
    text.resize(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string templates_as_json() {
  codegen::TemplateStore store;
  JsonWriter json;
  json.begin_array();
  for (const codegen::EmbeddedTemplate& file : codegen::embedded_templates()) {
    json.begin_object().member("path", file.path).key("values").begin_array();
    const std::vector<std::string_view> used = codegen::names_used_by(std::string(file.path), store);
    for (const codegen::TemplateName& name : codegen::template_names()) {
      if (std::find(used.begin(), used.end(), name.name) == used.end()) continue;
      json.begin_object(kInline).member("name", name.name).member("meaning", name.meaning).end();
    }
    json.end().member("text", file.text).end();
  }
  return json.end().take();
}

std::string diagnostics_as_text() {
  std::string text;
  for (const diag::CodeInfo* code : diag::all_codes())
    fmt::format_to(std::back_inserter(text), "{} {}\n", code->id, code->name());
  return text;
}

std::string diagnostics_as_json() {
  JsonWriter json;
  json.begin_array();
  for (const diag::CodeInfo* code : diag::all_codes()) append_diagnostic(json, *code, false);
  return json.end().take();
}

void append_diagnostic(JsonWriter& json, const diag::CodeInfo& code, bool with_explanation) {
  json.begin_object().member("code", code.id).member("name", code.name());
  json.member("level", diag::severity_name(code.severity)).member("message", code.format);
  if (with_explanation) json.member("explanation", code.explanation);
  json.end();
}

}  // namespace pyptoc::driver
