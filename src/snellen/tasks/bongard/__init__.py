"""Bongard problems: which concept do these pictures share, and does this one show it?

How much of a failure is seeing, how much is finding the rule, how much is applying it? Problems are generated in three
styles, or loaded from four published sets (`--data bongard=...`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

from snellen.errors import UserError
from snellen.faculties import Faculty
from snellen.item import Item, Picture
from snellen.ladder import SELF, TOLD, Ladder, Rung, RungQuery, at_levels, chains
from snellen.tasks.bongard import natural, scenes, strokes
from snellen.tasks.bongard.asking import asking, item_of, observe
from snellen.tasks.bongard.load import load as load_set
from snellen.tasks.bongard.problem import Panel, Problem
from snellen.tasks.task import PARADIGM, Design, Factor, Levels, Task, lazy

GENERATED: Mapping[str, Callable[[int, int], Problem]] = {
    "scenes": lambda index, seed: scenes.make(seed, index).problem,
    "strokes": lambda index, seed: strokes.make(seed, index).problem,
    "natural": lambda index, seed: natural.make(seed, index).problem,
}
DRAWN: Mapping[str, Callable[[Panel], Picture]] = {
    "scenes": scenes.draw_panel,
    "strokes": strokes.draw_panel,
    "natural": natural.draw_panel,
}


def items(levels: Levels, n: int, seed: int) -> Iterator[Item]:
    """n generated problems of each style."""
    return (item({"source": source}, index, seed) for source in levels["source"] for index in range(n))


def item(kind: Mapping[str, str], index: int, seed: int) -> Item:
    """The index-th problem of a style."""
    return item_of(GENERATED[kind["source"]](index, seed))


def load(where: str) -> Task:
    """The task over a published set. `--n` takes the first n problems of it."""
    loaded = load_set(where)
    problems = tuple(loaded.usable())

    def published(levels: Levels, n: int, seed: int) -> Iterator[Item]:
        if n > len(problems):
            raise UserError(f"--n {n}: {where} has {len(problems)} problems that are usable")
        return map(item_of, islice(problems, n))

    designs = tuple(
        replace(d, n=len(problems), blocks=tuple(_without_source(b) for b in d.blocks)) for d in TASK.designs
    )
    return replace(
        TASK,
        factors=tuple(f for f in TASK.factors if f.name != "source"),
        designs=designs,
        items=published,
        item=None,
        stimulus=asking(lambda _, panel: loaded.picture(panel)),
        notes=loaded.missing,
    )


def _without_source(block: Levels) -> Levels:
    return {name: levels for name, levels in block.items() if name != "source"}


BOTH_QUERIES: Levels = {"source": ("scenes", "strokes"), "query": ("positive", "negative")}
NATURAL: Levels = {**BOTH_QUERIES, "source": ("natural",)}

_BOTH = {"query": ("positive", "negative")}
_SEEN: tuple[Faculty, ...] = ("attention", "applying", "finding", "eyes")
LADDER: Ladder = (
    at_levels(TOLD, **_BOTH),
    Rung(
        "rule in words",
        "the true rule, and the query in exact words",
        ("attention", "applying"),
        (RungQuery(("rule-words",), _BOTH),),
    ),
    Rung(
        "words",
        "examples and query in exact words",
        ("attention", "applying", "finding"),
        (RungQuery(("words",), _BOTH), RungQuery(("ca",), _BOTH, {"describer": "twin", "reasoner": SELF})),
    ),
    Rung("pictures", "all pictures at once", _SEEN, (RungQuery(("dvrl", "direct"), _BOTH),)),
    Rung(
        "rule and picture",
        "the true rule, and the query as a picture",
        ("attention", "applying", "eyes"),
        (RungQuery(("rule",), _BOTH), RungQuery(("drl",), _BOTH, {"inducer": "truth", "applier": SELF})),
        on_line=False,
    ),
    Rung(
        "own rule",
        "the subject's own rule from the examples, then the query",
        _SEEN,
        (RungQuery(("drl",), _BOTH, {"inducer": SELF, "applier": SELF}),),
        on_line=False,
    ),
    *chains(_SEEN, **_BOTH),
    Rung(
        "rule and own words",
        "the true rule, and the query as described by the subject",
        ("attention", "applying", "eyes", "saying"),
        (RungQuery(("rule-ca",), _BOTH, {"describer": SELF, "reasoner": SELF}),),
        on_line=False,
    ),
    Rung(
        "own words",
        "every picture as described by the subject",
        (*_SEEN, "saying"),
        (RungQuery(("ca",), _BOTH, {"describer": SELF, "reasoner": SELF}),),
        on_line=False,
    ),
)


TASK = Task(
    name="bongard",
    title="Bongard problems",
    about="find the concept that six pictures share and six lack, and judge one more by it",
    factors=(
        Factor(
            "source",
            ("scenes", "strokes", "natural"),
            "scenes of things, strokes and shapes, or who does what to whom, where, with what",
            of_item=True,
        ),
        Factor("query", ("positive", "negative"), "whether the picture to be judged shows the concept", pooled=True),
        Factor("prompt", ("structured", "minimal"), "asks for rule, description and verdict, or for the verdict alone"),
        Factor("examples", ("both", "positives"), "whether negative examples are shown"),
    ),
    designs=(
        Design(
            "quick",
            "both queries of each problem, and the ladder below them",
            40,
            (BOTH_QUERIES, {**BOTH_QUERIES, PARADIGM: ("words", "rule-words", "told")}),
        ),
        Design(
            "prompts",
            "structured compared with minimal wording",
            100,
            ({**BOTH_QUERIES, "prompt": ("structured", "minimal")},),
        ),
        Design("examples", "with and without negatives", 100, ({**BOTH_QUERIES, "examples": ("both", "positives")},)),
        Design(
            "natural",
            "natural concepts: deeds, roles, tools and places, and the ladder below them",
            40,
            (NATURAL, {**NATURAL, PARADIGM: ("words", "rule-words", "told")}),
        ),
        Design("paper", "500 cases: 250 problems, both queries", 250, ({**BOTH_QUERIES, "source": ("scenes",)},)),
    ),
    prompts=Path(__file__).parent / "wording.toml",
    items=items,
    item=item,
    stimulus=asking(lambda source, panel: DRAWN[source](panel)),
    observe=observe,
    paradigms=("dvrl", "drl", "ca", "ddcot", "ccot", "cocot"),
    load=load,
    ladder=LADDER,
    study=lazy("snellen.tasks.bongard.study:BongardStudy"),
    replies=lazy("snellen.tasks.bongard.study.words:word_sections"),
    similarity=lazy("snellen.tasks.bongard.study.words:compare_words"),
)
