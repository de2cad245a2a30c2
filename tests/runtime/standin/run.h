// SPDX-License-Identifier: Apache-2.0
// Runs an orchestration on a stand-in of the runtime: the tasks that it submits are executed in an order that is random
// among those that their dependencies permit. The same seed gives the same run.
//
// The rule is the real runtime's, no kinder. writers.h says what each argument direction looks up; beyond that:
//
// - Explicit dependencies hold in every scope. An invalid id latches error 5.
// - A task has a start and an end; it may start when all that it depends on has ended, and its kernel's effects happen
// at
//   the one or the other. Any number of tasks run at once.
// - The orchestration itself is infinitely fast: it waits for tasks only in get_tensor_data and set_tensor_data. What
// it
//   does there, and allocations, come before every later submit.
// - get_tensor_data waits for the maker and the overlapping writers on record. set_tensor_data waits, beyond that, for
// the
//   tasks that hold an edge of lifetime (as maker or by explicit dependency) on one of these; not for mere readers.
// - An allocation lives until its scope has ended and its maker and every task with an edge on the maker are done.
// After that
//   a later allocation may take its place. A task of a manual scope has no edge on the maker unless it says so.
// - AUTO inside MANUAL latches error 5. The orchestration as a whole is an AUTO scope.
// - A sync-start launch of more than one block that is wider than the device latches error 7; a width below 1 ends the
// run.
// - After a latched error submits and allocations give empty results, and taking an element of one ends the run.
//
// Checked on what kernels really touch, for every permitted order at once (not only for the one that is run):
// - two accesses to a byte, one of them a write, must be ordered by dependencies;
// - a byte that is read must have been written before, by an input or an earlier task;
// - a kernel stays within its arguments and does not write an Input.
// Not modelled: blocks of one launch, and the cores of a mixed task, run one after another in random order of blocks;
// the number of cores does not limit how many tasks run at once; early resolve has no effect.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pto_orchestration_api.h"
#include "standin/kernel.h"
#include "standin/problem.h"

namespace standin {

struct HostTensor {
  std::string name;
  Direction direction = Direction::kIn;
  DataType dtype = DataType::FLOAT32;
  std::vector<uint32_t> shape;
  std::vector<unsigned char> bytes;    // of the whole buffer; an OUT tensor's are not copied in
  std::vector<uint32_t> strides = {};  // in elements; empty: row-major
};

template <typename T>
HostTensor host_tensor(std::string name, Direction direction, DataType dtype, std::vector<uint32_t> shape,
                       const std::vector<T>& values) {
  std::vector<unsigned char> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return {std::move(name), direction, dtype, std::move(shape), std::move(bytes)};
}

template <typename T>
std::vector<T> values_of(const HostTensor& tensor) {
  std::vector<T> values(tensor.bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), tensor.bytes.data(), values.size() * sizeof(T));
  return values;
}

// A chip program: its orchestration and its kernels by func_id.
struct Program {
  std::function<PTO2OrchestrationConfig(const ChipTaskArgs&)> config;  // may be empty
  std::function<void(const ChipTaskArgs&)> entry;
  std::vector<Kernel> kernels;
};

struct Arguments {
  std::vector<HostTensor> tensors;
  std::vector<uint64_t> scalars;
};

struct Config {
  uint64_t seed = 0;
  int32_t aiv_cores = 48;
  int32_t clusters = 24;
  uint64_t memory_bytes = uint64_t{256} << 20;
  int32_t max_task_tensors = int32_t{MAX_TENSOR_ARGS};
  int32_t max_task_scalars = int32_t{MAX_SCALAR_ARGS};
  bool in_order = false;              // each task runs as soon as it is submitted: what the program means
  bool record_order = false;          // fill TaskRecord::comes_after
  bool stay_within_arguments = true;  // off for kernels that reach other memory on purpose
};

struct TaskRecord {
  std::string name;
  std::vector<int> depends_on;  // indices of tasks, sorted; the maker of an allocation is no task
  std::vector<int> comes_after;  // indices of all tasks that end before it in every permitted order, sorted
  std::vector<TensorArgType> tags;
  std::vector<uint64_t> scalars;
  int32_t width = 1;
  bool sync_start = false;
  bool ran = false;  // false for one whose predicate was false, and for dummy tasks
};

struct RunResult {
  Problems problems;
  int32_t fatal_code = 0;
  std::vector<TaskRecord> tasks;    // in order of submit
  std::vector<int> start_order;     // indices of tasks
  std::vector<HostTensor> tensors;  // as the caller sees them afterwards

  bool ok() const { return problems.empty(); }
  bool has(ProblemKind kind) const;
  std::string text() const;  // all problems, one per line
};

RunResult run(const Program& program, const Arguments& arguments, const Config& config);

// Looks at a run without problems; says what is wrong with its results, or nothing.
using Check = std::function<std::string(const RunResult&)>;

// Runs seeds config.seed, config.seed + 1, ...; empty when none has a problem and all pass the check, else the first
// failure.
std::string run_seeds(const Program& program, const Arguments& arguments, Config config, int count, const Check& check);

}  // namespace standin
