// SPDX-License-Identifier: Apache-2.0
// What the orchestration asks for: scopes, allocations, tasks and their dependencies.
#include <algorithm>

#include "standin/session.h"

// Reads the width whatever the platform calls it.
int16_t standin_width(const PTO2LaunchSpec& spec) {
  return spec.width_;
}

namespace standin {
namespace {

constexpr int32_t kInvalidArguments = 5;
constexpr int32_t kSyncStartTooWide = 7;

void sort_unique(std::vector<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

bool Session::in_manual_scope() const {
  return std::any_of(scopes_.begin(), scopes_.end(), [](const Scope& s) { return s.manual; });
}

void Session::begin_scope(PTO2ScopeMode mode) {
  if (is_fatal()) return;
  if (mode == PTO2ScopeMode::AUTO && in_manual_scope()) {
    report_fatal(kInvalidArguments, "an automatic scope inside a manual one");
    return;
  }
  scopes_.push_back({mode == PTO2ScopeMode::MANUAL, static_cast<int>(scope_ends_.size())});
  scope_ends_.push_back({});
}

void Session::end_scope() {
  if (is_fatal() || scopes_.empty()) return;
  ScopeEnd& end = scope_ends_[static_cast<size_t>(scopes_.back().number)];
  end = {true, static_cast<int>(nodes_.size()), memory_.buffers().size()};
  scopes_.pop_back();
}

int Session::node_of(PTO2TaskId id) const {
  return id.raw < nodes_.size() ? static_cast<int>(id.raw) : -1;
}

int Session::add_node(Node node) {
  sort_unique(node.waits_for);
  sort_unique(node.keeps_alive);
  std::vector<int> before = node.waits_for;
  before.push_back(last_host_);
  const int number = nodes_.empty() ? graph_.add({}) : graph_.add(before);
  for (int p : node.waits_for) {
    Node& producer = nodes_[static_cast<size_t>(p)];
    if (producer.done) continue;
    producer.followers.push_back(number);
    ++node.unfinished;
  }
  for (int maker : node.keeps_alive) nodes_[static_cast<size_t>(maker)].keepers.push_back(number);
  nodes_.push_back(std::move(node));
  return number;
}

int Session::add_host_node(std::string name, const std::vector<int>& waits_for) {
  Node node;
  node.kind = NodeKind::kHost;
  node.name = std::move(name);
  node.waits_for = waits_for;
  node.done = true;
  last_host_ = add_node(std::move(node));
  return last_host_;
}

std::optional<ChipTensor> Session::make_tensor(const TensorCreateInfo& info, std::string name, int maker) {
  uint64_t count = 1;
  for (uint32_t d = 0; d < info.ndims; ++d) count *= info.shapes[d];
  const uint64_t element = get_element_size(info.dtype);
  ChipTensor t{};
  if (executor_ != nullptr) {
    t.buffer = {executor_->allocate(name, count * element), count * element};
    resumed();
  } else {
    const auto index = memory_.allocate(count * element, std::move(name), maker);
    if (!index) {
      complain(ProblemKind::kResources, maker, 0, 0, "the device memory of the stand-in is full");
      return std::nullopt;
    }
    Buffer& buffer = memory_.buffer(*index);
    buffer.scope = scopes_.back().number;
    t.buffer = {buffer.begin, buffer.size};
  }
  t.owner_task_id = PTO2TaskId{static_cast<uint64_t>(maker)};
  t.ndims = info.ndims;
  t.dtype = info.dtype;
  t.manual_dep = info.manual_dep;
  t.is_contiguous = true;
  t.extent_elem_cache = count;
  uint32_t stride = 1;
  for (uint32_t d = info.ndims; d-- > 0;) {
    t.shapes[d] = info.shapes[d];
    t.strides[d] = stride;
    stride *= info.shapes[d];
  }
  for (uint64_t i = 0; info.has_initial_value && i < count; ++i) {
    const uint64_t at = t.buffer.addr + i * element;
    uint64_t value = info.initial_value;
    if (executor_ != nullptr) {
      executor_->access(at, &value, element, true);
      resumed();
    } else {
      std::memcpy(reinterpret_cast<void*>(at), &value, element);
    }
  }
  if (executor_ == nullptr) {
    shadow_.add_buffer(t.buffer.addr, t.buffer.size, info.has_initial_value ? maker : Shadow::kNobody);
  }
  return t;
}

TaskOutputTensors Session::alloc(const TensorCreateInfo* const infos[], uint32_t count) {
  TaskOutputTensors outputs;
  if (is_fatal()) return outputs;
  if (count > static_cast<uint32_t>(config_.max_task_tensors)) {
    report_fatal(kInvalidArguments, "alloc_tensors: too many tensors in one call");
    return outputs;
  }
  const int number = static_cast<int>(nodes_.size());
  Node node;
  node.kind = NodeKind::kAlloc;
  node.name = "allocation " + std::to_string(number);
  node.done = true;
  for (uint32_t i = 0; i < count; ++i) {
    auto made = make_tensor(*infos[i], node.name + "." + std::to_string(i), number);
    if (!made) throw Aborted{"out of device memory"};
    node.tensors.push_back(*made);
  }
  last_host_ = add_node(std::move(node));
  outputs.set_task_id(PTO2TaskId{static_cast<uint64_t>(number)});
  for (const ChipTensor& t : nodes_.back().tensors) outputs.materialize_output(t);
  return outputs;
}

TaskOutputTensors Session::submit(const MixedKernels& kernels, const CoreTaskArgs& args) {
  if (is_fatal()) return {};
  const bool any = kernels.aic_kernel_id != INVALID_KERNEL_ID || kernels.aiv0_kernel_id != INVALID_KERNEL_ID ||
                   kernels.aiv1_kernel_id != INVALID_KERNEL_ID;
  if (!any && !args.has_error) throw Aborted{"a submit without a kernel"};
  return add_task(NodeKind::kTask, kernels, args);
}

TaskOutputTensors Session::submit_dummy(const CoreTaskArgs& args) {
  if (is_fatal()) return {};
  return add_task(NodeKind::kDummy, MixedKernels{}, args);
}

TaskOutputTensors Session::add_task(NodeKind kind, const MixedKernels& kernels, const CoreTaskArgs& args) {
  TaskOutputTensors outputs;
  if (args.has_error || args.tensor_count() > config_.max_task_tensors ||
      args.scalar_count() > config_.max_task_scalars) {
    report_fatal(kInvalidArguments, args.has_error ? args.error_msg : "too many arguments of a task");
    return outputs;
  }
  const int number = static_cast<int>(nodes_.size());
  Node node;
  node.kind = kind;
  node.kernels = kernels;
  node.task = static_cast<int>(tasks_.size());
  if (kind == NodeKind::kTask) {
    node.width = standin_width(args.launch_spec);
    node.sync_start = args.launch_spec.require_sync_start();
    if (node.width < 1) throw Aborted{"a launch of less than one block"};
    const bool vector_only =
        kernels.aic_kernel_id == INVALID_KERNEL_ID &&
        (kernels.aiv0_kernel_id == INVALID_KERNEL_ID || kernels.aiv1_kernel_id == INVALID_KERNEL_ID);
    const int32_t limit = vector_only ? config_.aiv_cores : config_.clusters;
    if (node.sync_start && node.width > 1 && node.width > limit) {
      report_fatal(kSyncStartTooWide, "a sync-start launch of " + std::to_string(node.width) + " blocks on " +
                                          std::to_string(limit) + " cores");
      return outputs;
    }
    name_kernels(node, args.tensor_count());
    if (args.predicate().op != PredicateOp::NONE && args.predicate().operand.tensor != nullptr) {
      node.predicate = args.predicate();
      node.predicate_tensor = *args.predicate().operand.tensor;
    }
  }
  outputs.set_task_id(PTO2TaskId{static_cast<uint64_t>(number)});
  if (!take_dependencies(args, node)) return outputs;
  derive_dependencies(args, node);
  if (node.name.empty()) node.name = "dummy";
  if (!take_arguments(args, number, node)) throw Aborted{"out of device memory"};

  TaskRecord record;
  record.name = node.name;
  record.tags = node.tags;
  record.scalars = node.scalars;
  record.width = node.width;
  record.sync_start = node.sync_start;
  add_node(std::move(node));
  Node& added = nodes_.back();
  for (int p : added.waits_for) {
    const int task = nodes_[static_cast<size_t>(p)].task;
    if (task >= 0) record.depends_on.push_back(task);
  }
  for (size_t i = 0; i < added.tags.size(); ++i) {
    if (added.tags[i] == TensorArgType::OUTPUT) outputs.materialize_output(added.tensors[i]);
  }
  result_.tasks.push_back(std::move(record));
  tasks_.push_back(number);
  if (executor_ != nullptr) {
    executor_->submitted(number);
    resumed();
  } else if (added.unfinished == 0) {
    ready_.push_back(number);
  }
  if (config_.in_order) wait_for({number});
  return outputs;
}

bool Session::take_dependencies(const CoreTaskArgs& args, Node& node) {
  for (uint32_t i = 0; i < args.explicit_dep_count(); ++i) {
    const int dependency = node_of(args.explicit_dep(i));
    if (dependency < 0) {
      report_fatal(kInvalidArguments, "set_dependencies: an id of no task");
      return false;
    }
    node.waits_for.push_back(dependency);
    node.keeps_alive.push_back(dependency);
  }
  return true;
}

// writers.h has the table that this follows. All look-ups come before all registrations, so that a task never waits for
// itself.
void Session::derive_dependencies(const CoreTaskArgs& args, Node& node) {
  if (in_manual_scope()) return;
  for (int32_t i = 0; i < args.tensor_count(); ++i) {
    const TensorArgType tag = args.tag(i);
    if (tag == TensorArgType::OUTPUT) continue;
    const ChipTensor& tensor = args.tensor(i).ref();
    const int maker = node_of(tensor.owner_task_id);
    if (maker >= 0) {
      node.waits_for.push_back(maker);
      node.keeps_alive.push_back(maker);
    }
    if (tensor.manual_dep || (tag != TensorArgType::INPUT && tag != TensorArgType::INOUT)) continue;
    const std::vector<int> found = writers_.find(tensor, tag == TensorArgType::INOUT);
    node.waits_for.insert(node.waits_for.end(), found.begin(), found.end());
  }
  const int number = static_cast<int>(nodes_.size());
  for (int32_t i = 0; i < args.tensor_count(); ++i) {
    const TensorArgType tag = args.tag(i);
    if (tag != TensorArgType::INOUT && tag != TensorArgType::OUTPUT_EXISTING) continue;
    if (!args.tensor(i).ref().manual_dep) writers_.add(args.tensor(i).ref(), number);
  }
}

bool Session::take_arguments(const CoreTaskArgs& args, int number, Node& node) {
  int made = 0;
  for (int32_t i = 0; i < args.tensor_count(); ++i) {
    node.tags.push_back(args.tag(i));
    if (args.tag(i) != TensorArgType::OUTPUT) {
      check_alive(args.tensor(i).ref(), "`" + node.name + "` (task " + std::to_string(node.task) + ")");
      node.tensors.push_back(args.tensor(i).ref());
      continue;
    }
    std::string name = "output " + std::to_string(made++) + " of task " + std::to_string(node.task);
    auto tensor = make_tensor(args.tensor(i).create_info(), std::move(name), number);
    if (!tensor) return false;
    node.tensors.push_back(*tensor);
  }
  for (int32_t j = 0; j < args.scalar_count(); ++j) node.scalars.push_back(args.scalar(j));
  return true;
}

// Names the task after its kernels and compares the submit with the kernel table.
void Session::name_kernels(Node& node, int32_t tensor_count) {
  int32_t previous = INVALID_KERNEL_ID;
  const auto take = [&](int32_t id, CoreType core) {
    if (id == INVALID_KERNEL_ID) return;
    const std::string who = "task " + std::to_string(node.task);
    if (id < 0 || static_cast<size_t>(id) >= program_.kernels.size()) {
      complain(ProblemKind::kKernelTable, node.task, id, 0,
               who + " names func_id " + std::to_string(id) + ", no kernel");
      return;
    }
    const Kernel& kernel = program_.kernels[static_cast<size_t>(id)];
    if (id != previous) node.name += (node.name.empty() ? "" : "+") + kernel.name;
    previous = id;
    if (kernel.core != core) {
      complain(ProblemKind::kKernelTable, node.task, id, 1,
               who + " starts `" + kernel.name + "` on the wrong kind of core");
    }
    if (kernel.signature.size() != static_cast<size_t>(tensor_count)) {
      complain(ProblemKind::kKernelTable, node.task, id, 2,
               who + " gives `" + kernel.name + "` " + std::to_string(tensor_count) + " tensors, its signature has " +
                   std::to_string(kernel.signature.size()));
    }
  };
  take(node.kernels.aic_kernel_id, CoreType::kAic);
  take(node.kernels.aiv0_kernel_id, CoreType::kAiv);
  take(node.kernels.aiv1_kernel_id, CoreType::kAiv);
}

}  // namespace standin
