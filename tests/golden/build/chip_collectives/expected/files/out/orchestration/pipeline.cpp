#include "pto_orchestration_api.h"

#include <algorithm>
#include <cstdint>

namespace {

constexpr int32_t kInvalidArgs = 5;  // an argument that the program cannot take

// Rounds towards minus infinity, as `//` of the program does.
template <typename T>
inline T floor_div(T a, T b) {
    T q = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) PTO2OrchestrationConfig aicpu_orchestration_config(
    const ChipTaskArgs &) {
    return PTO2OrchestrationConfig{.expected_arg_count = 17};
}

__attribute__((visibility("default"))) void aicpu_orchestration_entry(const ChipTaskArgs &orch_args) {
    const ChipTensor &inp = orch_args.tensor(0).ref();
    const ChipTensor &stage = orch_args.tensor(1).ref();
    const ChipTensor &data = orch_args.tensor(2).ref();
    const ChipTensor &signal = orch_args.tensor(3).ref();
    const ChipTensor &ring = orch_args.tensor(4).ref();
    const ChipTensor &counts = orch_args.tensor(5).ref();
    const ChipTensor &recv = orch_args.tensor(6).ref();
    const ChipTensor &rows = orch_args.tensor(7).ref();
    const ChipTensor &row = orch_args.tensor(8).ref();
    const ChipTensor &mine = orch_args.tensor(9).ref();
    const ChipTensor &out = orch_args.tensor(10).ref();
    const int64_t n = from_u64<int64_t>(orch_args.scalar(0));
    const uint64_t data_ctx = from_u64<uint64_t>(orch_args.scalar(1));
    const uint64_t signal_ctx = from_u64<uint64_t>(orch_args.scalar(2));
    const uint64_t ring_ctx = from_u64<uint64_t>(orch_args.scalar(3));
    const uint64_t recv_ctx = from_u64<uint64_t>(orch_args.scalar(4));
    const uint64_t rows_ctx = from_u64<uint64_t>(orch_args.scalar(5));
    PTO2_SCOPE() {
        CoreTaskArgs args0;
        args0.add_input(inp);
        args0.add_inout(stage);
        args0.add_inout(counts);
        rt_submit_aiv_task(0, args0);
        if (!((n >= 1) && (n <= 2147483647))) {
            rt_report_fatal(kInvalidArgs, "pld.tensor.all_to_all_v: core_num lies in [1, 2147483647], it is %lld", static_cast<long long>(n));
            return;
        }
        const int64_t blocks = std::max<int64_t>(std::min<int64_t>(n, 3), floor_div<int64_t>(n, 4) * 4);
        if (!(blocks <= 8)) {
            rt_report_fatal(kInvalidArgs, "pld.tensor.all_to_all_v: operand signal ('signal') has %lld cells for each rank, %lld blocks need as many", static_cast<long long>(8), static_cast<long long>(blocks));
            return;
        }
        if (!(blocks <= 48)) {
            rt_report_fatal(kInvalidArgs, "pld.tensor.all_to_all_v: %lld blocks wait for each other, the device has 48 AIV cores", static_cast<long long>(blocks));
            return;
        }
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
        args1.launch_spec.set_block_num(static_cast<int16_t>(blocks));
        args1.launch_spec.set_require_sync_start(true);
        rt_submit_aiv_task(1, args1);
        CoreTaskArgs args2;
        args2.add_input(data);
        args2.add_input(recv);
        args2.add_output(out);
        args2.add_scalar(data_ctx);
        args2.add_scalar(recv_ctx);
        TaskOutputTensors outs2 = rt_submit_aiv_task(2, args2);
        const PTO2TaskId outs2_id = outs2.task_id();
        CoreTaskArgs args3;
        args3.add_inout(data);
        args3.add_inout(signal);
        args3.add_scalar(data_ctx);
        args3.add_scalar(signal_ctx);
        PTO2TaskId args3_deps[1];
        uint32_t args3_ndeps = 0;
        args3_deps[args3_ndeps++] = outs2_id;
        args3.set_dependencies(args3_deps, args3_ndeps);
        args3.launch_spec.set_block_num(3);
        args3.launch_spec.set_require_sync_start(true);
        rt_submit_aiv_task(3, args3);
        if (!ring.is_contiguous) {
            rt_report_fatal(kInvalidArgs, "pld.tensor.allreduce: operand signal ('ring') is not contiguous: extent of its last axis %lld, stride of the axis before it %lld", static_cast<long long>(ring.shapes[1]), static_cast<long long>(ring.strides[0]));
            return;
        }
        CoreTaskArgs args4;
        args4.add_inout(data);
        args4.add_inout(ring);
        args4.add_scalar(data_ctx);
        args4.add_scalar(ring_ctx);
        TaskOutputTensors outs4 = rt_submit_aiv_task(4, args4);
        const PTO2TaskId outs4_id = outs4.task_id();
        CoreTaskArgs args5;
        args5.add_inout(signal);
        args5.add_scalar(signal_ctx);
        PTO2TaskId args5_deps[1];
        uint32_t args5_ndeps = 0;
        args5_deps[args5_ndeps++] = outs4_id;
        args5.set_dependencies(args5_deps, args5_ndeps);
        rt_submit_aiv_task(5, args5);
        CoreTaskArgs args6;
        args6.add_inout(data);
        args6.add_inout(signal);
        args6.add_scalar(data_ctx);
        args6.add_scalar(signal_ctx);
        rt_submit_aiv_task(6, args6);
        for (int64_t i = 0; i < n; ++i) {
            PTO2_SCOPE() {
                if (!rows.is_contiguous) {
                    rt_report_fatal(kInvalidArgs, "pld.tensor.reduce_scatter: operand target ('rows') is not contiguous: extent of its last axis %lld, stride of the axis before it %lld", static_cast<long long>(rows.shapes[1]), static_cast<long long>(rows.strides[0]));
                    return;
                }
                CoreTaskArgs args7;
                args7.add_inout(rows);
                args7.add_inout(signal);
                args7.add_scalar(rows_ctx);
                args7.add_scalar(signal_ctx);
                rt_submit_aiv_task(7, args7);
                if (!row.is_contiguous) {
                    rt_report_fatal(kInvalidArgs, "pld.tensor.allgather: operand input ('row') is not contiguous: extent of its last axis %lld, stride of the axis before it %lld", static_cast<long long>(row.shapes[1]), static_cast<long long>(row.strides[0]));
                    return;
                }
                CoreTaskArgs args8;
                args8.add_input(row);
                args8.add_inout(rows);
                args8.add_inout(signal);
                args8.add_scalar(rows_ctx);
                args8.add_scalar(signal_ctx);
                rt_submit_aiv_task(8, args8);
            }
        }
        if (n > 3) {
            PTO2_SCOPE() {
                if (!mine.is_contiguous) {
                    rt_report_fatal(kInvalidArgs, "pld.tensor.all_to_all: operand input ('mine') is not contiguous: extent of its last axis %lld, stride of the axis before it %lld", static_cast<long long>(mine.shapes[1]), static_cast<long long>(mine.strides[0]));
                    return;
                }
                if (!rows.is_contiguous) {
                    rt_report_fatal(kInvalidArgs, "pld.tensor.all_to_all: operand target ('rows') is not contiguous: extent of its last axis %lld, stride of the axis before it %lld", static_cast<long long>(rows.shapes[1]), static_cast<long long>(rows.strides[0]));
                    return;
                }
                CoreTaskArgs args9;
                args9.add_input(mine);
                args9.add_inout(rows);
                args9.add_inout(signal);
                args9.add_scalar(rows_ctx);
                args9.add_scalar(signal_ctx);
                rt_submit_aiv_task(9, args9);
            }
        }
    }
}

}  // extern "C"
