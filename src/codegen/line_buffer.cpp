// SPDX-License-Identifier: Apache-2.0
#include "codegen/line_buffer.h"

namespace pyptoc::codegen {

void LineBuffer::add(std::string text, Decl decl) {
  lines_.push_back({std::move(text), {}, depth_, decl, pending_, uses_.size()});
  pending_ = uses_.size();
}

void LineBuffer::line(std::string text) {
  add(std::move(text), kNoDecl);
}

LineBuffer::Decl LineBuffer::declare(std::string text) {
  add(std::move(text), decls_);
  return decls_++;
}

LineBuffer::Decl LineBuffer::declare_prefix(std::string prefix, std::string text) {
  add(std::move(text), decls_);
  lines_.back().prefix = std::move(prefix);
  return decls_++;
}

void LineBuffer::belongs_to(Decl decl, std::string text) {
  add(std::move(text), decl);
}

void LineBuffer::use(Decl decl) {
  if (decl != kNoDecl) uses_.push_back(decl);
}

std::string LineBuffer::finish() const {
  // Uses come after declarations, so one pass from the end settles everything.
  std::vector<char> used(static_cast<size_t>(decls_), 0);
  std::vector<char> stands(lines_.size(), 0);
  for (size_t i = lines_.size(); i-- > 0;) {
    const Line& line = lines_[i];
    if (line.decl != kNoDecl && line.prefix.empty() && used[static_cast<size_t>(line.decl)] == 0) continue;
    stands[i] = 1;
    for (size_t u = line.first_use; u < line.end_use; ++u) used[static_cast<size_t>(uses_[u])] = 1;
  }
  std::string out;
  for (size_t i = 0; i < lines_.size(); ++i) {
    if (stands[i] == 0) continue;
    const Line& line = lines_[i];
    if (!line.text.empty()) out.append(static_cast<size_t>(line.depth) * 4, ' ');
    if (!line.prefix.empty() && used[static_cast<size_t>(line.decl)] != 0) out += line.prefix;
    out += line.text;
    out += '\n';
  }
  return out;
}

}  // namespace pyptoc::codegen
