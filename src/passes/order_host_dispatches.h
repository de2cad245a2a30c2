// SPDX-License-Identifier: Apache-2.0
// OrderAntiDependencies, for dispatches of HOST orchestrators: none overwrites what another one reads or writes.
//
//   self.stage(x, t, device=0)         the second writes t while device 1 may still read it:
//   self.use(t, y, device=1)           ->  the reader's and the writer's t become InOut
//   self.stage(z, t, device=0)
//
// The runtime orders a dispatch behind earlier ones that wrote bytes of its Input and InOut host tensors. It never
// orders a writer behind a reader, nor one OutputExisting behind another writer, and the tag of an argument is the
// direction of the callee's parameter. Where two dispatches can meet in an element of a host tensor, one of them writes
// it and their directions do not order them, the call gets `arg_directions` in which the two arguments are InOut.
//
// Dispatches of one rank that get a window are in order already, by the rank's token; so slices that are cut by the
// number of the device need nothing.
#pragma once

#include "passes/buffer_roots.h"
#include "passes/pass.h"

namespace pyptoc::passes {

// Requires SSAForm and NoNestedCalls. The function itself where all is in order. Running it again changes nothing.
const ir::Function* order_host_dispatches(const ir::Program* program, const ir::Function* host, BufferRoots& roots,
                                          ir::Context& context);

}  // namespace pyptoc::passes
