#include "pto_orchestration_api.h"

#include <cstdint>

namespace {

constexpr int32_t kInvalidArgs = 5;  // an argument that the program cannot take

}  // namespace

extern "C" {

__attribute__((visibility("default"))) PTO2OrchestrationConfig aicpu_orchestration_config(
    const ChipTaskArgs &) {
    return PTO2OrchestrationConfig{.expected_arg_count = 10};
}

__attribute__((visibility("default"))) void aicpu_orchestration_entry(const ChipTaskArgs &orch_args) {
    const ChipTensor &inp = orch_args.tensor(0).ref();
    const ChipTensor &out = orch_args.tensor(1).ref();
    const ChipTensor &stage = orch_args.tensor(2).ref();
    const ChipTensor &data = orch_args.tensor(3).ref();
    const ChipTensor &signal = orch_args.tensor(4).ref();
    const ChipTensor &counts = orch_args.tensor(5).ref();
    const ChipTensor &recv = orch_args.tensor(6).ref();
    const uint64_t data_ctx = from_u64<uint64_t>(orch_args.scalar(0));
    const uint64_t signal_ctx = from_u64<uint64_t>(orch_args.scalar(1));
    const uint64_t recv_ctx = from_u64<uint64_t>(orch_args.scalar(2));
    PTO2_SCOPE() {
        CoreTaskArgs args0;
        args0.add_input(inp);
        args0.add_inout(stage);
        args0.add_inout(counts);
        rt_submit_aiv_task(0, args0);
        if (!stage.is_contiguous) {
            rt_report_fatal(kInvalidArgs, "pld.tensor.all_to_all_v: operand input ('stage') is not contiguous: extent of its last axis %lld, stride of the axis before it %lld", static_cast<long long>(stage.shapes[1]), static_cast<long long>(stage.strides[0]));
            return;
        }
        if (!data.is_contiguous) {
            rt_report_fatal(kInvalidArgs, "pld.tensor.all_to_all_v: operand target ('data') is not contiguous: extent of its last axis %lld, stride of the axis before it %lld", static_cast<long long>(data.shapes[1]), static_cast<long long>(data.strides[0]));
            return;
        }
        if (!signal.is_contiguous) {
            rt_report_fatal(kInvalidArgs, "pld.tensor.all_to_all_v: operand signal ('signal') is not contiguous: extent of its last axis %lld, stride of the axis before it %lld", static_cast<long long>(signal.shapes[1]), static_cast<long long>(signal.strides[0]));
            return;
        }
        if (!counts.is_contiguous) {
            rt_report_fatal(kInvalidArgs, "pld.tensor.all_to_all_v: operand send_counts ('counts') is not contiguous: extent of its last axis %lld, stride of the axis before it %lld", static_cast<long long>(counts.shapes[1]), static_cast<long long>(counts.strides[0]));
            return;
        }
        if (!recv.is_contiguous) {
            rt_report_fatal(kInvalidArgs, "pld.tensor.all_to_all_v: operand recv_counts ('recv') is not contiguous: extent of its last axis %lld, stride of the axis before it %lld", static_cast<long long>(recv.shapes[1]), static_cast<long long>(recv.strides[0]));
            return;
        }
        CoreTaskArgs args1;
        args1.add_input(stage);
        args1.add_inout(data);
        args1.add_inout(signal);
        args1.add_input(counts);
        args1.add_inout(recv);
        args1.add_scalar(data_ctx);
        args1.add_scalar(signal_ctx);
        args1.add_scalar(recv_ctx);
        args1.launch_spec.set_block_num(4);
        args1.launch_spec.set_require_sync_start(true);
        rt_submit_aiv_task(1, args1);
        CoreTaskArgs args2;
        args2.add_input(data);
        args2.add_input(recv);
        args2.add_output(out);
        args2.add_scalar(data_ctx);
        args2.add_scalar(recv_ctx);
        rt_submit_aiv_task(2, args2);
    }
}

}  // extern "C"
