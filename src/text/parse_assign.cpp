// SPDX-License-Identifier: Apache-2.0
// Parsing: statements that begin with a name, assignments of all kinds.
#include <fmt/format.h>

#include "diag/codes_verify.h"
#include "ir/describe.h"
#include "ir/op_types.h"
#include "text/parse_support.h"

namespace pyptoc::text {

using ir::NodeKind;

// A statement that begins with a name: assignments of all kinds, or an expression.
const ir::Stmt* Parser::name_statement(std::vector<const ir::Stmt*>& out) {
  uint32_t first = pos_;
  const Token& behind = tok(1);
  NameId name = tok().id;
  switch (behind.kind) {
    case Tok::Colon: {
      pos_ += 2;
      const ir::Type* annotation = type_or_poison(name, first);
      if (!take(Tok::Assign)) {
        declare(name, annotation, first);
        return nullptr;
      }
      return assignment(name, first, annotation);
    }
    case Tok::Assign:
      pos_ += 2;
      return assignment(name, first, nullptr);
    case Tok::Comma:
      return unpacking(out);
    case Tok::AugAssign:
      return augmented(name, first);
    case Tok::LBracket: {
      const ir::Stmt* stmt = subscript_assignment();
      if (stmt != nullptr) return stmt;
      break;
    }
    default:
      break;
  }
  return eval(expr(), first);
}

// The variable is bound even when its annotation cannot be understood, so that its uses are not reported as well.
const ir::Type* Parser::type_or_poison(NameId name, uint32_t at) {
  try {
    return type();
  } catch (const Fault&) {
    if (lookup_var(name) == nullptr) poison(name, at);
    throw;
  }
}

bool Parser::yield_ahead() const {
  return is_word(words::w_pl) && tok(1).kind == Tok::Dot && is_word_at(2, words::w_yield_);
}

const ir::Stmt* Parser::assignment(NameId name, uint32_t at, const ir::Type* annotation) {
  if (yield_ahead()) return yield_stmt({name}, annotation, at);
  if (allocation_ahead()) {
    declare_allocation(name);
    return nullptr;
  }
  wanted_type_ = annotation;
  wanted_at_ = pos_;
  assigned_name_ = name;
  const ir::Expr* value = nullptr;
  try {
    value = expr();
    if (is(Tok::Assign)) fail_expected("one name to assign to");
  } catch (const Fault&) {
    wanted_type_ = nullptr;
    if (annotation != nullptr)
      bind_assigned(name, annotation, at);
    else if (lookup_var(name) == nullptr)
      poison(name, at);
    throw;
  }
  const ir::Type* type = annotation != nullptr ? wanted_type_ : value_type(name, value, at);
  wanted_type_ = nullptr;
  assigned_name_ = 0;
  return assign_stmt(bind_assigned(name, type, at), value, at);
}

// Reports why an operator gives nothing for its operands; false where they are not the reason.
bool Parser::operand_faults(const ir::Expr* value) {
  const ir::Call* call = ir::as<ir::Call>(value);
  if (call == nullptr || call->op->is_global_var) return false;
  for (const ir::Expr* arg : call->args)  // what an inner call lacks comes first
    if (arg->type->kind == ir::TypeKind::UnknownType && operand_faults(arg)) return true;
  const ir::OpInfo& info = ir::op_info(call->op->id);
  if (info.type_rule == nullptr) return false;
  diag::Engine& engine = quiet_ > 0 ? dropped_ : engine_;
  const size_t before = engine.error_count();
  for (size_t i = 0; i < call->args.size() && i < info.max_args(); ++i) {
    const ir::Operand* operand = info.operand_at(i);
    const ir::Type* type = call->args[i]->type;
    if (!operand_fits(operand->kind, type))
      engine.report(diag::codes::argument_kind, place_of(value), operand->name, info.name, text_of(operand->kind),
                    describe(type));
  }
  for (const ir::Keyword& keyword : info.keywords)
    if (keyword.required && ir::find_attr(call->kwargs, keyword.name) == nullptr)
      engine.report(diag::codes::missing_keyword, place_of(value), info.name, keyword.name);
  if (engine.error_count() == before)
    ir::deduce_type(context_, call->op->id, call->args, call->kwargs, &engine, place_of(value));
  return engine.error_count() != before;
}

// The type of a variable without annotation.
const ir::Type* Parser::value_type(NameId name, const ir::Expr* value, uint32_t at) {
  if (value->type->kind == ir::TypeKind::UnknownType && !is_poison(value)) {
    if (operand_faults(value)) return poison_type_;
    report(diag::codes::type_not_known, at, at, names_.text(name))
        .help(fmt::format("annotate it: `{}: pl.Tensor[[...], pl.FP32] = ...`", names_.text(name)));
    return poison_type_;
  }
  return value->type;
}

const ir::Stmt* Parser::assign_stmt(const ir::Var* var, const ir::Expr* value, uint32_t first) {
  ir::AssignStmt node = draft<ir::AssignStmt>(NodeKind::AssignStmt, first);
  node.var = var;
  node.value = value;
  return context_.make(node);
}

const ir::Stmt* Parser::eval(const ir::Expr* value, uint32_t first) {
  if (is(Tok::Assign) || is(Tok::AugAssign)) {
    report(diag::codes::text_syntax, first, pos_ - 1, "a name to assign to", "an expression");
    throw Fault{};
  }
  ir::EvalStmt node = draft<ir::EvalStmt>(NodeKind::EvalStmt, first);
  node.expr = value;
  return context_.make(node);
}

// `a, b = value`: of a yield, of several values, or of the members of a tuple.
const ir::Stmt* Parser::unpacking(std::vector<const ir::Stmt*>& out) {
  uint32_t first = pos_;
  bool bracket = is(Tok::LParen);
  if (bracket) {  // `(a, b) = ...`, unless it is an expression
    uint32_t ahead = 1;
    while (tok(ahead).kind == Tok::Name && tok(ahead + 1).kind == Tok::Comma) ahead += 2;
    if (tok(ahead).kind == Tok::Name) ++ahead;
    if (tok(ahead).kind != Tok::RParen || tok(ahead + 1).kind != Tok::Assign) return eval(expr(), first);
    next();
  }
  std::vector<NameId> targets;
  std::vector<uint32_t> places;
  do {
    if (is(Tok::Assign) || is(Tok::RParen)) break;
    places.push_back(pos_);
    targets.push_back(expect_name("a name to assign to"));
  } while (take(Tok::Comma));
  if (bracket) expect(Tok::RParen);
  expect(Tok::Assign);
  if (yield_ahead()) return yield_stmt(targets, nullptr, first);
  const ir::Expr* value = nullptr;
  try {
    value = expr();
    std::vector<const ir::Expr*> values = {value};
    while (take(Tok::Comma) && !is(Tok::Newline)) values.push_back(expr());
    if (values.size() > 1) return unpack_values(targets, places, values, out);
  } catch (const Fault&) {
    for (size_t i = 0; i < targets.size(); ++i)
      if (lookup_var(targets[i]) == nullptr) poison(targets[i], places[i]);
    throw;
  }
  return unpack_tuple(targets, places, value, out, first);
}

const ir::Stmt* Parser::unpack_values(const std::vector<NameId>& targets, const std::vector<uint32_t>& places,
                                      const std::vector<const ir::Expr*>& values, std::vector<const ir::Stmt*>& out) {
  if (values.size() != targets.size()) {
    report(diag::codes::result_count, places.front(), pos_ - 1, targets.size(), values.size());
    throw Fault{};
  }
  for (size_t i = 0; i < targets.size(); ++i) {
    const ir::Type* type = value_type(targets[i], values[i], places[i]);
    out.push_back(assign_stmt(bind_assigned(targets[i], type, places[i]), values[i], places[i]));
  }
  return nullptr;
}

// The tuple gets a variable of its own, and each name a member of it.
const ir::Stmt* Parser::unpack_tuple(const std::vector<NameId>& targets, const std::vector<uint32_t>& places,
                                     const ir::Expr* value, std::vector<const ir::Stmt*>& out, uint32_t first) {
  const ir::TupleType* tuple = ir::as_tuple(value->type);
  if (is_poison(value) || tuple == nullptr || tuple->types.size() != targets.size()) {
    if (!is_poison(value))
      report(diag::codes::result_count, first, pos_ - 1, targets.size(), tuple != nullptr ? tuple->types.size() : 1);
    for (size_t i = 0; i < targets.size(); ++i) poison(targets[i], places[i]);
    return nullptr;
  }
  ir::Var var = draft<ir::Var>(NodeKind::Var, first, value->type);
  var.name_hint = context_.intern(fmt::format("{}_tuple", names_.text(targets.front())));
  const ir::Var* made = context_.make(var);
  out.push_back(assign_stmt(made, value, first));
  for (size_t i = 0; i < targets.size(); ++i) {
    const ir::Expr* item = make_item(made, static_cast<int64_t>(i), first);
    out.push_back(assign_stmt(bind_assigned(targets[i], item->type, places[i]), item, places[i]));
  }
  return nullptr;
}

// `x += 1` is `x = x + 1`.
const ir::Stmt* Parser::augmented(NameId name, uint32_t first) {
  const ir::Expr* left = name_expr();
  std::string_view op = text(tok());
  next();
  const ir::Expr* right = expr();
  struct Row {
    std::string_view text;
    NodeKind kind;
  };
  static constexpr Row kRows[] = {
      {"+=", NodeKind::Add},      {"-=", NodeKind::Sub},           {"*=", NodeKind::Mul},
      {"/=", NodeKind::FloatDiv}, {"//=", NodeKind::FloorDiv},     {"%=", NodeKind::FloorMod},
      {"**=", NodeKind::Pow},     {"&=", NodeKind::BitAnd},        {"|=", NodeKind::BitOr},
      {"^=", NodeKind::BitXor},   {"<<=", NodeKind::BitShiftLeft}, {">>=", NodeKind::BitShiftRight},
  };
  for (const Row& row : kRows) {
    if (row.text != op) continue;
    const ir::Expr* value = make_binary(row.kind, left, right, first);
    return assign_stmt(bind_assigned(name, value_type(name, value, first), first), value, first);
  }
  fail_expected("an assignment");
}

}  // namespace pyptoc::text
