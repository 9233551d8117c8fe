"""`ocr/rapidocr` and `ocr/tesseract`: programs that read letters, as subjects. Real observers whose sight is neither
simulated nor somebody's secret: anchors for whoever else looks at the same charts.

They read, and do nothing else. A picture is cropped to its ink (`ink`), recognised as one line (`engines`), and what
was read is the answer (`saying`): "nothing" where there is no ink or nothing was made of it. So they are asked about
single letters only: which of five is in the middle, or what many dots form, is not for a reader of lines to say.
"""

import os
from collections.abc import Mapping
from functools import partial

from snellen.call import Abilities, Call, CallFailed, Reply
from snellen.errors import unknown
from snellen.item import Item
from snellen.subjects import settings
from snellen.subjects.ocr.engines import ENGINES, Read
from snellen.subjects.ocr.ink import cropped
from snellen.subjects.ocr.saying import NOTHING, said
from snellen.subjects.own import OwnSubject
from snellen.subjects.pictures import pixels_of
from snellen.subjects.settings import Setting, number

_MARGIN = Setting("margin", "a number from 0 to 4: ground around the ink, in heights of it", number(0, 4), 0.25)

_TESTS = ("letters", "contrast")
_ONLY = f"task acuity's tests {' and '.join(_TESTS)}"


def ocr_subject(model: str, pairs: tuple[tuple[str, str], ...], env: Mapping[str, str]) -> OwnSubject:
    """The reader of that name. Whether it is installed shows here, and which version it is goes into every call."""
    if model not in ENGINES:
        raise unknown("ocr reader", model, ENGINES)
    whose, make = f"ocr/{model}", ENGINES[model]
    values = settings.read(pairs, (_MARGIN, *make.schema), whose)
    engine = make.start(values, env)
    name = whose + settings.written(values, (_MARGIN, *make.schema))
    abilities = Abilities(
        pictures=1, words=False, knows=_knows, only=_ONLY, together=min(4, os.cpu_count() or 1), in_process=True
    )
    return OwnSubject(name, {**values, **engine.versions}, abilities, partial(_answer, whose, engine.read))


def _knows(item: Item) -> bool:
    return item.task == "acuity" and item.levels["test"] in _TESTS


def _answer(whose: str, read: Read, call: Call) -> Reply:
    if len(call.pictures) != 1:
        raise CallFailed("rejected", f"{whose} reads one picture at a time; this call has {len(call.pictures)}")
    words = " ".join(part for part in call.messages[-1].parts if isinstance(part, str))
    line = cropped(pixels_of(call.pictures[0]), float(call.settings["margin"]))
    return Reply(NOTHING if line is None else said(read(line), words))
