// SPDX-License-Identifier: Apache-2.0
// What the command line said, checked and typed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diag/engine.h"
#include "driver/system.h"
#include "passes/target.h"

namespace pyptoc::driver {

enum class Command : uint8_t { kNone, kBuild, kCheck, kPrint, kConvert, kOpt, kExplain, kList, kGraph, kSchema };
enum class Emit : uint8_t { kAll, kOrchestration };
// kText: after each pass, and the program is printed as DSL text, read back and compared. kEach does the same in debug
// builds.
enum class Verify : uint8_t { kEach, kText, kInput, kNone };
enum class Color : uint8_t { kAuto, kAlways, kNever };
enum class DiagnosticsFormat : uint8_t { kHuman, kShort, kJson, kSarif };
enum class VersionFormat : uint8_t { kShort, kVerbose, kJson };
enum class ListTopic : uint8_t { kPasses, kOps, kTargets, kTemplates, kDiagnostics };
enum class GraphFormat : uint8_t { kDot, kSvg, kHtml };
enum class SchemaTopic : uint8_t { kIr, kManifest, kDiagnostics };
// What the installation and the documentation are made from.
enum class Page : uint8_t { kMakeInclude, kBash, kZsh, kFish, kManPage, kMarkdown };
enum class ProgramFormat : uint8_t { kJson, kMsgpack, kText };

struct Options {
  Command command = Command::kNone;
  bool help = false;
  std::optional<VersionFormat> version;
  std::optional<Page> page;

  std::string program;  // `-`: standard input
  std::string code;     // explain: empty for all
  ListTopic topic = ListTopic::kPasses;
  SchemaTopic schema = SchemaTopic::kIr;
  bool json = false;

  std::string output;  // `-`: standard output
  std::optional<ProgramFormat> format;
  std::optional<GraphFormat> graph_format;
  std::string depfile;
  std::string depfile_target;
  bool print_outputs = false;
  bool force = false;
  int64_t jobs = 1;

  passes::Target target = passes::kTargets[0];
  std::optional<int64_t> aiv_cores;
  Emit emit = Emit::kAll;
  std::string template_dir;
  bool analyze_deps = false;

  std::vector<std::string> passes;  // opt: exactly these, in this order
  std::string start_after;
  std::string stop_after;
  std::string print_program_after;  // print --after, graph --after
  std::string function;             // graph --function: empty for all
  Verify verify = Verify::kEach;

  std::string dump_folder;
  std::vector<std::string> print_after;
  bool print_after_all = false;
  bool print_changed = false;
  bool time_passes = false;
  std::string time_trace;

  DiagnosticsFormat diagnostics_format = DiagnosticsFormat::kHuman;
  std::string diagnostics_output;
  std::vector<std::string> warning_arguments;  // what followed each -W
  diag::WarningPolicy warnings;
  int64_t error_limit = 20;
  Color color = Color::kAuto;
  int verbosity = 0;
  bool quiet = false;
};

// Fills in `options` from the arguments (without the program's name), in which response files are expanded already.
// Faults are reported to `diags`; then `options` still has the settings of how to show them, as far as they are known.
void parse_options(const std::vector<std::string>& arguments, Options& options, diag::Engine& diags);

}  // namespace pyptoc::driver
