from pathlib import Path

from simpler.task_interface import ArgDirection as _D

_ROOT = Path(__file__).resolve().parent

RUNTIME_CONFIG = {
    "runtime": "tensormap_and_ringbuffer",
    "aicpu_thread_num": 0,
}

ORCHESTRATION = {
    "source": str(_ROOT / "orchestration" / "pipeline.cpp"),
    "function_name": "aicpu_orchestration_entry",
    "signature": [_D.IN, _D.IN, _D.OUT],
}

KERNELS = [
    {
        "func_id": 0,
        "name": "add",
        "source": str(_ROOT / "kernels" / "aiv" / "add.d" / "add.cpp"),
        "core_type": "aiv",
        "signature": [_D.IN, _D.IN, _D.OUT],
        "external": True,
    },
    {
        "func_id": 1,
        "name": "scale",
        "source": str(_ROOT / "kernels" / "aiv" / "scale.d" / "scale.cpp"),
        "core_type": "aiv",
        "signature": [_D.IN, _D.OUT],
        "external": True,
    },
    {
        "func_id": 2,
        "name": "mul",
        "source": str(_ROOT / "kernels" / "aiv" / "mul.d" / "mul.cpp"),
        "core_type": "aiv",
        "signature": [_D.IN, _D.IN, _D.OUT],
        "external": True,
    },
]
