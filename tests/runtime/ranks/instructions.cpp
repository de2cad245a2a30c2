// SPDX-License-Identifier: Apache-2.0
// The instructions of a block: moves, tile arithmetic, signals, barriers and the data cache.
#include <cstring>

#include "ranks/arith.h"
#include "ranks/block.h"

namespace standin::ranks {
namespace {

constexpr int kVectorPipe = 1;
constexpr int kLoadPipe = 2;
constexpr int kStorePipe = 3;
constexpr uint64_t kLine = 64;

int64_t row_count(const StandinGlobal& g) {
  return g.shape[0] * g.shape[1] * g.shape[2] * g.shape[3];
}

int64_t row_offset(const StandinGlobal& g, int64_t row) {
  int64_t offset = 0;
  for (int d = 3; d >= 0; --d) {
    offset += row % g.shape[d] * g.stride[d];
    row /= g.shape[d];
  }
  return offset;
}

bool holds(int32_t have, int32_t want, int32_t compare) {
  switch (compare) {
    case 0:
      return have == want;
    case 1:
      return have != want;
    case 2:
      return have > want;
    case 3:
      return have >= want;
    case 4:
      return have < want;
    default:
      return have <= want;
  }
}

const char* const kCompare[] = {"==", "!=", ">", ">=", "<", "<="};

}  // namespace

template <typename F>
void Block::rows(const StandinTile& tile, const StandinGlobal& global, const F& f) {
  const int64_t count = row_count(global);
  const int64_t width = global.shape[4];
  if (tile.valid_rows != count || tile.valid_cols != width) {
    misuse("a tile of valid shape " + std::to_string(tile.valid_rows) + " x " + std::to_string(tile.valid_cols) +
           " meets a view of " + std::to_string(count) + " x " + std::to_string(width));
  }
  if (tile.type != global.type) misuse("a tile and a view of different element types");
  if (count > 0 && width > 0 && global.stride[4] != 1) misuse("a view whose last axis is not packed");
  if (width > 0 && global.stride[3] < width) misuse("a view whose row stride is shorter than its rows");
  if (count > 1 && width == 0) return;
  const uint64_t size = size_of_type(tile.type);
  for (int64_t row = 0; row < count; ++row) {
    const uint64_t address = global.address + static_cast<uint64_t>(row_offset(global, row)) * size;
    f(address, tile.at + row * tile.cols * static_cast<int64_t>(size), static_cast<uint64_t>(width) * size);
  }
}

// The bytes of the valid region, row by row.
void Block::touch_tile(int pipe, const StandinTile& tile, bool write) {
  if (tile.at < 0) misuse("a tile is used before TASSIGN");
  const auto size = static_cast<int64_t>(size_of_type(tile.type));
  if (tile.at + tile.rows * tile.cols * size > memory_->bytes()) {
    misuse("a tile at byte " + std::to_string(tile.at) + " does not fit " + std::to_string(memory_->bytes()) +
           " bytes of on-chip memory");
  }
  for (int64_t row = 0; row < tile.valid_rows; ++row) {
    const int64_t begin = tile.at + row * tile.cols * size;
    if (tile.valid_cols > 0) check(pipes_.touch(pipe, begin, begin + tile.valid_cols * size, write));
  }
}

void Block::load(const StandinTile& tile, const StandinGlobal& from) {
  give_way(Doing::kMove);
  tick();
  const uint32_t number = pipes_.issue(kLoadPipe);
  touch_tile(kLoadPipe, tile, true);
  rows(tile, from, [&](uint64_t address, int64_t on_chip, uint64_t bytes) {
    const Place at = place(address, bytes, false, "TLOAD");
    touch(at, bytes, Touch::kRead, {activity_, Agent::kLoad, number}, viewer(Agent::kLoad));
    if (at.store->owner != task_.spec.rank) world_.bytes_out_[static_cast<size_t>(at.store->owner)] += bytes;
    if (world_.config_.move_data) std::memcpy(memory_->at(on_chip), at.store->data + at.offset, bytes);
  });
}

void Block::store(const StandinGlobal& to, const StandinTile& tile, bool atomic_add) {
  give_way(Doing::kMove);
  tick();
  const uint32_t number = pipes_.issue(kStorePipe);
  touch_tile(kStorePipe, tile, false);
  rows(tile, to, [&](uint64_t address, int64_t on_chip, uint64_t bytes) {
    const Place at = place(address, bytes, true, "TSTORE");
    touch(at, bytes, Touch::kWrite, {activity_, Agent::kStore, number}, viewer(Agent::kStore));
    if (at.store->owner != task_.spec.rank) world_.bytes_out_[static_cast<size_t>(task_.spec.rank)] += bytes;
    if (!world_.config_.move_data) return;
    unsigned char* memory = at.store->data + at.offset;
    if (!atomic_add) {
      std::memcpy(memory, memory_->at(on_chip), bytes);
    } else if (const char* wrong = add_to(tile.type, memory, memory_->at(on_chip), tile.valid_cols)) {
      misuse(wrong);
    }
  });
}

void Block::same_valid(const StandinTile& a, const StandinTile& b) {
  if (a.valid_rows != b.valid_rows || a.valid_cols != b.valid_cols) {
    misuse("tile operands of valid shapes " + std::to_string(a.valid_rows) + " x " + std::to_string(a.valid_cols) +
           " and " + std::to_string(b.valid_rows) + " x " + std::to_string(b.valid_cols));
  }
}

void Block::binary(int32_t op, const StandinTile& dst, const StandinTile& a, const StandinTile* b, double scalar) {
  flush();
  pipes_.issue(kVectorPipe);
  same_valid(dst, a);
  if (b != nullptr) same_valid(dst, *b);
  if (a.type != dst.type || (b != nullptr && b->type != dst.type)) misuse("tile operands of different element types");
  touch_tile(kVectorPipe, a, false);
  if (b != nullptr) touch_tile(kVectorPipe, *b, false);
  touch_tile(kVectorPipe, dst, true);
  const auto size = static_cast<int64_t>(size_of_type(dst.type));
  for (int64_t row = 0; row < dst.valid_rows && world_.config_.move_data; ++row) {
    const unsigned char* y = b == nullptr ? nullptr : memory_->at(b->at + row * b->cols * size);
    const char* wrong = apply(op, dst.type, memory_->at(dst.at + row * dst.cols * size),
                              memory_->at(a.at + row * a.cols * size), y, scalar, dst.valid_cols);
    if (wrong != nullptr) misuse(wrong);
  }
}

void Block::fill_tile(const StandinTile& dst, double value) {
  flush();
  pipes_.issue(kVectorPipe);
  touch_tile(kVectorPipe, dst, true);
  const auto size = static_cast<int64_t>(size_of_type(dst.type));
  for (int64_t row = 0; row < dst.valid_rows; ++row) {
    if (const char* wrong = fill(dst.type, memory_->at(dst.at + row * dst.cols * size), value, dst.valid_cols)) {
      misuse(wrong);
    }
  }
}

void Block::convert_tile(const StandinTile& dst, const StandinTile& src, int32_t mode) {
  flush();
  pipes_.issue(kVectorPipe);
  same_valid(dst, src);
  touch_tile(kVectorPipe, src, false);
  touch_tile(kVectorPipe, dst, true);
  const auto to_size = static_cast<int64_t>(size_of_type(dst.type));
  const auto from_size = static_cast<int64_t>(size_of_type(src.type));
  if (to_size != from_size && dst.at < src.at + src.rows * src.cols * from_size &&
      src.at < dst.at + dst.rows * dst.cols * to_size) {
    misuse("TCVT between overlapping tiles of different widths");
  }
  for (int64_t row = 0; row < dst.valid_rows && world_.config_.move_data; ++row) {
    const char* wrong = convert(dst.type, memory_->at(dst.at + row * dst.cols * to_size), src.type,
                                memory_->at(src.at + row * src.cols * from_size), mode, dst.valid_cols);
    if (wrong != nullptr) misuse(wrong);
  }
}

// The library's put: load, flag, store, flag back, in pieces of the stage where the view is wider.
void Block::copy_through(const StandinGlobal& to, const StandinGlobal& from, StandinTile stage, bool atomic_add) {
  for (int d = 0; d < 5; ++d) {
    if (to.shape[d] != from.shape[d]) misuse("a put between views of different shapes");
  }
  if (row_count(from) == 0 || from.shape[4] == 0) return;
  if (stage.valid_rows < 1 || stage.valid_cols < 1) misuse("a put through an empty tile");
  const bool fits = row_count(from) <= stage.valid_rows && from.shape[4] <= stage.valid_cols;
  const int64_t rows_at_once = fits ? row_count(from) : stage.valid_rows;
  const int64_t cols_at_once = fits ? from.shape[4] : stage.valid_cols;
  if (!fits && row_count(from) != 1) misuse("a put of several rows that are larger than its tile");
  if (fits && (rows_at_once != stage.valid_rows || cols_at_once != stage.valid_cols)) {
    misuse("a put of " + std::to_string(rows_at_once) + " x " + std::to_string(cols_at_once) +
           " through a tile of valid shape " + std::to_string(stage.valid_rows) + " x " +
           std::to_string(stage.valid_cols));
  }
  const uint64_t size = size_of_type(stage.type);
  for (int64_t at = 0; at < from.shape[4]; at += cols_at_once) {
    StandinGlobal source = from;
    StandinGlobal target = to;
    const int64_t n = from.shape[4] - at < cols_at_once ? from.shape[4] - at : cols_at_once;
    source.address += static_cast<uint64_t>(at) * size;
    target.address += static_cast<uint64_t>(at) * size;
    source.shape[4] = target.shape[4] = stage.valid_cols = n;
    load(stage, source);
    constexpr int32_t kOwnEvent = 1000;  // not one of the kernel's
    check(pipes_.set_flag(kLoadPipe, kStorePipe, kOwnEvent));
    check(pipes_.wait_flag(kLoadPipe, kStorePipe, kOwnEvent));
    store(target, stage, atomic_add);
    check(pipes_.set_flag(kStorePipe, kLoadPipe, kOwnEvent));
    check(pipes_.wait_flag(kStorePipe, kLoadPipe, kOwnEvent));
  }
}

Block::Place Block::cell(uint64_t address) {
  if (address % 4 != 0) misuse("a signal that is not aligned to 4 bytes");
  return place(address, 4, true, "a signal");
}

void Block::notify(uint64_t address, int32_t value, bool set) {
  give_way(Doing::kNotify);
  const Place at = cell(address);
  const ReleaseRef passed_on = release();
  const Access access{activity_, Agent::kAtomic, ++atomics_};
  const Viewer view = viewer(Agent::kAtomic);
  touch(at, 4, set ? Touch::kWrite : Touch::kAtomic, access, view);
  if (set) {  // the line goes back as a whole
    const uint64_t line = at.offset / kLine * kLine;
    const uint64_t end = line + kLine < at.store->size ? line + kLine : at.store->size;
    touch({at.store, line}, at.offset - line, Touch::kBack, access, view);
    touch({at.store, at.offset + 4}, end - at.offset - 4, Touch::kBack, access, view);
  }
  const World::InFlight atomic{at.store, at.offset, value, set, passed_on};
  if (world_.schedule_.happens_now()) {
    world_.perform(atomic);
  } else {
    if (in_flight_.empty()) world_.in_flight_.push_back(this);
    in_flight_.push_back(atomic);
  }
}

bool Block::satisfied(const StandinGlobal& cells, int32_t value, int32_t compare, std::vector<Place>& places,
                      int* first) {
  places.clear();
  for (int64_t row = 0; row < row_count(cells); ++row) {
    for (int64_t col = 0; col < cells.shape[4]; ++col) {
      const int64_t offset = row_offset(cells, row) + col * cells.stride[4];
      places.push_back(cell(cells.address + static_cast<uint64_t>(offset) * 4));
      int32_t have;
      std::memcpy(&have, places.back().store->data + places.back().offset, 4);
      if (holds(have, value, compare)) continue;
      *first = have;
      return false;
    }
  }
  return true;
}

// What the cell has taken is now known; a plain write of it must be among that.
void Block::check_waited(const Place& at) {
  for (const ReleaseRef& from : world_.word(*at.store, at.offset).releases) acquire(from);
  at.store->visit(at.offset, at.offset + 4, [&](uint64_t begin, uint64_t end, Store::Cell& word) {
    if (over(word.writer, viewer(Agent::kScalar))) return;
    world_.complain(ProblemKind::kUnorderedAccess, world_.names_[static_cast<size_t>(activity_)] + " waits on " +
                                                       where(*at.store, begin, end) + " that " +
                                                       world_.names_[static_cast<size_t>(word.writer.activity)] +
                                                       " writes, and nothing orders the two");
    throw Stopped{};
  });
}

void Block::wait(const StandinGlobal& cells, int32_t value, int32_t compare) {
  give_way(Doing::kWait);
  std::vector<Place> places;
  int32_t have = 0;
  while (!satisfied(cells, value, compare, places, &have)) {
    const Place& at = places.back();
    waits_for_ =
        where(*at.store, at.offset, at.offset + 4) + " to be " + kCompare[compare] + " " + std::to_string(value);
    world_.word(*at.store, at.offset).waiters.push_back(this);
    if (NamedBytes* buffer = at.store->buffer_at(at.offset)) buffer->signal = true;
    suspend(State::kWaiting);
  }
  ++waits_;
  for (const Place& at : places) {
    if (NamedBytes* buffer = at.store->buffer_at(at.offset)) buffer->signal = true;
    check_waited(at);
  }
}

bool Block::test(const StandinGlobal& cells, int32_t value, int32_t compare) {
  give_way(Doing::kWait);
  std::vector<Place> places;
  int32_t have = 0;
  if (!satisfied(cells, value, compare, places, &have)) return false;
  for (const Place& at : places) check_waited(at);
  return true;
}

void Block::set_flag(int32_t from, int32_t to, int32_t event) {
  flush();
  if (from < 0 || from > 4 || to < 0 || to > 4 || kPipeOfLibrary[from] < 0 || kPipeOfLibrary[to] < 0) {
    misuse("set_flag of a pipe that a vector kernel has not");
  }
  check(pipes_.set_flag(kPipeOfLibrary[from], kPipeOfLibrary[to], event));
}

void Block::wait_flag(int32_t from, int32_t to, int32_t event) {
  flush();
  if (from < 0 || from > 4 || to < 0 || to > 4 || kPipeOfLibrary[from] < 0 || kPipeOfLibrary[to] < 0) {
    misuse("wait_flag of a pipe that a vector kernel has not");
  }
  tick();
  check(pipes_.wait_flag(kPipeOfLibrary[from], kPipeOfLibrary[to], event));
}

void Block::pipe_barrier(int32_t pipe) {
  flush();
  tick();
  constexpr int32_t kAll = 6;
  if (pipe != kAll && (pipe < 0 || pipe > 7 || kPipeOfLibrary[pipe] < 0)) {
    misuse("pipe_barrier of a pipe that a vector kernel has not");
  }
  pipes_.barrier(pipe == kAll ? -1 : kPipeOfLibrary[pipe]);
}

void Block::fence() {
  flush();
  tick();
  stores_visible_ = pipes_.known(0)[kStorePipe];
  atomics_fenced_ = atomics_;
  while (!in_flight_.empty()) {
    const size_t i = world_.schedule_.pick(in_flight_.size());
    const World::InFlight atomic = in_flight_[i];
    in_flight_.erase(in_flight_.begin() + static_cast<std::ptrdiff_t>(i));
    world_.perform(atomic);
  }
}

// Stores of the kernel reach the view after scalar() has returned; here they go to memory and into the cache's books.
void Block::flush() {
  for (const Stored& stored : stored_) {
    std::memcpy(stored.place.store->data + stored.place.offset, reinterpret_cast<const void*>(stored.address),
                stored.bytes);
  }
  stored_.clear();
}

void Block::scalar(uint64_t address, uint64_t bytes, bool write) {
  if (!world_.space_.holds(address)) return;
  give_way(Doing::kMove);
  tick();
  const Place at = place(address, bytes, write, write ? "a scalar store" : "a scalar load");
  if (write) {
    touch(at, bytes, Touch::kWrite, {activity_, Agent::kCached, 0}, viewer(Agent::kCached));
    stored_.push_back({address, bytes, at});
    for (uint64_t line = at.offset / kLine * kLine; line < at.offset + bytes; line += kLine) {
      dirty_[reinterpret_cast<uint64_t>(at.store->data) + line] = {at.store, line};
    }
    return;
  }
  touch(at, bytes, Touch::kRead, {activity_, Agent::kScalar, now_}, viewer(Agent::kScalar));
  check_fresh(at, bytes);
  std::memcpy(reinterpret_cast<void*>(address), at.store->data + at.offset, bytes);
}

// A dirty line goes to memory as a whole; its stores are visible after the next fence.
void Block::clean(Store& store, uint64_t line) {
  const uint64_t end = line + kLine < store.size ? line + kLine : store.size;
  const Access access{activity_, Agent::kAtomic, ++atomics_};
  std::vector<Range> untouched;
  store.visit(line, end, [&](uint64_t begin, uint64_t until, Store::Cell& cell) {
    if (cell.writer.activity == activity_ && cell.writer.agent == Agent::kCached) {
      cell.writer = access;
    } else {
      untouched.push_back({begin, until});
    }
  });
  for (const Range& range : untouched) {
    touch({&store, range.begin}, range.end - range.begin, Touch::kBack, access, viewer(Agent::kAtomic));
  }
}

void Block::cache(const volatile void* at, bool whole) {
  flush();
  tick();
  const Pipes::Done& known = pipes_.known(0);
  const Invalidated now{release(), {known[kLoadPipe], known[kStorePipe], atomics_fenced_}};
  if (whole) {
    for (const auto& [address, line] : dirty_) clean(*line.store, line.offset);
    dirty_.clear();
    all_lines_ = now;
    lines_.clear();
    return;
  }
  const auto address = reinterpret_cast<uint64_t>(at);
  if (!world_.space_.holds(address)) return;
  const Region* region = world_.space_.find(address);
  if (region == nullptr) misuse("dcci outside every buffer and window");
  const uint64_t offset = (address - region->begin) / kLine * kLine;
  const uint64_t line = reinterpret_cast<uint64_t>(region->store->data) + offset;
  const auto dirty = dirty_.find(line);
  if (dirty != dirty_.end()) {
    clean(*region->store, offset);
    dirty_.erase(dirty);
  }
  lines_[line / kLine] = now;
}

}  // namespace standin::ranks

namespace {

// Kernels are left without unwinding: the compiler takes the calls that instrumentation inserts for ones that do not
// throw.
template <typename F>
void instruct(const F& f) {
  standin::ranks::Block* block = standin::ranks::current_block();
  if (block == nullptr) standin_abort("an instruction outside of a block");
  try {
    f(*block);
  } catch (const standin::ranks::Stopped&) {
    block->abandon();
  }
}

}  // namespace

using standin::ranks::Block;

extern "C" {
void standin_misuse(const char* why) {
  instruct([&](Block& block) { block.misuse(why); });
  standin_abort("unreachable");
}
void standin_load(const StandinTile* tile, const StandinGlobal* from) {
  instruct([&](Block& block) { block.load(*tile, *from); });
}
void standin_store(const StandinGlobal* to, const StandinTile* tile, int32_t atomic_add) {
  instruct([&](Block& block) { block.store(*to, *tile, atomic_add != 0); });
}
void standin_binary(int32_t op, const StandinTile* dst, const StandinTile* a, const StandinTile* b, double scalar) {
  instruct([&](Block& block) { block.binary(op, *dst, *a, b, scalar); });
}
void standin_fill(const StandinTile* dst, double value) {
  instruct([&](Block& block) { block.fill_tile(*dst, value); });
}
void standin_convert(const StandinTile* dst, const StandinTile* src, int32_t mode) {
  instruct([&](Block& block) { block.convert_tile(*dst, *src, mode); });
}
void standin_copy_through(const StandinGlobal* to, const StandinGlobal* from, const StandinTile* stage,
                          int32_t atomic_add) {
  instruct([&](Block& block) { block.copy_through(*to, *from, *stage, atomic_add != 0); });
}
void standin_notify(uint64_t cell, int32_t value, int32_t set) {
  instruct([&](Block& block) { block.notify(cell, value, set != 0); });
}
void standin_wait(const StandinGlobal* cells, int32_t value, int32_t compare) {
  instruct([&](Block& block) { block.wait(*cells, value, compare); });
}
int32_t standin_test(const StandinGlobal* cells, int32_t value, int32_t compare) {
  bool holds = false;
  instruct([&](Block& block) { holds = block.test(*cells, value, compare); });
  return holds ? 1 : 0;
}
void standin_set_flag(int32_t from, int32_t to, int32_t event) {
  instruct([&](Block& block) { block.set_flag(from, to, event); });
}
void standin_wait_flag(int32_t from, int32_t to, int32_t event) {
  instruct([&](Block& block) { block.wait_flag(from, to, event); });
}
void standin_pipe_barrier(int32_t pipe) {
  instruct([&](Block& block) { block.pipe_barrier(pipe); });
}
void standin_fence() {
  instruct([&](Block& block) { block.fence(); });
}
void standin_cache(const volatile void* line, int32_t whole) {
  instruct([&](Block& block) { block.cache(line, whole != 0); });
}
}  // extern "C"
