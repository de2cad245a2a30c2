import torch

from simpler.task_interface import CallConfig, CommBufferSpec, DataType, TaskArgs, TensorArgType

try:
    from pypto.runtime.tensor_arg import make_tensor_arg
except ImportError:
    from simpler_setup.torch_interop import make_tensor_arg


def _up64(size):
    return (size + 63) // 64 * 64


def _plain(scalar):
    return getattr(scalar, "value", scalar)


def _fail(text, *values):
    raise ValueError(text.format(*values) if values else text)


def _require(holds, text, *values):
    holds or _fail(text, *values)


def _alloc_intermediates(tensors, world_size=1):
    tensors["__order"] = [torch.zeros((1,), dtype=torch.int32).share_memory_() for _ in range(max(world_size, 1))]


def host(orch, _args, config, *, tensors, callables, sub_ids, _keep, world_size, _domain_provider=None):
    NR = int(tensors["x"].shape[0])
    N, rest = divmod(int(tensors["x"].shape[1]), 2)
    _require(rest == 0, "extent 1 of `x` is {}, which has no whole number for `N`", int(tensors["x"].shape[1]))
    rounds = int(_plain(tensors["rounds"]))
    _require(int(tensors["x"].shape[2]) == 8, "`x` has shape [{}, {}, {}], and [{}, {}, {}] is due", int(tensors["x"].shape[0]), int(tensors["x"].shape[1]), int(tensors["x"].shape[2]), NR, 2 * N, 8)
    _require(((int(tensors["y"].shape[0]) == NR) and (int(tensors["y"].shape[1]) == (2 * N))) and (int(tensors["y"].shape[2]) == 8), "`y` has shape [{}, {}, {}], and [{}, {}, {}] is due", int(tensors["y"].shape[0]), int(tensors["y"].shape[1]), int(tensors["y"].shape[2]), NR, 2 * N, 8)
    if 0 < rounds:
        _require(world_size <= NR, "slice of `x` ends at {} on axis 0, which has {} elements", world_size, NR)
    if 0 < rounds:
        _require(world_size <= NR, "slice of `y` ends at {} on axis 0, which has {} elements", world_size, NR)
    for i in range(rounds):
        if i > 1:
            _require(world_size > 3, "`pld.tensor.broadcast`: `root` is 3, but the domain has {} ranks", world_size)
    for i_1 in range(rounds):
        if i_1 > 1:
            _require(8 >= world_size, "`pld.tensor.broadcast`: `signal` `signal` has {} rows, and {} ranks need {}", 8, world_size, world_size)
    for i_2 in range(rounds):
        if not (i_2 > 1):
            _require(world_size > 1, "`pld.tensor.broadcast`: `root` is 1, but the domain has {} ranks", world_size)
    for i_3 in range(rounds):
        if not (i_3 > 1):
            _require(8 >= world_size, "`pld.tensor.broadcast`: `signal` `signal` has {} rows, and {} ranks need {}", 8, world_size, world_size)
    _require(world_size <= 64, "window `buf` lies on every device, at most 64 can share a window, and the program runs on {}", world_size)
    buf_bytes = (2 * N) * 32
    with (_domain_provider or orch.allocate_domain)(
        name="comm_d0",
        workers=[*range(world_size)],
        window_size=64 + _up64(buf_bytes),
        buffers=[
            CommBufferSpec(name="buf", dtype="opaque", count=buf_bytes, nbytes=_up64(buf_bytes)),
            CommBufferSpec(name="cells", dtype="opaque", count=32, nbytes=64),
        ],
    ) as comm_d0:
        for i_4 in range(rounds):
            for r in range(world_size):
                t0 = tensors["x"][r]
                ta_0 = TaskArgs()
                ta_0.add_tensor(make_tensor_arg(orch._worker, t0), TensorArgType.INPUT)
                ta_0.add_tensor(comm_d0[r].buffers["buf"].tensor(shapes=(2 * N, 8), dtype=DataType.FLOAT32), TensorArgType.OUTPUT_EXISTING)
                ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r]), TensorArgType.INOUT)
                ta_0.add_scalar(comm_d0[r].device_ctx)
                _keep.append(ta_0)
                orch.submit_next_level(callables["put_fp32"], ta_0, config, worker=r)
            if i_4 > 1:
                for r_1 in range(world_size):
                    ta_1 = TaskArgs()
                    ta_1.add_tensor(comm_d0[r_1].buffers["buf"].tensor(shapes=(2 * N, 8), dtype=DataType.FLOAT32), TensorArgType.INOUT)
                    ta_1.add_tensor(comm_d0[r_1].buffers["cells"].tensor(shapes=(8,), dtype=DataType.INT32), TensorArgType.INOUT)
                    ta_1.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r_1]), TensorArgType.INOUT)
                    ta_1.add_scalar(comm_d0[r_1].device_ctx)
                    ta_1_config = CallConfig()
                    ta_1_config.aicpu_thread_num = config.aicpu_thread_num
                    _keep.append(ta_1)
                    orch.submit_next_level(callables["builtin.tensor.broadcast__root3__fp32"], ta_1, ta_1_config, worker=r_1)
            else:
                for r_2 in range(world_size):
                    ta_2 = TaskArgs()
                    ta_2.add_tensor(comm_d0[r_2].buffers["buf"].tensor(shapes=(2 * N, 8), dtype=DataType.FLOAT32), TensorArgType.INOUT)
                    ta_2.add_tensor(comm_d0[r_2].buffers["cells"].tensor(shapes=(8,), dtype=DataType.INT32), TensorArgType.INOUT)
                    ta_2.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r_2]), TensorArgType.INOUT)
                    ta_2.add_scalar(comm_d0[r_2].device_ctx)
                    ta_2_config = CallConfig()
                    ta_2_config.aicpu_thread_num = config.aicpu_thread_num
                    _keep.append(ta_2)
                    orch.submit_next_level(callables["builtin.tensor.broadcast__root1__fp32"], ta_2, ta_2_config, worker=r_2)
            for r_3 in range(world_size):
                t1 = tensors["y"][r_3]
                ta_3 = TaskArgs()
                ta_3.add_tensor(comm_d0[r_3].buffers["buf"].tensor(shapes=(2 * N, 8), dtype=DataType.FLOAT32), TensorArgType.INPUT)
                ta_3.add_tensor(make_tensor_arg(orch._worker, t1), TensorArgType.OUTPUT_EXISTING)
                ta_3.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r_3]), TensorArgType.INOUT)
                ta_3.add_scalar(comm_d0[r_3].device_ctx)
                _keep.append(ta_3)
                orch.submit_next_level(callables["get_fp32"], ta_3, config, worker=r_3)


host._pypto_distributed_entry = True
