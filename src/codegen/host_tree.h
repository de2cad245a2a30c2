// SPDX-License-Identifier: Apache-2.0
// The files that only a program with a HOST function has: host orchestration, SubWorkers, distributed_meta.json.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/host_unit.h"
#include "passes/target.h"

namespace pyptoc::codegen {

struct HostFile {
  std::string path;  // in the output
  std::string content;
  std::string_view kind;  // as in the manifest
};

struct HostTree {
  std::vector<HostFile> files;
  std::vector<publish::ManifestDomain> domains;
  std::vector<ir::CollectiveVariant> builtins;  // whose sub-builds it needs
};

// The one HOST orchestrator of a program, or null; a second one is reported.
const ir::Function* find_host_orchestrator(const ir::Program* program, diag::Engine& diags);

// `chip_folder` gives the folder below next_levels/ of a chip orchestration.
HostTree render_host_tree(const ir::Program* program, const ir::Function* host, const passes::Target& target,
                          const std::function<std::string(const ir::Function*)>& chip_folder, diag::Engine& diags);

}  // namespace pyptoc::codegen
