import torch


def _tensor(arg, dtype):
    shapes = tuple(int(n) for n in arg.shapes)
    strides = tuple(int(n) for n in arg.strides)
    if 0 in shapes:
        return torch.empty(shapes, dtype=dtype)
    span = 1 + sum((n - 1) * step for n, step in zip(shapes, strides))
    return torch.frombuffer(arg.buffer, dtype=dtype, count=span).as_strided(shapes, strides)


def _body(t, u, f):
    if bool((t < 0).any()):
        raise ValueError("negative")
    f.copy_(t + u)
    return f


def check(args):
    _body(_tensor(args[0], torch.float16), _tensor(args[1], torch.float16), _tensor(args[2], torch.float16))
