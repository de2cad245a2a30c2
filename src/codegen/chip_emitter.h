// SPDX-License-Identifier: Apache-2.0
// Emission of one chip orchestration, statement by statement. Internal to codegen; chip_unit.h is the way in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codegen/chip_unit.h"
#include "codegen/launch.h"
#include "codegen/line_buffer.h"
#include "codegen/scalar_cpp.h"
#include "codegen/scope_escapes.h"
#include "ir/node_map.h"
#include "passes/buffer_roots.h"
#include "passes/id_arrays.h"
#include "support/safe_name.h"

namespace pyptoc::codegen {

// What an IR value is called in the C++.
struct Value {
  std::string text;
  LineBuffer::Decl decl = LineBuffer::kNoDecl;
  bool valid_id = false;   // a TaskId straight from a submit, hence never invalid
  int64_t array_size = 0;  // > 0: a C array of that many elements
  int scope_depth = 0;     // runtime scopes that were open at the declaration
  bool gathers = false;    // each iteration of the loop that yields to it fills a part of the array
};

// The statements of a list; of a single statement, that one. A view into `body`.
inline ir::List<const ir::Stmt*> statements_of(const ir::Stmt* const& body) {
  const ir::SeqStmts* seq = ir::as<ir::SeqStmts>(body);
  return seq != nullptr ? seq->stmts : ir::List<const ir::Stmt*>(&body, 1);
}

class ChipEmitter {
 public:
  ChipEmitter(const ir::Program* program, const ir::Function* function, const passes::Target& target,
              diag::Engine& diags);
  ChipUnit run();

 private:
  // --- chip_emitter.cpp: the unit, parameters, names of values
  void parameters();
  bool is_partial_output(size_t param) const;
  void dynamic_extents(const ir::Var* param, size_t tensor_index);
  std::string unit_text(const std::string& body) const;
  std::string fresh(std::string_view wanted) { return names_.fresh(wanted); }
  void bind(const ir::Var* var, Value value);
  const Value* value_of(const ir::Expr* e);
  // The C++ text of a value that the IR uses here; the use is recorded.
  std::string text_of(const ir::Expr* e);
  std::string leaf(const ir::Expr* e);
  std::string scalar(const ir::Expr* e) { return scalars_.expr(e); }
  std::string scalar_as(ir::DType dtype, const ir::Expr* e) { return scalars_.as(dtype, e); }
  // Declares `type name = init;`, or assigns where the variable stands outside of the scope that is open.
  void define(const ir::Var* var, std::string_view type, const std::string& init, std::string_view suffix = "");
  // The variable is another name of a value that has one.
  void alias(const ir::Var* var, Value value);
  void bind_tuple(const ir::Var* var, std::vector<Value> elements);
  // A droppable line; the value remembers how many scopes are open.
  Value declared(std::string text, std::string line);
  std::string extent(const ir::Expr* e);
  std::string extents(ir::List<const ir::Expr*> list);
  // Declares a uint32_t array. The line that names it must use its declaration.
  Value extent_array(std::string_view wanted, const std::string& list);
  // The text of a value; the use is recorded for the next line.
  std::string use(const Value& value) {
    out_.use(value.decl);
    return value.text;
  }

  // --- chip_statements.cpp
  void statement(const ir::Stmt* s);
  void list(const ir::Stmt* body);
  void assign(const ir::AssignStmt* s);
  void for_loop(const ir::ForStmt* s);
  void while_loop(const ir::WhileStmt* s);
  void branch(const ir::IfStmt* s);
  void yield(const ir::YieldStmt* s);
  void runtime_scope(const ir::RuntimeScopeStmt* s);
  void declare_carry(const ir::Var* carry, const ir::Var* result, bool rebinds, int64_t array_size, bool parallel);
  void hand_out(ir::List<const ir::Var*> results);
  void declare_result(const ir::Var* var);
  void assign_tuple(const ir::Var* var, const ir::Expr* value);

  // --- chip_alloc.cpp
  void allocate(const std::vector<const ir::AssignStmt*>& creates);
  void allocate_batch(const std::vector<const ir::AssignStmt*>& creates);
  std::string create_info(std::string_view name, const ir::Call* create);
  void initial_value(const std::string& info, const ir::Call* create, const ir::AttrValue& init, ir::DType dtype);
  std::vector<const ir::AssignStmt*> creates_of(const ir::Stmt* const& body, const ir::NodeSet& unavailable) const;

  // --- chip_tensors.cpp
  bool operator_value(const ir::Var* var, const ir::Call* call);  // var may be null
  void slice(const ir::Var* var, const ir::Call* call);
  std::string without_axes(const ir::Var* var, const std::string& init, size_t rank, ir::List<const ir::Expr*> dropped,
                           std::vector<Value>& uses);
  void reshape(const ir::Var* var, const ir::Call* call, ir::List<const ir::Expr*> shape);
  void transpose(const ir::Var* var, const ir::Call* call);
  void view(const ir::Var* var, const ir::Call* call);
  void read(const ir::Var* var, const ir::Call* call);
  void write(const ir::Var* var, const ir::Call* call);
  void assemble(const ir::Var* var, const ir::Call* call);
  void array_operator(const ir::Var* var, const ir::Call* call);
  Value index_array(std::string_view wanted, const ir::Expr* indices, size_t& count);
  std::string dim(const ir::Call* call);

  // --- chip_checks.cpp
  bool run_time_check(const ir::Call* call);
  void require(const ir::Call* call);
  void require_contiguous(const ir::Call* call);
  void report_invalid(const std::string& arguments);

  // --- chip_tasks.cpp
  void task(const ir::Expr* call, const ir::Var* result);
  void dummy_task(const ir::Expr* call, const ir::Var* result);
  std::vector<std::string> runtime_outputs(const Launch& launch, const ir::Expr* call, const std::string& args);
  void task_arguments(const std::string& args, const Launch& launch, const std::vector<std::string>& infos);
  void task_dumps(const std::string& args, const Launch& launch, const ir::Expr* call);
  void task_dependencies(const std::string& args, const ir::Expr* call, const std::vector<std::string>& kept);
  std::vector<std::string> kept_tensors(const Launch& launch);
  void task_launch_spec(const std::string& args, const Launch& launch, const ir::Expr* call);
  void task_predicate(const std::string& args, const ir::Expr* predicate);
  std::string submit_text(const Launch& launch, const std::string& args);
  void bind_results(const ir::Expr* call, const ir::Var* result, const Launch& launch, const std::string& outs,
                    LineBuffer::Decl outs_decl);
  int kernel_id(const ir::Function* kernel, const Launch& launch);
  void check_limits(const Launch& launch, const ir::Expr* call);

  const ir::Program* program_;
  const ir::Function* function_;
  const passes::Target& target_;
  diag::Engine& diags_;
  support::NameAllocator names_;
  ScalarCpp scalars_;
  LineBuffer out_;
  passes::BufferRoots roots_;
  ScopeEscapes escapes_;
  passes::IdArrays id_arrays_;
  ir::NodeMap<Value> values_;
  ir::NodeMap<std::vector<Value>> tuples_;
  ir::NodeSet allocated_;  // creates that are emitted already
  // For each value that the innermost loop or branch yields: the C++ variable that takes it, empty for an alias.
  std::vector<std::vector<Value>> yield_targets_;
  struct Hoisted {
    Value value;
    int depth = 0;  // runtime scopes that are open where it is declared
  };
  // `var` is null for an element of a tuple.
  Hoisted hoist(std::string_view wanted, const ir::Var* var, const ir::Type* type);
  // All slots of an array from those of another one, or from a single value when `from_size` is 0.
  void fill_slots(const Value& to, const std::string& from, int64_t from_size);
  std::string empty_variable(const ir::Var* var, const ir::Type* type, const std::string& name) const;
  int64_t array_extent(const ir::Var* var, const ir::Type* type) const;
  Value kept(const Hoisted& hoisted, Value value);
  ir::NodeMap<Hoisted> hoisted_;
  ir::NodeMap<std::vector<Hoisted>> hoisted_elements_;  // of tuples
  int scope_depth_ = 0;
  int manual_scopes_ = 0;  // of them
  int lasting_depth_ = 0;  // up to here open scopes last until the orchestration ends
  ir::NodeSet lasting_;    // creates and submits of lasting scopes
  std::string iteration_;  // number of the innermost loop's iteration, counting from 0
  ChipUnit unit_;
  int tasks_ = 0;
  int allocs_ = 0;
  bool clamps_ = false;      // the prologue needs clamp_extent
  bool drops_axes_ = false;  // the prologue needs drop_axes
  bool keeps_ = false;       // the prologue needs keep_alive
  bool reports_ = false;     // the prologue needs kInvalidArgs
};

}  // namespace pyptoc::codegen
