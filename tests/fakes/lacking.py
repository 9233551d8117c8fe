"""What a fake can lack. A `Lack` looks at a call and either answers it in its own wrong way or passes it on.

None of them knows of ladders or estimators: they fail on some items, some pictures, some words or some calls, drawn by
lot from the content, so that another seed of the exam is another draw.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from fakes.knowing import Asked, Lesson
from fakes.server import Part

Answer = str | None
If = Callable[[Asked], bool]
REFUSAL = "I'm sorry, I can't help with images."


@dataclass(frozen=True)
class Lack:
    """`name`: what it is called where it is counted how often it decided an answer."""

    name: str
    answer: Callable[[Asked], Answer]


@dataclass
class Mind:
    """Answers every call rightly, but for what it lacks: the first lack that has an answer gives it."""

    name: str
    lacks: Sequence[Lack]
    lesson: Lesson
    calls: int = field(default=0, init=False)

    def __call__(self, parts: Sequence[Part]) -> str:
        asked = self.lesson.asked(self.name, parts, min(1.0, self.calls / len(self.lesson.facts)))
        self.calls += 1
        return _written(asked, self.decided(asked)[1])

    def decided(self, asked: Asked) -> tuple[str, str]:
        """What decides the answer ("" if nothing is in the way), and the answer."""
        answers = ((lack.name, lack.answer(asked)) for lack in self.lacks)
        return next(((name, answer) for name, answer in answers if answer is not None), ("", asked.fact.key))

    def shares(self) -> dict[str, float]:
        """Of the calls that ask the task as it is, against a habit where it has one: which share each lack decides."""
        shown = [asked for asked in self.lesson.all_asked(self.name) if asked.pictures]
        top = [asked for asked in shown if _is_against_habit(asked)] or shown
        why = [self.decided(asked)[0] for asked in top]
        return {lack.name: why.count(lack.name) / len(why) for lack in self.lacks}


def _written(asked: Asked, answer: str) -> str:
    if answer == REFUSAL:
        return answer
    if "curly brackets" in asked.words:
        return f"{{{answer}}}"
    if "\n" in answer:
        return f"Answer:\n{answer}"
    return f"Answer: {answer}" if "Answer:" in asked.words else answer


def _is_against_habit(asked: Asked) -> bool:
    return bool(asked.fact.habit) and asked.fact.levels.get("drawing") in (None, "counterfactual")


def always(asked: Asked) -> bool:
    return True


def in_game(game: str) -> If:
    return lambda asked: asked.fact.levels["game"] == game


def with_two_pictures(asked: Asked) -> bool:
    return len(asked.pictures) > 1


def given_a_caption(asked: Asked) -> bool:
    return "one caption:" in asked.words


def offered_backwards(asked: Asked) -> bool:
    """The options are not offered in the order of the alphabet."""
    return asked.options != tuple(sorted(asked.options))


def eyes(share: float, where: If = always) -> Lack:
    """Cannot make out the pictures of a share of the items, and guesses."""
    return Lack("eyes", lambda a: a.toss() if a.pictures and where(a) and a.item_lot("eyes") < share else None)


def thinking(share: float, where: If = always) -> Lack:
    """Cannot work out a share of the items, shown or in words, and guesses."""
    return Lack("thinking", lambda a: a.toss() if not a.told and where(a) and a.item_lot("think") < share else None)


def slips(share: float) -> Lack:
    """Says anything on a share of all calls, whatever they are."""
    return Lack("slips", lambda a: a.toss() if a.call_lot("slip") < share else None)


def rising_slips(most: float) -> Lack:
    """Slips more often from call to call: never at first, on a share of `most` in the end."""
    return Lack("slips", lambda a: a.toss() if a.call_lot("slip") < most * a.so_far else None)


def wrong_when_told(share: float) -> Lack:
    """Says something else than it is told, on a share of these calls."""

    def contradicts(asked: Asked) -> Answer:
        if not asked.told or asked.call_lot("told") >= share:
            return None
        others = [option for option in asked.options if option != asked.fact.key]
        return others[int(asked.call_lot("other") * len(others))]

    return Lack("told", contradicts)


def leaning(share: float) -> Lack:
    """Says what is offered first, on a share of all calls."""
    return Lack("leaning", lambda a: a.options[0] if a.call_lot("lean") < share else None)


def says(number: str, share: float) -> Lack:
    """Says this number, on a share of all calls."""
    return Lack("leaning", lambda a: number if a.call_lot("lean") < share else None)


def first_or_guess() -> Lack:
    """Takes the first option if it is right, and else guesses; repeats what it is told."""
    return Lack("leaning", lambda a: None if a.told or a.fact.key == a.options[0] else a.toss())


def refuses_pictures() -> Lack:
    return Lack("refusal", lambda a: REFUSAL if a.pictures else None)


def habit(share: float, *, in_words: bool = False) -> Lack:
    """Answers a share of the items by habit where a picture goes against it; exact words too, if it is that strong."""

    def habitual(asked: Asked) -> Answer:
        against = _is_against_habit(asked) and not asked.told and (in_words or bool(asked.pictures))
        return asked.fact.habit if against and asked.item_lot("habit") < share else None

    return Lack("habit", habitual)


def clutter(share: float, by: int, drawings: Sequence[str] = ("counterfactual", "ordinary", "anonymous")) -> Lack:
    """Miscounts a share of the drawings of things by so many, up or down; counts bars and dots rightly."""

    def miscounts(asked: Asked) -> Answer:
        drawn = bool(asked.pictures) and asked.fact.levels["drawing"] in drawings
        if not drawn or asked.picture_lot("clutter") >= share:
            return None
        count, up = int(asked.fact.key), asked.picture_lot("up") < 0.5
        return str(count + by if up or count <= by else count - by)

    return Lack("clutter", miscounts)
