import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Types:
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        stage: pl.Tensor[[64, 32], pl.FP32],
        data: pl.InOut[pld.DistributedTensor[[64, 32], pl.FP32]],
        wide: pl.Tensor[[64, 32], pl.FP64],
        wide_data: pl.InOut[pld.DistributedTensor[[64, 32], pl.FP64]],
        signal: pl.InOut[pld.DistributedTensor[[4, 8], pl.INT32]],
        counts: pl.Tensor[[4, 1], pl.INT32],
        recv: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]],
    ):
        data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv, core_num=0)
        data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv, core_num=2147483648)
        wide_data = pld.tensor.all_to_all_v(wide, wide_data, signal, counts, recv, core_num=1)
        data = pld.tensor.all_to_all_v(data, data, signal, counts, recv, core_num=1)
