import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Twice:
    @pl.function(type=pl.FunctionType.AIV, attrs={"external_source": "add.cpp"})
    def add(self, x: pl.Tensor[[16], pl.FP32], out: pl.Out[pl.Tensor[[16], pl.FP32]]) -> pl.Tensor[[16], pl.FP32]:
        return out

    @pl.function(type=pl.FunctionType.Orchestration, attrs={"partial_outputs": [1]})
    def run(self, a: pl.Tensor[[16], pl.FP32], out: pl.Out[pl.Tensor[[16], pl.FP32]]) -> pl.Tensor[[16], pl.FP32]:
        if 1 + 1 == 2:
            out: pl.Tensor[[16], pl.FP32] = self.add(a, out, attrs={"arg_directions": [pl.adir.input, pl.adir.output_existing]})
        return out
