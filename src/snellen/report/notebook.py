"""An exam in a notebook: the verdicts, and with each its losses and its ladder, as one piece of inert HTML.

The card has its own light ground and its own ink, so it can be read in a dark notebook, too. There is no script and no
style sheet, and whatever came from a model or a user is escaped. With several tasks or subjects a table of all of them
comes first, and the cards fold.
"""

from collections.abc import Iterator
from html import escape

from snellen.analysis.cells import cell_text
from snellen.analysis.ladder.charts import ladder_chart, largest_loss, loss_chart, loss_name, profile_chart
from snellen.analysis.ladder.overview import ACCURACY, NOT_ASKED, overview, verdict_word
from snellen.charts.blocks import Diagnosis, Findings, Intervals, Profile, Shares, percent
from snellen.charts.measure import plain
from snellen.charts.palette import INK, LINE, PAPER, SOFT, VERDICTS
from snellen.report.figures import COLUMN, PAGE, Figure, on_screen

_GROUND = f"background:{PAPER};color:{INK};font:14px/1.5 sans-serif;overflow-wrap:anywhere;max-width:760px;"
_CARD = f"{_GROUND}border:1px solid {LINE};border-top:3px solid %s;border-radius:4px;padding:14px 18px;margin:0 0 12px"
_BADGE = "color:%s;border:1.5px solid;border-radius:99px;padding:0 10px;font-weight:650;font-size:12px"
_CELL = f"text-align:left;vertical-align:top;border:1px solid {LINE};padding:6px 10px;min-width:90px"
_WIDTH = 1.3 * COLUMN


def exam_html(findings: Findings) -> str:
    """All verdicts, one card each; an overview and the profiles before them if there are several."""
    diagnoses = findings.diagnoses
    if len(diagnoses) <= 1:
        return f"<div>{''.join(map(_card, diagnoses)) or _nothing()}</div>"
    profiles = "".join(map(_profile, findings.profiles))
    return f"<div>{_overview(diagnoses)}{profiles}{''.join(map(_folded_card, diagnoses))}</div>"


def _profile(profile: Profile) -> str:
    chart = profile_chart(profile)
    drawn = f'<div style="margin-top:8px">{on_screen(Figure("", chart, PAGE).sheet)}</div>'
    return f'<div style="{_CARD % LINE}">{_fold(_text(chart.title), drawn)}</div>'


def _nothing() -> str:
    return f'<div style="{_CARD % VERDICTS["unclear"][0]}">No diagnosis yet.</div>'


def _overview(diagnoses: tuple[Diagnosis, ...]) -> str:
    """Subjects x tasks."""
    whole = overview(diagnoses)
    head = "".join(f'<th style="{_CELL}">{_text(name)}</th>' for name in ("subject", *whole.tasks))
    rows = "".join(
        f'<tr><th style="{_CELL}"><bdi>{_text(subject)}</bdi></th>'
        + "".join(_asked(diagnoses, cell) for cell in cells)
        + "</tr>"
        for subject, cells in zip(whole.subjects, whole.cells, strict=True)
    )
    look = f"border-collapse:collapse;background:{PAPER};color:{INK};font-size:13px"
    table = f'<table style="{look}"><tr>{head}</tr>{rows}</table>'
    return f'<div style="{_GROUND}max-width:100%;overflow-x:auto;margin:0 0 12px">{table}</div>'


def _asked(diagnoses: tuple[Diagnosis, ...], places: tuple[int, ...]) -> str:
    return f'<td style="{_CELL}">{"<br/>".join(_cell(diagnoses[place]) for place in places) or NOT_ASKED}</td>'


def _cell(diagnosis: Diagnosis) -> str:
    """Verdict, the share right and the largest loss, accuracy."""
    loss = largest_loss(diagnosis.losses)
    right, accuracy = (cell_text(value, compact=True) for value in (percent(diagnosis.right), diagnosis.accuracy))
    lines = [_badge(diagnosis), _text(f"right: {right} %") if right else ""]
    if loss is not None:
        lines.append(_text(f"lost to {loss_name(loss.faculties)}: {cell_text(percent(loss.share), compact=True)} %"))
    lines.append(_text(f"{ACCURACY}: {accuracy} %") if accuracy else "")
    return "<br/>".join(filter(None, lines))


def _badge(diagnosis: Diagnosis) -> str:
    return f'<span style="{_BADGE % _colour(diagnosis)}">{_text(verdict_word(diagnosis))}</span>'


def _colour(diagnosis: Diagnosis) -> str:
    return VERDICTS.get(diagnosis.verdict, VERDICTS["unclear"])[0]


def _folded_card(diagnosis: Diagnosis) -> str:
    """A card that opens: of several, only the sentences are seen first."""
    summary = f'{_head(diagnosis)}<div style="margin:4px 0 0">{_text(diagnosis.headline)}</div>'
    return f'<div style="{_CARD % _colour(diagnosis)}">{_fold(summary, _body(diagnosis))}</div>'


def _card(diagnosis: Diagnosis) -> str:
    sentence = f'<div style="font-size:17px;font-weight:600;margin:8px 0">{_text(diagnosis.headline)}</div>'
    return f'<div style="{_CARD % _colour(diagnosis)}">{_head(diagnosis)}{sentence}{_body(diagnosis)}</div>'


def _head(diagnosis: Diagnosis) -> str:
    return f'{_badge(diagnosis)} <bdi style="color:{SOFT}">{_text(_whose(diagnosis))}</bdi>'


def _body(diagnosis: Diagnosis) -> str:
    """Losses, ladder, what is missing, details."""
    charts = [_figure(loss_chart([diagnosis]))] if diagnosis.losses else []
    charts += [_figure(ladder_chart(diagnosis))] if diagnosis.rungs else []
    return "".join([*charts, *_missing(diagnosis), *_details(diagnosis)])


def _whose(diagnosis: Diagnosis) -> str:
    return " · ".join(part for part in (diagnosis.subject, diagnosis.task) if part)


def _figure(chart: Shares | Intervals) -> str:
    title = f'<div style="color:{SOFT};margin:8px 0 4px">{_text(chart.title)}</div>'
    return title + on_screen(Figure("", chart, _WIDTH).sheet)


def _missing(diagnosis: Diagnosis) -> Iterator[str]:
    if diagnosis.missing:
        points = "".join(f"<li>{_prose(line)}</li>" for line in diagnosis.missing)
        yield f'<div style="margin-top:8px">What could not be told apart:<ul style="margin:2px 0 0">{points}</ul></div>'


def _details(diagnosis: Diagnosis) -> Iterator[str]:
    if diagnosis.details:
        points = "".join(f"<li>{_prose(detail)}</li>" for detail in diagnosis.details)
        yield _fold("What this rests on", f'<ul style="margin:6px 0 0">{points}</ul>')


def _fold(summary: str, body: str) -> str:
    head = f'<summary style="color:{SOFT};cursor:pointer">{summary}</summary>'
    return f'<details style="margin-top:8px">{head}{body}</details>'


def _prose(text: str) -> str:
    """A sentence of ours; what stands in backquotes is a command."""
    pieces = _text(text).split("`")
    if len(pieces) % 2 == 0:
        return "`".join(pieces)
    return "".join(f"<code>{piece}</code>" if k % 2 else piece for k, piece in enumerate(pieces))


def _text(text: str) -> str:
    """Text nobody vouches for, as HTML; what cannot be seen is shown by its number."""
    return escape(plain(text, 5000))
