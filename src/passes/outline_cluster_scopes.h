// SPDX-License-Identifier: Apache-2.0
// OutlineClusterScopes: cluster scopes become Group functions, spmd scopes outside of clusters Spmd functions.
//
//   with pl.spmd(n // 16, sync_start=True) as tid:      @pl.function(type=Spmd)
//     o = self.k(x, out)                                def main_spmd_0(x, out: Out): o = self.k(x, out); return o
//                                                       r = submit(main_spmd_0, x, out, core_num=n // 16, sync_start)
//
// The width and the sync start belong to the launch: Call attributes `core_num` and `sync_start`, or the fields of the
// Submit. A launch inside a cluster is the launch of the cluster: its scope goes, the Group gets `spmd_unwrapped`, its
// width goes to the call of the Group and is computed in front of it.
//
// Requires: SSAForm, SplitIncoreOrch. Ensures: SSAForm, SplitIncoreOrch.
// Errors: E0440 to E0444, E0446, E0448, E0449 (outline_scopes.h).
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

const ir::Program* outline_cluster_scopes(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
