// SPDX-License-Identifier: Apache-2.0
// The files of templates/ in the binary; the table is made by the build (module.cmake).
#pragma once

#include <span>
#include <string_view>

namespace pyptoc::codegen {

struct EmbeddedTemplate {
  std::string_view path;  // below templates/, with `/`
  std::string_view text;
};

std::span<const EmbeddedTemplate> embedded_templates();  // sorted by path

}  // namespace pyptoc::codegen
