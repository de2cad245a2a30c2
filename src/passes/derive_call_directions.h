// SPDX-License-Identifier: Apache-2.0
// DeriveCallDirections: how each argument of each task is given to the runtime.
//
//   t = self.add(a, b, t)      with   def add(a: In, b: In, t: Out)
//   t = self.add(a, b, t, attrs={"arg_directions": [adir.input, adir.input, adir.output_existing]})
//
// First, what a Group or Spmd wrapper forwards to its kernels is promoted into its own parameter directions (In < Out <
// InOut, to a fixpoint). Then every call and submit of a function of the program, outside of HOST functions, gets
// `arg_directions`, one for each argument; pipeline.md row 14 states the rules. A call that has directions is left
// whole.
//
// An Out parameter of an orchestration that its tasks may leave partly as it was, or read before they wrote it, is
// listed in the attribute `partial_outputs`: the caller's content has to go to the device, or what comes back is no
// one's (full_writes.h).
//
// Before that, buffers that outlive the scope in which they are made move in front of it: scope_lifetimes.h.
//
// Requires: NoNestedCalls, ReturnParamsExplicit. Ensures: CallDirectionsResolved.
// Errors: E0563; argument counts are the verifier's.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

inline constexpr std::string_view kPartialOutputs = "partial_outputs";

const ir::Program* derive_call_directions(const ir::Program* program, PassContext& context);

}  // namespace pyptoc::passes
