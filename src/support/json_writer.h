// SPDX-License-Identifier: Apache-2.0
// Writes JSON for people and for diffs: keys in the order of the code, one fact per line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pyptoc::support {

// Values follow each other as calls; a member of an object is key() and then one value. What does not nest is a bug of
// ours. Everything inside an inline array or object stays on its line.
class JsonWriter {
 public:
  enum class Layout : uint8_t { kLines, kInline };

  JsonWriter& begin_object(Layout layout = Layout::kLines) { return begin('{', layout); }
  JsonWriter& begin_array(Layout layout = Layout::kLines) { return begin('[', layout); }
  JsonWriter& end();  // of the innermost array or object

  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(bool flag) { return raw(flag ? "true" : "false"); }
  JsonWriter& value(int64_t number) { return raw(std::to_string(number)); }
  JsonWriter& value(uint64_t number) { return raw(std::to_string(number)); }
  JsonWriter& value(int number) { return value(int64_t{number}); }
  JsonWriter& null() { return raw("null"); }

  template <class T>
  JsonWriter& member(std::string_view name, const T& of_member) {
    return key(name).value(of_member);
  }
  // An array of all on one line.
  template <class List>
  JsonWriter& inline_array(const List& items) {
    begin_array(Layout::kInline);
    for (const auto& item : items) value(item);
    return end();
  }

  // The document with a line end; all must be ended. The writer is empty afterwards.
  std::string take();

 private:
  struct Level {
    char open;
    bool lines;
    size_t items = 0;
  };
  JsonWriter& begin(char open, Layout layout);
  JsonWriter& raw(std::string_view text);
  void separate();  // whatever has to stand before the next item

  std::string text_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace pyptoc::support
