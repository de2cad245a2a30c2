import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Shared:
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        data: pl.InOut[pld.DistributedTensor[[4], pl.INT32]],
        signal: pl.InOut[pld.DistributedTensor[[4], pl.INT32]],
        n: pl.Scalar[pl.INDEX],
    ):
        if n > 0:
            data = pld.tensor.allreduce(data, signal, op=pld.ReduceOp.Sum)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, n: pl.Scalar[pl.INDEX]):
        data_buf = pld.tensor.alloc_window_buffer(16, name="data")
        signal_buf = pld.tensor.alloc_window_buffer(16, name="signal")
        data = pld.tensor.window(data_buf, [4], dtype=pl.INT32)
        again = pld.tensor.window(data_buf, [4], dtype=pl.INT32)
        signal = pld.tensor.window(signal_buf, [4], dtype=pl.INT32)
        for r in pl.range(pld.world_size()):
            self.chip(data, signal, n, device=r)
            self.chip(data, again, n, device=r)
            self.chip(data, signal, r, device=r)
