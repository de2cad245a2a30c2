// SPDX-License-Identifier: Apache-2.0
// After a pass: the properties that it ensures hold, or the pass is wrong.
#include "passes/verify.h"

#include "passes/property_checks.h"

namespace pyptoc::passes {

std::vector<std::string> violations(const ir::Program* program, Property property) {
  Findings findings;
  switch (property) {
#define PYPTOC_PROPERTY(P)        \
  case Property::P:               \
    check_##P(program, findings); \
    break;
    PYPTOC_PROPERTIES(PYPTOC_PROPERTY)
#undef PYPTOC_PROPERTY
  }
  return findings;
}

void require_valid(const ir::Program* program, const PassInfo& info, PropertySet known) {
  for (int i = 0; i < kPropertyCount; ++i) {
    Property property = static_cast<Property>(i);
    if (!info.ensures.has(property) || known.has(property)) continue;
    std::vector<std::string> found = violations(program, property);
    if (found.empty()) continue;
    std::string text = "pass " + std::string(info.name) + " ensures " + std::string(name_of(property)) + ", but";
    for (const std::string& one : found) text += "\n  " + one;
    support::internal_error(text, __FILE__, __LINE__);
  }
}

}  // namespace pyptoc::passes
