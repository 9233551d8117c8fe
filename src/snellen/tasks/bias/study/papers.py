"""Tables 5 and 18 to 22 of the VLM-Fix paper (arXiv 2604.12119): VLMBias, its figures under ours."""

from collections.abc import Iterator

from snellen.analysis.printed import figure, printed
from snellen.charts.blocks import Cell, Table, Value
from snellen.tasks.bias.study.asked import BASE, CONFIGS, GENERATED, PLAIN, TOPICS
from snellen.tasks.bias.study.recall import held_note
from snellen.tasks.bias.study.results import POOLED, BiasResults, Rate

SHORT = {"acc": "accuracy", "bias": "bias"}
OVERALL = "Overall"
PAPER_TABLES = {
    "bias-table5": (5, "the four topics"),
    "bias-table18": (18, "all four topics pooled"),
    "bias-table19": (19, "Animals"),
    "bias-table20": (20, "Flags"),
    "bias-table21": (21, "Game Boards"),
    "bias-table22": (22, "Logos"),
}
_NOTE = (
    "Percent right (acc) and percent that say the usual number (bias), of all replies; an unread reply is neither."
    " Overall pools the trials of the four topics, as the paper does. In brackets, ours: exact McNemar against Base,"
    " Holm over the configurations. Intervals and the mean over topics are in the table `bias-rates`."
)


def paper_table(name: str, found: BiasResults) -> Table:
    """The table of that name: our subjects, then the published rows."""
    number, title = PAPER_TABLES[name]
    theirs = printed("bias", f"bias_table{number:02d}")
    values = theirs.columns[1:]
    comparable = _comparable(found)
    ours = (_by_config if number == 5 else _by_subject)(comparable, values, title)
    paper = ((row[theirs.columns[0]], "paper", *(figure(row, column) for column in values)) for row in theirs.rows)
    which = " and ".join(sorted({each["set"] for each in comparable})) or "none"
    return Table(
        name=name,
        title=f"VLMBias, VLM-Fix Table {number}: {title}",
        note=f"{_NOTE} {held_note(found.subjects, found.recalled)} Ours: {which}. Published: {theirs.source}.",
        columns=(theirs.columns[0], "source", *values),
        rows=(*ours, *paper),
    )


def _comparable(found: BiasResults) -> list[Rate]:
    """Our rates as near to the paper's as there are: published pictures if there are such, asked directly and plainly.
    Each has `note`, its test against Base."""
    rates = [each for each in found.rates if each["topic"] in TOPICS and each["config"] in CONFIGS.values()]
    published = [each for each in rates if each["set"] != GENERATED]
    plain = [
        each
        for each in published or rates
        if each["paradigm"] == "direct" and all(each[name] == level for name, level in PLAIN.items() if name != "pack")
    ]
    tests = {_key(each): each["p_holm"] for each in found.contrasts if each["against"] == BASE}
    noted = [{**each, "note": _p(tests.get(_key(each)))} for each in plain]
    return [*noted, *_overall(noted, tests)]


def _key(each: Rate) -> tuple[str, ...]:
    names = ("subject", "set", "name", "resolution", "paradigm", "pack", "config", "topic", "measure")
    return tuple(str(each[name]) for name in names)


def _p(p: float | None) -> str:
    return "" if p is None else "(<0.01)" if p < 0.01 else f"({p:.2f})"


def _overall(rates: list[Rate], tests: dict[tuple[str, ...], float]) -> Iterator[Rate]:
    """The four topics together, trial by trial; absent unless all were asked. Only a published set has no others, so
    only there is the test of all trials one of the four."""
    groups: dict[tuple[str, ...], list[Rate]] = {}
    for each in rates:
        groups.setdefault(_key({**each, "topic": POOLED}), []).append(each)
    for key, own in groups.items():
        if {each["topic"] for each in own} == set(TOPICS):
            right, trials = (sum(each[name] for each in own) for name in ("right", "trials"))
            note = "" if own[0]["set"] == GENERATED else _p(tests.get(key))
            share = right / trials if trials else None
            yield {**own[0], "topic": POOLED, "accuracy": share, "trials": trials, "note": note}


def _by_subject(rates: list[Rate], columns: tuple[str, ...], title: str) -> Iterator[tuple[Cell, ...]]:
    topic = next((level for level, name in TOPICS.items() if name == title), POOLED)
    for subject in dict.fromkeys(each["subject"] for each in rates):
        own = [each for each in rates if each["subject"] == subject and each["topic"] == topic]
        cells = [_cell(own, *_meant(column)) for column in columns]
        if any(cells):
            yield (subject, "ours", *cells)


def _meant(column: str) -> tuple[str, str]:
    """The configuration (or topic) and measure of a column such as "Flip+Alias bias"."""
    name, _, short = column.rpartition(" ")
    return name, SHORT[short]


def _cell(rates: list[Rate], config: str, measure: str) -> Value | None:
    for each in rates:
        if (each["config"], each["measure"]) == (config, measure) and each["accuracy"] is not None:
            return Value(100 * each["accuracy"], n=each["trials"], note=each["note"])
    return None


def _by_config(rates: list[Rate], columns: tuple[str, ...], title: str) -> Iterator[tuple[Cell, ...]]:
    topics = {name: level for level, name in (*TOPICS.items(), (POOLED, OVERALL))}
    for subject in dict.fromkeys(each["subject"] for each in rates):
        for config in CONFIGS.values():
            cells = []
            for column in columns:
                name, measure = _meant(column)
                own = [each for each in rates if each["subject"] == subject and each["topic"] == topics[name]]
                cells.append(_cell(own, config, measure))
            if any(cells):
                yield (config, subject, *cells)
