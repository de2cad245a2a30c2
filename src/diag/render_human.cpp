// SPDX-License-Identifier: Apache-2.0
// Diagnostics for people: with excerpt, notes and a closing count, or one line each.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <string>

#include "diag/excerpt.h"
#include "diag/location.h"
#include "diag/render.h"
#include "diag/render_parts.h"
#include "diag/terminal_text.h"

namespace pyptoc::diag {
namespace {

// Colours of the terminal's own palette, readable on dark and light backgrounds.
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kBoldRed = "\x1b[1;31m";
constexpr std::string_view kBoldMagenta = "\x1b[1;35m";
constexpr std::string_view kBoldBlue = "\x1b[1;34m";
constexpr std::string_view kReset = "\x1b[0m";

constexpr std::size_t kLeastGutter = 2;  // arrows of short and long files stay below each other

class Painter {
 public:
  Painter(std::string& out, bool color) : out_(out), color_(color) {}
  void plain(std::string_view text) { out_ += text; }
  void visible(std::string_view text) { append_visible(out_, text); }
  void painted(std::string_view color, std::string_view text) {
    begin(color);
    out_ += text;
    end();
  }
  void begin(std::string_view color) { out_ += color_ ? color : ""; }
  void end() { out_ += color_ ? kReset : ""; }

 private:
  std::string& out_;
  bool color_;
};

std::string_view color_of(Severity severity) {
  return severity == Severity::Error ? kBoldRed : kBoldMagenta;
}

void paint_header(Painter& painter, const Diagnostic& diagnostic) {
  painter.painted(color_of(diagnostic.severity),
                  fmt::format("{}[{}]", severity_name(diagnostic.severity), diagnostic.code->id));
  painter.begin(kBold);
  painter.plain(": ");
  painter.visible(diagnostic.message);
  painter.end();
  painter.plain("\n");
}

void paint_excerpt(Painter& painter, const MarkedLine& line, Severity severity, std::size_t gutter, int width) {
  const std::string bar = std::string(gutter, ' ') + " |";
  const Excerpt excerpt = make_excerpt(line, width - static_cast<int>(gutter) - 3);
  painter.painted(kBoldBlue, bar);
  painter.plain("\n");
  painter.painted(kBoldBlue, fmt::format("{:>{}} |", line.number, gutter));
  painter.plain(excerpt.text.empty() ? "" : " ");
  painter.plain(excerpt.text);
  painter.plain("\n");
  if (!excerpt.carets.empty()) {
    painter.painted(kBoldBlue, bar);
    const std::size_t blanks = excerpt.carets.find('^');
    painter.plain(std::string(blanks + 1, ' '));
    painter.painted(color_of(severity), std::string_view(excerpt.carets).substr(blanks));
    painter.plain("\n");
  }
}

void paint_remark(Painter& painter, std::size_t gutter, std::string_view kind, std::string_view text) {
  painter.plain(std::string(gutter + 1, ' '));
  painter.painted(kBoldBlue, "=");
  painter.plain(" ");
  painter.painted(kBold, fmt::format("{}:", kind));
  painter.plain(" ");
  painter.visible(text);
  painter.plain("\n");
}

std::string note_text(const Note& note, SourceProvider& sources) {
  if (!note.place) {
    return note.text;
  }
  const std::string place = describe_briefly(resolve(*note.place, sources, false), *note.place);
  return place.empty() ? note.text : fmt::format("{}: {}", note.text, place);
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string closing_lines(const Summary& summary) {
  std::string text;
  if (summary.hidden_errors > 0) {
    text = fmt::format("{} more {} not shown (see `--error-limit`)\n", summary.hidden_errors,
                       summary.hidden_errors == 1 ? "error is" : "errors are");
  }
  if (summary.errors > 0) {
    text += counted(summary.errors, "error");
  }
  if (summary.warnings > 0) {
    text += (summary.errors > 0 ? ", " : "") + counted(summary.warnings, "warning");
  }
  return text.empty() ? text : text + "\n";
}

// `moe.py:41:16: `; nothing for a diagnostic about no place.
void append_short_place(std::string& out, const OwnedPlace& place, SourceProvider& sources) {
  const Location location = resolve(place, sources, false);
  const std::string text = describe_briefly(location, place);
  if (!text.empty()) {
    append_visible(out, text);
    out += ": ";
  }
}

}  // namespace

void append_human(std::string& out, const Diagnostic& diagnostic, SourceProvider& sources,
                  const RenderOptions& options) {
  Painter painter(out, options.color);
  paint_header(painter, diagnostic);
  const Location location = resolve(diagnostic.place, sources, true);
  const std::string place = describe(location, diagnostic.place);
  std::size_t gutter = kLeastGutter;
  if (location.excerpt) {
    gutter = std::max(gutter, std::to_string(location.excerpt->number).size());
  }
  if (!place.empty()) {
    painter.plain(std::string(gutter, ' '));
    painter.painted(kBoldBlue, "-->");
    painter.plain(" ");
    painter.visible(place);
    painter.plain("\n");
  }
  if (location.excerpt) {
    paint_excerpt(painter, *location.excerpt, diagnostic.severity, gutter, options.width);
  }
  for (const Note& note : diagnostic.notes) {
    paint_remark(painter, gutter, "note", note_text(note, sources));
  }
  for (const std::string& help : diagnostic.helps) {
    paint_remark(painter, gutter, "help", help);
  }
}

void render_human(std::ostream& out, std::span<const Diagnostic> diagnostics, const Summary& summary,
                  SourceProvider& sources, const RenderOptions& options) {
  for (const Diagnostic& diagnostic : diagnostics) {
    std::string text;
    append_human(text, diagnostic, sources, options);
    out << text << '\n';
  }
  out << closing_lines(summary);
}

void render_short(std::ostream& out, std::span<const Diagnostic> diagnostics, const Summary& summary,
                  SourceProvider& sources, const RenderOptions& options) {
  for (const Diagnostic& diagnostic : diagnostics) {
    std::string text;
    append_short_place(text, diagnostic.place, sources);
    Painter painter(text, options.color);
    paint_header(painter, diagnostic);
    for (const Note& note : diagnostic.notes) {
      append_short_place(text, note.place.value_or(diagnostic.place), sources);
      text += "note: ";
      append_visible(text, note.text);
      text += '\n';
    }
    for (const std::string& help : diagnostic.helps) {
      append_short_place(text, diagnostic.place, sources);
      text += "help: ";
      append_visible(text, help);
      text += '\n';
    }
    out << text;
  }
  out << closing_lines(summary);
}

}  // namespace pyptoc::diag
