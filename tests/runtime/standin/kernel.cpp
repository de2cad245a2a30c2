// SPDX-License-Identifier: Apache-2.0
// Kernel calls and bodies that are made from a signature.
#include "standin/kernel.h"

namespace standin {
namespace {

uint64_t mix(uint64_t seed, uint64_t value) {
  uint64_t x = seed ^ (value + 0x9E3779B97F4A7C15u + (seed << 6) + (seed >> 2));
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  return x ^ (x >> 27);
}

void write_from(KernelCall& call, size_t i, uint64_t state) {
  const uint64_t size = get_element_size(call.tensor(i).dtype);
  for (uint64_t e = 0; e < call.count(i); ++e) {
    state = mix(state, e);
    switch (size) {
      case 8:
        call.store<uint64_t>(i, e, state);
        break;
      case 4:
        call.store<uint32_t>(i, e, static_cast<uint32_t>(state));
        break;
      case 2:
        call.store<uint16_t>(i, e, static_cast<uint16_t>(state));
        break;
      default:
        call.store<uint8_t>(i, e, static_cast<uint8_t>(state));
        break;
    }
  }
}

uint64_t read_all(KernelCall& call, size_t i, uint64_t state) {
  const uint64_t size = get_element_size(call.tensor(i).dtype);
  for (uint64_t e = 0; e < call.count(i); ++e) {
    switch (size) {
      case 8:
        state = mix(state, call.load<uint64_t>(i, e));
        break;
      case 4:
        state = mix(state, call.load<uint32_t>(i, e));
        break;
      case 2:
        state = mix(state, call.load<uint16_t>(i, e));
        break;
      default:
        state = mix(state, call.load<uint8_t>(i, e));
        break;
    }
  }
  return state;
}

}  // namespace

uint64_t KernelCall::address(size_t i, uint64_t flat) const {
  const ChipTensor& t = tensors_.at(i);
  uint32_t index[MAX_TENSOR_DIMS] = {};
  for (uint32_t d = t.ndims; d-- > 1;) {
    index[d] = static_cast<uint32_t>(flat % t.shapes[d]);
    flat /= t.shapes[d];
  }
  index[0] = static_cast<uint32_t>(flat);
  return element_address(t, t.ndims, index);
}

std::function<void(KernelCall&)> mixing_body(std::vector<Direction> signature, uint64_t salt) {
  return [signature = std::move(signature), salt](KernelCall& call) {
    if (call.block() != 0 || call.sub_block() != 0) return;
    uint64_t state = salt;
    for (size_t i = 0; i < signature.size(); ++i) {
      if (signature[i] != Direction::kOut) state = read_all(call, i, state);
    }
    for (size_t i = 0; i < signature.size(); ++i) {
      if (signature[i] != Direction::kIn) write_from(call, i, mix(state, i));
    }
  };
}

}  // namespace standin
