// SPDX-License-Identifier: Apache-2.0
// Completions for bash, zsh and fish: plain scripts that need nothing but the shell.
#include <fmt/format.h>

#include <algorithm>

#include "driver/option_table.h"
#include "driver/pages.h"
#include "passes/pipeline.h"

namespace pyptoc::driver {
namespace {

std::string joined(const std::vector<std::string_view>& words, std::string_view separator = " ") {
  return fmt::format("{}", fmt::join(words, separator));
}

// The words that a value can be.
std::vector<std::string_view> words_of(const OptionRow& row) {
  if (row.value != "PASS") return choices_of(row);
  std::vector<std::string_view> names;
  for (const passes::PassInfo& pass : passes::pipeline())
    if (std::ranges::count(names, pass.name) == 0) names.push_back(pass.name);  // some run twice
  return names;
}

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  for (const CommandRow& row : command_table()) names.push_back(row.name);
  return names;
}

std::vector<std::string_view> option_names(Command command) {
  std::vector<std::string_view> names;
  for (const OptionRow& row : option_table()) {
    if (!row.commands.has(command)) continue;
    for (const std::string_view name : names_of(row)) names.push_back(name);
  }
  return names;
}

std::string_view name_of_command(Command command) {
  const CommandRow* row = row_of(command);
  return row == nullptr ? std::string_view() : row->name;
}

std::vector<Command> all_commands() {
  std::vector<Command> commands = {Command::kNone};
  for (const CommandRow& row : command_table()) commands.push_back(row.command);
  return commands;
}

// The first half of a sentence that has to fit on a line of a menu.
std::string brief(std::string_view help) {
  std::string text;
  for (const char c : help.substr(0, help.find(';')))
    if (c != '`' && c != '\'') text += c;
  return text;
}

// ---- bash

void bash_values(std::string& out) {
  for (const Command command : all_commands()) {
    for (const OptionRow& row : option_table()) {
      if (!row.commands.has(command) || row.value.empty()) continue;
      std::vector<std::string> patterns;
      for (const std::string_view name : names_of(row))
        patterns.push_back(fmt::format("{}:{}", name_of_command(command), name));
      const std::vector<std::string_view> words = words_of(row);
      std::string action = ":";
      if (!words.empty()) {
        action = fmt::format("_pyptoc_words \"{}\"", joined(words));
      } else if (value_kind(row) != ValueKind::kWord) {
        action = value_kind(row) == ValueKind::kFile ? "_pyptoc_files -f" : "_pyptoc_files -d";
      }
      out += fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, " | "), action);
    }
  }
}

void bash_names(std::string& out) {
  for (const Command command : all_commands())
    out +=
        fmt::format("      \"{}\") _pyptoc_words \"{}\" ;;\n", name_of_command(command), joined(option_names(command)));
}

void bash_arguments(std::string& out) {
  out += fmt::format("    \"\") _pyptoc_words \"{}\" ;;\n", joined(command_names()));
  for (const CommandRow& row : command_table())
    if (!row.topics.empty()) out += fmt::format("    {}) _pyptoc_words \"{}\" ;;\n", row.name, joined(row.topics));
  out += "    explain) _pyptoc_words \"$(pyptoc list diagnostics 2>/dev/null)\" ;;\n    *) _pyptoc_files -f ;;\n";
}

// ---- zsh

// Inside of '...' and [...] of an argument of _arguments.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : brief(text)) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const OptionRow& row) {
  if (row.value.empty()) return "";
  const std::vector<std::string_view> words = words_of(row);
  const std::string separator = row.value_optional ? "::" : ":";
  if (!words.empty()) return fmt::format("{}{}:({})", separator, row.value, joined(words));
  if (value_kind(row) == ValueKind::kFile) return fmt::format("{}{}:_files", separator, row.value);
  if (value_kind(row) == ValueKind::kFolder) return fmt::format("{}{}:_files -/", separator, row.value);
  return fmt::format("{}{}: ", separator, row.value);
}

void zsh_options(std::string& out, Command command, std::string_view indent) {
  for (const OptionRow& row : option_table()) {
    if (!row.commands.has(command)) continue;
    for (const std::string_view name : names_of(row)) {
      std::string_view join;  // how a value follows the name
      if (!row.value.empty() && name.starts_with("--")) join = row.value_optional ? "=-" : "=";
      if (!row.value.empty() && !name.starts_with("--")) join = "+";
      out += fmt::format("{}'*{}{}[{}]{}' \\\n", indent, name, join, zsh_text(row.help), zsh_action(row));
    }
  }
}

std::string zsh_argument(const CommandRow& row) {
  if (!row.topics.empty()) return fmt::format("'1:{}:({})'", row.argument, joined(row.topics));
  if (row.argument == "PROG") return "'1:PROG:_files'";
  return "'1:CODE:($(pyptoc list diagnostics 2>/dev/null))'";
}

// ---- fish

// Inside of '...'.
std::string fish_text(std::string_view text) {
  std::string out;
  for (const char c : brief(text)) {
    if (c == '\\') out += '\\';
    out += c;
  }
  return out;
}

void fish_option(std::string& out, Command command, const OptionRow& row) {
  const std::string condition = command == Command::kNone
                                    ? "__fish_use_subcommand"
                                    : fmt::format("__fish_seen_subcommand_from {}", name_of_command(command));
  out += fmt::format("complete -c pyptoc -n '{}'", condition);
  for (const std::string_view name : names_of(row))
    out += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2)) : fmt::format(" -s {}", name.substr(1));
  if (!row.value.empty()) {
    const std::vector<std::string_view> words = words_of(row);
    if (!words.empty()) {
      out += fmt::format(" {} -a '{}'", row.value_optional ? "-f" : "-x", joined(words));
    } else if (value_kind(row) == ValueKind::kFolder) {
      out += " -x -a '(__fish_complete_directories)'";
    } else {
      out += value_kind(row) == ValueKind::kFile ? " -r -F" : " -x";
    }
  }
  out += fmt::format(" -d '{}'\n", fish_text(row.help));
}

}  // namespace

std::string bash_completion() {
  std::string out =
      "# bash completion for pyptoc, made by `pyptoc --print-completion bash`\n"
      "_pyptoc_words() {\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$current\")\n"
      "}\n"
      "_pyptoc_files() {\n"
      "  mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$current\")\n"
      "  compopt -o filenames 2>/dev/null\n"
      "}\n"
      "_pyptoc() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' word\n"
      "  COMPREPLY=()\n"
      "  # `--target=a5` is three words here.\n"
      "  if [[ $current == = ]]; then\n"
      "    current=''\n"
      "  elif [[ $previous == = ]]; then\n"
      "    previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
      "  fi\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n";
  out += fmt::format("    case $word in {}) command=$word; break ;; esac\n", joined(command_names(), " | "));
  out += "  done\n  case $command:$previous in\n";
  bash_values(out);
  out += "  esac\n  if [[ $current == -* ]]; then\n    case $command in\n";
  bash_names(out);
  out += "    esac\n    return\n  fi\n  case $command in\n";
  bash_arguments(out);
  return out + "  esac\n}\ncomplete -F _pyptoc pyptoc\n";
}

std::string zsh_completion() {
  std::string out =
      "#compdef pyptoc\n"
      "# zsh completion for pyptoc, made by `pyptoc --print-completion zsh`\n"
      "_pyptoc_commands() {\n"
      "  local -a commands=(\n";
  for (const CommandRow& row : command_table()) out += fmt::format("    '{}:{}'\n", row.name, zsh_text(row.summary));
  out +=
      "  )\n"
      "  _describe command commands\n"
      "}\n"
      "_pyptoc() {\n"
      "  local context state state_descr line\n"
      "  typeset -A opt_args\n"
      "  _arguments -C \\\n";
  zsh_options(out, Command::kNone, "    ");
  out +=
      "    '1:command:_pyptoc_commands' '*::argument:->arguments'\n  [[ $state == arguments ]] || return\n"
      "  case $words[1] in\n";
  for (const CommandRow& row : command_table()) {
    out += fmt::format("    {})\n      _arguments \\\n", row.name);
    zsh_options(out, row.command, "        ");
    out += fmt::format("        {} ;;\n", zsh_argument(row));
  }
  // The file works both as an autoloaded function and when it is sourced.
  return out +
         "  esac\n}\nif [[ $funcstack[1] == _pyptoc ]]; then\n  _pyptoc \"$@\"\nelse\n  compdef _pyptoc pyptoc\nfi\n";
}

std::string fish_completion() {
  std::string out = "# fish completion for pyptoc, made by `pyptoc --print-completion fish`\n";
  for (const CommandRow& row : command_table()) {
    out +=
        fmt::format("complete -c pyptoc -n __fish_use_subcommand -f -a {} -d '{}'\n", row.name, fish_text(row.summary));
    const std::string seen = fmt::format("complete -c pyptoc -n '__fish_seen_subcommand_from {}'", row.name);
    if (!row.topics.empty()) out += fmt::format("{} -f -a '{}'\n", seen, joined(row.topics));
    if (row.command == Command::kExplain) out += fmt::format("{} -f -a '(pyptoc list diagnostics)'\n", seen);
  }
  for (const Command command : all_commands())
    for (const OptionRow& row : option_table())
      if (row.commands.has(command)) fish_option(out, command, row);
  return out;
}

}  // namespace pyptoc::driver
