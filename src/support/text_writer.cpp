// SPDX-License-Identifier: Apache-2.0
// Writes indented text, for generated code.
#include "support/text_writer.h"

#include <cstddef>

#include "support/internal_error.h"

namespace pyptoc::support {

void TextWriter::one_line(std::string_view text) {
  const size_t last = text.find_last_not_of(" \t\r");
  if (last != std::string_view::npos) {
    text_.append(static_cast<size_t>(depth_) * static_cast<size_t>(width_), ' ');
    text_.append(text.substr(0, last + 1));
  }
  text_ += '\n';
}

TextWriter& TextWriter::lines(std::string_view text) {
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    one_line(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  one_line(text);
  return *this;
}

TextWriter& TextWriter::blank() {
  if (!text_.empty() && !text_.ends_with("\n\n") && text_ != "\n") text_ += '\n';
  return *this;
}

TextWriter& TextWriter::close(std::string_view text) {
  dedent();
  return text.empty() ? *this : lines(text);
}

TextWriter& TextWriter::indent() {
  ++depth_;
  return *this;
}

TextWriter& TextWriter::dedent() {
  PYPTOC_ASSERT(depth_ > 0, "a block is closed that was not opened");
  --depth_;
  return *this;
}

std::string TextWriter::take() {
  PYPTOC_ASSERT(depth_ == 0, "text is taken while a block is open");
  return std::exchange(text_, {});
}

}  // namespace pyptoc::support
