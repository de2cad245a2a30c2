// SPDX-License-Identifier: Apache-2.0
// The library call: the command `build` on a file system in memory.
#include <chrono>
#include <sstream>

#include "driver/driver.h"
#include "driver/version.h"
#include "pyptoc/compile.h"
#include "support/file_tools.h"
#include "support/memory_file_system.h"

namespace pyptoc {
namespace {

constexpr std::string_view kInputFolder = "/in";
constexpr std::string_view kOutputFolder = "/out";

support::Status put(support::FileSystem& files, const std::string& path, const std::string& content) {
  PYPTOC_TRY(support::make_directories(files, support::parent_path(path)));
  return files.write_file(path, content);
}

std::map<std::string, std::string> files_below(support::FileSystem& files, const std::string& folder) {
  std::map<std::string, std::string> found;
  const auto entries = support::list_tree(files, folder);
  if (!entries.ok()) return found;
  for (const support::DirectoryEntry& entry : *entries) {
    if (entry.kind != support::FileKind::kFile) continue;
    auto content = files.read_file(support::join_path(folder, entry.path));
    if (content.ok()) found.emplace(entry.path, std::move(content).value());
  }
  return found;
}

}  // namespace

CompileResult compile(const CompileRequest& request) {
  CompileResult result;
  support::MemoryFileSystem files;
  for (const auto& [path, content] : request.files) {
    const auto status = put(files, support::join_path(kInputFolder, path), content);
    if (status.ok()) continue;
    result.status = driver::kExitUsage;
    result.diagnostics = "error: file `" + path + "` of the request: " + status.error().message + "\n";
    return result;
  }
  files.set_current_directory(std::string(kInputFolder));

  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  publish::Interruption interruption;
  driver::System system{files,
                        in,
                        out,
                        err,
                        interruption,
                        [] {
                          return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()); },
                        {}};
  std::vector<std::string> arguments = {"build", "-o", std::string(kOutputFolder)};
  arguments.insert(arguments.end(), request.options.begin(), request.options.end());
  arguments.insert(arguments.end(), {"--", request.program});
  result.status = driver::Driver(system).run(arguments);
  result.diagnostics = err.str();
  if (result.status == driver::kExitDone) result.files = files_below(files, std::string(kOutputFolder));
  return result;
}

std::string_view version_string() {
  return driver::version();
}

}  // namespace pyptoc
