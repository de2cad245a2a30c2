import pypto.language as pl


@pl.program
class Twice:
    @pl.function(type=pl.FunctionType.AIV, attrs={"external_source": "add.cpp"})
    def add(
        self,
        x: pl.Tensor[[16], pl.FP32],
        out: pl.Out[pl.Tensor[[16], pl.FP32]],
    ) -> pl.Tensor[[16], pl.FP32]:
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def run(
        self,
        a: pl.Tensor[[16], pl.FP32],
        out: pl.Out[pl.Tensor[[16], pl.FP32]],
    ) -> pl.Tensor[[16], pl.FP32]:
        if 1 + 1 == 2:
            out = self.add(a, out)
        return out
