// SPDX-License-Identifier: Apache-2.0
// What has happened before what: vector clocks over the activities of a run, and the state of an activity's own
// asynchronous operations at each moment that others can learn of.
//
// An activity is one block of a kernel, one orchestration, one copy between host and device. Activities that are
// ordered one after another share a slot of the clocks, so that clocks stay as wide as the run is parallel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace standin::ranks {

using Time = uint32_t;

class Clock {
 public:
  Time of(size_t slot) const { return slot < times_.size() ? times_[slot] : 0; }
  void set(size_t slot, Time time) {
    if (slot >= times_.size()) times_.resize(slot + 1, 0);
    times_[slot] = time;
  }
  void join(const Clock& other) {
    if (other.times_.size() > times_.size()) times_.resize(other.times_.size(), 0);
    const Time* from = other.times_.data();
    Time* to = times_.data();
    for (size_t i = 0; i < other.times_.size(); ++i) to[i] = std::max(to[i], from[i]);
  }

 private:
  std::vector<Time> times_;
};

// A release: what others know once they have learnt of it.
struct Release {
  size_t slot;
  Time time;
  Clock clock;
};
using ReleaseRef = std::shared_ptr<const Release>;

// Where an operation takes place within its activity. kLoad and kStore are asynchronous and in order; kAtomic stands
// for everything that the scalar unit sends past the cache (signals, cleaned lines): visible after a fence; kCached is
// a scalar store that still sits in a cache line. kScalar is over at once.
enum class Agent : uint8_t { kScalar, kVector, kLoad, kStore, kAtomic, kCached };
inline constexpr int kPipes = 4;  // scalar, vector, load, store

struct Access {
  int activity;  // kInitial: before everything; kNobody: never
  Agent agent;
  uint32_t number;
};
inline constexpr int kNobody = -1;
inline constexpr int kInitial = -2;

// How far the asynchronous operations of an activity were known to be over at a time of it.
struct Progress {
  Time time;
  uint32_t loads;
  uint32_t stores;  // visible to others
  uint32_t atomics;

  bool covers(Agent agent, uint32_t number, Time at) const {
    switch (agent) {
      case Agent::kScalar:
        return at >= number;
      case Agent::kLoad:
        return loads >= number;
      case Agent::kStore:
        return stores >= number;
      case Agent::kAtomic:
        return atomics >= number;
      default:
        return false;
    }
  }
};

struct History {
  size_t slot = 0;
  Time begin = 0;
  std::vector<Progress> progress;  // by time

  // True when whoever knows `clock` knows that the operation is over.
  bool over(Agent agent, uint32_t number, const Clock& clock) const {
    const Time at = clock.of(slot);
    if (at < begin) return false;
    auto after =
        std::upper_bound(progress.begin(), progress.end(), at, [](Time t, const Progress& p) { return t < p.time; });
    if (after == progress.begin()) return agent == Agent::kScalar && at >= number;
    return (after - 1)->covers(agent, number, at);
  }
};

}  // namespace standin::ranks
