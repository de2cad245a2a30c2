// SPDX-License-Identifier: Apache-2.0
// Dependency files that make and Ninja both read.
#include "publish/depfile.h"

#include <algorithm>
#include <unordered_set>

namespace pyptoc::publish {

// Backslashes are themselves, except in front of what they could escape and at the end of the word, where each is
// doubled. Ninja reads `\:` like make, but only inside of a word.
std::string make_word(std::string_view text) {
  std::string out;
  size_t backslashes = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool inner_colon = c == ':' && i + 1 < text.size();
    if (c == ' ' || c == '\t' || c == '#' || inner_colon) out.append(backslashes + 1, '\\');
    if (c == '$') out += '$';
    out += c;
    backslashes = c == '\\' ? backslashes + 1 : 0;
  }
  return out.append(backslashes, '\\');
}

std::string render_depfile(std::string_view target, const std::vector<std::string>& dependencies) {
  std::vector<std::string> words;
  std::unordered_set<std::string> seen;
  for (const std::string& dependency : dependencies) {
    if (dependency.empty() || dependency.find('\n') != std::string::npos) continue;
    if (seen.insert(dependency).second) words.push_back(make_word(dependency));
  }
  std::string out = make_word(target) + ":";
  for (const std::string& word : words) out += " \\\n  " + word;
  out += '\n';
  // With `%` it would be a pattern rule.
  for (const std::string& word : words)
    if (word.find('%') == std::string::npos) out += "\n" + word + ":\n";
  return out;
}

}  // namespace pyptoc::publish
