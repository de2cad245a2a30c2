// SPDX-License-Identifier: Apache-2.0
// Parsing: what the module declares above its functions.
#include <fmt/format.h>

#include "text/parse_support.h"

namespace pyptoc::text {

using ir::NodeKind;

// `NAME = ...` at the level of the module: a variable that functions share, or a constant.
void Parser::module_binding() {
  uint32_t at = pos_;
  NameId name = expect_name("a declaration");
  if (take(Tok::Colon)) (void)type();
  expect(Tok::Assign);
  if (allocation_ahead()) {
    declare_allocation(name);
    expect(Tok::Newline);
    return;
  }
  Global global;
  if (const ir::Var* var = declared_var(name, at)) {
    global.value = var;
    global.variable = !is_dynamic_;
  } else {
    global.value = module_value();
  }
  expect(Tok::Newline);
  globals_[name] = global;
  global_names_.push_back(names_.text(name));
}

// Null when no variable is declared here.
const ir::Var* Parser::declared_var(NameId name, uint32_t at) {
  is_dynamic_ = false;
  bool distributed = is_word(words::w_pld);
  bool member = (distributed || is_word(words::w_pl)) && tok(1).kind == Tok::Dot && tok(2).kind == Tok::Name &&
                tok(3).kind == Tok::LParen;
  if (!member) return nullptr;
  NameId form_word = tok(2).id;
  std::string_view text_name = context_.intern(names_.text(name));
  if (distributed && form_word == words::w_WindowBuffer) {
    pos_ += 3;
    return window_buffer(text_name, false);
  }
  if (distributed) return nullptr;
  switch (form_word) {
    case words::w_MemRef:
      pos_ += 4;
      return memref_var(text_name, at);
    case words::w_dynamic: {
      pos_ += 4;
      is_dynamic_ = true;
      ir::Var var = draft<ir::Var>(NodeKind::Var, at, context_.scalar_type(ir::DType::Index));
      var.name_hint = is(Tok::String) ? context_.intern(string_value()) : text_name;
      expect(Tok::RParen);
      return context_.make(var);
    }
    case words::w_Var: {
      pos_ += 4;
      ir::Var var = draft<ir::Var>(NodeKind::Var, at);
      var.name_hint = context_.intern(string_value());
      expect(Tok::Comma);
      var.type = type();
      expect(Tok::RParen);
      return context_.make(var);
    }
    case words::w_IterArg: {
      pos_ += 4;
      ir::IterArg var = draft<ir::IterArg>(NodeKind::IterArg, at);
      var.name_hint = context_.intern(string_value());
      expect(Tok::Comma);
      var.type = type();
      expect(Tok::Comma);
      var.init_value = expr();
      expect(Tok::RParen);
      return context_.make(var);
    }
    default:
      return nullptr;
  }
}

// Whether `pl.MemRef()`, `pl.MemRef("name")` or `pl.MemRef(slots=2)` comes next.
bool Parser::allocation_ahead() const {
  bool memref_call =
      is_word(words::w_pl) && tok(1).kind == Tok::Dot && is_word_at(2, words::w_MemRef) && tok(3).kind == Tok::LParen;
  Tok behind = tok(4).kind;
  return memref_call &&
         (behind == Tok::RParen || behind == Tok::String || (behind == Tok::Name && tok(5).kind == Tok::Assign));
}

// `ping = pl.MemRef()`: tiles name it in their annotations.
void Parser::declare_allocation(NameId name) {
  pos_ += 4;
  declared_allocations_[name] = allocation_fields(names_.text(name));
}

// Behind the `(` of `pl.MemRef(base, offset, size, ...)`.
const ir::Var* Parser::memref_var(std::string_view name, uint32_t at) {
  ir::MemRef node = draft<ir::MemRef>(NodeKind::MemRef, at);
  memref_name_ = name;
  memref_type_ = context_.plain_type(ir::TypeKind::MemRefType);
  node.base = ir::as<ir::Var>(expr());
  if (node.base == nullptr) fail_expected("a variable");
  memref_fields(node);
  node.name_hint = memref_name_;
  node.type = memref_type_;
  return context_.make(node);
}

// A constant, folded as Python would: `2 * N`.
const ir::Expr* Parser::module_value() {
  uint32_t first = pos_;
  const ir::Expr* value = expr();
  return folded(value, first);
}

const ir::Expr* Parser::folded(const ir::Expr* value, uint32_t first) {
  if (const auto* tuple = ir::as<ir::MakeTuple>(value)) {
    std::vector<const ir::Expr*> elements;
    for (const ir::Expr* element : tuple->elements) elements.push_back(folded(element, first));
    return make_tuple(elements, first);
  }
  const auto* binary = ir::as<ir::BinaryExpr>(value);
  if (binary == nullptr) return value;
  std::optional<int64_t> a = ir::const_int(folded(binary->left, first));
  std::optional<int64_t> b = ir::const_int(folded(binary->right, first));
  if (!a.has_value() || !b.has_value()) return value;
  int64_t out = 0;
  bool overflow = false;
  switch (value->kind) {
    case NodeKind::Add:
      overflow = __builtin_add_overflow(*a, *b, &out);
      break;
    case NodeKind::Sub:
      overflow = __builtin_sub_overflow(*a, *b, &out);
      break;
    case NodeKind::Mul:
      overflow = __builtin_mul_overflow(*a, *b, &out);
      break;
    case NodeKind::FloorDiv:
    case NodeKind::FloorMod: {
      if (*b <= 0) return value;
      int64_t quotient = *a / *b - (*a % *b < 0 ? 1 : 0);
      out = value->kind == NodeKind::FloorDiv ? quotient : *a - quotient * *b;
      break;
    }
    default:
      return value;
  }
  return overflow ? value : index_const(out, first);
}

}  // namespace pyptoc::text
