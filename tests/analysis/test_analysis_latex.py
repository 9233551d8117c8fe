"""Tables in LaTeX: every table of a store with all tasks compiles and fits, whatever its subjects are called."""

import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

import snellen
from snellen.analysis import Table, Value
from snellen.analysis.latex import WIDTHS, to_latex
from snellen.analysis.latex_text import escaped, lines_in, narrowest, pieces
from snellen.examine import Exam
from snellen.examine.findings import tables
from snellen.tasks import task_names

HOSTILE = "org/a_b%c&d#e~f^g\\h{i}$"
FOREIGN = "Модель-é-日本語-a-vision-language-model-with-a-long-name-2026-01-01-instruct"
PAGE = r"""\documentclass[twocolumn]{article}
\usepackage[paperwidth=8.5in,paperheight=11in,textwidth=7in,textheight=9in,columnsep=0.4in]{geometry}
\usepackage{booktabs,array}
\begin{document}
"""
FAULTS = re.compile(r"^(?:!|Overfull|LaTeX Warning: Float too large|TABLE ).*", re.MULTILINE)

with_latex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")


def examined(folder: Path, subjects: dict[str, str], n: int, **levels: tuple[str, ...]) -> list[Table]:
    """Every table of a store with all tasks."""
    store = folder / "all.sqlite"
    snellen.exam(subjects, tasks=[name for name in task_names() if name != "acuity"], n=n, store=store)
    snellen.exam(subjects, tasks="acuity", n=n, store=store, levels=levels)
    exam = Exam(store)
    return [*(named.make() for named in tables(exam.rows, 0, exam.fingerprints).values()), *exam.word_tables.values()]


def faults(folder: Path, made: Iterable[Table], width: str | float | None = None) -> list[str]:
    """What pdfLaTeX complains of, each after the name of its table."""
    parts = (f"\\typeout{{TABLE {table.name}}}\n{to_latex(table, width)}\n\\clearpage\n" for table in made)
    (folder / "tables.tex").write_text(PAGE + "".join(parts) + "\\end{document}\n", encoding="utf-8")
    run = ["pdflatex", "-interaction=nonstopmode", "-draftmode", "tables.tex"]
    subprocess.run(run, cwd=folder, capture_output=True, check=False, timeout=120)
    lines: list[str] = FAULTS.findall((folder / "tables.log").read_text(encoding="latin-1"))
    assert lines, "LaTeX did not come to the first table"
    named = ((next(name for name in lines[k::-1] if name.startswith("TABLE ")), line) for k, line in enumerate(lines))
    return [f"{name}: {line}" for name, line in named if line != name]


@with_latex
def test_every_table_of_a_store_fits_a_column_or_a_page(tmp_path: Path) -> None:
    subjects = {HOSTILE: "sim/fixated", FOREIGN: "sim/sloppy"}
    made = examined(tmp_path, subjects, 1, test=("letters", "contrast"))
    assert len(made) > 100
    assert faults(tmp_path, made) == []


@pytest.mark.soak
@with_latex
@pytest.mark.parametrize("width", [None, "column", "page", 397.0])
def test_every_table_fits_the_width_that_is_asked_for(
    tmp_path: Path, width: str | float | None, many: list[Table]
) -> None:
    assert faults(tmp_path, many, width) == []


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> list[Table]:
    subjects = {HOSTILE: "sim/fixated", FOREIGN: "sim/sloppy", "sim/ideal": "sim/ideal"}
    return examined(tmp_path_factory.mktemp("many"), subjects, 4)


@with_latex
def test_a_table_that_does_not_fit_is_noticed(tmp_path: Path) -> None:
    wide = Table("wide", "Wide", "", tuple("abc"), (("x" * 24, "y" * 24, "z" * 24),) * 2)
    assert faults(tmp_path, [wide], 100.0)[0].startswith("TABLE wide: Overfull")


def test_what_all_rows_share_moves_to_the_caption() -> None:
    rows = tuple(("sim/a", "base", game, Value(k, 0.0, 9.5)) for k, game in enumerate(("reversi", "dots")))
    latex = to_latex(Table("t", "Accuracy.", "A note.", ("subject", "prompt", "game", "right %"), rows))
    assert r"\caption{Accuracy. In all rows, subject: sim/\allowbreak{}a; prompt: base.}\label{tab:t}" in latex
    assert r"game & right \% \\" in latex
    assert latex.startswith("% needs \\usepackage{booktabs,array}\n\\begin{table}\n")


def test_rows_of_a_subject_stand_together_under_its_name() -> None:
    rows = tuple((subject, task, n) for n, task in enumerate("xyz") for subject in ("sim/a", "sim/b"))
    lines = to_latex(Table("t", "T", "", ("subject", "task", "n"), rows)).splitlines()
    body = [line for line in lines if "itshape" in line or " & " in line]
    assert [" & " in line for line in body] == [True, False, True, True, True, False, True, True, True]


def test_words_that_neighbours_share_stand_above_them_once() -> None:
    rows = (("GPT-4.1", 1.0, 2.0, 3.0), ("Average", 1.5, 2.5, 3.5))
    latex = to_latex(Table("t", "T", "", ("Model", "Dots and Boxes std", "Dots and Boxes inv", "trials"), rows))
    assert r" & \multicolumn{2}{c}{Dots and Boxes} &  \\" in latex
    assert r"\cmidrule(lr){2-3}" in latex
    assert r"Model & std & inv & trials \\" in latex


def test_a_table_longer_than_a_page_is_cut_into_several() -> None:
    rows = tuple((f"item {k}", k, k * k) for k in range(130))
    latex = to_latex(Table("t", "Squares", "The note.", ("item", "n", "square"), rows))
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") == 3
    assert [f"Squares ({k} of 3)." in latex for k in (1, 2, 3)] == [True] * 3
    assert latex.count("The note.") == 1
    assert [f"item {k} &" in latex for k in range(130)] == [True] * 130


def test_a_chosen_width_decides_the_environment() -> None:
    narrow = Table("t", "T", "", ("a", "b"), (("x", 1), ("y", 2)))
    assert r"\begin{table*}" in to_latex(narrow, "page")
    assert r"\begin{table}" in to_latex(narrow, "column")
    wide = Table("t", "T", "", tuple(f"column{k}" for k in range(12)), (tuple(range(12)), tuple(range(1, 13))))
    assert r"\begin{table*}" in to_latex(wide)
    assert to_latex(wide, "column").count(r"\begin{tabular}") > 1
    assert WIDTHS["column"] < 3.3 * 72.27
    assert WIDTHS["page"] < 7 * 72.27


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("é Ł ï", r"""\'{e} \L{} \"{\i}"""),
        ("−3 × 5°", r"\ensuremath{-}3 \ensuremath{\times} 5\ensuremath{{}^{\circ}}"),
        ("日本 ok", r"\uni{日本}{??} ok"),
        ("a\u202eb", "a b"),
    ],
)
def test_characters_are_spelled_or_kept_for_engines_that_have_them(text: str, latex: str) -> None:
    assert escaped(text) == latex


def test_names_break_after_their_signs_and_numbers_do_not() -> None:
    assert pieces("org/model-2b 56.5 [50.5,\u00a061.4]") == ["org/", "model-", "2b ", "56.5 ", "[50.5,\u00a061.4]"]
    assert pieces("f" * 30) == ["f" * 12, "f" * 12, "f" * 6]
    assert lines_in("56.5 [50.5,\u00a061.4]", 50) == 2
    assert narrowest("56.5 [50.5,\u00a061.4]") < 50
