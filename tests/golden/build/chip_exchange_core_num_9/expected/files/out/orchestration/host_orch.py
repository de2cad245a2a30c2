import torch

from simpler.task_interface import CallConfig, CommBufferSpec, DataType, TaskArgs, TensorArgType

try:
    from pypto.runtime.tensor_arg import make_tensor_arg
except ImportError:
    from simpler_setup.torch_interop import make_tensor_arg


def _fail(text, *values):
    raise ValueError(text.format(*values) if values else text)


def _require(holds, text, *values):
    holds or _fail(text, *values)


def _alloc_intermediates(tensors, world_size=1):
    tensors["__order"] = [torch.zeros((1,), dtype=torch.int32).share_memory_() for _ in range(max(world_size, 1))]


def host(orch, _args, config, *, tensors, callables, sub_ids, _keep, world_size, _domain_provider=None):
    _require(((int(tensors["inputs"].shape[0]) == 4) and (int(tensors["inputs"].shape[1]) == 64)) and (int(tensors["inputs"].shape[2]) == 32), "`inputs` has shape [{}, {}, {}], and [{}, {}, {}] is due", int(tensors["inputs"].shape[0]), int(tensors["inputs"].shape[1]), int(tensors["inputs"].shape[2]), 4, 64, 32)
    _require(((int(tensors["stages"].shape[0]) == 4) and (int(tensors["stages"].shape[1]) == 64)) and (int(tensors["stages"].shape[2]) == 32), "`stages` has shape [{}, {}, {}], and [{}, {}, {}] is due", int(tensors["stages"].shape[0]), int(tensors["stages"].shape[1]), int(tensors["stages"].shape[2]), 4, 64, 32)
    _require(((int(tensors["counts"].shape[0]) == 4) and (int(tensors["counts"].shape[1]) == 4)) and (int(tensors["counts"].shape[2]) == 1), "`counts` has shape [{}, {}, {}], and [{}, {}, {}] is due", int(tensors["counts"].shape[0]), int(tensors["counts"].shape[1]), int(tensors["counts"].shape[2]), 4, 4, 1)
    _require(((int(tensors["outputs"].shape[0]) == 4) and (int(tensors["outputs"].shape[1]) == 64)) and (int(tensors["outputs"].shape[2]) == 32), "`outputs` has shape [{}, {}, {}], and [{}, {}, {}] is due", int(tensors["outputs"].shape[0]), int(tensors["outputs"].shape[1]), int(tensors["outputs"].shape[2]), 4, 64, 32)
    _require(world_size <= 4, "slice of `inputs` ends at {} on axis 0, which has {} elements", world_size, 4)
    _require(world_size <= 4, "slice of `outputs` ends at {} on axis 0, which has {} elements", world_size, 4)
    _require(world_size <= 4, "slice of `stages` ends at {} on axis 0, which has {} elements", world_size, 4)
    _require(world_size <= 4, "slice of `counts` ends at {} on axis 0, which has {} elements", world_size, 4)
    if 0 < world_size:
        _require(4 == world_size, "pld.tensor.all_to_all_v in chip_pipeline: operand signal ('signal') must have exactly {} rows, it has {}", world_size, 4)
    _require(world_size <= 64, "window `data` lies on every device, at most 64 can share a window, and the program runs on {}", world_size)
    with (_domain_provider or orch.allocate_domain)(
        name="comm_d0",
        workers=[*range(world_size)],
        window_size=2240,
        buffers=[
            CommBufferSpec(name="data", dtype="opaque", count=2048, nbytes=2048),
            CommBufferSpec(name="signal", dtype="opaque", count=128, nbytes=128),
            CommBufferSpec(name="recv", dtype="opaque", count=16, nbytes=64),
        ],
    ) as comm_d0:
        for r in range(world_size):
            t0 = tensors["inputs"][r]
            t1 = tensors["outputs"][r]
            t2 = tensors["stages"][r]
            t3 = tensors["counts"][r]
            ta_0 = TaskArgs()
            ta_0.add_tensor(make_tensor_arg(orch._worker, t0), TensorArgType.INPUT)
            ta_0.add_tensor(make_tensor_arg(orch._worker, t1), TensorArgType.OUTPUT_EXISTING)
            ta_0.add_tensor(make_tensor_arg(orch._worker, t2), TensorArgType.INOUT)
            ta_0.add_tensor(comm_d0[r].buffers["data"].tensor(shapes=(64, 32), dtype=DataType.INT8), TensorArgType.INOUT)
            ta_0.add_tensor(comm_d0[r].buffers["signal"].tensor(shapes=(4, 8), dtype=DataType.INT32), TensorArgType.INOUT)
            ta_0.add_tensor(make_tensor_arg(orch._worker, t3), TensorArgType.INOUT)
            ta_0.add_tensor(comm_d0[r].buffers["recv"].tensor(shapes=(4, 1), dtype=DataType.INT32), TensorArgType.INOUT)
            ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r]), TensorArgType.INOUT)
            ta_0.add_scalar(comm_d0[r].device_ctx)
            ta_0.add_scalar(comm_d0[r].device_ctx)
            ta_0.add_scalar(comm_d0[r].device_ctx)
            _keep.append(ta_0)
            orch.submit_next_level(callables["chip_pipeline"], ta_0, config, worker=r)


host._pypto_distributed_entry = True
