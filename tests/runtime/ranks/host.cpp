// SPDX-License-Identifier: Apache-2.0
// Runs a record: each dispatch is a task of its worker that copies in, runs its chip program and copies out.
#include "ranks/host.h"

#include <algorithm>

#include "ranks/block.h"
#include "ranks/host_python.h"
#include "standin/regions.h"

namespace standin::ranks {
namespace {

bool writes(TensorArgType tag) {
  return tag != TensorArgType::INPUT && tag != TensorArgType::NO_DEP;
}
bool looks_up(TensorArgType tag) {
  return tag == TensorArgType::INPUT || tag == TensorArgType::INOUT;
}

uint64_t bytes_of(const HostTensorArg& tensor) {
  uint64_t bytes = get_element_size(tensor.dtype);
  for (uint32_t extent : tensor.shape) bytes *= extent;
  return bytes;
}

// The tensor with its gaps, at address 0.
ChipTensor strided(const HostTensorArg& tensor) {
  ChipTensor t{};
  t.owner_task_id = PTO2TaskId::invalid();
  t.dtype = tensor.dtype;
  t.ndims = static_cast<uint32_t>(tensor.shape.size());
  t.is_contiguous = true;
  t.extent_elem_cache = 1;
  uint64_t count = 1;
  for (size_t d = tensor.shape.size(); d-- > 0;) {
    t.shapes[d] = tensor.shape[d];
    t.strides[d] = tensor.strides[d];
    t.is_contiguous = t.is_contiguous && tensor.strides[d] == count;
    count *= tensor.shape[d];
    t.extent_elem_cache += (uint64_t{tensor.shape[d]} - 1) * tensor.strides[d];
  }
  if (count == 0) t.extent_elem_cache = 0;
  return t;
}

// From the first byte to the last one, gaps included.
uint64_t bytes_reached(const HostTensorArg& tensor) {
  return strided(tensor).extent_elem_cache * get_element_size(tensor.dtype);
}

// The pieces of one run that outlive its tasks.
class HostRun {
 public:
  HostRun(const HostRecord& record, const std::map<std::string, ChipProgram>& chips, uint64_t seed, int aiv_cores)
      : record_(record), chips_(chips), world_(config_of(record, seed, aiv_cores)) {
    for (const HostDomain& domain : record.domains) {
      domains_.push_back(world_.add_domain(domain.name, domain.workers, domain.buffers));
    }
    for (const HostStorage& storage : record.storages) {
      Store* store = world_.space().add_store(-1, world_.new_space(), storage.bytes.size(), kInitial);
      store->buffers.push_back({storage.name, 0, storage.bytes.size()});
      if (!storage.bytes.empty()) std::memcpy(store->data, storage.bytes.data(), storage.bytes.size());
      host_.push_back(store);
    }
  }

  HostResult run() {
    for (const HostDispatch& dispatch : record_.dispatches) add(dispatch);
    world_.run();
    HostResult result;
    for (const Problem& problem : world_.problems()) result.wrong += problem.text + "\n";
    if (!result.wrong.empty()) result.wrong = "(" + world_.schedule().text() + ") " + result.wrong;
    for (const auto& [name, storage] : record_.arguments) {
      const Store* store = host_[static_cast<size_t>(storage)];
      result.tensors[name].assign(store->data, store->data + store->size);
    }
    result.bytes_out = world_.bytes_out();
    return result;
  }

 private:
  static WorldConfig config_of(const HostRecord& record, uint64_t seed, int aiv_cores) {
    WorldConfig config;
    config.ranks = record.world_size;
    config.seed = seed;
    config.aiv_cores = aiv_cores;
    return config;
  }

  // Bytes of a storage and the last task that writes them.
  struct Written {
    uint64_t begin;
    uint64_t end;
    int task;
  };

  void look_up(const HostTensorArg& tensor, std::vector<int>& tasks) const {
    const auto written = writers_.find(tensor.storage);
    if (written == writers_.end()) return;
    const uint64_t end = tensor.offset + bytes_reached(tensor);
    for (const Written& w : written->second) {
      if (w.begin < end && tensor.offset < w.end) tasks.push_back(w.task);
    }
  }
  void register_writer(const HostTensorArg& tensor, int task) {
    const Written now{tensor.offset, tensor.offset + bytes_reached(tensor), task};
    std::vector<Written>& written = writers_[tensor.storage];
    const auto is_covered = [&](const Written& w) { return now.begin <= w.begin && w.end <= now.end; };
    written.erase(std::remove_if(written.begin(), written.end(), is_covered), written.end());
    written.push_back(now);
  }

  void add(const HostDispatch& dispatch) {
    TaskSpec spec;
    spec.rank = dispatch.worker;
    spec.name = dispatch.sub ? "sub worker " + dispatch.callable : dispatch.callable;
    spec.on_core = false;
    spec.exclusive = !dispatch.sub;
    if (dispatch.worker < 0 || dispatch.worker >= record_.world_size) {
      world_.complain(ProblemKind::kArguments, spec.name + ": no worker " + std::to_string(dispatch.worker));
      return;
    }
    for (const HostTensorArg& tensor : dispatch.tensors) {
      if (!tensor.window && looks_up(tensor.tag)) look_up(tensor, spec.after);
    }
    spec.body = [this, &dispatch](BlockCall& call) {
      if (dispatch.sub) {
        run_sub(call, dispatch);
      } else {
        run_dispatch(call, dispatch);
      }
    };
    const int task = world_.add_task(std::move(spec));
    for (const HostTensorArg& tensor : dispatch.tensors) {
      if (!tensor.window && writes(tensor.tag)) register_writer(tensor, task);
    }
  }

  ChipTensor window(BlockCall& call, const HostDispatch& dispatch, const HostTensorArg& tensor) {
    if (tensor.owner != dispatch.worker) {
      world_.complain(ProblemKind::kOutsideArguments,
                      dispatch.callable + " on worker " + std::to_string(dispatch.worker) + " is given `" +
                          tensor.buffer + "` as worker " + std::to_string(tensor.owner) + " sees it");
      throw Stopped{};
    }
    (void)call;
    return world_.window_tensor(domains_[static_cast<size_t>(tensor.domain)], tensor.owner, tensor.buffer, tensor.shape,
                                tensor.dtype);
  }

  // The elements of a host tensor, in device memory of the worker; not copied when the program only writes it.
  ChipTensor staged(BlockCall& call, const HostDispatch& dispatch, size_t number, bool copied) {
    const HostTensorArg& tensor = dispatch.tensors[number];
    ChipTensor made = strided(tensor);
    std::vector<unsigned char> bytes(made.extent_elem_cache * get_element_size(tensor.dtype));
    for (const Range& range : byte_ranges(made)) {
      if (!copied) break;
      call.block.direct_at(host_of(tensor), tensor.offset + range.begin, &bytes[range.begin], range.end - range.begin,
                           false);
    }
    const auto reached = static_cast<uint32_t>(made.extent_elem_cache);
    made.buffer = world_
                      .local_tensor(dispatch.worker, "host tensor " + std::to_string(number), {reached}, tensor.dtype,
                                    copied ? bytes.data() : nullptr)
                      .buffer;
    return made;
  }

  void copy_back(BlockCall& call, const HostTensorArg& tensor, const ChipTensor& device) {
    for (const Range& range : byte_ranges(device)) {
      std::vector<unsigned char> bytes(range.end - range.begin);
      call.read(range.begin, bytes.data(), bytes.size());
      call.block.direct_at(host_of(tensor), tensor.offset + (range.begin - device.buffer.addr), bytes.data(),
                           bytes.size(), true);
    }
  }

  void run_dispatch(BlockCall& call, const HostDispatch& dispatch) {
    const ChipProgram& chip = chips_.at(dispatch.callable);
    std::vector<ChipTensor> tensors;
    for (size_t i = 0; i < dispatch.tensors.size(); ++i) {
      const HostTensorArg& tensor = dispatch.tensors[i];
      const bool copied = i >= chip.signature.size() || chip.signature[i] != Direction::kOut;
      tensors.push_back(tensor.window ? window(call, dispatch, tensor) : staged(call, dispatch, i, copied));
    }
    std::vector<uint64_t> scalars;
    for (const HostScalarArg& scalar : dispatch.scalars) {
      scalars.push_back(scalar.context ? world_.context(domains_[static_cast<size_t>(scalar.domain)], scalar.owner)
                                       : scalar.value);
    }
    run_chip(call, chip, dispatch.callable, tensors, scalars);
    for (size_t i = 0; i < chip.signature.size() && i < tensors.size(); ++i) {
      const HostTensorArg& tensor = dispatch.tensors[i];
      if (!tensor.window && chip.signature[i] != Direction::kIn) copy_back(call, tensor, tensors[i]);
    }
  }

  // A sub worker gets the elements without gaps.
  void run_sub(BlockCall& call, const HostDispatch& dispatch) {
    SubCall sub{record_.folder, dispatch.callable, {}, {}};
    for (const HostScalarArg& scalar : dispatch.scalars) sub.scalars.push_back(scalar.value);
    for (const HostTensorArg& tensor : dispatch.tensors) {
      SubTensor given{tensor.dtype, tensor.shape, std::vector<unsigned char>(bytes_of(tensor))};
      copy_elements(call, tensor, given.bytes, false);
      sub.tensors.push_back(std::move(given));
    }
    const std::string error = run_sub_worker(sub);
    if (!error.empty()) {
      world_.complain(ProblemKind::kKernelFailed, "sub worker " + dispatch.callable + ": " + error);
      throw Stopped{};
    }
    for (size_t i = 0; i < dispatch.tensors.size(); ++i) {
      if (writes(dispatch.tensors[i].tag)) copy_elements(call, dispatch.tensors[i], sub.tensors[i].bytes, true);
    }
  }

  // Between the host tensor and `packed`, which has its elements one after the other.
  void copy_elements(BlockCall& call, const HostTensorArg& tensor, std::vector<unsigned char>& packed, bool write) {
    uint64_t at = 0;
    for (const Range& range : byte_ranges(strided(tensor))) {
      const uint64_t bytes = range.end - range.begin;
      call.block.direct_at(host_of(tensor), tensor.offset + range.begin, &packed[at], bytes, write);
      at += bytes;
    }
  }

  Store& host_of(const HostTensorArg& tensor) { return *host_[static_cast<size_t>(tensor.storage)]; }

  const HostRecord& record_;
  const std::map<std::string, ChipProgram>& chips_;
  World world_;
  std::vector<int> domains_;
  std::vector<Store*> host_;
  std::map<int, std::vector<Written>> writers_;  // by storage
};

}  // namespace

HostArgument host_scalar(std::string name, int64_t value) {
  HostArgument argument{std::move(name), DataType::INT64, {}, std::vector<unsigned char>(8), true};
  std::memcpy(argument.bytes.data(), &value, 8);
  return argument;
}

HostProgram::HostProgram(HostRecord record, const std::vector<std::string>& mixed) : record_(std::move(record)) {
  if (!record_.error.empty()) return;
  for (const HostDispatch& dispatch : record_.dispatches) {
    if (dispatch.sub || chips_.count(dispatch.callable) != 0) continue;
    ChipProgram chip = load_chip(record_.folder / "next_levels" / dispatch.callable, mixed);
    if (!chip.error.empty()) {
      record_.error = dispatch.callable + ": " + chip.error;
      return;
    }
    chips_.emplace(dispatch.callable, std::move(chip));
  }
}

HostResult HostProgram::run(uint64_t seed, int aiv_cores) const {
  return HostRun(record_, chips_, seed, aiv_cores).run();
}

std::string run_host_tree(const std::filesystem::path& folder, int world_size,
                          const std::vector<HostArgument>& arguments, int seeds, const HostCheck& check,
                          const std::vector<std::string>& mixed) {
  const HostProgram program(record_host(folder, world_size, arguments), mixed);
  if (!program.error().empty()) return program.error();
  for (int seed = 0; seed < seeds; ++seed) {
    const HostResult result = program.run(static_cast<uint64_t>(seed));
    const std::string wrong = !result.wrong.empty() ? result.wrong : check ? check(result) : "";
    if (!wrong.empty()) return "seed " + std::to_string(seed) + " " + wrong;
  }
  return "";
}

}  // namespace standin::ranks
