// builtin.tensor.allgather__fp32. Tensors: input, target, signal. Scalars: device context.
#include <cstdint>

#include "pto_orchestration_api.h"

namespace {

constexpr int32_t kInvalidArgument = 5;

// Kernels count elements from the first one on. Reports a tensor whose elements do not lie so; nothing may be submitted
// then.
bool is_packed(const ChipTensor &tensor, const char *operand) {
    if (tensor.is_contiguous) return true;
    const uint32_t last = tensor.ndims - 1;
    rt_report_fatal(kInvalidArgument,
                    "builtin.tensor.allgather__fp32: operand %s is not contiguous: extent of its last axis %u, stride of the axis before it %u",
                    operand, tensor.shapes[last], tensor.strides[last > 0 ? last - 1 : 0]);
    return false;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) PTO2OrchestrationConfig aicpu_orchestration_config(const ChipTaskArgs &orch_args) {
    (void)orch_args;
    return PTO2OrchestrationConfig{
        .expected_arg_count = 4,
    };
}

__attribute__((visibility("default"))) void aicpu_orchestration_entry(const ChipTaskArgs &orch_args) {
    const ChipTensor &input = orch_args.tensor(0).ref();
    const ChipTensor &target = orch_args.tensor(1).ref();
    const ChipTensor &signal = orch_args.tensor(2).ref();
    const uint64_t context = orch_args.scalar(0);
    if (!is_packed(input, "input") || !is_packed(target, "target") || !is_packed(signal, "signal")) return;
    CoreTaskArgs task;
    task.add_input(input);
    task.add_inout(target);
    task.add_inout(signal);
    task.add_scalar(context);
    rt_submit_aiv_task(0, task);
}

}  // extern "C"
