// SPDX-License-Identifier: Apache-2.0
// Printing of functions and programs, and the entry points of the printer.
#include "text/inline_text.h"
#include "text/print_impl.h"

namespace pyptoc::text {

using ir::NodeKind;

namespace {

// What decorators and declarations hold is never much.
constexpr int kExpressionsPerHeader = 1 << 20;

bool is_python_worker(const ir::Function& function) {
  return function.level == ir::Level::Host && function.role == ir::Role::SubWorker;
}

bool is_plain_dynamic(const ir::Var* var, const VarFacts& facts) {
  return var->kind == NodeKind::Var && !facts.defined && ir::is_scalar_of(var->type, ir::DType::Index);
}

}  // namespace

Printer::Printer(const PrintOptions& options, const ir::Program* program)
    : options_(options), program_(program), types_(scratch_), budget_(kExpressionsPerHeader) {
  if (program == nullptr) return;
  for (const ir::Function* function : program->functions) types_.add_function(function->name, function->return_types);
  names_.plan(program);
}

void Printer::memref_var(const ir::MemRef& node) {
  out_ += "pl.MemRef(";
  var(node.base);
  out_ += ", ";
  if (const auto* offset = ir::as<ir::ConstInt>(node.byte_offset))
    const_int(*offset, ir::DType::Int64, Prec::Lowest);
  else
    expr(node.byte_offset);
  out_ += ", ";
  number(node.size);
  if (node.is_pinned) out_ += ", pinned=True";
  if (node.slot_count != 1) {
    out_ += ", slots=";
    number(node.slot_count);
  }
  if (node.slot_index != nullptr) {
    out_ += ", slot=";
    expr(node.slot_index);
  }
  out_ += ", name=";
  string_literal(node.name_hint);
  if (node.type->kind != ir::TypeKind::MemRefType) {
    out_ += ", type=";
    type(node.type);
  }
  out_ += ')';
}

// A variable that belongs to no single function, declared above all of them.
void Printer::global(const ir::Var* node) {
  var(node);
  out_ += " = ";
  if (const auto* buffer = ir::as<ir::WindowBuffer>(node)) {
    window_buffer(*buffer, true);
  } else if (const auto* memref_node = ir::as<ir::MemRef>(node)) {
    memref_var(*memref_node);
  } else if (is_plain_dynamic(node, *names_.facts(node))) {
    out_ += "pl.dynamic(";
    string_literal(node->name_hint);
    out_ += ')';
  } else {
    const auto* arg = ir::as<ir::IterArg>(node);
    out_ += arg != nullptr ? "pl.IterArg(" : "pl.Var(";
    string_literal(node->name_hint);
    out_ += ", ";
    type(node->type);
    if (arg != nullptr) {
      out_ += ", ";
      expr(arg->init_value);
    }
    out_ += ')';
  }
  out_ += '\n';
}

void Printer::decorator(const ir::Function& node) {
  line_start();
  out_ += "@pl.function";
  size_t before = out_.size();
  out_ += '(';
  Items items(out_);
  if (node.func_type != ir::FunctionType::Opaque) {
    items.next() += "type=pl.FunctionType.";
    out_ += ir::name_of(node.func_type);
  }
  Placement implied = implied_placement(node.func_type);
  if (node.level != implied.level) {
    items.next() += "level=";
    out_ += node.level.has_value() ? "pl.Level." : "None";
    if (node.level.has_value()) out_ += ir::name_of(*node.level);
  }
  if (node.role != implied.role) {
    items.next() += "role=";
    out_ += node.role.has_value() ? "pl.Role." : "None";
    if (node.role.has_value()) out_ += ir::name_of(*node.role);
  }
  if (node.requires_runtime_binding) items.next() += "requires_runtime_binding=True";
  if (!is_identifier(node.name)) {
    items.next() += "name=";
    string_literal(node.name);
  }
  // The body of a HOST SubWorker is Python unless the function says otherwise.
  if (is_python_worker(node) && node.body->kind != NodeKind::InlineStmt) items.next() += "inline=False";
  attrs(items, node.attrs);
  if (items.empty())
    out_.resize(before);
  else
    out_ += ')';
  out_ += '\n';
}

void Printer::param(const ir::Function& node, size_t index) {
  const ir::Var* one = node.params[index];
  ir::ParamDirection direction =
      index < node.param_directions.size() ? node.param_directions[index] : ir::ParamDirection::In;
  var(one);
  out_ += ": ";
  bool renamed = names_.name(one) != one->name_hint && !names_.is_global(one);
  if (direction != ir::ParamDirection::In) {
    out_ += "pl.";
    out_ += ir::name_of(direction);
    out_ += '[';
  }
  if (renamed) {
    out_ += "pl.Named[";
    string_literal(one->name_hint);
    out_ += ", ";
  }
  type(one->type);
  if (renamed) out_ += ']';
  if (direction != ir::ParamDirection::In) out_ += ']';
}

void Printer::params(const ir::Function& node, bool method) {
  bool lines = node.params.size() > 2;
  out_ += '(';
  if (lines) out_ += '\n';
  ++indent_;
  size_t printed = 0;
  auto next = [&] {
    if (lines) {
      line_start();
    } else if (printed > 0) {
      out_ += ", ";
    }
    ++printed;
  };
  auto end = [&] {
    if (lines) out_ += ",\n";
  };
  if (method) {
    next();
    out_ += "self";
    end();
  }
  for (size_t i = 0; i < node.params.size(); ++i) {
    next();
    param(node, i);
    end();
  }
  --indent_;
  if (lines) line_start();
  out_ += ')';
}

void Printer::return_types(const ir::Function& node) {
  if (node.return_types.empty()) return;
  out_ += " -> ";
  if (node.return_types.size() == 1) return type(node.return_types.front());
  out_ += "tuple[";
  Items items(out_);
  for (const ir::Type* one : node.return_types) {
    items.next();
    type(one);
  }
  out_ += ']';
}

void Printer::function_body(const ir::Function& node, size_t number) {
  ++indent_;
  for (const ir::Var* var : names_.early(number)) declare(var);
  --indent_;
  const auto* text = ir::as<ir::InlineStmt>(node.body);
  bool raw = text != nullptr && is_python_worker(node) && text->leading_comments.empty() && is_indentable(text->body);
  const auto* seq = ir::as<ir::SeqStmts>(node.body);
  bool empty = seq != nullptr && seq->stmts.empty() && seq->leading_comments.empty();
  if (!raw && !empty) return body(node.body);
  ++indent_;
  if (raw) {
    inline_lines(text->body);
  } else {
    line_start();
    out_ += "...\n";
  }
  --indent_;
}

void Printer::function(const ir::Function* node, size_t number, bool method) {
  budget_ = kExpressionsPerHeader;
  decorator(*node);
  line_start();
  out_ += "def ";
  out_ += is_identifier(node->name) ? std::string(node->name) : identifier_from(node->name);
  for (const ir::Var* one : node->params) bound_.insert(one);
  params(*node, method);
  return_types(*node);
  out_ += ":\n";
  function_body(*node, number);
}

void Printer::program() {
  out_ += "import pypto.language as pl\nimport pypto.language.distributed as pld\n";
  if (!names_.globals().empty()) out_ += '\n';
  for (const ir::Var* one : names_.globals()) {
    budget_ = kExpressionsPerHeader;
    global(one);
  }
  bool plain = is_identifier(program_->name);
  out_ += "\n\n@pl.program";
  if (!plain) {
    out_ += "(name=";
    string_literal(program_->name);
    out_ += ')';
  }
  out_ += "\nclass ";
  out_ += plain ? std::string(program_->name) : identifier_from(program_->name);
  out_ += ":\n";
  ++indent_;
  size_t number = 0;
  for (const ir::Function* one : program_->functions) {
    if (number > 0) out_ += '\n';
    function(one, number++, true);
  }
  if (program_->functions.empty()) out_ += "    pass\n";
  --indent_;
}

std::string print_program(const ir::Program* program, const PrintOptions& options) {
  Printer printer(options, program);
  printer.program();
  return printer.take();
}

std::string print_function(const ir::Function* function, const PrintOptions& options) {
  Printer printer(options, nullptr);
  printer.function(function, 0, false);
  return printer.take();
}

std::string print_stmt(const ir::Stmt* stmt, const PrintOptions& options) {
  Printer printer(options, nullptr);
  printer.stmt(stmt);
  return printer.take();
}

std::string print_expr(const ir::Expr* expr) {
  Printer printer({}, nullptr);
  printer.expr(expr);
  return printer.take();
}

std::string print_type(const ir::Type* type) {
  Printer printer({}, nullptr);
  printer.type(type);
  return printer.take();
}

}  // namespace pyptoc::text
