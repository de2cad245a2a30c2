// SPDX-License-Identifier: Apache-2.0
// Results of commands on their way out.
#include <cerrno>
#include <ostream>
#include <system_error>

#include "diag/codes_io.h"
#include "driver/session.h"
#include "publish/replace_file.h"

namespace pyptoc::driver {

bool write_to_stdout(System& system, std::string_view content, diag::Engine& diags) {
  errno = 0;
  system.out.write(content.data(), static_cast<std::streamsize>(content.size()));
  system.out.flush();
  if (system.out.good()) return true;
  const std::string reason = errno == 0 ? "input/output error" : std::generic_category().message(errno);
  diags.report(diag::codes::cannot_write_file, diag::kNowhere, "<stdout>", reason);
  return false;
}

bool write_to_stdout(Session& session, std::string_view content) {
  return write_to_stdout(session.system, content, session.diags);
}

bool write_output(Session& session, const std::string& content) {
  const auto stage = session.timings.scope("write file");
  if (session.options.output == "-") return write_to_stdout(session, content);
  return publish::replace_file(session.system.files, session.options.output, content, publish::WhenSame::kReplace,
                               session.system.interruption, session.diags);
}

}  // namespace pyptoc::driver
