"""Keys for tests to plant, and a search for them in every byte that was written."""

import gzip
import re
import sqlite3
import string
import zipfile
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

_WORD = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
KINDS = {
    "openai": ("sk-proj-", _WORD + "_-", 48, ""),
    "openai-old": ("sk-", _WORD, 48, ""),
    "deepseek": ("sk-", _HEX, 32, ""),
    "anthropic": ("sk-ant-api03-", _WORD + "_-", 90, ""),
    "gemini": ("AIza", _WORD + "_-", 35, ""),
    "github": ("ghp_", _WORD, 36, ""),
    "huggingface": ("hf_", _WORD, 34, ""),
    "xai": ("xai-", _WORD, 80, ""),
    "groq": ("gsk_", _WORD, 52, ""),
    "nvidia": ("nvapi-", _WORD + "_-", 64, ""),
    "aws": ("AKIA", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16, ""),
    "jwt": ("eyJhbGciOiJIUzI1NiJ9.eyJ", _WORD, 40, ".c2lnbmF0dXJl"),
    "bearer": ("Authorization: Bearer ", _WORD + "._-", 40, ""),
    "azure": ('"api-key": "', _HEX, 32, '"'),
    "aws-secret": ("aws_secret_access_key = ", _WORD + "+", 40, ""),
    "login": ("https://user:", _WORD, 20, "@h.example/v1"),
    "query": ("https://h.example/v1?sig=", _WORD, 44, "&x=1"),
    "code": ("https://h.example/f?code=", _WORD + "_-", 54, ""),
    "runpod": ("rpa_", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 46, ""),
    "databricks": ("dapi", _HEX, 32, ""),
    "google-oauth": ("ya29.", _WORD + "_-", 120, ""),
    "langsmith": ("lsv2_pt_", _HEX, 32, "_0123456789"),
    "bedrock": ("ABSK", _WORD + "+/", 128, ""),
    "hex": ("sk_", _HEX, 48, ""),
    "client": ("client_secret: ", _WORD, 32, ""),
}
"""By kind: what stands before the key's random part, its letters and length, and what stands behind it."""


class Planted:
    """Keys handed out so far, by where they were put."""

    def __init__(self) -> None:
        self._cores: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._cores)

    def key(self, kind: str, place: str) -> str:
        """A key of this kind with what tells it, to be put in this place; the same whenever it is asked for."""
        before, letters, length, behind = KINDS[kind]
        random = Random(f"{kind} in {place}")
        core = "7aQ" if "Q" in letters and "a" in letters else "7" if "7" in letters else ""
        core = (
            core + "".join(random.choice(letters) for _ in range(length - len(core) - 1)) + letters[20 % len(letters)]
        )
        self._cores[f"{kind} in {place}"] = core
        return before + core + behind

    def found(self, written: str | bytes) -> list[str]:
        """The places of the keys of which there is a piece in what was written."""
        data = written.encode("utf-8", "replace") if isinstance(written, str) else written
        return [place for place, core in self._cores.items() if any(piece.encode() in data for piece in _pieces(core))]


def _pieces(core: str) -> Iterator[str]:
    """Pieces too long to be there by accident: of a key that was cut, one of them is left."""
    return (core[start : start + 10] for start in range(0, len(core) - 9, 5))


def everything(folder: Path) -> bytes:
    """All that is in the files of a folder, and their names: as it is, and unpacked."""
    return b"\n".join(part for path in sorted(folder.rglob("*")) for part in _parts(path))


def _parts(path: Path) -> Iterator[bytes]:
    yield path.name.encode()
    if not path.is_file():
        return
    data = path.read_bytes()
    yield data
    if path.suffix == ".html":
        for packed in re.findall(rb">([A-Za-z0-9+/=]{40,})</script>", data):
            yield gzip.decompress(b64decode(packed))
    elif path.suffix == ".sqlite":
        with closing(sqlite3.connect(path)) as db:
            yield "\n".join(db.iterdump()).encode("utf-8", "replace")
    elif path.suffix == ".parquet":
        import polars as pl

        yield pl.read_parquet(path).write_ndjson().encode()
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            yield from (archive.read(name) for name in archive.namelist())
