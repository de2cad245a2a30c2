// SPDX-License-Identifier: Apache-2.0
// Writes indented text, for generated code.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace pyptoc::support {

// Keeps these whatever it is given: lines end with a single `\n`, no line ends with a space, empty lines are not
// indented. Text that comes from a program must go through support/literals.h or safe_name.h first.
class TextWriter {
 public:
  explicit TextWriter(int indent_width = 4) : width_(indent_width) {}

  // One line at the current depth; text with line ends inside makes several, each at that depth.
  template <class... Args>
  TextWriter& line(fmt::format_string<Args...> format, Args&&... args) {
    scratch_.clear();
    fmt::format_to(std::back_inserter(scratch_), format, std::forward<Args>(args)...);
    return lines(std::string_view(scratch_.data(), scratch_.size()));
  }
  // The same without a format, so braces need no doubling. A line end at the end of `text` adds no empty line.
  TextWriter& lines(std::string_view text);
  // An empty line; none at the very beginning and never two in a row.
  TextWriter& blank();

  // `open` writes a line and goes one level deeper; `close` comes back and writes a line, none when it is empty
  // (Python). Every close needs its open.
  template <class... Args>
  TextWriter& open(fmt::format_string<Args...> format, Args&&... args) {
    line(format, std::forward<Args>(args)...);
    return indent();
  }
  TextWriter& close(std::string_view text);
  TextWriter& indent();
  TextWriter& dedent();

  // One level deeper while it lives, for blocks that end with a C++ scope.
  class Indented {
   public:
    explicit Indented(TextWriter& writer) : writer_(writer) { writer_.indent(); }
    ~Indented() { writer_.leave(); }
    Indented(const Indented&) = delete;
    Indented& operator=(const Indented&) = delete;

   private:
    TextWriter& writer_;
  };
  [[nodiscard]] Indented indented() { return Indented(*this); }

  int depth() const { return depth_; }
  const std::string& text() const { return text_; }
  // What was written; the writer is empty afterwards. All levels must be closed.
  std::string take();

 private:
  void one_line(std::string_view text);
  void leave() { depth_ -= depth_ > 0 ? 1 : 0; }

  std::string text_;
  fmt::memory_buffer scratch_;
  int width_;
  int depth_ = 0;
};

}  // namespace pyptoc::support
