// SPDX-License-Identifier: Apache-2.0
// Rules between options, and names that must exist.
#include <fmt/format.h>

#include "diag/code_table.h"
#include "diag/codes_usage.h"
#include "driver/option_values.h"
#include "driver/program_format.h"
#include "passes/pipeline.h"
#include "support/edit_distance.h"

namespace pyptoc::driver {
namespace {

void check_pass(std::string_view option, std::string_view name, diag::Engine& diags) {
  if (name.empty() || passes::find_pass(name) >= 0) return;
  std::vector<std::string_view> names;
  for (const passes::PassInfo& pass : passes::pipeline()) names.push_back(pass.name);
  auto report = diags.report(diag::codes::unknown_pass, diag::kNowhere, option, name);
  if (auto closest = support::closest(name, names)) {
    report.help(fmt::format("did you mean `{}`?", *closest));
  } else {
    report.help("`pyptoc list passes` shows them");
  }
}

void check_passes(const Options& options, diag::Engine& diags) {
  check_pass("--after", options.print_program_after, diags);
  check_pass("--start-after", options.start_after, diags);
  check_pass("--stop-after", options.stop_after, diags);
  for (const std::string& name : options.passes) check_pass("--passes", name, diags);
  for (const std::string& name : options.print_after) check_pass("--print-after", name, diags);

  if (!options.passes.empty() && !(options.start_after.empty() && options.stop_after.empty())) {
    diags.report(diag::codes::options_exclude_each_other, diag::kNowhere, "--passes",
                 options.start_after.empty() ? "--stop-after" : "--start-after");
  }
  const int start = passes::find_pass(options.start_after);
  const int stop = passes::find_pass(options.stop_after);
  if (start >= 0 && stop >= 0 && stop < start)
    diags.report(diag::codes::passes_out_of_order, diag::kNowhere, options.stop_after, options.start_after);
  if (options.command == Command::kOpt && options.passes.empty() && options.start_after.empty() &&
      options.stop_after.empty()) {
    diags.report(diag::codes::missing_option, diag::kNowhere, "opt", "`--passes`, `--start-after` or `--stop-after`");
  }
}

// `no-NAME`, `error`, `error=NAME` or `NAME`, the text behind -W.
void add_warning_rule(std::string_view text, Options& options, diag::Engine& diags) {
  using Action = diag::WarningPolicy::Action;
  if (text == "error") {
    options.warnings.all_as_errors = true;
    return;
  }
  Action action = Action::Enable;
  for (auto [prefix, meaning] : {std::pair{std::string_view("no-"), Action::Disable}, {"error=", Action::Error}}) {
    if (!text.starts_with(prefix)) continue;
    action = meaning;
    text.remove_prefix(prefix.size());
    break;
  }
  const diag::CodeInfo* code = diag::find_code(text);
  if (code != nullptr && code->severity == diag::Severity::Warning) {
    options.warnings.rules.push_back({std::string(code->name()), action});
    return;
  }
  auto report = diags.report(diag::codes::unknown_warning, diag::kNowhere, text);
  if (code != nullptr) {
    report.help(fmt::format("`{}` is an error and stays one", code->id));
  } else if (auto name = support::closest(text, diag::warning_names())) {
    report.help(fmt::format("did you mean `{}`?", *name));
  }
}

void check_picture(Options& options, diag::Engine& diags) {
  if (options.graph_format || options.output.empty()) return;
  if (options.output == "-") {
    options.graph_format = GraphFormat::kDot;
    return;
  }
  options.graph_format = picture_of_path(options.output);
  if (!options.graph_format)
    diags.report(diag::codes::unknown_picture_ending, diag::kNowhere, options.output).help("`--to` names the kind");
}

void check_output(Options& options, diag::Engine& diags) {
  const bool needs_output = options.command == Command::kConvert || options.command == Command::kGraph ||
                            (options.command == Command::kBuild && !options.print_outputs);
  if (options.output.empty()) {
    if (needs_output) {
      diags.report(diag::codes::missing_option, diag::kNowhere, row_of(options.command)->name,
                   options.command == Command::kBuild ? "`-o DIR`" : "`-o FILE`");
    }
    if (options.command == Command::kOpt) options.output = "-";
  }
  if (options.command == Command::kBuild && options.output == "-")
    diags.report(diag::codes::bad_option_value, diag::kNowhere, "-o", "a folder", "-");
  if (options.command == Command::kGraph) return check_picture(options, diags);
  if ((options.command != Command::kConvert && options.command != Command::kOpt) || options.format) return;
  if (options.output == "-" || options.output.empty()) {
    options.format = ProgramFormat::kJson;
    return;
  }
  options.format = format_of_path(options.output);
  if (!options.format)
    diags.report(diag::codes::unknown_ending, diag::kNowhere, options.output).help("`--to` names the format");
}

}  // namespace

void check_options(Options& options, diag::Engine& diags) {
  check_passes(options, diags);
  for (const std::string& text : options.warning_arguments) add_warning_rule(text, options, diags);
  check_output(options, diags);
  if (!options.depfile_target.empty() && options.depfile.empty())
    diags.report(diag::codes::option_needs_another, diag::kNowhere, "--depfile-target", "--depfile");
  if (options.aiv_cores) options.target.aiv_cores = static_cast<int>(*options.aiv_cores);
}

}  // namespace pyptoc::driver
