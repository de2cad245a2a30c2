import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Sum:
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, x: pl.Tensor[[64], pl.FP32], rounds: pl.Scalar[pl.INDEX]):
        pl.system.require(pl.tensor.dim(x, pl.const(0, pl.INT64)) == 64, pl.tensor.dim(x, pl.const(0, pl.INT64)), 64, text="`x` has shape [{}], and [{}] is due")
        pl.system.require(pld.system.world_size() > pl.const(1, pl.INT64), pld.system.world_size(), text="`pld.tensor.broadcast`: `root` is 1, but the domain has {} ranks")
        pl.system.require(4 >= pld.system.world_size(), 4, pld.system.world_size(), pld.system.world_size(), text="`pld.tensor.broadcast`: `signal` `signal` has {} rows, and {} ranks need {}")
        pl.system.require(pld.system.world_size() <= pl.const(64, pl.INT64), pld.system.world_size(), text="window `buf_signal` lies on every device, at most 64 can share a window, and the program runs on {}")
        with pld.comm_domain(slots=[buf_signal := pld.WindowBuffer(buf_signal_1, pld.system.world_size() * pl.const(2, pl.INT64) * pl.const(4, pl.INT64)), buf := pld.WindowBuffer(buf_1, 256), cells := pld.WindowBuffer(cells_1, 16)], name_hint="comm_d0"):
            buf_signal_1: pl.Ptr = pld.tensor.alloc_window_buffer(pld.system.world_size() * pl.const(2, pl.INT64) * pl.const(4, pl.INT64), name="buf_signal")
            buf_signal_view: pld.DistributedTensor[[pld.system.world_size(), pl.const(2, pl.INT64)], pl.INT32, pld.window_buffer(buf_signal)] = pld.tensor.window(buf_signal_1, [pld.system.world_size(), pl.const(2, pl.INT64)], dtype=pl.INT32)
            buf_1: pl.Ptr = pld.tensor.alloc_window_buffer(256, name="buf")
            data: pld.DistributedTensor[[64], pl.FP32, pld.window_buffer(buf)] = pld.tensor.window(buf_1, [64], dtype=pl.FP32)
            for i, (data_1,) in pl.range(rounds, init_values=(data,)):
                for r in pl.range(pld.system.world_size()):
                    data_1_ctx: pld.CommCtxType = pld.system.get_comm_ctx(data_1)
                    self.publish(x, data_1, data_1_ctx, device=r)
                # Every rank has the sum afterwards.
                for r_1 in pl.range(pl.const(0, pl.INT64), pld.system.world_size(), pl.const(1, pl.INT64)):
                    pl.builtin.tensor.allreduce(data_1, buf_signal_view, op=pld.ReduceOp.Sum, dtype=pl.FP32, core_num=2, attrs={"op": 0, "dtype": pl.FP32, "core_num": 2, "device": r_1, "arg_directions": [pl.adir.inout, pl.adir.inout]})
                data_2: pld.DistributedTensor[[64], pl.FP32, pld.window_buffer(buf)] = data_1
                data_3 = pl.yield_(data_2)
            cells_1: pl.Ptr = pld.tensor.alloc_window_buffer(16, name="cells")
            signal: pld.DistributedTensor[[4], pl.INT32, pld.window_buffer(cells)] = pld.tensor.window(cells_1, [4], dtype=pl.INT32)
            for r_2 in pl.range(pl.const(0, pl.INT64), pld.system.world_size(), pl.const(1, pl.INT64)):
                pl.builtin.tensor.broadcast(data_3, signal, root=1, dtype=pl.FP32, attrs={"root": 1, "dtype": pl.FP32, "device": r_2, "arg_directions": [pl.adir.inout, pl.adir.inout]})
            data_4: pld.DistributedTensor[[64], pl.FP32, pld.window_buffer(buf)] = data_3

    @pl.function(type=pl.FunctionType.Orchestration)
    def publish(
        self,
        x: pl.Tensor[[64], pl.FP32],
        data: pl.InOut[pld.DistributedTensor[[64], pl.FP32]],
        data_ctx: pld.CommCtxType,
    ):
        ...
