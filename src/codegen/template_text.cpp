// SPDX-License-Identifier: Apache-2.0
#include "codegen/template_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "diag/codes_host.h"
#include "diag/codes_io.h"
#include "support/edit_distance.h"
#include "support/internal_error.h"

namespace pyptoc::codegen {

namespace {

using Kind = TemplateFault::Kind;

// A template of a template of a template is more than anybody needs; a circle of includes ends here.
constexpr int kMaxDepth = 8;

constexpr std::array<TemplateName, 8> kNames = {{
    {"dtype_cpp", "the C++ type of the elements, in a kernel"},
    {"reduce_instruction", "the tile instruction that reduces: TADD, TMAX, TMIN or TMUL"},
    {"transfer_atomic", "the pto::AtomicType of a transfer that reduces at its destination"},
    {"root", "the rank that a broadcast sends from"},
    {"entry", "the C++ name of the variant, which its files begin with"},
    {"kernel", "the name of the kernel"},
    {"set_width", "the member of launch_spec that sets the number of blocks on the target"},
    {"variant", "the variant as programs and folders name it"},
}};

bool is_known(std::string_view name) {
  return std::any_of(kNames.begin(), kNames.end(), [&](const TemplateName& known) { return known.name == name; });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool is_name(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

class Renderer {
 public:
  Renderer(std::span<const TemplateValue> values, TemplateStore& store) : values_(values), store_(store) {}

  void file(const std::string& path, int depth) {
    const auto text = store_.read(path);
    if (!text.ok()) return fault(Kind::kUnreadable, path, -1, text.error().message);
    int32_t number = 0;
    for (size_t at = 0; at < text->size();) {
      const size_t end = std::min(text->find('\n', at), text->size() - 1) + 1;
      line(text->substr(at, end - at), path, ++number, depth);
      at = end;
    }
  }

  RenderedTemplate finish(const std::string& path) {
    const bool all_read = std::none_of(out_.faults.begin(), out_.faults.end(),
                                       [](const TemplateFault& f) { return f.kind == Kind::kUnreadable; });
    for (const TemplateValue& value : values_)
      if (all_read && !used_.contains(value.name)) fault(Kind::kUnusedValue, path, -1, std::string(value.name));
    return std::move(out_);
  }

  const std::set<std::string, std::less<>>& used() const { return used_; }

 private:
  // `text` with its line end.
  void line(std::string_view text, const std::string& path, int32_t number, int depth) {
    const std::string_view whole = trimmed(text.ends_with('\n') ? text.substr(0, text.size() - 1) : text);
    const bool alone = whole.starts_with("{{") && whole.find("}}") == whole.size() - 2;
    if (alone && whole[2] == '!') return;
    if (alone && whole.starts_with("{{include ")) {
      const std::string name(trimmed(whole.substr(10, whole.size() - 12)));
      if (depth == kMaxDepth) return fault(Kind::kTooDeep, path, number, name);
      return file(name, depth + 1);
    }
    size_t at = 0;
    for (size_t open = text.find("{{"); open != std::string_view::npos; open = text.find("{{", at)) {
      out_.text += text.substr(at, open - at);
      const size_t close = text.find("}}", open);
      if (close == std::string_view::npos) return fault(Kind::kSyntax, path, number, std::string(trimmed(whole)));
      directive(text.substr(open, close + 2 - open), path, number);
      at = close + 2;
    }
    out_.text += text.substr(at);
  }

  void directive(std::string_view text, const std::string& path, int32_t number) {
    const std::string_view name = text.substr(2, text.size() - 4);
    if (name.starts_with('!')) return;
    if (!is_name(name)) return fault(Kind::kSyntax, path, number, std::string(text));
    used_.emplace(name);
    const auto value =
        std::find_if(values_.begin(), values_.end(), [&](const TemplateValue& v) { return v.name == name; });
    if (value != values_.end())
      out_.text += value->text;
    else
      fault(is_known(name) ? Kind::kNoValue : Kind::kUnknownName, path, number, std::string(name));
  }

  void fault(Kind kind, const std::string& path, int32_t line, std::string name) {
    out_.faults.push_back({kind, path, line, std::move(name)});
  }

  std::span<const TemplateValue> values_;
  TemplateStore& store_;
  std::set<std::string, std::less<>> used_;
  RenderedTemplate out_;
};

void report(const TemplateFault& fault, const TemplateStore& store, diag::Engine& diags) {
  const std::string file = store.shown(fault.path);
  diag::Place place;
  place.filename = file;
  place.begin_line = fault.line;
  switch (fault.kind) {
    case Kind::kUnreadable:
      diags.report(diag::codes::cannot_read_file, diag::kNowhere, file, fault.name)
          .help("`--template-dir` needs every template that the program uses; `pyptoc list templates` shows them");
      return;
    case Kind::kSyntax:
      diags.report(diag::codes::template_syntax, place, fault.name);
      return;
    case Kind::kUnknownName: {
      auto builder = diags.report(diag::codes::template_unknown_name, place, fault.name);
      std::vector<std::string_view> names;
      for (const TemplateName& known : kNames) names.push_back(known.name);
      if (auto closest = support::closest(fault.name, names)) builder.help(fmt::format("did you mean `{}`?", *closest));
      return;
    }
    case Kind::kNoValue:
      diags.report(diag::codes::template_no_value, place, fault.name);
      return;
    case Kind::kUnusedValue:
      diags.report(diag::codes::template_unused_value, place, fault.name);
      return;
    case Kind::kTooDeep:
      diags.report(diag::codes::template_too_deep, place, fault.name, int64_t{kMaxDepth});
      return;
  }
}

}  // namespace

std::span<const TemplateName> template_names() {
  return kNames;
}

RenderedTemplate render_template(const std::string& path, std::span<const TemplateValue> values, TemplateStore& store) {
  Renderer renderer(values, store);
  renderer.file(path, 0);
  return renderer.finish(path);
}

void report_template_faults(std::span<const TemplateFault> faults, const TemplateStore& store, diag::Engine& diags) {
  for (const TemplateFault& fault : faults) {
    PYPTOC_ASSERT(!store.is_built_in(), fmt::format("template `{}`, line {}, fault {}: `{}`", fault.path, fault.line,
                                                    static_cast<int>(fault.kind), fault.name));
    report(fault, store, diags);
  }
}

std::vector<std::string_view> names_used_by(const std::string& path, TemplateStore& store) {
  Renderer renderer({}, store);
  renderer.file(path, 0);
  std::vector<std::string_view> names;
  for (const TemplateName& known : kNames)
    if (renderer.used().contains(known.name)) names.push_back(known.name);
  return names;
}

}  // namespace pyptoc::codegen
