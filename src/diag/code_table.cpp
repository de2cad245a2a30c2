// SPDX-License-Identifier: Apache-2.0
// The table of all codes, checked while compiling: ids and names are unique, each number lies in its area's range, and
// the letter says the severity.
#include "diag/code_table.h"

#include <algorithm>
#include <string>

#include "diag/codes.h"

namespace pyptoc::diag {
namespace {

struct Row {
  const CodeInfo* code;
  int hundreds;  // the first digits of every number of the area
};

#undef PYPTOC_DIAG
#define PYPTOC_DIAG(id, name, severity, message, arguments, explanation) Row{&codes::name, PYPTOC_AREA},
constexpr Row kRows[] = {
#define PYPTOC_AREA 1
#include "diag/codes_serial.def"
#undef PYPTOC_AREA
#define PYPTOC_AREA 2
#include "diag/codes_text.def"
#undef PYPTOC_AREA
#define PYPTOC_AREA 3
#include "diag/codes_verify.def"
#undef PYPTOC_AREA
#define PYPTOC_AREA 4
#include "diag/codes_front.def"
#undef PYPTOC_AREA
#define PYPTOC_AREA 5
#include "diag/codes_orch.def"
#undef PYPTOC_AREA
#define PYPTOC_AREA 6
#include "diag/codes_host.def"
#undef PYPTOC_AREA
#define PYPTOC_AREA 7
#include "diag/codes_emit.def"
#undef PYPTOC_AREA
#define PYPTOC_AREA 8
#include "diag/codes_io.def"
#undef PYPTOC_AREA
#define PYPTOC_AREA 9
#include "diag/codes_usage.def"
#undef PYPTOC_AREA
};
#undef PYPTOC_DIAG

constexpr std::size_t kCount = std::size(kRows);

constexpr int number_of(const CodeInfo& code) {
  int number = 0;
  for (const char digit : code.id.substr(1)) {
    number = number * 10 + (digit - '0');
  }
  return number;
}

constexpr bool well_formed(const Row& row) {
  const CodeInfo& code = *row.code;
  const char letter = code.severity == Severity::Error ? 'E' : 'W';
  return code.id.size() == 5 && code.id[0] == letter && number_of(code) / 100 == row.hundreds && !code.format.empty();
}

constexpr bool all_well_formed() {
  return std::ranges::all_of(kRows, well_formed);
}

constexpr std::array<const CodeInfo*, kCount> sorted_codes() {
  std::array<const CodeInfo*, kCount> codes{};
  for (std::size_t i = 0; i < kCount; ++i) {
    codes[i] = kRows[i].code;
  }
  std::ranges::sort(codes, {},
                    [](const CodeInfo* code) { return number_of(*code) * 2 + (code->id[0] == 'W' ? 1 : 0); });
  return codes;
}

constexpr std::array<const CodeInfo*, kCount> kSorted = sorted_codes();

constexpr bool ids_unique() {
  return std::ranges::adjacent_find(kSorted, {}, [](const CodeInfo* code) { return code->id; }) == kSorted.end();
}

constexpr bool names_unique() {
  std::array<const CodeInfo*, kCount> by_name = kSorted;
  const auto name = [](const CodeInfo* code) { return code->name(); };
  std::ranges::sort(by_name, {}, name);
  return std::ranges::adjacent_find(by_name, {}, name) == by_name.end();
}

static_assert(all_well_formed(), "a code's letter, number or message is not that of its severity and area");
static_assert(ids_unique(), "two diagnostics have the same code");
static_assert(names_unique(), "two diagnostics have the same name");

}  // namespace

std::string_view severity_name(Severity severity) {
  return severity == Severity::Error ? "error" : "warning";
}

std::span<const CodeInfo* const> all_codes() {
  return kSorted;
}

const CodeInfo* find_code(std::string_view id_or_name) {
  std::string wanted(id_or_name);
  std::ranges::replace(wanted, '_', '-');
  std::string upper = wanted;
  if (!upper.empty() && (upper[0] == 'e' || upper[0] == 'w')) {
    upper[0] = static_cast<char>(upper[0] - 'a' + 'A');
  }
  for (const CodeInfo* code : kSorted) {
    if (code->id == upper || code->name() == wanted) {
      return code;
    }
  }
  return nullptr;
}

std::vector<std::string_view> warning_names() {
  std::vector<std::string_view> names;
  for (const CodeInfo* code : kSorted) {
    if (code->severity == Severity::Warning) {
      names.push_back(code->name());
    }
  }
  return names;
}

std::vector<std::string_view> code_ids_and_names() {
  std::vector<std::string_view> names;
  for (const CodeInfo* code : kSorted) {
    names.push_back(code->id);
    names.push_back(code->name());
  }
  return names;
}

}  // namespace pyptoc::diag
