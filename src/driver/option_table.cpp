// SPDX-License-Identifier: Apache-2.0
// The tables of commands and options.
#include "driver/option_table.h"

#include <limits>

namespace pyptoc::driver {
namespace {

using enum Command;

std::vector<CommandRow> commands() {
  return {
      {kBuild, "build", "compile a program and write the output folder", "PROG", true,
       "pyptoc build prog.json -o out\n"
       "pyptoc build prog.py -o out --target a5 --depfile out.d"},
      {kCheck, "check", "run the pipeline and write nothing", "PROG", true, "pyptoc check prog.json"},
      {kPrint, "print", "show the program as PyPTO DSL text", "PROG", true,
       "pyptoc print prog.msgpack\n"
       "pyptoc print prog.json --after Simplify"},
      {kConvert, "convert", "convert between JSON, MessagePack and DSL text", "PROG", true,
       "pyptoc convert prog.msgpack -o prog.json\n"
       "pyptoc convert - --to py -o - < prog.json"},
      {kOpt, "opt", "run some passes only and write the program", "PROG", true,
       "pyptoc opt prog.py --passes Simplify -o -\n"
       "pyptoc opt dump/05-Simplify.py --start-after Simplify -o after.json"},
      {kGraph, "graph", "draw functions, tasks and collectives", "PROG", true,
       "pyptoc graph prog.json -o prog.html\n"
       "pyptoc graph prog.json -o prog.svg --function main"},
      {kExplain, "explain", "explain a diagnostic, or list them all", "CODE", false,
       "pyptoc explain E0800\n"
       "pyptoc explain"},
      {kList,
       "list",
       "list passes, ops, targets, templates or diagnostics",
       "WHAT",
       true,
       "pyptoc list passes\n"
       "pyptoc list targets --json",
       {"passes", "ops", "targets", "templates", "diagnostics"}},
      {kSchema,
       "schema",
       "print the JSON Schema of what pyptoc reads and writes",
       "WHAT",
       true,
       "pyptoc schema ir > ir.schema.json",
       {"ir", "manifest", "diagnostics"}},
  };
}

constexpr CommandSet kAll = {kNone, kBuild, kCheck, kPrint, kConvert, kOpt, kGraph, kExplain, kList, kSchema};
constexpr CommandSet kReading = {kBuild, kCheck, kPrint, kConvert, kOpt, kGraph};
constexpr CommandSet kCompiling = {kBuild, kCheck, kPrint, kOpt, kGraph};
constexpr CommandSet kBuilding = {kBuild};

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

std::vector<OptionRow> main_rows() {
  std::vector<std::string_view> targets;
  for (const passes::Target& target : passes::kTargets) targets.push_back(target.name);
  return {
      {"-o,--output", "DIR", "the output folder", kBuilding, OptionGroup::kMain, &Options::output},
      {"-o,--output",
       "FILE",
       "the output file, `-` for standard output; its ending tells the format",
       {kConvert, kOpt, kGraph},
       OptionGroup::kMain,
       &Options::output},
      {"--to",
       "FORMAT",
       "the output format, `json`, `msgpack` or `py`, whatever the file is called",
       {kConvert, kOpt},
       OptionGroup::kMain,
       ChoiceStore{{"json", "msgpack", "py"}, [](Options& o, size_t i) { o.format = static_cast<ProgramFormat>(i); }}},
      {"--to",
       "FORMAT",
       "the output format, `dot`, `svg` or `html`, whatever the file is called",
       {kGraph},
       OptionGroup::kMain,
       ChoiceStore{{"dot", "svg", "html"}, [](Options& o, size_t i) { o.graph_format = static_cast<GraphFormat>(i); }}},
      {"--target", "ARCH", "the device, `a2a3` (default) or `a5`", kCompiling, OptionGroup::kMain,
       ChoiceStore{targets, [](Options& o, size_t i) { o.target = passes::kTargets[i]; }}},
      {"--aiv-cores", "N", "vector cores of the device, where it has not as many as the target says", kCompiling,
       OptionGroup::kMain, NumberStore{[](Options& o, int64_t n) { o.aiv_cores = n; }, 1, 1 << 16}},
      {"--emit", "WHAT", "`all` (default), or `orchestration`: leave out the bodies of the program's own kernels",
       kBuilding, OptionGroup::kMain,
       ChoiceStore{{"all", "orchestration"}, [](Options& o, size_t i) { o.emit = static_cast<Emit>(i); }}},
      {"--template-dir", "DIR", "templates of collectives from this folder instead of the built-in ones", kBuilding,
       OptionGroup::kMain, &Options::template_dir},
      {"--analyze-deps", "", "derive task dependencies at compile time", kCompiling, OptionGroup::kMain,
       &Options::analyze_deps},
      {"-j,--jobs", "N", "emit at most N chip programs at once; the output does not depend on it", kBuilding, OptionGroup::kMain,
       NumberStore{[](Options& o, int64_t n) { o.jobs = n; }, 1, 1024}},
      {"--force", "", "build although the output is up to date", kBuilding, OptionGroup::kMain, &Options::force},
      {"--print-outputs", "", "print the files that a build would write, and write nothing", kBuilding,
       OptionGroup::kMain, &Options::print_outputs},
      {"--depfile", "FILE", "write the files that the output depends on as a rule for make and Ninja", kBuilding,
       OptionGroup::kMain, &Options::depfile},
      {"--depfile-target", "T", "the target of that rule, else DIR/manifest.json", kBuilding, OptionGroup::kMain,
       &Options::depfile_target},
      {"--function",
       "NAME",
       "draw this function and what it calls only",
       {kGraph},
       OptionGroup::kMain,
       &Options::function},
      {"--json", "", "print JSON", {kExplain, kList}, OptionGroup::kMain, &Options::json},
  };
}

std::vector<OptionRow> pass_rows() {
  return {
      {"--after",
       "PASS",
       "run the pipeline up to this pass first",
       {kPrint, kGraph},
       OptionGroup::kPasses,
       &Options::print_program_after},
      {"--passes", "A,B", "run these passes in this order", {kOpt}, OptionGroup::kPasses, &Options::passes, true},
      {"--start-after",
       "PASS",
       "begin the pipeline after this pass",
       {kOpt},
       OptionGroup::kPasses,
       &Options::start_after},
      {"--stop-after", "PASS", "end the pipeline after this pass", {kOpt}, OptionGroup::kPasses, &Options::stop_after},
      {"--verify", "WHEN",
       "verify the program after `each` pass (default), and that it survives as `text`; on `input` only, or `none`",
       kCompiling, OptionGroup::kPasses,
       ChoiceStore{{"each", "text", "input", "none"}, [](Options& o, size_t i) { o.verify = static_cast<Verify>(i); }}},
  };
}

std::vector<OptionRow> inspection_rows() {
  return {
      {"--dump-passes", "DIR", "write the program after each pass that changed it as DIR/NN-PassName.py", kCompiling,
       OptionGroup::kInspection, &Options::dump_folder},
      {"--print-after", "PASS", "print the program after this pass to standard error", kCompiling,
       OptionGroup::kInspection, &Options::print_after, true},
      {"--print-after-all", "", "the same after every pass", kCompiling, OptionGroup::kInspection,
       &Options::print_after_all},
      {"--print-changed", "", "the same after every pass that changed it", kCompiling, OptionGroup::kInspection,
       &Options::print_changed},
      {"--time-passes", "", "print a table of the time that each stage took to standard error", kReading,
       OptionGroup::kInspection, &Options::time_passes},
      {"--time-trace", "FILE", "write the same as Chrome trace events", kReading, OptionGroup::kInspection,
       &Options::time_trace},
  };
}

std::vector<OptionRow> diagnostics_rows() {
  return {
      {"--diagnostics-format", "FORMAT",
       "`human` (default), `short` (a line each), `json` (an object a line) or `sarif` (a log of SARIF 2.1.0)", kAll,
       OptionGroup::kDiagnostics,
       ChoiceStore{{"human", "short", "json", "sarif"},
                   [](Options& o, size_t i) { o.diagnostics_format = static_cast<DiagnosticsFormat>(i); }}},
      {"--diagnostics-output", "FILE", "write them in that format to a file; human text still goes to standard error",
       kAll, OptionGroup::kDiagnostics, &Options::diagnostics_output},
      {"-W", "NAME", "enable a warning; -Wno-NAME disables it, -Werror=NAME makes it an error, -Werror all of them",
       kReading, OptionGroup::kDiagnostics, &Options::warning_arguments},
      {"--error-limit", "N", "show at most N errors, 20 by default, 0 for all", kAll, OptionGroup::kDiagnostics,
       NumberStore{[](Options& o, int64_t n) { o.error_limit = n; }, 0, kNoLimit}},
      {"--color", "WHEN", "`auto` (default), `always` or `never`", kAll, OptionGroup::kDiagnostics,
       ChoiceStore{{"auto", "always", "never"}, [](Options& o, size_t i) { o.color = static_cast<Color>(i); }}},
  };
}

std::vector<OptionRow> general_rows() {
  return {
      {"-v,--verbose", "", "say what is being done; -vv says more", kAll, OptionGroup::kGeneral, &Options::verbosity},
      {"-q,--quiet", "", "no warnings, errors only", kAll, OptionGroup::kGeneral, &Options::quiet},
      {"-h,--help", "", "show this help", kAll, OptionGroup::kGeneral, &Options::help},
      {"--version",
       "FORMAT",
       "show the version; `verbose` and `json` say more",
       {kNone},
       OptionGroup::kGeneral,
       ChoiceStore{{"short", "verbose", "json"},
                   [](Options& o, size_t i) { o.version = static_cast<VersionFormat>(i); }},
       false,
       true},
      {"--print-make-include",
       "",
       "print the path of the file that a Makefile includes to get a rule for programs",
       {kNone},
       OptionGroup::kGeneral,
       FlagStore{[](Options& o) { o.page = Page::kMakeInclude; }}},
      {"--print-completion",
       "SHELL",
       "print completions for `bash`, `zsh` or `fish`",
       {kNone},
       OptionGroup::kGeneral,
       ChoiceStore{{"bash", "zsh", "fish"},
                   [](Options& o, size_t i) { o.page = static_cast<Page>(static_cast<size_t>(Page::kBash) + i); }}},
      {"--print-man-page", "", "print the manual page", {kNone}, OptionGroup::kGeneral, FlagStore{[](Options& o) {
         o.page = Page::kManPage;
       }}},
      {"--print-markdown",
       "",
       "print the reference of all commands as Markdown",
       {kNone},
       OptionGroup::kGeneral,
       FlagStore{[](Options& o) { o.page = Page::kMarkdown; }}},
  };
}

std::vector<OptionRow> all_rows() {
  std::vector<OptionRow> rows;
  for (auto* part : {&main_rows, &pass_rows, &inspection_rows, &diagnostics_rows, &general_rows}) {
    for (OptionRow& row : (*part)()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

const std::vector<CommandRow>& command_table() {
  static const std::vector<CommandRow> rows = commands();
  return rows;
}

const std::vector<OptionRow>& option_table() {
  static const std::vector<OptionRow> rows = all_rows();
  return rows;
}

std::span<const ExitStatusRow> exit_status_table() {
  static constexpr std::array<ExitStatusRow, 6> kRows = {{{"0", "done"},
                                                          {"1", "the program has errors"},
                                                          {"2", "wrong use of the command line"},
                                                          {"3", "a file could not be read or written; out of memory"},
                                                          {"70", "a bug in pyptoc"},
                                                          {"128+N", "ended by signal N"}}};
  return kRows;
}

const CommandRow* row_of(Command command) {
  for (const CommandRow& row : command_table())
    if (row.command == command) return &row;
  return nullptr;
}

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

std::string spelled(const OptionRow& row) {
  std::string text;
  for (const std::string_view name : names_of(row)) {
    text += text.empty() ? "" : ", ";
    text += name;
  }
  if (row.value_optional) return text + "[=" + std::string(row.value) + "]";
  return row.value.empty() ? text : text + " " + std::string(row.value);
}

std::vector<std::string_view> choices_of(const OptionRow& row) {
  const auto* choice = std::get_if<ChoiceStore>(&row.store);
  return choice == nullptr ? std::vector<std::string_view>{} : choice->values;
}

ValueKind value_kind(const OptionRow& row) {
  if (row.value == "FILE") return ValueKind::kFile;
  return row.value == "DIR" ? ValueKind::kFolder : ValueKind::kWord;
}

std::string_view long_name(const OptionRow& row) {
  return names_of(row).back();
}

std::vector<std::string_view> names_of(const OptionRow& row) {
  std::vector<std::string_view> names;
  std::string_view rest = row.names;
  for (size_t comma = rest.find(','); comma != std::string_view::npos; comma = rest.find(',')) {
    names.push_back(rest.substr(0, comma));
    rest.remove_prefix(comma + 1);
  }
  names.push_back(rest);
  return names;
}

}  // namespace pyptoc::driver
