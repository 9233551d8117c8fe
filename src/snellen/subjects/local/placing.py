"""Models that do not fit as they are: in 4 or 8 bits (by bitsandbytes), or spread over all GPUs (by accelerate).

Both put tensors where they belong while the files are read, and keep notes on them in the model's layers. Such a model
is not moved afterwards, and threads do not get copies of it.
"""

from logging import ERROR, getLogger
from pathlib import Path
from typing import Any, NamedTuple

from snellen.errors import UserError
from snellen.subjects.local.extras import require
from snellen.subjects.local.folders import CONFIG, read_json

BITS = ("4bit", "8bit")
MAPS = ("auto", "balanced", "balanced_low_0", "sequential")
"""Ways in which accelerate spreads a model over GPUs."""
_NO_BITS = "load={}: 4- and 8-bit loading needs bitsandbytes and accelerate: pip install bitsandbytes accelerate"
_NO_MAP = "device_map={}: spreading a model over GPUs needs accelerate: pip install accelerate"


class Fitting(NamedTuple):
    """How a model is made to fit. `bits`: "4bit", "8bit" or nothing; `device_map`: one of accelerate's, or nothing."""

    bits: str = ""
    device_map: str = ""

    @property
    def as_it_is(self) -> bool:
        """True if the model is loaded whole onto one device, in the numbers of its files."""
        return not (self.bits or self.device_map)


AS_IT_IS = Fitting()


def check(fitting: Fitting) -> None:
    """Raise `UserError` if what this takes is not installed."""
    if fitting.device_map:
        require(("accelerate",), _NO_MAP.format(fitting.device_map))
    if fitting.bits:
        require(("bitsandbytes", "accelerate"), _NO_BITS.format(fitting.bits))


def options(fitting: Fitting, folder: Path, dtype: str, place: str) -> dict[str, Any]:
    """What transformers' `from_pretrained` is told, so that the model is where it belongs; nothing for a plain one."""
    quantized = fitting.bits or "quantization_config" in read_json(folder / CONFIG)
    where = {"device_map": fitting.device_map or {"": place}} if fitting.device_map or quantized else {}
    return where | ({"quantization_config": _bits(fitting.bits, dtype)} if fitting.bits else {})


def _bits(bits: str, dtype: str) -> Any:
    import torch
    from transformers import BitsAndBytesConfig

    getLogger("bitsandbytes").setLevel(ERROR)  # it says at every step in what numbers it computes
    if bits == "8bit":
        return BitsAndBytesConfig(load_in_8bit=True)
    return BitsAndBytesConfig(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=getattr(torch, dtype)
    )


def check_devices(fitting: Fitting, device: str, processes: int) -> None:
    """Raise `UserError` if a model that is to be spread is also to be on one device, or several times there."""
    if fitting.device_map and (processes > 1 or device not in ("auto", "cuda")):
        given = f"processes={processes}" if processes > 1 else f"device={device}"
        raise UserError(f"device_map={fitting.device_map} spreads one copy over all GPUs; leave out {given}")
