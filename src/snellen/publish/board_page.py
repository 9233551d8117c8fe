"""The board as HTML. Names come from anybody: all of them are escaped, and the page's policy runs nothing but our
script."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from urllib.parse import quote

from snellen.charts.blocks import Value, percent
from snellen.charts.numbers import whole_text
from snellen.charts.palette import FACULTIES, VERDICTS
from snellen.faculties import ENTRIES, NAMES
from snellen.publish.entries import POOLED, BoardRow, Incomparable
from snellen.report.page import policy, printable

_WIDE, _HIGH = 100, 12


def board_page(rows: Sequence[BoardRow], notes: Sequence[Incomparable], links: Mapping[str, str]) -> str:
    """The page. `links`: the report page of each publication that has one."""
    faculties = [name for name in NAMES if any(name in row.losses for row in rows)]
    tasks = [*dict.fromkeys(task for row in rows for task in row.verdicts)]
    script, style = _file("board.js"), _file("board.css") + "\n".join(_colours())
    board = _Board(faculties, tasks, links, _letters(notes))
    body = "\n".join(board.row(row) for row in rows)
    publications = len({row.publication.name for row in rows})
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy(script, style))}">
<meta name="generator" content="snellen board">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Snellen board</title>
<style>{style}</style>
</head>
<body>
{_patterns(faculties)}
<header>
<h1>Snellen board</h1>
<p>{_count(rows, "row")}: what each subject loses to which faculty, in percent of items with 95 % CIs, from
{publications} published exam{"" if publications == 1 else "s"}. A short bar is a small loss; an empty cell was not
measured. There is no single score.</p>
</header>
<form class="controls">
<label>Task <select id="task"><option value="">all: mean over tasks</option>{_options(tasks)}</select></label>
<label>Sort by <select id="sort">{_sort_options(faculties, tasks)}</select></label>
<button id="turn" type="button" aria-label="Reverse the order">&#8597; reverse</button>
<span id="shown" role="status"></span>
</form>
<div class="wide" tabindex="0" role="region" aria-label="Subjects and losses">
<table>
<thead><tr>{board.head()}</tr></thead>
<tbody>
{body}
</tbody>
</table>
</div>
{_notes(notes)}
<footer><p>Made by <code>snellen board</code> from folders made by <code>snellen publish</code>. The board shows what
they say; <code>snellen verify</code> checks it.</p></footer>
<script>{script}</script>
</body>
</html>
"""  # noqa: S608 - "select" is an element of HTML here


class _Board:
    """Cells of the table."""

    def __init__(
        self,
        faculties: Sequence[str],
        tasks: Sequence[str],
        links: Mapping[str, str],
        letters: Mapping[tuple[str, int], str],
    ) -> None:
        self.faculties, self.tasks, self.links, self.letters = faculties, tasks, links, letters

    def head(self) -> str:
        named = [("subject", "Subject", ""), ("publication", "Exam", "")]
        named += [(f"f-{name}", name, ENTRIES[name].lost_to) for name in self.faculties]
        named += [(f"t-{place}", task, "verdict") for place, task in enumerate(self.tasks)]
        return "".join(
            f'<th scope="col" data-column="{column}"{_of_task(column)}>'
            f'<button type="button" title="{_text(about)}">{_text(words)}</button></th>'
            for column, words, about in named
        )

    def row(self, row: BoardRow) -> str:
        cells = [self._subject(row), self._publication(row)]
        cells += [self._losses(row, faculty) for faculty in self.faculties]
        cells += [self._verdict(row, place, task) for place, task in enumerate(self.tasks)]
        tasks = " ".join(f"{self.tasks.index(task)}" for task in row.verdicts)
        return f'<tr data-tasks="{tasks}">{"".join(cells)}</tr>'

    def _subject(self, row: BoardRow) -> str:
        return (
            f'<th scope="row" data-column="subject" data-value="{_text(row.subject)}">'
            f"{self._link(row, row.subject, {'subject': row.subject})}</th>"
        )

    def _publication(self, row: BoardRow) -> str:
        own = row.publication
        return (
            f'<td data-column="publication" data-label="exam" data-value="{_text(own.day + " " + own.name)}">'
            f'{self._link(row, own.name, None)} <span class="soft">{_text(own.day)}</span></td>'
        )

    def _link(self, row: BoardRow, words: str, filters: Mapping[str, str] | None) -> str:
        """Words that lead to the report page: to the trials with these levels, or to the diagnosis."""
        if (page := self.links.get(row.publication.name)) is None:
            return _text(words)
        asked = "&".join(
            f"f.{quote(name)}={quote(level, safe='', errors='replace')}" for name, level in (filters or {}).items()
        )
        place = f"#/trials?{asked}" if filters else "#/diagnosis"
        return f'<a href="{_text(page + place)}">{_text(words)}</a>'

    def _losses(self, row: BoardRow, faculty: str) -> str:
        """The loss to a faculty: pooled, and for each task, of which the script shows one."""
        values = row.losses.get(faculty, {})
        shown = [
            f'<div data-task="{self._number(task)}" data-value="{_sortable(value)}"{" hidden" if task else ""}>'
            f'<span class="n">{_text(whole_text(percent(value)))}</span>{_bar(faculty, value)}</div>'
            for task, value in values.items()
        ]
        return f'<td data-column="f-{faculty}" data-label="{faculty}">{"".join(shown)}</td>'

    def _number(self, task: str) -> str:
        return "" if task == POOLED or task not in self.tasks else str(self.tasks.index(task))

    def _verdict(self, row: BoardRow, place: int, task: str) -> str:
        head = f'<td data-column="t-{place}" data-label="{_text(task)}" data-of="{place}"'
        if task not in row.verdicts:
            return f"{head}></td>"
        verdict, word, sentence = row.verdicts[task]
        letter = self.letters.get((task, id(row)), "")
        mark = f'<sup title="asked in another way than elsewhere: see below">{letter}</sup>' if letter else ""
        link = self._link(row, word, {"subject": row.subject, "task": task})
        return (
            f'{head} data-value="{_text(word)}"><span class="verdict">'
            f'<span class="badge v-{verdict}" title="{_text(sentence)}">{link}</span>{mark}</span></td>'
        )


def _of_task(column: str) -> str:
    return f' data-of="{column[2:]}"' if column.startswith("t-") else ""


def _bar(faculty: str, value: Value) -> str:
    """A bar of the loss, hatched as everywhere, and a line over its interval."""
    if value.value is None:
        return ""
    bar = f'<rect class="c-{faculty}" width="{_x(value.value)}" height="{_HIGH}" y="0"/>'
    hatch = f'<rect fill="url(#h-{faculty})" width="{_x(value.value)}" height="{_HIGH}"/>'
    line = ""
    if value.low is not None and value.high is not None:
        low, high = _x(value.low), _x(value.high)
        way = f"M{low} {_HIGH / 2}H{high}M{low} 2V{_HIGH - 2}M{high} 2V{_HIGH - 2}"
        line = f'<path class="halo" d="{way}"/><path class="ci" d="{way}"/>'
    return (
        f'<svg viewBox="0 0 {_WIDE} {_HIGH}" width="{_WIDE}" height="{_HIGH}" aria-hidden="true">'
        f'<rect class="ground" width="{_WIDE}" height="{_HIGH}"/>{bar}{hatch}{line}</svg>'
    )


def _x(share: float) -> str:
    return f"{_WIDE * min(max(share, 0.0), 1.0):.1f}"


def _sortable(value: Value) -> str:
    return "" if value.value is None else f"{value.value:.6f}"


def _patterns(faculties: Iterable[str]) -> str:
    made = []
    for name in faculties:
        hatch = FACULTIES[name].hatch
        if hatch:
            angle, apart = hatch[0]
            crossed = f'<path class="l-{name}" d="M0 0V{apart}"/>' if len(hatch) > 1 else ""
            made.append(
                f'<pattern id="h-{name}" width="{apart}" height="{apart}" patternUnits="userSpaceOnUse"'
                f' patternTransform="rotate({angle})"><path class="l-{name}" d="M0 0H{apart}"/>{crossed}</pattern>'
            )
    return f'<svg width="0" height="0" class="defs" aria-hidden="true"><defs>{"".join(made)}</defs></svg>'


def _colours() -> Iterator[str]:
    for name in NAMES:
        look = FACULTIES[name]
        yield f".c-{name}{{fill:light-dark({look.colour},{look.colour.dark})}}"
        yield f".l-{name}{{stroke:light-dark({look.lines},{look.lines.dark})}}"
    for verdict, (ink, _) in VERDICTS.items():
        yield f".v-{verdict}{{--verdict:light-dark({ink},{ink.dark})}}"


def _options(tasks: Iterable[str]) -> str:
    return "".join(f'<option value="{place}">{_text(task)}</option>' for place, task in enumerate(tasks))


def _sort_options(faculties: Iterable[str], tasks: Iterable[str]) -> str:
    named = [("subject", "subject"), ("publication", "exam")]
    named += [(f"f-{name}", f"loss to {name}") for name in faculties]
    named += [(f"t-{place}", f"verdict on {task}") for place, task in enumerate(tasks)]
    return "".join(f'<option value="{column}">{_text(words)}</option>' for column, words in named)


def _letters(notes: Iterable[Incomparable]) -> dict[tuple[str, int], str]:
    return {(note.task, id(row)): letter for note in notes for letter, rows in note.groups.items() for row in rows}


def _notes(notes: Sequence[Incomparable]) -> str:
    if not notes:
        return ""
    lines = []
    for note in notes:
        groups = "; ".join(f"<sup>{letter}</sup> {_text(_members(rows, note))}" for letter, rows in note.groups.items())
        lines.append(f"<li><b>{_text(note.task)}</b> differs in {_text('; '.join(note.what))}: {groups}</li>")
    return (
        '<section class="notes"><h2>Not comparable</h2><p>Exams with different letters asked a task in different ways;'
        f" compare losses within a letter.</p><ul>{''.join(lines)}</ul></section>"
    )


def _members(rows: Sequence[BoardRow], note: Incomparable) -> str:
    """The exams of a group; with the subject where others of the same exam are in another group."""
    others = {row.publication.name for own in note.groups.values() if own is not rows for row in own}
    named = (
        f"{row.publication.name} ({row.subject})" if row.publication.name in others else row.publication.name
        for row in rows
    )
    return ", ".join(dict.fromkeys(named))


def _count(things: Sequence[object], noun: str) -> str:
    return f"{len(things):,} {noun}{'' if len(things) == 1 else 's'}"


def _text(words: str) -> str:
    return escape(printable(words.replace("\u00a0", " ")))


def _file(name: str) -> str:
    return (files("snellen.publish") / "page" / name).read_text(encoding="utf-8").replace("\r\n", "\n")
