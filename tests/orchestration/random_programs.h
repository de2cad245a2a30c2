// SPDX-License-Identifier: Apache-2.0
// Orchestrations made at random, for orders that nobody thought of.
#pragma once

#include "orchestration/compiled.h"

namespace pyptoc::orchestration {

// The same program for the same seed.
Case random_program(uint32_t seed);
// One with manual scopes, in which each task names the one before it.
Case random_manual_program(uint32_t seed);
// One of views in several shapes, wrappers, inlined functions, ids in variables and arrays, elements.
Case random_constructs(uint32_t seed);

}  // namespace pyptoc::orchestration
