from pathlib import Path

from simpler.task_interface import ArgDirection

_ROOT = Path(__file__).resolve().parent

RUNTIME_CONFIG = {"runtime": "tensormap_and_ringbuffer", "aicpu_thread_num": 0}

ORCHESTRATION = {
    "source": str(_ROOT / "orchestration" / "pipeline.cpp"),
    "function_name": "aicpu_orchestration_entry",
    "signature": [ArgDirection.IN, ArgDirection.IN, ArgDirection.OUT],
}

KERNELS = [
    {
        "func_id": 0,
        "name": "add",
        "source": str(_ROOT / "kernels" / "aiv" / "add.cpp"),
        "core_type": "aiv",
        "external": True,
        "signature": [ArgDirection.IN, ArgDirection.IN, ArgDirection.OUT],
    },
    {
        "func_id": 1,
        "name": "scale",
        "source": str(_ROOT / "kernels" / "aiv" / "scale.cpp"),
        "core_type": "aiv",
        "external": True,
        "signature": [ArgDirection.IN, ArgDirection.OUT],
    },
    {
        "func_id": 2,
        "name": "mul",
        "source": str(_ROOT / "kernels" / "aiv" / "mul.cpp"),
        "core_type": "aiv",
        "external": True,
        "signature": [ArgDirection.IN, ArgDirection.IN, ArgDirection.OUT],
    },
]
