// SPDX-License-Identifier: Apache-2.0
// pyptoc build: read, verify, run the pipeline, emit, publish.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/build_tree.h"
#include "codegen/template_store.h"
#include "diag/codes_io.h"
#include "driver/commands.h"
#include "driver/source_digest.h"
#include "driver/version.h"
#include "passes/pipeline.h"
#include "publish/depfile.h"
#include "publish/publisher.h"
#include "publish/replace_file.h"
#include "publish/up_to_date.h"
#include "support/file_tools.h"
#include "support/sha256.h"

namespace pyptoc::driver {
namespace {

std::vector<publish::ManifestOption> manifest_options(const Options& options) {
  return {{"target", std::string(options.target.name)},
          {"aiv_cores", int64_t{options.target.aiv_cores}},
          {"emit", std::string(options.emit == Emit::kAll ? "all" : "orchestration")},
          {"analyze_deps", options.analyze_deps}};
}

// Options that decide the output or whether there is one: a build that -Werror stops must not pass as up to date. The
// sources of pyptoc count as well, because the version stays the same while they are worked on.
std::string options_digest(const Options& options, const std::string& template_place) {
  std::string text = fmt::format("{} {} {} {} {}\n", source_digest(), options.target.name, options.target.aiv_cores,
                                 static_cast<int>(options.emit), options.analyze_deps);
  if (!options.template_dir.empty()) text += fmt::format("--template-dir {}\n", template_place);
  if (options.warnings.all_as_errors) text += "-Werror\n";
  for (const diag::WarningPolicy::Rule& rule : options.warnings.rules)
    text += fmt::format("-W {} {}\n", static_cast<int>(rule.action), rule.name);
  return support::sha256(text);
}

// The passes and stages themselves are what the user wants to see.
bool looks_inside(const Options& options) {
  return !options.dump_folder.empty() || !options.print_after.empty() || options.print_after_all ||
         options.print_changed || options.time_passes || !options.time_trace.empty();
}

class Build {
 public:
  explicit Build(Session& session) : session_(session), options_(session.options) {}

  void run() {
    if (!read_input(session_)) return;
    key_ = {std::string(version()), support::sha256(session_.input->bytes), options_digest(options_, template_place())};
    if (is_up_to_date()) {
      write_depfile(inputs_of_manifest());
      return;
    }
    auto result = compile();
    if (!result) return;
    if (options_.print_outputs) {
      print_outputs(result->tree);
    } else if (publish(*result)) {
      write_depfile(result->manifest.inputs);
    }
  }

 private:
  // Where the templates are, seen from the program, as the manifest lists those that were read: a program and its
  // templates may move together.
  std::string template_place() {
    const auto from = session_.system.files.real_path(session_.input->folder.empty() ? "." : session_.input->folder);
    const auto to = session_.system.files.real_path(options_.template_dir);
    return from.ok() && to.ok() ? codegen::relative_path(*from, *to) : options_.template_dir;
  }

  bool is_up_to_date() {
    if (options_.force || options_.print_outputs || looks_inside(options_)) return false;
    const auto stage = session_.timings.scope("compare with output");
    const publish::UpToDate answer =
        publish::is_up_to_date(session_.system.files, options_.output, key_, session_.input->folder);
    session_.log.step(answer.yes ? fmt::format("{} is up to date", options_.output)
                                 : fmt::format("building {}: {}", options_.output, answer.reason));
    return answer.yes;
  }

  std::optional<codegen::BuildResult> compile() {
    if (!has_template_dir()) return std::nullopt;
    const ir::Program* program = parse_input(session_);
    if (program == nullptr || !verify_input(session_, program)) return std::nullopt;
    program = run_pipeline(session_, program, passes::rows_between("", "", session_.pass_options));
    if (program == nullptr) return std::nullopt;
    const auto stage = session_.timings.scope("emit");
    codegen::BuildOptions options;
    options.target = options_.target;
    options.orchestration_only = options_.emit == Emit::kOrchestration;
    options.warnings = options_.warnings;
    options.jobs = static_cast<size_t>(options_.jobs);
    options.template_dir = options_.template_dir;
    options.program_folder = session_.input->folder;
    auto result = codegen::build_tree(program, options, session_.system.files, session_.diags);
    if (session_.diags.has_errors()) return std::nullopt;
    return result;
  }

  // A folder that is not there is a mistake whether or not the program needs a template.
  bool has_template_dir() {
    if (options_.template_dir.empty()) return true;
    const auto real = session_.system.files.real_path(options_.template_dir);
    const support::Result<std::vector<support::DirectoryEntry>> names =
        real.ok() ? session_.system.files.list(*real)
                  : support::Result<std::vector<support::DirectoryEntry>>(real.error());
    if (names.ok()) return true;
    session_.diags.report(diag::codes::cannot_read_file, diag::kNowhere, options_.template_dir, names.error().message);
    return false;
  }

  void print_outputs(const publish::OutputTree& tree) {
    std::vector<std::string> paths;
    for (const auto& [path, file] : tree.files()) paths.push_back(path);
    paths.emplace_back(publish::kManifestPath);
    std::string text;
    for (const std::string& path : paths)
      text += (options_.output.empty() ? path : support::join_path(options_.output, path)) + '\n';
    write_to_stdout(session_, text);
  }

  bool publish(codegen::BuildResult& result) {
    const auto stage = session_.timings.scope("publish");
    publish::ManifestFields& fields = result.manifest;
    fields.pyptoc_version = key_.pyptoc_version;
    fields.input_digest = key_.input_digest;
    fields.options_digest = key_.options_digest;
    fields.target = options_.target.name;
    fields.options = manifest_options(options_);
    const publish::PublishReport report = publish::publish(session_.system.files, options_.output, result.tree, fields,
                                                           session_.system.interruption, session_.diags);
    if (!report.ok()) return false;
    session_.log.step(fmt::format("{}: {} files written, {} kept, {} removed", options_.output, report.written,
                                  report.kept, report.removed));
    if (!report.in_place_reason.empty())
      session_.log.step(fmt::format("{} was updated file by file: {}", options_.output, report.in_place_reason));
    return true;
  }

  std::vector<publish::ManifestInput> inputs_of_manifest() {
    const auto text = session_.system.files.read_file(support::join_path(options_.output, publish::kManifestPath));
    if (!text.ok()) return {};
    auto manifest = publish::parse_manifest(*text);
    return manifest.ok() ? std::move(manifest->inputs) : std::vector<publish::ManifestInput>{};
  }

  void write_depfile(const std::vector<publish::ManifestInput>& inputs) {
    if (options_.depfile.empty()) return;
    std::vector<std::string> dependencies;
    if (options_.program != "-") dependencies.push_back(options_.program);
    for (const publish::ManifestInput& input : inputs)
      dependencies.push_back(publish::path_of_input(session_.input->folder, input.path));
    const std::string target = options_.depfile_target.empty()
                                   ? support::join_path(options_.output, publish::kManifestPath)
                                   : options_.depfile_target;
    publish::replace_file(session_.system.files, options_.depfile, publish::render_depfile(target, dependencies),
                          publish::WhenSame::kReplace, session_.system.interruption, session_.diags);
  }

  Session& session_;
  const Options& options_;
  publish::BuildKey key_;
};

}  // namespace

void run_build(Session& session) {
  Build(session).run();
}

}  // namespace pyptoc::driver
