// SPDX-License-Identifier: Apache-2.0
// The page around the data: markup, style and script.
#pragma once

#include <string_view>

namespace pyptoc::graph {

std::string_view page_head();  // up to the JSON
std::string_view page_tail();  // behind it

}  // namespace pyptoc::graph
