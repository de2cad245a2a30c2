// SPDX-License-Identifier: Apache-2.0
// One block of one task while it runs: its instructions, its cache, and what it knows of the others.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "intrinsic.h"
#include "ranks/world.h"
#include "standin_instructions.h"

namespace standin::ranks {

// Thrown when the run is over or a block did what it must not; instructions of compiled kernels catch it and abandon
// the block.
struct Stopped {};

struct World::Task {
  int number = 0;
  TaskSpec spec;
  int occurrence = 0;  // number among the rank's tasks, in order of start
  int unfinished = 0;  // tasks that must end before
  std::vector<int> followers;
  Clock start;  // what its blocks know at their start
  Clock end;
  int started = 0;
  int running = 0;
  int limit = 0;  // blocks resident at once
  int finished = 0;
  bool done = false;
  std::map<int64_t, std::vector<Range>> readable;  // offsets by space
  std::map<int64_t, std::vector<Range>> writable;
};

class Block {
 public:
  Block(World& world, World::Task& task, int index, std::unique_ptr<OnChip> memory);

  // Instructions; called on the block's own stack.
  void load(const StandinTile& tile, const StandinGlobal& from);
  void store(const StandinGlobal& to, const StandinTile& tile, bool atomic_add);
  void binary(int32_t op, const StandinTile& dst, const StandinTile& a, const StandinTile* b, double scalar);
  void fill_tile(const StandinTile& dst, double value);
  void convert_tile(const StandinTile& dst, const StandinTile& src, int32_t mode);
  void copy_through(const StandinGlobal& to, const StandinGlobal& from, StandinTile stage, bool atomic_add);
  void notify(uint64_t cell, int32_t value, bool set);
  void wait(const StandinGlobal& cells, int32_t value, int32_t compare);
  bool test(const StandinGlobal& cells, int32_t value, int32_t compare);
  void set_flag(int32_t from, int32_t to, int32_t event);
  void wait_flag(int32_t from, int32_t to, int32_t event);
  void pipe_barrier(int32_t pipe);
  void fence();
  void cache(const volatile void* line, bool whole);
  // Before a scalar load or store of the compiled kernel happens at the view's address.
  void scalar(uint64_t address, uint64_t bytes, bool write);
  // For bodies in C++: at once, past the cache.
  void direct(uint64_t address, void* data, uint64_t bytes, bool write);
  [[noreturn]] void misuse(const std::string& why);
  int rank() const { return task_.spec.rank; }
  // For copies between host and device: bytes of a store by themselves.
  void direct_at(Store& store, uint64_t offset, void* data, uint64_t bytes, bool write);
  template <typename F>
  void unlimited(const F& f) {  // within `f` the block may touch what is no argument of its task
    unlimited_ = true;
    f();
    unlimited_ = false;
  }
  void abandon();  // ends the block where it is; returns only to be called again

 private:
  friend class World;
  enum class State : uint8_t { kReady, kWaiting, kHeld, kPolling, kDone };
  struct Place {
    Store* store;
    uint64_t offset;
  };
  struct Viewer {
    Agent agent;                  // of the instruction that looks
    std::array<uint32_t, 3> own;  // loads, stores, atomics of this block that are over for it
  };
  struct Invalidated {
    ReleaseRef release;
    std::array<uint32_t, 3> own;
  };

  void run();  // on the fiber
  void give_way(Doing doing);
  void suspend(State state);
  void tick();
  ReleaseRef release();
  void acquire(const ReleaseRef& release);
  void learn(const Clock& clock);
  Progress progress(bool at_end) const;
  void finish();

  Place place(uint64_t address, uint64_t bytes, bool write, const char* what);
  void touch(const Place& place, uint64_t bytes, Touch how, Access access, const Viewer& viewer);
  bool over(const Access& access, const Viewer& viewer) const;
  Viewer viewer(Agent agent) const;
  void check_fresh(const Place& place, uint64_t bytes);
  void flush();
  void clean(Store& store, uint64_t line);
  Place cell(uint64_t address);
  bool satisfied(const StandinGlobal& cells, int32_t value, int32_t compare, std::vector<Place>& places, int* first);
  void check_waited(const Place& place);
  std::string where(const Store& store, uint64_t begin, uint64_t end) const;
  void check(const std::string& wrong) {
    if (!wrong.empty()) misuse(wrong);
  }
  void touch_tile(int pipe, const StandinTile& tile, bool write);
  void same_valid(const StandinTile& a, const StandinTile& b);
  template <typename F>
  void rows(const StandinTile& tile, const StandinGlobal& global, const F& f);

  World& world_;
  World::Task& task_;
  int index_;
  int activity_;
  std::unique_ptr<OnChip> memory_;
  std::vector<ChipTensor> tensors_;  // its own copy: a kernel may not change another's descriptors
  Pipes pipes_;
  std::unique_ptr<Fiber> fiber_;
  State state_ = State::kReady;
  size_t ready_at_ = 0;  // place in the world's list
  uint32_t priority_ = 0;

  size_t slot_ = 0;
  Clock clock_;
  Time now_ = 0;
  ReleaseRef released_;  // while nothing happened since
  uint32_t stores_visible_ = 0;
  uint32_t atomics_ = 0;
  uint32_t atomics_fenced_ = 0;
  std::vector<World::InFlight> in_flight_;

  Doing doing_ = Doing::kNothing;
  uint32_t places_ = 0;
  uint32_t waits_ = 0;
  std::string waits_for_;
  std::function<bool()> until_;
  bool unlimited_ = false;

  struct Stored {
    uint64_t address;
    uint64_t bytes;
    Place place;
  };
  std::vector<Stored> stored_;       // scalar stores that are only in the view yet
  std::map<uint64_t, Place> dirty_;  // lines by main address
  Invalidated all_lines_;
  std::map<uint64_t, Invalidated> lines_;
};

// The block whose stack is the running one; null outside of all.
Block*& current_block();

}  // namespace standin::ranks
