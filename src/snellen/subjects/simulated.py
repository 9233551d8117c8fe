"""Simulated subjects: observers whose strengths and weaknesses are known, because we put them in.

They prove the diagnosis, serve as a demonstration without key or network, and make tests exact. Each is a
set of probabilities (`characters.Parameters`) under a name. Every draw comes from a stream named by the subject's
seed, the parameter and what it is about, so the same subject gives the same answers in any order, process
and machine:

- whether an item's pictures are **seen** (or its words **read**) is drawn once per item, so that all its
  trials share it; a picture with words of its own, or among several, is seen or not by itself, wherever it is
  shown; everything else is drawn anew for each call;
- what is seen is **mapped** by the stated rule, or else answered by habit: the wrong answer that betrays the habit
  which the question goes against, or the subject's own **habit** (of an answer in parts, all parts that have a value
  of that name take it); a question without such an answer is answered right;
- what is not seen is **guessed**: of two labels the first with probability `guess`, of more with the same odds against
  each of the others;
- whether the things in an item's pictures are **counted** right is drawn once per item; else a number is one off, of
  several numbers any one; and where an answer is to be chosen that hangs on a count (number words, or an item whose
  truth says that it is `counted`), a choice that betrays a miscount, or any wrong one, is taken. Words that tell the
  picture spare the counting;
- a **lapse** gives a random answer whatever was seen, a **refusal** none, and a **truncated** reply ends
  before its answer.

Asked for a description (pictures, but none of the item's questions), they give the twin of what they see, with
facts **dropped** and **changed** at known rates, and a garbled twin of what they do not see. A call without the
item's pictures is understood only if it holds their twins word for word; words may also stand beside a picture that
is not seen. Demonstrations teach them nothing.

An item may have a rule behind it (`truth["concept"]`), to be found in examples and applied to a query, its last
picture. Whether the rule is found (**induce**) is drawn once per item, whether it is rightly **applied** per call:

- asked with the examples before them, they are right if they find the rule, take in the query and apply the rule; in
  words, half of the examples and the query must be told exactly;
- asked for the rule (script "induce"), they state it if they find it, and else a wrong one;
- asked with a rule in place of the examples (script "apply"), they are right if it holds the true concept's words,
  they take in the query and apply the rule.

In all other cases they guess. Nothing here knows any task.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType, TracebackType
from typing import Self

from snellen.call import Abilities, Call, CallFailed, Message, Reply
from snellen.errors import unknown
from snellen.item import Form, Parts, Picture, Question, Stimulus
from snellen.rng import Stream, stream
from snellen.subjects import answers, speech
from snellen.subjects.characters import PROFILES, Parameters, parameter_schema
from snellen.subjects.facts import Fate, facts, retell
from snellen.subjects.oracles import concept_of, twin_of
from snellen.subjects.settings import Value, read, written

ABILITIES = Abilities(sees_truth=True, in_process=True)


def simulated_subject(name: str, pairs: tuple[tuple[str, str], ...]) -> "SimulatedSubject":
    """The simulated subject of that name, with parameters of its own where given."""
    if name not in PROFILES:
        raise unknown("simulated subject", name, PROFILES)
    schema = parameter_schema(PROFILES[name].parameters)
    values = read(pairs, schema, f"sim/{name}")
    return SimulatedSubject(f"sim/{name}{written(values, schema)}", Parameters(**values))  # type: ignore[arg-type]


@dataclass(frozen=True)
class _CallContent:
    """A call as its reader finds it: what is asked about, what is shown, what is said."""

    call: Call
    about: Stimulus
    key: str

    @cached_property
    def shown(self) -> frozenset[str]:
        return frozenset(picture.digest for picture in self.call.pictures)

    @cached_property
    def words(self) -> str:
        return _words(self.call.messages)

    @cached_property
    def concept(self) -> str:
        return concept_of(self.about.item)

    def twin(self, picture: Picture) -> str:
        """The exact words for a picture; a name for it where nobody wrote any, so that it can be spoken of at all."""
        own = picture.twin or ("" if len(self.about.pictures) > 1 else self.about.twin)
        return own or _name(picture)


class SimulatedSubject:
    """An observer with known parameters."""

    def __init__(self, name: str, parameters: Parameters) -> None:
        self._name = name
        self._is = parameters
        self._once = lru_cache(maxsize=4096)(self._chance)
        self._map_under = {"alias": parameters.map_alias, "semalias": parameters.map_semalias}
        self._settings = MappingProxyType(parameters.settings())

    def __repr__(self) -> str:
        return f"SimulatedSubject({self._name})"

    @property
    def name(self) -> str:
        return self._name

    @property
    def settings(self) -> Mapping[str, Value]:
        return self._settings

    @property
    def abilities(self) -> Abilities:
        return ABILITIES

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
            raise CallFailed("rejected", f"{self._name} answers only calls that carry their item")
        key = call.key.hex()
        if self._chance("refuse", self._is.refuse, key):
            return Reply(speech.refusal(self._stream("refusal", key)))
        scene = _CallContent(call, about, key)
        question = _asked(about, _words(call.messages[-1:]))
        if question is None:
            return Reply(
                self._state_rule(scene)
                if call.messages[-1].parts == about.scripts.get("induce")
                else self._describe(scene)
            )
        if self._chance("truncate", self._is.truncate, key):
            return Reply(speech.trail_off(self._stream("truncation", key)), "length")
        if _is_told(scene, question):
            return Reply(self._put(self._repeat(question, key), question.form, key))
        by_rule = scene.concept != "" and question is about.question and question not in about.probes
        able = self._follows_rule(scene) if by_rule else self._takes_in(scene)
        return Reply(self._put(self._answer(question, scene, able), question.form, key))

    def _put(self, answer: str, form: Form, key: str) -> str:
        if self._is.style == "plain":
            return speech.plainly(answer, form)
        put = speech.chattily if self._is.style == "chatty" else speech.at_length
        return put(answer, form, self._stream("style", key))

    def _repeat(self, question: Question, key: str) -> str:
        """The answer that was told, unless it slips."""
        if self._chance("lapse", self._is.lapse, key):
            return answers.random(question, self._stream("lapse answer", key), None)
        return answers.right(question)

    def _answer(self, question: Question, scene: _CallContent, able: bool) -> str:
        about, key = scene.about, scene.key
        if self._chance("lapse", self._is.lapse, key):
            return answers.random(question, self._stream("lapse answer", key), None)
        if not able:
            return answers.random(question, self._stream("guess", key), self._is.guess)
        if _hangs_on_a_count(question, scene) and not self._once("count", self._is.count, about.item.id):
            return answers.one_off(question, self._stream("miscount", key))
        habit = answers.by_habit(question, self._is.habit)
        if habit is None or self._chance("map", self._mapping(about), key):
            return answers.right(question)
        return habit

    # What is taken in

    def _sees(self, picture: Picture, about: Stimulus) -> bool:
        """A picture that may turn up in several stimuli is seen or not by itself: a description of it is made once."""
        by_itself = picture.twin != "" or len(about.pictures) > 1
        return self._once("see", self._is.see, picture.digest if by_itself else about.item.id)

    def _reads(self, about: Stimulus) -> bool:
        return self._once("read", self._is.read, about.item.id)

    def _takes_in(self, scene: _CallContent) -> bool:
        """Whether the whole content gets through, by eye or by reading."""
        about = scene.about
        examples = {part.digest for part in about.demonstrations if isinstance(part, Picture)}
        shown = [picture for picture in scene.call.pictures if picture.digest not in examples]
        if shown and all(self._sees(picture, about) for picture in shown):
            return True
        told = about.twin != "" and about.twin in scene.words
        told = told or all(scene.twin(picture) in scene.words for picture in about.pictures)
        return told and self._reads(about)

    def _follows_rule(self, scene: _CallContent) -> bool:
        """Whether the rule behind the item is known, its query taken in, and the one applied to the other."""
        given = _rule_given(scene.call, scene.about)
        knows = self._finds_rule(scene) if given is None else _says(given, scene.concept)
        return knows and self._takes_in_query(scene) and self._chance("apply", self._is.apply, scene.key)

    def _finds_rule(self, scene: _CallContent) -> bool:
        examples = scene.about.pictures[:-1]
        there = [picture.digest in scene.shown or scene.twin(picture) in scene.words for picture in examples]
        return 2 * sum(there) >= len(there) and self._once("induce", self._is.induce, scene.about.item.id)

    def _takes_in_query(self, scene: _CallContent) -> bool:
        if not scene.about.pictures:
            return self._reads(scene.about)
        query = scene.about.pictures[-1]
        if query.digest in scene.shown and self._sees(query, scene.about):
            return True
        return scene.twin(query) in scene.words and self._reads(scene.about)

    # What is said where no answer is asked for

    def _state_rule(self, scene: _CallContent) -> str:
        rng = self._stream("rule", scene.about.item.id)
        right = scene.concept != "" and self._finds_rule(scene)
        return f"Rule: {scene.concept if right else speech.wrong_rule(scene.concept, rng)}"

    def _describe(self, scene: _CallContent) -> str:
        rng = self._stream("description", scene.key)
        if not scene.call.pictures:
            twin = twin_of(scene.call)
            seen = self._once("see", self._is.see, scene.about.item.id)
            return twin if seen else speech.garbled(twin, rng)
        return "\n\n".join(self._tell(picture, scene, rng) for picture in scene.call.pictures)

    def _tell(self, picture: Picture, scene: _CallContent, rng: Stream) -> str:
        twin = scene.twin(picture)
        if twin == _name(picture):  # the same in every stimulus, and so must be whether it is seen
            return twin if self._once("see", self._is.see, picture.digest) else speech.garbled(twin, rng)
        if not self._sees(picture, scene.about):
            return retell(twin, lambda _: "changed", lambda _: rng) if facts(twin) else speech.garbled(twin, rng)
        if not self._is.drop and not self._is.change:
            return twin
        return retell(twin, lambda fact: self._fate(f"{picture.digest} {fact}"), lambda _: rng)

    def _fate(self, fact: str) -> Fate:
        if self._chance("drop", self._is.drop, fact):
            return "dropped"
        return "changed" if self._chance("change", self._is.change, fact) else "told"

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


def _name(picture: Picture) -> str:
    return f"Picture {picture.digest[:16]}."


def _asked(about: Stimulus, words: str) -> Question | None:
    """Which of the item's questions the call asks; None if it asks for something else, a description."""
    for question in (about.question, *about.probes):
        if question.text in words:
            return question
    return None


def _hangs_on_a_count(question: Question, scene: _CallContent) -> bool:
    """Whether a number is asked for, or something is to be chosen that only a count in the picture tells."""
    if answers.counts(question.form):
        return True
    spared = not scene.call.pictures or (scene.about.twin != "" and scene.about.twin in scene.words)
    main = question is scene.about.question and question not in scene.about.probes
    counted = answers.in_number_words(question.form) or (main and bool(scene.about.item.truth.get("counted")))
    return counted and not spared


def _is_told(scene: _CallContent, question: Question) -> bool:
    """Whether the answer stands in the call, before the question, with nothing shown or described."""
    before = scene.words.partition(question.text)[0]
    return (
        not scene.call.pictures and f"\n\n{answers.in_plain_words(question)}\n\n" in before and not _twins_told(scene)
    )


def _twins_told(scene: _CallContent) -> bool:
    about = scene.about
    own = [scene.twin(picture) in scene.words for picture in about.pictures]
    return (about.twin != "" and about.twin in scene.words) or any(own)


def _rule_given(call: Call, about: Stimulus) -> str | None:
    """The rule that stands in the call in place of the examples; None if the call does not follow that script."""
    script, parts = about.scripts.get("apply", ()), call.messages[-1].parts
    if script and len(script) == len(parts):
        return _slot_filled(script, parts)
    words = _words(call.messages[-1:])  # the query in words: all in one
    for part in script:
        if isinstance(part, str) and "{rule}" in part:
            before, _, after = part.partition("{rule}")
            given = re.search(re.escape(before) + r"([^\n]*)" + re.escape(after.partition("{rule}")[0]), words)
            return given[1] if given else None
    return None


def _slot_filled(script: Parts, parts: Parts) -> str | None:
    """What stands in place of {rule} where a call has the script part by part."""
    rule = None
    for written_part, part in zip(script, parts, strict=True):
        if isinstance(written_part, str) and isinstance(part, str) and "{rule}" in written_part:
            before, *rest = written_part.split("{rule}")
            length = (len(part) - len(before) - sum(map(len, rest))) // len(rest)
            rule = part[len(before) : len(before) + length]
            written_part = written_part.replace("{rule}", rule)
        if written_part != part:
            return None
    return rule


def _says(text: str, concept: str) -> bool:
    """Whether the text holds the concept's words, in any case and spacing, as whole words."""
    words = " ".join(text.casefold().split())
    return re.search(rf"(?<!\w){re.escape(concept.casefold())}(?!\w)", words) is not None
