"""Factors, ladder and designs of the bias task."""

from snellen.ladder import PICTURES, TOLD, WORDS, Ladder, Rung, RungQuery, at_levels
from snellen.tasks.bias.asking import HABIT, OTHER_WAY
from snellen.tasks.bias.draw.things import KINDS
from snellen.tasks.bias.kinds import ICON, SCENE, SOURCES, TOPICS
from snellen.tasks.task import PARADIGM, Design, Factor, Levels

MODIFIED = ("main", "identification", "withtitle", "remove_background_q1q2", "remove_background_q3")
"""The published splits whose pictures go against a habit."""
VIEW = Factor("view", ("upright", "flipped"), "the picture upright or upside down")
PROMPT = Factor(
    "prompt",
    ("base", "renamed", "reworded"),
    "the parts by name, in generic words, or by name in a sentence of the generic form",
)
FACTORS = (
    Factor("source", SOURCES, "counterfactual things, or animals' legs for training", of_item=True),
    Factor("topic", TOPICS, "the kind of thing drawn", of_item=True, pooled=True),
    Factor("kind", tuple(KINDS), "the thing drawn", of_item=True, pooled=True),
    Factor(
        "scene",
        (ICON, SCENE),
        "the thing alone on plain paper, or like a photograph: on grass, a road or sand, among other things, its limbs"
        " overlapping and its surface turned away",
        of_item=True,
    ),
    Factor(
        "drawing",
        ("counterfactual", "ordinary", "anonymous", "plain"),
        "the thing with an unusual or its usual number of parts; the same drawing made anonymous; or its parts alone"
        " as bars and dots",
    ),
    VIEW,
    PROMPT,
    Factor("name", ("class", "named", "none"), "the thing is called 'this animal', by its name, or nothing at all"),
    Factor(
        "ask",
        ("count", "usual", "recall"),
        "how many there are; whether that is usual; or, without a picture, how many are usual",
        no_pictures=("recall",),
    ),
    Factor("resolution", ("640", "320", "1024"), "width and height of the picture in pixels"),
)

EVERY: Levels = {"topic": TOPICS, "kind": tuple(KINDS)}
_PLAIN: Levels = {"drawing": ("plain",)}
RUNGS: Ladder = (
    at_levels(TOLD, **_PLAIN),
    Rung("words", "bars and dots in exact words", WORDS.demands, (RungQuery(("words",), _PLAIN),)),
    Rung(
        "counterfactual in words",
        "the thing with an unusual number of parts, in exact words",
        (*WORDS.demands, "habit"),
        (RungQuery(("words",)),),
        on_line=False,
    ),
    Rung(
        "plain",
        "the same number of bars or dots, not part of any thing",
        PICTURES.demands,
        (RungQuery(("direct",), _PLAIN),),
    ),
    Rung(
        "unmodified",
        "an unmodified picture of the same sort, with the usual number of parts",
        (*PICTURES.demands, "clutter"),
        (RungQuery(("direct",), {"drawing": ("ordinary",)}, of={"split": MODIFIED}),),
        because="it counts plain dots, but not the parts of ordinary pictures",
        habit_helps=True,
    ),
    Rung(
        "anonymous",
        "the same parts on an abstract shape",
        (*PICTURES.demands, "clutter"),
        (RungQuery(("direct",), {"drawing": ("anonymous",)}),),
        because="it counts bars and dots, but not the same number of parts of a drawing",
    ),
    Rung(
        "ordinary",
        "the thing with its usual number of parts",
        (*PICTURES.demands, "clutter"),
        (RungQuery(("direct",), {"drawing": ("ordinary",)}, of={"source": SOURCES}),),
        on_line=False,
    ),
    Rung(
        "counterfactual",
        "the thing with an unusual number of parts",
        (*PICTURES.demands, "clutter", "habit"),
        (RungQuery(("direct",)),),
        because="it counts such parts where no habit interferes, but here it gives the usual number",
        signature=(HABIT, OTHER_WAY),
        counterparts=("ordinary", "unmodified"),
    ),
)
LADDER: Ladder = tuple(at_levels(rung, ask=("count",)) for rung in RUNGS)
"""The rungs of generated things, which are asked for more than a count."""

_QUICK: tuple[Levels, ...] = (
    {**EVERY, "drawing": ("counterfactual", "anonymous", "plain", "ordinary")},
    {**EVERY, "ask": ("recall",)},
    {**EVERY, "drawing": ("plain", "counterfactual"), PARADIGM: ("words",)},
    {**EVERY, **_PLAIN, PARADIGM: ("told",)},
)

DESIGNS = (
    Design(
        "quick",
        "a first look: every thing with an unusual and its usual number of parts, anonymous, and as parts alone; the"
        " ladder; and what is usual, asked in words",
        60,
        _QUICK,
    ),
    Design(
        "scenes",
        "the first look with things in scenes, like photographs",
        60,
        tuple({**block, "scene": (SCENE,)} for block in _QUICK),
    ),
    Design(
        "paper",
        "upright and flipped, base and renamed, like the paper's four configurations, whose alias reports ITEMs",
        276,
        ({**EVERY, "view": ("upright", "flipped"), "prompt": ("base", "renamed")},),
    ),
    Design(
        "notice",
        "counting, and whether the number is usual: does the model notice?",
        138,
        ({**EVERY, "drawing": ("counterfactual", "ordinary"), "ask": ("count", "usual")},),
    ),
    Design(
        "naming",
        "the thing by its class, by its name, or unnamed; its parts in generic words, and the control for these",
        138,
        ({**EVERY, "name": ("class", "named", "none")}, {**EVERY, "prompt": ("renamed", "reworded")}),
    ),
    Design(
        "sharpness",
        "three sizes of the picture, the thing and its parts alone",
        138,
        ({**EVERY, "drawing": ("counterfactual", "plain"), "resolution": ("640", "320", "1024")},),
    ),
    Design(
        "synth-legs",
        "birds and quadrupeds with 1 to 5 legs, including the usual number, for training",
        8192,
        ({**EVERY, "source": ("synth-legs",)},),
    ),
)
