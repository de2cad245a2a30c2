// SPDX-License-Identifier: Apache-2.0
// Which storage a tensor value lives in: every value is followed through views, calls, loops and branches to the
// buffers that it may be, its roots.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "ir/function_map.h"
#include "ir/node_map.h"
#include "ir/program.h"

namespace pyptoc::passes {

struct Root {
  enum class Kind : uint8_t {
    Param,        // storage of the caller
    Created,      // made by an operator in this function (tensor.create, alloc_window_buffer, ...)
    RuntimeMade,  // an Out parameter that a Submit leaves to the runtime
    CallResult,   // a function returns what is none of its parameters
  };
  Kind kind;
  const ir::Node* node;  // the parameter, or the call that made it
  int element = 0;       // of a tuple result
  int param = -1;        // index of the parameter
};

// The roots of all tensor values of one function. Root numbers count from 0 in order of appearance in the function.
class FunctionRoots {
 public:
  // Sorted; empty when the value is no tensor or its origin is unknown. More than one: the value is one of them,
  // depending on a branch or a loop.
  ir::List<int> of(const ir::Expr* value) const;
  // The single root of a value, if it has exactly one.
  std::optional<int> single(const ir::Expr* value) const;
  const Root& root(int number) const { return roots_[static_cast<size_t>(number)]; }
  size_t size() const { return roots_.size(); }
  // For each returned value the index of the parameter whose storage it is, if that is the same on every path.
  const std::vector<std::optional<int>>& returned_params() const { return returned_; }

 private:
  friend class RootsBuilder;
  friend class BufferRoots;
  int find_value(const ir::Expr* value) const;

  // What the roots depend on: parameters and body of the function, and what each function that it calls hands back.
  struct Callee {
    const ir::Op* op;
    ir::List<const ir::Var*> params;
    size_t begin;  // of what it hands back, in callees_returned_
    size_t end;
  };
  const ir::Stmt* body_ = nullptr;
  ir::List<const ir::Var*> params_;
  std::vector<Callee> callees_;
  std::vector<std::optional<int>> callees_returned_;

  std::vector<Root> roots_;
  // By value number: the root; kNone; or, below that, the place of its set in several_, counted down.
  std::vector<int> sets_;
  static constexpr int kNone = -1;
  std::vector<std::vector<int>> several_;
  ir::NodeMap<int> values_;                 // variable or call -> value number + 1
  ir::NodeMap<std::vector<int>> elements_;  // tuple variable or call -> value numbers of its elements, -1 none
  std::vector<std::optional<int>> returned_;
};

// Roots of functions that later passes ask for again: most passes leave most bodies as they are. Holds for each name of
// a function what was asked for last. Used by one thread.
class RootsMemo {
 private:
  friend class BufferRoots;
  using Returned = std::vector<std::optional<int>>;
  // What a kernel hands back as its return statement and the list around it show it; null where they do not.
  struct Plain {
    const ir::Stmt* body = nullptr;
    ir::List<const ir::Var*> params;
    const Returned* returned = nullptr;
  };

  const Returned* plainly_returned(const ir::Function* kernel);
  const Returned* kept(Returned returned);

  ir::FunctionMap<std::shared_ptr<FunctionRoots>> roots_;
  ir::FunctionMap<Plain> plain_;   // of kernels
  std::deque<Returned> returned_;  // thousands of kernels hand back one of a few lists
};

class RootsBuilder;

// Made on demand for each function of a program; callees before their callers. A recursive call has an unknown result.
class BufferRoots {
 public:
  // `memo` outlives this; null: nothing is remembered from elsewhere.
  explicit BufferRoots(const ir::Program* program, RootsMemo* memo = nullptr);
  ~BufferRoots();
  BufferRoots(const BufferRoots&) = delete;
  BufferRoots& operator=(const BufferRoots&) = delete;
  const FunctionRoots& of(const ir::Function* function);
  // What of(function).returned_params() says. Kernels that return parameters by name, as all do behind
  // NormalizeReturnOrder, or behind some stores are not looked through for it.
  const std::vector<std::optional<int>>& returned_params(const ir::Function* function);
  // The same of such a kernel, null for others.
  const std::vector<std::optional<int>>* plainly_returned_params(const ir::Function* function);
  const ir::Program* program() const { return program_; }

 private:
  bool holds(const FunctionRoots& remembered);
  std::shared_ptr<FunctionRoots> make(const ir::Function* function);

  const ir::Program* program_;
  RootsMemo own_;
  RootsMemo& memo_;
  struct Done {
    const ir::Function* function = nullptr;
    std::shared_ptr<FunctionRoots> roots;
  };
  ir::FunctionMap<Done> done_;
  ir::NodeMap<std::shared_ptr<FunctionRoots>> replaced_;  // of functions that others of their name followed
  std::vector<std::unique_ptr<RootsBuilder>> idle_;
  ir::NodeSet in_progress_;
  int depth_ = 0;
  bool met_recursion_ = false;
  FunctionRoots unknown_;
};

}  // namespace pyptoc::passes
