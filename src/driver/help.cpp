// SPDX-License-Identifier: Apache-2.0
// Layout of the help.
#include "driver/help.h"

#include <fmt/format.h>

#include "driver/option_table.h"

namespace pyptoc::driver {
namespace {

constexpr size_t kColumn = 28;  // where descriptions begin

// Long names stand below each other.
std::string aligned(const OptionRow& row) {
  return (row.names.starts_with("--") ? "    " : "") + spelled(row);
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
  for (const OptionGroup group : kOptionGroups) {
    std::string entries;
    for (const OptionRow& row : option_table())
      if (row.group == group && row.commands.has(command)) add_entry(entries, aligned(row), row.help);
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
  for (const ExitStatusRow& row : exit_status_table()) add_entry(out, row.status, row.meaning);
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

// `a, b or c`.
std::string listed(const std::vector<std::string_view>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
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
  if (!row->topics.empty()) out += fmt::format("\n{} is {}.\n", row->argument, listed(row->topics));
  add_options(out, command);
  return out;
}

}  // namespace pyptoc::driver
