# Chips in turn, a tensor of the host, SubWorkers: one with a body, one that the caller binds.
import pypto.language as pl


@pl.program
class Workers:
    @pl.function(type=pl.FunctionType.AIV)
    def kernel(self, a: pl.Tensor[[128], pl.FP16], out: pl.Out[pl.Tensor[[128], pl.FP16]]) -> pl.Tensor[[128], pl.FP16]:
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, a: pl.Tensor[[128], pl.FP16], out: pl.Out[pl.Tensor[[128], pl.FP16]]) -> pl.Tensor[[128], pl.FP16]:
        out = self.kernel(a, out)
        return out

    @pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)
    def check(self, t: pl.Tensor[[128], pl.FP16], u: pl.Tensor[[128], pl.FP16], f: pl.Out[pl.Tensor[[128], pl.FP16]]) -> pl.Tensor[[128], pl.FP16]:
        if bool((t < 0).any()):
            raise ValueError("negative")
        f.copy_(t + u)
        return f

    @pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker, requires_runtime_binding=True)
    def report(self, f: pl.Tensor[[128], pl.FP16]):
        ...

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main(self, a: pl.Tensor[[2, 128], pl.FP16], f: pl.Out[pl.Tensor[[128], pl.FP16]]) -> pl.Tensor[[128], pl.FP16]:
        t = pl.tensor.create([128], dtype=pl.FP16)
        u = pl.tensor.create([128], dtype=pl.FP16)
        t = self.chip(a[0], t)
        u = self.chip(a[1], u)
        f = self.check(t, u, f)
        self.report(f)
        return f
