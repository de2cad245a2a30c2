// SPDX-License-Identifier: Apache-2.0
// Which tasks a TaskId value can stand for.
#pragma once

#include <vector>

#include "passes/task_program.h"

namespace pyptoc::passes {

struct TaskSource {
  int task = 0;
  int loop = -1;  // the task of the previous iteration of that loop; -1: of this iteration, or of the last one when the
                  // loop is over

  // The value stands for the tasks of all iterations of the loops that the task is in and that are over: an array with
  // a slot for each, or what a parallel loop of a manual scope carries.
  bool all = false;
  // Slots of such an array that were taken out one by one, and how many it has.
  uint64_t slots = 0;
  int extent = 0;
};

struct TaskSources {
  std::vector<TaskSource> tasks;
  bool complete = true;  // false: it can also be a task that is not in the list
};

class TaskIdSources {
 public:
  explicit TaskIdSources(const TaskProgram& tasks);
  // Of a TaskId or an array of TaskIds that a task waits for.
  TaskSources of(const ir::Expr* id);

 private:
  friend class TaskIdDefinitions;
  struct Definition {
    const ir::Expr* values[2] = {nullptr, nullptr};
    int loop = -1;                   // values[1] is what an iteration of that loop hands to the next
    int over = -1;                   // values[1] is what the last iteration of that loop left
    const ir::Var* carry = nullptr;  // and this is what it started from
    int task = -1;                   // the task itself, or the task whose result tuple it is
  };

  const TaskSources& known(const ir::Expr* id);
  TaskSources find(const ir::Expr* id);
  TaskSources find_variable(const Definition& definition);
  // Sources that the value which a loop leaves behind has for all iterations.
  void mark_all(TaskSources& sources, const Definition& definition);
  bool fills(const ir::Expr* value, const Definition& definition) const;
  const ir::Expr* tuple_definition(const ir::Expr* tuple, int& task) const;
  static void merge(TaskSources& into, const TaskSources& from, int loop);

  const TaskProgram& program_;
  void find_definitions();

  bool has_definitions_ = false;  // they are found when the first id is asked for: few programs wait by ids
  ir::NodeMap<Definition> definitions_;
  struct Known {
    enum class State : uint8_t { New, Open, Done };
    TaskSources sources;
    State state = State::New;
  };
  ir::NodeMap<Known> known_;
  ir::NodeSet updated_;  // arrays that are written in place
  TaskSources nothing_;
  bool met_cycle_ = false;
  int depth_ = 0;
};

}  // namespace pyptoc::passes
