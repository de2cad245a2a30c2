// SPDX-License-Identifier: Apache-2.0
// Dumps and prints of passes, as text and as soon as each pass is done, so that a crash loses nothing.
#include "driver/pass_observer.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "diag/codes_io.h"
#include "passes/pipeline.h"
#include "support/file_tools.h"
#include "text/printer.h"

namespace pyptoc::driver {
namespace {

std::string dump_path(const Session& session, size_t row) {
  return support::join_path(session.options.dump_folder, numbered_name(row) + ".py");
}

support::Status prepare_dump_folder(Session& session) {
  support::FileSystem& files = session.system.files;
  PYPTOC_TRY(support::make_directories(files, session.options.dump_folder));
  for (size_t row = 0; row < passes::pipeline().size(); ++row) {
    const std::string path = dump_path(session, row);
    const auto stat = files.stat(path);
    if (stat.ok() && stat->has_value()) PYPTOC_TRY(files.remove_file(path));
  }
  return support::Done{};
}

}  // namespace

std::string numbered_name(size_t row) {
  return fmt::format("{:02}-{}", row + 1, passes::pipeline()[row].name);
}

PassObserver::PassObserver(Session& session) : session_(session) {
  if (session.options.dump_folder.empty()) return;
  if (const auto status = prepare_dump_folder(session); !status.ok())
    session.diags.report(diag::codes::cannot_write_file, diag::kNowhere, session.options.dump_folder,
                         status.error().message);
}

void PassObserver::after_pass(size_t row, const ir::Program* before, const ir::Program* after) {
  const bool changed = before != after;
  session_.log.detail(fmt::format("{}{}", numbered_name(row), changed ? "" : " (unchanged)"));
  if (after == nullptr) return;
  if (changed && !session_.options.dump_folder.empty()) dump(row, after);
  if (is_print_wanted(row, changed)) print(row, after, changed);
}

// Not made durable, which would take longer than the passes.
void PassObserver::dump(size_t row, const ir::Program* program) {
  const std::string path = dump_path(session_, row);
  const auto status = session_.system.files.write_file(path, text::print_program(program));
  if (!status.ok()) session_.diags.report(diag::codes::cannot_write_file, diag::kNowhere, path, status.error().message);
}

bool PassObserver::is_print_wanted(size_t row, bool changed) const {
  const Options& options = session_.options;
  return options.print_after_all || (options.print_changed && changed) ||
         std::ranges::count(options.print_after, passes::pipeline()[row].name) > 0;
}

void PassObserver::print(size_t row, const ir::Program* program, bool changed) {
  std::ostream& err = session_.system.err;
  err << "# ----- after " << numbered_name(row) << (changed ? "" : " (unchanged)") << '\n';
  if (changed || !session_.options.print_after_all) err << text::print_program(program);
  err << std::flush;
}

}  // namespace pyptoc::driver
