"""`snellen figure card` and `snellen compare --same-model`, from trials to files and words."""

import sys
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest

from snellen import cli
from snellen.errors import UserError
from snellen.examine import Exam
from support.acuity_rows import Sitting, table
from support.line_rows import readings

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch

ROWS = table(
    Sitting("sharp", 1).track("letters", 1.0).track("number", 7.0).blank("letters", 0, 4, unread=2),
    Sitting("blurred", 2).track("letters", 4.0),
)


@pytest.fixture(autouse=True)
def rows(monkeypatch: Patch) -> None:
    """Any store holds these trials."""
    monkeypatch.setattr(Exam, "rows", ROWS)


def run(monkeypatch: Patch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["snellen", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


def test_a_card_as_a_file(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    path = tmp_path / "card.svg"
    assert run(monkeypatch, "figure", "s.sqlite", "card", "sharp", "-o", path) == 0
    assert capsys.readouterr().out.strip() == str(path)
    titles = [element.text for element in ElementTree.parse(path).getroot() if element.tag.endswith("title")]  # noqa: S314
    assert titles == ["Eye chart of sharp"]


def test_cards_side_by_side_on_dark_paper(tmp_path: Path, monkeypatch: Patch) -> None:
    one, both = tmp_path / "one.svg", tmp_path / "both.svg"
    assert run(monkeypatch, "figure", "s.sqlite", "card", "blurred", "-o", one) == 0
    assert run(monkeypatch, "figure", "s.sqlite", "card", "-o", both, "--dark") == 0
    wide = [float(ElementTree.parse(p).getroot().get("viewBox", "").split()[2]) for p in (one, both)]  # noqa: S314
    assert wide[1] == 2 * wide[0]
    assert "#14181b" in both.read_text(encoding="utf-8")
    assert "#14181b" not in one.read_text(encoding="utf-8")


def test_a_card_on_the_terminal(monkeypatch: Patch, capsys: Capture) -> None:
    assert run(monkeypatch, "figure", "s.sqlite", "card", "sharp") == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Letters" in shown
    assert "Prescription" in shown
    assert "Not asked: landolt rings" in shown
    assert "of the time (4 of 6 pages could be read)." in shown
    assert "blurred" not in shown


def test_what_is_known_of_sizes_is_said_and_what_was_not_asked_only_once(monkeypatch: Patch, capsys: Capture) -> None:
    sharp = Sitting("sharp", 1).track("letters", 1.0).failed("letters", 50.1, 3, canvas="4096")
    monkeypatch.setattr(Exam, "rows", table(sharp))
    assert run(monkeypatch, "figure", "s.sqlite", "card", "sharp") == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Pictures of 4096 px were not taken" in shown
    assert shown.lower().count("effective resolution") == 1


def test_mistakes_end_in_one_line(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    for words, told in (
        (("nobody",), "unknown subject 'nobody' with an eye chart in this store; known: sharp, blurred"),
        (("sharp", "-o", tmp_path / "card.gif"), "cards are written as .svg, .pdf, .png"),
        (("sharp", "--dark"), "--dark goes with card -o FILE"),
    ):
        assert run(monkeypatch, "figure", "s.sqlite", "card", *words) == 2
        error = capsys.readouterr().err
        assert told in error
        assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_store_without_an_eye_chart_says_how_to_get_one(monkeypatch: Patch) -> None:
    monkeypatch.setattr(Exam, "rows", ROWS.with_columns(task=pl.lit("fixation")))
    with pytest.raises(UserError, match="it has no eye chart yet; run `snellen exam SUBJECT --tasks acuity"):
        Exam("s.sqlite").cards()


@pytest.mark.soak
def test_two_servers_are_compared_on_charts_made_for_it(monkeypatch: Patch, capsys: Capture) -> None:
    assert run(monkeypatch, "compare", "s.sqlite", "sharp", "blurred", "--same-model") == 2
    assert "ask both with `snellen exam A B --design same`" in capsys.readouterr().err
    sizes = {"512": 1.5, "1024": 1.5}
    for limits, status, told in (
        (sizes, 0, "no difference shown on canvases of 512 and 1,024\u00a0px"),
        ({**sizes, "1024": 2.0}, 1, "replies differ on canvases of 1,024\u00a0px"),
        (dict.fromkeys(sizes, "refused"), 1, "replies differ on canvases of 512 and 1,024\u00a0px"),
    ):
        monkeypatch.setattr(Exam, "rows", pl.DataFrame(readings("a", sizes) + readings("b", limits)))
        assert run(monkeypatch, "compare", "s.sqlite", "a", "b", "--same-model") == status
        assert told in capsys.readouterr().err


def test_same_model_goes_with_no_gate(monkeypatch: Patch, capsys: Capture) -> None:
    assert run(monkeypatch, "compare", "s.sqlite", "sharp", "blurred", "--same-model", "--tasks", "acuity") == 2
    assert "goes with --format only" in capsys.readouterr().err
