"""An exam in a notebook: the verdicts, and with each the chart it rests on, as one piece of inert HTML.

The card has its own light ground and its own ink, so it can be read in a dark notebook, too. There is no script and no
style sheet, and whatever came from a model or a user is escaped.
"""

from collections.abc import Iterator
from dataclasses import replace
from html import escape

from snellen.analysis.blocks import Diagnosis, Findings, Intervals, Shares
from snellen.report.figures import COLUMN, Figure, on_screen
from snellen.report.figures.measure import plain
from snellen.report.palette import INK, LINE, PAPER, SOFT, VERDICTS

_CARD = (
    f"background:{PAPER};color:{INK};border:1px solid {LINE};border-top:3px solid %s;border-radius:4px;"
    "padding:14px 18px;margin:0 0 12px;max-width:760px;font:14px/1.5 sans-serif;overflow-wrap:anywhere"
)
_BADGE = "color:%s;border:1.5px solid;border-radius:99px;padding:0 10px;font-weight:650;font-size:12px"
_WIDTH = 1.3 * COLUMN


def exam_html(findings: Findings) -> str:
    """All verdicts, one card each."""
    cards = "".join(_card(diagnosis, _chart(findings, diagnosis)) for diagnosis in findings.diagnoses)
    return f"<div>{cards or _nothing()}</div>"


def _nothing() -> str:
    return f'<div style="{_CARD % VERDICTS["unclear"]}">No diagnosis yet.</div>'


def _card(diagnosis: Diagnosis, chart: Shares | Intervals | None) -> str:
    colour = VERDICTS.get(diagnosis.verdict, VERDICTS["unclear"])
    return "".join(
        [
            f'<div style="{_CARD % colour}">',
            f'<span style="{_BADGE % colour}">{_text(diagnosis.verdict)}</span>',
            f' <bdi style="color:{SOFT}">{_text(_whose(diagnosis))}</bdi>',
            f'<div style="font-size:17px;font-weight:600;margin:8px 0">{_text(diagnosis.headline)}</div>',
            *_figure(chart),
            *_details(diagnosis),
            "</div>",
        ]
    )


def _whose(diagnosis: Diagnosis) -> str:
    return " · ".join(part for part in (diagnosis.subject, diagnosis.task) if part)


def _figure(chart: Shares | Intervals | None) -> Iterator[str]:
    if chart is not None:
        title = f'<div style="color:{SOFT};margin:0 0 4px">{_text(chart.title)}</div>'
        yield title + on_screen(Figure("", chart, _WIDTH).sheet)


def _details(diagnosis: Diagnosis) -> Iterator[str]:
    if diagnosis.details:
        points = "".join(f"<li>{_text(detail)}</li>" for detail in diagnosis.details)
        summary = f'<summary style="color:{SOFT};cursor:pointer">What this rests on</summary>'
        yield f'<details style="margin-top:8px">{summary}<ul style="margin:6px 0 0">{points}</ul></details>'


def _chart(findings: Findings, diagnosis: Diagnosis) -> Shares | Intervals | None:
    """The subject's own rows of the first chart of the same task that has some, stacked shares before dots."""
    blocks = [block for section in findings.sections if section.task == diagnosis.task for block in section.blocks]
    charts = [block for block in blocks if isinstance(block, Shares | Intervals)]
    for chart in sorted(charts, key=lambda block: not isinstance(block, Shares)):
        if rows := tuple(row for row in chart.rows if _is_of(row[0], diagnosis.subject)):
            return replace(chart, rows=rows)  # type: ignore[arg-type]
    return None


def _is_of(label: str, subject: str) -> bool:
    return label == subject or label.startswith(f"{subject} · ")


def _text(text: str) -> str:
    """Text nobody vouches for, as HTML; what cannot be seen is shown by its number."""
    return escape(plain(text, 5000))
