// SPDX-License-Identifier: Apache-2.0
// The verifier of one function's body after another; verifier.h says what is checked.
#pragma once

#include <optional>
#include <string>

#include "ir/context.h"
#include "ir/op_table.h"
#include "ir/verifier.h"
#include "ir/verifier_facts.h"
#include "ir/verifier_scopes.h"

namespace pyptoc::ir {

class BodyVerifier {
 public:
  BodyVerifier(VerifierFacts& facts, diag::Engine& engine, const VerifyOptions& options)
      : facts_(facts), engine_(engine), options_(options) {}

  // Throws NestingTooDeep.
  void run(const Function* function);

 private:
  // Statements: verifier_stmt.cpp.
  void stmt(const Stmt* s);
  void assign(const AssignStmt& s);
  void returns(const ReturnStmt& s);
  void branch(const IfStmt& s);
  void loop(const ForStmt& s);
  void loop(const WhileStmt& s);
  void carried(const Stmt* s, std::string_view what, List<const Var*> iter_args, List<const Var*> return_vars,
               const Stmt* body);
  void scope(const ScopeStmt& s);
  void condition(const Expr* e, std::string_view what);
  void loop_bound(const Expr* e, std::string_view what);
  // The yield at the end of a body, against the variables that it feeds.
  void yielded(const Stmt* owner, std::string_view what, const Stmt* body, List<const Var*> targets);
  void define(const Var* var, const Node* by, bool only_once);
  void collect_own_symbols(const Type* type);

  // Expressions and types: verifier_expr.cpp. The number is the innermost block that the expression needs.
  int use(const Expr* e, bool in_type = false);
  int use_var(const Var* var, bool in_type);
  int use_parts(const Expr* e, bool in_type);
  int use_type(const Type* type);
  int use_all(List<const Expr*> list);
  void use_attr(const AttrValue& value);
  void report_unseen(const Var* var);
  void check_expr(const Expr* e);
  void check_constant(const Expr* e);
  void check_binary(const BinaryExpr& e);
  void check_unary(const UnaryExpr& e);
  void check_tuple(const MakeTuple& e);
  void check_item(const TupleGetItemExpr& e);

  // Shapes and views in types: verifier_type.cpp.
  void check_type(const Type* type, const Node* at);
  void check_shaped(const ShapedType* type, const Node* at);
  void check_view(const ShapedType* type, List<const Expr*> valid, List<const Expr*> strides, const Node* at);
  void check_extents(List<const Expr*> extents, std::string_view what, const Type* type, const Node* at,
                     bool may_be_negative);

  // Operator calls: verifier_op.cpp.
  void operator_call(const Call& call);
  bool argument_kinds(const Call& call, const OpInfo& info);
  bool keywords(const Call& call, const OpInfo& info);
  void keyword_value(const Call& call, const OpInfo& info, const Attr& attr, const Keyword& keyword);
  void result_type(const Call& call);
  void region(const Call& call);  // verifier_region.cpp

  // Calls of functions: verifier_call.cpp.
  void function_call(const Call& call);
  void submit(const Submit& submit);
  const Function* callee(const Expr* at, const Op* op);
  bool arguments(const Expr* at, const Function* f, List<const Expr*> args, List<Attr> kwargs, bool may_omit_outputs);
  void argument(const Expr* arg, const Var* param, const Function* f);
  void directions(const Expr* at, const Function* f, List<Attr> attrs, List<const Expr*> args);
  void call_type(const Expr* at, const Function* f, bool with_task);

  VerifierFacts& facts_;
  diag::Engine& engine_;
  const VerifyOptions& options_;
  const Function* function_ = nullptr;
  const Node* at_ =
      nullptr;    // the statement or expression around a variable; the variable itself only knows its origin
  int root_ = 0;  // the block of the function
  Scopes scopes_;
  // What is known of an expression that is no variable and no constant: the block it needs as a value and in a type.
  struct Known {
    int needs[2] = {-1, -1};
    bool checked = false;
  };
  NodeMap<Known> known_;
  NodeSet defined_;      // in this function
  NodeSet own_symbols_;  // dynamic extents of this function's parameters
  NodeSet placed_yields_;
  int loops_ = 0;
  int depth_ = 0;
  std::optional<Context> scratch_;  // for types that rules make; renewed now and then
};

// TASK_ID, or an array of them.
bool is_task_or_tasks(const Type* type);

// Attributes that the compiler knows, by what carries them; a wrong kind of value, a repeated key and a dependency on
// what is no task are reported.
void verify_attrs(List<Attr> attrs, NodeKind carrier, const Node* at, diag::Engine& engine);

// How well a value of one type serves where another is due.
enum class Fit : uint8_t {
  Good,
  OtherShape,  // constant extents differ, the number of elements does too or is not known
  None,
};
Fit fit(const Type* have, const Type* due);
// fit, but integer scalars may differ in width.
Fit fit_argument(const Type* have, const Type* due);
// Product of constant extents; nothing when one is not constant.
std::optional<int64_t> constant_element_count(const Type* type);

}  // namespace pyptoc::ir
