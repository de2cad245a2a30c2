// SPDX-License-Identifier: Apache-2.0
// The parser's state and its parts; one .cpp file for each group of members.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "diag/codes_text.h"
#include "ir/context.h"
#include "text/lexer.h"
#include "text/parser.h"
#include "text/rebindings.h"
#include "text/result_type.h"
#include "text/source_map.h"
#include "text/spelling.h"

namespace pyptoc::text {

// Thrown when a statement cannot be understood; what was wrong has been reported. The statement is left out and reading
// goes on behind it.
struct Fault {};

// The value of a keyword argument or attribute before it is known what is due there.
struct Value {
  enum class Kind : uint8_t { None, Expr, Attr, List };
  Kind kind = Kind::None;
  const ir::Expr* expr = nullptr;  // Expr
  ir::AttrValue attr;              // Attr
  std::vector<Value> items;        // List
  uint32_t begin = 0;              // its first token and the one behind it
  uint32_t end = 0;
  uint32_t key_at = 0;  // the keyword in front of it
};

struct Argument {
  std::string_view key;  // empty: positional
  bool no_dep = false;   // in `pl.no_dep(...)`
  bool taken = false;    // by the form that it is for
  bool spread = false;   // written as `**{"key": value}`, which takes any key
  Value value;
};

class Parser {
 public:
  Parser(ir::Context& context, std::string_view source, std::string_view filename, diag::Engine& engine);
  const ir::Program* run();

 private:
  class Deeper;
  class Quiet;
  class InRegion;
  class Block;
  template <class S>
  S draft(ir::NodeKind kind, uint32_t first_token);
  template <class S>
  S draft(ir::NodeKind kind, uint32_t first_token, const ir::Type* type);

  struct Param {
    NameId name = 0;
    uint32_t at = 0;          // its name
    uint32_t annotation = 0;  // 0: there is none
    ir::ParamDirection direction = ir::ParamDirection::In;
    const ir::Var* var = nullptr;
    bool in_progress = false;
  };
  struct FunctionRecord {
    std::string_view name;
    uint32_t at = 0;      // its name
    uint32_t first = 0;   // its first decorator
    uint32_t result = 0;  // the annotation behind `->`; 0: there is none
    uint32_t body = 0;    // behind the `:`
    uint32_t end = 0;     // behind the body
    ir::FunctionType type = ir::FunctionType::Opaque;
    std::optional<ir::Level> level;
    std::optional<ir::Role> role;
    bool level_given = false;
    bool role_given = false;
    bool runtime_binding = false;
    bool python = false;  // the body is Python
    bool python_given = false;
    std::vector<ir::Attr> attrs;
    std::vector<Param> params;
    std::vector<const ir::Type*> results;
    bool results_known = false;
    bool faulty = false;
  };
  struct Binding {
    uint32_t function = 0;  // number of the function that has it, from 1
    const ir::Var* var = nullptr;
    bool declared = false;  // by an annotation, not bound since
  };
  struct Global {
    const ir::Expr* value = nullptr;
    bool variable = false;  // pl.Var and its like: binding the name in a function binds this variable
  };
  // Results of the loop or branch that is being read.
  struct Region {
    std::vector<NameId> names;
    std::vector<const ir::Type*> types;
    bool given = false;  // by a yield that is assigned, or by pl.results
    uint32_t at = 0;
  };

  // parse_tokens.cpp: tokens, places, reports
  const Token& tok(uint32_t ahead = 0) const { return tokens_[std::min<size_t>(pos_ + ahead, tokens_.size() - 1)]; }
  bool is(Tok kind) const { return tokens_[pos_].kind == kind; }
  bool is_word(NameId word) const { return tokens_[pos_].kind == Tok::Name && tokens_[pos_].id == word; }
  bool is_word_at(uint32_t ahead, NameId word) const { return tok(ahead).kind == Tok::Name && tok(ahead).id == word; }
  bool is_plain_name() const { return is(Tok::Name) && tokens_[pos_].id >= words::kKeywords; }
  void next() {
    if (pos_ + 1 < tokens_.size()) ++pos_;
  }
  bool take(Tok kind);
  bool take_word(NameId word);
  void expect(Tok kind);
  void expect_word(NameId word);
  NameId expect_name(std::string_view what);
  std::string_view text(const Token& token) const { return source_.substr(token.begin, token.end - token.begin); }
  std::string found(const Token& token) const;
  diag::Place place(uint32_t first, uint32_t last);
  diag::Place place_at(uint32_t token) { return place(token, token); }
  const ir::Span* span(uint32_t first, uint32_t last);
  const ir::Span* span_from(uint32_t first) { return span(first, pos_ > first ? pos_ - 1 : first); }
  template <class... Args>
  diag::Engine::Builder report(const diag::Code<Args...>& code, uint32_t first, uint32_t last,
                               std::type_identity_t<Args>... arguments);
  [[noreturn]] void fail_expected(std::string_view what);
  [[noreturn]] void fail_lexical(const Token& token);
  std::string string_value();
  void skip_line();
  void skip_block();
  void skip_statement();

  // parse_module.cpp
  void module();
  void program_class();
  void class_member();
  std::string_view default_name() const;
  const ir::Program* assemble();
  void verify_the_rest(const ir::Program* program, const std::vector<const ir::Function*>& functions);
  bool check_encoding();

  // parse_globals.cpp
  void module_binding();
  const ir::Var* declared_var(NameId name, uint32_t at);
  const ir::Var* memref_var(std::string_view name, uint32_t at);
  void declare_allocation(NameId name);
  const ir::Expr* module_value();
  const ir::Expr* folded(const ir::Expr* value, uint32_t first);

  // parse_functions.cpp
  void function(bool method);
  void decorator(FunctionRecord& record);
  void decorator_argument(FunctionRecord& record, std::string_view key, uint32_t at);
  void params(FunctionRecord& record, bool method);
  void skip_annotation();
  void body_extent(FunctionRecord& record);
  void signature(FunctionRecord& record, uint32_t number);
  const ir::Var* param_var(Param& param);
  const ir::Type* param_type(Param& param, std::string_view& hint);
  void skip_function();
  void complete_record(FunctionRecord& record);
  void fill_function(ir::Function& node, FunctionRecord& record);
  bool is_inline_form(uint32_t ahead) const;
  void check_declared();
  void forget_poison();
  void result_types(FunctionRecord& record);
  const ir::Function* function_body(FunctionRecord& record, uint32_t number);
  const ir::Stmt* python_body(FunctionRecord& record);
  template <class E>
  E enum_member(std::string_view what);

  // parse_types.cpp
  const ir::Type* type();
  const ir::Type* type_of_pl();
  const ir::Type* type_of_pld();
  const ir::Type* tensor_type(ir::TypeKind kind);
  const ir::Type* tile_type();
  const ir::Type* array_type();
  const ir::Type* tuple_type();
  ir::DType dtype();
  std::optional<ir::DType> dtype_ahead() const;
  void tensor_part(ir::TensorType& type);
  void tile_part(ir::TileType& type);
  const ir::TensorView* tensor_view();
  const ir::TileView* tile_view();
  const ir::MemRefInfo* memref();
  struct Allocation {
    std::string name;
    int64_t slots = 1;
  };
  Allocation allocation_fields(std::string_view name);
  const ir::MemRefInfo* declared_allocation(const Allocation& allocation, uint32_t at);
  bool allocation_ahead() const;
  bool is_allocation(NameId name) const { return declared_allocations_.contains(name); }
  template <class Info>
  void memref_fields(Info& info);
  bool memref_name_field(std::string_view key);
  ir::List<const ir::Expr*> extents();

  // parse_names.cpp
  const ir::Expr* name_expr();
  const ir::Var* lookup_var(NameId name);
  const ir::Var* bind_assigned(NameId name, const ir::Type* type, uint32_t at);
  const ir::Var* bind_new(NameId name, const ir::Type* type, uint32_t at);
  const ir::Var* rebind(NameId name, const ir::Var* before, const ir::Type* type, uint32_t at);
  void take_back(const std::vector<Rebindings::Change>& changes);
  void keep(const std::vector<Rebindings::Change>& in_then, const std::vector<Rebindings::Change>& in_else);
  void check_rebindings();
  // The declared type, when an annotation in front announced this binding.
  const ir::Type* announced_type(NameId name) const;
  void bind(NameId name, const ir::Var* var);
  void declare(NameId name, const ir::Type* type, uint32_t at);
  void undefined_name(NameId name, uint32_t at);
  std::string closest_help(std::string_view name, const std::vector<std::string_view>& known);
  const ir::Var* poison(NameId name, uint32_t at);
  bool is_poison(const ir::Expr* expr) const { return expr->type == poison_type_; }

  // parse_exprs.cpp
  const ir::Expr* expr(Prec at_least = Prec::Lowest);
  const ir::Expr* prefix(Prec at_least);
  const ir::Expr* negative(uint32_t at);
  const ir::Expr* postfix(const ir::Expr* expr, uint32_t first);
  const ir::Expr* primary();
  const ir::Expr* infix(const ir::Expr* left, uint32_t first, Prec prec, ir::NodeKind kind);
  const ir::Expr* make_binary(ir::NodeKind kind, const ir::Expr* left, const ir::Expr* right, uint32_t first);
  const ir::Expr* shaped_binary(ir::NodeKind kind, const ir::Expr* left, const ir::Expr* right, uint32_t first);
  const ir::Expr* make_unary(ir::NodeKind kind, const ir::Expr* operand, uint32_t first);
  const ir::Expr* make_tuple(const std::vector<const ir::Expr*>& elements, uint32_t first);
  const ir::Expr* bracketed_list();
  const ir::Expr* int_literal(bool negative, uint32_t first, ir::DType dtype);
  const ir::Expr* float_literal(bool negative, uint32_t first, ir::DType dtype);
  const ir::Expr* number(bool negative, uint32_t first);
  const ir::Expr* with_type(const ir::Expr* expr, const ir::Type* type);
  int64_t int_value();
  bool bool_value();

  // parse_subscripts.cpp
  struct Index {
    const ir::Expr* start = nullptr;  // null: from the beginning
    const ir::Expr* stop = nullptr;   // of a slice; null: to the end
    bool slice = false;
  };
  struct Window {
    std::vector<const ir::Expr*> shape;
    std::vector<const ir::Expr*> offsets;
    std::vector<const ir::Expr*> dropped;  // axes
    bool scalar = false;
  };
  const ir::Expr* subscript(const ir::Expr* base, uint32_t first);
  std::vector<Index> indices();
  const ir::Expr* slice_extent(const Index& index, const ir::Expr* extent, uint32_t first);
  const ir::Expr* written(const ir::Expr* base, const std::vector<Index>& indices, const ir::Expr* right,
                          uint32_t first);
  Window window_of(const ir::Expr* base, const std::vector<Index>& indices, uint32_t first);
  const ir::Stmt* subscript_assignment();
  const ir::Expr* index_const(int64_t value, uint32_t at);
  const ir::Expr* op_call(std::string_view name, const std::vector<const ir::Expr*>& args, uint32_t first);

  // parse_calls.cpp
  struct Callee {
    enum class Kind : uint8_t { Op, Form, Short };
    Kind kind = Kind::Op;
    const ir::Op* op = nullptr;
    uint32_t form = 0;
    std::string_view name;  // behind `pl.`
    bool distributed = false;
  };
  const ir::Expr* pl_expr();
  const Callee& callee(uint32_t first, bool distributed);
  Callee resolve(std::string_view path, uint32_t first, bool distributed);
  const ir::Expr* builtin_call(uint32_t first);
  const ir::Expr* self_call();
  const ir::Expr* function_call(std::string_view name, uint32_t first);
  const ir::Expr* op_call_written(const ir::Op* op, uint32_t first, bool short_name);
  const ir::Expr* short_call(const Callee& callee, uint32_t first);
  std::vector<Argument> arguments();
  std::vector<Argument> arguments_behind();
  void argument(std::vector<Argument>& out);
  void add_overrides(const std::vector<Argument>& given, std::vector<ir::Attr>& attrs);
  void spread(std::vector<Argument>& out);
  const ir::Expr* call_of(const ir::Op* op, std::vector<Argument>& arguments, uint32_t first, bool short_name);
  void refine_wanted_type(const ir::Call& call);
  [[noreturn]] void unknown_operator(std::string_view name, uint32_t first);
  const ir::Expr* finish_call(const ir::Op* op, std::vector<const ir::Expr*>& args, std::vector<ir::Attr>& kwargs,
                              std::vector<ir::Attr>& attrs, uint32_t first);
  const ir::Op* function_op(std::string_view name, uint32_t at);

  // parse_ops.cpp: what people write in other ways than the printer
  void place_argument(const ir::OpInfo& info, Argument& argument, std::vector<const ir::Expr*>& args,
                      std::vector<ir::Attr>& kwargs);
  void place_keyword(const ir::Op* op, Argument& argument, std::vector<const ir::Expr*>& args,
                     std::vector<ir::Attr>& kwargs);
  std::optional<size_t> operand_named(const ir::OpInfo& info, std::string_view key) const;
  bool is_run_time_operand(const ir::OpInfo& info, const Argument& argument) const;
  ir::AttrValue keyword_value(std::string_view op, const ir::Keyword& keyword, Value& value);
  void fill_gaps(const ir::Op* op, std::vector<const ir::Expr*>& args, uint32_t first);
  void fill_keywords(const ir::Op* op, std::vector<ir::Attr>& kwargs);
  std::string operand_count_text(const ir::OpInfo& info) const;
  uint64_t count_given(const std::vector<const ir::Expr*>& args) const;
  const ir::Op* dispatched(std::string_view name, const std::vector<Argument>& arguments, bool distributed,
                           uint32_t first);
  const ir::Expr* alloc_window_buffer(std::vector<Argument>& arguments, uint32_t first);
  const ir::Expr* bytes_of(ir::List<const ir::Expr*> shape, ir::DType element, uint32_t first);

  // parse_forms.cpp: calls with a form of their own
  const ir::Expr* form(uint32_t form, uint32_t first);
  const ir::Expr* form_const(uint32_t first);
  const ir::Expr* form_typed(uint32_t first);
  const ir::Expr* form_cast(uint32_t first, bool always_scalar);
  const ir::Expr* form_two(ir::NodeKind kind, uint32_t first);
  const ir::Expr* form_binary(uint32_t first);
  const ir::Expr* form_item(uint32_t first);
  const ir::Expr* form_op(uint32_t first, bool function);
  const ir::Expr* form_submit(uint32_t first);
  void submit_argument(ir::Submit& node, Argument& argument, std::vector<const ir::Expr*>& args,
                       std::vector<ir::Attr>& kwargs, std::vector<ir::Attr>& attrs);
  const ir::Expr* float_call(uint32_t first);
  const ir::Expr* raw_binary(ir::NodeKind kind, const ir::Expr* left, const ir::Expr* right, uint32_t first);
  const ir::Expr* make_item(const ir::Expr* tuple, int64_t index, uint32_t first);
  const ir::Op* named_op(bool function);
  const ir::Op* callee_argument();
  bool flag_of(Value& value);

  // parse_values.cpp
  Value value();
  bool static_value(Value& out);
  Value list_value();
  Value wrapped_value();
  ir::AttrValue attr_value(std::string_view key, Value& value);
  ir::AttrValue list_attr(Value& value);
  const ir::Expr* expr_of(Value& value);
  std::vector<ir::Attr> attr_dict();
  void var_list(Value& value, std::vector<const ir::Var*>& out);

  // parse_stmts.cpp
  std::vector<const ir::Stmt*> block();
  const ir::Stmt* block_stmt();
  // One statement as it is, several or none as a sequence.
  const ir::Stmt* as_body(const std::vector<const ir::Stmt*>& stmts, uint32_t first);
  const ir::Stmt* make_seq(const std::vector<const ir::Stmt*>& stmts, uint32_t first);
  void statements(std::vector<const ir::Stmt*>& out);
  void statement(std::vector<const ir::Stmt*>& out);
  void attach(std::vector<const ir::Stmt*>& out, size_t before, ir::List<std::string_view> comments);
  const ir::Stmt* compound();  // null: none begins here
  void simple_line(std::vector<const ir::Stmt*>& out);
  // Null when it makes no statement, or more than one: those are in `out` then.
  const ir::Stmt* simple(std::vector<const ir::Stmt*>& out);
  // parse_assign.cpp
  const ir::Stmt* name_statement(std::vector<const ir::Stmt*>& out);
  const ir::Type* type_or_poison(NameId name, uint32_t at);
  bool yield_ahead() const;
  const ir::Stmt* assignment(NameId name, uint32_t at, const ir::Type* annotation);
  const ir::Type* value_type(NameId name, const ir::Expr* value, uint32_t at);
  bool operand_faults(const ir::Expr* value);
  const ir::Stmt* unpacking(std::vector<const ir::Stmt*>& out);
  const ir::Stmt* unpack_values(const std::vector<NameId>& targets, const std::vector<uint32_t>& places,
                                const std::vector<const ir::Expr*>& values, std::vector<const ir::Stmt*>& out);
  const ir::Stmt* unpack_tuple(const std::vector<NameId>& targets, const std::vector<uint32_t>& places,
                               const ir::Expr* value, std::vector<const ir::Stmt*>& out, uint32_t first);
  const ir::Stmt* augmented(NameId name, uint32_t at);
  // parse_stmts.cpp again
  const ir::Stmt* return_stmt();
  bool closes_line(uint32_t at) const;
  const ir::Stmt* yield_stmt(const std::vector<NameId>& targets, const ir::Type* annotation, uint32_t first);
  const ir::Stmt* eval(const ir::Expr* expr, uint32_t first);
  const ir::Stmt* assign_stmt(const ir::Var* var, const ir::Expr* value, uint32_t first);
  bool statement_form(const ir::Stmt*& out);
  void docstring();
  ir::List<std::string_view> comments_for(uint32_t first);
  bool leads_its_line(const Comment& comment);
  std::string_view comment_text(const Comment& comment);

  // parse_control.cpp
  const ir::Stmt* if_stmt(uint32_t first);
  void else_branch(ir::IfStmt& node, Region& region);
  const ir::Stmt* for_stmt();
  const ir::Stmt* while_stmt();
  struct ForHeader {
    NameId loop_var = 0;
    uint32_t loop_var_at = 0;
    std::vector<NameId> iter_names;
    uint32_t first = 0;
  };
  ForHeader for_header();
  const ir::Stmt* for_over(const ForHeader& header);
  const ir::Stmt* while_form(const ForHeader& header);
  const ir::Stmt* range_loop(const ForHeader& header, ir::ForKind kind);
  void range_arguments(ir::ForStmt& loop, std::vector<const ir::Expr*>& inits);
  const ir::Stmt* spmd_loop(const ForHeader& header);
  const ir::Stmt* split_aiv_loop(const ForHeader& header);
  const ir::Stmt* block_of_region(Region& region);
  const ir::Stmt* loop_body(Region& region);
  const ir::Stmt* with_yield_of(const ir::Stmt* inner, const Region& region, uint32_t first);
  std::vector<NameId> name_tuple();
  std::vector<const ir::Expr*> init_values(Value& value);
  std::vector<const ir::Var*> bind_iter_args(const ForHeader& header, const std::vector<const ir::Expr*>& inits);
  ir::List<const ir::Var*> region_results(Region& region, ir::List<const ir::Var*> iter_args);
  void results_form();
  void region_yield(const std::vector<NameId>& targets, const std::vector<const ir::Expr*>& values,
                    const ir::Type* annotation, uint32_t at);

  // parse_scopes.cpp
  struct ScopeArgs {
    std::vector<Argument> given;  // what is not among the fields below
    std::string_view name_hint;
    std::vector<ir::Attr> attrs;
    bool early = false;
    std::vector<ir::Attr> deps;  // none or one
    const ir::Var* task_id = nullptr;
    std::optional<ir::SplitMode> split = ir::SplitMode::None;
    bool split_given = false;
  };
  const ir::Stmt* with_stmt();
  const ir::Stmt* with_form(NameId word, uint32_t first);
  ScopeArgs scope_args();
  ScopeArgs scope_args_behind();
  ScopeArgs runtime_scope_args(bool& manual);
  void scope_argument(ScopeArgs& args, Argument& argument);
  void optimizations(ScopeArgs& args);
  void scope_header_end(ScopeArgs& args);
  ir::List<ir::Attr> scope_attrs(ScopeArgs& args);
  Value* take_argument(ScopeArgs& args, std::string_view key);
  void no_more_arguments(ScopeArgs& args, std::string_view form);
  template <class S>
  const ir::Stmt* finish_scope(S& node, ScopeArgs& args, uint32_t first);
  const ir::Stmt* at_scope(uint32_t first, bool hierarchy);
  const ir::Stmt* spmd_scope(uint32_t first);
  ir::SpmdScopeStmt spmd_head(ScopeArgs& args);
  const ir::Stmt* wrapped_incore(const ir::Stmt* body, ScopeArgs& args, uint32_t first);
  ir::SplitAivScopeStmt split_aiv_head(ScopeArgs& args);
  const ir::Stmt* comm_domain(uint32_t first);
  void comm_domain_slots(std::vector<const ir::Var*>& slots);
  const ir::WindowBuffer* window_buffer(std::string_view name, bool inside_domain);
  const ir::Stmt* inline_block(uint32_t first);
  std::string_view raw_block();

  ir::Context& context_;
  std::string_view source_;
  std::string_view filename_;
  diag::Engine& engine_;
  diag::Engine dropped_;  // takes what is reported while nothing shall be
  SourceMap map_;
  Names names_;
  std::vector<Token> tokens_;
  std::vector<Comment> comments_;
  ResultTypes types_;
  const ir::Type* poison_type_;

  uint32_t pos_ = 0;
  static constexpr int kMostHelps = 100;
  int helps_ = 0;
  int depth_ = 0;
  int quiet_ = 0;  // reports are dropped
  size_t next_comment_ = 0;
  std::vector<std::string_view> doc_lines_;

  std::string_view program_name_;
  uint32_t program_at_ = 0;
  bool has_program_ = false;
  bool has_faulty_signature_ = false;
  bool is_dynamic_ = false;  // the variable that was declared last is a dynamic extent
  std::vector<FunctionRecord> functions_;
  std::unordered_map<std::string_view, uint32_t> function_numbers_;
  std::unordered_map<NameId, Global> globals_;
  std::vector<std::string_view> global_names_;

  bool in_header_ = false;  // reading a signature, where parameters may mention later ones
  uint32_t function_ = 0;   // number of the function that is being read, from 1
  std::vector<Binding> bindings_;
  std::vector<NameId> bound_names_;  // of this function, for help
  Rebindings rebindings_;
  std::vector<Region*> regions_;
  std::unordered_map<std::string_view, Callee> callees_;
  std::unordered_map<std::string_view, Callee> pld_callees_;
  std::vector<ir::Attr> attrs_;  // of the arguments that were read last
  uint32_t block_index_reads_ = 0;

  // Of the MemRef that is being read, where it is a variable.
  std::string_view memref_name_;
  const ir::Type* memref_type_ = nullptr;
  std::unordered_map<std::string, const ir::Var*> allocations_;  // bases of this function, by name
  std::unordered_map<NameId, Allocation> declared_allocations_;  // held in variables

  // The annotation of the assignment that is being read, and its first token of the value: the type of a call that is
  // the whole value.
  const ir::Type* wanted_type_ = nullptr;
  bool refines_ = false;  // the call that is being made completes wanted_type_
  uint32_t wanted_at_ = 0;
  NameId assigned_name_ = 0;
};

}  // namespace pyptoc::text
