"""MME-CC: eleven tasks of cognitive capacity, generated with proofs.

Where does seeing end and thinking begin over several views, on a board, against an instruction? Items are generated, or
loaded from the published set (`--data capacity=...`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import log10
from pathlib import Path

from snellen.errors import UserError
from snellen.item import Item, Stimulus
from snellen.ladder import PICTURES, TOLD, WORDS, Ladder, Rung, RungQuery
from snellen.psychometric import PsychometricTrack
from snellen.tasks.adaptive import GradedTrack
from snellen.tasks.capacity.asking import applies, item, stimulus, told, unpictured
from snellen.tasks.capacity.kinds import KINDS, kind_of
from snellen.tasks.detail import Detail
from snellen.tasks.task import PARADIGM, Design, Factor, Levels, Task, lazy

SIZES = ("standard", "small", "large", "chained", "shuffled", "tiny", "huge")
PAPER = 1173
"""How many items the published set has."""


def counts(levels: Levels, n: int) -> list[tuple[Mapping[str, str], int]]:
    """n items in all, in the paper's proportions among the kinds that are wanted; the same for each size."""
    kinds = [
        {"kind": name, "size": size}
        for name in levels["kind"]
        for size in levels["size"]
        if size in kind_of(name).sizes
    ]
    if not kinds:
        offered = "; ".join(f"{name}: {', '.join(kind_of(name).sizes)}" for name in levels["kind"])
        raise UserError(f"size={'|'.join(levels['size'])}: none of these kinds comes in it ({offered})")
    return list(zip(kinds, _shares(n, [kind_of(kind["kind"]).n for kind in kinds]), strict=True))


def _shares(n: int, weights: list[int]) -> list[int]:
    """n split in proportion to the weights: whole numbers by the largest remainders, none without one if n allows."""
    total = sum(weights)
    whole = [n * weight // total for weight in weights]
    left = sorted(range(len(weights)), key=lambda k: (whole[k] > 0, -(n * weights[k] % total), k))
    for k in left[: n - sum(whole)]:
        whole[k] += 1
    return whole


def items(levels: Levels, n: int, seed: int) -> Iterator[Item]:
    return (item(kind, index, seed) for kind, count in counts(levels, n) for index in range(count))


def observe(shown: Stimulus) -> Mapping[str, str | int | float]:
    return kind_of(shown.item.levels["kind"]).observe(told(shown.item, shown.condition))


def detail(levels: Mapping[str, str]) -> Detail | None:
    """Of generated pictures; published ones come in no size of ours."""
    kind, size = levels.get("kind", ""), levels.get("size", "")
    return kind_of(kind).detail(size) if kind in KINDS and size in kind_of(kind).sizes else None


def load(where: str) -> Task:
    """The task over the published set."""
    from snellen.tasks.capacity.published import published

    return published(TASK, where)


EVERY: Levels = {"kind": KINDS}
AGAINST_HABIT = ("sandbagging", "counterfactual", "wrong_answer")
"""The kinds whose instruction goes against a habit. The plain instruction comes first on their ladder."""
OTHERS: Levels = {"kind": tuple(kind for kind in KINDS if kind not in AGAINST_HABIT)}
DESCRIBED: Levels = {"kind": tuple(kind for kind in KINDS if kind not in (*AGAINST_HABIT, "chart"))}
"""What the paper's Table 5 has: in the other tasks a description conflicts with the instruction."""
PLAINLY: Levels = {"kind": AGAINST_HABIT, "instruction": ("plain",)}


def _plainly(paradigm: str) -> tuple[RungQuery, RungQuery]:
    """Put with nothing against a habit: plainly where the instruction is, else as it is."""
    habitual = RungQuery((paradigm,), {"instruction": ("plain",)}, of={"kind": AGAINST_HABIT})
    return habitual, RungQuery((paradigm,), of=OTHERS)


LADDER: Ladder = (
    TOLD,
    replace(WORDS, puts=_plainly("words")),
    replace(PICTURES, about="the item as a picture, with no conflict with a habit", puts=_plainly("direct")),
    Rung(
        "against habit",
        "the item as a picture, with an instruction that conflicts with a habit",
        (*PICTURES.demands, "habit"),
        (RungQuery(("direct",), of={"kind": AGAINST_HABIT}),),
        because="it solves them when asked plainly, but not when the instruction goes against a habit",
    ),
)
GRADED = {
    "maze": ("cells across", {"tiny": 4, "small": 6, "standard": 10, "large": 14, "huge": 20}),
    "jigsaw": ("pieces", {"tiny": 12, "small": 30, "standard": 56, "large": 80}),
    "gomoku": ("lines across", {"small": 9, "standard": 12, "large": 15}),
    "unblock": ("cells across", {"small": 5, "standard": 6, "large": 7}),
}
"""The kinds that come in sizes: what makes them larger, and how much of it there is. Nobody guesses these right."""


def _tracks() -> Iterator[GradedTrack]:
    """How large a puzzle may be."""
    for kind, (unit, sizes) in GRADED.items():
        levels = {size: log10(many) for size, many in sizes.items()}
        yield GradedTrack(
            PsychometricTrack(f"{kind}: {unit}", levels, chance=0.0, falling=True, most=48), "size", {"kind": kind}
        )


TASK = Task(
    name="capacity",
    title="MME-CC",
    about="eleven tasks of cognitive capacity: space, geometry, and instructions against prior knowledge",
    factors=(
        Factor("kind", KINDS, "one of the eleven tasks", of_item=True),
        Factor(
            "size",
            SIZES,
            "boards, mazes, jigsaws, charts, sandbagging and wrong_answer: small or large, mazes and jigsaws tiny too, "
            "mazes huge; counterfactual: small or chained; sandbagging: shuffled",
            of_item=True,
        ),
        Factor("describe", ("no", "first"), "whether to describe what is relevant before answering"),
        Factor("instruction", ("stated", "plain"), "as the kind has it, or the same without the conflict with habit"),
    ),
    designs=(
        Design(
            "quick",
            "some of each, in the paper's proportions, and the ladder below them",
            110,
            (
                EVERY,
                PLAINLY,
                {**PLAINLY, PARADIGM: ("words",)},
                {**OTHERS, PARADIGM: ("words",)},
                {**EVERY, PARADIGM: ("told",)},
            ),
        ),
        Design("describe", "with and without describing first", 220, ({**DESCRIBED, "describe": ("no", "first")},)),
        Design("paper", "as many as the published set", PAPER, (EVERY,)),
        Design("adaptive", "the size limit for mazes, jigsaws and boards", 110, (), tuple(_tracks())),
    ),
    prompts=Path(__file__).parent / "kinds",
    items=items,
    counts=counts,
    item=item,
    stimulus=stimulus,
    unpictured=unpictured,
    observe=observe,
    applies=applies,
    load=load,
    ladder=LADDER,
    study=lazy("snellen.tasks.capacity.study:CapacityStudy"),
    reads=("text", "judge"),
    detail=detail,
)
