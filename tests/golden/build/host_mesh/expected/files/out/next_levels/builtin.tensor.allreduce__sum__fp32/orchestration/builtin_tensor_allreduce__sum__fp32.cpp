// builtin.tensor.allreduce__sum__fp32. Tensors: target, signal. Scalars: device context, core_num.
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
                    "builtin.tensor.allreduce__sum__fp32: operand %s is not contiguous: extent of its last axis %u, stride of the axis before it %u",
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
    const ChipTensor &target = orch_args.tensor(0).ref();
    const ChipTensor &signal = orch_args.tensor(1).ref();
    const uint64_t context = orch_args.scalar(0);
    if (!is_packed(target, "target") || !is_packed(signal, "signal")) return;
    const int64_t width = from_u64<int64_t>(orch_args.scalar(1));
    const int64_t lanes = signal.ndims > 1 ? static_cast<int64_t>(signal.shapes[1]) : 1;
    const int64_t cores = rt_available_aiv_count();
    if (width < 1 || width > lanes || width > cores) {
        rt_report_fatal(kInvalidArgument,
                        "builtin.tensor.allreduce__sum__fp32: core_num %lld is not in [1, %lld], the columns of signal, or exceeds the %lld AIV cores",
                        static_cast<long long>(width), static_cast<long long>(lanes), static_cast<long long>(cores));
        return;
    }
    CoreTaskArgs task;
    task.add_inout(target);
    task.add_inout(signal);
    task.add_scalar(context);
    if (width > 1) {
        // Blocks of a launch wait for blocks of other ranks: all of them must run at once.
        task.launch_spec.set_block_num(static_cast<int16_t>(width));
        task.launch_spec.set_require_sync_start(true);
    }
    rt_submit_aiv_task(0, task);
}

}  // extern "C"
