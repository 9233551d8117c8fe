"""Factors, ladder and designs of the bias task."""

from snellen.draw.things import KINDS
from snellen.tasks.bias.kinds import SOURCES, TOPICS
from snellen.tasks.ladder import PICTURES, TOLD, WORDS, Ladder, Put, Rung, at_levels
from snellen.tasks.task import PARADIGM, Design, Factor, Levels

VIEW = Factor("view", ("upright", "flipped"), "the picture as it is, or with its top at the bottom")
PROMPT = Factor("prompt", ("base", "alias"), "the parts by their name, or in generic words that name no thing")
FACTORS = (
    Factor("source", SOURCES, "things against the habit, or the legs of animals to train on", of_item=True),
    Factor("topic", TOPICS, "what sort of thing is drawn", of_item=True, pooled=True),
    Factor("kind", tuple(KINDS), "which thing is drawn", of_item=True, pooled=True),
    Factor(
        "drawing",
        ("counterfactual", "ordinary", "plain"),
        "the thing with another number of parts than usual, with the usual one, or its parts alone as bars and dots",
    ),
    VIEW,
    PROMPT,
    Factor("name", ("class", "named", "none"), "the thing is called 'this animal', by its name, or nothing at all"),
    Factor("ask", ("count", "usual"), "how many there are, or whether that is the usual number"),
    Factor("resolution", ("640", "320", "1024"), "width and height of the picture in pixels"),
)

EVERY: Levels = {"topic": TOPICS, "kind": tuple(KINDS)}
_PLAIN: Levels = {"drawing": ("plain",)}
LADDER: Ladder = (
    at_levels(TOLD, **_PLAIN),
    Rung("words", "bars and dots in exact words", WORDS.demands, (Put(("words",), _PLAIN),)),
    Rung(
        "counterfactual in words",
        "the thing with an unusual number of parts, in exact words",
        (*WORDS.demands, "habit"),
        (Put(("words",)),),
        on_line=False,
    ),
    Rung("plain", "as many bars or dots that are no thing", PICTURES.demands, (Put(("direct",), _PLAIN),)),
    Rung(
        "ordinary",
        "the thing with its usual number of parts",
        PICTURES.demands,
        (Put(("direct",), {"drawing": ("ordinary",)}),),
        on_line=False,
    ),
    Rung(
        "counterfactual",
        "the thing with an unusual number of parts",
        (*PICTURES.demands, "habit"),
        (Put(("direct",)),),
    ),
)

DESIGNS = (
    Design(
        "quick",
        "a first look: every thing with an unusual and the usual number of parts, its parts alone, and the ladder",
        60,
        (
            {**EVERY, "drawing": ("counterfactual", "plain", "ordinary")},
            {**EVERY, "drawing": ("plain", "counterfactual"), PARADIGM: ("words",)},
            {**EVERY, **_PLAIN, PARADIGM: ("told",)},
        ),
    ),
    Design(
        "paper",
        "upright and flipped, base and alias: the paper's four configurations",
        312,
        ({**EVERY, "view": ("upright", "flipped"), "prompt": ("base", "alias")},),
    ),
    Design(
        "notice",
        "counted, and asked whether the number is usual: does it notice?",
        156,
        ({**EVERY, "drawing": ("counterfactual", "ordinary"), "ask": ("count", "usual")},),
    ),
    Design(
        "naming",
        "the thing called by its class, by its name, by nothing, and its parts in generic words",
        156,
        ({**EVERY, "name": ("class", "named", "none")}, {**EVERY, "prompt": ("alias",)}),
    ),
    Design(
        "sharpness",
        "three sizes of the picture, the thing and its parts alone",
        156,
        ({**EVERY, "drawing": ("counterfactual", "plain"), "resolution": ("640", "320", "1024")},),
    ),
    Design(
        "synth-legs",
        "birds and quadrupeds with 1 to 5 legs, the usual number among them: to train on",
        8192,
        ({**EVERY, "source": ("synth-legs",)},),
    ),
)
