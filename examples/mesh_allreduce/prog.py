# SPDX-License-Identifier: Apache-2.0
# Every device holds a row of x; afterwards every device has the mean of all rows in its row of y.
import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")


@pl.program
class MeshAllreduce:
    @pl.function(type=pl.FunctionType.AIV, external_source="kernels/scaled_copy.cpp")
    def publish_row(
        self, x: pl.Tensor[[N], pl.FP32], data: pl.Out[pld.DistributedTensor[[N], pl.FP32]], by: pl.Scalar[pl.FP32]
    ) -> pld.DistributedTensor[[N], pl.FP32]:
        return data

    @pl.function(type=pl.FunctionType.AIV, external_source="kernels/scaled_copy.cpp")
    def consume_row(
        self, data: pld.DistributedTensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]], by: pl.Scalar[pl.FP32]
    ) -> pl.Tensor[[N], pl.FP32]:
        return y

    @pl.function(type=pl.FunctionType.Orchestration)
    def publish(self, x: pl.Tensor[[N], pl.FP32], data: pl.Out[pld.DistributedTensor[[N], pl.FP32]]):
        data = self.publish_row(x, data, 1.0)

    @pl.function(type=pl.FunctionType.Orchestration)
    def consume(
        self, data: pld.DistributedTensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]], by: pl.Scalar[pl.FP32]
    ):
        y = self.consume_row(data, y, by)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def mean(self, x: pl.Tensor[[NR, N], pl.FP32], y: pl.Out[pl.Tensor[[NR, N], pl.FP32]], by: pl.Scalar[pl.FP32]):
        buf = pld.alloc_window_buffer([N], dtype=pl.FP32)
        data = pld.window(buf, [N], dtype=pl.FP32)
        for r in pl.range(pld.world_size()):
            row = pl.tensor.slice(x, [1, N], [r, 0], [], [0])
            self.publish(row, data, device=r)
        data = pld.tensor.allreduce(data, op=pld.ReduceOp.Sum, core_num=4)
        for r in pl.range(pld.world_size()):
            out = pl.tensor.slice(y, [1, N], [r, 0], [], [0])
            self.consume(data, out, by, device=r)
