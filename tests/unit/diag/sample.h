// SPDX-License-Identifier: Apache-2.0
// Codes and a source provider for the tests of this module, so that they do not change when real codes do.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "diag/code.h"
#include "diag/engine.h"
#include "diag/render.h"
#include "diag/source.h"

namespace pyptoc::diag::sample {

PYPTOC_DIAG(E9101, wrong_thing, Error, "wrong thing `{}`", (std::string_view), "Explanation.")
PYPTOC_DIAG(E9102, too_many, Error, "expected {} things, found {}", (std::uint64_t, std::uint64_t), "Explanation.")
PYPTOC_DIAG(E9103, no_detail, Error, "something is odd", (), "Explanation.")
PYPTOC_DIAG(W9101, odd_thing, Warning, "odd thing `{}`", (std::string_view), "Explanation.")
PYPTOC_DIAG(W9102, unused_thing, Warning, "unused thing `{}`", (std::string_view), "Explanation.")

// Python lines by file and number; one input text; IR paths by offset.
class FakeSources : public SourceProvider {
 public:
  std::map<std::pair<std::string, int>, std::string> lines;
  std::map<std::uint32_t, std::string> paths;
  std::string name = "prog.json";

  FakeSources() = default;
  explicit FakeSources(std::string input) : input_(std::move(input)), index_(input_) {}
  FakeSources(const FakeSources&) = delete;
  FakeSources& operator=(const FakeSources&) = delete;

  std::optional<std::string> origin_line(std::string_view filename, int line) override {
    const auto found = lines.find({std::string(filename), line});
    return found == lines.end() ? std::nullopt : std::optional<std::string>(found->second);
  }
  InputPosition locate(std::uint32_t offset) override {
    InputPosition position = input_.empty() ? InputPosition{} : index_.position(offset);
    if (const auto found = paths.find(offset); found != paths.end()) {
      position.ir_path = found->second;
    }
    return position;
  }
  std::string_view input_name() override { return name; }

 private:
  std::string input_;
  TextIndex index_{""};
};

using Renderer = void (*)(std::ostream&, std::span<const Diagnostic>, const Summary&, SourceProvider&,
                          const RenderOptions&);

inline std::string rendered(Renderer renderer, const Engine& engine, SourceProvider& sources,
                            const RenderOptions& options = {}) {
  std::ostringstream out;
  renderer(out, engine.sorted(), engine.summary(), sources, options);
  return out.str();
}

}  // namespace pyptoc::diag::sample
