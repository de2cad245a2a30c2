// SPDX-License-Identifier: Apache-2.0
// One run in progress: what the orchestration submitted, what of it is done, and the memory that it works on.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "standin/graph.h"
#include "standin/memory.h"
#include "standin/run.h"
#include "standin/writers.h"

namespace standin {

// Thrown where the real runtime would end the process; caught by run().
struct Aborted {
  std::string why;
};

// Takes the place of the session's own loop and memory where the session is one of many that run together: one chip
// program of one rank (ranks/chip.h). Every call may let others run meanwhile.
class Executor {
 public:
  virtual ~Executor() = default;
  // Device memory, not written yet; an address.
  virtual uint64_t allocate(const std::string& name, uint64_t bytes) = 0;
  // The node is complete and may start when the nodes that it waits for are done; Session::done tells when it is.
  virtual void submitted(int node) = 0;
  // Returns when all of these nodes are done.
  virtual void wait_for(const std::vector<int>& nodes) = 0;
  virtual void access(uint64_t address, void* data, uint64_t bytes, bool write) = 0;
};

// Whether `value`, the element that it names, lets the task run.
bool holds(const CoreTaskPredicate& predicate, int64_t value);

enum class NodeKind { kCaller, kAlloc, kTask, kDummy, kHost };

struct Node {
  NodeKind kind = NodeKind::kTask;
  std::string name;
  int task = -1;  // index among the tasks
  MixedKernels kernels;
  std::vector<ChipTensor> tensors;
  std::vector<TensorArgType> tags;
  std::vector<uint64_t> scalars;
  int32_t width = 1;
  bool sync_start = false;
  std::optional<CoreTaskPredicate> predicate;
  ChipTensor predicate_tensor{};
  std::vector<int> waits_for;
  std::vector<int> keeps_alive;  // makers on whose memory this node has an edge of lifetime
  std::vector<int> followers;
  std::vector<int> keepers;  // the reverse of keeps_alive
  int unfinished = 0;        // of waits_for
  bool executed = false;
  bool done = false;
  bool ran = false;
};

class Session {
 public:
  Session(const Program& program, const Config& config, Executor* executor = nullptr);

  // The API of the orchestration.
  TaskOutputTensors submit(const MixedKernels& kernels, const CoreTaskArgs& args);
  TaskOutputTensors submit_dummy(const CoreTaskArgs& args);
  TaskOutputTensors alloc(const TensorCreateInfo* const infos[], uint32_t count);
  void begin_scope(PTO2ScopeMode mode);
  void end_scope();
  void report_fatal(int32_t code, const std::string& text);
  bool is_fatal() const { return result_.fatal_code != 0; }
  uint64_t get_data(const ChipTensor& tensor, uint32_t ndims, const uint32_t indices[]);
  void set_data(const ChipTensor& tensor, uint32_t ndims, const uint32_t indices[], uint64_t bits);
  const Config& config() const { return config_; }

  // The caller's side.
  RunResult run(const Arguments& arguments);

  // The same where there is an executor: the entry with tensors that are on the device already. Throws Aborted. What
  // was latched is in result().
  void run_entry(const ChipTaskArgs& args, size_t given);
  const Node& node(int number) const { return nodes_[static_cast<size_t>(number)]; }
  const std::vector<int>& tasks() const { return tasks_; }
  void done(int number) { nodes_[static_cast<size_t>(number)].done = true; }
  const RunResult& result() const { return result_; }

 private:
  struct Scope {
    bool manual;
    int number;
  };
  struct ScopeEnd {
    bool ended = false;
    int nodes = 0;       // that existed then
    size_t buffers = 0;  // likewise
  };

  // submit.cpp
  TaskOutputTensors add_task(NodeKind kind, const MixedKernels& kernels, const CoreTaskArgs& args);
  bool take_dependencies(const CoreTaskArgs& args, Node& node);
  void derive_dependencies(const CoreTaskArgs& args, Node& node);
  bool take_arguments(const CoreTaskArgs& args, int number, Node& node);
  int add_node(Node node);
  int add_host_node(std::string name, const std::vector<int>& waits_for);
  std::optional<ChipTensor> make_tensor(const TensorCreateInfo& info, std::string name, int maker);
  int node_of(PTO2TaskId id) const;
  bool in_manual_scope() const;
  void name_kernels(Node& node, int32_t tensor_count);

  // data.cpp
  std::vector<int> producers(const ChipTensor& tensor);
  void check_alive(const ChipTensor& tensor, const std::string& user);
  uint64_t element_in_buffer(const ChipTensor& tensor, uint32_t ndims, const uint32_t indices[]);

  // execute.cpp
  void drive(const std::function<bool()>& until);
  void wait_for(const std::vector<int>& nodes);
  void start(int node);
  void finish(int node);
  void execute(int number);
  void call_kernels(Node& node);
  bool predicate_holds(int number);
  void check_accesses(int number, const std::vector<Access>& accesses);
  void read(int node, uint64_t begin, uint64_t end);
  void write(int node, uint64_t begin, uint64_t end);

  // session.cpp
  void resumed();  // after a call of the executor: other sessions may have run
  void pass_in(const HostTensor& tensor, ChipTensor& out);
  void pass_back(const Arguments& arguments);
  void record_order();
  void check_lifetimes();
  void complain(ProblemKind kind, int a, int b, uint64_t at, const std::string& text);
  std::string describe(int node) const;
  std::string place(uint64_t begin, uint64_t end) const;

  const Program& program_;
  Config config_;
  Executor* executor_;
  std::mt19937_64 random_;
  Memory memory_;
  Graph graph_;
  Shadow shadow_;
  Writers writers_;
  std::deque<Node> nodes_;  // stable addresses: the orchestration holds references to outputs
  std::vector<int> tasks_;
  std::vector<int> ready_;
  std::vector<int> running_;
  std::vector<Scope> scopes_;
  std::vector<ScopeEnd> scope_ends_;
  int last_host_ = 0;
  std::set<std::tuple<ProblemKind, int, int, uint64_t>> said_;
  RunResult result_;
};

}  // namespace standin
