// SPDX-License-Identifier: Apache-2.0
// Generated lines in which declarations that nothing uses are left out at the end.
#pragma once

#include <string>
#include <vector>

namespace pyptoc::codegen {

// The emitter writes a declaration before it can know whether anything will use it, and unused variables are warnings
// in the emitted C++. So a declaration is droppable: it stands only if a line that stands uses it.
class LineBuffer {
 public:
  using Decl = int;
  static constexpr Decl kNoDecl = -1;

  // A line that always stands.
  void line(std::string text);
  // A droppable line.
  Decl declare(std::string text);
  // A line that always stands, with a beginning that stands only if a line that stands uses the declaration.
  Decl declare_prefix(std::string prefix, std::string text);
  // One more line that stands and falls with a declaration.
  void belongs_to(Decl decl, std::string text);
  // The next line uses this declaration. kNoDecl is ignored.
  void use(Decl decl);
  void open(std::string text) {
    line(std::move(text));
    ++depth_;
  }
  // `} else {` and its like.
  void reopen(std::string text) {
    --depth_;
    line(std::move(text));
    ++depth_;
  }
  void close(std::string text) {
    --depth_;
    line(std::move(text));
  }
  void set_depth(int depth) { depth_ = depth; }

  // The text, four spaces for each level.
  std::string finish() const;

 private:
  struct Line {
    std::string text;
    std::string prefix;
    int depth = 0;
    Decl decl = kNoDecl;  // the declaration that it, or its prefix, belongs to
    size_t first_use = 0;
    size_t end_use = 0;
  };
  void add(std::string text, Decl decl);

  std::vector<Line> lines_;
  std::vector<Decl> uses_;
  size_t pending_ = 0;  // first use in uses_ that belongs to the next line
  int decls_ = 0;
  int depth_ = 0;
};

}  // namespace pyptoc::codegen
