"""Tables in the shape of the cognitive-paradigms paper, its figures under ours.

Each maker gives our rows for one published table; the printed rows follow. Ours are taken from the set the paper used
if the store has trials on it (Bongard-OpenWorld, Bongard-HOI), else from all there are, and the note says which.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import polars as pl

from snellen.analysis.casts import own
from snellen.analysis.estimates import accuracy
from snellen.analysis.printed import figure, printed
from snellen.charts.blocks import Cell, Table, Value, percent
from snellen.tasks.bongard.study.results import PLAIN, BongardResults

Row = tuple[Cell, ...]
STEPS = ("dvrl", "drl", "ca")
SPLITS = {
    "sosa": "seen object, seen action",
    "soua": "seen object, unseen action",
    "uosa": "unseen object, seen action",
    "uoua": "unseen object, unseen action",
}
"""The splits of Bongard-HOI by the category their problems carry."""


@dataclass(frozen=True, slots=True)
class BongardPaper:
    """One published table. `like`: the set it was made on; `ours`: our rows for it; `theirs`: the printed ones."""

    number: str
    title: str
    like: str
    columns: tuple[str, ...]
    ours: Callable[[pl.DataFrame, int], Iterable[Row]]
    theirs: Callable[[], Iterable[Row]]


def paper_table(name: str, results: BongardResults) -> Table:
    """The table of that name: our subjects, then the published rows."""
    paper = PAPER_TABLES[name]
    rows, used = _comparable(results.rows, paper)
    return Table(
        name=name,
        title=f"Cognitive paradigms, Table {paper.number}: {paper.title}",
        note="Percent right; ours with 95 % CIs clustered by problem, unread replies are not counted as right."
        f" Ours: {used} problems. Published: {printed('bongard', _file(paper.number)).source}.",
        columns=paper.columns,
        rows=(*paper.ours(rows, results.seed), *paper.theirs()),
    )


def _file(number: str) -> str:
    return f"paradigms_table{number.replace('.', '')}"


def _comparable(rows: pl.DataFrame, paper: BongardPaper) -> tuple[pl.DataFrame, str]:
    """Our rows as near to the paper's as there are, and the sources they come from."""
    like = rows.filter(pl.col("source").cast(pl.String) == paper.like)
    rows = rows if like.is_empty() else like
    for name, level in PLAIN.items():
        if not (paper.number == "A.7" and name == "prompt"):
            plain = rows.filter(pl.col(name) == level)
            rows = rows if plain.is_empty() else plain
    return rows, " and ".join(sorted(rows["source"].cast(pl.String).unique())) or "all"


def _right(rows: pl.DataFrame, seed: int) -> Value | None:
    estimates = accuracy(rows, [], seed)
    return percent(estimates[0].noted) if estimates and estimates[0].accuracy is not None else None


def _by_query(rows: pl.DataFrame, seed: int, *order: str) -> list[Value | None]:
    """Accuracies for `neg`, `pos` and `overall`, in the order asked for."""
    where = {"neg": pl.col("query") == "negative", "pos": pl.col("query") == "positive", "overall": pl.lit(True)}
    return [_right(rows.filter(where[name]), seed) for name in order]


def _each(rows: pl.DataFrame, *columns: str) -> Iterator[tuple[tuple[str, ...], pl.DataFrame]]:
    """The rows of every combination of the columns, in the order they were asked."""
    for levels, part in rows.group_by(columns, maintain_order=True):
        yield tuple(str(level) for level in levels), part


def _paradigms(rows: pl.DataFrame, seed: int) -> Iterator[Row]:
    for (who,), part in _each(own(rows), "who"):
        cells: list[Value | None] = []
        for step in STEPS:
            cells += _by_query(part.filter(pl.col("paradigm") == step), seed, "neg", "pos", "overall")
        if any(cells):
            yield who, "ours", *cells


def _splits(rows: pl.DataFrame, seed: int) -> Iterator[Row]:
    category = pl.col("category").cast(pl.String)
    steps = own(rows).filter(category.is_in(list(SPLITS.values())), pl.col("paradigm").is_in(STEPS))
    for (who, paradigm), part in _each(steps, "who", "paradigm"):
        cells = [_right(part.filter(category == split), seed) for split in SPLITS.values()]
        known = [cell.value for cell in cells if cell and cell.value is not None]
        mean = Value(sum(known) / len(known)) if len(known) == len(SPLITS) else None
        yield who, "ours", paradigm.upper(), *cells, mean


def _given_rules(rows: pl.DataFrame, seed: int) -> Iterator[Row]:
    given = rows.filter(pl.col("paradigm") == "drl", pl.col("inducer") != pl.col("who"))
    for (who, inducer), part in _each(given, "who", "inducer"):
        yield who, "ours", inducer, *_by_query(part, seed, "overall", "neg", "pos")


def _given_words(rows: pl.DataFrame, seed: int) -> Iterator[Row]:
    given = rows.filter(pl.col("paradigm") == "ca", pl.col("describer") != pl.col("who"))
    for (who, describer), part in _each(given, "who", "describer"):
        yield who, "ours", describer, _right(part, seed)


def _categories(rows: pl.DataFrame, seed: int) -> Iterator[Row]:
    for (category, who), part in _each(own(rows).filter(pl.col("paradigm") == "ca"), "category", "who"):
        yield category, "ours", who, _right(part, seed)


def _prompts(rows: pl.DataFrame, seed: int) -> Iterator[Row]:
    plain = own(rows).filter(pl.col("paradigm").is_in(["dvrl", "direct"]))
    for (prompt, who), part in _each(plain, "prompt", "who"):
        yield prompt, "ours", who, *_by_query(part, seed, "overall", "neg", "pos")


def _as_printed(number: str, *more: str) -> Callable[[], Iterator[Row]]:
    """The printed rows as they are: the first column, where they are from, what all have in common, the figures."""

    def rows() -> Iterator[Row]:
        found = printed("bongard", _file(number))
        words = [column for column in found.columns[1:] if column == "Paradigm"]
        for row in found.rows:
            figures = (figure(row, column) for column in found.columns[1:] if column not in words)
            yield row[found.columns[0]], "paper", *more, *(row[word] for word in words), *figures

    return rows


def _unrolled(number: str) -> Callable[[], Iterator[Row]]:
    """The printed columns one below the other, each under its heading."""

    def rows() -> Iterator[Row]:
        found = printed("bongard", _file(number))
        for column in found.columns[1:]:
            for row in found.rows:
                yield row[found.columns[0]], "paper", column, figure(row, column)

    return rows


_STEP_COLUMNS = tuple(f"{step} {query}" for step in ("DVRL", "DRL", "CA") for query in ("neg", "pos", "overall"))
_BY_QUERY = ("overall", "neg", "pos")
_PAPERS = (
    BongardPaper(
        "1", "the three paradigms", "openworld", ("Model", "source", *_STEP_COLUMNS), _paradigms, _as_printed("1")
    ),
    BongardPaper(
        "2",
        "human-object interactions",
        "hoi",
        ("Model", "source", "Paradigm", *SPLITS, "Average"),
        _splits,
        _as_printed("2"),
    ),
    BongardPaper(
        "4",
        "applying a rule given from outside",
        "openworld",
        ("Model", "source", "rule by", *_BY_QUERY),
        _given_rules,
        _as_printed("4", "GPT-4o"),
    ),
    BongardPaper(
        "5",
        "descriptions given from outside",
        "openworld",
        ("Model", "source", "descriptions by", "accuracy"),
        _given_words,
        _as_printed("5", "GPT-4o"),
    ),
    BongardPaper(
        "A.5",
        "descriptions from two sources",
        "openworld",
        ("Model", "source", "descriptions by", "accuracy"),
        _given_words,
        _unrolled("A.5"),
    ),
    BongardPaper(
        "A.6",
        "CA by commonsense category",
        "openworld",
        ("Category", "source", "Model", "accuracy"),
        _categories,
        _unrolled("A.6"),
    ),
    BongardPaper(
        "A.7",
        "minimal and structured wording, DVRL",
        "openworld",
        ("Prompt", "source", "Model", *_BY_QUERY),
        _prompts,
        _as_printed("A.7", "GPT-4o"),
    ),
)
PAPER_TABLES = {f"paradigms-table{paper.number.replace('.', '')}": paper for paper in _PAPERS}
