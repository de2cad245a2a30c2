// SPDX-License-Identifier: Apache-2.0
// Single elements that the orchestration reads and writes itself, and the life of the memory that it names.
#include <cstring>

#include "standin/session.h"

namespace standin {

uint64_t Session::element_in_buffer(const ChipTensor& tensor, uint32_t ndims, const uint32_t indices[]) {
  const uint64_t at = element_address(tensor, ndims, indices);
  if (executor_ != nullptr) return at;
  const Buffer* buffer = memory_.find(at);
  if (buffer == nullptr || buffer != memory_.find(tensor.buffer.addr)) throw Aborted{"an element outside its buffer"};
  return at;
}

std::vector<int> Session::producers(const ChipTensor& tensor) {
  std::vector<int> found = writers_.find(tensor, false);
  const int maker = node_of(tensor.owner_task_id);
  if (maker >= 0) found.push_back(maker);
  return found;
}

uint64_t Session::get_data(const ChipTensor& tensor, uint32_t ndims, const uint32_t indices[]) {
  if (is_fatal()) return 0;
  check_alive(tensor, "get_tensor_data");
  const std::vector<int> waited = producers(tensor);
  wait_for(waited);
  const int node = add_host_node("get_tensor_data", waited);
  const uint64_t at = element_in_buffer(tensor, ndims, indices);
  const uint64_t size = get_element_size(tensor.dtype);
  uint64_t bits = 0;
  if (executor_ != nullptr) {
    executor_->access(at, &bits, size, false);
    resumed();
    return bits;
  }
  read(node, at, at + size);
  std::memcpy(&bits, reinterpret_cast<const void*>(at), size);
  return bits;
}

void Session::set_data(const ChipTensor& tensor, uint32_t ndims, const uint32_t indices[], uint64_t bits) {
  if (is_fatal()) return;
  check_alive(tensor, "set_tensor_data");
  std::vector<int> waited = producers(tensor);
  const size_t direct = waited.size();
  for (size_t i = 0; i < direct; ++i) {
    const std::vector<int>& keepers = nodes_[static_cast<size_t>(waited[i])].keepers;
    waited.insert(waited.end(), keepers.begin(), keepers.end());
  }
  wait_for(waited);
  const int node = add_host_node("set_tensor_data", waited);
  const uint64_t at = element_in_buffer(tensor, ndims, indices);
  const uint64_t size = get_element_size(tensor.dtype);
  if (executor_ != nullptr) {
    executor_->access(at, &bits, size, true);
    resumed();
    return;
  }
  write(node, at, at + size);
  std::memcpy(reinterpret_cast<void*>(at), &bits, size);
}

// A tensor of an allocation whose scope is over has no business in a submit: its descriptor is gone.
void Session::check_alive(const ChipTensor& tensor, const std::string& user) {
  const Buffer* buffer = memory_.find(tensor.buffer.addr);
  if (buffer == nullptr || buffer->maker < 0) return;
  if (!scope_ends_[static_cast<size_t>(buffer->scope)].ended) return;
  complain(ProblemKind::kLifetime, static_cast<int>(nodes_.size()), buffer->maker, buffer->begin,
           user + " uses `" + buffer->name + "` after the scope of its allocation has ended");
}

// Statically, for every permitted order: a task that touches an allocation must keep it alive itself, come before a
// task that does, or be done before the scope ends; or nobody may be given the memory after that.
void Session::check_lifetimes() {
  for (int number : tasks_) {
    const Node& user = nodes_[static_cast<size_t>(number)];
    for (const ChipTensor& tensor : user.tensors) {
      const Buffer* buffer = memory_.find(tensor.buffer.addr);
      if (buffer == nullptr || buffer->maker < 0 || buffer->maker == number) continue;
      const ScopeEnd& end = scope_ends_[static_cast<size_t>(buffer->scope)];
      if (!end.ended || memory_.buffers().size() == end.buffers) continue;
      bool alive = false;
      for (int keeper : nodes_[static_cast<size_t>(buffer->maker)].keepers) {
        alive = alive || keeper == number || graph_.before(number, keeper);
      }
      for (int n = 0; !alive && n < end.nodes; ++n) {
        const NodeKind kind = nodes_[static_cast<size_t>(n)].kind;
        alive = (kind == NodeKind::kHost || kind == NodeKind::kAlloc) && graph_.before(number, n);
      }
      if (alive) continue;
      complain(ProblemKind::kLifetime, number, buffer->maker, buffer->begin,
               describe(number) + " uses `" + buffer->name +
                   "`, whose scope ends and whose memory a later allocation may take: nothing keeps it alive");
    }
  }
}

}  // namespace standin
