// SPDX-License-Identifier: Apache-2.0
// The template language: plain text in which `{{` begins one of three directives.
//
//   {{name}}          the value of that name
//   {{include path}}  alone on its line: that template's text in the place of the line; paths start at the root
//   {{! words }}      nothing; a line that holds nothing else goes as well
//
// A directive ends on the line where it begins. What a value holds is never read as a directive.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/template_store.h"
#include "diag/engine.h"

namespace pyptoc::codegen {

// Names that a template may use, with what they stand for. A name has a value only where it means something.
struct TemplateName {
  std::string_view name;
  std::string_view meaning;
};
std::span<const TemplateName> template_names();

struct TemplateValue {
  std::string_view name;  // one of template_names()
  std::string text;
};

struct TemplateFault {
  enum class Kind : uint8_t {
    kUnreadable,   // `name` is the system's reason
    kSyntax,       // `name` is what stands there
    kUnknownName,  // not one of template_names()
    kNoValue,      // known, but without a value here
    kUnusedValue,  // a value that neither the template nor what it includes uses
    kTooDeep,      // includes in includes, as in a circle
  };
  Kind kind = Kind::kSyntax;
  std::string path;
  int32_t line = -1;  // -1: of no line
  std::string name;
};

struct RenderedTemplate {
  std::string text;
  std::vector<TemplateFault> faults;  // in the order of the text; the text is worth nothing if there are any
};

RenderedTemplate render_template(const std::string& path, std::span<const TemplateValue> values, TemplateStore& store);

// Reports what is wrong with templates of a folder. Faults of the built-in ones are bugs of the compiler and are thrown
// as such.
void report_template_faults(std::span<const TemplateFault> faults, const TemplateStore& store, diag::Engine& diags);

// The names that a template and what it includes use, in the order of template_names().
std::vector<std::string_view> names_used_by(const std::string& path, TemplateStore& store);

}  // namespace pyptoc::codegen
