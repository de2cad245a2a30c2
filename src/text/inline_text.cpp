// SPDX-License-Identifier: Apache-2.0
// Python text of inline statements inside DSL text.
#include "text/inline_text.h"

#include <algorithm>
#include <string>

namespace pyptoc::text {

namespace {

// Steps over one string literal that starts at `at` (its quote); false when it is not closed.
bool skip_string(std::string_view text, size_t& at) {
  char quote = text[at];
  bool triple = text.substr(at, 3) == std::string(3, quote);
  at += triple ? 3 : 1;
  while (at < text.size()) {
    if (text[at] == '\\') {
      at += 2;
    } else if (text[at] == '\n' && !triple) {
      return false;
    } else if (text[at] == quote && (!triple || text.substr(at, 3) == std::string(3, quote))) {
      at += triple ? 3 : 1;
      return true;
    } else {
      ++at;
    }
  }
  return false;
}

bool is_closed(std::string_view text) {
  std::string brackets;
  for (size_t at = 0; at < text.size();) {
    char c = text[at];
    if (c == '"' || c == '\'') {
      if (!skip_string(text, at)) return false;
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '(' || c == '[' || c == '{') brackets += c;
    if (c == ')' || c == ']' || c == '}') {
      char open = c == ')' ? '(' : c == ']' ? '[' : '{';
      if (brackets.empty() || brackets.back() != open) return false;
      brackets.pop_back();
    }
    ++at;
  }
  return brackets.empty();
}

}  // namespace

bool is_indentable(std::string_view text) {
  if (text.empty() || text.front() == ' ' || text.front() == '\t' || text.front() == '\n' || text.front() == '#')
    return false;
  size_t last_line = text.rfind('\n') + 1;  // 0 when there is one line only
  if (text.find_first_not_of(" \t", last_line) == std::string_view::npos) return false;
  for (char c : text)
    if ((static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') || c == 0x7f) return false;
  return text.back() != '\\' && is_closed(text);
}

std::string unindented(std::string_view source, size_t begin, size_t margin) {
  std::string out;
  size_t end_of_text = 0;  // behind the last line that is not blank
  while (begin < source.size()) {
    size_t end = std::min(source.find('\n', begin), source.size());
    std::string_view line = source.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    size_t column = line.find_first_not_of(" \t");
    bool blank = column == std::string_view::npos;
    if (!blank && column < margin) break;
    out += line.substr(std::min(margin, line.size()));
    if (!blank) end_of_text = out.size();
    out += '\n';
    begin = end + 1;
  }
  out.resize(end_of_text);
  return out;
}

}  // namespace pyptoc::text
