// SPDX-License-Identifier: Apache-2.0
// Whole output trees: host_orch.py is executed by Python against a stand-in of the runtime's host API (python/), which
// records what it allocates and submits; the record is then run on P ranks as often as one likes.
//
// The runtime's rules for what is submitted:
// - A dispatch waits for the last dispatches that wrote bytes of its INPUT and INOUT host tensors; INOUT, OUTPUT and
//   OUTPUT_EXISTING register as writers. Slices of one tensor that share no byte give no dependency (the runtime
//   compares footprints since August 2026; before, ranks that take slices of one InOut tensor waited for each other).
//   Windows give none either.
// - Dispatches of one worker run one at a time, in any order that dependencies permit; different workers are
// concurrent.
// - Host tensors are copied to the device at the start of a dispatch, except those that the sub-build's signature calls
//   OUT, and back at its end, except those that it calls IN. A tensor with gaps keeps them there; only its elements are
//   copied.
// - A sub worker's Python runs on the host tensors themselves.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ranks/chip.h"
#include "ranks/world.h"

namespace standin::ranks {

struct HostArgument {
  std::string name;
  DataType dtype = DataType::FLOAT32;
  std::vector<int64_t> shape;        // empty with `scalar`
  std::vector<unsigned char> bytes;  // contents, row-major; a scalar's value
  bool scalar = false;
};

template <typename T>
HostArgument host_argument(std::string name, DataType dtype, std::vector<int64_t> shape, const std::vector<T>& values) {
  HostArgument argument{std::move(name), dtype, std::move(shape), {}, false};
  argument.bytes.resize(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(argument.bytes.data(), values.data(), argument.bytes.size());
  return argument;
}
HostArgument host_scalar(std::string name, int64_t value);

struct HostTensorArg {
  bool window = false;
  int domain = 0;       // of a window
  std::string buffer;   // likewise
  int owner = 0;        // the worker whose view it is
  int storage = 0;      // of a host tensor
  uint64_t offset = 0;  // bytes
  DataType dtype = DataType::FLOAT32;
  TensorArgType tag = TensorArgType::INPUT;
  std::vector<uint32_t> shape;
  std::vector<uint32_t> strides;  // of a host tensor, elements
};

struct HostScalarArg {
  bool context = false;
  int domain = 0;
  int owner = 0;
  uint64_t value = 0;
};

struct HostDispatch {
  bool sub = false;  // a sub worker
  std::string callable;
  int worker = 0;
  std::vector<HostTensorArg> tensors;
  std::vector<HostScalarArg> scalars;
};

struct HostDomain {
  std::string name;
  std::vector<int> workers;
  uint64_t window_bytes = 0;
  std::vector<BufferSpec> buffers;
};

struct HostStorage {
  std::string name;  // of the argument that it is, or of what the host made
  std::vector<unsigned char> bytes;
};

// What one execution of host_orch.py did. The error of a Python exception is `ValueError: text`.
struct HostRecord {
  std::filesystem::path folder;
  int world_size = 0;
  std::vector<HostDomain> domains;
  std::vector<HostStorage> storages;
  std::vector<HostDispatch> dispatches;
  std::map<std::string, int> arguments;  // storage of each tensor argument
  std::string error;
};

HostRecord record_host(const std::filesystem::path& folder, int world_size, const std::vector<HostArgument>& arguments);

struct HostResult {
  std::string wrong;                                          // the first problem with the schedule, or nothing
  std::map<std::string, std::vector<unsigned char>> tensors;  // arguments as they are afterwards
  std::vector<uint64_t> bytes_out;                            // by rank
};

// Loads the sub-builds once and runs the record with one seed after the other.
class HostProgram {
 public:
  explicit HostProgram(HostRecord record, const std::vector<std::string>& mixed = {});
  const std::string& error() const { return record_.error; }
  const HostRecord& record() const { return record_; }
  HostResult run(uint64_t seed, int aiv_cores = 48) const;

 private:
  HostRecord record_;
  std::map<std::string, ChipProgram> chips_;
};

// All of it in one: empty when every seed from 0 on ran without a problem and `check` (may be empty) found nothing.
using HostCheck = std::function<std::string(const HostResult&)>;
std::string run_host_tree(const std::filesystem::path& folder, int world_size,
                          const std::vector<HostArgument>& arguments, int seeds, const HostCheck& check,
                          const std::vector<std::string>& mixed = {});

}  // namespace standin::ranks
