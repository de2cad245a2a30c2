// SPDX-License-Identifier: Apache-2.0
// Checks that a program keeps the rules of the IR, so that passes and emitters need not.
#pragma once

#include "diag/engine.h"
#include "ir/node_map.h"
#include "ir/program.h"

namespace pyptoc::ir {

struct VerifyOptions {
  bool allow_builtin = false;     // builtin.tensor.*, which only dumps of later passes may contain
  bool ssa = false;               // one definition for each variable
  bool type_rules = true;         // compare the types of operator calls with the type rules
  const NodeSet* skip = nullptr;  // functions that count as callees only, because a reader has faulted them
};

// Reports every fault it finds, each with the place of the node, and true when there was no error. Checked are: uses
// dominated by definitions; yields, carried variables and returns against what they feed; operators, their arguments,
// keywords and result types; calls and submits against the functions they name, with directions; conditions and loop
// bounds; break, continue and inline code where they belong; signatures, levels and roles; shapes in types; attributes.
//
// Two kinds of variables may lack a definition: an integer in the shape of a parameter or result, and the base of a
// memory reference. Recursion among functions is not looked at. Takes time in the number of nodes, shared ones counted
// once. Accepts any program that a reader can make; never throws NestingTooDeep but reports it.
bool verify(const Program* program, diag::Engine& engine, const VerifyOptions& options = {});

}  // namespace pyptoc::ir
