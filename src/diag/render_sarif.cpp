// SPDX-License-Identifier: Apache-2.0
// Diagnostics as a SARIF log for code-scanning services and viewers.
#include <fmt/format.h>

#include <ostream>
#include <unordered_map>
#include <utility>

#include "diag/location.h"
#include "diag/render.h"
#include "support/json_writer.h"

namespace pyptoc::diag {
namespace {

using support::JsonWriter;
constexpr auto kInline = JsonWriter::Layout::kInline;

// A file name as a URI reference: bytes that a path of a URI cannot have as they are get escaped.
std::string uri_of(std::string_view file) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/!$&'()*+,;=@";
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (const char c : file) {
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

class SarifWriter {
 public:
  SarifWriter(std::span<const Diagnostic> diagnostics, SourceProvider& sources)
      : diagnostics_(diagnostics), sources_(sources) {
    for (const Diagnostic& diagnostic : diagnostics)
      if (rule_numbers_.emplace(diagnostic.code, static_cast<int>(rules_.size())).second)
        rules_.push_back(diagnostic.code);
  }

  std::string write(const Summary& summary, const SarifRun& run) {
    json_.begin_object().member(
        "$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json");
    json_.member("version", "2.1.0").key("runs").begin_array().begin_object();
    json_.key("tool").begin_object().key("driver").begin_object();
    json_.member("name", "pyptoc").member("version", run.version).key("rules").begin_array();
    for (const CodeInfo* code : rules_) rule(*code);
    json_.end().end().end();
    json_.member("columnKind", "unicodeCodePoints");
    invocation(summary, run);
    json_.key("results").begin_array();
    for (const Diagnostic& diagnostic : diagnostics_) result(diagnostic);
    return json_.end().end().end().end().take();
  }

 private:
  void text(std::string_view key, std::string_view words) {
    json_.key(key).begin_object(kInline).member("text", words).end();
  }

  void rule(const CodeInfo& code) {
    json_.begin_object().member("id", code.id).member("name", code.name());
    text("shortDescription", code.format);
    if (!code.explanation.empty()) text("fullDescription", code.explanation);
    json_.key("defaultConfiguration").begin_object(kInline).member("level", severity_name(code.severity)).end().end();
  }

  void invocation(const Summary& summary, const SarifRun& run) {
    json_.key("invocations").begin_array().begin_object();
    json_.member("executionSuccessful", run.exit_status == 0).member("exitCode", run.exit_status);
    if (summary.hidden_errors > 0) {
      json_.key("toolExecutionNotifications").begin_array().begin_object().member("level", "note");
      text("message", fmt::format("{} more errors are not shown (see `--error-limit`)", summary.hidden_errors));
      json_.end().end();
    }
    json_.end().end();
  }

  // Hints, and notes that belong to no place, follow the message; SARIF has no member for them.
  static std::string message_of(const Diagnostic& diagnostic) {
    std::string message = diagnostic.message;
    for (const Note& note : diagnostic.notes)
      if (!note.place) message += "\nnote: " + note.text;
    for (const std::string& help : diagnostic.helps) message += "\nhelp: " + help;
    return message;
  }

  void result(const Diagnostic& diagnostic) {
    json_.begin_object().member("ruleId", diagnostic.code->id);
    json_.member("ruleIndex", rule_numbers_.at(diagnostic.code));
    json_.member("level", severity_name(diagnostic.severity));
    text("message", message_of(diagnostic));
    const Location location = resolve(diagnostic.place, sources_, false);
    if (!location.file.empty()) {
      json_.key("locations").begin_array();
      place(location, diagnostic.place, {});
      json_.end();
    }
    related(diagnostic);
    if (!diagnostic.pass.empty()) json_.key("properties").begin_object(kInline).member("pass", diagnostic.pass).end();
    json_.end();
  }

  void related(const Diagnostic& diagnostic) {
    bool any = false;
    for (const Note& note : diagnostic.notes) {
      if (!note.place) continue;
      const Location location = resolve(*note.place, sources_, false);
      if (!std::exchange(any, true)) json_.key("relatedLocations").begin_array();
      place(location, *note.place, note.text);
    }
    if (any) json_.end();
  }

  void place(const Location& location, const OwnedPlace& place, std::string_view message) {
    json_.begin_object();
    if (!location.file.empty()) {
      json_.key("physicalLocation").begin_object().key("artifactLocation").begin_object(kInline);
      json_.member("uri", uri_of(location.file)).end();
      region(location, place);
      json_.end();
    }
    if (!location.ir_path().empty()) {
      json_.key("logicalLocations").begin_array().begin_object(kInline);
      json_.member("fullyQualifiedName", location.ir_path()).end().end();
    }
    if (!message.empty()) text("message", message);
    json_.end();
  }

  // Lines and columns of the file that is named; bytes where it has no lines.
  void region(const Location& location, const OwnedPlace& place) {
    if (location.line < 1) {
      if (location.in_origin || !place.has_offset()) return;
      json_.key("region").begin_object(kInline).member("byteOffset", uint64_t{place.offset});
      if (place.end_offset != Place::kNoOffset && place.end_offset > place.offset)
        json_.member("byteLength", uint64_t{place.end_offset} - place.offset);
      json_.end();
      return;
    }
    const int64_t end_line = location.in_origin ? place.end_line : location.input_end_line;
    const int64_t end_column = location.in_origin ? place.end_column : location.input_end_column;
    json_.key("region").begin_object(kInline).member("startLine", location.line);
    if (location.column >= 1) json_.member("startColumn", location.column);
    if (end_line >= location.line && end_column >= 1) {
      json_.member("endLine", end_line).member("endColumn", end_column);
    }
    json_.end();
  }

  std::span<const Diagnostic> diagnostics_;
  SourceProvider& sources_;
  std::vector<const CodeInfo*> rules_;
  std::unordered_map<const CodeInfo*, int> rule_numbers_;
  JsonWriter json_;
};

}  // namespace

void render_sarif(std::ostream& out, std::span<const Diagnostic> diagnostics, const Summary& summary,
                  SourceProvider& sources, const SarifRun& run) {
  out << SarifWriter(diagnostics, sources).write(summary, run);
}

}  // namespace pyptoc::diag
