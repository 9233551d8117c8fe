"""The numbers a model computes in: those asked for, else those of its files, unless its CPU is slow at them.

A CPU without instructions for half precision converts at every step: products of bfloat16 matrices took 5 times as
long as those of float32 on one, float16 70 times, and a whole model with bfloat16 weights 260 times. Every bfloat16 and
float16 number is a float32 number, so such a model is loaded in float32.
"""

from functools import cache
from pathlib import Path

from snellen.subjects.local.folders import CONFIG, read_json, weights

_FLOATS = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16"}
_INSTRUCTIONS = {
    "bfloat16": frozenset(("avx512_bf16", "amx_bf16", "bf16")),
    "float16": frozenset(("avx512_fp16", "amx_fp16", "asimdhp")),
}
"""Flags of CPUs (x86, then ARM), any of which means that the dtype is computed in hardware."""
_CPUINFO = Path("/proc/cpuinfo")


def computed_dtype(folder: Path, dtype: str, device: str = "auto") -> str:
    """The dtype in which the model of a folder computes on a device. `dtype`: a name of torch's, or "auto" for that of
    its config or first weights, or float32 where a CPU has no instructions for it. Imports torch only for "auto" as
    device and such a CPU."""
    if dtype != "auto":
        return dtype
    saved = _saved_dtype(folder)
    return saved if _is_quick(saved, cpu_flags()) or not _is_cpu(device) else "float32"


def _saved_dtype(folder: Path) -> str:
    from safetensors import safe_open

    config = read_json(folder / CONFIG)
    if named := config.get("dtype") or config.get("torch_dtype"):
        return str(named)
    with safe_open(weights(folder)[0], framework="numpy") as file:
        held = (file.get_slice(name).get_dtype() for name in file.keys())  # noqa: SIM118 - no dict
        return next((_FLOATS[kind] for kind in held if kind in _FLOATS), "float32")


def _is_quick(dtype: str, flags: frozenset[str]) -> bool:
    """True unless it is known that the CPU has no instructions for the dtype."""
    return dtype not in _INSTRUCTIONS or not flags or bool(flags & _INSTRUCTIONS[dtype])


@cache
def cpu_flags() -> frozenset[str]:
    """What the CPU can do, in Linux's words; nothing on other systems, which do not say."""
    try:
        lines = _CPUINFO.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return frozenset()
    named = (line.partition(":") for line in lines)
    return frozenset(next((flags for name, _, flags in named if name.strip() in ("flags", "Features")), "").split())


def _is_cpu(device: str) -> bool:
    if device != "auto":
        return device == "cpu"
    import torch

    return not torch.cuda.is_available()
