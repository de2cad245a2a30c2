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

    @pl.function(type=pl.FunctionType.AIV, attrs={"external_source": "move.cpp"})
    def put_int32_step(self, a: pl.Tensor[[R, C], pl.INT32], b: pl.Out[pld.DistributedTensor[[R, C], pl.INT32]]) -> pld.DistributedTensor[[R, C], pl.INT32]:
        return b

    @pl.function(type=pl.FunctionType.Orchestration)
    def put_int32(self, a: pl.Tensor[[R, C], pl.INT32], b: pl.Out[pld.DistributedTensor[[R, C], pl.INT32]]):
        b = self.put_int32_step(a, b)

    @pl.function(type=pl.FunctionType.AIV, attrs={"external_source": "move.cpp"})
    def get_int32_step(self, a: pld.DistributedTensor[[R, C], pl.INT32], b: pl.Out[pl.Tensor[[R, C], pl.INT32]]) -> pl.Tensor[[R, C], pl.INT32]:
        return b

    @pl.function(type=pl.FunctionType.Orchestration)
    def get_int32(self, a: pld.DistributedTensor[[R, C], pl.INT32], b: pl.Out[pl.Tensor[[R, C], pl.INT32]]):
        b = self.get_int32_step(a, b)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, x: pl.Tensor[[4, 64, 32], pl.FP32], counts: pl.Tensor[[4, 4, 1], pl.INT32], y: pl.Out[pl.Tensor[[4, 64, 32], pl.FP32]], received: pl.Out[pl.Tensor[[4, 4, 1], pl.INT32]], core_num: pl.Scalar[pl.INDEX]):
        input_buf = pld.alloc_window_buffer([64, 32], dtype=pl.FP32)
        data_buf = pld.alloc_window_buffer([64, 32], dtype=pl.FP32)
        signal_buf = pld.alloc_window_buffer([4, 8], dtype=pl.INT32)
        send_buf = pld.alloc_window_buffer([4, 1], dtype=pl.INT32)
        recv_buf = pld.alloc_window_buffer([4, 1], dtype=pl.INT32)
        stage = pld.window(input_buf, [64, 32], dtype=pl.FP32)
        data = pld.window(data_buf, [64, 32], dtype=pl.FP32)
        signal = pld.window(signal_buf, [4, 8], dtype=pl.INT32)
        send = pld.window(send_buf, [4, 1], dtype=pl.INT32)
        recv = pld.window(recv_buf, [4, 1], dtype=pl.INT32)
        for r in pl.range(4):
            self.put_fp32(x[r], stage, device=r)
            self.put_int32(counts[r], send, device=r)
        data = pld.tensor.all_to_all_v(stage, data, signal, send, recv, core_num)
        for r in pl.range(4):
            self.get_fp32(data, y[r], device=r)
            self.get_int32(recv, received[r], device=r)
