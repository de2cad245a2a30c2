// SPDX-License-Identifier: Apache-2.0
// An orchestration as tasks: what each one reads and writes, and the blocks of statements that they stand in.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "passes/blocking_kernels.h"
#include "passes/param_aliases.h"
#include "passes/task_graph.h"
#include "passes/task_regions.h"

namespace pyptoc::passes {

// One use of a buffer by a task. A value that can be several buffers makes one access for each.
struct Access {
  int root = 0;
  const Region* region = nullptr;
  bool reads = false;
  bool writes = false;
  bool looks_up = false;   // the runtime orders the task behind earlier writers that overlap
  bool registers = false;  // later look-ups find the task
  bool predicate = false;  // the element that a predicate reads, for which the runtime looks nothing up
  int arg = -1;            // index of the argument; -1: no argument
};

// A statement list: the body of the function, of a loop, of a scope, or one branch.
struct TaskBlock {
  int parent = -1;     // block around it
  int construct = -1;  // whose block it is
  int depth = 0;
  int part = 0;  // index of the innermost part that holds it
  bool manual = false;
};

struct Construct {
  enum class Kind : uint8_t { Loop, Branch, Scope };
  Kind kind = Kind::Scope;
  const ir::Stmt* stmt = nullptr;
  int block = 0;                 // that it stands in
  int loop = -1;                 // its own number for loops
  bool runs_always = false;      // loops: at least one iteration for sure
  std::optional<int64_t> trips;  // loops: how many iterations, where that is a constant
  int first_block = -1;          // body, or then branch
  int second_block = -1;         // else branch; -1 when there is none
  int first_task = 0;            // the tasks in it
  int end_task = 0;
};

struct Task {
  const ir::Expr* call = nullptr;  // Call or Submit of a function, or system.task_dummy
  const ir::Var* result = nullptr;
  const ir::Stmt* stmt = nullptr;
  int block = 0;
  int loop = -1;  // innermost loop around it
  bool manual = false;
  bool is_dummy = false;
  bool can_block = false;  // on a peer
  std::vector<Access> accesses;
  std::vector<const ir::Expr*> deps;  // of the user and of earlier passes
  size_t own_deps = 0;                // how many of them are the user's; the others follow
  // Another compiler names by `compiler_manual_dep_edges` tensors instead of ids, and means the tasks that handed them
  // back: these, or whichever wrote the tensor, which is an access then.
  bool names_results = false;
  std::vector<int> results_of;
};

// tensor.read and tensor.write: the orchestration itself waits and touches one element.
struct HostAccess {
  const ir::Stmt* stmt = nullptr;
  const ir::Expr* tensor = nullptr;
  int block = 0;
  bool writes = false;
  std::vector<Access> accesses;
};

struct TaskItem {
  enum class Kind : uint8_t { Task, Host, Construct };
  Kind kind;
  int index;
};

// All lists are in the order in which statements begin. Statements may be shared, so places are told by number.
struct TaskProgram {
  const ir::Function* function = nullptr;
  std::vector<Task> tasks;
  std::vector<HostAccess> hosts;
  std::vector<Construct> constructs;
  std::vector<TaskBlock> blocks;             // 0 is the function's body
  std::vector<std::vector<TaskItem>> items;  // for each block
  std::vector<Part> parts;
  std::vector<int> construct_of_loop;

  // Further roots that stand for no buffer: the order of tasks that can block on a peer, and all windows.
  int peers_root = 0;
  int windows_root = 0;
  int root_count = 0;
  std::vector<bool> written;       // by root; others need no tracking
  std::vector<bool> in_predicate;  // by root: a predicate reads it
  std::vector<int> root_loop;      // innermost loop that makes the buffer anew, -1 for none
  // By root: a loop carries the buffer that one iteration made into the next, which makes another one. Two values of
  // the root may then be two buffers.
  std::vector<bool> several_at_once;
  std::vector<int> root_maker;              // task that makes the buffer, -1 for none
  std::vector<std::string_view> root_name;  // of the variable that first holds it
  std::vector<bool> made_on_chip;           // allocated by the orchestration, so that a task's look-up keeps it alive

  // The same tensor under another name: for a variable, the task that wrote it and handed it back, plus 1; for a carry,
  // what an iteration hands to the next, and the loop.
  struct Carried {
    const ir::Expr* value = nullptr;
    int loop = -1;
  };
  ir::NodeMap<int> written_by;
  ir::NodeMap<int> made_by;  // for a variable, the task whose output it is, made by the runtime, plus 1
  ir::NodeMap<Carried> carried_value;

  // Whether a buffer made in one iteration of the loop is another one than that of the next iteration.
  bool fresh_in(int root, int loop) const;
  std::vector<std::vector<int>> carried_roots;  // for each loop, sorted
  const LoopTree* loops = nullptr;
  std::vector<std::unique_ptr<Region>> own_regions;  // of single elements
  int common_block(int a, int b) const;
};

// Functions that submit tasks on a chip.
inline bool submits_tasks(const ir::Function* function) {
  return ir::is_chip_orchestration(function) ||
         (function->func_type == ir::FunctionType::Graph && function->level != ir::Level::Host);
}

// With `aliases`, a use of a parameter is one of some part of every other parameter that may be the same window.
TaskProgram task_program(const ir::Program* program, const ir::Function* function, FunctionRegions& regions,
                         const BlockingKernels& blocking, const ParamAliases* aliases = nullptr);

}  // namespace pyptoc::passes
