from pathlib import Path

from simpler.task_interface import ArgDirection as _D

_ROOT = Path(__file__).resolve().parent

RUNTIME_CONFIG = {
    "runtime": "tensormap_and_ringbuffer",
    "aicpu_thread_num": 0,
}

ORCHESTRATION = {
    "source": str(_ROOT / "orchestration" / "builtin_tensor_allreduce__sum__fp32.cpp"),
    "function_name": "aicpu_orchestration_entry",
    "signature": [_D.INOUT, _D.INOUT],
}

KERNELS = [
    {
        "func_id": 0,
        "name": "builtin_tensor_allreduce__sum__fp32_kernel",
        "source": str(_ROOT / "kernels" / "aiv" / "builtin_tensor_allreduce__sum__fp32_kernel.cpp"),
        "core_type": "aiv",
        "signature": [_D.INOUT, _D.INOUT],
    },
]
