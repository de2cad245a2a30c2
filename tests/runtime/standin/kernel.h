// SPDX-License-Identifier: Apache-2.0
// Kernels as the stand-in runs them: a body that is called once per block and core, and what the kernel table says of
// it.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "standin/memory.h"
#include "standin/regions.h"
#include "tensor.h"

namespace standin {

enum class CoreType { kAiv, kAic };
enum class Direction { kIn, kOut, kInOut };

// One block of one task on one core. Bodies written in a test go through load and store, which are what is checked;
// compiled kernels take args(), and are checked by instrumentation.
class KernelCall {
 public:
  KernelCall(Memory& memory, int64_t* args, const std::vector<ChipTensor>& tensors,
             const std::vector<uint64_t>& scalars, int32_t block, int32_t blocks, int32_t sub_block)
      : block_(block),
        blocks_(blocks),
        sub_block_(sub_block),
        memory_(memory),
        args_(args),
        tensors_(tensors),
        scalars_(scalars) {}

  int64_t* args() const { return args_; }
  int32_t block() const { return block_; }
  int32_t blocks() const { return blocks_; }
  int32_t sub_block() const { return sub_block_; }
  size_t tensor_count() const { return tensors_.size(); }
  const ChipTensor& tensor(size_t i) const { return tensors_.at(i); }
  uint64_t scalar(size_t i) const { return scalars_.at(i); }
  uint64_t count(size_t i) const { return element_count(tensors_.at(i)); }

  // Element `flat` of tensor `i`, counted in row-major order of the view.
  template <typename T>
  T load(size_t i, uint64_t flat) {
    const uint64_t at = address(i, flat);
    memory_.note(at, sizeof(T), false);
    T value;
    std::memcpy(&value, reinterpret_cast<const void*>(at), sizeof(T));
    return value;
  }
  template <typename T>
  void store(size_t i, uint64_t flat, T value) {
    const uint64_t at = address(i, flat);
    memory_.note(at, sizeof(T), true);
    std::memcpy(reinterpret_cast<void*>(at), &value, sizeof(T));
  }

 private:
  uint64_t address(size_t i, uint64_t flat) const;

  int32_t block_;
  int32_t blocks_;
  int32_t sub_block_;
  Memory& memory_;
  int64_t* args_;
  const std::vector<ChipTensor>& tensors_;
  const std::vector<uint64_t>& scalars_;
};

struct Kernel {
  std::string name;
  CoreType core = CoreType::kAiv;
  std::vector<Direction> signature;  // of the tensors, in order
  std::function<void(KernelCall&)> body;
};

// A body for a kernel of which only the signature is known: reads every byte of each IN and INOUT tensor and writes
// every byte of each OUT and INOUT one with values that depend on all that was read, on the scalars and on `salt`. Two
// orders of such kernels give the same memory only if they agree on who read what.
std::function<void(KernelCall&)> mixing_body(std::vector<Direction> signature, uint64_t salt);

}  // namespace standin
