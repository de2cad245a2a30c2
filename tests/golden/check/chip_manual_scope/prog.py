import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Manual:
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, a: pl.InOut[pld.DistributedTensor[[64, 32], pl.FP32]], s: pl.InOut[pld.DistributedTensor[[4, 8], pl.INT32]], b: pl.InOut[pld.DistributedTensor[[64, 32], pl.FP32]], t: pl.InOut[pld.DistributedTensor[[4, 8], pl.INT32]]):
        with pl.manual_scope():
            a = pld.tensor.allreduce(a, s, op=pld.ReduceOp.Sum)
            b = pld.tensor.allreduce(b, t, op=pld.ReduceOp.Sum)
            a = pld.tensor.broadcast(a, s, root=0)
