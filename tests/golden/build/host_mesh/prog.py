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
    def host(self, x: pl.Tensor[[NR, 1, 64], pl.FP32], y: pl.Out[pl.Tensor[[NR, 1, 64], pl.FP32]]):
        buf = pld.alloc_window_buffer([1, 64], dtype=pl.FP32)
        data = pld.window(buf, [1, 64], dtype=pl.FP32)
        for r in pl.range(pld.world_size()):
            self.put_fp32(x[r], data, device=r)
        data = pld.tensor.allreduce(data, op=pld.ReduceOp.Sum, core_num=4)
        for r in pl.range(pld.world_size()):
            self.get_fp32(data, y[r], device=r)
