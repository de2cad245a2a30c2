// SPDX-License-Identifier: Apache-2.0
#include "codegen/chip_names.h"

namespace pyptoc::codegen {

support::NameAllocator chip_unit_names() {
  support::NameAllocator names(support::NameRules{.cpp = true, .python = false, .file = false});
  // pto_orchestration_api.h: functions, types and enumerators without a namespace.
  for (const char* name :
       {"alloc_tensors", "get_tensor_data", "set_tensor_data", "to_u64", "from_u64", "current_runtime",
        "framework_current_runtime", "framework_bind_runtime", "make_tensor_external", "get_element_size", "ChipTensor",
        "ChipTaskArgs", "CoreTaskArgs", "CoreTaskArgsWithDeps", "CoreTaskPredicate", "PredicateOp", "MixedKernels",
        "TaskOutputTensors", "TensorCreateInfo", "TensorRef", "TensorArgType", "DataType", "AddressSpace", "Arg",
        "INVALID_KERNEL_ID", "MAX_TENSOR_DIMS", "MAX_TENSOR_ARGS", "MAX_SCALAR_ARGS",
        // The emitter's own.
        "orch_args", "aicpu_orchestration_config", "aicpu_orchestration_entry", "floor_div", "floor_mod", "int_pow",
        "clamp_extent", "drop_axes", "keep_alive", "kInvalidArgs", "std"})
    names.reserve(name);
  for (const char* prefix : {"rt_", "pto2_", "PTO2", "PTO_", "LOG_", "scope_guard_", "_PTO2"})
    names.reserve_prefix(prefix);
  return names;
}

}  // namespace pyptoc::codegen
