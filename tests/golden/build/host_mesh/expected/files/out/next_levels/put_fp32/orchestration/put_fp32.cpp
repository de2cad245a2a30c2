#include "pto_orchestration_api.h"

#include <cstdint>

extern "C" {

__attribute__((visibility("default"))) PTO2OrchestrationConfig aicpu_orchestration_config(
    const ChipTaskArgs &) {
    return PTO2OrchestrationConfig{.expected_arg_count = 3};
}

__attribute__((visibility("default"))) void aicpu_orchestration_entry(const ChipTaskArgs &orch_args) {
    const ChipTensor &a = orch_args.tensor(0).ref();
    const ChipTensor &b = orch_args.tensor(1).ref();
    const uint64_t b_ctx = from_u64<uint64_t>(orch_args.scalar(0));
    PTO2_SCOPE() {
        CoreTaskArgs args0;
        args0.add_input(a);
        args0.add_output(b);
        args0.add_scalar(b_ctx);
        rt_submit_aiv_task(0, args0);
    }
}

}  // extern "C"
