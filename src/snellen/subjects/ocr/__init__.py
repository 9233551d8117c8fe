"""`ocr/rapidocr` and `ocr/tesseract`: programs that read letters, as subjects. Real observers whose sight is neither
simulated nor somebody's secret: anchors for whoever else looks at the same charts.

They are given the whole picture, as a model is, and find the letters in it themselves (`engines`); what was read is the
answer (`saying`), "nothing" where nothing was found. With the setting `crop` the picture is first cropped to its ink
(`ink`) and read as one line: finding is then done for them, exactly and at any contrast, so such a reader has a name
of its own and is no anchor. They are asked about single letters only: which of five is in the middle, or what many
dots form, is not for a reader of lines to say.
"""

import os
from collections.abc import Mapping
from functools import partial

from snellen.call import Abilities, Call, CallFailed, Reply
from snellen.errors import unknown
from snellen.subjects import settings
from snellen.subjects.ocr.engines import ENGINES, Read
from snellen.subjects.ocr.ink import Pixels, cropped
from snellen.subjects.ocr.saying import NOTHING, said
from snellen.subjects.own import OwnSubject
from snellen.subjects.pictures import pixels_of
from snellen.subjects.settings import SubjectSetting, number

_CROP = SubjectSetting(
    "crop", "a number from 0 to 4: crop to the ink, with a margin of this many times its height", number(0, 4)
)

_TESTS = ("letters", "contrast")
_ONLY = f"the eye chart's tests {' and '.join(_TESTS)}"


def ocr_subject(model: str, pairs: tuple[tuple[str, str], ...], env: Mapping[str, str]) -> OwnSubject:
    """The reader of that name. Whether it is installed shows here, and which version it is goes into every call."""
    if model not in ENGINES:
        raise unknown("ocr reader", model, ENGINES)
    whose, make = f"ocr/{model}", ENGINES[model]
    values = settings.read(pairs, (_CROP, *make.schema), whose)
    engine = make.start(values, env)
    name = whose + settings.written(values, (_CROP, *make.schema))
    abilities = Abilities(
        pictures=1,
        words=False,
        knows=lambda item: item.levels.get("test") in _TESTS,
        only=_ONLY,
        together=min(4, os.cpu_count() or 1),
        in_process=True,
    )
    return OwnSubject(name, {**values, **engine.versions}, abilities, partial(_answer, whose, engine.read))


def _answer(whose: str, read: Read, call: Call) -> Reply:
    if len(call.pictures) != 1:
        raise CallFailed("rejected", f"{whose} reads one picture at a time; this call has {len(call.pictures)}")
    words = " ".join(part for part in call.messages[-1].parts if isinstance(part, str))
    shown: Pixels | None = pixels_of(call.pictures[0])
    if shown is not None and "crop" in call.settings:
        shown = cropped(shown, float(call.settings["crop"]))
    return Reply(NOTHING if shown is None else said(read(shown), words))
