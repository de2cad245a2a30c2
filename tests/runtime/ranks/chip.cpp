// SPDX-License-Identifier: Apache-2.0
// Sessions whose tasks are tasks of the world.
#include "ranks/chip.h"

#include <algorithm>

#include "ranks/block.h"
#include "ranks/kernels.h"
#include "standin/kernel_config.h"
#include "standin/session.h"

namespace standin::ranks {
namespace {

// Reads every byte of what is read and writes every byte of what is written, with values that depend on all that was
// read.
Body mixing(const std::vector<Direction>& signature) {
  return [signature](BlockCall& call) {
    if (call.index != 0) return;
    uint64_t state = 1;
    const auto each = [&](size_t i, bool write) {
      const auto& tensor = *reinterpret_cast<const ChipTensor*>(call.args[i]);
      for (const Range& range : byte_ranges(tensor)) {
        std::vector<unsigned char> bytes(range.end - range.begin);
        if (!write) call.read(range.begin, bytes.data(), bytes.size());
        for (unsigned char& byte : bytes) {
          state = (state ^ (write ? 0 : byte)) * 0x100000001B3u + 1;
          if (write) byte = static_cast<unsigned char>(state >> 40);
        }
        if (write) call.write(range.begin, bytes.data(), bytes.size());
      }
    };
    for (size_t i = 0; i < signature.size(); ++i) {
      if (signature[i] != Direction::kOut) each(i, false);
    }
    for (size_t i = 0; i < signature.size(); ++i) {
      if (signature[i] != Direction::kIn) each(i, true);
    }
  };
}

class ChipRun : public Executor {
 public:
  ChipRun(BlockCall& call, const ChipProgram& chip, std::string name)
      : call_(call), chip_(chip), name_(std::move(name)), session_(chip.program, config_of(call), this) {}

  void run(const std::vector<ChipTensor>& tensors, const std::vector<uint64_t>& scalars) {
    ChipTaskArgs args;
    for (const ChipTensor& tensor : tensors) args.add_input(tensor);
    for (uint64_t scalar : scalars) args.add_scalar(scalar);
    try {
      session_.run_entry(args, tensors.size() + scalars.size());
    } catch (const Aborted& aborted) {
      call_.world.complain(ProblemKind::kAbort, name_ + ": " + aborted.why);
    }
    for (const Problem& problem : session_.result().problems) {
      call_.world.complain(problem.kind,
                           name_ + " on rank " + std::to_string(call_.block.rank()) + ": " + problem.text);
    }
    if (session_.result().problems.empty()) wait_for(session_.tasks());
  }

  uint64_t allocate(const std::string& name, uint64_t bytes) override {
    const auto count = static_cast<uint32_t>(bytes);
    return call_.world.local_tensor(call_.block.rank(), name_ + " " + name, {count}, DataType::UINT8, nullptr)
        .buffer.addr;
  }

  void access(uint64_t address, void* data, uint64_t bytes, bool write) override {
    call_.block.direct(address, data, bytes, write);
  }

  void wait_for(const std::vector<int>& nodes) override {
    std::vector<int> tasks;
    for (int node : nodes) {
      if (task_of(node) >= 0) tasks.push_back(task_of(node));
    }
    call_.world.wait_for_tasks(call_.block, tasks);
  }

  void submitted(int number) override {
    const Node& node = session_.node(number);
    TaskSpec spec;
    spec.rank = call_.block.rank();
    spec.name = node.name;
    spec.tensors = node.tensors;
    spec.tags = node.tags;
    spec.scalars = node.scalars;
    spec.blocks = node.width;
    spec.sync_start = node.sync_start;
    spec.on_core = node.kind == NodeKind::kTask;
    spec.body = body_of(node);
    for (int before : node.waits_for) {
      if (task_of(before) >= 0) spec.after.push_back(task_of(before));
    }
    spec.at_end = [this, number] { session_.done(number); };
    tasks_.resize(static_cast<size_t>(number) + 1, -1);
    tasks_[static_cast<size_t>(number)] = call_.world.add_task(std::move(spec));
  }

 private:
  static Config config_of(const BlockCall& call) {
    Config config;
    config.aiv_cores = call.world.config().aiv_cores;
    config.clusters = std::max(config.aiv_cores / 2, 1);
    return config;
  }

  int task_of(int node) const {
    return static_cast<size_t>(node) < tasks_.size() ? tasks_[static_cast<size_t>(node)] : -1;
  }

  Body body_of(const Node& node) const {
    if (node.kind != NodeKind::kTask) return [](BlockCall&) {};
    std::vector<Body> parts;
    for (int32_t id : {node.kernels.aic_kernel_id, node.kernels.aiv0_kernel_id, node.kernels.aiv1_kernel_id}) {
      if (id >= 0 && static_cast<size_t>(id) < chip_.bodies.size())
        parts.push_back(chip_.bodies[static_cast<size_t>(id)]);
    }
    if (!node.predicate) {
      return [parts](BlockCall& call) {
        for (const Body& part : parts) part(call);
      };
    }
    const CoreTaskPredicate predicate = *node.predicate;
    const ChipTensor tensor = node.predicate_tensor;
    return [parts, predicate, tensor](BlockCall& call) {
      const uint64_t at = element_address(tensor, predicate.operand.ndims, predicate.operand.indices);
      const uint64_t size = get_element_size(tensor.dtype);
      uint64_t bits = 0;
      call.block.unlimited([&] { call.read(at, &bits, size); });
      const uint64_t sign = uint64_t{1} << (size * 8 - 1);
      if (!holds(predicate, static_cast<int64_t>((bits ^ sign) - sign))) return;
      for (const Body& part : parts) part(call);
    };
  }

  BlockCall& call_;
  const ChipProgram& chip_;
  std::string name_;
  Session session_;
  std::vector<int> tasks_;  // of the world, by node
};

}  // namespace

ChipProgram load_chip(const std::filesystem::path& folder, const std::vector<std::string>& mixed) {
  ChipProgram chip;
  const auto file = folder / "kernel_config.py";
  const KernelConfig config = parse_kernel_config(read_text(file), folder);
  if (!config.error.empty()) {
    chip.error = file.string() + ": " + config.error;
    return chip;
  }
  chip.signature = config.signature;
  CompileOptions options;
  // the two targets call the width of a launch by different names
  if (read_text(config.orchestration).find("launch_spec.set_core_num(") != std::string::npos)
    options.flags.push_back("-DSTANDIN_A5");
  Loaded loaded = load_cached_orchestration(config.orchestration, options);
  chip.error = loaded.error;
  chip.program = loaded.program;
  for (const KernelEntry& entry : config.kernels) {
    if (!chip.error.empty()) return chip;
    chip.program.kernels.push_back({entry.name, entry.core, entry.signature, {}});
    if (std::find(mixed.begin(), mixed.end(), entry.name) != mixed.end()) {
      chip.bodies.push_back(mixing(entry.signature));
      continue;
    }
    LoadedKernel kernel = load_kernel(entry.source);
    chip.error = kernel.error;
    chip.bodies.push_back(kernel.body);
  }
  return chip;
}

void run_chip(BlockCall& call, const ChipProgram& chip, const std::string& name, const std::vector<ChipTensor>& tensors,
              const std::vector<uint64_t>& scalars) {
  // what is submitted refers to the run, which therefore lives as long as the world
  auto run = std::make_shared<ChipRun>(call, chip, name);
  call.world.keep(run);
  run->run(tensors, scalars);
}

}  // namespace standin::ranks
