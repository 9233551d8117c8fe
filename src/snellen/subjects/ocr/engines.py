"""The recognisers: how each is started, which version it is, and how it reads a picture or one line."""

import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import which
from string import ascii_uppercase, digits
from threading import Lock
from typing import Any

import numpy as np

from snellen.call import CallFailed
from snellen.draw.png import encode_rgb
from snellen.errors import UserError, in_one_line
from snellen.item import content_digest
from snellen.subjects.ocr.ink import Pixels
from snellen.subjects.settings import Schema, SubjectSetting, Value, one_of

Read = Callable[[Pixels], str]
"""From a picture, or a line cropped from it, to what it says, verbatim. Several threads may read at once."""


@dataclass(frozen=True, slots=True)
class OcrEngine:
    """An OCR program. `versions`: the software versions that its output depends on."""

    versions: Mapping[str, str]
    read: Read


@dataclass(frozen=True, slots=True)
class EngineFactory:
    schema: Schema
    start: Callable[[Mapping[str, Value], Mapping[str, str]], OcrEngine]


# RapidOCR: its models are in its wheel and are held to digests that its version knows, so the version says it all.

_PACKAGES = ("rapidocr", "onnxruntime")
_NO_RAPIDOCR = "ocr/rapidocr needs rapidocr 3 or later and onnxruntime: pip install 'snellen[ocr]'"


def _rapidocr(values: Mapping[str, Value], env: Mapping[str, str]) -> OcrEngine:
    try:
        versions = {package: version(package) for package in _PACKAGES}
    except PackageNotFoundError as missing:
        raise UserError(f"{missing.name} is not installed; {_NO_RAPIDOCR}") from None
    if int(versions["rapidocr"].partition(".")[0]) < 3:
        raise UserError(f"rapidocr {versions['rapidocr']} is installed; {_NO_RAPIDOCR}")
    return OcrEngine(versions, _Rapid(whole="crop" not in values).read)


class _Rapid:
    """Loaded at the first picture, once for all threads. It wants blue first, as OpenCV has it.

    `whole`: it finds the text first, which way up it is and then what it says, as it does unless told otherwise; else
    it only recognises one line. Every call says which, because the program keeps what it was told last.
    """

    def __init__(self, *, whole: bool) -> None:
        self._steps = {"use_det": whole, "use_cls": whole, "use_rec": True}
        self._engine: Any = None
        self._loading = Lock()

    def read(self, shown: Pixels) -> str:
        with self._loading:
            if self._engine is None:
                self._engine = _recogniser()
        lines = self._engine(np.ascontiguousarray(shown[..., ::-1]), **self._steps)
        return "".join(lines.txts or ())


def _recogniser() -> Any:
    from rapidocr import RapidOCR  # a second to load

    alone = {f"EngineConfig.onnxruntime.{kind}_op_num_threads": 1 for kind in ("intra", "inter")}
    return RapidOCR(params={**alone, "Global.log_level": "error"})


# Tesseract: a program beside us, asked anew for each picture. Left free it reads a lone C as "Cc", so it knows capitals
# and digits only; left to find the layout itself (psm 3 or 11) it finds no text on a page with one letter, so it is
# told that the page is a block of text.

_NO_TESSERACT = "ocr/tesseract needs tesseract with English: apt install tesseract-ocr, or brew install tesseract"
_PATIENCE = 60
_KNOWN = f"tessedit_char_whitelist={ascii_uppercase}{digits}"
_MODES = {"6": "a block", "7": "a line", "8": "a word", "10": "a letter", "13": "a raw line"}
_MODE = SubjectSetting("psm", ", ".join(f"{mode} ({what})" for mode, what in _MODES.items()), one_of(*_MODES), "6")


def _tesseract(values: Mapping[str, Value], env: Mapping[str, str]) -> OcrEngine:
    program = which("tesseract", path=env.get("PATH", ""))
    if program is None:
        raise UserError(_NO_TESSERACT)
    told = re.search(r"tesseract\s+v?(\S+)", _run(program, "--version", env=env))
    if told is None:
        raise UserError(f"{program} does not report its version; {_NO_TESSERACT}")
    languages = _run(program, "--list-langs", env=env)
    if "eng" not in languages.split():
        raise UserError(f"{program} has no English data; {_NO_TESSERACT}")
    read = partial(_read_by, program, str(values["psm"]), dict(env))
    return OcrEngine({"tesseract": told[1], **_data(languages)}, read)


def _data(languages: str) -> dict[str, str]:
    """Which English it has, fast or best, as far as the program says where its data are."""
    folder = re.search(r'"([^"\n]+)"', languages)
    file = Path(folder[1]) / "eng.traineddata" if folder else None
    return {"data": content_digest(file.read_bytes())[:12]} if file is not None and file.is_file() else {}


def _read_by(program: str, mode: str, env: Mapping[str, str], shown: Pixels) -> str:
    try:
        words = ("stdin", "stdout", "--psm", mode, "-l", "eng", "-c", _KNOWN)
        return _run(program, *words, env=env, given=encode_rgb(shown))
    except UserError as error:
        raise CallFailed("rejected", str(error)) from None


def _run(program: str, *words: str, env: Mapping[str, str], given: bytes = b"") -> str:
    """What the program says. One core for each picture is faster than all cores for one after the other."""
    alone = {**env, "OMP_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(  # noqa: S603 - the program that the user's path names, with words of ours
            [program, *words], input=given, capture_output=True, env=alone, timeout=_PATIENCE, check=True
        )
    except subprocess.CalledProcessError as error:
        why = error.stderr.decode(errors="replace").strip() or f"exit status {error.returncode}"
        raise UserError(f"{program}: {in_one_line(ValueError(why))}") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"{program}: {in_one_line(error)}") from None
    return done.stdout.decode(errors="replace")


ENGINES: Mapping[str, EngineFactory] = {
    "rapidocr": EngineFactory((), _rapidocr),
    "tesseract": EngineFactory((_MODE,), _tesseract),
}
