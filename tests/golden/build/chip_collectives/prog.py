import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Seven:
    @pl.function(type=pl.FunctionType.AIV, attrs={"external_source": "stage.cpp"})
    def stage_step(
        self,
        inp: pl.Tensor[[64, 32], pl.FP32],
        stage: pl.Out[pl.Tensor[[64, 32], pl.FP32]],
        counts: pl.Out[pl.Tensor[[4, 1], pl.INT32]],
    ) -> tuple[pl.Tensor[[64, 32], pl.FP32], pl.Tensor[[4, 1], pl.INT32]]:
        return stage, counts

    @pl.function(type=pl.FunctionType.AIV, attrs={"external_source": "consume.cpp"})
    def consume_step(
        self,
        data: pld.DistributedTensor[[64, 32], pl.FP32],
        recv: pld.DistributedTensor[[4, 1], pl.INT32],
        out: pl.Out[pl.Tensor[[64, 32], pl.FP32]],
    ) -> pl.Tensor[[64, 32], pl.FP32]:
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def pipeline(
        self,
        inp: pl.Tensor[[64, 32], pl.FP32],
        stage: pl.InOut[pl.Tensor[[64, 32], pl.FP32]],
        data: pl.InOut[pld.DistributedTensor[[64, 32], pl.FP32]],
        signal: pl.InOut[pld.DistributedTensor[[4, 8], pl.INT32]],
        ring: pl.InOut[pld.DistributedTensor[[7, 4], pl.INT32]],
        counts: pl.InOut[pl.Tensor[[4, 1], pl.INT32]],
        recv: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]],
        rows: pl.InOut[pld.DistributedTensor[[4, 32], pl.FP32]],
        row: pl.Tensor[[1, 32], pl.FP32],
        mine: pl.Tensor[[4, 32], pl.FP32],
        out: pl.Out[pl.Tensor[[64, 32], pl.FP32]],
        n: pl.Scalar[pl.INDEX],
    ):
        stage, counts = self.stage_step(inp, stage, counts)
        data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv, n)
        out = self.consume_step(data, recv, out)
        data = pld.tensor.allreduce(data, signal, op=pld.ReduceOp.Sum, core_num=3)
        data = pld.tensor.allreduce(data, ring, op=pld.ReduceOp.Sum, mode="ring")
        signal = pld.tensor.barrier(signal)
        data = pld.tensor.broadcast(data, signal, root=0)
        for i in pl.range(n):
            rows = pld.tensor.reduce_scatter(rows, signal, op=pld.ReduceOp.Max)
            rows = pld.tensor.allgather(row, rows, signal)
        if n > 3:
            rows = pld.tensor.all_to_all(mine, rows, signal)
