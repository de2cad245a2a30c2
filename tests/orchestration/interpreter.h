// SPDX-License-Identifier: Apache-2.0
// What an orchestration means: its statements run one after the other, each kernel where it is called. Reads programs
// before any pass and bodies of kernels after all of them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "ir/program.h"
#include "orchestration/tensor_value.h"
#include "runtime/standin/kernel.h"

namespace pyptoc::orchestration {

// Reference kernels by name. A kernel without one is interpreted.
using KernelBody = std::function<void(standin::KernelCall&)>;
using Library = std::function<KernelBody(std::string_view name)>;

struct Value;
using Values = std::vector<Value>;
// An integer (also a Bool, and a TaskId: -1 is none), a float, a tensor or tile, an array or tuple.
struct Value {
  std::variant<std::monostate, int64_t, double, Tensor, std::shared_ptr<Values>> data;

  int64_t integer() const;
  double real() const;
  const Tensor& tensor() const { return std::get<Tensor>(data); }
  const Values& list() const { return *std::get<std::shared_ptr<Values>>(data); }
};

struct Device {
  int64_t aiv_cores = 48;
  int64_t clusters = 24;
};

class Interpreter {
 public:
  Interpreter(const ir::Program* program, const Library& library, Device device = {})
      : program_(program), library_(library), device_(device) {}

  // Returns what the function returns.
  Values call(const ir::Function* function, const Values& arguments);
  // The body of a kernel, as one block of a launch on the stand-in.
  void run_kernel(const ir::Function* kernel, standin::KernelCall& call);

 private:
  enum class After { Next, Break, Continue, Return, Yield };
  struct Block {
    int64_t index = 0;
    int64_t count = 1;
    int64_t lane = 0;
    bool launched = false;  // inside of a launch: calls run for this block only
    bool idle = false;      // no block runs, but names are bound
    bool both_lanes = false;
  };

  // interpreter.cpp: statements and calls
  After run(const ir::Stmt* s);
  After run_for(const ir::ForStmt* loop);
  After run_while(const ir::WhileStmt* loop);
  After run_spmd(const ir::SpmdScopeStmt* scope);
  Values call_function(const ir::Function* function, const Values& arguments, Block block);
  void launch(const ir::Function* kernel, const Values& arguments, Block block);
  void run_block(const ir::Function* kernel, const Values& arguments, Block block);
  Value call_or_submit(const ir::Expr* e, const ir::Op* op, ir::List<const ir::Expr*> args, ir::List<ir::Attr> attrs);
  bool is_vector_group(const ir::Function* function) const;
  void bind_extents(const ir::Function* function, const Values& arguments);

  // interpreter_values.cpp: expressions and operators
  Value eval(const ir::Expr* e);
  Value eval_binary(const ir::BinaryExpr* e);
  Value eval_unary(const ir::UnaryExpr* e);
  Value eval_operator(const ir::Call* call);
  Value tensor_operator(const ir::Call* call);
  Value elementwise(const ir::Call* call, const std::function<double(double, double)>& f);
  Values eval_all(ir::List<const ir::Expr*> list);
  std::vector<int64_t> integers(const ir::Expr* tuple);
  void set_all(ir::List<const ir::Var*> vars, const Values& values);

  const ir::Program* program_;
  const Library& library_;
  Device device_;
  std::map<const ir::Node*, Value> values_;
  Values out_;
  Block block_;
  int64_t tasks_ = 0;
  int64_t steps_ = 0;
};

}  // namespace pyptoc::orchestration
