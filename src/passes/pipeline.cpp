// SPDX-License-Identifier: Apache-2.0
// The story of the compiler: every pass in order, and why the order is what it is.
#include "passes/pipeline.h"

#include <array>

#include "passes/assign_cores.h"
#include "passes/auto_derive_task_dependencies.h"
#include "passes/check_window_provenance.h"
#include "passes/classify_iter_arg_carry.h"
#include "passes/convert_tensor_to_tile_ops.h"
#include "passes/convert_to_ssa.h"
#include "passes/ctrl_flow_transform.h"
#include "passes/derive_call_directions.h"
#include "passes/expand_manual_phase_fence.h"
#include "passes/flatten_call_expr.h"
#include "passes/fuse_create_assemble_to_slice.h"
#include "passes/inline_functions.h"
#include "passes/insert_comm_fence.h"
#include "passes/legalize_spmd_launches.h"
#include "passes/lower_host_tensor_collectives.h"
#include "passes/lower_l2_tensor_collectives.h"
#include "passes/materialize_comm_domain_scopes.h"
#include "passes/materialize_dist_tensor_ctx.h"
#include "passes/materialize_runtime_scopes.h"
#include "passes/materialize_valid_shape_symbols.h"
#include "passes/normalize_return_order.h"
#include "passes/optimize_orch_tensors.h"
#include "passes/order_anti_dependencies.h"
#include "passes/outline_cluster_scopes.h"
#include "passes/outline_hierarchy_scopes.h"
#include "passes/outline_incore_scopes.h"
#include "passes/require_host_extents.h"
#include "passes/simplify.h"
#include "passes/synthesize_allreduce_signals.h"
#include "passes/unroll_loops.h"

namespace pyptoc::passes {

namespace {

using enum Property;

// Rows 1-27 of pipeline.md. What a row requires is ensured by an earlier one; checked below at compile time.
constexpr auto kPipeline = std::to_array<PassInfo>({
    // --- Front: any program becomes structured SSA with named functions.
    {"InlineFunctions", "calls of Inline functions become their bodies", inline_functions, {}, {NoInlineFunctions}},
    {"UnrollLoops", "Unroll loops with constant bounds become copies", unroll_loops, {}, {NoUnrollLoops}},
    {"CtrlFlowTransform", "break and continue become conditions", ctrl_flow_transform, {}, {StructuredCtrlFlow}},
    {"ConvertToSSA", "one definition for each variable", convert_to_ssa, {StructuredCtrlFlow}, {SSAForm}},
    {"Simplify", "known integers, branches and loops are folded", simplify, {SSAForm}, {SSAForm}},
    {"FlattenCallExpr", "call arguments become plain values", flatten_call_expr, {SSAForm}, {NoNestedCalls}},
    {"OutlineHierarchyScopes", "hierarchy scopes become functions", outline_hierarchy_scopes, {SSAForm}, {}},
    {"OutlineIncoreScopes", "InCore scopes become kernels", outline_incore_scopes, {SSAForm}, {}},
    {"OutlineClusterScopes",
     "cluster and spmd scopes become Group and Spmd functions",
     outline_cluster_scopes,
     {SSAForm},
     {SplitIncoreOrch}},

    // --- Kernels: from here on no InCore scope is left in an orchestration.
    {"ConvertTensorToTileOps",
     "tensors that kernels return become Out parameters",
     convert_tensor_to_tile_ops,
     {SplitIncoreOrch},
     {}},
    {"OptimizeOrchTensors",
     "a loop that carries a tensor through a kernel carries one buffer",
     optimize_orch_tensors,
     {SplitIncoreOrch},
     {}},
    {"AssignCores",
     "kernels run on vector or cube cores, mixed ones are split",
     assign_cores,
     {SplitIncoreOrch},
     {KernelsReady}},
    {"NormalizeReturnOrder",
     "kernels return the parameters that they write, in parameter order",
     normalize_return_order,
     {SplitIncoreOrch},
     {ReturnParamsExplicit}},

    // --- Orchestration: calls get directions and dependencies; a synthesized call must be there before.
    {"FuseCreateAssembleToSlice",
     "a temporary that is assembled once becomes a view of its target",
     fuse_create_assemble_to_slice,
     {},
     {}},
    {"LowerL2TensorCollectives",
     "a collective in a chip orchestration becomes one of its tasks",
     lower_l2_tensor_collectives,
     {NoNestedCalls, SplitIncoreOrch},
     {ChipCollectivesLowered}},
    {"LegalizeSpmdLaunches",
     "a launch that may have no block becomes a branch",
     legalize_spmd_launches,
     {SSAForm, NoNestedCalls, ReturnParamsExplicit},
     {}},
    {"DeriveCallDirections",
     "each task argument gets its direction",
     derive_call_directions,
     {ReturnParamsExplicit, ChipCollectivesLowered},
     {CallDirectionsResolved}},
    {"AutoDeriveTaskDependencies",
     "task dependencies are found at compile time",
     auto_derive_task_dependencies,
     {CallDirectionsResolved},
     {},
     true},
    {"OrderAntiDependencies",
     "no task overwrites what another one may still read",
     order_anti_dependencies,
     {SSAForm, CallDirectionsResolved},
     {TasksOrdered}},
    {"ExpandManualPhaseFence",
     "tasks that wait for the same many tasks wait for one barrier",
     expand_manual_phase_fence,
     {CallDirectionsResolved},
     {TasksOrdered}},

    // --- HOST: windows become slots of domains, collectives become dispatches, contexts become arguments.
    {"SynthesizeAllReduceSignals",
     "an allreduce without a signal gets one",
     synthesize_allreduce_signals,
     {SSAForm, NoNestedCalls},
     {}},
    {"MaterializeCommDomainScopes",
     "window allocations become slots of communication domains",
     materialize_comm_domain_scopes,
     {SSAForm, NoNestedCalls},
     {CommDomainScopesMaterialized}},
    {"CheckWindowProvenance",
     "what chip collectives take from their dispatches is checked",
     check_window_provenance,
     {CommDomainScopesMaterialized, ChipCollectivesLowered},
     {WindowsDistinct}},
    {"LowerHostTensorCollectives",
     "each collective becomes a dispatch per device",
     lower_host_tensor_collectives,
     {NoNestedCalls, CommDomainScopesMaterialized, WindowsDistinct},
     {HostCollectivesLowered}},
    {"RequireHostExtents",
     "extents that only a run shows are checked when it starts",
     require_host_extents,
     {NoNestedCalls, CommDomainScopesMaterialized},
     {}},
    {"MaterializeDistTensorCtx",
     "the context of each window is passed beside it",
     materialize_dist_tensor_ctx,
     {CommDomainScopesMaterialized, ReturnParamsExplicit},
     {DistTensorCtxMaterialized}},

    // --- Last: nothing below changes what runs, only how it is emitted.
    {"Simplify", "known integers, branches and loops are folded", simplify, {SSAForm}, {SSAForm}},
    {"MaterializeRuntimeScopes",
     "implicit runtime scopes become statements",
     materialize_runtime_scopes,
     {SplitIncoreOrch, CallDirectionsResolved},
     {RuntimeScopesMaterialized}},
    {"ClassifyIterArgCarry",
     "loop carries are aliases or variables",
     classify_iter_arg_carry,
     {SplitIncoreOrch, CallDirectionsResolved},
     {IterArgCarryClassified}},
    {"InsertCommFence",
     "kernels make what they share visible, and read nothing stale",
     insert_comm_fence,
     {CallDirectionsResolved},
     {}},
    {"MaterializeValidShapeSymbols",
     "kernels get the valid extents of their arguments as scalars",
     materialize_valid_shape_symbols,
     {CallDirectionsResolved},
     {}},
});

consteval bool each_requirement_is_ensured_before() {
  PropertySet so_far;
  for (const PassInfo& row : kPipeline) {
    if (!so_far.has_all(row.requires_)) return false;
    so_far = so_far | row.ensures;
  }
  return true;
}
static_assert(each_requirement_is_ensured_before(), "a pass requires what no earlier pass ensures");

}  // namespace

std::span<const PassInfo> pipeline() {
  return kPipeline;
}

int find_pass(std::string_view name) {
  for (size_t i = 0; i < kPipeline.size(); ++i)
    if (kPipeline[i].name == name) return static_cast<int>(i);
  return -1;
}

std::vector<size_t> rows_between(std::string_view start_after, std::string_view stop_after, const Options& options) {
  size_t first = start_after.empty() ? 0 : static_cast<size_t>(find_pass(start_after) + 1);
  size_t end = stop_after.empty() ? kPipeline.size() : static_cast<size_t>(find_pass(stop_after) + 1);
  std::vector<size_t> rows;
  for (size_t i = first; i < end; ++i)
    if (!kPipeline[i].opt_in || options.analyze_deps) rows.push_back(i);
  return rows;
}

}  // namespace pyptoc::passes
