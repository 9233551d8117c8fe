"""The methods section: its numbers are those of the tables, and only what a store holds is cited."""

import re
import shutil
import subprocess
from pathlib import Path

import polars as pl
import pytest

import snellen
from snellen.analysis.cells import cell_text
from snellen.errors import UserError
from snellen.examine import Exam
from snellen.examine.findings import table
from snellen.examine.methods import MethodsSection, methods
from snellen.examine.methods_text import METHODS_STYLES
from snellen.examine.references import references_of

HOSTILE = "org/a_b%c&d#e~f^g\\h{i}$`[@x]"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two subjects, one under a name full of markup; the second exam differs in seed, size and design."""
    path = tmp_path_factory.mktemp("methods") / "paper.sqlite"
    subjects = {HOSTILE: "sim/sloppy:refuse=0.2,seed=4", "sim/ideal": "sim/ideal"}
    snellen.exam(subjects, tasks="winoground", n=10, store=path)
    snellen.exam("sim/ideal", tasks="fixation", n=1, seed=3, store=path)
    return path


@pytest.fixture(scope="module")
def exam(store: Path) -> Exam:
    return Exam(store)


@pytest.fixture(scope="module")
def section(exam: Exam) -> MethodsSection:
    return methods(exam)


@pytest.fixture(scope="module")
def paragraphs(section: MethodsSection) -> dict[str, str]:
    return dict(section.paragraphs)


def column(exam: Exam, name: str, head: str) -> list[str]:
    made = table(exam.rows, name, fingerprints=exam.fingerprints)
    return [cell_text(row[made.columns.index(head)]) for row in made.rows]


def test_trials_and_unread_rates_are_those_of_the_tables(exam: Exam, paragraphs: dict[str, str]) -> None:
    words = paragraphs["Items and trials"]
    assert f"holds {exam.rows.height:,} trials" in words
    own_words = re.search(r"`winoground`: ([\d,]+) items.*?, ([\d,]+) trials per subject \(([\d,]+) of the task", words)
    assert own_words
    own = exam.rows.filter(pl.col("task") == "winoground")
    assert int(own_words[1]) == own["item"].n_unique()
    assert int(own_words[2]) == own.filter(pl.col("subject") == "sim/ideal").height
    assert {own_words[3]} == set(column(exam, "winoground-unread", "trials"))
    low, high = sorted(column(exam, "winoground-unread", "unread %"), key=float)
    assert low != high
    assert f"unread {low} to {high} %" in words


def test_power_is_that_of_the_losses(exam: Exam, paragraphs: dict[str, str]) -> None:
    shares = [float(cell) for cell in column(exam, "winoground-losses", "smallest") if cell]
    assert f"`winoground` {min(shares):.0f} to {max(shares):.0f} %" in paragraphs["Statistics"]
    assert "Too few items to detect any fault with 90 % power: `fixation`" in paragraphs["Statistics"]
    assert "of one subject, game and context (`contrasts`)" in paragraphs["Statistics"]


def test_exams_that_differ_are_told_apart(paragraphs: dict[str, str]) -> None:
    assert "seed 0 (exam 1) and 3 (exam 2)" in paragraphs["Items and trials"]
    assert "0 (`org/" in paragraphs["Items and trials"], "the first subject was not asked the second task"


def test_each_subject_is_told_with_its_settings(paragraphs: dict[str, str]) -> None:
    assert "`sim/sloppy:refuse=0.2,seed=4`" in paragraphs["Subjects and decoding"]
    assert "`refuse=0.2`" in paragraphs["Subjects and decoding"]
    assert HOSTILE.replace("`", "'") in paragraphs["Subjects and decoding"]


def test_a_change_of_wording_between_exams_gives_both(tmp_path: Path) -> None:
    path = tmp_path / "both.sqlite"
    snellen.exam("sim/ideal", tasks="winoground", n=2, store=path)
    pack = tmp_path / "mine.toml"
    shutil.copy(Path(snellen.__file__).parent / "tasks" / "winoground" / "wording.toml", pack)
    pack.write_text(pack.read_text(encoding="utf-8").replace(" picture", " image", 1), encoding="utf-8")
    snellen.exam("sim/ideal", tasks="winoground", n=2, prompts=pack, store=path)
    words = dict(methods(Exam(path, ["sim/ideal"])).paragraphs)["Prompts and reading"]
    assert re.search(r"`winoground` `wording.toml` `\w+` \(exam 1\) and `mine.toml` `\w+` \(exam 2\)", words)


def test_only_what_the_store_holds_is_cited(section: MethodsSection) -> None:
    keys = [reference.key for reference in section.references]
    assert keys == ["snellen", "vaishnav2025paradigm", "thrush2022winoground", "alam2026fixation"]
    logo = [reference.key for reference in references_of(["bongard"], ["bongard/logo/bd_0001"])]
    assert logo == ["vaishnav2025paradigm", "nie2020logo"]
    assert references_of(["my_task"], ["my_task/1"]) == ()


@pytest.mark.parametrize("task", [task for task in snellen.task_names() if task != "acuity"])
def test_every_task_after_a_paper_cites_it(task: str) -> None:
    (first, *_) = references_of([task], [f"{task}/any/1"])
    assert re.fullmatch(r"@\w+\{\w+,\n(?:  \w+ = \{.+\},?\n)+\}", first.bibtex)


def test_markdown_keeps_names_as_code(section: MethodsSection) -> None:
    text = METHODS_STYLES["md"](section)
    assert "dots\\_boxes" in text
    assert text.count("```") == 2
    assert max(len(line) for line in text.splitlines() if not line.startswith("  ")) <= 120


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles_and_cites_entries_that_there_are(section: MethodsSection, tmp_path: Path) -> None:
    text = METHODS_STYLES["latex"](section)
    cited = {key for keys in re.findall(r"\\cite\{([^}]+)\}", text) for key in keys.split(",")}
    assert cited == {reference.key for reference in section.references}
    (tmp_path / "m.tex").write_text("\\documentclass{article}\\begin{document}\n" + text + "\n\\end{document}\n")
    run = ["pdflatex", "-interaction=nonstopmode", "-draftmode", "-halt-on-error", "m.tex"]
    assert subprocess.run(run, cwd=tmp_path, capture_output=True, check=False, timeout=60).returncode == 0


def test_an_empty_store_is_one_clear_line(store: Path) -> None:
    with pytest.raises(UserError, match="no trials"):
        methods(Exam(store, ["nobody"]))
