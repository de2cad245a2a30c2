// SPDX-License-Identifier: Apache-2.0
// Kernels as the compiler renders them from its templates.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ranks/world.h"
#include "variant.h"

namespace collectives {

// Throws std::runtime_error where the compiler does not know the variant or reports something.
std::string rendered_kernel(const Variant& variant);

// Compiled; throws with the compiler's output.
standin::ranks::Body kernel_from_text(const std::string& text);
standin::ranks::Body kernel_of(const Variant& variant);

// Replaces the first `from` after `after` in the text; throws where there is none, so that an edit cannot be void.
std::string edited(std::string text, const std::string& from, const std::string& to, const std::string& after = "");

}  // namespace collectives
