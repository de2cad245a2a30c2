import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Dump:
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, s: pld.DistributedTensor[[4], pl.INT32]):
        pl.builtin.tensor.barrier(s, device=0, attrs={"arg_directions": [pl.adir.inout]})
