// SPDX-License-Identifier: Apache-2.0
// Windows, tasks and comparison of one scenario.
#include "scenario.h"

#include <algorithm>
#include <memory>

#include "data.h"
#include "ranks/arith.h"

namespace collectives {
namespace {

using standin::ranks::BlockCall;
using standin::ranks::BufferSpec;
using standin::ranks::size_of_type;
using standin::ranks::TaskSpec;
using standin::ranks::World;

uint64_t up64(uint64_t bytes) {
  return (bytes + 63) / 64 * 64;
}

// The buffers of one step and what each rank put into and found in them.
struct Placed {
  const Step* step;
  std::string target;
  std::string input;  // the target's name where the operator has no separate input
  std::string signal;
  std::string sends;
  std::string receives;
  std::vector<uint32_t> target_shape;
  std::vector<uint32_t> input_shape;
  std::vector<uint32_t> signal_shape;
  std::vector<std::vector<Bytes>> inputs;                 // [call][rank]
  std::vector<std::vector<Bytes>> found;                  // targets
  std::vector<std::vector<std::vector<int32_t>>> counts;  // likewise, of recv_counts
};

class Runner {
 public:
  Runner(const Scenario& scenario, uint64_t seed) : scenario_(scenario) {
    standin::ranks::WorldConfig config;
    config.ranks = scenario.ranks;
    config.seed = seed;
    config.aiv_cores = scenario.aiv_cores;
    config.move_data = scenario.move_data;
    config.max_operations = scenario.max_operations;
    world_ = std::make_unique<World>(config);
  }

  Outcome run() {
    place();
    for (int rank = 0; rank < scenario_.ranks; ++rank) add_tasks(rank);
    world_->run();
    Outcome outcome;
    for (const standin::Problem& problem : world_->problems()) outcome.wrong += problem.text + "\n";
    if (world_->ok() && !world_->stopped_early() && scenario_.move_data) outcome.wrong = compare();
    if (!outcome.wrong.empty()) outcome.wrong = "(" + world_->schedule().text() + ") " + outcome.wrong;
    outcome.bytes_out = world_->bytes_out();
    outcome.operations = world_->operations();
    return outcome;
  }

 private:
  void place();
  void add_tasks(int rank);
  int add_call(int rank, int call, Placed& placed, int previous);
  std::string compare() const;
  std::string compare(const Placed& placed, int call, int rank) const;

  const Scenario& scenario_;
  std::unique_ptr<World> world_;
  std::vector<Placed> placed_;
  int domain_ = 0;
};

uint32_t u32(int64_t value) {
  return static_cast<uint32_t>(value);
}

void Runner::place() {
  std::vector<BufferSpec> buffers;
  const auto add = [&](const std::string& name, uint64_t bytes) { buffers.push_back({name, bytes, up64(bytes)}); };
  const int64_t ranks = scenario_.ranks;
  for (size_t i = 0; i < scenario_.steps.size(); ++i) {
    const Step& step = scenario_.steps[i];
    const std::string suffix = std::to_string(i);
    Placed p;
    p.step = &step;
    p.target = "target" + suffix;
    const uint64_t size = size_of_type(step.variant.type);
    add(p.target, static_cast<uint64_t>(received(step, scenario_.ranks)) * size);
    const bool rows = step.variant.op == Op::kReduceScatter || step.variant.op >= Op::kAllgather;
    const int64_t per_rank = step.variant.counts() ? kRowsPerPeer : 1;
    p.target_shape =
        rows ? std::vector<uint32_t>{u32(ranks * per_rank), u32(step.size)} : std::vector<uint32_t>{u32(step.size)};
    p.input = p.target;
    if (step.variant.op >= Op::kAllgather) {
      p.input = "input" + suffix;
      add(p.input, static_cast<uint64_t>(contributed(step, scenario_.ranks)) * size);
      p.input_shape = p.target_shape;
      if (step.variant.op == Op::kAllgather) p.input_shape[0] = 1;
      if (step.variant.op == Op::kIndexed) p.input_shape[0] = u32(input_rows(scenario_.ranks));
    }
    const int lanes = blocks_of(step, scenario_.ranks) + scenario_.stride_slack;
    p.signal_shape = {u32(ranks), u32(lanes)};
    if (step.variant.op == Op::kRing) p.signal_shape = {u32(2 * (ranks - 1) + 1), u32(ranks)};
    if (lanes == 1 && i % 2 == 0 && step.variant.op != Op::kRing) p.signal_shape = {u32(ranks)};
    if (step.shares_signal && i > 0) {
      p.signal = placed_.back().signal;
      p.signal_shape = placed_.back().signal_shape;
    } else {
      p.signal = "signal" + suffix;
      uint64_t cells = 1;
      for (uint32_t extent : p.signal_shape) cells *= extent;
      add(p.signal, cells * 4);
    }
    if (step.variant.counts()) {
      p.sends = "sends" + suffix;
      p.receives = "receives" + suffix;
      add(p.sends, static_cast<uint64_t>(ranks) * 4);
      add(p.receives, static_cast<uint64_t>(ranks) * 4);
    }
    const auto calls = static_cast<size_t>(scenario_.calls);
    p.inputs.resize(calls);
    p.found.assign(calls, std::vector<Bytes>(static_cast<size_t>(ranks)));
    p.counts.assign(calls, std::vector<std::vector<int32_t>>(static_cast<size_t>(ranks)));
    for (int call = 0; call < scenario_.calls && scenario_.move_data; ++call) {
      for (int rank = 0; rank < scenario_.ranks; ++rank) {
        p.inputs[static_cast<size_t>(call)].push_back(input_of(step, scenario_, call, rank));
      }
    }
    placed_.push_back(std::move(p));
  }
  std::vector<int> workers;
  for (int rank = 0; rank < scenario_.ranks; ++rank) workers.push_back(rank);
  domain_ = world_->add_domain("comm_d0", workers, buffers);
}

int Runner::add_call(int rank, int call, Placed& p, int previous) {
  const Step& step = *p.step;
  const DataType dtype = data_type(step.variant.type);
  const ChipTensor target = world_->window_tensor(domain_, rank, p.target, p.target_shape, dtype);
  const bool separate = p.input != p.target;
  const ChipTensor input = separate ? world_->window_tensor(domain_, rank, p.input, p.input_shape, dtype) : target;
  const ChipTensor signal = world_->window_tensor(domain_, rank, p.signal, p.signal_shape, DataType::INT32);
  const auto at = [&](auto& table) -> auto& {
    return table[static_cast<size_t>(call)][static_cast<size_t>(rank)];
  };
  const bool counted = step.variant.counts();
  const bool indexed = step.variant.op == Op::kIndexed;
  const bool is_barrier = step.variant.op == Op::kBarrier;
  const auto ranks = static_cast<uint32_t>(scenario_.ranks);
  ChipTensor sends{};
  ChipTensor receives{};
  if (counted) {
    sends = world_->window_tensor(domain_, rank, p.sends, {ranks}, DataType::INT32);
    receives = world_->window_tensor(domain_, rank, p.receives, {ranks, 1}, DataType::INT32);
  }
  ChipTensor index{};
  if (indexed) {  // both may lie outside of windows
    const std::string suffix = " of call " + std::to_string(call);
    receives = world_->local_tensor(rank, "receives" + suffix, {ranks, 1}, DataType::INT32, nullptr);
    const std::vector<int32_t> rows = index_of(step, scenario_.ranks, rank);
    index = world_->local_tensor(rank, "index" + suffix, {u32(static_cast<int64_t>(rows.size()))}, DataType::INT32,
                                 rows.data());
  }
  const auto add = [&](TaskSpec spec) {
    spec.rank = rank;
    if (previous >= 0) spec.after = {previous};
    previous = world_->add_task(std::move(spec));
  };
  const std::string call_text = " of call " + std::to_string(call);

  TaskSpec publish;
  publish.name = "publish" + call_text;
  publish.tensors = {input};
  if (counted) publish.tensors.push_back(sends);
  const Scenario& scenario = scenario_;
  publish.body = [&p, &scenario, input, sends, call, rank, counted](BlockCall& block) {
    if (scenario.move_data) {
      const Bytes& bytes = p.inputs[static_cast<size_t>(call)][static_cast<size_t>(rank)];
      if (!bytes.empty()) block.write(input.buffer.addr, bytes.data(), bytes.size());
    }
    std::vector<int32_t> counts;
    for (int dest = 0; counted && dest < scenario.ranks; ++dest) {
      counts.push_back(count_of(*p.step, scenario, call, rank, dest));
    }
    if (counted) block.write(sends.buffer.addr, counts.data(), counts.size() * 4);
  };
  add(std::move(publish));

  TaskSpec collective;
  collective.name = step.variant.name() + call_text;
  if (separate) collective.tensors.push_back(input);
  if (!is_barrier) collective.tensors.push_back(target);
  collective.tensors.push_back(signal);
  collective.tags.assign(collective.tensors.size(), TensorArgType::INOUT);
  if (separate) collective.tags[0] = TensorArgType::INPUT;
  if (counted) {
    collective.tensors.insert(collective.tensors.end(), {sends, receives});
    collective.tags.insert(collective.tags.end(), {TensorArgType::INPUT, TensorArgType::INOUT});
  }
  if (indexed) {
    collective.tensors.push_back(index);
    collective.tags.push_back(TensorArgType::INPUT);
  }
  collective.scalars = {world_->context(domain_, rank)};
  collective.blocks = blocks_of(step, scenario_.ranks);
  collective.sync_start = collective.blocks > 1;
  collective.body = step.kernel;
  add(std::move(collective));

  TaskSpec consume;
  consume.name = "consume" + call_text;
  consume.tensors = {target};
  if (counted) consume.tensors.push_back(receives);
  consume.tags.assign(consume.tensors.size(), TensorArgType::INPUT);
  Bytes& found = at(p.found);
  std::vector<int32_t>& counts = at(p.counts);
  uint64_t from = target.buffer.addr;
  if (is_barrier) {  // the barrier moves nothing: its reader looks at the right neighbour's window
    const auto* context = reinterpret_cast<const CommContext*>(world_->context(domain_, rank));
    from = context->windowsIn[(rank + 1) % scenario_.ranks] + (from - context->windowsIn[rank]);
  }
  consume.body = [&found, &counts, &scenario, from, target, receives, counted](BlockCall& block) {
    if (scenario.move_data) {
      found.resize(target.buffer.size);
      if (!found.empty()) block.read(from, found.data(), found.size());
    }
    counts.resize(counted ? static_cast<size_t>(scenario.ranks) : 0);
    if (counted) block.read(receives.buffer.addr, counts.data(), counts.size() * 4);
  };
  add(std::move(consume));

  // a barrier says nothing of what comes after its readers: another one keeps the next call's writers away
  if (is_barrier) {
    TaskSpec again;
    again.name = step.variant.name() + " after the readers" + call_text;
    again.tensors = {signal};
    again.scalars = {world_->context(domain_, rank)};
    again.body = step.kernel;
    add(std::move(again));
  }
  return previous;
}

void Runner::add_tasks(int rank) {
  int previous = -1;
  for (int call = 0; call < scenario_.calls; ++call) {
    for (Placed& placed : placed_) previous = add_call(rank, call, placed, previous);
  }
}

std::string Runner::compare(const Placed& p, int call, int rank) const {
  const Expected expected = expected_of(*p.step, scenario_, call, rank, p.inputs[static_cast<size_t>(call)]);
  const Bytes& found = p.found[static_cast<size_t>(call)][static_cast<size_t>(rank)];
  const std::string who = p.step->variant.name() + ", call " + std::to_string(call) + ", rank " + std::to_string(rank);
  for (size_t i = 0; i < expected.target.size(); ++i) {
    if (found[i] == expected.target[i] || (!expected.defined.empty() && !expected.defined[i])) continue;
    return who + ": element " + std::to_string(i / size_of_type(p.step->variant.type)) + " of the target is wrong";
  }
  const auto& counts = p.counts[static_cast<size_t>(call)][static_cast<size_t>(rank)];
  for (size_t source = 0; source < expected.counts.size(); ++source) {
    if (counts[source] == expected.counts[source]) continue;
    return who + ": recv_counts[" + std::to_string(source) + "] is " + std::to_string(counts[source]) + ", not " +
           std::to_string(expected.counts[source]);
  }
  return "";
}

std::string Runner::compare() const {
  for (const Placed& placed : placed_) {
    for (int call = 0; call < scenario_.calls; ++call) {
      for (int rank = 0; rank < scenario_.ranks; ++rank) {
        std::string wrong = compare(placed, call, rank);
        if (!wrong.empty()) return wrong;
      }
    }
  }
  return "";
}

}  // namespace

int blocks_of(const Step& step, int ranks) {
  if (step.variant.op == Op::kAllToAllV) return step.core_num < ranks ? step.core_num : step.core_num / ranks * ranks;
  return step.variant.has_blocks() ? step.core_num : 1;
}

uint64_t least_bytes_out(const Step& step, int ranks, int call, uint64_t data_seed) {
  const uint64_t row = static_cast<uint64_t>(step.size) * size_of_type(step.variant.type);
  const auto p = static_cast<uint64_t>(ranks);
  switch (step.variant.op) {
    case Op::kAllreduce:
    case Op::kRing:
      return 2 * (p - 1) * row / p;
    case Op::kBarrier:
      return 0;
    case Op::kAllToAllV:
    case Op::kIndexed: {
      Scenario scenario;
      scenario.ranks = ranks;
      scenario.data_seed = data_seed;
      uint64_t most = 0;
      for (int source = 0; source < ranks; ++source) {
        uint64_t rows = 0;
        for (int dest = 0; dest < ranks; ++dest) {
          if (dest != source) rows += static_cast<uint64_t>(clamped(count_of(step, scenario, call, source, dest)));
        }
        most = std::max(most, rows * row);
      }
      return most;
    }
    default:
      return (p - 1) * row;
  }
}

Outcome run_scenario(const Scenario& scenario, uint64_t seed) {
  return Runner(scenario, seed).run();
}

std::string run_schedules(const Scenario& scenario, uint64_t first, int count) {
  for (int i = 0; i < count; ++i) {
    const uint64_t seed = first + static_cast<uint64_t>(i);
    const Outcome outcome = run_scenario(scenario, seed);
    if (!outcome.wrong.empty()) return "seed " + std::to_string(seed) + " " + outcome.wrong;
  }
  return "";
}

}  // namespace collectives
