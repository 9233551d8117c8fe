"""Leaving a whole file or none."""

from collections.abc import Iterable
from pathlib import Path

from snellen.errors import UserError


def save(path: Path, pieces: Iterable[bytes], what: str) -> Path:
    """Write beside the target and move into place, so that a full disk never leaves half a file; where it is."""
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with part.open("wb") as file:
                file.writelines(pieces)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError(f"cannot write the {what} {path}: {reason}; choose another folder") from error
    return path
