// SPDX-License-Identifier: Apache-2.0
// Properties that passes require and ensure; the list and its meaning: pipeline.md, "Properties".
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace pyptoc::passes {

#define PYPTOC_PROPERTIES(X)      \
  X(StructuredCtrlFlow)           \
  X(NoInlineFunctions)            \
  X(NoUnrollLoops)                \
  X(SSAForm)                      \
  X(NoNestedCalls)                \
  X(SplitIncoreOrch)              \
  X(KernelsReady)                 \
  X(ReturnParamsExplicit)         \
  X(ChipCollectivesLowered)       \
  X(CallDirectionsResolved)       \
  X(TasksOrdered)                 \
  X(CommDomainScopesMaterialized) \
  X(WindowsDistinct)              \
  X(HostCollectivesLowered)       \
  X(DistTensorCtxMaterialized)    \
  X(RuntimeScopesMaterialized)    \
  X(IterArgCarryClassified)

enum class Property : uint8_t {
#define PYPTOC_PROPERTY(P) P,
  PYPTOC_PROPERTIES(PYPTOC_PROPERTY)
#undef PYPTOC_PROPERTY
};
inline constexpr int kPropertyCount = static_cast<int>(Property::IterArgCarryClassified) + 1;

std::string_view name_of(Property property);

class PropertySet {
 public:
  constexpr PropertySet() = default;
  constexpr PropertySet(std::initializer_list<Property> list) {
    for (Property p : list) bits_ |= bit(p);
  }
  constexpr bool has(Property p) const { return (bits_ & bit(p)) != 0; }
  constexpr bool has_all(PropertySet other) const { return (bits_ & other.bits_) == other.bits_; }
  constexpr PropertySet operator|(PropertySet other) const {
    other.bits_ |= bits_;
    return other;
  }
  constexpr PropertySet operator-(PropertySet other) const {
    PropertySet out = *this;
    out.bits_ &= ~other.bits_;
    return out;
  }
  constexpr bool operator==(const PropertySet&) const = default;

 private:
  static constexpr uint32_t bit(Property p) { return uint32_t{1} << static_cast<int>(p); }
  uint32_t bits_ = 0;
};

}  // namespace pyptoc::passes
