// SPDX-License-Identifier: Apache-2.0
// Which parameters of kernels hold what another core may have written element by element. Internal to InsertCommFence.
#pragma once

#include <string_view>
#include <vector>

#include "passes/buffer_roots.h"

namespace pyptoc::passes {

// Which parameters a kernel accesses element by element, by what its body shows.
struct ElementAccess {
  std::vector<bool> reads;
  std::vector<bool> writes;
};

// How the tasks of all orchestrations share the tensors that kernels get. A parameter of an orchestration that is a
// window counts as written by peers.
class SharedTensors {
 public:
  SharedTensors(const ir::Program* program, BufferRoots& roots);

  struct Use {
    bool after_elements = false;         // a task may have written elements of it, or a peer
    std::string_view collective_before;  // a collective that writes it; empty for none
    std::string_view collective_after;   // a collective that reads it; empty for none
  };
  // Of parameter `index` of a kernel, over all its calls.
  Use use(const ir::Function* kernel, size_t index) const;
  // Whether the kernel's own body reads elements of that parameter.
  bool reads_elements(const ir::Function* kernel, size_t index) const;

 private:
  void orchestration(const ir::Function* f);

  const ir::Program* program_;
  BufferRoots& roots_;
  ir::NodeMap<std::vector<Use>> uses_;  // by function
  ir::NodeMap<ElementAccess> elements_;
};

}  // namespace pyptoc::passes
