#include "pto_orchestration_api.h"

#include <cstdint>

namespace {

constexpr int32_t kInvalidArgs = 5;  // an argument that the program cannot take

}  // namespace

extern "C" {

__attribute__((visibility("default"))) PTO2OrchestrationConfig aicpu_orchestration_config(
    const ChipTaskArgs &) {
    return PTO2OrchestrationConfig{.expected_arg_count = 9};
}

__attribute__((visibility("default"))) void aicpu_orchestration_entry(const ChipTaskArgs &orch_args) {
    const ChipTensor &rows = orch_args.tensor(0).ref();
    const ChipTensor &data = orch_args.tensor(1).ref();
    const ChipTensor &signal = orch_args.tensor(2).ref();
    const ChipTensor &counts = orch_args.tensor(3).ref();
    const ChipTensor &recv = orch_args.tensor(4).ref();
    const ChipTensor &index = orch_args.tensor(5).ref();
    const uint64_t data_ctx = from_u64<uint64_t>(orch_args.scalar(0));
    const uint64_t signal_ctx = from_u64<uint64_t>(orch_args.scalar(1));
    const uint64_t counts_ctx = from_u64<uint64_t>(orch_args.scalar(2));
    PTO2_SCOPE() {
        if (!rows.is_contiguous) {
            rt_report_fatal(kInvalidArgs, "pld.tensor.indexed_all_to_all_v: operand input ('rows') is not contiguous: extent of its last axis %lld, stride of the axis before it %lld", static_cast<long long>(rows.shapes[1]), static_cast<long long>(rows.strides[0]));
            return;
        }
        if (!data.is_contiguous) {
            rt_report_fatal(kInvalidArgs, "pld.tensor.indexed_all_to_all_v: operand target ('data') is not contiguous: extent of its last axis %lld, stride of the axis before it %lld", static_cast<long long>(data.shapes[1]), static_cast<long long>(data.strides[0]));
            return;
        }
        if (!signal.is_contiguous) {
            rt_report_fatal(kInvalidArgs, "pld.tensor.indexed_all_to_all_v: operand signal ('signal') is not contiguous: extent of its last axis %lld, stride of the axis before it %lld", static_cast<long long>(signal.shapes[1]), static_cast<long long>(signal.strides[0]));
            return;
        }
        if (!counts.is_contiguous) {
            rt_report_fatal(kInvalidArgs, "pld.tensor.indexed_all_to_all_v: operand send_counts ('counts') is not contiguous: extent of its last axis %lld, stride of the axis before it %lld", static_cast<long long>(counts.shapes[1]), static_cast<long long>(counts.strides[0]));
            return;
        }
        if (!recv.is_contiguous) {
            rt_report_fatal(kInvalidArgs, "pld.tensor.indexed_all_to_all_v: operand recv_counts ('recv') is not contiguous: extent of its last axis %lld, stride of the axis before it %lld", static_cast<long long>(recv.shapes[1]), static_cast<long long>(recv.strides[0]));
            return;
        }
        if (!index.is_contiguous) {
            rt_report_fatal(kInvalidArgs, "pld.tensor.indexed_all_to_all_v: operand index ('index') is not contiguous: extent of its axis %lld, stride %lld", static_cast<long long>(index.shapes[0]), static_cast<long long>(index.strides[0]));
            return;
        }
        CoreTaskArgs args0;
        args0.add_input(rows);
        args0.add_inout(data);
        args0.add_inout(signal);
        args0.add_input(counts);
        args0.add_inout(recv);
        args0.add_input(index);
        args0.add_scalar(data_ctx);
        args0.add_scalar(signal_ctx);
        args0.add_scalar(counts_ctx);
        args0.launch_spec.set_core_num(6);
        args0.launch_spec.set_require_sync_start(true);
        rt_submit_aiv_task(0, args0);
    }
}

}  // extern "C"
