"""MARVEL: abstract puzzles with a ladder of questions below them.

When a model misses a puzzle, did it fail to count the panels, to see the shapes, or to reason? Puzzles are generated in
six patterns and five configurations, or loaded from the published set (`--data marvel=...`).
"""

from collections.abc import Iterator, Sequence
from math import log10
from pathlib import Path

from snellen.item import Question, Stimulus
from snellen.ladder import FREE, WORDS, Ladder, Rung, RungQuery, at_levels
from snellen.psychometric import PsychometricTrack
from snellen.tasks.adaptive import GradedTrack
from snellen.tasks.marvel.asking import QUESTIONS, SHOTS, WORDINGS, applies, asking, look_of
from snellen.tasks.marvel.features import observe
from snellen.tasks.marvel.generated import Generated, counts, item, items
from snellen.tasks.marvel.look import NAMES
from snellen.tasks.marvel.puzzle import CONFIGURATIONS, PATTERNS, SHAPES
from snellen.tasks.task import PARADIGM, Design, Factor, Levels, Task, combinations, lazy


def load(where: str) -> Task:
    """The task over the published set."""
    from snellen.tasks.marvel.published import published

    return published(TASK, where, asking)


GENERATED = Generated()


def probe(shown: Stimulus) -> Sequence[Question]:
    """Every question about a detail of any panel goes with the one that is asked."""
    return GENERATED.probes(shown.item, look_of(shown.condition)) if shown.condition["question"] == "fine" else ()


EVERY: Levels = {"pattern": PATTERNS, "configuration": CONFIGURATIONS, "shapes": SHAPES}
PUZZLE: Levels = {**EVERY, "question": ("avr",)}
QUESTIONS_BELOW: tuple[Levels, ...] = ({**EVERY, "question": QUESTIONS}, {**PUZZLE, "words": ("none", "given")})
QUICK: tuple[Levels, ...] = (*QUESTIONS_BELOW, {**PUZZLE, PARADIGM: ("words", "told")})
RULES = ("1", "2", "3")
CLOSENESS = ("far", "near")
MIXED = tuple(combinations({"configuration": CONFIGURATIONS[:3], "pattern": PATTERNS[:5]}))
"""The kinds of puzzles that come with one rule or more, patterns taking turns first; cubes follow one rule."""


def _tracks() -> Iterator[GradedTrack]:
    """How many rules at once, with wrong choices that are far off or close."""
    for closeness in CLOSENESS:
        levels = {rules: log10(int(rules)) for rules in RULES}
        track = PsychometricTrack(f"rules at once, choices {closeness}", levels, chance=0.25, falling=True, most=72)
        yield GradedTrack(track, "rules", {"closeness": closeness}, {"question": "avr"}, MIXED)


PANELS = 9
"""Panels of a puzzle that show something, on average (published: 9.1); the fine question is about one of them."""
LADDER: Ladder = (
    *(at_levels(rung, question=("avr",)) for rung in FREE),
    Rung(
        "words with the picture",
        "the puzzle as a picture with an exact description",
        WORDS.demands,
        (RungQuery(("direct",), {"question": ("avr",), "words": ("given",)}),),
        on_line=False,
        joint=True,
    ),
    *(
        Rung(
            name,
            about,
            ("attention", "eyes"),
            (RungQuery(("direct",), {"question": (question,)}),),
            False,
            covers=share,
        )
        for question, name, about, share in (
            ("context", "context count", "how many panels the context has", 1.0),
            ("choices", "choices count", "how many panels the choices are", 1.0),
            ("whole", "whole count", "how many panels there are", 1.0),
            ("fine", "detail", "what one of the panels shows", 1 / PANELS),
        )
    ),
)


TASK = Task(
    name="marvel",
    title="MARVEL",
    about="abstract puzzles, each with questions about its layout and about what a panel shows",
    factors=(
        Factor("pattern", PATTERNS, "what the rule is about", of_item=True, pooled=True),
        Factor("configuration", CONFIGURATIONS, "how the panels are laid out", of_item=True, pooled=True),
        Factor("shapes", SHAPES, "figures with names, or abstract ones", of_item=True, pooled=True),
        Factor("rules", RULES, "how many rules hold at once, at most", of_item=True),
        Factor("closeness", CLOSENESS, "how close wrong choices come", of_item=True),
        Factor("clutter", ("none", "some"), "marks that follow no rule", of_item=True),
        Factor("question", QUESTIONS, "the puzzle, a count of panels, or what one panel shows"),
        Factor("words", ("none", "given"), "whether an exact description accompanies the picture"),
        Factor("shots", tuple(SHOTS), "how many solved examples come first"),
        Factor("demos", ("same-pattern", "other-pattern", "mixed"), "where the examples come from"),
        Factor("panels", ("together", "apart"), "one picture, or a picture for each panel"),
        Factor("indices", tuple(NAMES), "the labels of the choices"),
        Factor("blank", ("empty", "question-mark"), "the content of the blank panel"),
        Factor("wording", WORDINGS, "the wording of the puzzle"),
        Factor("ink", ("black", "colour"), "black on white, or in colour"),
    ),
    designs=(
        Design(
            "ladder",
            "four perception questions, the puzzle, the puzzle with an exact description, and the ladder below it",
            90,
            QUICK,
        ),
        Design("shots", "none, one or two solved examples first", 90, ({**PUZZLE, "shots": tuple(SHOTS)},)),
        Design(
            "demos",
            "which examples help: other patterns, other layouts, panel by panel",
            90,
            (
                {**PUZZLE, "shots": ("one",), "demos": ("same-pattern", "other-pattern")},
                {**PUZZLE, "shots": ("two",), "demos": ("same-pattern", "mixed")},
                {**PUZZLE, "panels": ("together", "apart")},
            ),
        ),
        Design(
            "looks",
            "letters instead of digits, a question mark in the blank, other wording, colour",
            90,
            (
                {**PUZZLE, "indices": tuple(NAMES)},
                {**PUZZLE, "blank": ("empty", "question-mark")},
                {**PUZZLE, "wording": WORDINGS},
                {**PUZZLE, "ink": ("black", "colour")},
            ),
        ),
        Design(
            "paper",
            "as many puzzles as the published set, the ladder and the examples",
            770,
            (*QUESTIONS_BELOW, {**PUZZLE, "shots": tuple(SHOTS)}),
        ),
        Design("adaptive", "how many simultaneous rules it can follow", 90, (), tuple(_tracks())),
    ),
    prompts=Path(__file__).parent / "wording.toml",
    items=items,
    counts=counts,
    item=item,
    stimulus=asking(GENERATED),
    probe=probe,
    observe=observe,
    applies=applies,
    load=load,
    ladder=LADDER,
    study=lazy("snellen.tasks.marvel.study:MarvelStudy"),
    replies=lazy("snellen.tasks.marvel.study.choices:choice_sections"),
)
