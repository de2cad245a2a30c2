# SPDX-License-Identifier: Apache-2.0
"""Wraps host tensors as arguments; takes contiguous ones only, as the runtime's does."""


def make_tensor_arg(worker, tensor):
    if not tensor.is_contiguous():
        raise ValueError("make_tensor_arg requires a contiguous tensor")
    return worker.make_tensor_arg(tensor, shapes=tuple(tensor.shape), dtype=tensor.dtype.number)
