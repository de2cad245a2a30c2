// SPDX-License-Identifier: Apache-2.0
// Which cores of a cluster a kernel needs.
#pragma once

#include "passes/buffer_roots.h"

namespace pyptoc::passes {

struct KernelSides {
  bool cube = false;
  bool vector = false;
  // A value made on one side is used on the other, or a tensor that the cube core stores is loaded by the vector core
  // later on: both sides then meet in a pipe.
  bool crosses = false;

  bool is_mixed() const { return cube && vector; }
};

// Of a kernel body with tensor operators, tile operators or both.
//
// Each value on the chip has a side: results of matrix operators lie with the cube core, results of all others with the
// vector core, a view with its source, a carry with what it carries. A part of a tensor that is only named is loaded
// where it is used: for the cube core when a matrix operator takes it. A tensor that is used as a whole is loaded by
// each side for itself. A store runs where its value lies.
KernelSides kernel_sides(const ir::Function* kernel, BufferRoots& roots);

}  // namespace pyptoc::passes
