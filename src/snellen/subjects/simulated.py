"""Simulated subjects: observers whose strengths and weaknesses are known, because we put them in.

They prove the diagnosis, serve as a demonstration without key or network, and make tests exact. Each is a
set of probabilities (`Parameters`) under a name. Every draw comes from a stream named by the subject's
seed, the parameter and what it is about, so the same subject gives the same answers in any order, process
and machine:

- whether an item's pictures are **seen** (or its words **read**) is drawn once per item, so that all its
  trials share it; everything else is drawn anew for each call;
- what is seen is **mapped** by the stated rule, or else answered by habit: the wrong answer that the
  question's mechanisms name; a question without such an answer is answered right;
- what is not seen is **guessed**: the form's first label with probability `guess`, otherwise another one;
- a **lapse** gives a random answer whatever was seen, a **refusal** none, and a **truncated** reply ends
  before its answer.

Asked for a description (pictures, but none of the item's questions), they give the twin if the item is seen
and a garbled twin if not. A call without the item's pictures is understood only if it holds the twin word
for word. Nothing here knows any task.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from types import MappingProxyType, TracebackType
from typing import Self

from snellen.call import Call, CallFailed, Message, Reply
from snellen.errors import unknown
from snellen.item import Form, Question, Stimulus
from snellen.rng import Stream, stream
from snellen.subjects import speech
from snellen.subjects.settings import Schema, Setting, Value, number, one_of, read, whole, written
from snellen.subjects.twin import twin_of

STYLES = ("plain", "chatty", "long")


@dataclass(frozen=True, slots=True)
class Parameters:
    """What makes a simulated subject. All but `seed` and `style` are probabilities."""

    see: float = 1
    read: float = 1
    map: float = 1
    map_alias: float | None = None
    map_semalias: float | None = None
    guess: float = 0.5
    lapse: float = 0
    refuse: float = 0
    truncate: float = 0
    seed: int = 0
    style: str = "plain"


@dataclass(frozen=True, slots=True)
class Profile:
    """A named simulated subject."""

    name: str
    about: str
    parameters: Parameters


PROFILES = {
    p.name: p
    for p in (
        Profile("ideal", "sees everything and follows every rule", Parameters()),
        Profile("guesser", "neither sees nor reads: always guesses", Parameters(see=0, read=0)),
        Profile(
            "fixated",
            "sees well but holds on to the default rule; meaningless names set it free",
            Parameters(see=0.95, map=0.2, map_alias=0.95, map_semalias=0.35),
        ),
        Profile("nearsighted", "follows every rule but sees badly", Parameters(see=0.35, map=0.97)),
        Profile("blind", "reads perfectly and sees no picture at all", Parameters(see=0)),
        Profile("stubborn", "sees everything and always answers by habit", Parameters(map=0)),
        Profile(
            "leaning",
            "often does not see, and then mostly says the first label",
            Parameters(see=0.4, guess=0.9),
        ),
        Profile("absent", "able, but absent-minded: a third of its answers are random", Parameters(lapse=0.33)),
        Profile("refuser", "able, but refuses to answer more often than not", Parameters(refuse=0.6)),
        Profile(
            "rambler",
            "thinks aloud at length and now and then runs out of tokens",
            Parameters(see=0.9, map=0.8, truncate=0.2, style="long"),
        ),
        Profile(
            "chatty",
            "fairly able, and never says an answer the same way twice",
            Parameters(see=0.85, map=0.7, style="chatty"),
        ),
    )
}


def simulated_subject(name: str, pairs: tuple[tuple[str, str], ...]) -> "SimulatedSubject":
    """The simulated subject of that name, with parameters of its own where given."""
    if name not in PROFILES:
        raise unknown("simulated subject", name, PROFILES)
    schema = parameter_schema(PROFILES[name].parameters)
    values = read(pairs, schema, f"sim/{name}")
    return SimulatedSubject(f"sim/{name}{written(values, schema)}", Parameters(**values))  # type: ignore[arg-type]


def parameter_schema(defaults: Parameters) -> Schema:
    """The parameters as settings, with a profile's values as defaults."""
    expected = {
        "seed": ("a whole number", whole(-(2**63), 2**63 - 1)),
        "style": ("one of " + ", ".join(STYLES), one_of(*STYLES)),
    }
    probability = ("a probability from 0 to 1", number(0, 1))
    return tuple(Setting(name, *expected.get(name, probability), default) for name, default in asdict(defaults).items())


class SimulatedSubject:
    """An observer with known parameters."""

    def __init__(self, name: str, parameters: Parameters) -> None:
        self._name = name
        self._is = parameters
        self._of_item = lru_cache(maxsize=4096)(self._chance)
        self._map_under = {"alias": parameters.map_alias, "semalias": parameters.map_semalias}
        known: dict[str, Value | None] = asdict(parameters)
        self._settings = MappingProxyType({k: v for k, v in known.items() if v is not None})

    def __repr__(self) -> str:
        return f"SimulatedSubject({self._name})"

    @property
    def name(self) -> str:
        return self._name

    @property
    def settings(self) -> Mapping[str, Value]:
        return self._settings

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    async def answer(self, call: Call) -> Reply:
        return self.reply(call)

    def reply(self, call: Call) -> Reply:
        """The answer, at once: nothing here waits for anything."""
        about = call.about
        if about is None:
            raise CallFailed("rejected", f"{self._name} answers only calls that say what they are about")
        key = call.key.hex()
        if self._chance("refuse", self._is.refuse, key):
            return Reply(speech.refusal(self._stream("refusal", key)))
        question = _asked(about, _words(call.messages[-1:]))
        if question is None:
            return Reply(self._describe(call, about, key))
        if self._chance("truncate", self._is.truncate, key):
            return Reply(speech.trail_off(self._stream("truncation", key)), "length")
        answer = self._answer(question, about, self._takes_in(call, about), key)
        return Reply(self._put(answer, question.form, key))

    def _put(self, answer: str, form: Form, key: str) -> str:
        if self._is.style == "plain":
            return speech.plainly(answer, form)
        put = speech.chattily if self._is.style == "chatty" else speech.at_length
        return put(answer, form, self._stream("style", key))

    def _answer(self, question: Question, about: Stimulus, taken_in: bool, key: str) -> str:
        if self._chance("lapse", self._is.lapse, key):
            return _any_answer(question, self._stream("lapse answer", key), None)
        if not taken_in:
            return _any_answer(question, self._stream("guess", key), self._is.guess)
        habit = next((wrong for wrong in question.mechanisms if wrong != question.key), None)
        if habit is None or self._chance("map", self._mapping(about), key):
            return question.key
        return habit

    def _describe(self, call: Call, about: Stimulus, key: str) -> str:
        twin = twin_of(call)
        seen = self._of_item("see", self._is.see, about.item.id)
        return twin if seen else speech.garbled(twin, self._stream("description", key))

    def _takes_in(self, call: Call, about: Stimulus) -> bool:
        """Whether the content gets through: by eye if the call shows pictures, otherwise by reading."""
        if call.pictures:
            return self._of_item("see", self._is.see, about.item.id)
        told = not about.pictures or (about.twin != "" and about.twin in _words(call.messages))
        return told and self._of_item("read", self._is.read, about.item.id)

    def _mapping(self, about: Stimulus) -> float:
        """The probability of mapping by the stated rule, which some conditions change."""
        for level in about.condition.values():
            changed = self._map_under.get(level)
            if changed is not None:
                return changed
        return self._is.map

    def _chance(self, parameter: str, probability: float, identity: str) -> bool:
        """Whether it happens. Certain things are not drawn for: that would only cost time."""
        if probability <= 0:
            return False
        return probability >= 1 or self._stream(parameter, identity).chance(probability)

    def _stream(self, purpose: str, identity: str) -> Stream:
        return stream(self._is.seed, "sim", purpose, identity)


def _words(messages: Iterable[Message]) -> str:
    return "\n".join(part for message in messages for part in message.parts if isinstance(part, str))


def _asked(about: Stimulus, words: str) -> Question | None:
    """Which of the item's questions the call asks; None if it asks for something else, a description."""
    for question in (about.question, *about.probes):
        if question.text in words:
            return question
    return None


def _any_answer(question: Question, turn: Stream, first: float | None) -> str:
    """An answer that owes nothing to what was shown; `first`: how often the first label, if not evenly."""
    form = question.form
    if form.kind == "choice" and form.labels:
        if first is None or len(form.labels) == 1:
            return turn.choice(form.labels)
        return form.labels[0] if turn.chance(first) else turn.choice(form.labels[1:])
    if form.kind == "number":
        right = int(question.key) if question.key.lstrip("-").isdecimal() else 0
        return str(turn.below(max(10, 2 * abs(right) + 1)))
    return "none of these"
