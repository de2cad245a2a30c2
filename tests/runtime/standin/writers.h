// SPDX-License-Identifier: Apache-2.0
// The runtime's own view of who wrote what, from which it derives dependencies. It knows argument regions only, never
// what a kernel really touches.
//
// What each direction looks up and registers, outside a manual scope:
//
//   direction         maker of the buffer   earlier writers that overlap   registers as a writer
//   Input                  yes                        yes                          no
//   InOut                  yes                        yes                          yes
//   OutputExisting         yes                        no                           yes
//   NoDep                  yes                        no                           no
//   Output                  -                          -                    no (the task is the maker)
//
// Consequences: nobody registers as a reader, so nothing orders a reader before a later writer. Two OutputExisting of
// one region are not ordered. A NoDep or OutputExisting argument gets no edge but the one on the maker. What the maker
// itself wrote is found through the maker. A tensor marked for manual dependence looks up and registers nothing, but
// keeps the edge on its maker. In a manual scope nothing is looked up, nothing is registered and the maker gives no
// edge. An InOut takes the writers that it covers entirely off the record: who depends on it depends on them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tensor.h"

namespace standin {

enum class Overlap { kNone, kPartial, kCovered };

// How `later` meets `earlier`, two views of one buffer; kCovered when `later` contains all of `earlier`. Exact for
// views that share row-major strides; two views of different strides overlap when the spans that they reach do.
Overlap overlap(const ChipTensor& later, const ChipTensor& earlier);

class Writers {
 public:
  // The tasks whose writes `tensor` meets. With `takes_over` the covered ones are forgotten.
  std::vector<int> find(const ChipTensor& tensor, bool takes_over);
  void add(const ChipTensor& tensor, int task);

 private:
  struct Entry {
    ChipTensor tensor;
    int task;
  };
  std::unordered_map<uint64_t, std::vector<Entry>> by_buffer_;
};

}  // namespace standin
