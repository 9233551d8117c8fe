"""Tables 5 and 18 to 22 of the VLM-Fix paper (arXiv 2604.12119): VLMBias, its figures under ours."""

from collections.abc import Iterator
from dataclasses import replace

from snellen.analysis.contrasts import p_in_brackets
from snellen.analysis.estimates import AtLevels, Estimate
from snellen.analysis.printed import figure, printed
from snellen.charts.blocks import Cell, Table, Value
from snellen.tasks.bias.study.asked import BASE, CONFIGS, GENERATED, PLAIN, TOPICS
from snellen.tasks.bias.study.recall import held_note
from snellen.tasks.bias.study.results import POOLED, BiasResults, rate_key

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


def paper_table(name: str, results: BiasResults) -> Table:
    """The table of that name: our subjects, then the published rows."""
    number, title = PAPER_TABLES[name]
    theirs = printed("bias", f"bias_table{number:02d}")
    values = theirs.columns[1:]
    comparable = _comparable(results)
    ours = (_by_config if number == 5 else _by_subject)(comparable, values, title)
    paper = ((row[theirs.columns[0]], "paper", *(figure(row, column) for column in values)) for row in theirs.rows)
    which = " and ".join(sorted({rate["set"] for rate, _ in comparable})) or "none"
    return Table(
        name=name,
        title=f"VLMBias, VLM-Fix Table {number}: {title}",
        note=f"{_NOTE} {held_note(results.subjects, results.recalled)} Ours: {which}. Published: {theirs.source}.",
        columns=(theirs.columns[0], "source", *values),
        rows=(*ours, *paper),
    )


Noted = tuple[Estimate, str]
"""A rate, and its test against Base as a note."""


def _comparable(results: BiasResults) -> list[Noted]:
    """Our rates as near to the paper's as there are: published pictures if there are such, asked directly and
    plainly."""
    rates = [rate for rate in results.rates if rate["topic"] in TOPICS and rate["config"] in CONFIGS.values()]
    published = [rate for rate in rates if rate["set"] != GENERATED]
    plain = [
        rate
        for rate in published or rates
        if rate["paradigm"] == "direct" and all(rate[name] == level for name, level in PLAIN.items() if name != "pack")
    ]
    tests = {_key(row): row.p_holm for row in results.contrasts if row["against"] == BASE}
    noted = [(rate, p_in_brackets(tests.get(_key(rate)))) for rate in plain]
    return [*noted, *_overall(plain, tests)]


def _key(row: AtLevels) -> tuple[str, ...]:
    return (*rate_key(row), row["measure"])


def _overall(rates: list[Estimate], tests: dict[tuple[str, ...], float | None]) -> Iterator[Noted]:
    """The four topics together, trial by trial; absent unless all were asked. Only a published set has no others, so
    only there is the test of all trials one of the four."""
    groups: dict[tuple[str, ...], list[Estimate]] = {}
    for rate in rates:
        groups.setdefault(_key(rate.at(topic=POOLED)), []).append(rate)
    for key, own in groups.items():
        if {rate["topic"] for rate in own} == set(TOPICS):
            right, trials = sum(rate.right for rate in own), sum(rate.trials for rate in own)
            note = "" if own[0]["set"] == GENERATED else p_in_brackets(tests.get(key))
            pooled = replace(own[0].at(topic=POOLED), accuracy=right / trials if trials else None, trials=trials)
            yield pooled, note


def _by_subject(rates: list[Noted], columns: tuple[str, ...], title: str) -> Iterator[tuple[Cell, ...]]:
    topic = next((level for level, name in TOPICS.items() if name == title), POOLED)
    for subject in dict.fromkeys(rate["subject"] for rate, _ in rates):
        cells = [_cell(rates, subject, topic, *_meant(column)) for column in columns]
        if any(cells):
            yield (subject, "ours", *cells)


def _meant(column: str) -> tuple[str, str]:
    """The configuration (or topic) and measure of a column such as "Flip+Alias bias"."""
    name, _, short = column.rpartition(" ")
    return name, SHORT[short]


def _cell(rates: list[Noted], subject: str, topic: str, config: str, measure: str) -> Value | None:
    for rate, note in rates:
        here = (rate["subject"], rate["topic"], rate["config"], rate["measure"])
        if here == (subject, topic, config, measure) and rate.accuracy is not None:
            return Value(100 * rate.accuracy, n=rate.trials, note=note)
    return None


def _by_config(rates: list[Noted], columns: tuple[str, ...], title: str) -> Iterator[tuple[Cell, ...]]:
    topics = {name: level for level, name in (*TOPICS.items(), (POOLED, OVERALL))}
    for subject in dict.fromkeys(rate["subject"] for rate, _ in rates):
        for config in CONFIGS.values():
            meant = [_meant(column) for column in columns]
            cells = [_cell(rates, subject, topics[name], config, measure) for name, measure in meant]
            if any(cells):
                yield (config, subject, *cells)
