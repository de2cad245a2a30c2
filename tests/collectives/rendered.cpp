// SPDX-License-Identifier: Apache-2.0
// From variant names to kernels.
#include "rendered.h"

#include <stdexcept>

#include "codegen/builtin_unit.h"
#include "ranks/kernels.h"

namespace collectives {

std::string rendered_kernel(const Variant& variant) {
  const auto known = pyptoc::ir::parse_variant_name(variant.name());
  if (!known) throw std::runtime_error("the compiler does not know `" + variant.name() + "`");
  pyptoc::codegen::TemplateStore store;
  pyptoc::diag::Engine diags;
  const auto text = pyptoc::codegen::render_collective_kernel(*known, store, diags);
  if (!text) throw std::runtime_error("the template of `" + variant.name() + "` does not render");
  return *text;
}

standin::ranks::Body kernel_from_text(const std::string& text) {
  const standin::ranks::LoadedKernel kernel = standin::ranks::load_kernel_text(text);
  if (!kernel.error.empty()) throw std::runtime_error(kernel.error);
  return kernel.body;
}

standin::ranks::Body kernel_of(const Variant& variant) {
  return kernel_from_text(rendered_kernel(variant));
}

std::string edited(std::string text, const std::string& from, const std::string& to, const std::string& after) {
  const size_t start = after.empty() ? 0 : text.find(after);
  const size_t at = start == std::string::npos ? start : text.find(from, start);
  if (at == std::string::npos) throw std::runtime_error("nothing to edit: " + from);
  return text.replace(at, from.size(), to);
}

}  // namespace collectives
