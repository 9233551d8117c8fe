"""Data sets on the Hugging Face Hub: fetched once, kept in the Hub's own cache, every failure said in one line."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

from snellen.errors import UserError

_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
_NEVER = ["*.pkl", "*.pickle", "*.pt", "*.pth", "*.bin", "*.npy"]
"""Pickles and weights run code when opened. We would never open them, so they are not even fetched."""


def is_hub_id(place: str) -> bool:
    """Whether this could name a data set on the Hub: `owner/name`."""
    return _ID.fullmatch(place) is not None


def snapshot(repository: str) -> Path:
    """The folder with the files of a data set on the Hub."""
    library = _library(repository)
    try:
        return Path(library.snapshot_download(repository, repo_type="dataset", ignore_patterns=_NEVER))
    except Exception as error:
        raise UserError(_line(repository, error)) from error


def _library(repository: str) -> Any:
    try:
        return import_module("huggingface_hub")
    except ImportError:
        raise UserError(
            f"{repository}: no such folder, and fetching it from the Hugging Face Hub needs huggingface_hub: pip"
            " install 'snellen[hub]'"
        ) from None


def _line(repository: str, error: Exception) -> str:
    """What went wrong, and what to do about it. Errors are told by name: the library moves them about."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    page = f"https://huggingface.co/datasets/{repository}"
    if "GatedRepoError" in kinds:
        return f"{repository}: access is gated; log in (hf auth login) and accept the terms at {page}"
    if "RepositoryNotFoundError" in kinds:
        return f"{repository}: no such folder, and no such data set on the Hub (a private one needs hf auth login)"
    if kinds & {"LocalEntryNotFoundError", "OfflineModeIsEnabled", "ConnectionError", "TimeoutError", "ConnectError"}:
        return f"{repository}: the Hub cannot be reached and nothing is cached; go online, or give a folder"
    reason = " ".join(str(error).split())[:200]
    return (
        f"{repository}: cannot be fetched from the Hub ({type(error).__name__}: {reason}); try again, or give a folder"
    )
