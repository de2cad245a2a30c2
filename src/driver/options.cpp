// SPDX-License-Identifier: Apache-2.0
// Parsing of the command line. CLI11 splits it into options and arguments; what they mean is in the option table.
// The only file that includes CLI11, which takes seconds to compile.
#include "driver/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "diag/codes_usage.h"
#include "driver/option_table.h"
#include "driver/option_values.h"
#include "support/edit_distance.h"
#include "support/internal_error.h"

namespace pyptoc::driver {
namespace {

// The options of one command, or those before the command, and what CLI11 keeps for each.
class OptionScope {
 public:
  OptionScope(CLI::App* app, Command command) : app_(app), command_(command) {
    app->set_help_flag();
    for (const OptionRow& row : option_table()) {
      if (!row.commands.has(command)) continue;
      options_.push_back({&row, add(row)});
    }
    if (command == Command::kNone) return;
    app->add_option("arguments", arguments_);
  }

  void store(Options& options, diag::Engine& diags) const {
    for (const Added& added : options_) store_values(*added.row, added.option->results(), options, diags);
  }
  bool was_given(const OptionRow& row) const {
    return std::ranges::any_of(options_, [&](const Added& a) { return a.row == &row && a.option->count() > 0; });
  }
  CLI::App* app() const { return app_; }
  Command command() const { return command_; }
  const std::vector<std::string>& arguments() const { return arguments_; }

  std::vector<std::string_view> names() const {
    std::vector<std::string_view> names;
    for (const Added& added : options_)
      for (std::string_view name : names_of(*added.row)) names.push_back(name);
    return names;
  }

 private:
  struct Added {
    const OptionRow* row;
    CLI::Option* option;
  };

  CLI::Option* add(const OptionRow& row) const {
    const std::string names(row.names);
    const auto keep = [](const CLI::results_t&) { return true; };
    if (row.is_flag()) return app_->add_flag(names)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    CLI::Option* option = app_->add_option(names, keep);
    return option->type_name(std::string(row.value))->expected(1)->take_all()->allow_extra_args(false);
  }

  CLI::App* app_;
  Command command_;
  std::vector<Added> options_;
  std::vector<std::string> arguments_;
};

// How diagnostics are shown has to be known before the rest of the line is understood.
void scan_for_display_options(const std::vector<std::string>& arguments, Options& options) {
  diag::Engine ignored;
  for (const OptionRow& row : option_table()) {
    if (row.group != OptionGroup::kDiagnostics || !row.commands.has(Command::kNone)) continue;
    const std::string name(long_name(row));
    for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
      if (arguments[i] == name && i + 1 < arguments.size()) store_values(row, {arguments[i + 1]}, options, ignored);
      if (arguments[i].starts_with(name + "="))
        store_values(row, {arguments[i].substr(name.size() + 1)}, options, ignored);
    }
  }
}

void report_unknown_option(std::string_view word, const OptionScope& scope, diag::Engine& diags) {
  const CommandRow* row = row_of(scope.command());
  const std::string whose = row == nullptr ? "pyptoc" : fmt::format("pyptoc {}", row->name);
  if (word.starts_with("-=")) {  // what CLI11 leaves of `-v=3`
    diags.report(diag::codes::unknown_option, diag::kNowhere, whose, word).help("a flag of one letter takes no value");
    return;
  }
  const std::string_view name = word.substr(0, word.find('='));
  auto report = diags.report(diag::codes::unknown_option, diag::kNowhere, whose, name);
  if (auto closest = support::closest(name, scope.names())) {
    report.help(fmt::format("did you mean `{}`?", *closest));
    return;
  }
  for (const OptionRow& option : option_table()) {
    if (std::ranges::count(names_of(option), name) == 0) continue;
    for (const CommandRow& other : command_table()) {
      if (!option.commands.has(other.command)) continue;
      report.help(fmt::format("`{}` is an option of `pyptoc {}`", name, other.name));
      return;
    }
  }
}

void report_unknown_command(std::string_view word, diag::Engine& diags) {
  std::vector<std::string_view> names;
  for (const CommandRow& row : command_table()) names.push_back(row.name);
  auto report = diags.report(diag::codes::unknown_command, diag::kNowhere, word);
  if (auto closest = support::closest(word, names)) {
    report.help(fmt::format("did you mean `{}`?", *closest));
  } else {
    report.help("`pyptoc --help` lists the commands");
  }
}

// What CLI11 could not place, in the order of the line.
void report_leftovers(const OptionScope& scope, diag::Engine& diags) {
  for (const std::string& word : scope.app()->remaining()) {
    if (word == "--") continue;
    if (word.starts_with("-") && word != "-") {
      report_unknown_option(word, scope, diags);
    } else if (scope.command() == Command::kNone) {
      report_unknown_command(word, diags);
      return;  // the rest would have belonged to that command
    }
  }
}

class CommandLine {
 public:
  explicit CommandLine(const std::vector<std::string>& arguments) : top_(&app_, Command::kNone) {
    app_.require_subcommand(0, 1);
    app_.allow_extras();
    for (const CommandRow& row : command_table()) {
      // Only commands that occur can have been meant; the others would only cost start-up time.
      if (std::ranges::count(arguments, row.name) == 0) continue;
      CLI::App* sub = app_.add_subcommand(std::string(row.name));
      sub->allow_extras();
      scopes_.push_back(std::make_unique<OptionScope>(sub, row.command));
    }
  }

  void parse(std::vector<std::string> arguments) {
    std::ranges::reverse(arguments);
    app_.parse(std::move(arguments));
  }

  const OptionScope& top() const { return top_; }
  // Null when no command was given.
  const OptionScope* chosen() const {
    for (const auto& scope : scopes_)
      if (scope->app()->parsed()) return scope.get();
    return nullptr;
  }

 private:
  CLI::App app_;
  OptionScope top_;
  std::vector<std::unique_ptr<OptionScope>> scopes_;
};

// The option that CLI11's text is about: `--output: 1 required DIR missing`.
void report_missing_value(std::string_view text, diag::Engine& diags) {
  const std::string_view name = text.substr(0, text.find(':'));
  for (const OptionRow& row : option_table()) {
    if (std::ranges::count(names_of(row), name) == 0) continue;
    diags.report(diag::codes::missing_option_value, diag::kNowhere, names_of(row).front(), row.value);
    return;
  }
  support::internal_error("an option without its value: " + std::string(text), __FILE__, __LINE__);
}

}  // namespace

void parse_options(const std::vector<std::string>& arguments, Options& options, diag::Engine& diags) {
  scan_for_display_options(arguments, options);
  CommandLine line(arguments);
  try {
    line.parse(arguments);
  } catch (const CLI::ArgumentMismatch& error) {
    report_missing_value(error.what(), diags);
    return;
  } catch (const CLI::Error& error) {
    // Words that no option takes were reported before they got here.
    support::internal_error(std::string("the command line: ") + error.what(), __FILE__, __LINE__);
  }
  line.top().store(options, diags);
  report_leftovers(line.top(), diags);
  const OptionScope* chosen = line.chosen();
  if (chosen == nullptr) return;
  options.command = chosen->command();
  chosen->store(options, diags);
  report_leftovers(*chosen, diags);
  if (options.help || options.version || options.page) return;
  store_arguments(*row_of(chosen->command()), chosen->arguments(), options, diags);
  if (!diags.has_errors()) check_options(options, diags);
}

}  // namespace pyptoc::driver
