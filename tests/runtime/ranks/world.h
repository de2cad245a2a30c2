// SPDX-License-Identifier: Apache-2.0
// P ranks in one process: their memories, their tasks, and the adversarial schedule in which all blocks run.
//
// The run is one interleaving, but what is checked is not only that one: two accesses of which one writes must be
// ordered by signals, task dependencies, drains and fences (clock.h), whatever the interleaving was. So a store that is
// not yet visible is found even where the reader happened to come late. What depends on the interleaving is which
// credits a wait has seen, which is why schedule.h holds ranks back.
//
// Rules (runtime-contract.md, read strictly):
// - Loads, stores and puts are asynchronous. A store is visible to others after its pipe was drained
//   (pipe_barrier(PIPE_ALL), or a flag to PIPE_S) and then a fence (dsb); at the end of a kernel what is drained counts
//   as fenced. A load is over once its pipe was waited for.
// - A notify happens at some later time, at the latest at the next fence of its block, and at any time after the
//   kernel's end where there is none. It passes on what its block had completed when it was issued, and what the block
//   had learnt. A wait learns from all notifies that its cell has taken.
// - A wait, and an atomic add of a notify, see memory; a Set writes the whole 64-byte line back.
// - Scalar loads go through a data cache that may hold any line of any age: bytes that another activity wrote must
//   have been invalidated by this block after it learnt of the write. Scalar stores stay in the cache until cleaned.
// - Who merely looks at a cell of a signal (a test that copies it) may see any of the credits that are on their way.
// - A block touches only its task's arguments and, at equal offsets, the windows of its peers.
// - When all is over, every word of a buffer on which somebody waited is 0.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "platform_comm/comm_context.h"
#include "ranks/clock.h"
#include "ranks/fiber.h"
#include "ranks/memory.h"
#include "ranks/pipes.h"
#include "ranks/schedule.h"
#include "standin/problem.h"
#include "standin/regions.h"
#include "task_args.h"
#include "tensor.h"

namespace standin::ranks {

struct WorldConfig {
  int ranks = 1;
  uint64_t seed = 0;
  int aiv_cores = 48;
  int64_t on_chip_bytes = 192 * 1024;  // a5: 248 KiB
  bool move_data = true;               // off: only accesses are checked, for tensors that would not fit memory
  uint64_t max_operations = 0;         // stop without a problem after so many instructions; 0: never
};

struct BufferSpec {
  std::string name;
  uint64_t bytes;       // logical
  uint64_t slot_bytes;  // what the buffer takes of the window
};

class Block;
class World;

// What a task runs, once for each block, on the block's own stack. A kernel entry takes `args`; bodies written in C++
// go through read and write, which happen at once and are checked like everything else.
struct BlockCall {
  World& world;
  Block& block;
  int64_t* args;
  int32_t index;
  int32_t count;
  void read(uint64_t address, void* to, uint64_t bytes);
  void write(uint64_t address, const void* from, uint64_t bytes);
};
using Body = std::function<void(BlockCall&)>;

struct TaskSpec {
  int rank = 0;
  std::string name;
  Body body;
  std::vector<ChipTensor> tensors;
  std::vector<TensorArgType> tags;  // as long as tensors, or empty: all may be written
  std::vector<uint64_t> scalars;
  int blocks = 1;
  bool sync_start = false;
  std::vector<int> after;        // numbers of tasks
  bool on_core = true;           // false for an orchestration: large stack, no core, no limits on what it touches
  bool exclusive = false;        // at most one such task of a rank runs at a time
  std::function<void()> at_end;  // called between two steps of the run
};

class World {
 public:
  explicit World(const WorldConfig& config);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // `workers` are ranks of this world, in the order of the domain's own ranks.
  int add_domain(const std::string& name, const std::vector<int>& workers, const std::vector<BufferSpec>& buffers);
  // A tensor over a window buffer as `worker` (a rank of this world) sees it.
  ChipTensor window_tensor(int domain, int worker, const std::string& buffer, const std::vector<uint32_t>& shape,
                           DataType dtype);
  uint64_t context(int domain, int worker) const;
  std::vector<unsigned char> window_bytes(int domain, int worker, const std::string& buffer) const;
  void fill_window(int domain, int worker, const std::string& buffer, const std::vector<unsigned char>& bytes);

  // Device memory of one rank; without `initial` it must be written before it is read.
  ChipTensor local_tensor(int rank, const std::string& name, const std::vector<uint32_t>& shape, DataType dtype,
                          const void* initial);
  std::vector<unsigned char> local_bytes(const ChipTensor& tensor);

  int add_task(TaskSpec spec);
  void run();

  const Problems& problems() const { return problems_; }
  bool ok() const { return problems_.empty(); }
  bool stopped_early() const { return stopped_early_; }
  const std::vector<uint64_t>& bytes_out() const { return bytes_out_; }  // payload that left each rank
  uint64_t operations() const { return operations_; }
  const WorldConfig& config() const { return config_; }
  const Schedule& schedule() const { return schedule_; }

  // For orchestrations, from within their body: returns when these tasks are done, and knows of all that they did.
  void wait_for_tasks(Block& block, const std::vector<int>& tasks);
  // Keeps something as long as the world.
  void keep(std::shared_ptr<void> what) { kept_.push_back(std::move(what)); }
  Space& space() { return space_; }
  int64_t new_space() { return next_space_++; }
  void complain(ProblemKind kind, const std::string& text);

 private:
  friend class Block;
  friend struct BlockCall;
  struct Task;
  struct Word {
    std::vector<ReleaseRef> releases;
    std::vector<Block*> waiters;
  };
  struct Domain {
    std::string name;
    std::vector<int> workers;
    std::vector<BufferSpec> buffers;
    std::vector<Store*> windows;
    std::vector<std::vector<uint64_t>> seen_at;  // [viewer][owner]
    std::vector<std::unique_ptr<CommContext>> contexts;
  };
  struct Slot {
    bool busy = false;
    Time end = 0;
  };
  struct InFlight {
    Store* store;
    uint64_t offset;
    int32_t value;
    bool set;
    ReleaseRef release;
  };

  const Domain& domain_of(int domain) const { return domains_[static_cast<size_t>(domain)]; }
  size_t position(const Domain& domain, int worker) const;
  uint64_t buffer_offset(const Domain& domain, const std::string& buffer, uint64_t* bytes) const;
  void set_allowed(Task& task);

  // tasks.cpp
  void admit();
  bool admit(Task& task);
  void start_block(Task& task, int index);
  void finish_block(Block& block);
  void finish_task(Task& task);
  size_t take_slot(int rank, const Clock& clock);
  bool step();
  void report_deadlock();
  void check_signals();
  void perform(const InFlight& atomic);
  void perform_one();
  void make_ready(Block& block);

  Word& word(const Store& store, uint64_t offset) { return words_[reinterpret_cast<uint64_t>(store.data) + offset]; }

  std::vector<std::shared_ptr<void>> kept_;  // goes last
  WorldConfig config_;
  Schedule schedule_;
  Space space_;
  StackPool stacks_;
  std::vector<Domain> domains_;
  int64_t next_space_ = 0;
  std::vector<std::unique_ptr<Task>> tasks_;
  std::vector<int> waiting_for_cores_;  // tasks
  std::vector<int> free_cores_;         // by rank
  std::vector<int> tasks_started_;      // by rank
  std::vector<char> exclusive_;         // by rank: an exclusive task runs
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<std::unique_ptr<OnChip>> free_on_chip_;
  std::vector<Block*> ready_;
  std::vector<Block*> held_;
  std::vector<Block*> polling_;
  std::vector<Block*> in_flight_;  // blocks with notifies that did not happen yet
  std::vector<InFlight> orphans_;  // such notifies of blocks that ended
  std::vector<History> histories_;
  std::vector<std::string> names_;  // of activities
  std::vector<std::vector<size_t>> slots_of_rank_;
  std::vector<Slot> slots_;
  std::unordered_map<uint64_t, Word> words_;  // by place in main memory
  Problems problems_;
  std::vector<uint64_t> bytes_out_;
  uint64_t operations_ = 0;
  bool stopping_ = false;
  bool stopped_early_ = false;
};

}  // namespace standin::ranks
