// SPDX-License-Identifier: Apache-2.0
// orchestration/host_orch.py of a program with a HOST function, and what the rest of the output has to hold for it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diag/engine.h"
#include "ir/collectives.h"
#include "ir/program.h"
#include "publish/manifest.h"

namespace pyptoc::codegen {

// By which the host program finds what it starts.
struct HostNames {
  std::function<std::string(const ir::Function*)> chip;        // the folder below next_levels/
  std::function<std::string(const ir::Function*)> sub_worker;  // the stem below sub_workers/
};

struct HostUnit {
  std::string source;
  std::vector<publish::ManifestDomain> domains;
  std::vector<ir::CollectiveVariant> builtins;  // that it dispatches, each once, in order of the first dispatch
  int64_t devices = 1;                          // the program names devices below this number
};

// Requires a program after the last pass and a HOST orchestrator of it. Reports what cannot be emitted, each construct
// at its place; the unit is not to be used then. Emission decides nothing: it follows the IR statement by statement.
HostUnit emit_host_unit(const ir::Program* program, const ir::Function* function, const HostNames& names,
                        diag::Engine& diags);

inline bool is_host_sub_worker(const ir::Function* f) {
  return f->level == ir::Level::Host && f->role == ir::Role::SubWorker;
}

}  // namespace pyptoc::codegen
