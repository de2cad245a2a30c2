import pypto.language as pl
import pypto.language.distributed as pld

NR = pl.dynamic("NR")
N = pl.dynamic("N")
R = pl.dynamic("R")
C = pl.dynamic("C")


@pl.program
class Program:
    @pl.function(type=pl.FunctionType.AIV, attrs={"external_source": "move.cpp"})
    def put_fp32_step(self, a: pl.Tensor[[R, C], pl.FP32], b: pl.Out[pld.DistributedTensor[[R, C], pl.FP32]]) -> pld.DistributedTensor[[R, C], pl.FP32]:
        return b

    @pl.function(type=pl.FunctionType.Orchestration)
    def put_fp32(self, a: pl.Tensor[[R, C], pl.FP32], b: pl.Out[pld.DistributedTensor[[R, C], pl.FP32]]):
        b = self.put_fp32_step(a, b)

    @pl.function(type=pl.FunctionType.AIV, attrs={"external_source": "move.cpp"})
    def get_fp32_step(self, a: pld.DistributedTensor[[R, C], pl.FP32], b: pl.Out[pl.Tensor[[R, C], pl.FP32]]) -> pl.Tensor[[R, C], pl.FP32]:
        return b

    @pl.function(type=pl.FunctionType.Orchestration)
    def get_fp32(self, a: pld.DistributedTensor[[R, C], pl.FP32], b: pl.Out[pl.Tensor[[R, C], pl.FP32]]):
        b = self.get_fp32_step(a, b)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, x: pl.Tensor[[NR, NR, 16], pl.FP32], y: pl.Out[pl.Tensor[[NR, NR, 16], pl.FP32]]):
        n = pld.world_size()
        rows_buf = pld.alloc_window_buffer([n, 16], dtype=pl.FP32)
        row_buf = pld.alloc_window_buffer([1, 16], dtype=pl.FP32)
        all_buf = pld.alloc_window_buffer([n, 16], dtype=pl.FP32)
        cells = pld.alloc_window_buffer([n], dtype=pl.INT32)
        rows = pld.window(rows_buf, [n, 16], dtype=pl.FP32)
        row = pld.window(row_buf, [1, 16], dtype=pl.FP32)
        every = pld.window(all_buf, [n, 16], dtype=pl.FP32)
        signal = pld.window(cells, [n], dtype=pl.INT32)
        for r in pl.range(n):
            self.put_fp32(x[r], rows, device=r)
        rows = pld.tensor.reduce_scatter(rows, signal, op=pld.ReduceOp.Max)
        for r in pl.range(n):
            self.put_fp32(x[r, 0:1], row, device=r)
        every = pld.tensor.allgather(row, every, signal)
        for r in pl.range(n):
            self.get_fp32(every, y[r], device=r)
            self.get_fp32(rows, y[r], device=r)
