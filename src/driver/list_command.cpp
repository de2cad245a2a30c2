// SPDX-License-Identifier: Apache-2.0
// pyptoc list, pyptoc schema.
#include "diag/json_schema.h"
#include "driver/commands.h"
#include "driver/lists.h"
#include "publish/manifest.h"
#include "serial/json_schema.h"

namespace pyptoc::driver {
namespace {

std::string listed(ListTopic topic, bool json) {
  switch (topic) {
    case ListTopic::kPasses:
      return json ? passes_as_json() : passes_as_text();
    case ListTopic::kOps:
      return json ? ops_as_json() : ops_as_text();
    case ListTopic::kTargets:
      return json ? targets_as_json() : targets_as_text();
    case ListTopic::kTemplates:
      return json ? templates_as_json() : templates_as_text();
    case ListTopic::kDiagnostics:
      break;
  }
  return json ? diagnostics_as_json() : diagnostics_as_text();
}

std::string schema_of(SchemaTopic topic) {
  switch (topic) {
    case SchemaTopic::kIr:
      return serial::ir_json_schema();
    case SchemaTopic::kManifest:
      return std::string(publish::manifest_json_schema());
    case SchemaTopic::kDiagnostics:
      break;
  }
  return std::string(diag::diagnostics_json_schema());
}

}  // namespace

void run_schema(Session& session) {
  write_to_stdout(session, schema_of(session.options.schema));
}

void run_list(Session& session) {
  write_to_stdout(session, listed(session.options.topic, session.options.json));
}

}  // namespace pyptoc::driver
