// SPDX-License-Identifier: Apache-2.0
// What a block knows, when it gives way, and how its accesses to memory are checked.
#include "ranks/block.h"

#include <algorithm>
#include <cstring>

#include "standin/session.h"

namespace standin::ranks {
namespace {

constexpr size_t kKernelStack = size_t{256} << 10;
constexpr size_t kOrchestrationStack = size_t{32} << 20;
constexpr int kScalarPipe = 0;
constexpr int kLoadPipe = 2;
constexpr int kStorePipe = 3;

const char* text_of(Touch how) {
  switch (how) {
    case Touch::kRead:
      return "reads";
    case Touch::kWrite:
      return "writes";
    case Touch::kAtomic:
      return "adds to";
    default:
      return "writes back the cache line of";
  }
}

bool conflict(Touch a, Touch b) {
  const auto both = [&](Touch x, Touch y) { return (a == x && b == y) || (a == y && b == x); };
  if (a == Touch::kWrite || b == Touch::kWrite) return true;
  return both(Touch::kAtomic, Touch::kRead) || both(Touch::kAtomic, Touch::kBack);
}

}  // namespace

Block*& current_block() {
  static thread_local Block* current = nullptr;
  return current;
}

Block::Block(World& world, World::Task& task, int index, std::unique_ptr<OnChip> memory)
    : world_(world),
      task_(task),
      index_(index),
      memory_(std::move(memory)),
      tensors_(task.spec.tensors),
      pipes_(memory_.get()) {
  activity_ = static_cast<int>(world_.histories_.size());
  const size_t stack = task_.spec.on_core ? kKernelStack : kOrchestrationStack;
  fiber_ = std::make_unique<Fiber>(world_.stacks_, stack, [this] { run(); });
  priority_ = world_.schedule_.new_priority();
}

void Block::run() {
  current_block() = this;
  try {
    LocalContext local{index_, task_.spec.blocks};
    GlobalContext global{0};
    int64_t args[STANDIN_KERNEL_ARGS] = {};
    size_t next = 0;
    for (ChipTensor& t : tensors_) args[next++] = reinterpret_cast<int64_t>(&t);
    for (uint64_t scalar : task_.spec.scalars) args[next++] = static_cast<int64_t>(scalar);
    args[STANDIN_LOCAL_CONTEXT] = reinterpret_cast<int64_t>(&local);
    args[STANDIN_GLOBAL_CONTEXT] = reinterpret_cast<int64_t>(&global);
    BlockCall call{world_, *this, args, index_, task_.spec.blocks};
    give_way(Doing::kMove);
    task_.spec.body(call);
    flush();
    check(pipes_.end());
  } catch (const Stopped&) {
  } catch (const Aborted& aborted) {
    world_.complain(ProblemKind::kAbort, world_.names_[static_cast<size_t>(activity_)] + ": " + aborted.why);
  } catch (const std::exception& error) {
    world_.complain(ProblemKind::kKernelFailed, world_.names_[static_cast<size_t>(activity_)] + ": " + error.what());
  }
  finish();
}

void Block::misuse(const std::string& why) {
  world_.complain(ProblemKind::kInstruction, world_.names_[static_cast<size_t>(activity_)] + ": " + why);
  throw Stopped{};
}

void Block::abandon() {
  finish();
  for (;;) fiber_->suspend();
}

void Block::suspend(State state) {
  state_ = state;
  fiber_->suspend();
  current_block() = this;
  if (world_.stopping_) throw Stopped{};
}

// Between two instructions: another block may run, and this one may be held.
void Block::give_way(Doing doing) {
  flush();
  ++world_.operations_;
  if (world_.config_.max_operations != 0 && world_.operations_ > world_.config_.max_operations) {
    world_.stopping_ = true;
    world_.stopped_early_ = true;
  }
  if (world_.stopping_) throw Stopped{};
  if (doing != doing_) {
    doing_ = doing;
    const uint32_t here = places_++;
    if (world_.schedule_.holds(task_.spec.rank, task_.occurrence, index_, here)) {
      suspend(State::kHeld);
      return;
    }
  }
  if (world_.schedule_.gives_way()) suspend(State::kReady);
}

// What happens from now on is later than what was passed on before.
void Block::tick() {
  if (!released_) return;
  released_ = nullptr;
  clock_.set(slot_, ++now_);
}

Progress Block::progress(bool at_end) const {
  const Pipes::Done& known = pipes_.known(kScalarPipe);
  return {now_, known[kLoadPipe], at_end ? known[kStorePipe] : stores_visible_, atomics_fenced_};
}

ReleaseRef Block::release() {
  if (released_) return released_;
  world_.histories_[static_cast<size_t>(activity_)].progress.push_back(progress(false));
  released_ = std::make_shared<Release>(Release{slot_, now_, clock_});
  return released_;
}

void Block::acquire(const ReleaseRef& from) {
  if (clock_.of(from->slot) >= from->time) return;
  tick();
  clock_.join(from->clock);
}

void Block::learn(const Clock& clock) {
  tick();
  clock_.join(clock);
}

void Block::finish() {
  tick();
  world_.histories_[static_cast<size_t>(activity_)].progress.push_back(progress(true));
  state_ = State::kDone;
}

Block::Viewer Block::viewer(Agent agent) const {
  const int pipe = agent == Agent::kLoad ? kLoadPipe : agent == Agent::kStore ? kStorePipe : kScalarPipe;
  const Pipes::Done& known = pipes_.known(pipe);
  return {agent, {known[kLoadPipe], known[kStorePipe], atomics_fenced_}};
}

bool Block::over(const Access& access, const Viewer& viewer) const {
  if (access.activity == kInitial) return true;
  if (access.activity == kNobody) return true;  // an unwritten byte is another matter
  if (access.activity != activity_) {
    return world_.histories_[static_cast<size_t>(access.activity)].over(access.agent, access.number, clock_);
  }
  switch (access.agent) {
    case Agent::kLoad:
      return viewer.agent == Agent::kLoad || viewer.own[0] >= access.number;
    case Agent::kStore:
      return viewer.agent == Agent::kStore || viewer.own[1] >= access.number;
    case Agent::kAtomic:
      return viewer.agent == Agent::kAtomic || viewer.own[2] >= access.number;
    case Agent::kCached:
      return viewer.agent == Agent::kScalar || viewer.agent == Agent::kCached;
    default:
      return true;
  }
}

std::string Block::where(const Store& store, uint64_t begin, uint64_t end) const {
  std::string name = "memory";
  uint64_t base = 0;
  if (const NamedBytes* buffer = const_cast<Store&>(store).buffer_at(begin)) {
    name = "`" + buffer->name + "`";
    base = buffer->begin;
  }
  return "bytes [" + std::to_string(begin - base) + ", " + std::to_string(end - base) + ") of " + name + " on rank " +
         std::to_string(store.owner);
}

// The store behind an address, after all that a block may touch was looked at.
Block::Place Block::place(uint64_t address, uint64_t bytes, bool write, const char* what) {
  const std::string verb = std::string(write ? " writes " : " reads ") + std::to_string(bytes) + " bytes";
  const Region* region = world_.space_.find(address);
  if (region == nullptr || bytes > region->size - (address - region->begin)) {
    world_.complain(ProblemKind::kOutsideArguments, world_.names_[static_cast<size_t>(activity_)] + ": " + what + verb +
                                                        " outside every buffer and window");
    throw Stopped{};
  }
  const Place found{region->store, address - region->begin};
  if (region->viewer != task_.spec.rank) {
    world_.complain(ProblemKind::kOutsideArguments, world_.names_[static_cast<size_t>(activity_)] + ": " + what + verb +
                                                        " at an address that only rank " +
                                                        std::to_string(region->viewer) + " knows");
    throw Stopped{};
  }
  if (!task_.spec.on_core || unlimited_) return found;
  const auto& allowed = write ? task_.writable : task_.readable;
  const auto ranges = allowed.find(found.store->space);
  if (bytes == 0 || (ranges != allowed.end() && contains(ranges->second, found.offset, found.offset + bytes))) {
    return found;
  }
  world_.complain(
      ProblemKind::kOutsideArguments,
      world_.names_[static_cast<size_t>(activity_)] + ": " + what + (write ? " writes " : " reads ") +
          where(*found.store, found.offset, found.offset + bytes) +
          (write && task_.readable.count(found.store->space) != 0 ? ", which is beyond its arguments or an input"
                                                                  : ", which is no argument of it"));
  throw Stopped{};
}

void Block::touch(const Place& at, uint64_t bytes, Touch how, Access access, const Viewer& viewer) {
  if (bytes == 0) return;
  const auto accuse = [&](uint64_t begin, uint64_t end, const Touched& other) {
    const bool own = other.by.activity == activity_;
    std::string text = world_.names_[static_cast<size_t>(activity_)] + " " + text_of(how) + " " +
                       where(*at.store, begin, end) + " that " +
                       (own ? std::string("it") : world_.names_[static_cast<size_t>(other.by.activity)]) + " " +
                       text_of(other.how) + ", and nothing orders the two";
    if (other.by.agent == Agent::kCached) text += " (a scalar store that was not cleaned)";
    world_.complain(ProblemKind::kUnorderedAccess, text);
    throw Stopped{};
  };
  at.store->visit(at.offset, at.offset + bytes, [&](uint64_t begin, uint64_t end, Store::Cell& cell) {
    if (how == Touch::kRead && cell.writer.activity == kNobody) {
      world_.complain(ProblemKind::kUnwrittenRead, world_.names_[static_cast<size_t>(activity_)] + " reads " +
                                                       where(*at.store, begin, end) + ", which nothing wrote before");
      throw Stopped{};
    }
    if (conflict(how, Touch::kWrite) && !over(cell.writer, viewer)) accuse(begin, end, {cell.writer, Touch::kWrite});
    const bool signal = at.store->is_signal(begin);
    for (const Touched& other : cell.others) {
      if (signal && (how == Touch::kRead || other.how == Touch::kRead) && how != Touch::kWrite) continue;
      if (conflict(how, other.how) && !over(other.by, viewer)) accuse(begin, end, other);
    }
    if (how == Touch::kWrite) return;
    auto& others = cell.others;
    others.erase(std::remove_if(others.begin(), others.end(),
                                [&](const Touched& o) { return o.how == how && over(o.by, viewer); }),
                 others.end());
    others.push_back({access, how});
  });
  if (how == Touch::kWrite) at.store->overwrite(at.offset, at.offset + bytes, access);
}

// Scalar loads: whatever another wrote must have been invalidated after it was known.
void Block::check_fresh(const Place& at, uint64_t bytes) {
  const auto stale = [&](const Access& access, uint64_t line) {
    if (access.activity < 0) return false;
    const bool own = access.activity == activity_;
    if (own && (access.agent == Agent::kCached || access.agent == Agent::kScalar)) return false;
    const auto seen_by = [&](const Invalidated& invalidated) {
      if (!invalidated.release) return false;
      if (!own) {
        return world_.histories_[static_cast<size_t>(access.activity)].over(access.agent, access.number,
                                                                            invalidated.release->clock);
      }
      return access.number <= invalidated.own[access.agent == Agent::kStore ? 1 : 2];
    };
    if (seen_by(all_lines_)) return false;
    const auto single = lines_.find(line);
    return single == lines_.end() || !seen_by(single->second);
  };
  at.store->visit(at.offset, at.offset + bytes, [&](uint64_t begin, uint64_t end, Store::Cell& cell) {
    const uint64_t line = (reinterpret_cast<uint64_t>(at.store->data) + begin) / 64;
    const Access* bad = stale(cell.writer, line) ? &cell.writer : nullptr;
    for (const Touched& other : cell.others) {
      if (other.how == Touch::kAtomic && !at.store->is_signal(begin) && stale(other.by, line)) bad = &other.by;
    }
    if (bad == nullptr) return;
    world_.complain(ProblemKind::kStaleRead, world_.names_[static_cast<size_t>(activity_)] + " reads " +
                                                 where(*at.store, begin, end) +
                                                 " through its data cache, which it did not invalidate since " +
                                                 world_.names_[static_cast<size_t>(bad->activity)] + " wrote there");
    throw Stopped{};
  });
}

void Block::direct(uint64_t address, void* data, uint64_t bytes, bool write) {
  give_way(Doing::kMove);
  tick();
  const Place at = place(address, bytes, write, "a body");
  touch(at, bytes, write ? Touch::kWrite : Touch::kRead, {activity_, Agent::kScalar, now_}, viewer(Agent::kScalar));
  unsigned char* memory = at.store->data + at.offset;
  if (write) {
    std::memcpy(memory, data, bytes);
  } else {
    std::memcpy(data, memory, bytes);
  }
}

void Block::direct_at(Store& store, uint64_t offset, void* data, uint64_t bytes, bool write) {
  give_way(Doing::kMove);
  tick();
  touch({&store, offset}, bytes, write ? Touch::kWrite : Touch::kRead, {activity_, Agent::kScalar, now_},
        viewer(Agent::kScalar));
  if (bytes == 0) return;
  std::memcpy(write ? store.data + offset : data, write ? data : store.data + offset, bytes);
}

void BlockCall::read(uint64_t address, void* to, uint64_t bytes) {
  block.direct(address, to, bytes, false);
}

void BlockCall::write(uint64_t address, const void* from, uint64_t bytes) {
  block.direct(address, const_cast<void*>(from), bytes, true);
}

}  // namespace standin::ranks
