// SPDX-License-Identifier: Apache-2.0
#include "codegen/host_names.h"

namespace pyptoc::codegen {

support::NameAllocator host_module_names() {
  support::NameAllocator names(support::NameRules{.cpp = false, .python = true, .file = false});
  for (const char* name : {"contextlib", "itertools", "struct", "torch", "CallConfig", "CommBufferSpec", "DataType",
                           "TaskArgs", "TensorArgType", "make_tensor_arg",
                           // Parameters of the two functions.
                           "orch", "config", "tensors", "callables", "sub_ids", "world_size"})
    names.reserve(name);
  names.reserve_prefix("_");  // parameters, helpers, and what Python gives a meaning of its own
  return names;
}

}  // namespace pyptoc::codegen
