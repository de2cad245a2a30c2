// SPDX-License-Identifier: Apache-2.0
// Runs submitted tasks in a random permitted order and looks at what their kernels touch.
#include <algorithm>
#include <exception>

#include "intrinsic.h"
#include "standin/session.h"

namespace standin {

bool holds(const CoreTaskPredicate& predicate, int64_t value) {
  switch (predicate.op) {
    case PredicateOp::EQ:
      return value == predicate.target;
    case PredicateOp::NE:
      return value != predicate.target;
    case PredicateOp::GT:
      return value > predicate.target;
    case PredicateOp::LT:
      return value < predicate.target;
    case PredicateOp::GE:
      return value >= predicate.target;
    case PredicateOp::LE:
      return value <= predicate.target;
    default:
      return true;
  }
}

// Each step starts a ready task or ends a running one, all with equal chance.
void Session::drive(const std::function<bool()>& until) {
  while (!until()) {
    const size_t choices = ready_.size() + running_.size();
    if (choices == 0) return;
    const size_t pick = random_() % choices;
    auto& from = pick < ready_.size() ? ready_ : running_;
    const size_t at = pick < ready_.size() ? pick : pick - ready_.size();
    const bool starts = &from == &ready_;
    const int node = from[at];
    from[at] = from.back();
    from.pop_back();
    if (starts) {
      start(node);
    } else {
      finish(node);
    }
  }
}

void Session::wait_for(const std::vector<int>& nodes) {
  if (executor_ != nullptr) {
    executor_->wait_for(nodes);
    resumed();
    return;
  }
  drive([&] {
    return std::all_of(nodes.begin(), nodes.end(), [&](int n) { return nodes_[static_cast<size_t>(n)].done; });
  });
}

void Session::start(int number) {
  Node& node = nodes_[static_cast<size_t>(number)];
  result_.start_order.push_back(node.task);
  node.ran = node.kind == NodeKind::kTask && predicate_holds(number);
  result_.tasks[static_cast<size_t>(node.task)].ran = node.ran;
  if (node.ran && random_() % 2 == 0) execute(number);
  running_.push_back(number);
}

void Session::finish(int number) {
  Node& node = nodes_[static_cast<size_t>(number)];
  if (node.ran && !node.executed) execute(number);
  node.done = true;
  for (int follower : node.followers) {
    Node& next = nodes_[static_cast<size_t>(follower)];
    if (--next.unfinished == 0 && !next.done) ready_.push_back(follower);
  }
}

bool Session::predicate_holds(int number) {
  const Node& node = nodes_[static_cast<size_t>(number)];
  if (!node.predicate) return true;
  const auto& operand = node.predicate->operand;
  const uint64_t at = element_in_buffer(node.predicate_tensor, operand.ndims, operand.indices);
  const uint64_t size = get_element_size(node.predicate_tensor.dtype);
  read(number, at, at + size);
  uint64_t bits = 0;
  std::memcpy(&bits, reinterpret_cast<const void*>(at), size);
  const uint64_t sign = uint64_t{1} << (size * 8 - 1);
  const int64_t value = static_cast<int64_t>((bits ^ sign) - sign);
  return holds(*node.predicate, value);
}

void Session::execute(int number) {
  Node& node = nodes_[static_cast<size_t>(number)];
  node.executed = true;
  std::string failure;
  memory_.begin_record();
  try {
    call_kernels(node);
  } catch (const Aborted& aborted) {
    failure = aborted.why;
  } catch (const std::exception& error) {
    failure = error.what();
  }
  const std::vector<Access> accesses = memory_.end_record();
  if (!failure.empty()) complain(ProblemKind::kKernelFailed, number, 0, 0, describe(number) + " failed: " + failure);
  check_accesses(number, accesses);
}

void Session::call_kernels(Node& node) {
  std::vector<int32_t> blocks;
  for (int32_t b = 0; b < node.width; ++b) blocks.push_back(b);
  for (size_t i = blocks.size(); i > 1; --i) std::swap(blocks[i - 1], blocks[random_() % i]);
  const int32_t slots[] = {node.kernels.aic_kernel_id, node.kernels.aiv0_kernel_id, node.kernels.aiv1_kernel_id};
  for (int32_t block : blocks) {
    for (int slot = 0; slot < 3; ++slot) {
      if (slots[slot] < 0 || static_cast<size_t>(slots[slot]) >= program_.kernels.size()) continue;
      std::vector<ChipTensor> tensors = node.tensors;  // a kernel may not change another's descriptors
      LocalContext local{block, node.width};
      GlobalContext global{slot == 2 ? 1 : 0};
      int64_t args[STANDIN_KERNEL_ARGS] = {};
      size_t next = 0;
      for (ChipTensor& t : tensors) args[next++] = reinterpret_cast<int64_t>(&t);
      for (uint64_t scalar : node.scalars) args[next++] = static_cast<int64_t>(scalar);
      args[STANDIN_LOCAL_CONTEXT] = reinterpret_cast<int64_t>(&local);
      args[STANDIN_GLOBAL_CONTEXT] = reinterpret_cast<int64_t>(&global);
      KernelCall call(memory_, args, tensors, node.scalars, block, node.width, global.sub_block_id);
      const Kernel& kernel = program_.kernels[static_cast<size_t>(slots[slot])];
      if (kernel.body) kernel.body(call);
    }
  }
}

void Session::check_accesses(int number, const std::vector<Access>& accesses) {
  const Node& node = nodes_[static_cast<size_t>(number)];
  std::vector<Range> all;
  std::vector<Range> writable;
  for (size_t i = 0; i < node.tensors.size(); ++i) {
    const std::vector<Range> ranges = byte_ranges(node.tensors[i]);
    all.insert(all.end(), ranges.begin(), ranges.end());
    if (node.tags[i] != TensorArgType::INPUT) writable.insert(writable.end(), ranges.begin(), ranges.end());
  }
  join(all);
  join(writable);
  for (const Access& access : accesses) {
    for (uint64_t begin = access.begin; begin < access.end;) {
      const Buffer* buffer = memory_.find(begin);
      const uint64_t end = std::min(access.end, memory_.piece_end(begin));
      const std::string what = describe(number) + (access.writes ? " writes " : " reads ") + place(begin, end);
      if (buffer == nullptr || (config_.stay_within_arguments && !contains(all, begin, end))) {
        complain(ProblemKind::kOutsideArguments, number, 0, buffer == nullptr ? 0 : buffer->begin,
                 what + ", which is no argument of it");
      } else if (access.writes && config_.stay_within_arguments && !contains(writable, begin, end)) {
        complain(ProblemKind::kDirection, number, 0, buffer->begin, what + ", which it was given as an input");
      } else if (access.writes && buffer->input) {
        complain(ProblemKind::kDirection, number, 1, buffer->begin, what + ", which the caller passed in as IN");
      }
      if (buffer != nullptr && access.reads) read(number, begin, end);
      if (buffer != nullptr && access.writes) write(number, begin, end);
      begin = end;
    }
  }
}

void Session::read(int node, uint64_t begin, uint64_t end) {
  shadow_.read(
      begin, end, node,
      [&](uint64_t b, uint64_t e, int other, bool) {
        complain(ProblemKind::kUnorderedAccess, node, other, memory_.find(b)->begin,
                 describe(node) + " reads " + place(b, e) + " that " + describe(other) +
                     " writes, and no dependency orders them");
      },
      [&](uint64_t b, uint64_t e) {
        complain(ProblemKind::kUnwrittenRead, node, 0, memory_.find(b)->begin,
                 describe(node) + " reads " + place(b, e) + ", which nothing wrote before");
      });
}

void Session::write(int node, uint64_t begin, uint64_t end) {
  shadow_.write(begin, end, node, [&](uint64_t b, uint64_t e, int other, bool other_wrote) {
    complain(ProblemKind::kUnorderedAccess, node, other, memory_.find(b)->begin,
             describe(node) + " writes " + place(b, e) + " that " + describe(other) +
                 (other_wrote ? " writes" : " reads") + ", and no dependency orders them");
  });
}

}  // namespace standin
