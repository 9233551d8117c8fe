"""Fresh problems: a random concept, scenes that have it, near misses that do not, and a checker that must agree.

Problem i depends on (seed, i) and the difficulty alone. A problem that the checker finds a rival for is thrown away and
another drawn in its place; how many went that way is said in `Made`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from snellen.errors import UserError, unknown
from snellen.rng import Stream, stream
from snellen.tasks.bongard.problem import Problem
from snellen.tasks.bongard.scenes.checker import parts, rivals
from snellen.tasks.bongard.scenes.concepts import SORTS, Objects, fewest, leaning, random_concept
from snellen.tasks.bongard.scenes.drafts import Draft, Leaning, random_draft, settled
from snellen.tasks.bongard.scenes.language import Concept, holds, part
from snellen.tasks.bongard.scenes.shaping import Shaper
from snellen.tasks.bongard.scenes.spoiling import spoiled
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
class Made:
    """A problem, its concept as a tree, and how many drafts of it were thrown away."""

    problem: Problem
    concept: Concept
    discarded: int


def problems(n: int, seed: int, *, concepts: Sequence[str] = SORTS, objects: Objects = OBJECTS) -> Iterator[Problem]:
    """n problems, the sorts of concepts taking turns, each scene with from objects[0] to objects[1] things."""
    for index in range(n):
        yield make(seed, index, concepts=concepts, objects=objects).problem


def make(seed: int, index: int, *, concepts: Sequence[str] = SORTS, objects: Objects = OBJECTS) -> Made:
    """Problem number `index` of this seed."""
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
            return Made(problem, concept, attempt)
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
    workshop = _Workshop(rng, concept, leaning(concept))
    low = max(objects[0], fewest(concept))
    if low > objects[1]:
        return None
    numbers = [low + rng.below(objects[1] - low + 1) for _ in range(EACH_SIDE)]
    positives = tuple(islice(workshop.scenes(numbers, True), EACH_SIDE))
    negatives = tuple(islice(workshop.scenes(_shuffled_but_last(numbers, rng), False), EACH_SIDE))
    if len(positives) < EACH_SIDE or len(negatives) < EACH_SIDE:
        return None
    if not parts(concept, positives, negatives) or any(rivals(concept, positives[:-1], negatives[:-1])):
        return None
    return positives, negatives


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

    def __init__(self, rng: Stream, concept: Concept, lean: Leaning) -> None:
        self.rng = rng
        # "Not C" is made from C with the sides exchanged: its positives are the near misses.
        self.flipped = part(concept)[0] == "not"
        self.concept: Concept = part(concept)[1] if self.flipped else concept
        self.lean = lean
        self.shaper = Shaper(rng, lean)

    def scenes(self, numbers: Sequence[int], positive: bool) -> Iterator[dict[str, Any]]:
        """One scene for each number of things; stops early where none is found."""
        for turn, number in enumerate(numbers, self.rng.below(2)):
            for _ in range(_TRIES):
                scene = self._scene(number, positive is not self.flipped, turn)
                if scene is not None:
                    yield scene
                    break
            else:
                return

    def _scene(self, number: int, wanted: bool, turn: int) -> dict[str, Any] | None:
        draft = random_draft(self.rng, number, self.lean)
        self.shaper.obey(draft, self.concept)
        if not wanted or self.rng.chance(_LONE):
            self.shaper.thin_out(draft, self.concept)
        scene = settled(draft, self.rng)
        if not holds(self.concept, scene):
            return None
        return scene if wanted else self._near_miss(draft, turn)

    def _near_miss(self, draft: Draft, turn: int) -> dict[str, Any] | None:
        """The draft, spoiled. Of two concepts joined by "and", each is spoiled in its turn and the other kept."""
        word, what = part(self.concept)
        broken, kept = (what[turn % 2], what[1 - turn % 2]) if word == "and" else (self.concept, None)
        for changed in spoiled(draft, broken, self.lean, self.rng):
            scene = settled(changed, self.rng)
            if not holds(broken, scene) and (kept is None or holds(kept, scene)):
                return scene
        return None
