from pathlib import Path

from simpler.task_interface import ArgDirection as _D

_ROOT = Path(__file__).resolve().parent

RUNTIME_CONFIG = {
    "runtime": "tensormap_and_ringbuffer",
    "aicpu_thread_num": 0,
}

ORCHESTRATION = {
    "source": str(_ROOT / "orchestration" / "chip_pipeline.cpp"),
    "function_name": "aicpu_orchestration_entry",
    "signature": [_D.IN, _D.OUT, _D.INOUT, _D.INOUT, _D.INOUT, _D.INOUT, _D.INOUT],
}

KERNELS = [
    {
        "func_id": 0,
        "name": "stage_step",
        "source": str(_ROOT / "kernels" / "aiv" / "stage_step.cpp"),
        "core_type": "aiv",
        "signature": [_D.IN, _D.INOUT, _D.INOUT],
        "external": True,
    },
    {
        "func_id": 1,
        "name": "__builtin_all_to_all_v__fp32",
        "source": str(_ROOT / "kernels" / "aiv" / "__builtin_all_to_all_v__fp32.cpp"),
        "core_type": "aiv",
        "signature": [_D.IN, _D.INOUT, _D.INOUT, _D.IN, _D.INOUT],
    },
    {
        "func_id": 2,
        "name": "consume_step",
        "source": str(_ROOT / "kernels" / "aiv" / "consume_step.cpp"),
        "core_type": "aiv",
        "signature": [_D.IN, _D.IN, _D.OUT],
        "external": True,
    },
]
