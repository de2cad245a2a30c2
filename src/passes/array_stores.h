// SPDX-License-Identifier: Apache-2.0
// Arrays of orchestrations as the C arrays that they become.
#pragma once

#include "passes/pass.h"

namespace pyptoc::passes {

// A store into an array is a value of its own in the IR and happens in place in the C++:
//
//   b = pl.array.update_element(a, 0, v)      b is a, with another element
//   w = pl.array.get_element(a, 0)            error: the old element is gone
//
// Reports every use of an array behind a store that it does not hold: as another name, on one of two paths, or in the
// next iteration of a loop. Results of branches, and carries that are rebound (iter_arg_rebind_N), are arrays of their
// own. Linear. Errors: E0565.
void check_array_stores(const ir::Function* function, diag::Engine& diags);

}  // namespace pyptoc::passes
