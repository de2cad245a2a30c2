#include "pto_orchestration_api.h"

#include <cstdint>

extern "C" {

__attribute__((visibility("default"))) PTO2OrchestrationConfig aicpu_orchestration_config(
    const ChipTaskArgs &) {
    return PTO2OrchestrationConfig{.expected_arg_count = 4};
}

__attribute__((visibility("default"))) void aicpu_orchestration_entry(const ChipTaskArgs &orch_args) {
    const ChipTensor &a = orch_args.tensor(0).ref();
    const ChipTensor &b = orch_args.tensor(1).ref();
    const float s = from_u64<float>(orch_args.scalar(0));
    const ChipTensor &out = orch_args.tensor(2).ref();
    PTO2_SCOPE() {
        const uint32_t sum_shape[] = {128, 128};
        const TensorCreateInfo sum_info(sum_shape, 2, DataType::FLOAT32);
        const uint32_t scaled_shape[] = {128, 128};
        const TensorCreateInfo scaled_info(scaled_shape, 2, DataType::FLOAT32);
        const uint32_t shifted_shape[] = {128, 128};
        const TensorCreateInfo shifted_info(shifted_shape, 2, DataType::FLOAT32);
        const uint32_t product_shape[] = {128, 128};
        const TensorCreateInfo product_info(product_shape, 2, DataType::FLOAT32);
        TaskOutputTensors alloc0 = alloc_tensors(sum_info, scaled_info, shifted_info, product_info);
        if (rt_is_fatal()) return;
        const ChipTensor &sum = alloc0.get_ref(0);
        const ChipTensor &scaled = alloc0.get_ref(1);
        const ChipTensor &shifted = alloc0.get_ref(2);
        const ChipTensor &product = alloc0.get_ref(3);
        CoreTaskArgs args0;
        args0.add_input(a);
        args0.add_input(b);
        args0.add_output(sum);
        rt_submit_aiv_task(0, args0);
        CoreTaskArgs args1;
        args1.add_input(sum);
        args1.add_output(scaled);
        args1.add_scalar(s);
        rt_submit_aiv_task(1, args1);
        CoreTaskArgs args2;
        args2.add_input(scaled);
        args2.add_input(a);
        args2.add_output(shifted);
        rt_submit_aiv_task(0, args2);
        CoreTaskArgs args3;
        args3.add_input(shifted);
        args3.add_input(b);
        args3.add_output(product);
        rt_submit_aiv_task(2, args3);
        CoreTaskArgs args4;
        args4.add_input(product);
        args4.add_input(sum);
        args4.add_output(out);
        rt_submit_aiv_task(0, args4);
    }
}

}  // extern "C"
