// SPDX-License-Identifier: Apache-2.0
// Diagnostics as JSON lines, with rustc's field names where it has them.
#include <ostream>
#include <string>

#include "diag/location.h"
#include "diag/render.h"
#include "diag/render_parts.h"
#include "support/json_text.h"

namespace pyptoc::diag {
namespace {

// Longer lines are left out of `text`; their reader has the file.
constexpr std::size_t kLongestText = 4096;

// Writes one object or list; the comma is its business.
class Json {
 public:
  explicit Json(std::string& out) : out_(out) {}

  void open(char bracket) {
    separate();
    out_ += bracket;
    first_ = true;
  }
  void close(char bracket) {
    out_ += bracket;
    first_ = false;
  }
  void key(std::string_view name) {
    separate();
    support::append_json_string(out_, name);
    out_ += ':';
    first_ = true;
  }
  void text(std::string_view value) {
    separate();
    support::append_json_string(out_, value);
  }
  void raw(std::string_view value) {
    separate();
    out_ += value;
  }
  void number(std::uint64_t value) { raw(std::to_string(value)); }

  void field(std::string_view name, std::string_view value) {
    key(name);
    text(value);
  }
  void text_or_null(std::string_view name, std::string_view value) {
    key(name);
    value.empty() ? raw("null") : text(value);
  }
  void positive_or_null(std::string_view name, std::int64_t value) {
    key(name);
    value < 1 ? raw("null") : number(static_cast<std::uint64_t>(value));
  }
  void offset_or_null(std::string_view name, std::uint32_t value) {
    key(name);
    value == Place::kNoOffset ? raw("null") : number(value);
  }
  void flag(std::string_view name, bool value) {
    key(name);
    raw(value ? "true" : "false");
  }

 private:
  void separate() {
    if (!first_) {
      out_ += ',';
    }
    first_ = false;
  }

  std::string& out_;
  bool first_ = true;
};

struct Extent {
  std::int64_t line_start = -1;
  std::int64_t line_end = -1;
  std::int64_t column_start = -1;
  std::int64_t column_end = -1;
};

void write_extent(Json& json, const Extent& extent) {
  json.positive_or_null("line_start", extent.line_start);
  json.positive_or_null("line_end", extent.line_end);
  json.positive_or_null("column_start", extent.column_start);
  json.positive_or_null("column_end", extent.column_end);
}

Extent origin_extent(const OwnedPlace& place) {
  return {place.begin_line, place.end_line, place.begin_column, place.end_column};
}

void write_span_text(Json& json, const std::optional<MarkedLine>& line) {
  json.key("text");
  json.open('[');
  if (line && line->begin >= line->text_column && line->text.size() <= kLongestText) {
    json.open('{');
    json.field("text", line->text);
    json.positive_or_null("highlight_start", line->begin - line->text_column + 1);
    json.positive_or_null("highlight_end", line->end > line->begin ? line->end - line->text_column + 1 : -1);
    json.close('}');
  }
  json.close(']');
}

// One span in the Python source and one in the input file, the first of them primary.
void write_spans(Json& json, const OwnedPlace& place, const Location& location) {
  json.key("spans");
  json.open('[');
  if (location.in_origin) {
    json.open('{');
    json.field("file_name", place.filename);
    json.offset_or_null("byte_start", Place::kNoOffset);
    json.offset_or_null("byte_end", Place::kNoOffset);
    write_extent(json, origin_extent(place));
    json.flag("is_primary", true);
    json.text_or_null("label", "");
    write_span_text(json, location.excerpt);
    json.close('}');
  }
  if (!location.input_name.empty()) {
    json.open('{');
    json.field("file_name", location.input_name);
    json.offset_or_null("byte_start", place.offset);
    json.offset_or_null("byte_end", place.end_offset);
    const InputPosition begin = location.input.value_or(InputPosition{});
    write_extent(json, {begin.line, location.input_end_line, begin.column, location.input_end_column});
    json.flag("is_primary", !location.in_origin);
    json.text_or_null("label", "");
    write_span_text(json, location.in_origin ? std::nullopt : location.excerpt);
    json.close('}');
  }
  json.close(']');
}

void write_place(Json& json, const OwnedPlace& place, SourceProvider& sources) {
  const Location location = resolve(place, sources, true);
  write_spans(json, place, location);
  json.text_or_null("ir_path", location.ir_path());
  json.key("origin");
  if (!location.in_origin) {
    json.raw("null");
    return;
  }
  json.open('{');
  json.field("file_name", place.filename);
  write_extent(json, origin_extent(place));
  json.close('}');
}

void write_child(Json& json, std::string_view level, std::string_view message, const OwnedPlace& place,
                 SourceProvider& sources) {
  json.open('{');
  json.field("level", level);
  json.field("message", message);
  write_place(json, place, sources);
  json.close('}');
}

void write_children(Json& json, const Diagnostic& diagnostic, SourceProvider& sources) {
  json.key("children");
  json.open('[');
  for (const Note& note : diagnostic.notes) {
    write_child(json, "note", note.text, note.place.value_or(OwnedPlace{}), sources);
  }
  for (const std::string& help : diagnostic.helps) {
    write_child(json, "help", help, OwnedPlace{}, sources);
  }
  json.close(']');
}

void write_diagnostic(Json& json, const Diagnostic& diagnostic, SourceProvider& sources, int width) {
  json.open('{');
  json.field("$message_type", "diagnostic");
  json.field("level", severity_name(diagnostic.severity));
  json.key("code");
  json.open('{');
  json.field("code", diagnostic.code->id);
  json.field("name", diagnostic.code->name());
  json.close('}');
  json.field("message", diagnostic.message);
  write_place(json, diagnostic.place, sources);
  json.text_or_null("pass", diagnostic.pass);
  write_children(json, diagnostic, sources);
  std::string rendered;
  append_human(rendered, diagnostic, sources, {.color = false, .width = width});
  json.field("rendered", rendered);
  json.close('}');
}

}  // namespace

void render_json(std::ostream& out, std::span<const Diagnostic> diagnostics, const Summary& summary,
                 SourceProvider& sources, const RenderOptions& options) {
  for (const Diagnostic& diagnostic : diagnostics) {
    std::string line;
    Json json(line);
    write_diagnostic(json, diagnostic, sources, options.width);
    out << line << '\n';
  }
  std::string line;
  Json json(line);
  json.open('{');
  json.field("$message_type", "summary");
  json.key("errors");
  json.number(summary.errors);
  json.key("warnings");
  json.number(summary.warnings);
  json.key("hidden_errors");
  json.number(summary.hidden_errors);
  json.close('}');
  out << line << '\n';
}

}  // namespace pyptoc::diag
