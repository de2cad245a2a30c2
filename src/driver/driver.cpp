// SPDX-License-Identifier: Apache-2.0
// From arguments to exit status; the only place that catches exceptions.
#include "driver/driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <ostream>

#include "diag/codes_usage.h"
#include "driver/commands.h"
#include "driver/crash_report.h"
#include "driver/help.h"
#include "driver/option_values.h"
#include "driver/pages.h"
#include "driver/response_file.h"
#include "driver/show_diagnostics.h"
#include "driver/version.h"
#include "publish/replace_file.h"

namespace pyptoc::driver {
namespace {

constexpr int64_t kWidest = 1000;

void dispatch(Session& session) {
  switch (session.options.command) {
    case Command::kBuild:
      return run_build(session);
    case Command::kCheck:
      return run_check(session);
    case Command::kPrint:
      return run_print(session);
    case Command::kConvert:
      return run_convert(session);
    case Command::kOpt:
      return run_opt(session);
    case Command::kExplain:
      return run_explain(session);
    case Command::kList:
      return run_list(session);
    case Command::kGraph:
      return run_graph(session);
    case Command::kSchema:
      return run_schema(session);
    case Command::kNone:
      break;
  }
  PYPTOC_UNREACHABLE("a command that is not known");
}

Crash describe_crash(const Session& session, const std::exception& error) {
  if (!session.pass_failure) return {fmt::format("outside of passes"), error.what(), "", nullptr};
  const passes::PassFailure& failure = *session.pass_failure;
  return {fmt::format("in pass `{}`", failure.pass), failure.what, failure.pass, failure.before};
}

// Bugs and the end of memory become diagnostics like everything else.
void dispatch_guarded(Session& session, const std::vector<std::string>& arguments) {
  try {
    dispatch(session);
  } catch (const std::bad_alloc&) {
    session.diags.report(diag::codes::out_of_memory, diag::kNowhere);
  } catch (const std::exception& error) {
    report_crash(session, describe_crash(session, error), arguments);
  }
}

void report_times(Session& session) {
  session.timings.finish_all();
  if (session.options.time_passes) session.system.err << session.timings.table() << std::flush;
  if (session.options.time_trace.empty()) return;
  publish::replace_file(session.system.files, session.options.time_trace, session.timings.chrome_trace(),
                        publish::WhenSame::kReplace, session.system.interruption, session.diags);
}

}  // namespace

int Driver::run(const std::vector<std::string>& arguments) {
  if (const auto columns = parse_integer(system_.variable("COLUMNS")); columns && *columns > 0)
    system_.width = static_cast<int>(std::min(*columns, kWidest));
  Options options;
  try {
    diag::Engine diags;
    const std::vector<std::string> words = expand_response_files(arguments, system_.files, diags);
    if (!diags.has_errors()) parse_options(words, options, diags);
    if (diags.has_errors()) return report_usage(diags, options);
    if (options.help || options.version || options.page) return print_about(options, diags);
    if (options.command == Command::kNone) {
      system_.err << help_text(Command::kNone) << std::flush;
      return kExitUsage;
    }
    return run_command(options, words);
  } catch (const std::exception& error) {
    system_.err << "error: bug in pyptoc: " << error.what() << '\n' << std::flush;
    return kExitBug;
  }
}

int Driver::run_command(const Options& options, const std::vector<std::string>& arguments) {
  const bool color = wants_color(options);
  Timings timings(system_.now_ns);
  Session session(system_, options, timings, color);
  dispatch_guarded(session, arguments);
  report_times(session);
  const auto sources = source_provider(session);
  const bool shown = show_diagnostics(system_, options, color, session.diags, *sources);
  const int status = exit_status_of(session.diags);
  if (system_.interruption.pending()) return system_.interruption.exit_status();
  return status == kExitDone && !shown ? kExitFiles : status;
}

// What says something about pyptoc itself.
int Driver::print_about(const Options& options, diag::Engine& diags) {
  std::string text;
  if (options.help) {
    text = help_text(options.command);
  } else if (options.version) {
    text = version_text(*options.version);
  } else {
    text = page_text(*options.page, system_, diags);
  }
  const bool written = !diags.has_errors() && write_to_stdout(system_, text, diags);
  return written ? kExitDone : report_usage(diags, options);
}

int Driver::report_usage(diag::Engine& diags, const Options& options) {
  diag::SourceProvider nothing;
  show_diagnostics(system_, options, wants_color(options), diags, nothing);
  return exit_status_of(diags);
}

bool Driver::wants_color(const Options& options) const {
  if (options.color != Color::kAuto) return options.color == Color::kAlways;
  if (!system_.variable("NO_COLOR").empty()) return false;
  const std::string_view force = system_.variable("CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return true;
  return system_.variable("TERM") != "dumb" && system_.err_is_terminal;
}

}  // namespace pyptoc::driver
