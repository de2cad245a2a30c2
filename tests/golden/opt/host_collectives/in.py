import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Sum:
    @pl.function(type=pl.FunctionType.Orchestration)
    def publish(self, x: pl.Tensor[[64], pl.FP32], data: pl.InOut[pld.DistributedTensor[[64], pl.FP32]]):
        pass

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, x: pl.Tensor[[64], pl.FP32], rounds: pl.Scalar[pl.INDEX]):
        buf = pld.alloc_window_buffer([64], dtype=pl.FP32)
        data = pld.window(buf, [64], dtype=pl.FP32)
        for i in pl.range(rounds):
            for r in pl.range(pld.world_size()):
                self.publish(x, data, device=r)
            # Every rank has the sum afterwards.
            data = pld.tensor.allreduce(data, op=pld.ReduceOp.Sum, core_num=2)
        cells = pld.alloc_window_buffer([4], dtype=pl.INT32)
        signal = pld.window(cells, [4], dtype=pl.INT32)
        data = pld.tensor.broadcast(data, signal, root=1)
