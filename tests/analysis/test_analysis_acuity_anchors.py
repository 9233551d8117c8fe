"""Lines of readers on everybody's charts: measured ones, the store's own before those of the package."""

import json
import os
import platform

import polars as pl
import pytest

from snellen.errors import UserError
from snellen.item import Condition
from snellen.prompts import load
from snellen.tasks import task
from snellen.tasks.acuity.study import anchors as module
from snellen.tasks.acuity.study.anchors import FILE, HERE, READERS, SEEDS, TESTS, anchors, shipped, tallies
from snellen.tasks.acuity.study.card import cards
from snellen.tasks.acuity.study.results import AcuityResults
from support.acuity_rows import Sitting, table


def readings(*sittings: Sitting):
    made = {card.subject: card for card in cards(AcuityResults(table(*sittings)))}
    return {name: {each.test: each for each in card.readings} for name, card in made.items()}, made


def test_the_lines_of_the_package_say_what_was_measured_with_which_version_and_when():
    told = json.loads(FILE.read_text(encoding="utf-8"))
    assert set(told) == set(READERS)
    for name, lines in shipped().items():
        assert set(lines) == set(TESTS)
        for test, line in lines.items():
            assert sum(map(sum, told[name]["tests"][test].values())) >= 16
            assert told[name]["date"] in line.since
            assert told[name]["versions"][name.partition("/")[2]] in line.since
            assert (line.at is not None) == (line.kind != "not measurable")
            assert "whole pictures" in line.since
            assert told[name]["machine"] in line.since
        assert any(line.at is not None for line in lines.values())


def test_a_line_measured_on_anything_but_whole_pictures_is_not_shown(tmp_path, monkeypatch):
    told = json.loads(FILE.read_text(encoding="utf-8"))
    told["ocr/rapidocr"]["shown"] = "pictures cropped to their ink"
    other = tmp_path / "anchors.json"
    other.write_text(json.dumps(told), encoding="utf-8")
    monkeypatch.setattr(module, "FILE", other)
    shipped.cache_clear()
    try:
        assert list(shipped()) == ["ocr/tesseract"]
    finally:
        shipped.cache_clear()


@pytest.mark.soak
def test_the_program_itself_reads_whole_charts_as_its_line_says():
    """Called directly, on the files: at sizes well above its line it reads, well below it does not, and what was
    measured there is written down so."""
    rapidocr = pytest.importorskip("rapidocr")
    pytest.importorskip("onnxruntime")
    engine = rapidocr.RapidOCR(params={"Global.log_level": "error"})
    known, levels = task("acuity"), json.loads(FILE.read_text(encoding="utf-8"))["ocr/rapidocr"]["tests"]["letters"]
    pack, usual = load(known.prompts, "acuity"), {f.name: f.levels[0] for f in known.factors if not f.of_item}
    line = shipped()["ocr/rapidocr"]["letters"]
    for level, reads in (("1.12", False), ("50.1", True)):
        charts = [known.stimulus(known.item({"test": "letters", "level": level}, k, 0), Condition(usual), pack)
                  for k in range(3)]  # fmt: skip
        seen = ["".join(engine(chart.pictures[0].data).txts or ()).upper().replace("0", "O") for chart in charts]
        assert [text == chart.question.key for text, chart in zip(seen, charts, strict=True)] == [reads] * 3
        right, wrong, _ = levels[level]
        assert (right, wrong)[reads] == 0
        assert (float(level) > line.at) == reads


def test_every_card_has_the_lines_on_tests_of_letters_and_none_on_others():
    read, made = readings(Sitting("x").track("letters", 2.0).track("contrast", 0.05).track("landolt", 2.0))
    assert [line.name for line in read["x"]["letters"].anchors] == list(READERS)
    assert [line.name for line in read["x"]["contrast"].anchors] == list(READERS)
    assert read["x"]["landolt"].anchors == ()
    assert [line.partition(" ")[0] for line in made["x"].anchored] == list(READERS)


def test_a_reader_in_the_store_is_the_line_and_has_none_on_its_own_card():
    own = Sitting("ocr/rapidocr", seed=3).track("letters", 6.0)
    read, _ = readings(Sitting("x").track("letters", 2.0).track("contrast", 0.05), own)
    first, second = read["x"]["letters"].anchors
    assert (first.since, second.since == HERE) == (HERE, False)
    assert first.at == read["ocr/rapidocr"]["letters"].value
    assert read["x"]["contrast"].anchors[0].since != HERE, "contrast was not asked of it here"
    assert [line.name for line in read["ocr/rapidocr"]["letters"].anchors] == ["ocr/tesseract"]


def test_what_was_asked_under_another_condition_has_no_lines():
    read, made = readings(Sitting("x").track("letters", 2.0, polarity="light"))
    assert read["x"]["letters"].anchors == ()
    assert made["x"].anchored == ()


def test_a_reader_that_could_not_be_measured_is_no_line():
    torn = Sitting("ocr/tesseract").track("letters", 2.0)
    for _ in range(3):
        torn.unread("letters", 50.1, 60)
    names = [line.name for line in anchors(AcuityResults(table(torn, Sitting("x").track("letters", 2.0))))["letters"]]
    assert names == ["ocr/rapidocr"]


@pytest.mark.soak
@pytest.mark.parametrize("name", READERS)
def test_a_reader_measured_anew_sees_what_its_line_says(name, tmp_path):
    """The same version on the same charts answers the same; another one is another reader."""
    from snellen.examine import exam
    from snellen.subjects.ocr import ocr_subject

    try:
        subject = ocr_subject(name.removeprefix("ocr/"), (), os.environ)
    except UserError:
        pytest.skip(f"{name} is not installed")
    told = json.loads(FILE.read_text(encoding="utf-8"))[name]
    if any(str(subject.settings.get(key)) != version for key, version in told["versions"].items()):
        pytest.skip(f"another version of {name} is installed")
    if platform.machine() != told["machine"]:
        pytest.skip(f"measured on {told['machine']}, whose arithmetic may move an answer near the threshold")
    store = tmp_path / "store.sqlite"
    rows = pl.concat(exam(name, store=store, tasks="acuity", levels={"test": TESTS}, seed=seed).rows for seed in SEEDS)
    assert tallies(rows) == told["tests"]
