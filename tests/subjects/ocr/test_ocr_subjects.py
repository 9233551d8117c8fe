"""`ocr/rapidocr` and `ocr/tesseract` by name: missing, wrong, and at work on recognisers that the tests put there. The
real ones are read with where they are installed."""

import sys
from importlib.metadata import PackageNotFoundError
from io import BytesIO
from shutil import which
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

import snellen
import snellen.draw
from snellen.call import Call, CallFailed, Message
from snellen.draw.png import encode_rgb
from snellen.errors import UserError
from snellen.item import Picture
from snellen.prompts import load
from snellen.subjects import known_kinds, subject
from snellen.subjects.ocr import engines
from support.lengths import few_and_more

FONT = f"{snellen.draw.__path__[0]}/fonts/DejaVuSans-Bold.ttf"
LETTERS = "CDHKNORSVZ"


def blank(side=64, colour=255):
    return Picture(encode_rgb(np.full((side, side, 3), colour, np.uint8)))


def picture(character="K", size=30, side=96):
    image = Image.new("RGB", (side, side), "white")
    ImageDraw.Draw(image).text((20, 30), character, fill="black", font=ImageFont.truetype(FONT, size))
    return Picture(encode_rgb(np.asarray(image)))


def call(who, *parts):
    return Call(who.name, who.settings, (Message("user", parts),))


async def replies(who, *calls):
    async with who:
        return [(await who.answer(call(who, *parts))).text for parts in calls]


# Names


def test_readers_are_among_those_who_can_be_named():
    assert "ocr" in known_kinds()[0]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ocr/", ["names no model", "ocr/rapidocr or ocr/tesseract"]),
        ("ocr/tesserakt", ["ocr reader 'tesserakt'", "tesseract"]),
        ("ocr/rapidocr:crop=9", ["crop='9'", "from 0 to 4"]),
        ("ocr/rapidocr:psm=7", ["setting 'psm' of ocr/rapidocr", "crop"]),
        ("ocr/tesseract:psm=3", ["psm='3'", "7 (a line)"]),
    ],
)
def test_a_wrong_name_gets_one_clear_line(name, words):
    with pytest.raises(UserError) as caught:
        subject(name)
    assert "\n" not in str(caught.value)
    assert all(word in str(caught.value) for word in words), str(caught.value)


# RapidOCR


@pytest.fixture
def rapid(monkeypatch):
    """A package that takes the place of rapidocr, and what it was given."""
    given = SimpleNamespace(params=None, lines=[], ways=[], says=("K",), made=0)

    class RapidOCR:
        def __init__(self, params):
            given.params, given.made = params, given.made + 1

        def __call__(self, line, **ways):
            given.lines.append(line)
            given.ways.append(ways)
            return SimpleNamespace(txts=given.says)

    module: Any = ModuleType("rapidocr")
    module.RapidOCR = RapidOCR
    monkeypatch.setitem(sys.modules, "rapidocr", module)
    monkeypatch.setattr(engines, "version", {"rapidocr": "3.10.0", "onnxruntime": "1.31.1"}.__getitem__)
    return given


def test_a_missing_or_old_package_is_one_line_that_says_what_to_install(monkeypatch):
    def missing(package):
        raise PackageNotFoundError(package)

    monkeypatch.setattr(engines, "version", missing)
    with pytest.raises(UserError, match=r"^rapidocr is not installed; .*pip install 'snellen\[ocr\]'$"):
        subject("ocr/rapidocr")
    monkeypatch.setattr(engines, "version", lambda package: "2.1")
    with pytest.raises(UserError, match=r"^rapidocr 2.1 is installed; .* 3 or later"):
        subject("ocr/rapidocr")


async def test_rapidocr_is_shown_the_whole_picture_and_finds_the_letters_itself(rapid):
    pixels = np.full((50, 70, 3), 255, np.uint8)
    pixels[10:20, 30:36] = (200, 100, 0)
    assert await replies(subject("ocr/rapidocr"), (Picture(encode_rgb(pixels)), "Which letter is this?")) == ["K"]
    assert rapid.ways == [{"use_det": True, "use_cls": True, "use_rec": True}]
    assert np.array_equal(rapid.lines[0], pixels[..., ::-1]), "all of it, blue first"


async def test_a_reader_that_is_shown_the_ink_alone_has_a_name_of_its_own_and_only_recognises(rapid):
    pixels = np.full((50, 70, 3), 255, np.uint8)
    pixels[10:20, 30:36] = (200, 100, 0)
    who = subject("ocr/rapidocr:crop=0.3")
    assert who.name == "ocr/rapidocr:crop=0.3"
    assert await replies(who, (Picture(encode_rgb(pixels)), "Which letter is this?")) == ["K"]
    assert rapid.ways == [{"use_det": False, "use_cls": False, "use_rec": True}]
    assert rapid.lines[0].shape == (16, 12, 3)
    assert tuple(rapid.lines[0][8, 6]) == (0, 100, 200), "blue first"


async def test_no_ink_to_crop_to_is_nothing_and_is_not_even_looked_at(rapid):
    cropped = subject("ocr/rapidocr:crop=0.25")
    assert await replies(cropped, (blank(), "Which letter?"), (blank(colour=9), "?")) == ["nothing"] * 2
    assert rapid.made == 0
    assert await replies(subject("ocr/rapidocr"), (blank(), "Which letter?")) == ["K"], "it says what it makes of it"


@pytest.mark.parametrize("says", [None, (), ("",)])
async def test_ink_that_says_nothing_is_nothing(rapid, says):
    rapid.says = says
    assert await replies(subject("ocr/rapidocr"), (picture(), "Which letter?")) == ["nothing"]


async def test_the_model_is_loaded_once_and_later_than_the_subject(rapid):
    who = subject("ocr/rapidocr")
    assert rapid.made == 0
    assert await replies(who, *[(picture(), "Which letter?")] * 3) == ["K"] * 3
    assert rapid.made == 1


def test_settings_and_versions_are_part_of_every_call(rapid):
    who = subject("ocr/rapidocr")
    assert who.settings == {"rapidocr": "3.10.0", "onnxruntime": "1.31.1"}
    assert who.name == "ocr/rapidocr"
    assert subject("ocr/rapidocr:crop=1.0").name == "ocr/rapidocr:crop=1"
    assert call(who, "a").key != call(subject("ocr/rapidocr:crop=1"), "a").key


def test_readers_take_one_picture_and_no_words_alone(rapid):
    abilities = subject("ocr/rapidocr").abilities
    assert (abilities.pictures, abilities.words, abilities.sees_truth) == (1, False, False)


@pytest.mark.parametrize("parts", [("Which letter?",), (blank(), blank(), "Which letter?")])
async def test_other_calls_are_refused_in_one_line(rapid, parts):
    with pytest.raises(CallFailed, match=r"^ocr/rapidocr reads one picture at a time; this call has [02]$"):
        await replies(subject("ocr/rapidocr"), parts)


async def test_transparent_pictures_are_read_on_white(rapid):
    image = Image.new("RGBA", (40, 40), (0, 0, 0, 0))
    image.paste((0, 0, 0, 255), (10, 10, 20, 20))
    out = BytesIO()
    image.save(out, "PNG")
    await replies(subject("ocr/rapidocr:crop=0.25"), (Picture(out.getvalue()), "Which letter?"))
    assert rapid.lines[0].shape == (14, 14, 3)
    assert rapid.lines[0].max() == 255


# Tesseract

PROGRAM = """#!{python}
import sys
from pathlib import Path
here = Path({folder!r})
if sys.argv[1] == "--version":
    print({version!r})
elif sys.argv[1] == "--list-langs":
    print('List of available languages in "' + str(here) + '/" (2):\\n{languages}')
else:
    (here / "words").write_text(" ".join(sys.argv[1:]))
    (here / "line.png").write_bytes(sys.stdin.buffer.read())
    if {fails!r}:
        sys.exit("no such\\nmode")
    print("R\\n\\f", end="")
"""


@pytest.fixture
def program(tmp_path):
    """Puts a program that takes the place of tesseract in a folder, and gives the environment that names it."""

    def put(version="tesseract 5.3.0\n leptonica-1.82.0", languages="eng\\nosd", fails=False):
        file = tmp_path / "tesseract"
        text = PROGRAM.format(
            python=sys.executable, folder=str(tmp_path), version=version, languages=languages, fails=fails
        )
        file.write_text(text)
        file.chmod(0o755)
        return {"PATH": str(tmp_path)}

    return put


on_posix = pytest.mark.skipif(sys.platform == "win32", reason="the program is a script")


def test_a_missing_program_is_one_line_that_says_what_to_install(tmp_path):
    for env in ({}, {"PATH": str(tmp_path)}):
        with pytest.raises(UserError, match=r"^ocr/tesseract needs tesseract .*apt install tesseract-ocr"):
            subject("ocr/tesseract", env=env)


@on_posix
async def test_tesseract_is_given_the_picture_as_png_and_capitals_and_digits_to_choose_from(program, tmp_path):
    env = program()
    for name, whole in (("ocr/tesseract:psm=7", True), ("ocr/tesseract:crop=0.25,psm=7", False)):
        assert await replies(subject(name, env=env), (picture(), "Which letter is this?")) == ["R"]
        words = (tmp_path / "words").read_text()
        assert words.startswith("stdin stdout --psm 7 -l eng -c tessedit_char_whitelist=ABC")
        with Image.open(tmp_path / "line.png") as shown:
            assert (shown.height == 96) == whole


@on_posix
def test_its_version_and_its_english_are_part_of_every_call(program, tmp_path):
    env = program()
    assert subject("ocr/tesseract", env=env).settings == {"psm": "6", "tesseract": "5.3.0"}
    data = tmp_path / "eng.traineddata"
    data.write_bytes(b"fast")
    fast = subject("ocr/tesseract", env=env).settings["data"]
    data.write_bytes(b"best")
    assert subject("ocr/tesseract", env=env).settings["data"] != fast


@on_posix
@pytest.mark.parametrize(
    ("wrong", "words"),
    [({"languages": "deu"}, "has no English data"), ({"version": "hello"}, "does not report its version")],
)
def test_a_program_that_will_not_do_is_one_line(program, wrong, words):
    with pytest.raises(UserError, match=words) as caught:
        subject("ocr/tesseract", env=program(**wrong))
    assert "\n" not in str(caught.value)


@on_posix
async def test_a_program_that_fails_is_a_failed_call_in_one_line(program):
    with pytest.raises(CallFailed, match=r"tesseract: no such mode$"):
        await replies(subject("ocr/tesseract", env=program(fails=True)), (picture(), "Which letter?"))


# The real ones


async def reads_large_letters(who):
    shown = [(picture(letter, 40, 128), "Which letter is this?") for letter in LETTERS]
    *read, none = await replies(who, *shown, (blank(), "Which letter is this?"))
    assert none == "nothing"
    return sum(answer == letter for answer, letter in zip(read, LETTERS, strict=True))


@pytest.mark.soak
async def test_the_real_rapidocr_reads_large_letters():
    pytest.importorskip("rapidocr")
    pytest.importorskip("onnxruntime")
    assert await reads_large_letters(subject("ocr/rapidocr")) == 10


def direct(charts):
    """What the program itself says of whole pictures: it opens the files, and nothing of ours is in between."""
    from rapidocr import RapidOCR

    engine = RapidOCR(params={"Global.log_level": "error"})
    return ["".join(engine(chart.pictures[0].data).txts or ()) for chart in charts]


@pytest.mark.soak
@few_and_more("n", [1], [4])
async def test_the_real_rapidocr_says_of_charts_what_the_program_says_of_the_files(n):
    pytest.importorskip("rapidocr")
    pytest.importorskip("onnxruntime")
    known = snellen.task("acuity")
    levels = {"test": ("letters",), "level": ("1", "2", "3.16", "5.01")}
    design = known.changed(known.design("constant"), levels)
    charts = list(known.stimuli(design, n, 5, load(known.prompts, "acuity")))
    ours = await replies(subject("ocr/rapidocr"), *(chart.parts for chart in charts))
    alike = str.maketrans("025", "OZS")
    theirs = [text.upper().translate(alike) or "nothing" for text in direct(charts)]
    assert ours == theirs
    seen = [chart.question.key == text for chart, text in zip(charts, theirs, strict=True)]
    assert not any(seen[:n]), "cropped to the ink, letters of 1 px a stroke are read"
    assert sum(seen[-n:]) >= 0.75 * n


async def test_the_real_tesseract_reads_large_letters():
    if which("tesseract") is None:
        pytest.skip("tesseract is not installed")
    assert await reads_large_letters(subject("ocr/tesseract")) >= 8
