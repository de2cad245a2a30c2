# SPDX-License-Identifier: Apache-2.0
"""The little of torch that emitted host code uses: tensors over shared storages, slices of them, element access.

Not a tensor library: it exists so that host_orch.py and sub workers run in tests with Python alone.
"""

import math
import struct


class dtype:
    def __init__(self, name, number, size, code):
        self.name, self.number, self.size, self.code = name, number, size, code

    def __repr__(self):
        return f"torch.{self.name}"

    def pack(self, value):
        if self.code == "bf16":
            (bits,) = struct.unpack("<I", struct.pack("<f", _float(value)))
            if not math.isnan(value):
                bits += 0x7FFF + (bits >> 16 & 1)
            return struct.pack("<H", bits >> 16 & 0xFFFF)
        if self.code == "?":
            return struct.pack("<?", _bool(value))
        return struct.pack("<" + self.code, _float(value) if self.code in "efd" else _int(value))

    def unpack(self, data):
        if self.code == "bf16":
            return struct.unpack("<f", b"\0\0" + data)[0]
        return struct.unpack("<" + self.code, data)[0]


float32 = float = dtype("float32", 0, 4, "f")
float16 = half = dtype("float16", 1, 2, "e")
int32 = int = dtype("int32", 2, 4, "i")
int16 = dtype("int16", 3, 2, "h")
int8 = dtype("int8", 4, 1, "b")
uint8 = dtype("uint8", 5, 1, "B")
bfloat16 = dtype("bfloat16", 6, 2, "bf16")
int64 = long = dtype("int64", 7, 8, "q")
uint64 = dtype("uint64", 8, 8, "Q")
uint16 = dtype("uint16", 9, 2, "H")
uint32 = dtype("uint32", 10, 4, "I")
bool = dtype("bool", 11, 1, "?")
ALL = [float32, float16, int32, int16, int8, uint8, bfloat16, int64, uint64, uint16, uint32, bool]
_int, _float, _bool = type(0), type(0.0), type(True)


class device:
    def __init__(self, kind):
        self.type = kind


class Size(tuple):
    def numel(self):
        return math.prod(self)


class Storage:
    def __init__(self, data, name="host"):
        self.data, self.name, self.shared = bytearray(data), name, False


def _packed(shape):
    strides, step = [], 1
    for extent in reversed(shape):
        strides.insert(0, step)
        step *= extent
    return tuple(strides)


class Tensor:
    device = device("cpu")

    def __init__(self, storage, shape, kind, offset=0, strides=None):
        self.storage_, self.shape, self.dtype = storage, Size(shape), kind
        self.offset_ = offset  # elements
        self.strides_ = tuple(strides) if strides is not None else _packed(shape)

    def is_contiguous(self):
        if 0 in self.shape:
            return True
        return all(e == 1 or s == p for e, s, p in zip(self.shape, self.strides_, _packed(self.shape)))

    def share_memory_(self):
        self.storage_.shared = True
        return self

    def is_shared(self):
        return self.storage_.shared

    def numel(self):
        return self.shape.numel()

    def dim(self):
        return len(self.shape)

    ndim = property(dim)

    def size(self, axis=None):
        return self.shape if axis is None else self.shape[axis]

    def stride(self, axis=None):
        return self.strides_ if axis is None else self.strides_[axis]

    def element_size(self):
        return self.dtype.size

    def storage_offset(self):
        return self.offset_

    def data_ptr(self):
        return id(self.storage_) + self.offset_ * self.dtype.size

    def contiguous(self):
        if self.is_contiguous():
            return self
        made = zeros(self.shape, dtype=self.dtype)
        made[...] = self
        return made

    def clone(self):
        made = zeros(self.shape, dtype=self.dtype)
        made[...] = self
        return made

    def reshape(self, *shape):
        shape = tuple(shape[0]) if len(shape) == 1 and not isinstance(shape[0], _int) else tuple(shape)
        if -1 in shape:
            rest = math.prod(e for e in shape if e != -1)
            shape = tuple(self.numel() // rest if e == -1 else e for e in shape)
        if math.prod(shape) != self.numel() or not self.is_contiguous():
            raise RuntimeError(f"cannot reshape {tuple(self.shape)} to {shape}")
        return Tensor(self.storage_, shape, self.dtype, self.offset_)

    def view(self, *shape):
        if len(shape) == 1 and isinstance(shape[0], dtype):
            if shape[0].size != self.dtype.size:
                raise NotImplementedError("view as an element type of another size")
            return Tensor(self.storage_, self.shape, shape[0], self.offset_, self.strides_)
        return self.reshape(*shape)

    def as_strided(self, shape, strides):
        return Tensor(self.storage_, shape, self.dtype, self.offset_, strides)

    def __len__(self):
        return self.shape[0]

    def _at(self, index):
        index = index if isinstance(index, tuple) else (index,)
        if Ellipsis in index:
            at = index.index(Ellipsis)
            index = index[:at] + (slice(None),) * (len(self.shape) - len(index) + 1) + index[at + 1 :]
        if len(index) > len(self.shape):
            raise IndexError("too many indices")
        index += (slice(None),) * (len(self.shape) - len(index))
        offset, shape, strides = self.offset_, [], []
        for extent, stride, one in zip(self.shape, self.strides_, index):
            if isinstance(one, slice):
                begin, end, step = one.indices(extent)
                if step < 1:
                    raise ValueError("slice step must be positive")
                offset += begin * stride
                shape.append(max(0, (end - begin + step - 1) // step))
                strides.append(stride * step)
                continue
            one = one.__index__()
            if not -extent <= one < extent:
                raise IndexError(f"index {one} is out of bounds for dimension with size {extent}")
            offset += one % extent * stride
        return Tensor(self.storage_, shape, self.dtype, offset, strides)

    def __getitem__(self, index):
        return self._at(index)

    def _places(self):
        def walk(axis, offset):
            if axis == len(self.shape):
                yield offset * self.dtype.size
                return
            for i in range(self.shape[axis]):
                yield from walk(axis + 1, offset + i * self.strides_[axis])

        return walk(0, self.offset_)

    def values(self):
        size = self.dtype.size
        return [self.dtype.unpack(bytes(self.storage_.data[at : at + size])) for at in self._places()]

    def __setitem__(self, index, value):
        target = self._at(index)
        if isinstance(value, Tensor):
            if tuple(e for e in value.shape if e != 1) != tuple(e for e in target.shape if e != 1):
                raise RuntimeError(f"cannot assign {tuple(value.shape)} to {tuple(target.shape)}")
            values = value.values()
        else:
            values = [value] * target.numel()
        size = self.dtype.size
        for at, one in zip(list(target._places()), values):
            self.storage_.data[at : at + size] = self.dtype.pack(one)

    def copy_(self, other):
        self[...] = other
        return self

    def fill_(self, value):
        self[...] = value
        return self

    def zero_(self):
        return self.fill_(0)

    def item(self):
        (value,) = self.values()
        return value

    def tolist(self):
        if not self.shape:
            return self.item()
        return [self[i].tolist() for i in range(self.shape[0])]

    def __int__(self):
        return _int(self.item())

    def __index__(self):
        return _int(self.item())

    def __float__(self):
        return _float(self.item())

    def __bool__(self):
        return _bool(self.item())

    def _with(self, other, operation):
        right = other.values() if isinstance(other, Tensor) else [other] * self.numel()
        made = zeros(self.shape, dtype=self.dtype)
        size = self.dtype.size
        for i, (a, b) in enumerate(zip(self.values(), right)):
            made.storage_.data[i * size : (i + 1) * size] = self.dtype.pack(operation(a, b))
        return made

    def __add__(self, other):
        return self._with(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other):
        return self._with(other, lambda a, b: a - b)

    def __mul__(self, other):
        return self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def sum(self):
        return tensor(math.fsum(self.values()), dtype=self.dtype)

    def add_(self, other):
        return self.copy_(self + other)

    def mul_(self, other):
        return self.copy_(self * other)


def zeros(*shape, dtype=float32):
    shape = tuple(shape[0]) if len(shape) == 1 and not isinstance(shape[0], _int) else tuple(shape)
    shape = tuple(e.__index__() for e in shape)
    return Tensor(Storage(bytes(math.prod(shape) * dtype.size)), shape, dtype)


def frombuffer(buffer, *, dtype, count):
    if count * dtype.size > len(buffer):
        raise ValueError(f"a buffer of {len(buffer)} bytes has no {count} elements of {dtype}")
    storage = Storage(b"")
    storage.data = buffer
    return Tensor(storage, (count,), dtype)


def full(shape, value, dtype=float32):
    return zeros(shape, dtype=dtype).fill_(value)


def tensor(value, dtype=float32):
    return full((), value, dtype)


empty = zeros
