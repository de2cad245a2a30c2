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

  // The value certainly stands for the task: whoever waits for it finds the task done, if that ran. Otherwise it may as
  // well be the id of another one.
  bool sure = false;
  // And for those of all earlier iterations of the loops around the task: an array with a slot for each, what a
  // parallel loop of a manual scope carries, or an id that each iteration replaces by that of a task which waits for
  // it.
  bool all = false;
  // Slots of such an array that were taken out one by one, and how many it has.
  uint64_t slots = 0;
  int extent = 0;
};

struct TaskSources {
  std::vector<TaskSource> tasks;
  bool complete = true;  // false: it can also be a task that is not in the list
  // Of an array: the slots that were written, each once and at a constant index, if that is all that was done to it.
  bool tracked = false;
  uint64_t written = 0;
};

inline constexpr int kMaxIdDepth = 200;

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
    const ir::Var* carry = nullptr;  // the variable that the iterations of either loop see
    int task = -1;                   // the task itself, or the task whose result tuple it is
    int branch = -1;                 // construct whose branches values[0] and values[1] come from
  };

  const TaskSources& known(const ir::Expr* id);
  TaskSources find(const ir::Expr* id);
  TaskSources find_variable(const Definition& definition);
  TaskSources of_element(const ir::Call* call);
  TaskSources of_update(const ir::Call* call);
  // task_carried_ids.cpp: what goes through branches and loops
  TaskSources of_branch(const TaskSources& first, const TaskSources& second, const Definition& definition) const;
  TaskSources of_loop(const TaskSources& before, const TaskSources& after, const Definition& definition);
  TaskSource carried(TaskSource source, const Definition& definition, bool chained) const;
  // Sources that the value which a loop leaves behind has for all iterations.
  void mark_all(TaskSources& sources, const Definition& definition) const;
  bool fills(const ir::Expr* value, const Definition& definition) const;
  const ir::Expr* tuple_definition(const ir::Expr* tuple, int& task) const;
  // Whether the value is what the loop's carry holds, or the id of a task that waits for it, on every way.
  bool keeps(const ir::Expr* value, const Definition& loop);
  bool keeps_variable(const ir::Expr* value, const Definition& loop);
  bool task_keeps(int task, const Definition& loop);
  bool lies_in(int task, int block) const;
  static void add(TaskSources& into, const TaskSource& source);

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
  ir::NodeMap<bool> kept_;  // what keeps() found, or assumes where it stands for itself
  int steps_ = 0;
  bool met_cycle_ = false;
  int depth_ = 0;
};

}  // namespace pyptoc::passes
