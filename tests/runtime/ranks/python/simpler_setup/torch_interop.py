# SPDX-License-Identifier: Apache-2.0
"""Wraps host tensors as arguments; takes what the runtime's does: contiguous ones, and not every element type."""


def make_tensor_arg(worker, tensor):
    if not tensor.is_contiguous():
        raise ValueError("make_tensor_arg requires a contiguous tensor")
    if tensor.dtype.name in ("bool", "uint64"):
        raise ValueError(f"Unsupported tensor dtype: {tensor.dtype}")
    return worker.make_tensor_arg(tensor, shapes=tuple(tensor.shape), dtype=tensor.dtype.number)
