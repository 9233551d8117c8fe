"""Things that go round: each has a place in a cycle and goes the same step on from panel to panel.

The four choices come first: four places of the one thing that moves, or two places each of two things in all four
combinations. Then the right one, evenly; then, backwards from it, where the things stood in the panels before.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from snellen.rng import Stream
from snellen.tasks.marvel.marks import Mark
from snellen.tasks.marvel.patterns.choices import draft, in_words, slips
from snellen.tasks.marvel.patterns.clutter import Clutter, cluttered, corner_clutter
from snellen.tasks.marvel.puzzle import CHOICES, PuzzleDraft, PuzzleWish

Places = tuple[int, ...]
"""Where each thing is: one number a track."""
Show = Callable[[Places, int], list[Mark]]
"""The marks for these places in this line."""


@dataclass(frozen=True, slots=True)
class MovementTrack:
    """`who` moves over `size` places ("sector") in a cycle, `step` of them at a time (clockwise, right, down).

    `along` says in which direction, for things that move in more than one ("sideways").
    """

    who: str
    place: str
    size: int
    step: int
    along: str = ""

    def back(self, place: int, moves: int) -> int:
        """Where it was so many moves ago."""
        return (place - self.step * moves) % self.size

    def slip(self, place: int, wanted: int) -> str:
        """What is wrong with a place that is not the wanted one."""
        ahead = (place - wanted) % self.size
        way = f" {self.along}" if self.along else ""
        if self.step == 0:
            return f"{self.who} left its {self.place}"
        if ahead == -self.step % self.size:
            return f"{self.who} did not move{way}"
        if ahead == self.step % self.size:
            return f"{self.who} moved{way} once too often"
        if ahead == -2 * self.step % self.size:
            return f"{self.who} moved{way} the wrong way"
        if self.step < 0:
            ahead = self.size - ahead
        if 2 * ahead <= self.size:
            return f"{self.who} went {_many(ahead, self.place)} too far"
        return f"{self.who} fell {_many(self.size - ahead, self.place)} short"


@dataclass(frozen=True, slots=True)
class MovingScene:
    """What moves, how to show it, and the rule in words."""

    family: str
    tracks: tuple[MovementTrack, ...]
    show: Show
    rule: str


def _many(number: int, noun: str) -> str:
    """ "two sectors", "two steps of 45 degrees"."""
    first, _, rest = noun.partition(" ")
    return f"{in_words(number)} {first}{'' if number == 1 else 's'}{' ' if rest else ''}{rest}"


def around_words(track: MovementTrack) -> str:
    """ "the dot moves two sectors clockwise"."""
    direction = "clockwise" if track.step > 0 else "anticlockwise"
    if 2 * abs(track.step) == track.size:
        return f"{track.who} moves to the opposite {track.place}"
    return f"{track.who} moves {_many(abs(track.step), track.place)} {direction}"


def listed(parts: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def opening(wish: PuzzleWish) -> str:
    """How a rule starts."""
    return "From panel to panel" if wish.lines == 1 else "In each row, from panel to panel,"


def steps_for(rng: Stream, size: int, largest: int) -> int:
    """A step other than staying put: up to `largest` places either way, never half of the way round."""
    fit = [step for step in range(1, largest + 1) if 2 * step < size]
    return rng.choice(fit) * (1 if rng.chance() else -1)


def _quad(rng: Stream, size: int, near: bool) -> list[int]:
    """Four places: a run if near, else, in a long cycle, no two of them neighbours."""
    if near or size < CHOICES + 1:
        first = rng.below(size)
        places = [(first + i) % size for i in range(CHOICES)]
        rng.shuffle(places)
        return places
    gap = 2 if size >= 2 * CHOICES else 1
    cuts = [0] * CHOICES
    for _ in range(size - gap * CHOICES):
        cuts[rng.below(CHOICES)] += 1
    places, at = [], rng.below(size)
    for cut in cuts:
        places.append(at % size)
        at += gap + cut
    rng.shuffle(places)
    return places


def _choose(rng: Stream, tracks: Sequence[MovementTrack], near: bool, free: Sequence[int] = ()) -> list[Places]:
    """The four choices; `free` tells which two tracks may differ (any two if not told)."""
    if len(tracks) == 1:
        return [(place,) for place in _quad(rng, tracks[0].size, near)]
    free = free or rng.sample(range(len(tracks)), 2)
    base = [rng.below(track.size) for track in tracks]
    pairs = []
    for track in (tracks[i] for i in free):  # neighbours if near, else not where the cycle is long enough
        first = rng.below(track.size)
        apart = 1 if near or track.size < 4 else 2 + rng.below(track.size - 3)
        pairs.append((first, (first + apart) % track.size))
    choices = [
        tuple({free[0]: a, free[1]: b}.get(i, place) for i, place in enumerate(base))
        for a in pairs[0]
        for b in pairs[1]
    ]
    rng.shuffle(choices)
    return choices


def _journey(
    rng: Stream, wish: PuzzleWish, tracks: Sequence[MovementTrack], goal: Places
) -> Iterator[tuple[Places, int]]:
    """Where everything is in the context, and in which line; the blank is left out."""
    for row in range(wish.lines):
        last = row == wish.lines - 1
        end = goal if last else tuple(rng.below(track.size) for track in tracks)
        for moves in range(wish.length - 1, 0 if last else -1, -1):
            yield tuple(track.back(place, moves) for track, place in zip(tracks, end, strict=True)), row


def tell(
    rng: Stream, wish: PuzzleWish, scene: MovingScene, free: Sequence[int] = (), extra: Clutter | None = None
) -> PuzzleDraft:
    """The draft in which the things of the scene go round, with clutter of their own or this."""
    choices = _choose(rng, scene.tracks, wish.near, free)
    right = rng.below(CHOICES)
    journey: Iterable[tuple[Places, int]] = _journey(rng, wish, scene.tracks, choices[right])
    if extra is None:
        extra, journey = corner_clutter(rng, wish), list(journey)
    context, shown = cluttered(
        extra,
        (scene.show(places, row) for places, row in journey),
        (scene.show(places, wish.lines - 1) for places in choices),
    )
    wrong = slips(choices, right, *(track.slip for track in scene.tracks))
    return draft(context, shown, right, wrong, scene.rule, scene.family)
