"""What local models need beside the package itself, and what to install where it is missing."""

from collections.abc import Iterable
from importlib.util import find_spec

from snellen.errors import UserError

NEEDED = ("torch", "transformers", "safetensors")
_MISSING = "local models need torch and transformers: pip install 'snellen[local]'"


def require(modules: Iterable[str] = NEEDED, missing: str = _MISSING) -> None:
    """Raise `UserError` if an extra is not installed."""
    for module in modules:
        try:
            spec = find_spec(module)
        except ValueError:  # somebody put None in its place
            spec = None
        if spec is None:
            raise UserError(missing)
