// SPDX-License-Identifier: Apache-2.0
// Makes the places of diagnostics about a JSON or MessagePack program readable.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/source.h"

namespace pyptoc::serial {

class PathIndex;

// Answers from the bytes of the input, which must outlive it, and from the Python sources that spans name. Nothing is
// looked at before the first question; then the input is scanned once more.
class InputSource : public diag::SourceProvider {
 public:
  // The text of the file that a span names, or nothing when it is not to be had.
  using OriginReader = std::function<std::optional<std::string>(std::string_view filename)>;

  InputSource(std::string input_name, std::string_view bytes, OriginReader read_origin = {});
  ~InputSource() override;
  InputSource(const InputSource&) = delete;
  InputSource& operator=(const InputSource&) = delete;

  std::optional<std::string> origin_line(std::string_view filename, int line) override;
  // For MessagePack the path only, because bytes have no lines. An offset inside a value means that value.
  diag::InputPosition locate(std::uint32_t offset) override;
  std::string_view input_name() override { return input_name_; }

  // `$.functions[2].value.body.stmts[0]`; the maps called `fields` are not named. Empty when nothing could be read.
  std::string ir_path(std::uint32_t offset);

 private:
  struct Origin {
    bool readable = false;
    std::string text;
    std::vector<std::size_t> line_starts;
  };
  const Origin& origin(std::string_view filename);

  std::string input_name_;
  std::string_view bytes_;
  OriginReader read_origin_;
  std::map<std::string, Origin, std::less<>> origins_;
  std::unique_ptr<PathIndex> paths_;
  diag::TextIndex lines_;
};

}  // namespace pyptoc::serial
