import itertools

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
    tensors["t"] = torch.zeros((128,), dtype=torch.float16).share_memory_()
    tensors["u"] = torch.zeros((128,), dtype=torch.float16).share_memory_()


def main(orch, _args, config, *, tensors, callables, sub_ids, _keep, world_size, _domain_provider=None):
    turns = itertools.count()
    _require((int(tensors["a"].shape[0]) == 2) and (int(tensors["a"].shape[1]) == 128), "`a` has shape [{}, {}], and [{}, {}] is due", int(tensors["a"].shape[0]), int(tensors["a"].shape[1]), 2, 128)
    _require(int(tensors["f"].shape[0]) == 128, "`f` has shape [{}], and [{}] is due", int(tensors["f"].shape[0]), 128)
    t0 = tensors["a"][0]
    ta_0 = TaskArgs()
    ta_0.add_tensor(make_tensor_arg(orch._worker, t0), TensorArgType.INPUT)
    ta_0.add_tensor(make_tensor_arg(orch._worker, tensors["t"]), TensorArgType.OUTPUT_EXISTING)
    _keep.append(ta_0)
    orch.submit_next_level(callables["chip"], ta_0, config, worker=next(turns) % world_size)
    t1 = tensors["a"][1]
    ta_1 = TaskArgs()
    ta_1.add_tensor(make_tensor_arg(orch._worker, t1), TensorArgType.INPUT)
    ta_1.add_tensor(make_tensor_arg(orch._worker, tensors["u"]), TensorArgType.OUTPUT_EXISTING)
    _keep.append(ta_1)
    orch.submit_next_level(callables["chip"], ta_1, config, worker=next(turns) % world_size)
    ta_2 = TaskArgs()
    ta_2.add_tensor(make_tensor_arg(orch._worker, tensors["t"]), TensorArgType.INPUT)
    ta_2.add_tensor(make_tensor_arg(orch._worker, tensors["u"]), TensorArgType.INPUT)
    ta_2.add_tensor(make_tensor_arg(orch._worker, tensors["f"]), TensorArgType.OUTPUT_EXISTING)
    _keep.append(ta_2)
    orch.submit_sub(sub_ids["check"], ta_2)
    ta_3 = TaskArgs()
    ta_3.add_tensor(make_tensor_arg(orch._worker, tensors["f"]), TensorArgType.INPUT)
    _keep.append(ta_3)
    orch.submit_sub(sub_ids["report"], ta_3)


main._pypto_distributed_entry = True
