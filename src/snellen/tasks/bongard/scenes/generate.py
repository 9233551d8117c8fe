"""Fresh problems: a random concept, scenes that have it, near misses that do not, and a checker that must agree.

Problem i depends on (seed, i) and the difficulty alone. A problem that the checker finds a rival for is thrown away and
another drawn in its place; how many went that way is said in `MadeProblem`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from snellen.errors import UserError, unknown
from snellen.rng import Stream, stream
from snellen.tasks.bongard.problem import Problem
from snellen.tasks.bongard.scenes.bare import bare, is_bare
from snellen.tasks.bongard.scenes.checker import parts, rivals
from snellen.tasks.bongard.scenes.concepts import SORTS, Objects, fewest, leaning, random_concept
from snellen.tasks.bongard.scenes.drafts import SceneDraft, SceneLeaning, random_draft, settled
from snellen.tasks.bongard.scenes.language import Concept, holds, part
from snellen.tasks.bongard.scenes.shaping import Shaper
from snellen.tasks.bongard.scenes.spoiling import spoiled
from snellen.tasks.bongard.scenes.staged import JOINED, Holds, both_sides, is_negated, numbers_of_things, stage
from snellen.tasks.bongard.scenes.words import words

EACH_SIDE = 7
"""Six to be shown, and the query."""
OBJECTS: Objects = (2, 5)
_TRIES = 25
"""How often a scene is begun anew before its problem is given up."""
_ATTEMPTS = 240
_PATIENCE = 12
"""How many attempts a concept gets before another takes its place: hard ones should not give way to easy ones."""
_LONE = 0.7
"""How often a positive has just one of the things its concept asks for. Were it rarer, several things of one category
would betray the positives."""

Panels = tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class MadeProblem:
    """A problem, its concept as a tree, and how many drafts of it were thrown away."""

    problem: Problem
    concept: Concept
    discarded: int


def make(seed: int, index: int, *, concepts: Sequence[str] = SORTS, objects: Objects = OBJECTS) -> MadeProblem:
    """Problem number `index` of this seed; sorts take turns, scenes have objects[0] to objects[1] things."""
    _check(concepts, objects)
    sort = concepts[index % len(concepts)]
    for attempt in range(_ATTEMPTS):
        rng = stream(seed, "bongard scenes", index, "concept", attempt // _PATIENCE)
        concept = random_concept(sort, rng, objects)
        drawn = _attempt(stream(seed, "bongard scenes", index, "scenes", attempt), concept, objects)
        if drawn is not None:
            positives, negatives = drawn
            name = f"scenes-{seed}/{index:04d}"
            problem = Problem(name, name, "scenes", words(concept), sort, positives, negatives)
            return MadeProblem(problem, concept, attempt)
    raise UserError(f"no {sort} problem with {objects[0]} to {objects[1]} things found; allow more things")


def _check(concepts: Sequence[str], objects: Objects) -> None:
    for sort in concepts:
        if sort not in SORTS:
            raise unknown("sort of concept", sort, SORTS)
    low, high = objects
    if not concepts or not 2 <= low <= high <= 8 or high < 3:
        raise UserError(f"objects={low},{high}: expected two numbers from 2 to 8, the larger at least 3")


def _attempt(rng: Stream, concept: Concept, objects: Objects) -> tuple[Panels, Panels] | None:
    """Pictures with and without the concept, unless the scenes cannot be made or the checker objects."""
    low, high = max(objects[0], fewest(concept)), objects[1]
    if low > high:
        return None
    positives, negatives = (_on_stage if part(concept)[0] in JOINED else _near_misses)(rng, concept, (low, high))
    if len(positives) < EACH_SIDE or len(negatives) < EACH_SIDE:
        return None
    if not parts(concept, positives, negatives) or any(rivals(concept, positives[:-1], negatives[:-1])):
        return None
    return positives, negatives


def _near_misses(rng: Stream, concept: Concept, objects: Objects) -> tuple[Panels, Panels]:
    """Scenes of all that there is, and near misses of such scenes."""
    lean = bare(leaning(concept), concept, rng) if is_bare(concept) else leaning(concept)
    workshop = _Workshop(rng, concept, lean)
    few = is_bare(concept) and part(concept)[0] not in ("exactly", "least")
    numbers = _numbers(numbers_of_things(*objects) if few else objects, rng)
    positives = tuple(islice(workshop.scenes(numbers, True), EACH_SIDE))
    return positives, tuple(islice(workshop.scenes(_shuffled_but_last(numbers, rng), False), EACH_SIDE))


def _on_stage(rng: Stream, concept: Concept, objects: Objects) -> tuple[Panels, Panels]:
    """Scenes in which nothing varies but what the two conditions are about."""
    here = stage(concept, rng)
    numbers = _numbers(numbers_of_things(*objects), rng)
    laid_out = both_sides(part(concept)[0], is_negated(concept), EACH_SIDE - 1, rng)

    def side(holds: Sequence[Holds], numbers: Sequence[int]) -> Panels:
        return tuple(here.scene(true, number, rng) for true, number in zip(holds, numbers, strict=True))

    return side(laid_out[0], numbers), side(laid_out[1], _shuffled_but_last(numbers, rng))


def _numbers(objects: Objects, rng: Stream) -> list[int]:
    low, high = objects
    return [low + rng.below(high - low + 1) for _ in range(EACH_SIDE)]


def _shuffled_but_last(numbers: Sequence[int], rng: Stream) -> list[int]:
    """The same numbers of things for the examples of the other side, and the same for its query.

    Were all seven dealt anew, a query of many things would leave few for its own examples, and so would lie farther
    from its own side: whoever counts things, or bytes, would be right in six cases of ten.
    """
    examples = list(numbers[:-1])
    rng.shuffle(examples)
    return [*examples, numbers[-1]]


class _Workshop:
    """Makes scenes with and without one concept. Both sides come from the same drafts, numbers of things included."""

    def __init__(self, rng: Stream, concept: Concept, lean: SceneLeaning) -> None:
        self.rng = rng
        # "Not C" is made from C with the sides exchanged: its positives are the near misses.
        self.flipped = part(concept)[0] == "not"
        self.concept: Concept = part(concept)[1] if self.flipped else concept
        self.lean = lean
        self.shaper = Shaper(rng, lean)

    def scenes(self, numbers: Sequence[int], positive: bool) -> Iterator[dict[str, Any]]:
        """One scene for each number of things; stops early where none is found."""
        self.rng.below(2)  # decides nothing any more, but without it all problems of before would be others
        for number in numbers:
            for _ in range(_TRIES):
                scene = self._scene(number, positive is not self.flipped)
                if scene is not None:
                    yield scene
                    break
            else:
                return

    def _scene(self, number: int, wanted: bool) -> dict[str, Any] | None:
        draft = random_draft(self.rng, number, self.lean)
        self.shaper.obey(draft, self.concept)
        if not wanted or self.lean.fillers or self.rng.chance(_LONE):
            self.shaper.thin_out(draft, self.concept)
        scene = settled(draft, self.rng)
        if not holds(self.concept, scene):
            return None
        return scene if wanted else self._near_miss(draft)

    def _near_miss(self, draft: SceneDraft) -> dict[str, Any] | None:
        """The draft with one small change after which the concept fails; None if no change does."""
        for changed in spoiled(draft, self.concept, self.lean, self.rng):
            scene = settled(changed, self.rng)
            if not holds(self.concept, scene):
                return scene
        return None
