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
    _require(((int(tensors["x"].shape[0]) == 4) and (int(tensors["x"].shape[1]) == 1)) and (int(tensors["x"].shape[2]) == 65), "`x` has shape [{}, {}, {}], and [{}, {}, {}] is due", int(tensors["x"].shape[0]), int(tensors["x"].shape[1]), int(tensors["x"].shape[2]), 4, 1, 65)
    _require(((int(tensors["y"].shape[0]) == 4) and (int(tensors["y"].shape[1]) == 1)) and (int(tensors["y"].shape[2]) == 65), "`y` has shape [{}, {}, {}], and [{}, {}, {}] is due", int(tensors["y"].shape[0]), int(tensors["y"].shape[1]), int(tensors["y"].shape[2]), 4, 1, 65)
    _require(world_size > 3, "window `buf` lies on device 3, and the program runs on {} devices", world_size)
    with (_domain_provider or orch.allocate_domain)(
        name="comm_d0",
        workers=[1, 2, 3],
        window_size=384,
        buffers=[
            CommBufferSpec(name="buf", dtype="opaque", count=260, nbytes=320),
            CommBufferSpec(name="cells", dtype="opaque", count=60, nbytes=64),
        ],
    ) as comm_d0:
        for r in range(1, 4):
            t0 = tensors["x"][r]
            ta_0 = TaskArgs()
            ta_0.add_tensor(make_tensor_arg(orch._worker, t0), TensorArgType.INPUT)
            ta_0.add_tensor(comm_d0[r].buffers["buf"].tensor(shapes=(1, 65), dtype=DataType.FLOAT32), TensorArgType.OUTPUT_EXISTING)
            ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r]), TensorArgType.INOUT)
            ta_0.add_scalar(comm_d0[r].device_ctx)
            _keep.append(ta_0)
            orch.submit_next_level(callables["put_fp32"], ta_0, config, worker=r)
        for i in range(2):
            ta_1 = TaskArgs()
            ta_1.add_tensor(comm_d0[1].buffers["buf"].tensor(shapes=(1, 65), dtype=DataType.FLOAT32), TensorArgType.INOUT)
            ta_1.add_tensor(comm_d0[1].buffers["cells"].tensor(shapes=(5, 3), dtype=DataType.INT32), TensorArgType.INOUT)
            ta_1.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][1]), TensorArgType.INOUT)
            ta_1.add_scalar(comm_d0[1].device_ctx)
            ta_1_config = CallConfig()
            ta_1_config.aicpu_thread_num = config.aicpu_thread_num
            _keep.append(ta_1)
            orch.submit_next_level(callables["builtin.tensor.allreduce_ring__sum__fp32"], ta_1, ta_1_config, worker=1)
            ta_2 = TaskArgs()
            ta_2.add_tensor(comm_d0[2].buffers["buf"].tensor(shapes=(1, 65), dtype=DataType.FLOAT32), TensorArgType.INOUT)
            ta_2.add_tensor(comm_d0[2].buffers["cells"].tensor(shapes=(5, 3), dtype=DataType.INT32), TensorArgType.INOUT)
            ta_2.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][2]), TensorArgType.INOUT)
            ta_2.add_scalar(comm_d0[2].device_ctx)
            ta_2_config = CallConfig()
            ta_2_config.aicpu_thread_num = config.aicpu_thread_num
            _keep.append(ta_2)
            orch.submit_next_level(callables["builtin.tensor.allreduce_ring__sum__fp32"], ta_2, ta_2_config, worker=2)
            ta_3 = TaskArgs()
            ta_3.add_tensor(comm_d0[3].buffers["buf"].tensor(shapes=(1, 65), dtype=DataType.FLOAT32), TensorArgType.INOUT)
            ta_3.add_tensor(comm_d0[3].buffers["cells"].tensor(shapes=(5, 3), dtype=DataType.INT32), TensorArgType.INOUT)
            ta_3.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][3]), TensorArgType.INOUT)
            ta_3.add_scalar(comm_d0[3].device_ctx)
            ta_3_config = CallConfig()
            ta_3_config.aicpu_thread_num = config.aicpu_thread_num
            _keep.append(ta_3)
            orch.submit_next_level(callables["builtin.tensor.allreduce_ring__sum__fp32"], ta_3, ta_3_config, worker=3)
        for r_1 in range(1, 4):
            t1 = tensors["y"][r_1]
            ta_4 = TaskArgs()
            ta_4.add_tensor(comm_d0[r_1].buffers["buf"].tensor(shapes=(1, 65), dtype=DataType.FLOAT32), TensorArgType.INPUT)
            ta_4.add_tensor(make_tensor_arg(orch._worker, t1), TensorArgType.OUTPUT_EXISTING)
            ta_4.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r_1]), TensorArgType.INOUT)
            ta_4.add_scalar(comm_d0[r_1].device_ctx)
            _keep.append(ta_4)
            orch.submit_next_level(callables["get_fp32"], ta_4, config, worker=r_1)


host._pypto_distributed_entry = True
