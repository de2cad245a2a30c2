// SPDX-License-Identifier: Apache-2.0
// Results of commands on their way out.
#include <ostream>

#include "diag/codes_io.h"
#include "driver/session.h"
#include "publish/replace_file.h"

namespace pyptoc::driver {

bool write_to_stdout(Session& session, std::string_view content) {
  std::ostream& out = session.system.out;
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.flush();
  if (out.good()) return true;
  session.diags.report(diag::codes::cannot_write_file, diag::kNowhere, "<stdout>",
                       "it does not take all that is written");
  return false;
}

bool write_output(Session& session, const std::string& content) {
  const auto stage = session.timings.scope("write file");
  if (session.options.output == "-") return write_to_stdout(session, content);
  return publish::replace_file(session.system.files, session.options.output, content, publish::WhenSame::kReplace,
                               session.system.interruption, session.diags);
}

}  // namespace pyptoc::driver
