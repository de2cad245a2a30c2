import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Exchange:
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
    def chip_pipeline(
        self,
        inp: pl.Tensor[[64, 32], pl.FP32],
        out: pl.Out[pl.Tensor[[64, 32], pl.FP32]],
        stage: pl.InOut[pl.Tensor[[64, 32], pl.FP32]],
        data: pl.InOut[pld.DistributedTensor[[64, 32], pl.FP32]],
        signal: pl.InOut[pld.DistributedTensor[[4, 4], pl.INT32]],
        counts: pl.InOut[pl.Tensor[[4, 1], pl.INT32]],
        recv: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]],
    ) -> pl.Tensor[[64, 32], pl.FP32]:
        stage, counts = self.stage_step(inp, stage, counts)
        data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv, core_num=4)
        return self.consume_step(data, recv, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(
        self,
        inputs: pl.Tensor[[4, 64, 32], pl.FP32],
        stages: pl.InOut[pl.Tensor[[4, 64, 32], pl.FP32]],
        counts: pl.InOut[pl.Tensor[[4, 4, 1], pl.INT32]],
        outputs: pl.Out[pl.Tensor[[4, 64, 32], pl.FP32]],
    ):
        data_buf = pld.tensor.alloc_window_buffer(8192, name="data")
        signal_buf = pld.tensor.alloc_window_buffer(64, name="signal")
        recv_buf = pld.tensor.alloc_window_buffer(16, name="recv")
        data = pld.tensor.window(data_buf, [64, 32], dtype=pl.FP32)
        signal = pld.tensor.window(signal_buf, [4, 4], dtype=pl.INT32)
        recv = pld.tensor.window(recv_buf, [4, 1], dtype=pl.INT32)
        for r in pl.range(pld.world_size()):
            self.chip_pipeline(inputs[r], outputs[r], stages[r], data, signal, counts[r], recv, device=r)
