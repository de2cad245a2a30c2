// SPDX-License-Identifier: Apache-2.0
// The run: which task starts when, which block goes next, when late notifies happen, and what must hold at the end.
#include <algorithm>
#include <cstring>
#include <set>

#include "ranks/block.h"

namespace standin::ranks {

int World::add_task(TaskSpec spec) {
  auto task = std::make_unique<Task>();
  task->number = static_cast<int>(tasks_.size());
  task->spec = std::move(spec);
  task->limit = task->spec.sync_start || task->spec.blocks == 1
                    ? task->spec.blocks
                    : schedule_.resident(task->spec.blocks, config_.aiv_cores);
  if (task->spec.on_core) set_allowed(*task);
  if (Block* submitter = current_block()) {
    task->start.join(submitter->release()->clock);
    submitter->tick();
  }
  for (int before : task->spec.after) {
    Task& other = *tasks_[static_cast<size_t>(before)];
    task->start.join(other.end);
    if (other.done) continue;
    other.followers.push_back(task->number);
    ++task->unfinished;
  }
  if (task->spec.sync_start && task->spec.blocks > config_.aiv_cores) {
    complain(ProblemKind::kFatal, task->spec.name + ": a sync-start launch of " + std::to_string(task->spec.blocks) +
                                      " blocks on " + std::to_string(config_.aiv_cores) + " cores");
  }
  if (task->unfinished == 0) waiting_for_cores_.push_back(task->number);
  tasks_.push_back(std::move(task));
  return static_cast<int>(tasks_.size()) - 1;
}

void World::make_ready(Block& block) {
  block.state_ = Block::State::kReady;
  ready_.push_back(&block);
}

// A slot whose last activity comes before the new one, or a new slot.
size_t World::take_slot(int rank, const Clock& clock) {
  std::vector<size_t>& slots = slots_of_rank_[static_cast<size_t>(rank)];
  for (size_t slot : slots) {
    if (!slots_[slot].busy && clock.of(slot) >= slots_[slot].end) {
      slots_[slot].busy = true;
      return slot;
    }
  }
  slots_.push_back({true, 0});
  slots.push_back(slots_.size() - 1);
  return slots_.size() - 1;
}

void World::start_block(Task& task, int index) {
  std::unique_ptr<OnChip> memory;
  if (task.spec.on_core) {
    if (free_on_chip_.empty()) {
      memory = std::make_unique<OnChip>(config_.on_chip_bytes);
    } else {
      memory = std::move(free_on_chip_.back());
      free_on_chip_.pop_back();
    }
  }
  auto block = std::make_unique<Block>(*this, task, index, std::move(memory));
  block->slot_ = take_slot(task.spec.rank, task.start);
  block->clock_ = task.start;
  block->now_ = slots_[block->slot_].end + 1;
  block->clock_.set(block->slot_, block->now_);
  histories_.push_back({block->slot_, block->now_, {}});
  std::string name = "`" + task.spec.name + "` on rank " + std::to_string(task.spec.rank);
  if (task.spec.blocks > 1) name += ", block " + std::to_string(index);
  names_.push_back(name + " (task " + std::to_string(task.number) + ")");
  ++task.started;
  ++task.running;
  if (task.spec.on_core) --free_cores_[static_cast<size_t>(task.spec.rank)];
  make_ready(*block);
  blocks_.push_back(std::move(block));
}

bool World::admit(Task& task) {
  int& cores = free_cores_[static_cast<size_t>(task.spec.rank)];
  if (task.spec.on_core && (cores < 1 || (task.spec.sync_start && task.started == 0 && cores < task.spec.blocks))) {
    return false;
  }
  if (task.spec.exclusive && exclusive_[static_cast<size_t>(task.spec.rank)] != 0) return false;
  if (task.spec.exclusive) exclusive_[static_cast<size_t>(task.spec.rank)] = 1;
  if (task.started == 0) task.occurrence = tasks_started_[static_cast<size_t>(task.spec.rank)]++;
  while (task.started < task.spec.blocks && task.running < task.limit && (!task.spec.on_core || cores > 0)) {
    start_block(task, task.started);
  }
  return task.started == task.spec.blocks;
}

// Tasks that are ready get cores in random order.
void World::admit() {
  for (size_t i = waiting_for_cores_.size(); i > 1; --i) {
    std::swap(waiting_for_cores_[i - 1], waiting_for_cores_[schedule_.below(i)]);
  }
  for (size_t i = 0; i < waiting_for_cores_.size();) {
    if (admit(*tasks_[static_cast<size_t>(waiting_for_cores_[i])])) {
      waiting_for_cores_[i] = waiting_for_cores_.back();
      waiting_for_cores_.pop_back();
    } else {
      ++i;
    }
  }
}

void World::finish_block(Block& block) {
  Task& task = block.task_;
  slots_[block.slot_] = {false, block.now_};
  Clock end = block.clock_;
  end.set(block.slot_, block.now_);
  task.end.join(end);
  orphans_.insert(orphans_.end(), block.in_flight_.begin(), block.in_flight_.end());
  block.in_flight_.clear();
  if (block.memory_ != nullptr) free_on_chip_.push_back(std::move(block.memory_));
  block.fiber_.reset();
  --task.running;
  if (task.spec.on_core) ++free_cores_[static_cast<size_t>(task.spec.rank)];
  if (++task.finished == task.spec.blocks) finish_task(task);
}

void World::finish_task(Task& task) {
  task.done = true;
  if (task.spec.exclusive) exclusive_[static_cast<size_t>(task.spec.rank)] = 0;
  for (int follower : task.followers) {
    Task& next = *tasks_[static_cast<size_t>(follower)];
    next.start.join(task.end);
    if (--next.unfinished == 0) waiting_for_cores_.push_back(follower);
  }
  if (task.spec.at_end) task.spec.at_end();
  for (size_t i = 0; i < polling_.size();) {
    Block& block = *polling_[i];
    if (block.task_.spec.rank != task.spec.rank || !block.until_()) {
      ++i;
      continue;
    }
    polling_[i] = polling_.back();
    polling_.pop_back();
    make_ready(block);
  }
}

void World::wait_for_tasks(Block& block, const std::vector<int>& tasks) {
  block.until_ = [this, tasks] {
    return std::all_of(tasks.begin(), tasks.end(), [&](int t) { return tasks_[static_cast<size_t>(t)]->done; });
  };
  if (!block.until_()) {
    polling_.push_back(&block);
    block.suspend(Block::State::kPolling);
  }
  for (int task : tasks) block.learn(tasks_[static_cast<size_t>(task)]->end);
}

void World::perform(const InFlight& atomic) {
  int32_t value;
  unsigned char* at = atomic.store->data + atomic.offset;
  std::memcpy(&value, at, 4);
  const uint32_t sum = static_cast<uint32_t>(value) + static_cast<uint32_t>(atomic.value);
  value = atomic.set ? atomic.value : static_cast<int32_t>(sum);
  std::memcpy(at, &value, 4);
  Word& w = word(*atomic.store, atomic.offset);
  if (atomic.set) w.releases.clear();
  auto same = std::find_if(w.releases.begin(), w.releases.end(),
                           [&](const ReleaseRef& r) { return r->slot == atomic.release->slot; });
  if (same == w.releases.end()) {
    w.releases.push_back(atomic.release);
  } else if ((*same)->time < atomic.release->time) {
    *same = atomic.release;
  }
  for (Block* waiter : w.waiters) make_ready(*waiter);
  w.waiters.clear();
}

// One of the notifies that did not happen yet happens.
void World::perform_one() {
  while (!in_flight_.empty() && in_flight_.back()->in_flight_.empty()) in_flight_.pop_back();
  const size_t choices = in_flight_.size() + orphans_.size();
  if (choices == 0) return;
  const size_t pick = schedule_.pick(choices);
  std::vector<InFlight>* from = &orphans_;
  size_t i = pick;
  if (pick < in_flight_.size()) {
    from = &in_flight_[pick]->in_flight_;
    if (from->empty()) {  // fenced meanwhile
      in_flight_[pick] = in_flight_.back();
      in_flight_.pop_back();
      return;
    }
    i = schedule_.pick(from->size());
  } else {
    i -= in_flight_.size();
  }
  const InFlight atomic = (*from)[i];
  (*from)[i] = from->back();
  from->pop_back();
  perform(atomic);
}

bool World::step() {
  admit();
  if (ready_.empty()) {
    if (!in_flight_.empty() || !orphans_.empty()) {
      // those of ended kernels last of all: nothing obliges them to happen
      if (in_flight_.empty() && !held_.empty()) {
        make_ready(*held_.back());
        held_.pop_back();
        return true;
      }
      perform_one();
      return true;
    }
    if (held_.empty()) return false;
    make_ready(*held_.back());
    held_.pop_back();
    return true;
  }
  if (schedule_.perform_now()) perform_one();
  size_t at = schedule_.pick(ready_.size());
  if (schedule_.by_priority()) {
    if (schedule_.chance(32)) ready_[at]->priority_ = schedule_.new_priority();
    constexpr size_t kLooksAt = 32;  // of thousands, perhaps
    const size_t first = ready_.size() <= kLooksAt ? 0 : schedule_.pick(ready_.size() - kLooksAt);
    const size_t end = std::min(ready_.size(), first + kLooksAt);
    for (size_t i = first; i < end; ++i) {
      if (ready_[i]->priority_ > ready_[at]->priority_) at = i;
    }
  }
  Block& block = *ready_[at];
  ready_[at] = ready_.back();
  ready_.pop_back();
  block.fiber_->resume();
  current_block() = nullptr;
  if (stopping_) return false;
  if (block.state_ == Block::State::kReady) ready_.push_back(&block);
  if (block.state_ == Block::State::kHeld) held_.push_back(&block);
  if (block.state_ == Block::State::kDone) finish_block(block);
  return true;
}

void World::report_deadlock() {
  std::string text;
  int blocked = 0;
  for (const auto& block : blocks_) {
    if (block->state_ == Block::State::kDone) continue;
    if (++blocked > 4) continue;
    text +=
        (text.empty() ? "" : "; ") + names_[static_cast<size_t>(block->activity_)] +
        (block->state_ == Block::State::kWaiting ? " waits for " + block->waits_for_ : std::string(" waits for tasks"));
  }
  int idle = 0;
  for (const auto& task : tasks_) idle += task->started == 0 ? 1 : 0;
  if (blocked == 0 && idle == 0) return;
  complain(ProblemKind::kDeadlock, std::to_string(blocked) + " blocks can never go on and " + std::to_string(idle) +
                                       " tasks never started: " + text);
}

void World::check_signals() {
  std::set<std::pair<int64_t, uint64_t>> signals;  // space, offset
  for (const auto& store : space_.stores()) {
    for (const NamedBytes& buffer : store->buffers) {
      if (buffer.signal) signals.insert({store->space, buffer.begin});
    }
  }
  for (const auto& store : space_.stores()) {
    for (const NamedBytes& buffer : store->buffers) {
      if (signals.count({store->space, buffer.begin}) == 0) continue;
      for (uint64_t at = buffer.begin; at + 4 <= buffer.end; at += 4) {
        int32_t value;
        std::memcpy(&value, store->data + at, 4);
        if (value == 0) continue;
        complain(ProblemKind::kLeftCredit, "cell " + std::to_string((at - buffer.begin) / 4) + " of `" + buffer.name +
                                               "` on rank " + std::to_string(store->owner) + " is " +
                                               std::to_string(value) + " at the end, not 0");
        return;
      }
    }
  }
}

void World::run() {
  if (problems_.empty()) {
    while (step()) {
    }
  }
  if (problems_.empty() && !stopping_) report_deadlock();
  if (problems_.empty() && !stopping_) check_signals();
  // stacks that are left unwind before they go
  stopping_ = true;
  const Problems found = problems_;
  for (const auto& block : blocks_) {
    if (block->fiber_ != nullptr && block->state_ != Block::State::kDone) block->fiber_->resume();
    block->fiber_.reset();
  }
  current_block() = nullptr;
  problems_ = found;
}

}  // namespace standin::ranks
