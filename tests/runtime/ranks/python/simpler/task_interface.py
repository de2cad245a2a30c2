# SPDX-License-Identifier: Apache-2.0
"""The host API that emitted code uses. Nothing runs here: what is allocated and submitted is recorded."""

import enum
import math


class DataType(enum.Enum):
    FLOAT32 = 0
    FLOAT16 = 1
    INT32 = 2
    INT16 = 3
    INT8 = 4
    UINT8 = 5
    BFLOAT16 = 6
    INT64 = 7
    UINT64 = 8
    UINT16 = 9
    UINT32 = 10

    @property
    def size(self):
        return {0: 4, 1: 2, 2: 4, 3: 2, 4: 1, 5: 1, 6: 2, 7: 8, 8: 8, 9: 2, 10: 4}[self.value]


class TensorArgType(enum.Enum):
    INPUT = 0
    OUTPUT = 1
    INOUT = 2
    OUTPUT_EXISTING = 3
    NO_DEP = 4


class ArgDirection(enum.Enum):
    IN = 0
    OUT = 1
    INOUT = 2


class CallConfig:
    def __init__(self):
        self.aicpu_thread_num = 0


class CommBufferSpec:
    def __init__(self, name, dtype, count, nbytes):
        if not 0 <= count <= nbytes:
            raise ValueError(f"buffer {name}: count {count} exceeds nbytes {nbytes}")
        if nbytes % 64 != 0:
            raise ValueError(f"buffer {name}: nbytes {nbytes} is no multiple of 64")
        self.name, self.dtype, self.count, self.nbytes = name, dtype, count, nbytes


class WindowArg:
    def __init__(self, domain, buffer, owner, shapes, dtype):
        self.domain, self.buffer, self.owner, self.shapes, self.dtype = domain, buffer, owner, shapes, dtype


class HostArg:
    def __init__(self, tensor, shapes, dtype, strides):
        self.tensor, self.shapes, self.dtype, self.strides = tensor, shapes, dtype, strides


class Context(int):
    """A device address as far as the program can tell."""


class TaskArgs:
    def __init__(self):
        self.tensors, self.scalars = [], []

    def add_tensor(self, tensor, tag):
        if self.scalars:
            raise RuntimeError("add_tensor after add_scalar")
        if not isinstance(tensor, (WindowArg, HostArg)):
            raise TypeError(f"add_tensor takes a wrapped tensor, not {type(tensor).__name__}")
        if not isinstance(tag, TensorArgType):
            raise TypeError("add_tensor takes a TensorArgType")
        self.tensors.append((tensor, tag))

    def add_scalar(self, value):
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 64:
            raise TypeError(f"add_scalar takes an int in [0, 2^64), not {value!r}")
        self.scalars.append(value)


class Buffer:
    def __init__(self, domain, spec, owner):
        self.domain, self.spec, self.owner = domain, spec, owner

    def tensor(self, shapes, dtype):
        self.domain.check_open()
        shapes = tuple(int(e) for e in shapes)
        if math.prod(shapes) * dtype.size > self.spec.count:
            raise ValueError(f"buffer {self.spec.name}: {shapes} of {dtype.name} exceeds its {self.spec.count} bytes")
        return WindowArg(self.domain, self.spec.name, self.owner, shapes, dtype)


class DomainView:
    def __init__(self, domain, worker):
        self.buffers = {spec.name: Buffer(domain, spec, worker) for spec in domain.buffers}
        self.domain_size = len(domain.workers)
        self.domain_rank = domain.workers.index(worker)
        self.device_ctx = Context((1 << 40) + domain.number * 4096 + worker * 16)
        self.device_ctx.domain, self.device_ctx.owner = domain, worker


class Domain:
    def __init__(self, number, name, workers, window_size, buffers):
        self.number, self.name, self.workers, self.buffers = number, name, list(workers), list(buffers)
        self.window_size = window_size
        self.open = True
        self.views = {worker: DomainView(self, worker) for worker in self.workers}

    def check_open(self):
        if not self.open:
            raise RuntimeError(f"domain {self.name} is used after its end")

    def __getitem__(self, worker):
        self.check_open()
        return self.views[worker]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.open = False


class Worker:
    def __init__(self, chips):
        self.chips = chips

    def make_tensor_arg(self, tensor, shapes, dtype, strides=None):
        if not tensor.is_shared():
            raise ValueError("a host tensor must be in shared memory")
        shapes = tuple(int(e) for e in shapes)
        packed = tuple(math.prod(shapes[axis + 1 :]) for axis in range(len(shapes)))
        strides = packed if strides is None else tuple(int(e) for e in strides)
        if len(strides) != len(shapes) or any(e < 1 for e in strides):
            raise ValueError(f"make_tensor_arg: strides {strides} of shapes {shapes}")
        return HostArg(tensor, shapes, DataType(dtype.value if hasattr(dtype, "value") else dtype), strides)


class Orchestrator:
    def __init__(self, chips):
        self._worker = Worker(chips)
        self.domains, self.submits = [], []

    def allocate_domain(self, name, workers, window_size, buffers):
        workers = list(workers)
        if len(set(workers)) != len(workers) or not all(0 <= w < self._worker.chips for w in workers):
            raise ValueError(f"domain {name}: workers {workers} of {self._worker.chips} chips")
        if window_size % 64 != 0 or window_size < sum(b.nbytes for b in buffers):
            raise ValueError(f"domain {name}: window_size {window_size} does not hold its buffers")
        if len({b.name for b in buffers}) != len(buffers):
            raise ValueError(f"domain {name}: two buffers of one name")
        if name in [d.name for d in self.domains if d.open]:
            raise ValueError(f"domain {name} is there already")
        self.domains.append(Domain(len(self.domains), name, workers, window_size, buffers))
        return self.domains[-1]

    def submit_next_level(self, callable_handle, args, config=None, *, worker):
        if not isinstance(args, TaskArgs) or not isinstance(config, (CallConfig, type(None))):
            raise TypeError("submit_next_level takes TaskArgs and a CallConfig")
        if isinstance(worker, bool) or not isinstance(worker, int) or not 0 <= worker < self._worker.chips:
            raise ValueError(f"submit_next_level: worker {worker!r} of {self._worker.chips} chips")
        self.submits.append(("dispatch", callable_handle, worker, args))

    def submit_sub(self, callable_handle, args):
        for tensor, _ in args.tensors:
            if isinstance(tensor, WindowArg):
                raise ValueError("submit_sub: a window is device memory")
        self.submits.append(("sub", callable_handle, 0, args))
