import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Widths:
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        stage: pl.Tensor[[64, 32], pl.FP32],
        other: pl.Tensor[[32, 64], pl.FP32],
        columns: pl.Tensor[[64, 32], pl.FP32, pl.DN],
        gaps: pl.Tensor[[64, 32], pl.FP32, pl.TensorView(stride=[64, 1], layout=pl.TensorLayout.ND)],
        short: pl.Tensor[[64, 32], pl.FP32, pl.TensorView(valid_shape=[60, 32], stride=[], layout=pl.TensorLayout.ND)],
        data: pl.InOut[pld.DistributedTensor[[64, 32], pl.FP32]],
        signal: pl.InOut[pld.DistributedTensor[[4, 3], pl.INT32]],
        counts: pl.Tensor[[4, 1], pl.INT32],
        recv: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]],
        n: pl.Scalar[pl.INDEX],
    ):
        data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv, core_num=10)
        data = pld.tensor.all_to_all_v(columns, data, signal, counts, recv, core_num=1)
        data = pld.tensor.all_to_all_v(gaps, data, signal, counts, recv, core_num=1)
        data = pld.tensor.all_to_all_v(short, data, signal, counts, recv, core_num=1)
        turned = pl.tensor.transpose(other, 0, 1)
        data = pld.tensor.all_to_all_v(turned, data, signal, counts, recv, core_num=1)
        data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv, n)
