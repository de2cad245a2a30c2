// SPDX-License-Identifier: Apache-2.0
// Emission of one HOST orchestrator, statement by statement. Internal to codegen; host_unit.h is the way in.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codegen/host_unit.h"
#include "codegen/scalar_py.h"
#include "ir/node_map.h"
#include "passes/buffer_roots.h"
#include "support/safe_name.h"
#include "support/text_writer.h"

namespace pyptoc::codegen {

constexpr int kPythonBlocks = 20;  // loops and `with` in each other that CPython compiles

// One allocation of a domain: how the Python reaches it.
struct HostSlot {
  std::string domain;  // the variable of the domain
  std::string buffer;  // its name there
};

// What an IR value is in the Python.
struct HostValue {
  enum class Kind : uint8_t { None, Scalar, Tensor, Window, Context };
  Kind kind = Kind::None;
  std::string text;                // of a scalar or a tensor
  bool packed = true;              // of a tensor: known to be contiguous
  bool gaps = false;               // of a tensor: known not to be
  const HostSlot* slot = nullptr;  // of a window or a context
};

class HostEmitter {
 public:
  HostEmitter(const ir::Program* program, const ir::Function* function, const HostNames& host_names,
              diag::Engine& diags);
  HostUnit run();

 private:
  // A Python function that is being written: which values of the program's beginning (scalar parameters, dynamic
  // extents, arithmetic of both) it has at its top.
  struct Frame {
    ir::NodeMap<std::string> known;
    std::vector<std::string> lines;
  };
  struct DispatchArg {
    const ir::Expr* value = nullptr;  // null: an Out parameter that the caller leaves out
    size_t param = 0;
    std::string_view tag;  // of a tensor
  };
  struct Dispatch {
    std::string args;  // the TaskArgs
    std::string rank;  // the device; empty without `device=`
    bool has_window = false;
  };

  // --- host_emitter.cpp: the module, values of the program's beginning, names of values
  std::string module_text(const std::string& body) const;
  std::string alloc_text() const;
  void check_parameters();
  void collect_definitions(const ir::Stmt* s);
  std::string fresh(std::string_view wanted) { return names_.fresh(wanted); }
  std::string fresh_key(std::string_view wanted);  // `tensors["wanted"]`
  const HostValue* value_of(const ir::Expr* e) const;
  void bind(const ir::Var* var, HostValue value) { values_[var] = std::move(value); }
  std::string leaf(const ir::Expr* e);
  std::string early_value(const ir::Var* var);
  std::string early_line(const ir::Var* var, std::string_view init);
  std::string dynamic_extent(const ir::Var* symbol);
  std::string actual_extent(const ir::Var* param, size_t axis) const;
  bool is_parameter(const ir::Expr* e) const;
  std::string scalar(const ir::Expr* e) { return scalars_.expr(e); }
  HostValue tensor_value(const ir::Expr* e);
  const HostSlot* window_slot(const ir::Expr* e);
  HostValue handle_value(const ir::Expr* e);  // of a window or a context
  std::string shape_text(ir::List<const ir::Expr*> shape);
  std::string runtime_dtype_text(ir::DType dtype, const ir::Node* at);
  std::string missing(const ir::Expr* e);

  // --- host_statements.cpp
  void statement(const ir::Stmt* s);
  void block(const ir::Stmt* body);  // at least `pass`
  void assign(const ir::AssignStmt* s);
  void assign_tuple(const ir::Var* var, const ir::Expr* value);
  void eval(const ir::EvalStmt* s);
  void for_loop(const ir::ForStmt* s);
  void while_loop(const ir::WhileStmt* s);
  void loop(const std::string& head, const ir::Stmt* body);
  void branch(const ir::IfStmt* s);
  void yield(const ir::YieldStmt* s);
  void declare_carries(ir::List<const ir::Var*> carries, ir::List<const ir::Var*> results);
  void require(const ir::Call* call);
  bool enter(const ir::Stmt* s);  // false, reported: deeper than Python compiles

  // --- host_tensors.cpp
  bool operator_value(const ir::Var* var, const ir::Call* call);
  std::string allocated(std::string_view name, const ir::TensorType* type, const ir::Call* create, const ir::Node* at);
  void slice(const ir::Var* var, const ir::Call* call);
  void assemble(const ir::Var* var, const ir::Call* call);
  void check_copy(const ir::Call* call);

  // --- host_domains.cpp
  void domain(const ir::CommDomainScopeStmt* s);
  void allocate_domain(const ir::CommDomainScopeStmt* s, const std::string& variable, const std::string& head,
                       const std::string& tail);

  // --- host_dispatch.cpp
  bool dispatch(const ir::Call* call, const ir::Var* result);  // false: no dispatch
  void function_dispatch(const ir::Call* call, const ir::Function* callee, const ir::Var* result);
  void builtin_dispatch(const ir::Call* call, const ir::CollectiveInfo& info, const ir::Var* result);
  std::vector<DispatchArg> arguments(const ir::Call* call, const ir::Function* callee) const;
  std::optional<std::string> device_of(const ir::Call* call);
  Dispatch begin_dispatch(const ir::Call* call);
  HostValue tensor_argument(Dispatch& d, const DispatchArg& arg, const ir::Function* callee, const ir::Call* call);
  void add_window(Dispatch& d, const ir::Expr* value, const ir::TensorType* type, std::string_view tag);
  void add_order_token(const Dispatch& d);
  void bind_results(const ir::Call* call, const ir::Function* callee, const ir::Var* result,
                    const std::vector<HostValue>& by_param);
  void note_device(int64_t device);

  const ir::Program* program_;
  const ir::Function* function_;
  const HostNames& host_names_;
  diag::Engine& diags_;
  support::NameAllocator names_;
  support::NameAllocator keys_;  // of `tensors`
  ScalarPy scalars_;
  support::TextWriter out_;
  passes::BufferRoots roots_;
  ir::NodeMap<HostValue> values_;
  ir::NodeMap<std::vector<HostValue>> tuples_;
  ir::NodeMap<const ir::Expr*> definitions_;  // scalars that straight-line code of the function computes
  ir::NodeMap<std::string> early_names_;      // the same in both Python functions
  Frame body_frame_;
  Frame alloc_frame_;
  bool in_check_ = false;                 // extents of parameters are what the caller passes
  bool in_alloc_ = false;                 // the text under way belongs to _alloc_intermediates
  std::vector<std::string> alloc_lines_;  // of _alloc_intermediates, without its frame
  ir::NodeMap<const HostSlot*> slots_;    // by WindowBuffer and by the variable of its allocation
  std::vector<std::unique_ptr<HostSlot>> slot_storage_;
  std::vector<std::vector<HostValue>> yield_targets_;
  ir::NodeMap<int64_t> loop_ends_;  // of loop variables that count up to a constant
  std::string order_key_;           // of the ordering tokens; empty while nothing needs them
  std::string turns_;               // the counter of dispatches without `device=`; empty while nothing needs it
  // Storage roots that dispatches of the text so far use and write; copies that the host makes meanwhile.
  std::set<int> used_roots_;
  std::set<int> written_roots_;
  struct Copy {
    const ir::Call* call;
    bool repeats;  // stands in a loop, so that what follows it also runs before it
  };
  std::vector<Copy> copies_;
  int nesting_ = 0;  // loops and branches that are open
  int blocks_ = 0;   // loops and domains that are open, of which Python nests few
  int dispatches_ = 0;
  int early_depth_ = 0;
  bool joins_domains_ = false;  // in one `with`
  bool strided_ = false;        // a tensor may have gaps
  bool rounds_up_ = false;      // a window's size is known at run time only
  bool plain_ = false;          // a scalar parameter is used
  bool require_ = false;        // something is checked
  bool views_ = false;          // a tensor is passed as one of another element type
  std::string entry_;           // the Python function
  HostUnit unit_;
};

}  // namespace pyptoc::codegen
