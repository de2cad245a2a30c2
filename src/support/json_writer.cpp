// SPDX-License-Identifier: Apache-2.0
// Writes JSON for people and for diffs: keys in the order of the code, one fact per line.
#include "support/json_writer.h"

#include <utility>

#include "support/internal_error.h"
#include "support/json_text.h"

namespace pyptoc::support {

void JsonWriter::separate() {
  if (std::exchange(after_key_, false)) return;
  if (levels_.empty()) {
    PYPTOC_ASSERT(text_.empty(), "a JSON document has one value");
    return;
  }
  Level& level = levels_.back();
  if (level.items++ > 0) text_ += level.lines ? "," : ", ";
  if (level.lines) text_.append("\n").append(2 * levels_.size(), ' ');
}

JsonWriter& JsonWriter::begin(char open, Layout layout) {
  PYPTOC_ASSERT(after_key_ || levels_.empty() || levels_.back().open == '[', "a member of a JSON object has no key");
  separate();
  text_ += open;
  const bool lines = layout == Layout::kLines && (levels_.empty() || levels_.back().lines);
  levels_.push_back({open, lines});
  return *this;
}

JsonWriter& JsonWriter::end() {
  PYPTOC_ASSERT(!levels_.empty() && !after_key_, "the end of a JSON value that is not open");
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.lines && level.items > 0) text_.append("\n").append(2 * levels_.size(), ' ');
  text_ += level.open == '{' ? '}' : ']';
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  PYPTOC_ASSERT(!levels_.empty() && levels_.back().open == '{' && !after_key_, "a JSON key outside of an object");
  separate();
  append_json_string(text_, name);
  text_ += ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view text) {
  PYPTOC_ASSERT(after_key_ || levels_.empty() || levels_.back().open == '[', "a member of a JSON object has no key");
  separate();
  text_ += text;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  std::string quoted;
  append_json_string(quoted, text);
  return raw(quoted);
}

std::string JsonWriter::take() {
  PYPTOC_ASSERT(levels_.empty() && !text_.empty(), "a JSON document is taken before its end");
  text_ += '\n';
  return std::exchange(text_, {});
}

}  // namespace pyptoc::support
