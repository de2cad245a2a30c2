// SPDX-License-Identifier: Apache-2.0
// Layout of the help.
#include "driver/help.h"

#include <fmt/format.h>

#include "driver/option_table.h"

namespace pyptoc::driver {
namespace {

constexpr size_t kColumn = 28;  // where descriptions begin

std::string_view title(OptionGroup group) {
  switch (group) {
    case OptionGroup::kMain:
      return "Options";
    case OptionGroup::kPasses:
      return "Passes";
    case OptionGroup::kInspection:
      return "Looking inside";
    case OptionGroup::kDiagnostics:
      return "Diagnostics";
    case OptionGroup::kGeneral:
      break;
  }
  return "General";
}

// `-o, --output DIR`, `--version[=FORMAT]`.
std::string spelled(const OptionRow& row) {
  std::string text;
  for (const std::string_view name : names_of(row)) {
    text += text.empty() ? (name.starts_with("--") ? "    " : "") : ", ";
    text += name;
  }
  if (row.value_optional) return fmt::format("{}[={}]", text, row.value);
  return row.value.empty() ? text : fmt::format("{} {}", text, row.value);
}

// A term and its description beside it, or below it when the term is too long.
void add_entry(std::string& out, std::string_view term, std::string_view description) {
  const std::string lines = wrapped(description, kColumn, kHelpWidth);
  const std::string head = fmt::format("  {}", term);
  if (head.size() + 2 > kColumn) {
    out += head + "\n" + lines;
  } else {
    out += head + lines.substr(head.size());
  }
}

void add_options(std::string& out, Command command) {
  for (const OptionGroup group : {OptionGroup::kMain, OptionGroup::kPasses, OptionGroup::kInspection,
                                  OptionGroup::kDiagnostics, OptionGroup::kGeneral}) {
    std::string entries;
    for (const OptionRow& row : option_table())
      if (row.group == group && row.commands.has(command)) add_entry(entries, spelled(row), row.help);
    if (!entries.empty()) out += fmt::format("\n{}:\n{}", title(group), entries);
  }
}

std::string overview() {
  std::string out =
      "pyptoc compiles distributed PyPTO programs ahead of time.\n"
      "\n"
      "Usage: pyptoc COMMAND [OPTIONS] ...\n"
      "\n"
      "  pyptoc build prog.json -o out\n"
      "  pyptoc print prog.json\n"
      "\n"
      "Commands:\n";
  for (const CommandRow& row : command_table()) add_entry(out, row.name, row.summary);
  add_options(out, Command::kNone);
  out +=
      "\n`pyptoc COMMAND --help` shows the options of a command. `@FILE` stands for the\n"
      "arguments in FILE.\n"
      "\n"
      "Exit status:\n";
  add_entry(out, "0", "done");
  add_entry(out, "1", "the program has errors");
  add_entry(out, "2", "wrong use of the command line");
  add_entry(out, "3", "a file could not be read or written; out of memory");
  add_entry(out, "70", "a bug in pyptoc");
  add_entry(out, "128+N", "ended by signal N");
  return out;
}

}  // namespace

std::string wrapped(std::string_view text, size_t indent, size_t width) {
  std::string out;
  std::string line(indent, ' ');
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (line.size() > indent && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line.assign(indent, ' ');
    }
    if (line.size() > indent) line += ' ';
    line += word;
  }
  return out + line + "\n";
}

std::string help_text(Command command) {
  const CommandRow* row = row_of(command);
  if (row == nullptr) return overview();
  std::string out = fmt::format("pyptoc {}: {}\n\nUsage: pyptoc {} ", row->name, row->summary, row->name);
  out += row->argument_required ? std::string(row->argument) : fmt::format("[{}]", row->argument);
  out += " [OPTIONS]\n\n";
  for (std::string_view rest = row->examples; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    out += fmt::format("  {}\n", line);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  if (row->argument == "PROG")
    out += "\nPROG is a .json, .msgpack or .py file (DSL text), or `-` for standard input.\n";
  if (row->command == Command::kList) out += "\nWHAT is passes, ops, targets or diagnostics.\n";
  add_options(out, command);
  return out;
}

}  // namespace pyptoc::driver
