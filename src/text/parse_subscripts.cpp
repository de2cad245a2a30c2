// SPDX-License-Identifier: Apache-2.0
// Parsing: subscripts, `t[i]`, and assignments to them.
#include <fmt/format.h>

#include "text/parse_support.h"

namespace pyptoc::text {

using ir::NodeKind;

const ir::Expr* Parser::index_const(int64_t value, uint32_t at) {
  return context_.const_int(value, ir::DType::Index, span(at, at));
}

std::vector<Parser::Index> Parser::indices() {
  std::vector<Index> out;
  expect(Tok::LBracket);
  while (!is(Tok::RBracket)) {
    Index index;
    if (!is(Tok::Colon)) index.start = expr();
    if (take(Tok::Colon)) {
      index.slice = true;
      if (!is(Tok::Comma) && !is(Tok::RBracket)) index.stop = expr();
      if (is(Tok::Colon)) {
        report(diag::codes::bad_subscript, pos_, pos_, "slices have no step");
        throw Fault{};
      }
    }
    out.push_back(index);
    if (!take(Tok::Comma)) break;
  }
  expect(Tok::RBracket);
  return out;
}

// The part of a tensor or tile that subscripts name: scalars drop their axis, missing ones mean the whole axis.
Parser::Window Parser::window_of(const ir::Expr* base, const std::vector<Index>& given, uint32_t first) {
  const ir::ShapedType* type = ir::as_shaped(base->type);
  if (given.size() > type->shape.size()) {
    report(diag::codes::bad_subscript, first, pos_ - 1,
           fmt::format("expected at most {} indices, found {}", type->shape.size(), given.size()));
    throw Fault{};
  }
  Window out;
  out.scalar = given.size() == type->shape.size();
  for (size_t axis = 0; axis < type->shape.size(); ++axis) {
    Index index;
    index.slice = true;
    if (axis < given.size()) index = given[axis];
    out.offsets.push_back(index.start != nullptr ? index.start : index_const(0, first));
    if (!index.slice) {
      out.shape.push_back(index_const(1, first));
      out.dropped.push_back(index_const(static_cast<int64_t>(axis), first));
      continue;
    }
    out.scalar = false;
    out.shape.push_back(slice_extent(index, type->shape[axis], first));
  }
  return out;
}

// `stop - start`, folded where it is plain: constants, and `i : i + 8`.
const ir::Expr* Parser::slice_extent(const Index& index, const ir::Expr* extent, uint32_t first) {
  const ir::Expr* stop = index.stop != nullptr ? index.stop : extent;
  if (index.start == nullptr) return stop;
  std::optional<int64_t> from = ir::const_int(index.start);
  std::optional<int64_t> to = ir::const_int(stop);
  if (from.has_value() && to.has_value()) return index_const(*to - *from, first);
  const auto* sum = ir::as<ir::BinaryExpr>(stop);
  if (sum != nullptr && sum->kind == NodeKind::Add && sum->left == index.start) return sum->right;
  return make_binary(NodeKind::Sub, stop, index.start, first);
}

const ir::Expr* Parser::subscript(const ir::Expr* base, uint32_t first) {
  bool tuple_like = ir::as_shaped(base->type) == nullptr && ir::as_array(base->type) == nullptr;
  if (tuple_like && tok(1).kind == Tok::Int && tok(2).kind == Tok::RBracket) {
    next();
    uint32_t at = pos_;
    int64_t index = int_value();
    expect(Tok::RBracket);
    if (types_.of_item(base, index) == nullptr && !is_poison(base)) {
      report(diag::codes::bad_subscript, first, at, fmt::format("the value has no member {}", index));
      throw Fault{};
    }
    return make_item(base, index, first);
  }
  std::vector<Index> given = indices();
  if (is_poison(base)) throw Fault{};
  if (ir::as_array(base->type) != nullptr && given.size() == 1 && !given[0].slice)
    return op_call("array.get_element", {base, given[0].start}, first);
  if (tuple_like || given.empty() || ir::as_array(base->type) != nullptr) {
    report(diag::codes::bad_subscript, first, pos_ - 1, "this value cannot be indexed like this");
    throw Fault{};
  }
  bool tile = ir::as_tile(base->type) != nullptr;
  Window window = window_of(base, given, first);
  if (window.scalar)
    return op_call(tile ? "tile.read" : "tensor.read", {base, make_tuple(window.offsets, first)}, first);
  std::vector<const ir::Expr*> args = {base, make_tuple(window.shape, first), make_tuple(window.offsets, first)};
  if (!window.dropped.empty()) {
    args.push_back(make_tuple({}, first));
    args.push_back(make_tuple(window.dropped, first));
  }
  return op_call(tile ? "tile.slice" : "tensor.slice", args, first);
}

// `t[i, j] = x` and `t[a:b] = x`: the name is bound to the result. Null, and nothing read, when no assignment stands
// here. Stands at the name.
const ir::Stmt* Parser::subscript_assignment() {
  int depth = 0;
  uint32_t ahead = 1;
  for (;; ++ahead) {
    Tok kind = tok(ahead).kind;
    if (kind == Tok::LBracket || kind == Tok::LParen || kind == Tok::LBrace) ++depth;
    if (kind == Tok::RBracket || kind == Tok::RParen || kind == Tok::RBrace) --depth;
    if (depth == 0 || kind == Tok::Newline || kind == Tok::End) break;
  }
  if (tok(ahead + 1).kind != Tok::Assign) return nullptr;
  uint32_t first = pos_;
  NameId name = tok().id;
  const ir::Expr* base = name_expr();
  std::vector<Index> given = indices();
  expect(Tok::Assign);
  const ir::Expr* right = expr();
  if (is_poison(base) || is_poison(right)) throw Fault{};
  const ir::Expr* value = nullptr;
  if (ir::as_array(base->type) != nullptr && given.size() == 1 && !given[0].slice) {
    value = op_call("array.update_element", {base, given[0].start, right}, first);
  } else if (ir::as_shaped(base->type) == nullptr || given.empty()) {
    report(diag::codes::bad_subscript, first, pos_ - 1, "elements of this value cannot be assigned");
    throw Fault{};
  } else {
    value = written(base, given, right, first);
  }
  return assign_stmt(bind_assigned(name, value_type(name, value, first), first), value, first);
}

const ir::Expr* Parser::written(const ir::Expr* base, const std::vector<Index>& given, const ir::Expr* right,
                                uint32_t first) {
  bool tile = ir::as_tile(base->type) != nullptr;
  Window window = window_of(base, given, first);
  const ir::Expr* offsets = make_tuple(window.offsets, first);
  if (window.scalar) return op_call(tile ? "tile.write" : "tensor.write", {base, offsets, right}, first);
  if (!window.dropped.empty())
    right = op_call(tile ? "tile.reshape" : "tensor.reshape", {right, make_tuple(window.shape, first)}, first);
  return op_call(tile ? "tile.assemble" : "tensor.assemble", {base, right, offsets}, first);
}

}  // namespace pyptoc::text
