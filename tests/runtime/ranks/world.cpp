// SPDX-License-Identifier: Apache-2.0
// Domains, windows and device memory of the ranks.
#include "ranks/world.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "ranks/block.h"

namespace standin::ranks {
namespace {

ChipTensor packed_tensor(uint64_t address, uint64_t bytes, const std::vector<uint32_t>& shape, DataType dtype) {
  ChipTensor t{};
  t.buffer = {address, bytes};
  t.owner_task_id = PTO2TaskId::invalid();
  t.ndims = static_cast<uint32_t>(shape.size());
  t.dtype = dtype;
  t.is_contiguous = true;
  uint64_t count = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    t.shapes[d] = shape[d];
    t.strides[d] = static_cast<uint32_t>(count);
    count *= shape[d];
  }
  t.extent_elem_cache = count;
  return t;
}

}  // namespace

World::World(const WorldConfig& config) : config_(config), schedule_(config.seed, config.ranks) {
  const auto ranks = static_cast<size_t>(config.ranks);
  free_cores_.assign(ranks, config.aiv_cores);
  tasks_started_.assign(ranks, 0);
  exclusive_.assign(ranks, 0);
  bytes_out_.assign(ranks, 0);
  slots_of_rank_.resize(ranks);
}

World::~World() = default;

void World::complain(ProblemKind kind, const std::string& text) {
  problems_.push_back({kind, text});
  stopping_ = true;
}

size_t World::position(const Domain& domain, int worker) const {
  const auto found = std::find(domain.workers.begin(), domain.workers.end(), worker);
  if (found == domain.workers.end()) throw std::invalid_argument("`" + domain.name + "` has no such worker");
  return static_cast<size_t>(found - domain.workers.begin());
}

int World::add_domain(const std::string& name, const std::vector<int>& workers,
                      const std::vector<BufferSpec>& buffers) {
  Domain domain;
  domain.name = name;
  domain.workers = workers;
  domain.buffers = buffers;
  uint64_t size = 0;
  for (const BufferSpec& buffer : buffers) size += buffer.slot_bytes;
  const int64_t space = next_space_++;
  for (int worker : workers) {
    Store* store = space_.add_store(worker, space, size, kInitial);
    uint64_t at = 0;
    for (const BufferSpec& buffer : buffers) {
      store->buffers.push_back({buffer.name, at, at + buffer.bytes});
      at += buffer.slot_bytes;
    }
    domain.windows.push_back(store);
  }
  for (size_t viewer = 0; viewer < workers.size(); ++viewer) {
    domain.seen_at.emplace_back();
    for (Store* window : domain.windows) domain.seen_at.back().push_back(space_.add_view(workers[viewer], window));
    auto context = std::make_unique<CommContext>();
    context->rankId = static_cast<uint32_t>(viewer);
    context->rankNum = static_cast<uint32_t>(workers.size());
    context->winSize = size;
    for (size_t owner = 0; owner < workers.size() && owner < COMM_MAX_RANK_NUM; ++owner) {
      context->windowsIn[owner] = context->windowsOut[owner] = domain.seen_at[viewer][owner];
    }
    domain.contexts.push_back(std::move(context));
  }
  domains_.push_back(std::move(domain));
  return static_cast<int>(domains_.size()) - 1;
}

uint64_t World::buffer_offset(const Domain& domain, const std::string& buffer, uint64_t* bytes) const {
  uint64_t at = 0;
  for (const BufferSpec& b : domain.buffers) {
    if (b.name == buffer) {
      *bytes = b.bytes;
      return at;
    }
    at += b.slot_bytes;
  }
  throw std::invalid_argument("`" + domain.name + "` has no buffer `" + buffer + "`");
}

ChipTensor World::window_tensor(int domain, int worker, const std::string& buffer, const std::vector<uint32_t>& shape,
                                DataType dtype) {
  const Domain& d = domain_of(domain);
  const size_t at = position(d, worker);
  uint64_t bytes = 0;
  const uint64_t offset = buffer_offset(d, buffer, &bytes);
  return packed_tensor(d.seen_at[at][at] + offset, bytes, shape, dtype);
}

uint64_t World::context(int domain, int worker) const {
  const Domain& d = domain_of(domain);
  return reinterpret_cast<uint64_t>(d.contexts[position(d, worker)].get());
}

std::vector<unsigned char> World::window_bytes(int domain, int worker, const std::string& buffer) const {
  const Domain& d = domain_of(domain);
  uint64_t bytes = 0;
  const uint64_t offset = buffer_offset(d, buffer, &bytes);
  const unsigned char* at = d.windows[position(d, worker)]->data + offset;
  return std::vector<unsigned char>(at, at + bytes);
}

void World::fill_window(int domain, int worker, const std::string& buffer, const std::vector<unsigned char>& bytes) {
  const Domain& d = domain_of(domain);
  uint64_t size = 0;
  const uint64_t offset = buffer_offset(d, buffer, &size);
  if (bytes.size() > size) throw std::invalid_argument("more bytes than `" + buffer + "` has");
  if (!bytes.empty()) std::memcpy(d.windows[position(d, worker)]->data + offset, bytes.data(), bytes.size());
}

ChipTensor World::local_tensor(int rank, const std::string& name, const std::vector<uint32_t>& shape, DataType dtype,
                               const void* initial) {
  uint64_t bytes = get_element_size(dtype);
  for (uint32_t extent : shape) bytes *= extent;
  Store* store = space_.add_store(rank, next_space_++, bytes, initial == nullptr ? kNobody : kInitial);
  store->buffers.push_back({name, 0, bytes});
  if (initial != nullptr && bytes != 0) std::memcpy(store->data, initial, bytes);
  return packed_tensor(space_.add_view(rank, store), bytes, shape, dtype);
}

std::vector<unsigned char> World::local_bytes(const ChipTensor& tensor) {
  const Region* region = space_.find(tensor.buffer.addr);
  if (region == nullptr) return {};
  const unsigned char* at = region->store->data + (tensor.buffer.addr - region->begin);
  return std::vector<unsigned char>(at, at + tensor.buffer.size);
}

// Which offsets of which memory the task's blocks may touch: their arguments, and the same place on every peer.
void World::set_allowed(Task& task) {
  for (size_t i = 0; i < task.spec.tensors.size(); ++i) {
    const ChipTensor& tensor = task.spec.tensors[i];
    const Region* region = space_.find(tensor.buffer.addr);
    const std::vector<Range> ranges = byte_ranges(tensor);
    if (region == nullptr) {
      if (!ranges.empty()) complain(ProblemKind::kOutsideArguments, task.spec.name + ": a tensor outside every buffer");
      continue;
    }
    for (const Range& range : ranges) {
      const Range offsets{range.begin - region->begin, range.end - region->begin};
      const NamedBytes* buffer = region->store->buffer_at(offsets.begin);
      if (buffer == nullptr || offsets.end > buffer->end) {
        complain(ProblemKind::kOutsideArguments, task.spec.name + ": tensor " + std::to_string(i) +
                                                     " is larger than its buffer" +
                                                     (buffer == nullptr ? "" : " `" + buffer->name + "`"));
        return;
      }
      task.readable[region->store->space].push_back(offsets);
      const bool input = i < task.spec.tags.size() && task.spec.tags[i] == TensorArgType::INPUT;
      if (!input) task.writable[region->store->space].push_back(offsets);
    }
  }
  for (auto& [space, ranges] : task.readable) join(ranges);
  for (auto& [space, ranges] : task.writable) join(ranges);
}

}  // namespace standin::ranks
