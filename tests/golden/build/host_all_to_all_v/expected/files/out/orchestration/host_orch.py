import torch

from simpler.task_interface import CallConfig, CommBufferSpec, DataType, TaskArgs, TensorArgType

try:
    from pypto.runtime.tensor_arg import make_tensor_arg
except ImportError:
    from simpler_setup.torch_interop import make_tensor_arg


def _plain(scalar):
    return getattr(scalar, "value", scalar)


def _fail(text, *values):
    raise ValueError(text.format(*values) if values else text)


def _require(holds, text, *values):
    holds or _fail(text, *values)


def _alloc_intermediates(tensors, world_size=1):
    tensors["__order"] = [torch.zeros((1,), dtype=torch.int32).share_memory_() for _ in range(max(world_size, 1))]


def host(orch, _args, config, *, tensors, callables, sub_ids, _keep, world_size, _domain_provider=None):
    core_num = int(_plain(tensors["core_num"]))
    _require(((int(tensors["x"].shape[0]) == 4) and (int(tensors["x"].shape[1]) == 64)) and (int(tensors["x"].shape[2]) == 32), "`x` has shape [{}, {}, {}], and [{}, {}, {}] is due", int(tensors["x"].shape[0]), int(tensors["x"].shape[1]), int(tensors["x"].shape[2]), 4, 64, 32)
    _require(((int(tensors["counts"].shape[0]) == 4) and (int(tensors["counts"].shape[1]) == 4)) and (int(tensors["counts"].shape[2]) == 1), "`counts` has shape [{}, {}, {}], and [{}, {}, {}] is due", int(tensors["counts"].shape[0]), int(tensors["counts"].shape[1]), int(tensors["counts"].shape[2]), 4, 4, 1)
    _require(((int(tensors["y"].shape[0]) == 4) and (int(tensors["y"].shape[1]) == 64)) and (int(tensors["y"].shape[2]) == 32), "`y` has shape [{}, {}, {}], and [{}, {}, {}] is due", int(tensors["y"].shape[0]), int(tensors["y"].shape[1]), int(tensors["y"].shape[2]), 4, 64, 32)
    _require(((int(tensors["received"].shape[0]) == 4) and (int(tensors["received"].shape[1]) == 4)) and (int(tensors["received"].shape[2]) == 1), "`received` has shape [{}, {}, {}], and [{}, {}, {}] is due", int(tensors["received"].shape[0]), int(tensors["received"].shape[1]), int(tensors["received"].shape[2]), 4, 4, 1)
    _require((core_num >= 1) and (core_num <= 2147483647), "`pld.tensor.all_to_all_v`: `core_num` is {}, which is not in the range from 1 to 2147483647", core_num)
    _require(((core_num < 4) and (core_num <= 8)) or ((core_num >= 4) and (((core_num // 4) * 4) <= 8)), "`pld.tensor.all_to_all_v`: `core_num` is {}, which asks for more blocks than the {} cells in a row of `signal` `signal`", core_num, 8)
    _require(((core_num < 4) and (core_num <= 48)) or ((core_num >= 4) and (((core_num // 4) * 4) <= 48)), "`pld.tensor.all_to_all_v`: `core_num` is {}, which asks for more blocks than the 48 AIV cores of a2a3", core_num)
    _require(world_size > 3, "window `input_buf` lies on device 3, and the program runs on {} devices", world_size)
    with (_domain_provider or orch.allocate_domain)(
        name="comm_d0",
        workers=[0, 1, 2, 3],
        window_size=16640,
        buffers=[
            CommBufferSpec(name="input_buf", dtype="opaque", count=8192, nbytes=8192),
            CommBufferSpec(name="data_buf", dtype="opaque", count=8192, nbytes=8192),
            CommBufferSpec(name="signal_buf", dtype="opaque", count=128, nbytes=128),
            CommBufferSpec(name="send_buf", dtype="opaque", count=16, nbytes=64),
            CommBufferSpec(name="recv_buf", dtype="opaque", count=16, nbytes=64),
        ],
    ) as comm_d0:
        for r in range(4):
            t0 = tensors["x"][r]
            ta_0 = TaskArgs()
            ta_0.add_tensor(make_tensor_arg(orch._worker, t0), TensorArgType.INPUT)
            ta_0.add_tensor(comm_d0[r].buffers["input_buf"].tensor(shapes=(64, 32), dtype=DataType.FLOAT32), TensorArgType.OUTPUT_EXISTING)
            ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r]), TensorArgType.INOUT)
            ta_0.add_scalar(comm_d0[r].device_ctx)
            _keep.append(ta_0)
            orch.submit_next_level(callables["put_fp32"], ta_0, config, worker=r)
            t1 = tensors["counts"][r]
            ta_1 = TaskArgs()
            ta_1.add_tensor(make_tensor_arg(orch._worker, t1), TensorArgType.INPUT)
            ta_1.add_tensor(comm_d0[r].buffers["send_buf"].tensor(shapes=(4, 1), dtype=DataType.INT32), TensorArgType.OUTPUT_EXISTING)
            ta_1.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r]), TensorArgType.INOUT)
            ta_1.add_scalar(comm_d0[r].device_ctx)
            _keep.append(ta_1)
            orch.submit_next_level(callables["put_int32"], ta_1, config, worker=r)
        ta_2 = TaskArgs()
        ta_2.add_tensor(comm_d0[0].buffers["input_buf"].tensor(shapes=(64, 32), dtype=DataType.FLOAT32), TensorArgType.INPUT)
        ta_2.add_tensor(comm_d0[0].buffers["data_buf"].tensor(shapes=(64, 32), dtype=DataType.FLOAT32), TensorArgType.INOUT)
        ta_2.add_tensor(comm_d0[0].buffers["signal_buf"].tensor(shapes=(4, 8), dtype=DataType.INT32), TensorArgType.INOUT)
        ta_2.add_tensor(comm_d0[0].buffers["send_buf"].tensor(shapes=(4, 1), dtype=DataType.INT32), TensorArgType.INPUT)
        ta_2.add_tensor(comm_d0[0].buffers["recv_buf"].tensor(shapes=(4, 1), dtype=DataType.INT32), TensorArgType.INOUT)
        ta_2.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][0]), TensorArgType.INOUT)
        ta_2.add_scalar(comm_d0[0].device_ctx)
        ta_2.add_scalar(core_num & 0xFFFFFFFFFFFFFFFF)
        ta_2_config = CallConfig()
        ta_2_config.aicpu_thread_num = config.aicpu_thread_num
        _keep.append(ta_2)
        orch.submit_next_level(callables["builtin.tensor.all_to_all_v__fp32"], ta_2, ta_2_config, worker=0)
        ta_3 = TaskArgs()
        ta_3.add_tensor(comm_d0[1].buffers["input_buf"].tensor(shapes=(64, 32), dtype=DataType.FLOAT32), TensorArgType.INPUT)
        ta_3.add_tensor(comm_d0[1].buffers["data_buf"].tensor(shapes=(64, 32), dtype=DataType.FLOAT32), TensorArgType.INOUT)
        ta_3.add_tensor(comm_d0[1].buffers["signal_buf"].tensor(shapes=(4, 8), dtype=DataType.INT32), TensorArgType.INOUT)
        ta_3.add_tensor(comm_d0[1].buffers["send_buf"].tensor(shapes=(4, 1), dtype=DataType.INT32), TensorArgType.INPUT)
        ta_3.add_tensor(comm_d0[1].buffers["recv_buf"].tensor(shapes=(4, 1), dtype=DataType.INT32), TensorArgType.INOUT)
        ta_3.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][1]), TensorArgType.INOUT)
        ta_3.add_scalar(comm_d0[1].device_ctx)
        ta_3.add_scalar(core_num & 0xFFFFFFFFFFFFFFFF)
        ta_3_config = CallConfig()
        ta_3_config.aicpu_thread_num = config.aicpu_thread_num
        _keep.append(ta_3)
        orch.submit_next_level(callables["builtin.tensor.all_to_all_v__fp32"], ta_3, ta_3_config, worker=1)
        ta_4 = TaskArgs()
        ta_4.add_tensor(comm_d0[2].buffers["input_buf"].tensor(shapes=(64, 32), dtype=DataType.FLOAT32), TensorArgType.INPUT)
        ta_4.add_tensor(comm_d0[2].buffers["data_buf"].tensor(shapes=(64, 32), dtype=DataType.FLOAT32), TensorArgType.INOUT)
        ta_4.add_tensor(comm_d0[2].buffers["signal_buf"].tensor(shapes=(4, 8), dtype=DataType.INT32), TensorArgType.INOUT)
        ta_4.add_tensor(comm_d0[2].buffers["send_buf"].tensor(shapes=(4, 1), dtype=DataType.INT32), TensorArgType.INPUT)
        ta_4.add_tensor(comm_d0[2].buffers["recv_buf"].tensor(shapes=(4, 1), dtype=DataType.INT32), TensorArgType.INOUT)
        ta_4.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][2]), TensorArgType.INOUT)
        ta_4.add_scalar(comm_d0[2].device_ctx)
        ta_4.add_scalar(core_num & 0xFFFFFFFFFFFFFFFF)
        ta_4_config = CallConfig()
        ta_4_config.aicpu_thread_num = config.aicpu_thread_num
        _keep.append(ta_4)
        orch.submit_next_level(callables["builtin.tensor.all_to_all_v__fp32"], ta_4, ta_4_config, worker=2)
        ta_5 = TaskArgs()
        ta_5.add_tensor(comm_d0[3].buffers["input_buf"].tensor(shapes=(64, 32), dtype=DataType.FLOAT32), TensorArgType.INPUT)
        ta_5.add_tensor(comm_d0[3].buffers["data_buf"].tensor(shapes=(64, 32), dtype=DataType.FLOAT32), TensorArgType.INOUT)
        ta_5.add_tensor(comm_d0[3].buffers["signal_buf"].tensor(shapes=(4, 8), dtype=DataType.INT32), TensorArgType.INOUT)
        ta_5.add_tensor(comm_d0[3].buffers["send_buf"].tensor(shapes=(4, 1), dtype=DataType.INT32), TensorArgType.INPUT)
        ta_5.add_tensor(comm_d0[3].buffers["recv_buf"].tensor(shapes=(4, 1), dtype=DataType.INT32), TensorArgType.INOUT)
        ta_5.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][3]), TensorArgType.INOUT)
        ta_5.add_scalar(comm_d0[3].device_ctx)
        ta_5.add_scalar(core_num & 0xFFFFFFFFFFFFFFFF)
        ta_5_config = CallConfig()
        ta_5_config.aicpu_thread_num = config.aicpu_thread_num
        _keep.append(ta_5)
        orch.submit_next_level(callables["builtin.tensor.all_to_all_v__fp32"], ta_5, ta_5_config, worker=3)
        for r_1 in range(4):
            t2 = tensors["y"][r_1]
            ta_6 = TaskArgs()
            ta_6.add_tensor(comm_d0[r_1].buffers["data_buf"].tensor(shapes=(64, 32), dtype=DataType.FLOAT32), TensorArgType.INPUT)
            ta_6.add_tensor(make_tensor_arg(orch._worker, t2), TensorArgType.OUTPUT_EXISTING)
            ta_6.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r_1]), TensorArgType.INOUT)
            ta_6.add_scalar(comm_d0[r_1].device_ctx)
            _keep.append(ta_6)
            orch.submit_next_level(callables["get_fp32"], ta_6, config, worker=r_1)
            t3 = tensors["received"][r_1]
            ta_7 = TaskArgs()
            ta_7.add_tensor(comm_d0[r_1].buffers["recv_buf"].tensor(shapes=(4, 1), dtype=DataType.INT32), TensorArgType.INPUT)
            ta_7.add_tensor(make_tensor_arg(orch._worker, t3), TensorArgType.OUTPUT_EXISTING)
            ta_7.add_tensor(make_tensor_arg(orch._worker, tensors["__order"][r_1]), TensorArgType.INOUT)
            ta_7.add_scalar(comm_d0[r_1].device_ctx)
            _keep.append(ta_7)
            orch.submit_next_level(callables["get_int32"], ta_7, config, worker=r_1)


host._pypto_distributed_entry = True
