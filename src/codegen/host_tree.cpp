// SPDX-License-Identifier: Apache-2.0
#include "codegen/host_tree.h"

#include <fmt/format.h>

#include <map>

#include "codegen/meta_json.h"
#include "codegen/sub_worker.h"
#include "diag/codes_host.h"
#include "support/json_writer.h"

namespace pyptoc::codegen {

using namespace ir;

namespace {

// `sub_workers/__required__.json`: what the caller has to bind.
std::string render_required(const std::vector<std::string>& names) {
  support::JsonWriter out;
  out.begin_array();
  for (const std::string& name : names) out.value(name);
  out.end();
  return out.take();
}

}  // namespace

const Function* find_host_orchestrator(const Program* program, diag::Engine& diags) {
  const Function* found = nullptr;
  for (const Function* f : program->functions) {
    bool host = f->level == Level::Host;
    if (host && !is_host_orchestrator(f) && !is_host_sub_worker(f))
      diags.report(diag::codes::host_role_missing, place_of(f), f->name);
    if (!is_host_orchestrator(f)) continue;
    if (found != nullptr) diags.report(diag::codes::host_entry_twice, place_of(f), found->name, f->name);
    if (found == nullptr) found = f;
  }
  return found;
}

HostTree render_host_tree(const Program* program, const Function* host, const passes::Target& target,
                          const std::function<std::string(const Function*)>& chip_folder, diag::Engine& diags) {
  HostTree out;
  support::NameAllocator stems = sub_worker_names();
  std::map<std::string_view, std::string> workers;
  for (const Function* f : program->functions)
    if (is_host_sub_worker(f)) workers[f->name] = stems.fresh(f->name);
  HostNames names;
  names.chip = chip_folder;
  names.sub_worker = [&](const Function* f) { return workers.at(f->name); };
  HostUnit unit = emit_host_unit(program, host, names, diags);
  out.files.push_back({"orchestration/host_orch.py", std::move(unit.source), "host_orchestration"});
  std::vector<std::string> required;
  for (const auto& [function_name, stem] : workers) {
    const Function* f = program->find(function_name);
    out.files.push_back({fmt::format("sub_workers/{}.py", stem), render_sub_worker(f, stem, diags), "sub_worker"});
    if (f->requires_runtime_binding) required.push_back(stem);
  }
  if (!required.empty()) out.files.push_back({"sub_workers/__required__.json", render_required(required), "meta"});
  out.files.push_back({"distributed_meta.json",
                       render_distributed_meta(host, target, unit.devices, static_cast<int64_t>(workers.size())),
                       "meta"});
  out.domains = std::move(unit.domains);
  out.builtins = std::move(unit.builtins);
  return out;
}

}  // namespace pyptoc::codegen
