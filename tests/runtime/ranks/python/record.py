# SPDX-License-Identifier: Apache-2.0
"""Executes what a build wrote in Python, for the tests of tests/runtime/ranks.

    record.py record FOLDER WORLD_SIZE WORK   runs orchestration/host_orch.py and writes what it did
    record.py sub FOLDER NAME WORK            runs sub_workers/NAME.py on given tensors

WORK holds arguments.txt and arguments.bin; record.txt and record.bin are written there. ranks/host_python.cpp is the
other end. An exception ends as one line `Type: text` on the error stream and exit status 1.
"""

import importlib.util
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import torch  # noqa: E402
from simpler import task_interface as api  # noqa: E402


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_arguments(work):
    data = (work / "arguments.bin").read_bytes()
    arguments = {}
    for line in (work / "arguments.txt").read_text().splitlines():
        kind, name, number, size, *shape = line.split()
        content, data = data[: int(size)], data[int(size) :]
        if kind == "scalar":
            arguments[name] = torch.ALL[int(number)].unpack(content)
            continue
        storage = torch.Storage(content, name)
        arguments[name] = torch.Tensor(storage, [int(e) for e in shape], torch.ALL[int(number)]).share_memory_()
    return arguments


class Callables(dict):
    """One entry for each sub-build or sub worker of the folder."""

    def __init__(self, kind, names):
        super().__init__({name: name for name in names})
        self.kind = kind

    def __missing__(self, name):
        raise KeyError(f"no {self.kind} is called {name}")


class Recorder:
    def __init__(self, work):
        self.text = open(work / "record.txt", "w")
        self.data = open(work / "record.bin", "wb")
        self.storages = {}

    def line(self, *words):
        print(*words, file=self.text)

    def storage(self, storage):
        if id(storage) not in self.storages:
            self.storages[id(storage)] = (len(self.storages), storage)
            self.line("storage", len(storage.data), storage.name)
            self.data.write(storage.data)
        return self.storages[id(storage)][0]

    def submit(self, what, callable_handle, worker, args):
        for tensor, _ in args.tensors:
            if isinstance(tensor, api.HostArg):
                self.storage(tensor.tensor.storage_)
        self.line(what, callable_handle, worker)
        for tensor, tag in args.tensors:
            tail = (tensor.dtype.value, tag.value, len(tensor.shapes), *tensor.shapes)
            if isinstance(tensor, api.WindowArg):
                self.line("window", tensor.domain.number, tensor.buffer, tensor.owner, *tail)
            else:
                offset = tensor.tensor.offset_ * tensor.tensor.dtype.size
                self.line("host", self.storage(tensor.tensor.storage_), offset, *tail, *tensor.strides)
        for value in args.scalars:
            if isinstance(value, api.Context):
                self.line("context", value.domain.number, value.owner)
            else:
                self.line("value", value)

    def close(self):
        self.text.close()
        self.data.close()


def record(folder, world_size, work):
    tensors = read_arguments(work)
    arguments = {name: t for name, t in tensors.items() if isinstance(t, torch.Tensor)}
    module = load(folder / "orchestration" / "host_orch.py")
    entries = [f for f in vars(module).values() if getattr(f, "_pypto_distributed_entry", False)]
    if len(entries) != 1:
        raise RuntimeError(f"host_orch.py has {len(entries)} entries")
    if hasattr(module, "_alloc_intermediates"):
        module._alloc_intermediates(tensors, world_size)
    names = [p.name for p in (folder / "next_levels").iterdir()] if (folder / "next_levels").is_dir() else []
    subs = [p.stem for p in (folder / "sub_workers").glob("*.py")] if (folder / "sub_workers").is_dir() else []
    orch = api.Orchestrator(world_size)
    entries[0](
        orch,
        None,
        api.CallConfig(),
        tensors=tensors,
        callables=Callables("sub-build", names),
        sub_ids=Callables("sub worker", subs),
        _keep=[],
        world_size=world_size,
    )
    recorder = Recorder(work)
    for name, tensor in arguments.items():
        recorder.line("argument", name, recorder.storage(tensor.storage_))
    for domain in orch.domains:
        recorder.line("domain", domain.name, domain.window_size, *domain.workers)
        for buffer in domain.buffers:
            recorder.line("buffer", buffer.name, buffer.count, buffer.nbytes)
    for submit in orch.submits:
        recorder.submit(*submit)
    recorder.close()


class MappedArg:
    """A tensor as a sub worker gets it: memory from the first element on, and the geometry."""

    def __init__(self, tensor):
        self.buffer = memoryview(tensor.storage_.data)
        self.shapes, self.strides, self.dtype = tuple(tensor.shape), tensor.stride(), tensor.dtype.number


class MappedArgs(list):
    """Indexes as the tensors; the scalars are 64 bits each."""

    def __init__(self, tensors, scalars):
        super().__init__(MappedArg(tensor) for tensor in tensors)
        self._scalars = scalars

    def scalar_count(self):
        return len(self._scalars)

    def scalar(self, i):
        return self._scalars[i]


def sub(folder, name, work):
    arguments = list(read_arguments(work).values())
    tensors = [a for a in arguments if isinstance(a, torch.Tensor)]
    scalars = [a for a in arguments if not isinstance(a, torch.Tensor)]
    getattr(load(folder / "sub_workers" / f"{name}.py"), name)(MappedArgs(tensors, scalars))
    with open(work / "record.bin", "wb") as out:
        for tensor in tensors:
            out.write(tensor.storage_.data)


def main(mode, folder, what, work):
    folder, work = pathlib.Path(folder), pathlib.Path(work)
    try:
        if mode == "record":
            record(folder, int(what), work)
        else:
            sub(folder, what, work)
    except Exception as error:  # the one line is what the tests look at
        text = error.args[0] if isinstance(error, KeyError) and error.args else error
        print(f"{type(error).__name__}: {text}".replace("\n", " "), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
