// SPDX-License-Identifier: Apache-2.0
// How long each stage of a command took: --time-passes and --time-trace.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pyptoc::driver {

class Timings {
 public:
  explicit Timings(const std::function<uint64_t()>& now_ns) : now_ns_(now_ns), begin_(now_ns()) {}

  // `kind` is the category in the trace. Those of kind `verify` inside another stage are a line of their own in the
  // table, all together, and do not count for that stage.
  void start(std::string name, std::string_view kind);
  // Of the stage started last that is not yet finished.
  void finish();
  // For reports after something went wrong in the middle.
  void finish_all() {
    while (!open_.empty()) finish();
  }

  class Scope {
   public:
    Scope(Timings& timings, std::string_view name, std::string_view kind = "stage") : timings_(timings) {
      timings_.start(std::string(name), kind);
    }
    ~Scope() { timings_.finish(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Timings& timings_;
  };
  [[nodiscard]] Scope scope(std::string_view name) { return Scope(*this, name); }

  uint64_t since_start_ns() const { return now_ns_() - begin_; }
  // One line for each stage in the order of their beginnings, those inside others indented. All must be finished.
  std::string table() const;
  // Chrome trace events, for chrome://tracing and Perfetto.
  std::string chrome_trace() const;

 private:
  struct Entry {
    std::string name;
    std::string_view kind;
    uint64_t begin_ns = 0;  // since this object was made
    uint64_t length_ns = 0;
    uint64_t verify_ns = 0;  // of `length_ns`
    int depth = 0;
  };

  const std::function<uint64_t()>& now_ns_;
  uint64_t begin_;
  std::vector<Entry> entries_;
  std::vector<size_t> open_;
};

}  // namespace pyptoc::driver
