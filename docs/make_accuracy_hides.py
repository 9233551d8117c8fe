"""Draw docs/images/accuracy-hides.svg: `python docs/make_accuracy_hides.py` (about half a minute).

Four models with one planted fault each, made so that they are right equally often on the hardest question. The exam,
its accuracies and its verdicts are real; the models are the fakes of tests/fakes, which know nothing of the analysis.
"""

import sys
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import snellen
from snellen.charts.blocks import Diagnosis
from snellen.faculties import ENTRIES
from snellen.subjects.own import own_subject

ROOT = Path(__file__).parents[1]
OUT = ROOT / "docs" / "images" / "accuracy-hides.svg"
BOARDS = 40
RUNGS = {
    "told": ("answer", "given"),
    "words": ("board in", "words"),
    "pictures": ("in a", "picture"),
    "inverse": ("unusual", "rule"),
}
CAUSES = {
    "attention": "slips on anything",
    "thinking": "cannot work it out",
    "eyes": "does not see it",
    "habit": "ignores the rule",
}
LEFT, CELL, TOP, ROW = 142, 76, 90, 56
STYLE = """
  %(light)s
  .page { fill: #ffffff } .name { fill: #15191d; font-weight: 600 } .what { fill: #454d55; font-size: 13px }
  .big { fill: #15191d; font-size: 22px; font-weight: 700 } .rule { stroke: #9aa4ae } .empty { fill: #e6eaee }
  .right { fill: #b9c4ce } .cell { fill: #15191d; font-size: 14px }
  @media (prefers-color-scheme: dark) {
    .page { fill: #1e2129 } .name, .big, .cell { fill: #f1f3f5 } .what { fill: #c3cad1 } .rule { stroke: #707b87 }
    .empty { fill: #2d323c } .right { fill: #5c6773 }
    %(dark)s
  }
"""


def examined() -> list[Diagnosis]:
    """The four models, each examined on the same boards."""
    sys.path.insert(0, str(ROOT / "tests"))
    from fakes import lacking
    from fakes.knowing import lesson

    taught = lesson("fixation", 0, {}, BOARDS)
    faults = (lacking.slips(0.6), lacking.thinking(0.6), lacking.eyes(0.6), lacking.habit(0.26))
    minds = [lacking.Mind(name, (fault,), taught) for name, fault in zip("ABCD", faults, strict=True)]
    subjects = {mind.name: own_subject(mind, name=mind.name, pictures="bytes") for mind in minds}
    with TemporaryDirectory() as folder:
        exam = snellen.exam(subjects, tasks=taught.task, n=BOARDS, store=Path(folder) / "exam.sqlite")
        return list(exam.findings.diagnoses)


def drawn(diagnoses: list[Diagnosis]) -> str:
    """The picture, one row for each model."""
    height = TOP + ROW * len(diagnoses) + 8
    titles = ((16, "Benchmark"), (LEFT, "Snellen asks in four ways"), (452, "Cause"))
    heads = [_words(left, 26, "name", title) for left, title in titles] + _lines(50, "accuracy")
    heads += [part for n, rung in enumerate(RUNGS.values()) for part in _lines(LEFT + n * CELL, *rung)]
    rows = [part for n, diagnosis in enumerate(diagnoses) for part in _row(TOP + n * ROW, diagnosis)]
    causes = "; ".join(f"model {one.subject}: {_top(one):.0f} % correct, {one.verdict}" for one in diagnoses)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="600" viewBox="0 0 600 {height}" role="img" '
            'aria-labelledby="title desc" font-size="15" '
            "font-family=\"Arial, Helvetica, 'Liberation Sans', sans-serif\">",
            '<title id="title">The same accuracy, four different causes</title>',
            f'<desc id="desc">{escape(causes)}. The accuracy on each rung shows where each starts to fail.</desc>',
            f'<style>{STYLE % _colours()}</style><rect class="page" width="600" height="{height}" rx="8"/>',
            *heads,
            *rows,
            "</svg>\n",
        )
    )


def _colours() -> dict[str, str]:
    """The causes' colours on light and on dark paper, as CSS rules."""
    papers = {"light": 0, "dark": 1}
    return {
        paper: " ".join(f".{cause} {{ fill: {ENTRIES[cause].fill[n]} }}" for cause in CAUSES)
        for paper, n in papers.items()
    }


def _row(top: int, diagnosis: Diagnosis) -> list[str]:
    cause = diagnosis.verdict
    accuracies = {score.rung: score.accuracy.value for score in diagnosis.rungs}
    first_loss = next(n for n, rung in enumerate(RUNGS) if accuracies[rung] < 90)
    cells = [
        _cell(LEFT + n * CELL, top, accuracies[rung], cause if n >= first_loss else "") for n, rung in enumerate(RUNGS)
    ]
    return [
        f'<line class="rule" x1="8" x2="592" y1="{top - 8}" y2="{top - 8}"/>',
        _words(16, top + 24, "big", diagnosis.subject),
        _words(50, top + 24, "big", f"{_top(diagnosis):.0f} %"),
        *cells,
        f'<rect class="{cause}" x="452" y="{top + 2}" width="6" height="34" rx="2"/>',
        _words(464, top + 15, "name", cause),
        _words(464, top + 33, "what", CAUSES[cause]),
    ]


def _cell(left: int, top: int, accuracy: float, cause: str) -> str:
    place = f'x="{left}" y="{top + 24}" height="12" rx="2"'
    return (
        f'<rect class="empty" {place} width="62"/>'
        f'<rect class="{cause or "right"}" {place} width="{62 * accuracy / 100:.1f}"/>'
        + _words(left, top + 15, "cell", f"{accuracy:.0f} %")
    )


def _top(diagnosis: Diagnosis) -> float:
    return next(score.accuracy.value for score in diagnosis.rungs if score.rung == "inverse")


def _lines(left: int, *words: str) -> list[str]:
    return [_words(left, 49 + 16 * n, "what", line) for n, line in enumerate(words)]


def _words(left: int, base: int, kind: str, words: str) -> str:
    return f'<text class="{kind}" x="{left}" y="{base}">{escape(words)}</text>'


if __name__ == "__main__":
    OUT.write_text(drawn(examined()), encoding="utf-8")
