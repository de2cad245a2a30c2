// SPDX-License-Identifier: Apache-2.0
// pyptoc explain: the long text of a diagnostic.
#include <fmt/format.h>

#include "diag/code_table.h"
#include "diag/codes_usage.h"
#include "driver/commands.h"
#include "driver/help.h"
#include "driver/lists.h"
#include "support/edit_distance.h"
#include "support/json_writer.h"

namespace pyptoc::driver {

void run_explain(Session& session) {
  const std::string& name = session.options.code;
  if (name.empty()) {
    write_to_stdout(session, session.options.json ? diagnostics_as_json() : diagnostics_as_text());
    return;
  }
  const diag::CodeInfo* code = diag::find_code(name);
  if (code == nullptr) {
    auto report = session.diags.report(diag::codes::unknown_code, diag::kNowhere, name);
    if (auto closest = support::closest(name, diag::code_ids_and_names()))
      report.help(fmt::format("did you mean `{}`?", *closest));
    return;
  }
  if (session.options.json) {
    support::JsonWriter json;
    append_diagnostic(json, *code, true);
    write_to_stdout(session, json.take());
    return;
  }
  write_to_stdout(session,
                  fmt::format("{} {} ({})\n\n    {}\n\n{}", code->id, code->name(), diag::severity_name(code->severity),
                              code->format, wrapped(code->explanation, 0, kHelpWidth)));
}

}  // namespace pyptoc::driver
