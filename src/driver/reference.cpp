// SPDX-License-Identifier: Apache-2.0
// The manual page and the Markdown reference. Options that every command has stand once, behind the commands.
#include <fmt/format.h>

#include "driver/help.h"
#include "driver/option_table.h"
#include "driver/pages.h"
#include "driver/version.h"

namespace pyptoc::driver {
namespace {

struct VariableRow {
  std::string_view name;
  std::string_view meaning;
};
constexpr VariableRow kVariables[] = {
    {"NO_COLOR", "when it is not empty, `--color auto` means `never`"},
    {"CLICOLOR_FORCE", "else, when it is neither empty nor `0`, it means `always`"},
    {"TERM", "else, when it is `dumb`, it means `never`; else standard error decides, by being a terminal or not"},
    {"COLUMNS", "how wide excerpts of sources may be"},
};

constexpr std::string_view kProgram =
    "PROG is a program as the PyPTO front end serializes it, `prog.json` or `prog.msgpack`, a `.py` file in DSL text, "
    "or `-` for standard input.";
constexpr std::string_view kStreams =
    "Standard output carries only what was asked for; everything for people goes to standard error. No command needs "
    "the network, `HOME` or a folder that it could write to, except where it is told to write. `@FILE` stands for the "
    "arguments in FILE.";

bool of_every_command(const OptionRow& row) {
  for (const CommandRow& command : command_table())
    if (!row.commands.has(command.command)) return false;
  return true;
}
bool of_no_command(const OptionRow& row) {
  for (const CommandRow& command : command_table())
    if (row.commands.has(command.command)) return false;
  return true;
}

std::string usage_of(const CommandRow& row) {
  const std::string argument = row.argument_required ? std::string(row.argument) : fmt::format("[{}]", row.argument);
  return fmt::format("pyptoc {} {} [OPTIONS]", row.name, argument);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(lines.back().size() + 1, text.size()));
  }
  return lines;
}

// ---- roff

// Text whose words in backticks become bold.
std::string roff(std::string_view text) {
  std::string out;
  bool bold = false;
  for (const char c : text) {
    if (c == '`') {
      bold = !bold;
      out += bold ? "\\fB" : "\\fR";
    } else if (c == '\\') {
      out += "\\e";
    } else {
      if (c == '-') out += '\\';
      if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
      out += c;
    }
  }
  return out;
}

std::string roff_bold(std::string_view text) {
  return "\\fB" + roff(text) + "\\fR";
}

template <class Want>
void roff_options(std::string& out, Want want) {
  for (const OptionRow& row : option_table())
    if (want(row)) out += fmt::format(".TP\n{}\n{}\n", roff_bold(spelled(row)), roff(row.help));
}

// ---- Markdown

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

template <class Want>
void markdown_options(std::string& out, Want want) {
  std::string rows;
  for (const OptionRow& row : option_table())
    if (want(row)) rows += fmt::format("| `{}` | {} |\n", cell(spelled(row)), cell(row.help));
  if (!rows.empty()) out += "| option | meaning |\n| --- | --- |\n" + rows + "\n";
}

}  // namespace

std::string man_page() {
  std::string out = fmt::format(
      ".TH PYPTOC 1 \"\" \"pyptoc {}\"\n.SH NAME\npyptoc \\- compile distributed PyPTO programs ahead of time\n"
      ".SH SYNOPSIS\n\\fBpyptoc\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n.SH DESCRIPTION\n{}\n.PP\n{}\n.SH "
      "COMMANDS\n",
      version(), roff(kProgram), roff(kStreams));
  for (const CommandRow& row : command_table()) {
    out += fmt::format(".SS {}\n{}.\n", roff(usage_of(row)), roff(row.summary));
    if (!row.topics.empty()) out += fmt::format("{} is {}.\n", row.argument, roff(listed(row.topics)));
    out += ".PP\n.nf\n";
    for (const std::string_view line : lines_of(row.examples)) out += "    " + roff(line) + "\n";
    out += ".fi\n";
    roff_options(out, [&](const OptionRow& o) { return o.commands.has(row.command) && !of_every_command(o); });
  }
  out += ".SH OPTIONS OF EVERY COMMAND\n";
  roff_options(out, of_every_command);
  out += ".SH OPTIONS WITHOUT A COMMAND\n";
  roff_options(out, of_no_command);
  out += ".SH EXIT STATUS\n";
  for (const ExitStatusRow& row : exit_status_table())
    out += fmt::format(".TP\n{}\n{}\n", roff_bold(row.status), roff(row.meaning));
  out += ".SH ENVIRONMENT\n";
  for (const VariableRow& row : kVariables) out += fmt::format(".TP\n{}\n{}\n", roff_bold(row.name), roff(row.meaning));
  return out;
}

std::string markdown_reference() {
  std::string out =
      fmt::format("# The command line\n\nMade by `pyptoc --print-markdown`; a test compares the two.\n\n{}\n{}",
                  wrapped(kProgram, 0, 120), wrapped(kStreams, 0, 120));
  for (const CommandRow& row : command_table()) {
    out += fmt::format("\n## pyptoc {}\n\n`{}`: {}.", row.name, usage_of(row), row.summary);
    out += row.topics.empty() ? "\n\n" : fmt::format(" {} is {}.\n\n", row.argument, listed(row.topics));
    for (const std::string_view line : lines_of(row.examples)) out += fmt::format("    {}\n", line);
    out += '\n';
    markdown_options(out, [&](const OptionRow& o) { return o.commands.has(row.command) && !of_every_command(o); });
    out.pop_back();
  }
  out += "\n## Options of every command\n\n";
  markdown_options(out, of_every_command);
  out += "## Options without a command\n\n";
  markdown_options(out, of_no_command);
  out += "## Exit status\n\n| status | meaning |\n| --- | --- |\n";
  for (const ExitStatusRow& row : exit_status_table()) out += fmt::format("| {} | {} |\n", row.status, row.meaning);
  out += "\n## Environment\n\n| variable | meaning |\n| --- | --- |\n";
  for (const VariableRow& row : kVariables) out += fmt::format("| `{}` | {} |\n", row.name, cell(row.meaning));
  return out;
}

}  // namespace pyptoc::driver
