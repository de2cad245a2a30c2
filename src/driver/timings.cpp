// SPDX-License-Identifier: Apache-2.0
// The clock of a command and its two reports.
#include "driver/timings.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/internal_error.h"
#include "support/json_writer.h"

namespace pyptoc::driver {
namespace {

constexpr double kNsPerMs = 1e6;
constexpr std::string_view kVerify = "verify";

}  // namespace

void Timings::start(std::string name, std::string_view kind) {
  open_.push_back(entries_.size());
  entries_.push_back({std::move(name), kind, since_start_ns(), 0, 0, static_cast<int>(open_.size()) - 1});
}

void Timings::finish() {
  PYPTOC_ASSERT(!open_.empty(), "a stage is finished that was not started");
  Entry& entry = entries_[open_.back()];
  entry.length_ns = since_start_ns() - entry.begin_ns;
  open_.pop_back();
  if (entry.kind == kVerify && !open_.empty()) entries_[open_.back()].verify_ns += entry.length_ns;
}

std::string Timings::table() const {
  const uint64_t total = since_start_ns();
  std::string text = fmt::format("{:>10}  {:>6}  stage\n", "ms", "share");
  const auto line = [&](uint64_t ns, std::string_view name, int depth) {
    const double share = total == 0 ? 0 : 100.0 * static_cast<double>(ns) / static_cast<double>(total);
    fmt::format_to(std::back_inserter(text), "{:10.3f}  {:5.1f}%  {:{}}{}\n", static_cast<double>(ns) / kNsPerMs, share,
                   "", 2 * depth, name);
  };
  uint64_t verify_ns = 0;
  for (const Entry& entry : entries_) {
    const bool inside_pass = entry.kind == kVerify && entry.depth > 0;
    if (inside_pass) {
      verify_ns += entry.length_ns;
    } else {
      line(entry.length_ns - entry.verify_ns, entry.name, entry.depth);
    }
  }
  if (verify_ns > 0) line(verify_ns, "verification after passes", 0);
  line(total, "total", 0);
  return text;
}

std::string Timings::chrome_trace() const {
  constexpr auto kInline = support::JsonWriter::Layout::kInline;
  support::JsonWriter json;
  json.begin_object().key("traceEvents").begin_array();
  for (const Entry& entry : entries_) {
    // Microseconds; the nanoseconds do not matter at this scale, and integers keep the file plain.
    json.begin_object(kInline).member("ph", "X").member("pid", 1).member("tid", 1).member("name", entry.name);
    json.member("cat", entry.kind).member("ts", entry.begin_ns / 1000).member("dur", entry.length_ns / 1000).end();
  }
  return json.end().member("displayTimeUnit", "ms").end().take();
}

}  // namespace pyptoc::driver
