from pathlib import Path

from simpler.task_interface import ArgDirection as _D

_ROOT = Path(__file__).resolve().parent

RUNTIME_CONFIG = {
    "runtime": "tensormap_and_ringbuffer",
    "aicpu_thread_num": 0,
}

ORCHESTRATION = {
    "source": str(_ROOT / "orchestration" / "get_fp32.cpp"),
    "function_name": "aicpu_orchestration_entry",
    "signature": [_D.IN, _D.OUT],
}

KERNELS = [
    {
        "func_id": 0,
        "name": "get_fp32_step",
        "source": str(_ROOT / "kernels" / "aiv" / "get_fp32_step.cpp"),
        "core_type": "aiv",
        "signature": [_D.IN, _D.OUT],
        "external": True,
    },
]
