"""Factors and designs of the fixation task."""

from collections.abc import Iterator
from math import log10

from snellen.ladder import PICTURES, TOLD, WORDS, Ladder, Rung, RungQuery, at_levels
from snellen.psychometric import PsychometricTrack
from snellen.tasks.adaptive import GradedTrack
from snellen.tasks.fixation.games import GAMES, SIZES
from snellen.tasks.task import PARADIGM, Design, Factor, Levels

FACTORS = (
    Factor("game", tuple(GAMES), "which game was played (never named to the subject)", of_item=True),
    Factor("states", ("fresh", "published"), "boards made from the seed, or the 300 published ones", of_item=True),
    Factor("size", SIZES, "size of the board; the published size is small", of_item=True),
    Factor("rule", ("standard", "inverse"), "the usual rule, or its inverse (winner and loser swapped)"),
    Factor("target", ("winner", "loser"), "whether the winner or the loser is asked for"),
    Factor(
        "prompt",
        ("base", "alias", "semalias", "descriptive"),
        "words for winning: plain, made-up, made-up with their meaning explained, or none",
    ),
    Factor("rendering", ("base", "checkerboard", "glyph"), "how the board is drawn"),
    Factor("order", ("image_first", "text_first"), "whether the board or the words come first"),
    Factor("response", ("direct", "cot"), "the answer alone, or reasoning first"),
    Factor("modality", ("image", "text"), "the board as a picture, or in characters", no_pictures=("text",)),
)

_GAMES: Levels = {"game": tuple(GAMES)}
_RULES: Levels = {**_GAMES, "rule": ("standard", "inverse")}
_ASKED: Levels = {**_RULES, "target": ("winner", "loser")}
_ORDERS: Levels = {**_ASKED, "order": ("image_first", "text_first")}
_BOTH: Levels = {**_ORDERS, "response": ("direct", "cot")}
_NAMED = ("base", "alias", "semalias")
_REDRAWN = ("checkerboard", "glyph")

_BOTH_TARGETS = {"target": ("winner", "loser")}
_INVERSE = {"rule": ("inverse",), **_BOTH_TARGETS}
_CHARACTERS = RungQuery(("direct",), {"modality": ("text",), **_BOTH_TARGETS})
LADDER: Ladder = (
    at_levels(TOLD, **_BOTH_TARGETS),
    Rung(
        "words",
        "the board in characters, the usual rule",
        WORDS.demands,
        (RungQuery(("words",), _BOTH_TARGETS), _CHARACTERS),
    ),
    at_levels(PICTURES, **_BOTH_TARGETS),
    Rung(
        "inverse in words",
        "the board in characters, the inverse rule",
        (*WORDS.demands, "habit"),
        (RungQuery(("words",), _INVERSE), RungQuery(("direct",), {**_CHARACTERS.levels, **_INVERSE})),
        on_line=False,
        joint=True,
    ),
    Rung(
        "descriptive",
        "the board as a picture, without words for winning or losing",
        PICTURES.demands,
        (RungQuery(("direct",), {**_INVERSE, "prompt": ("descriptive",)}),),
        on_line=False,
    ),
    Rung(
        "inverse",
        "the board as a picture, the inverse rule",
        (*PICTURES.demands, "habit"),
        (RungQuery(("direct",), _INVERSE),),
        because="it solves them under the usual rule, but not under its inverse",
    ),
)


def _tracks() -> Iterator[GradedTrack]:
    """How large a board may be: each game under either rule. The answer is one of two, which takes many trials."""
    for game in GAMES.values():
        cells = {size: log10(game.shape(size).area) for size in SIZES}
        for rule in ("standard", "inverse"):
            track = PsychometricTrack(
                f"{game.name}, {rule} rule: cells of the board", cells, chance=0.5, falling=True, most=48
            )
            yield GradedTrack(track, "size", {"game": game.name}, {"rule": rule} if rule != "standard" else {})


DESIGNS = (
    Design(
        "quick",
        "a first look: three prompts, both rules, both targets, and the ladder below them",
        15,
        (
            {**_ASKED, "prompt": _NAMED},
            {**_ASKED, PARADIGM: ("words",)},
            {**_GAMES, PARADIGM: ("told",)},
        ),
    ),
    Design(
        "main",
        "three prompts and two more renderings, each under both rules, targets, orders and responses: 24,000 trials "
        "a game",
        300,
        ({**_BOTH, "prompt": _NAMED}, {**_BOTH, "rendering": _REDRAWN}),
    ),
    Design(
        "controls",
        "perception without rules (descriptive words), and rules without perception (the board in characters)",
        300,
        ({**_ORDERS, "prompt": ("descriptive",)}, {**_ASKED, "modality": ("text",)}),
    ),
    Design(
        "api",
        "the winner only, picture first: 3,600 direct trials and 1,800 with reasoning a game",
        300,
        (
            {**_RULES, "prompt": (*_NAMED, "descriptive")},
            {**_RULES, "rendering": _REDRAWN},
            {**_RULES, "prompt": _NAMED, "response": ("cot",)},
        ),
    ),
    Design(
        "published",
        "all 115,200 trials of the published set, on its own states (`published.index` gives their row numbers)",
        300,
        (
            {**_BOTH, "states": ("published",), "prompt": (*_NAMED, "descriptive")},
            {**_BOTH, "states": ("published",), "rendering": _REDRAWN},
        ),
    ),
    Design("adaptive", "the largest board size solved, under either rule", 15, (), tuple(_tracks())),
)
