// SPDX-License-Identifier: Apache-2.0
// The fixed text of a chip orchestration unit.
#include <fmt/format.h>

#include "codegen/chip_emitter.h"

namespace pyptoc::codegen {

namespace {

constexpr std::string_view kFloorDiv = R"(
// Rounds towards minus infinity, as `//` of the program does.
template <typename T>
inline T floor_div(T a, T b) {
    T q = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}
)";

constexpr std::string_view kFloorDivReal = R"(
// Rounds towards minus infinity, as `//` of the program does.
template <typename T>
inline T floor_div(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::floor(a / b);
    } else {
        T q = a / b;
        return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
    }
}
)";

constexpr std::string_view kFloorMod = R"(
// Has the sign of the divisor, as `%` of the program has.
template <typename T>
inline T floor_mod(T a, T b) {
    T r = a % b;
    return (r != 0 && (r < 0) != (b < 0)) ? r + b : r;
}
)";

constexpr std::string_view kFloorModReal = R"(
// Has the sign of the divisor, as `%` of the program has.
template <typename T>
inline T floor_mod(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        T r = std::fmod(a, b);
        return (r != 0 && (r < 0) != (b < 0)) ? r + b : r;
    } else {
        T r = a % b;
        return (r != 0 && (r < 0) != (b < 0)) ? r + b : r;
    }
}
)";

constexpr std::string_view kIntPow = R"(
// Modulo the width of T; a negative exponent gives 0 but for bases 1 and -1.
template <typename T>
inline T int_pow(T base, T exponent) {
    if (exponent < 0) {
        return base == 1 ? 1 : (base == static_cast<T>(-1) ? (exponent % 2 == 0 ? 1 : base) : 0);
    }
    uint64_t result = 1;
    uint64_t factor = static_cast<uint64_t>(base);
    for (uint64_t e = static_cast<uint64_t>(exponent); e != 0; e >>= 1) {
        if (e & 1) result *= factor;
        factor *= factor;
    }
    return static_cast<T>(result);
}
)";

constexpr std::string_view kClampExtent = R"(
// What is left of an axis behind an offset, at most `extent`.
inline uint32_t clamp_extent(int64_t extent, int64_t offset, uint32_t limit) {
    const int64_t left = static_cast<int64_t>(limit) - offset;
    const int64_t clamped = extent < left ? extent : left;
    return clamped > 0 ? static_cast<uint32_t>(clamped) : 0;
}
)";

constexpr std::string_view kDropAxes = R"(
// The same storage without the axes that `keep` leaves out.
inline ChipTensor drop_axes(const ChipTensor &from, const uint32_t keep[], uint32_t count) {
    ChipTensor result = from;
    result.ndims = count;
    uint64_t packed = 1;
    bool contiguous = true;
    for (uint32_t d = 0; d < count; ++d) {
        result.shapes[d] = from.shapes[keep[d]];
        result.strides[d] = from.strides[keep[d]];
    }
    for (uint32_t d = count; d-- > 0;) {
        contiguous = contiguous && result.strides[d] == packed;
        packed *= result.shapes[d];
    }
    result.is_contiguous = packed == 0 || contiguous;
    return result;
}
)";

constexpr std::string_view kKeepAlive = R"(
// The memory of a tensor is not reused before the tasks that depend on its maker are done.
inline void keep_alive(const ChipTensor &tensor, PTO2TaskId dependencies[], uint32_t &count) {
    if (!tensor.owner_task_id.is_valid()) return;
    for (uint32_t d = 0; d < count; ++d) {
        if (dependencies[d] == tensor.owner_task_id) return;
    }
    dependencies[count++] = tensor.owner_task_id;
}
)";

// The runtime names this code differently in its versions; the number is the same.
constexpr std::string_view kInvalidArgs = R"(
constexpr int32_t kInvalidArgs = 5;  // an argument that the program cannot take
)";

}  // namespace

std::string ChipEmitter::unit_text(const std::string& body) const {
  const ScalarHelpers& h = scalars_.helpers();
  std::string out = "#include \"pto_orchestration_api.h\"\n\n";
  if (h.algorithm) out += "#include <algorithm>\n";
  if (h.cmath) out += "#include <cmath>\n";
  out += "#include <cstdint>\n";
  if (h.cmath) out += "#include <cstdlib>\n#include <limits>\n#include <type_traits>\n";
  std::string helpers;
  if (reports_) helpers += kInvalidArgs;
  if (h.floor_div) helpers += h.cmath ? kFloorDivReal : kFloorDiv;
  if (h.floor_mod) helpers += h.cmath ? kFloorModReal : kFloorMod;
  if (h.int_pow) helpers += kIntPow;
  if (clamps_) helpers += kClampExtent;
  if (drops_axes_) helpers += kDropAxes;
  if (keeps_) helpers += kKeepAlive;
  if (!helpers.empty()) out += "\nnamespace {\n" + helpers + "\n}  // namespace\n";
  out += "\nextern \"C\" {\n\n";
  out += "__attribute__((visibility(\"default\"))) PTO2OrchestrationConfig aicpu_orchestration_config(\n";
  out += "    const ChipTaskArgs &) {\n";
  out +=
      fmt::format("    return PTO2OrchestrationConfig{{.expected_arg_count = {}}};\n}}\n\n", function_->params.size());
  bool uses_args = body.find("orch_args") != std::string::npos;
  out += fmt::format(
      "__attribute__((visibility(\"default\"))) void aicpu_orchestration_entry(const ChipTaskArgs &{}) {{\n",
      uses_args ? "orch_args" : "");
  out += body;
  out += "}\n\n}  // extern \"C\"\n";
  return out;
}

}  // namespace pyptoc::codegen
