// SPDX-License-Identifier: Apache-2.0
// The printer's state and its parts; one .cpp file for each group of members.
#pragma once

#include <string>
#include <string_view>

#include "ir/program.h"
#include "text/name_table.h"
#include "text/printer.h"
#include "text/result_type.h"
#include "text/spelling.h"

namespace pyptoc::text {

class Printer {
 public:
  // Without a program (fragments) types that do not follow are not written into expressions.
  Printer(const PrintOptions& options, const ir::Program* program);

  void program();
  void function(const ir::Function* function, size_t number, bool method);
  void stmt(const ir::Stmt* stmt);
  void expr(const ir::Expr* expr, Prec at_least = Prec::Lowest);
  void type(const ir::Type* type);
  std::string take() { return std::move(out_); }

 private:
  // A list in brackets under construction: writes the separators.
  class Items {
   public:
    explicit Items(std::string& out) : out_(out) {}
    std::string& next() {
      if (!first_) out_ += ", ";
      first_ = false;
      return out_;
    }
    bool empty() const { return first_; }

   private:
    std::string& out_;
    bool first_ = true;
  };
  class Deeper;

  // print_types.cpp
  void shape(ir::List<const ir::Expr*> extents);
  void tensor_type(const ir::TensorType& type);
  void tile_type(const ir::TileType& type);
  void tensor_view(const ir::TensorView& view);
  void tile_view(const ir::TileView& view);
  void memref(const ir::MemRefInfo& info);
  void dtype(ir::DType dtype);
  void shape_field(Items& items, std::string_view key, ir::List<const ir::Expr*> extents);

  // print_exprs.cpp
  void raw_expr(const ir::Expr* expr, Prec at_least);
  void typed(const ir::Expr* expr, const ir::Type* type);
  void binary(const ir::BinaryExpr& expr, Prec at_least);
  void unary(const ir::UnaryExpr& expr, Prec at_least);
  void const_int(const ir::ConstInt& value, ir::DType otherwise, Prec at_least);
  void const_float(const ir::ConstFloat& value, Prec at_least);
  void item(const ir::TupleGetItemExpr& expr);
  void number(int64_t value);
  void float_literal(double value);
  void string_literal(std::string_view text);
  void var(const ir::Var* var) { out_ += names_.name(var); }

  // print_calls.cpp
  void call(const ir::Call& call);
  void submit(const ir::Submit& submit);
  void callee(const ir::Op* op);
  void function_ref(std::string_view name);
  void keywords(Items& items, ir::List<ir::Attr> kwargs, const ir::Op* op, bool of_submit);
  void keyword_value(const ir::Attr& kwarg, const ir::Op* op);
  // `attrs={...}`, when there are any.
  void attrs(Items& items, ir::List<ir::Attr> attrs);
  void attr_value(const ir::Attr& attr);
  void attr_expr(std::string_view key, const ir::Expr* expr);
  void int_list(const ir::AttrValue& value);

  // print_stmts.cpp
  void line_start() { out_.append(static_cast<size_t>(indent_) * 4, ' '); }
  void body(const ir::Stmt* body);
  void comments(ir::List<std::string_view> comments);
  void assign(const ir::AssignStmt& assign);
  void annotated(const ir::Var* var);
  void assigned_value(const ir::AssignStmt& assign);
  void values(ir::List<const ir::Expr*> values);
  void if_stmt(const ir::IfStmt& branch);
  void for_stmt(const ir::ForStmt& loop);
  void while_stmt(const ir::WhileStmt& loop);
  void yield_stmt(const ir::YieldStmt& yield);
  void range(const ir::ForStmt& loop);
  void iter_args(ir::List<const ir::Var*> args);
  void init_values(Items& items, ir::List<const ir::Var*> args);
  void declare_iter_args(ir::List<const ir::Var*> args);
  // Says which variables a loop or branch results in: on its yields where they fit, else in a statement of its own.
  // Answers whether yields print them.
  bool results_on_yield(ir::List<const ir::Var*> results, const ir::Stmt* one, ir::List<const ir::Var*> iter_args);
  void results(ir::List<const ir::Var*> results);
  // A line that only says the type: before a binding from which it does not follow, and before a second binding.
  void declare(const ir::Var* var);
  void inline_stmt(const ir::InlineStmt& stmt);
  void inline_lines(std::string_view text);
  void seq(const ir::SeqStmts& seq);

  // print_scopes.cpp
  void scope(const ir::ScopeStmt& scope);
  void incore(const ir::InCoreScopeStmt& scope, Items& items);
  void hierarchy(const ir::HierarchyScopeStmt& scope, Items& items);
  void spmd(const ir::SpmdScopeStmt& scope, Items& items);
  void comm_domain(const ir::CommDomainScopeStmt& scope, Items& items);
  const ir::AssignStmt* lane_index(const ir::SplitAivScopeStmt& scope);
  void split_aiv(const ir::SplitAivScopeStmt& scope, Items& items);
  void name_hint(Items& items, std::string_view name);
  // Prints those that have a form of their own; answers how many. `task_id` is the one printed behind `as`.
  size_t scope_attrs(Items& items, ir::List<ir::Attr> attrs, const ir::Var* task_id);

  // print_program.cpp
  void global(const ir::Var* var);
  void window_buffer(const ir::WindowBuffer& buffer, bool named);
  void memref_var(const ir::MemRef& memref);
  void decorator(const ir::Function& function);
  void params(const ir::Function& function, bool method);
  void param(const ir::Function& function, size_t index);
  void function_body(const ir::Function& function, size_t number);
  void return_types(const ir::Function& function);

  PrintOptions options_;
  const ir::Program* program_;
  ir::Context scratch_;  // for types that are made only to be compared
  ResultTypes types_;
  NameTable names_;
  ir::NodeSet bound_;  // variables whose definition has been printed
  std::string out_;
  int indent_ = 0;
  int depth_ = 0;
  int budget_ = 0;  // expressions left to print in this statement
  // The variables that the yields of the innermost loop or branch are assigned to; empty when they are not.
  ir::List<const ir::Var*> yield_targets_;
};

// Counts nesting; printing stops with `...` where it becomes too deep.
class Printer::Deeper {
 public:
  explicit Deeper(Printer& printer) : printer_(printer) { ++printer_.depth_; }
  ~Deeper() { --printer_.depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
  bool too_deep() const { return printer_.depth_ > kLimit; }

 private:
  static constexpr int kLimit = 1000;
  Printer& printer_;
};

}  // namespace pyptoc::text
