"""`snellen figure` and the figures of an exam, end to end."""

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from snellen import cli
from snellen.errors import UserError
from snellen.examine import Exam, exam
from support.lengths import some_of


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which an exam has been held."""
    path = tmp_path_factory.mktemp("figures") / "s.sqlite"
    exam("sim/fixated", store=path, n=2)
    return path


def figure(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    """Run `snellen figure`; its exit status."""
    monkeypatch.setattr(sys, "argv", ["snellen", "figure", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def test_names_with_titles(store: Path, monkeypatch: Patch, capsys: Capture) -> None:
    assert figure(monkeypatch, store) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == list(Exam(store).figures())
    assert names[0] == "fixation-of-100-items"


@pytest.mark.parametrize("ending", ["svg", "pdf"])
def test_one_figure(ending: str, store: Path, tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    path = tmp_path / f"x.{ending}"
    assert figure(monkeypatch, store, "fixation-of-100-items", "-o", path, "--width", 120) == 0
    assert capsys.readouterr().out.strip() == str(path)
    if ending == "svg":
        assert ElementTree.parse(path).getroot().get("width") == "120mm"  # noqa: S314
    else:
        assert path.read_bytes().startswith(b"%PDF")


@some_of("ending", ["svg", "pdf"], 2)
def test_all_figures(ending: str, store: Path, tmp_path: Path, monkeypatch: Patch) -> None:
    chosen = () if ending == "svg" else ("--format", ending)
    assert figure(monkeypatch, store, "--all", "-o", tmp_path / "new", *chosen) == 0
    assert {path.name for path in (tmp_path / "new").iterdir()} == {
        f"{name}.{ending}" for name in Exam(store).figures()
    }


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("fixation-of-100-itms", "-o", "x.svg"), "did you mean fixation-of-100-items"),
        (("fixation-of-100-items", "-o", "x.png"), ".svg or .pdf"),
        (("fixation-of-100-items",), "-o FILE.svg"),
        (("fixation-of-100-items", "--all", "-o", "x"), "leave out"),
        (("fixation-of-100-items", "-o", "x.svg", "--format", "svg"), "--all"),
        (("fixation-of-100-items", "-o", "x.svg", "--width", "5"), "60 to 500"),
        (("fixation-of-100-items", "-o", "x.svg", "--width", "wide"), "--width"),
        (("--all",), "-o FOLDER"),
        (("--all", "-o", "x", "--format", "png"), "--format"),
        (("-o", "x.svg"), "say which figure"),
        (("--width", "85"), "say which figure"),
    ],
)
def test_mistakes(
    words: tuple[str, ...], expected: str, store: Path, tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    assert figure(monkeypatch, store, *words) == 2
    heard = capsys.readouterr()
    assert heard.out == ""
    (line,) = heard.err.strip().splitlines()
    assert line.startswith("snellen: ")
    assert expected in line
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_a_file(store: Path, tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    (tmp_path / "taken").write_text("mine")
    assert figure(monkeypatch, store, "--all", "-o", tmp_path / "taken") == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert (tmp_path / "taken").read_text() == "mine"


def test_without_the_extra(store: Path, tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setitem(sys.modules, "fpdf", None)
    assert figure(monkeypatch, store, "--all", "-o", tmp_path / "new", "--format", "pdf") == 2
    assert "pip install 'snellen[pdf]'" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_help_has_examples(monkeypatch: Patch, capsys: Capture) -> None:
    assert figure(monkeypatch, "--help") == 0
    assert "snellen figure runs.sqlite --all" in capsys.readouterr().out


def test_an_exam_in_a_notebook(store: Path) -> None:
    held = Exam(store)
    assert "<svg" in held._repr_html_()
    assert held.figures(width=100)["fixation-of-100-items"].width == 100
    with pytest.raises(UserError, match="unknown figure"):
        held.figures()["nothing"]
