"""What local models need beside the package itself, and what to install where it is missing."""

import re
from collections.abc import Iterable
from importlib.util import find_spec

from snellen.errors import UserError

NEEDED = ("torch", "transformers", "safetensors")
_MISSING = "local models need torch and transformers: pip install 'snellen[local]'"


_REQUIRED = re.compile(r"(\S+) requires the (\S+) library")


def missing_library(error: Exception) -> str:
    """What has to be installed, if an error of transformers is about that; else nothing. `torch` is kept as it is."""
    named = _REQUIRED.search(str(error)) if isinstance(error, ImportError) else None
    if named is None:
        return ""
    what = named[2].lower()
    return f"{named[1]} needs {what}: pip install {what}" + (f" {installed_torch()}" if what == "torchvision" else "")


def installed_torch() -> str:
    """The installed torch as pip takes it."""
    import torch

    return f"torch=={torch.__version__.partition('+')[0]}"


def require(modules: Iterable[str] = NEEDED, missing: str = _MISSING) -> None:
    """Raise `UserError` if an extra is not installed."""
    for module in modules:
        try:
            spec = find_spec(module)
        except ValueError:  # somebody put None in its place
            spec = None
        if spec is None:
            raise UserError(missing)
