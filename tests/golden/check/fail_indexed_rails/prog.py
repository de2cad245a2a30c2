import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Route:
    @pl.function(type=pl.FunctionType.AIV)
    def kernel(
        self,
        rows: pl.Tensor[[100, 32], pl.BF16],
        data: pl.InOut[pld.DistributedTensor[[64, 32], pl.BF16]],
        signal: pl.InOut[pld.DistributedTensor[[4, 8], pl.INT32]],
        counts: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]],
        recv: pl.InOut[pl.Tensor[[4, 1], pl.INT32]],
        index: pl.Tensor[[64], pl.INT32],
    ) -> pld.DistributedTensor[[64, 32], pl.BF16]:
        data = pld.tensor.indexed_all_to_all_v(rows, data, signal, counts, recv, index, core_num=1)
        return data

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(
        self,
        rows: pl.Tensor[[100, 32], pl.BF16],
        data: pl.InOut[pld.DistributedTensor[[64, 32], pl.BF16]],
        signal: pl.InOut[pld.DistributedTensor[[4, 8], pl.INT32]],
        counts: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]],
        recv: pl.InOut[pl.Tensor[[4, 1], pl.INT32]],
        index: pl.Tensor[[64], pl.INT32],
    ) -> pld.DistributedTensor[[64, 32], pl.BF16]:
        data = self.kernel(rows, data, signal, counts, recv, index)
        data = pld.tensor.indexed_all_to_all_v(rows, data, signal, counts, recv, index, core_num=4)
        return data
