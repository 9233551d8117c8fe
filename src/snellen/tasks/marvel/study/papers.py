"""Tables in the shape of the MARVEL paper, its figures under ours.

The files hold what is printed, turned so that every model has a row. Tables 3 and 10 have two of their patterns
exchanged against the set they were made on; here they are set right, and the note says so.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from statistics import median

import polars as pl

from snellen.analysis.estimates import accuracy
from snellen.analysis.printed import printed
from snellen.charts.blocks import Cell, Table, Value, percent
from snellen.tasks.marvel.study.puzzles import CONFIGURATIONS, FINE_TYPES, LABELS, PATTERNS, PLAIN
from snellen.tasks.marvel.study.results import MarvelResults

Where = dict[str, str]
HUMAN, RANDOM = "Human", "Random"
EXCHANGED = {"Quantities": "Mathematical", "Mathematical": "Quantities"}
EXCHANGE_NOTE = (
    "The printed rows Quantities and Mathematical are exchanged here: their figures are fractions of 165 and 240"
    " puzzles, and the set has 240 of Quantities and 165 of Mathematical."
)
FINE_NOTE = "The print calls this table coarse-grained; its figures are those of the fine-grained questions."
DAGGER_NOTE = (
    "†, printed: attributed to inductive bias by the paper; †, ours: the options picked are distributed differently"
    " from the key (exact test, table `marvel-bias`)."
)


@dataclass(frozen=True, slots=True)
class MarvelPaper:
    """One published table. `columns`: each column and what it stands for (conditions not named are plain); `paired`:
    ours only on puzzles asked for all columns; `exchanged`: two patterns are printed under each other's name."""

    number: int
    title: str
    columns: dict[str, Where]
    paired: bool = False
    exchanged: bool = False
    notes: tuple[str, ...] = field(default=())

    @property
    def file(self) -> str:
        return f"marvel_table{self.number:02d}"


def _avr(**more: str) -> Where:
    return {"score": "avr", **more}


def _by_pattern(prefix: str = "", **more: str) -> dict[str, Where]:
    return {f"{prefix}{title}": _avr(pattern=level, **more) for level, title in PATTERNS.items()}


_MEASURES = {
    "AVR": _avr(),
    "Fine": {"score": "fine"},
    **{LABELS[score]: {"score": score} for score in ("perc_c", "perc_cf", "perc_cf_avr")},
}
_ONE, _TWO = {"one-shot": _avr(shots="one")}, {"two-shot": _avr(shots="two")}
_PAPERS = (
    MarvelPaper(2, "the ladder, zero-shot", _MEASURES, notes=(DAGGER_NOTE,)),
    MarvelPaper(3, "AVR by pattern", _by_pattern(), exchanged=True, notes=(EXCHANGE_NOTE, DAGGER_NOTE)),
    MarvelPaper(
        4,
        "AVR by configuration",
        {title: _avr(configuration=level) for level, title in CONFIGURATIONS.items()},
        notes=(DAGGER_NOTE,),
    ),
    MarvelPaper(
        5,
        "fine-grained questions by type",
        {title: {"score": "fine", "fine_type": level} for level, title in FINE_TYPES.items()},
        notes=(FINE_NOTE,),
    ),
    MarvelPaper(
        6,
        "with a description in words",
        {"AVR": _avr(), "AVR+Text": _avr(words="given")},
        paired=True,
        notes=("Ours on puzzles asked both ways.", DAGGER_NOTE),
    ),
    MarvelPaper(7, "few-shot with reasoned examples", {"zero-shot": _avr(), **_ONE, **_TWO}),
    MarvelPaper(
        8,
        "one example of another pattern",
        {**_ONE, "one-shot (OOD)": _avr(shots="one", demos="other-pattern")},
        paired=True,
        notes=("Ours on puzzles asked both ways.",),
    ),
    MarvelPaper(
        9,
        "two examples of mixed configurations",
        {**_TWO, "two-shot (mix)": _avr(shots="two", demos="mixed")},
        paired=True,
        notes=("Ours on puzzles asked both ways.",),
    ),
    MarvelPaper(
        10,
        "few-shot by pattern",
        _by_pattern("one-shot ", shots="one") | _by_pattern("two-shot ", shots="two"),
        exchanged=True,
        notes=(EXCHANGE_NOTE,),
    ),
)
PAPER_TABLES = {f"marvel-table{paper.number}": paper for paper in _PAPERS}


def paper_table(name: str, results: MarvelResults) -> Table:
    """The table of that name: our subjects, then the published rows."""
    paper = PAPER_TABLES[name]
    ours, used = _nearest(paper, results)
    return Table(
        name=name,
        title=f"MARVEL Table {paper.number}: {paper.title}",
        note=" ".join(
            (
                "Percent right; ours with 95 % CIs clustered by group of duplicates, unread replies are not counted"
                " as right.",
                *paper.notes,
                f"Ours: {used} puzzles. Published: {printed('marvel', paper.file).source}.",
            )
        ),
        columns=("Model", "source", *paper.columns),
        rows=(*ours, *_theirs(paper)),
    )


def _nearest(paper: MarvelPaper, results: MarvelResults) -> tuple[tuple[tuple[Cell, ...], ...], str]:
    """Our rows from puzzles as near to the paper's as there are, and where these come from."""
    rows = results.scored.filter(pl.col("subject") == pl.col("who"))
    direct = rows.filter(pl.col("paradigm") == "direct")
    rows = rows if direct.is_empty() else direct
    for chosen in (rows.filter(pl.col("source") == "published"), rows):
        if ours := tuple(_ours(paper, chosen, results)):
            return ours, " and ".join(sorted(chosen["source"].cast(pl.String).unique()))
    return (), "no"


def _at(rows: pl.DataFrame, where: Where) -> pl.DataFrame:
    return rows.filter(*(pl.col(name) == level for name, level in {**PLAIN, **where}.items()))


def _ours(paper: MarvelPaper, rows: pl.DataFrame, results: MarvelResults) -> Iterable[tuple[Cell, ...]]:
    for subject in rows["subject"].unique(maintain_order=True):
        own = rows.filter(pl.col("subject") == subject)
        parts = [_at(own, where) for where in paper.columns.values()]
        if paper.paired:
            both = parts[0].select("item").unique()
            for part in parts[1:]:
                both = both.join(part.select("item").unique(), on="item", how="semi")
            parts = [part.join(both, on="item", how="semi") for part in parts]
        cells = [_cell(part, results) for part in parts]
        if any(cells):
            yield subject, "ours", *cells


def _cell(part: pl.DataFrame, results: MarvelResults) -> Value | None:
    """Accuracy in percent, with a dagger if it is of puzzles and one of the settings behind it has one."""
    estimates = accuracy(part, [], results.seed)
    if not estimates or estimates[0].accuracy is None:
        return None
    value = percent(estimates[0].noted)
    first = part.row(0, named=True)
    dagger = results.dagger(first) if first["score"] == "avr" else ""
    return replace(value, note=" ".join(word for word in (dagger, value.note) if word))


def _theirs(paper: MarvelPaper) -> Iterable[tuple[Cell, ...]]:
    for row in printed("marvel", paper.file).rows:
        cells = []
        for column in paper.columns:
            name = _printed_name(column) if paper.exchanged else column
            note = row.get(f"{name} note") or row.get("note") or ""
            cells.append(Value(float(row[name]), note=note) if row[name] else None)
        yield row["Model"], "paper", *cells


def _printed_name(column: str) -> str:
    """The column under which a pattern's figures are printed."""
    shots, _, pattern = column.rpartition("-shot ")
    return f"{shots}-shot {EXCHANGED.get(pattern, pattern)}" if shots else EXCHANGED.get(column, column)


def landmarks(number: int) -> dict[str, dict[str, float]]:
    """What to read a subject against in Table 3 or 4: the best published model, the median of them, people. Each has
    its figure for every column, and over all puzzles under ''."""
    paper = PAPER_TABLES[f"marvel-table{number}"]
    whole = {row["Model"]: float(row["AVR"]) for row in printed("marvel", "marvel_table02").rows}
    models = [name for name in whole if name not in (HUMAN, RANDOM)]
    figures: dict[str, dict[str, float]] = {}
    for name, _, *cells in _theirs(paper):
        values = zip(paper.columns, cells, strict=True)
        printed_ = {column: cell.value for column, cell in values if isinstance(cell, Value) and cell.value is not None}
        figures[str(name)] = {"": whole[str(name)], **printed_}
    best = max(models, key=whole.__getitem__)
    middle = {column: median(figures[name][column] for name in models) for column in figures[best]}
    return {
        f"best published model, {best}": figures[best],
        f"median of {len(models)} published models": middle,
        "people": figures[HUMAN],
    }
