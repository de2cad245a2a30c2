// SPDX-License-Identifier: Apache-2.0
// What the parser's .cpp files share besides its state.
#pragma once

#include "ir/depth_guard.h"
#include "text/literals.h"
#include "text/parse_impl.h"

namespace pyptoc::text {

inline constexpr int kMaxTextNesting = 700;  // below ir::kMaxNesting, which everything that walks the IR has

// Counts nesting; the statement fails where it becomes too deep.
class Parser::Deeper {
 public:
  explicit Deeper(Parser& parser) : parser_(parser) {
    if (++parser_.depth_ <= kMaxTextNesting) return;
    --parser_.depth_;
    parser_.report(diag::codes::text_too_deep, parser_.pos_, parser_.pos_, kMaxTextNesting);
    throw Fault{};
  }
  ~Deeper() { --parser_.depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  Parser& parser_;
};

// Yields belong to `region` while it lives.
class Parser::InRegion {
 public:
  InRegion(Parser& parser, Region& region) : parser_(parser) { parser_.regions_.push_back(&region); }
  ~InRegion() { parser_.regions_.pop_back(); }
  InRegion(const InRegion&) = delete;
  InRegion& operator=(const InRegion&) = delete;

 private:
  Parser& parser_;
};

// A loop or a branch.
class Parser::Block {
 public:
  Block(Parser& parser, bool loop) : parser_(parser) { parser_.rebindings_.begin_block(loop); }
  ~Block() { parser_.rebindings_.end_block(); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

 private:
  Parser& parser_;
};

// Reports are dropped while it lives.
class Parser::Quiet {
 public:
  explicit Quiet(Parser& parser) : parser_(parser) { ++parser_.quiet_; }
  ~Quiet() { --parser_.quiet_; }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  Parser& parser_;
};

template <class... Args>
diag::Engine::Builder Parser::report(const diag::Code<Args...>& code, uint32_t first, uint32_t last,
                                     std::type_identity_t<Args>... arguments) {
  if (quiet_ > 0) return dropped_.report(code, diag::kNowhere, arguments...);
  if (function_ > 0) functions_[function_ - 1].faulty = true;
  return engine_.report(code, place(first, last), arguments...);
}

template <class S>
S Parser::draft(ir::NodeKind kind, uint32_t first_token) {
  S out;
  out.kind = kind;
  out.span = span_from(first_token);
  return out;
}
template <class S>
S Parser::draft(ir::NodeKind kind, uint32_t first_token, const ir::Type* type) {
  S out = draft<S>(kind, first_token);
  out.type = type;
  return out;
}

}  // namespace pyptoc::text
