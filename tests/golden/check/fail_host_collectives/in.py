import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Faults:
    @pl.function(type=pl.FunctionType.Orchestration)
    def use(self, data: pl.InOut[pld.DistributedTensor[[64], pl.FP32]]):
        pass

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self):
        buf = pld.alloc_window_buffer([64], dtype=pl.FP32)
        cells = pld.alloc_window_buffer([3], dtype=pl.INT32)
        data = pld.window(buf, [64], dtype=pl.FP32)
        shared = pld.window(buf, [4], dtype=pl.INT32)
        signal = pld.window(cells, [3], dtype=pl.INT32)
        for r in pl.range(4):
            self.use(data, device=r)
            if r == 0:
                data = pld.tensor.allreduce(data, op=pld.ReduceOp.Sum)
        data = pld.tensor.allreduce(data, shared, op=pld.ReduceOp.Sum)
        data = pld.tensor.broadcast(data, signal, root=4)
