import torch

from simpler.task_interface import CallConfig, CommBufferSpec, DataType, TaskArgs, TensorArgType

try:
    from pypto.runtime.tensor_arg import make_tensor_arg
except ImportError:
    from simpler_setup.torch_interop import make_tensor_arg


def _up64(size):
    return (size + 63) // 64 * 64


def _fail(text, *values):
    raise ValueError(text.format(*values) if values else text)


def _require(holds, text, *values):
    holds or _fail(text, *values)


def _alloc_intermediates(tensors, world_size=1):
    tensors["__order"] = [torch.zeros((1,), dtype=torch.int32).share_memory_() for _ in range(max(world_size, 1))]


def host(orch, _args, config, *, tensors, callables, sub_ids, _keep, world_size, _domain_provider=None):
    NR = int(tensors["x"].shape[0])
    _require((int(tensors["x"].shape[1]) == NR) and (int(tensors["x"].shape[2]) == 16), "`x` has shape [{}, {}, {}], and [{}, {}, {}] is due", int(tensors["x"].shape[0]), int(tensors["x"].shape[1]), int(tensors["x"].shape[2]), NR, NR, 16)
    _require(((int(tensors["y"].shape[0]) == NR) and (int(tensors["y"].shape[1]) == NR)) and (int(tensors["y"].shape[2]) == 16), "`y` has shape [{}, {}, {}], and [{}, {}, {}] is due", int(tensors["y"].shape[0]), int(tensors["y"].shape[1]), int(tensors["y"].shape[2]), NR, NR, 16)
    _require(world_size <= NR, "slice of `x` ends at {} on axis 0, which has {} elements", world_size, NR)
    if 0 < world_size:
        _require((world_size * 16) >= (NR * 16), "parameter `b` of `put_fp32` has {} elements, the argument `rows` only {}", NR * 16, world_size * 16)
    if 0 < world_size:
        _require(1 <= NR, "slice of `x` ends at {} on axis 1, which has {} elements", 1, NR)
    _require(world_size <= NR, "slice of `y` ends at {} on axis 0, which has {} elements", world_size, NR)
    if 0 < world_size:
        _require((NR * 16) >= (world_size * 16), "parameter `b` of `get_fp32` has {} elements, the argument `t2` only {}", world_size * 16, NR * 16)
    if 0 < world_size:
        _require((NR * 16) >= (world_size * 16), "parameter `b` of `get_fp32` has {} elements, the argument `t3` only {}", world_size * 16, NR * 16)
    n = world_size
    _require(world_size <= 64, "window `rows_buf` lies on every device, at most 64 can share a window, and the program runs on {}", world_size)
    rows_buf_bytes = n * 64
    all_buf_bytes = n * 64
    cells_bytes = n * 4
    with (_domain_provider or orch.allocate_domain)(
        name="comm_d0",
        workers=[*range(world_size)],
        window_size=64 + _up64(rows_buf_bytes) + _up64(all_buf_bytes) + _up64(cells_bytes),
        buffers=[
            CommBufferSpec(name="rows_buf", dtype="opaque", count=rows_buf_bytes, nbytes=_up64(rows_buf_bytes)),
            CommBufferSpec(name="row_buf", dtype="opaque", count=64, nbytes=64),
            CommBufferSpec(name="all_buf", dtype="opaque", count=all_buf_bytes, nbytes=_up64(all_buf_bytes)),
            CommBufferSpec(name="cells", dtype="opaque", count=cells_bytes, nbytes=_up64(cells_bytes)),
        ],
    ) as comm_d0:
        for r in range(n):
            t0 = tensors["x"][r]
            ta_0 = TaskArgs()
            ta_0.add_tensor(make_tensor_arg(orch._worker, t0), TensorArgType.INPUT)
            ta_0.add_tensor(comm_d0[r].buffers["rows_buf"].tensor(shapes=(n, 16), dtype=DataType.FLOAT32), TensorArgType.OUTPUT_EXISTING)
            ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r]), TensorArgType.INOUT)
            ta_0.add_scalar(comm_d0[r].device_ctx)
            _keep.append(ta_0)
            orch.submit_next_level(callables["put_fp32"], ta_0, config, worker=r)
        for r_1 in range(world_size):
            ta_1 = TaskArgs()
            ta_1.add_tensor(comm_d0[r_1].buffers["rows_buf"].tensor(shapes=(n, 16), dtype=DataType.FLOAT32), TensorArgType.INOUT)
            ta_1.add_tensor(comm_d0[r_1].buffers["cells"].tensor(shapes=(n,), dtype=DataType.INT32), TensorArgType.INOUT)
            ta_1.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r_1]), TensorArgType.INOUT)
            ta_1.add_scalar(comm_d0[r_1].device_ctx)
            ta_1_config = CallConfig()
            ta_1_config.aicpu_thread_num = config.aicpu_thread_num
            _keep.append(ta_1)
            orch.submit_next_level(callables["builtin.tensor.reduce_scatter__max__fp32"], ta_1, ta_1_config, worker=r_1)
        for r_2 in range(n):
            t1 = tensors["x"][r_2, 0:1]
            ta_2 = TaskArgs()
            ta_2.add_tensor(make_tensor_arg(orch._worker, t1), TensorArgType.INPUT)
            ta_2.add_tensor(comm_d0[r_2].buffers["row_buf"].tensor(shapes=(1, 16), dtype=DataType.FLOAT32), TensorArgType.OUTPUT_EXISTING)
            ta_2.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r_2]), TensorArgType.INOUT)
            ta_2.add_scalar(comm_d0[r_2].device_ctx)
            _keep.append(ta_2)
            orch.submit_next_level(callables["put_fp32"], ta_2, config, worker=r_2)
        for r_3 in range(world_size):
            ta_3 = TaskArgs()
            ta_3.add_tensor(comm_d0[r_3].buffers["row_buf"].tensor(shapes=(1, 16), dtype=DataType.FLOAT32), TensorArgType.INPUT)
            ta_3.add_tensor(comm_d0[r_3].buffers["all_buf"].tensor(shapes=(n, 16), dtype=DataType.FLOAT32), TensorArgType.INOUT)
            ta_3.add_tensor(comm_d0[r_3].buffers["cells"].tensor(shapes=(n,), dtype=DataType.INT32), TensorArgType.INOUT)
            ta_3.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r_3]), TensorArgType.INOUT)
            ta_3.add_scalar(comm_d0[r_3].device_ctx)
            ta_3_config = CallConfig()
            ta_3_config.aicpu_thread_num = config.aicpu_thread_num
            _keep.append(ta_3)
            orch.submit_next_level(callables["builtin.tensor.allgather__fp32"], ta_3, ta_3_config, worker=r_3)
        for r_4 in range(n):
            t2 = tensors["y"][r_4]
            ta_4 = TaskArgs()
            ta_4.add_tensor(comm_d0[r_4].buffers["all_buf"].tensor(shapes=(n, 16), dtype=DataType.FLOAT32), TensorArgType.INPUT)
            ta_4.add_tensor(make_tensor_arg(orch._worker, t2), TensorArgType.OUTPUT_EXISTING)
            ta_4.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r_4]), TensorArgType.INOUT)
            ta_4.add_scalar(comm_d0[r_4].device_ctx)
            _keep.append(ta_4)
            orch.submit_next_level(callables["get_fp32"], ta_4, config, worker=r_4)
            t3 = tensors["y"][r_4]
            ta_5 = TaskArgs()
            ta_5.add_tensor(comm_d0[r_4].buffers["rows_buf"].tensor(shapes=(n, 16), dtype=DataType.FLOAT32), TensorArgType.INPUT)
            ta_5.add_tensor(make_tensor_arg(orch._worker, t3), TensorArgType.OUTPUT_EXISTING)
            ta_5.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r_4]), TensorArgType.INOUT)
            ta_5.add_scalar(comm_d0[r_4].device_ctx)
            _keep.append(ta_5)
            orch.submit_next_level(callables["get_fp32"], ta_5, config, worker=r_4)


host._pypto_distributed_entry = True
