// SPDX-License-Identifier: Apache-2.0
// Printing of statements other than scopes.
#include "support/literals.h"
#include "text/inline_text.h"
#include "text/print_impl.h"
#include "text/type_match.h"

namespace pyptoc::text {

using ir::NodeKind;

namespace {

constexpr int kExpressionsPerStatement = 1 << 20;

// The yield at the end of a body, which may stand in scopes.
const ir::YieldStmt* last_yield(const ir::Stmt* body) {
  while (body != nullptr) {
    if (const auto* yield = ir::as<ir::YieldStmt>(body)) return yield;
    if (const auto* seq = ir::as<ir::SeqStmts>(body))
      body = seq->stmts.empty() ? nullptr : seq->stmts.back();
    else if (const auto* scope = ir::as<ir::ScopeStmt>(body))
      body = scope->body;
    else
      return nullptr;
  }
  return nullptr;
}

bool is_int(const ir::Expr* expr, int64_t value) {
  const auto* constant = ir::as<ir::ConstInt>(expr);
  return constant != nullptr && constant->value == value && ir::is_scalar_of(constant->type, ir::DType::Index);
}

}  // namespace

void Printer::comments(ir::List<std::string_view> comments) {
  for (std::string_view comment : comments) {
    line_start();
    // A comment that does not fit on one line as it is: `#: "..."`.
    bool plain = true;
    for (char c : comment) plain = plain && (static_cast<unsigned char>(c) >= ' ' || c == '\t') && c != 0x7f;
    if (plain) {
      out_ += comment.empty() ? "#" : "# ";
      out_ += comment;
    } else {
      out_ += "#: ";
      out_ += support::python_string_literal(comment);
    }
    out_ += '\n';
  }
}

void Printer::body(const ir::Stmt* node) {
  ++indent_;
  const auto* seq = ir::as<ir::SeqStmts>(node);
  bool spliced = seq != nullptr && seq->leading_comments.empty() && seq->stmts.size() != 1;
  if (node == nullptr || (spliced && seq->stmts.empty())) {
    line_start();
    out_ += "pass\n";
  } else if (spliced) {
    for (const ir::Stmt* one : seq->stmts) stmt(one);
  } else {
    stmt(node);
  }
  --indent_;
}

void Printer::annotated(const ir::Var* variable) {
  var(variable);
  out_ += ": ";
  type(variable->type);
}

void Printer::declare(const ir::Var* variable) {
  line_start();
  annotated(variable);
  out_ += '\n';
}

void Printer::assigned_value(const ir::AssignStmt& node) {
  const ir::Expr* value = node.value;
  bool annotated_kind = value->kind == NodeKind::Call || value->kind == NodeKind::Submit;
  if (program_ == nullptr || !annotated_kind || !options_.annotate_assignments) return expr(value);
  bool plain =
      value->type == node.var->type ? !has_storage(value->type) : same_but_for_storage(value->type, node.var->type);
  Deeper deeper(*this);
  if (plain)
    raw_expr(value, Prec::Lowest);
  else
    typed(value, value->type);
}

void Printer::assign(const ir::AssignStmt& node) {
  line_start();
  bound_.insert(node.var);
  if (options_.annotate_assignments)
    annotated(node.var);
  else
    var(node.var);
  out_ += " = ";
  assigned_value(node);
  out_ += '\n';
}

void Printer::values(ir::List<const ir::Expr*> values) {
  Items items(out_);
  for (const ir::Expr* value : values) {
    items.next();
    expr(value);
  }
}

void Printer::yield_stmt(const ir::YieldStmt& node) {
  line_start();
  if (!yield_targets_.empty() && yield_targets_.size() == node.value.size()) {
    Items items(out_);
    for (const ir::Var* target : yield_targets_) {
      items.next();
      var(target);
    }
    out_ += " = ";
  }
  out_ += "pl.yield_(";
  values(node.value);
  out_ += ")\n";
}

bool Printer::results_on_yield(ir::List<const ir::Var*> results, const ir::Stmt* one,
                               ir::List<const ir::Var*> iter_args) {
  const ir::YieldStmt* yield = last_yield(one);
  bool fits = yield != nullptr && yield->value.size() == results.size();
  for (size_t i = 0; i < results.size(); ++i) {
    const ir::Type* otherwise = i < iter_args.size() ? iter_args[i]->type : fits ? yield->value[i]->type : nullptr;
    bool again = !bound_.insert(results[i]);
    if (again || otherwise == nullptr || !same_type(otherwise, results[i]->type)) declare(results[i]);
  }
  return fits;
}

void Printer::results(ir::List<const ir::Var*> results) {
  ++indent_;
  line_start();
  --indent_;
  out_ += "pl.results(";
  Items items(out_);
  for (const ir::Var* result : results) {
    items.next();
    var(result);
  }
  out_ += ")\n";
}

void Printer::if_stmt(const ir::IfStmt& node) {
  bool on_yield = node.return_vars.empty() || results_on_yield(node.return_vars, node.then_body, {});
  ir::List<const ir::Var*> outer = yield_targets_;
  yield_targets_ = on_yield ? node.return_vars : ir::List<const ir::Var*>();
  line_start();
  out_ += "if ";
  expr(node.condition);
  out_ += ":\n";
  if (!on_yield) results(node.return_vars);
  body(node.then_body);
  if (node.else_body != nullptr) {
    line_start();
    out_ += "else:\n";
    body(node.else_body);
  }
  yield_targets_ = outer;
}

void Printer::range(const ir::ForStmt& node) {
  bool unit_step = is_int(node.step, 1);
  if (!unit_step || !is_int(node.start, 0)) {
    expr(node.start);
    out_ += ", ";
  }
  expr(node.stop);
  if (unit_step) return;
  out_ += ", ";
  expr(node.step);
}

void Printer::iter_args(ir::List<const ir::Var*> args) {
  out_ += '(';
  Items items(out_);
  for (const ir::Var* arg : args) {
    items.next();
    var(arg);
  }
  out_ += args.size() == 1 ? ",)" : ")";
}

void Printer::init_values(Items& items, ir::List<const ir::Var*> args) {
  items.next() += "init_values=(";
  Items inner(out_);
  for (const ir::Var* arg : args) {
    inner.next();
    if (const auto* iter_arg = ir::as<ir::IterArg>(arg))
      expr(iter_arg->init_value);
    else
      out_ += "None";
  }
  out_ += args.size() == 1 ? ",)" : ")";
}

void Printer::declare_iter_args(ir::List<const ir::Var*> args) {
  for (const ir::Var* arg : args) {
    const auto* iter_arg = ir::as<ir::IterArg>(arg);
    bool follows = iter_arg != nullptr && same_type(iter_arg->type, iter_arg->init_value->type);
    bound_.insert(arg);
    if (!follows) declare(arg);
  }
}

void Printer::for_stmt(const ir::ForStmt& node) {
  bool on_yield = node.return_vars.empty() || results_on_yield(node.return_vars, node.body, node.iter_args);
  declare_iter_args(node.iter_args);
  const ir::Type* counted = node.start->type;
  bool counts = ir::as_scalar(counted) != nullptr ? same_type(counted, node.loop_var->type)
                                                  : ir::is_scalar_of(node.loop_var->type, ir::DType::Index);
  bool again = !bound_.insert(node.loop_var);
  if (again || !counts) declare(node.loop_var);
  line_start();
  out_ += "for ";
  var(node.loop_var);
  if (!node.iter_args.empty()) {
    out_ += ", ";
    iter_args(node.iter_args);
  }
  static constexpr std::string_view kForms[] = {" in pl.range(", " in pl.parallel(", " in pl.unroll(",
                                                " in pl.pipeline("};
  out_ += kForms[static_cast<size_t>(node.for_kind) % std::size(kForms)];
  Items items(out_);
  items.next();
  range(node);
  ir::List<ir::Attr> rest = node.attrs;
  if (node.for_kind == ir::ForKind::Pipeline && !rest.empty() && rest.front().key == "pipeline_stages" &&
      rest.front().value.kind() == ir::AttrKind::Int) {
    items.next() += "stage=";
    number(rest.front().value.as_int());
    rest = rest.subspan(1);
  }
  if (!node.iter_args.empty()) init_values(items, node.iter_args);
  attrs(items, rest);
  out_ += "):\n";
  if (!on_yield) results(node.return_vars);
  ir::List<const ir::Var*> outer = yield_targets_;
  yield_targets_ = on_yield ? node.return_vars : ir::List<const ir::Var*>();
  body(node.body);
  yield_targets_ = outer;
}

void Printer::while_stmt(const ir::WhileStmt& node) {
  bool on_yield = node.return_vars.empty() || results_on_yield(node.return_vars, node.body, node.iter_args);
  declare_iter_args(node.iter_args);
  line_start();
  if (node.iter_args.empty()) {
    out_ += "while ";
    expr(node.condition);
  } else {
    out_ += "for ";
    iter_args(node.iter_args);
    out_ += " in pl.while_(";
    Items items(out_);
    init_values(items, node.iter_args);
    out_ += ')';
  }
  out_ += ":\n";
  if (!node.iter_args.empty()) {
    ++indent_;
    line_start();
    --indent_;
    out_ += "pl.cond(";
    expr(node.condition);
    out_ += ")\n";
  }
  if (!on_yield) results(node.return_vars);
  ir::List<const ir::Var*> outer = yield_targets_;
  yield_targets_ = on_yield ? node.return_vars : ir::List<const ir::Var*>();
  body(node.body);
  yield_targets_ = outer;
}

void Printer::inline_stmt(const ir::InlineStmt& node) {
  line_start();
  if (!is_indentable(node.body)) {
    out_ += "pl.inline_python(";
    string_literal(node.body);
    out_ += ")\n";
    return;
  }
  out_ += "with pl.inline_python():\n";
  ++indent_;
  inline_lines(node.body);
  --indent_;
}

void Printer::inline_lines(std::string_view text) {
  while (true) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (!line.empty()) line_start();
    out_ += line;
    out_ += '\n';
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

void Printer::stmt(const ir::Stmt* node) {
  Deeper deeper(*this);
  budget_ = kExpressionsPerStatement;
  comments(node->leading_comments);
  if (deeper.too_deep()) {
    line_start();
    out_ += "...\n";
    return;
  }
  auto word = [&](std::string_view text) {
    line_start();
    out_ += text;
  };
  switch (node->kind) {
    case NodeKind::AssignStmt:
      return assign(*ir::as<ir::AssignStmt>(node));
    case NodeKind::EvalStmt:
      line_start();
      expr(ir::as<ir::EvalStmt>(node)->expr);
      out_ += '\n';
      return;
    case NodeKind::ReturnStmt:
      word(ir::as<ir::ReturnStmt>(node)->value.empty() ? "return" : "return ");
      values(ir::as<ir::ReturnStmt>(node)->value);
      out_ += '\n';
      return;
    case NodeKind::YieldStmt:
      return yield_stmt(*ir::as<ir::YieldStmt>(node));
    case NodeKind::SeqStmts:
      word("with pl.seq():\n");
      return seq(*ir::as<ir::SeqStmts>(node));
    case NodeKind::IfStmt:
      return if_stmt(*ir::as<ir::IfStmt>(node));
    case NodeKind::ForStmt:
      return for_stmt(*ir::as<ir::ForStmt>(node));
    case NodeKind::WhileStmt:
      return while_stmt(*ir::as<ir::WhileStmt>(node));
    case NodeKind::BreakStmt:
      return word("break\n");
    case NodeKind::ContinueStmt:
      return word("continue\n");
    case NodeKind::InlineStmt:
      return inline_stmt(*ir::as<ir::InlineStmt>(node));
    default:
      return scope(*ir::as<ir::ScopeStmt>(node));
  }
}

void Printer::seq(const ir::SeqStmts& node) {
  ++indent_;
  for (const ir::Stmt* one : node.stmts) stmt(one);
  if (node.stmts.empty()) {
    line_start();
    out_ += "pass\n";
  }
  --indent_;
}

}  // namespace pyptoc::text
