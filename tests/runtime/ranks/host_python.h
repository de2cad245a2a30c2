// SPDX-License-Identifier: Apache-2.0
// The Python side of host programs: children that execute host_orch.py and the bodies of sub workers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tensor.h"

namespace standin::ranks {

struct SubTensor {
  DataType dtype;
  std::vector<uint32_t> shape;
  std::vector<unsigned char> bytes;
};

struct SubCall {
  std::filesystem::path folder;
  std::string name;
  std::vector<SubTensor> tensors;
  std::vector<uint64_t> scalars;
};

// Runs sub_workers/NAME.py on the tensors and leaves in them what it made of them. What went wrong, or nothing.
std::string run_sub_worker(SubCall& call);

}  // namespace standin::ranks
