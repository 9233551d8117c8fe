"""Counterfactual instruction: a reader of the prompt's words and of the twin alone comes to the same answers."""

import re
from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest
from twin_reader import answered, seen_in

from snellen.rng import stream
from snellen.tasks.capacity.data import table
from snellen.tasks.capacity.kind import Truth
from snellen.tasks.capacity.kinds.counterfactual import KIND, OTHER_WORLD
from snellen.tasks.capacity.kinds.counterfactual_worlds import MAKERS, MISCOUNTED, ONLY_FIRST, ONLY_SECOND, WORLDS
from snellen.tasks.capacity.scenes import SETTINGS
from snellen.tasks.capacity.things import thing_of, things
from support.lengths import few_and_more

by_size = pytest.mark.parametrize("size", KIND.sizes)
few_and_many = few_and_more("many", [6], [240])
"""Rooms take their time."""


@cache
def _item(size: str, index: int) -> Truth:
    return KIND.make(stream(11, "counterfactual", size, index), size, index)


def _items(size: str, many: int) -> list[Truth]:
    return [_item(size, index) for index in range(many)]


# A solver that knows only what the prompt says


def _bare(words: str) -> str:
    return re.sub(r"^(?:an?|the) ", "", words.strip())


def _renamed(rule: str) -> dict[str, str]:
    """What is called what, read from the rule."""
    found = re.findall(
        r"(?:what we call |, and |, |; )?([a-z][a-z -]*?) (?:is|are) called ([a-z -]+?)(?: there)?(?=[,.;])", rule
    )
    clean = {_bare(re.sub(r"^(?:and|what we call) ", "", ours)): _bare(theirs) for ours, theirs in found}
    return {ours.removeprefix("what we call ").removeprefix("and "): theirs for ours, theirs in clean.items()}


def _number(rule: str) -> Callable[[int], int]:
    if "doubled" in rule:
        return lambda count: 2 * (10 - count)
    return (lambda count: 10 - count) if "ten minus" in rule else (lambda count: count)


def _solved(rule: str, question: str, twin: str) -> str:
    """The question put into our words, answered, and the answer put into theirs."""
    if "in the picture are called absent" in rule:
        return {"present": "absent", "absent": "present"}[answered(question, seen_in(twin))]
    told = _renamed(rule.lower())
    meant = {theirs: ours for ours, theirs in told.items()}
    some = "|".join(sorted(meant, key=len, reverse=True))
    # In the opening words of a question both opposites stand in any case: only names and sides asked for have changed.
    ours = re.sub(rf"\b({some})\b", lambda found: meant[found[0]], question) if some else question
    plain = question if ours.startswith(("Is ", "Are ")) or not some else ours
    literal = answered(plain, seen_in(twin))
    if literal.isdigit():
        return str(_number(rule)(int(literal)))
    return told.get(literal) or " ".join(told.get(word, word) for word in literal.split())


@by_size
@few_and_many
def test_the_key_follows_from_the_words_of_the_prompt_and_the_twin(size: str, many: int) -> None:
    for truth in _items(size, many):
        asked = KIND.ask(truth)
        assert _solved(asked.values["rule"], asked.values["question"], asked.twin) == truth["key"], asked.values


@by_size
@few_and_many
def test_the_literal_answer_is_the_one_of_our_own_world(size: str, many: int) -> None:
    for truth in _items(size, many):
        asked = KIND.ask(truth)
        literal = answered(asked.values["question"], seen_in(asked.twin))
        assert asked.mechanisms[literal] == "literal"
        assert literal != truth["key"]


@by_size
@few_and_many
def test_asked_plainly_the_same_question_has_the_answer_of_our_own_world(size: str, many: int) -> None:
    assert KIND.plain
    for truth in _items(size, many):
        stated, plain = KIND.ask(truth), KIND.ask(KIND.plain(truth))
        assert plain.key == answered(plain.values["question"], seen_in(plain.twin))
        assert (plain.form, plain.twin) == (stated.form, stated.twin)
        assert plain.values["question"] == stated.values["question"]
        assert plain.key not in plain.mechanisms
        assert plain.mechanisms[stated.key] == OTHER_WORLD
        others = {answer for answer in plain.mechanisms if answer != stated.key}
        assert {abs(int(answer) - int(plain.key)) for answer in others} <= {1}
        assert all(plain.mechanisms[answer] == MISCOUNTED for answer in others)


@by_size
@few_and_many
def test_mechanisms_are_wrong_answers_and_explain_all_options(size: str, many: int) -> None:
    for truth in _items(size, many):
        asked = KIND.ask(truth)
        assert asked.key not in asked.mechanisms
        if asked.form.kind == "choice":
            assert {asked.key, *asked.mechanisms} == set(asked.form.labels)
        if size == "chained":
            assert {ONLY_FIRST, ONLY_SECOND} <= set(asked.mechanisms.values())


def _balanced(size: str, plain: bool, monkeypatch: pytest.MonkeyPatch) -> list[Truth]:
    """Many items; sheets of things stand for all sorts, as the turns go round in the same way."""
    for sort in ("room", "street", "crowd"):
        monkeypatch.setitem(SETTINGS, sort, SETTINGS["tableau"])
    worlds = {world: sorts for world, sorts in WORLDS[size].items() if world != "depth"}
    monkeypatch.setitem(WORLDS, size, worlds)
    indices = range(48 * len(worlds))
    truths = [KIND.make(stream(11, "balance", size, index), size, index) for index in indices]
    assert KIND.plain
    return [KIND.plain(truth) for truth in truths] if plain else truths


@pytest.mark.soak
@by_size
@pytest.mark.parametrize("plain", [False, True])
def test_worlds_sorts_and_answers_are_balanced(size: str, plain: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    truths = _balanced(size, plain, monkeypatch)
    assert set(Counter(truth["world"] for truth in truths).values()) == {48}
    for world, sorts in WORLDS[size].items():
        own = [truth for truth in truths if truth["world"] == world]
        assert set(Counter(truth["sort"] for truth in own).values()) == {48 // len(sorts)}
        for sort in sorts:
            _are_balanced([truth for truth in own if truth["sort"] == sort], world, plain)


def _are_balanced(truths: list[Truth], world: str, plain: bool) -> None:
    """Answers of one world and sort: all equally often, or at no place among the options much more often."""
    if world in ("left_right", "above_below", "presence", "size", "amount", "corner", "count", "count_doubled"):
        shares = Counter(truth["key"] for truth in truths)
        assert max(shares.values()) - min(shares.values()) <= 1
        assert len(shares) == {"corner": 4, "count": 6, "count_doubled": 4}.get(world, 2)
    elif world == "count_name":
        most = max(Counter(truth["key"] for truth in truths).values())
        assert most <= (len(truths) // 2 if plain else len(truths) // 4), "plainly, drawn by chance and not in turn"
    else:
        where = Counter(truth["options"].index(truth["key"]) for truth in truths)
        assert max(where.values()) <= 0.75 * len(truths), "the place among the options does not tell"


def test_things_of_a_scene_are_never_mistaken_for_one_another() -> None:
    """A taxi beside cars to be counted would leave the count in doubt."""
    doubtful = [{"car", "taxi"}, {"bear", "panda"}, {"bicycle", "motorcycle"}, {"sun", "star"}, {"cat", "tiger"}]
    for truth in _items("small", 240):
        names = {thing_of(entry["icon"]).name for entry in truth["scene"]["things"]}
        assert not any(pair <= names for pair in doubtful)
    assert {name for pair in doubtful for name in pair} <= {one.name for one in things()}


@pytest.mark.soak
@by_size
def test_the_same_seed_draws_the_same_bytes(size: str) -> None:
    sorts = set()
    for index, truth in enumerate(_items(size, 18)):
        if truth["sort"] not in sorts:
            sorts.add(truth["sort"])
            again = KIND.make(stream(11, "counterfactual", size, index), size, index)
            assert KIND.show(truth)[0].data == KIND.show(again)[0].data
    assert sorts == ({"tableau"} if size == "small" else {"room", "street", "crowd"})


def test_every_world_has_its_words_and_pictures_are_sheets_in_the_small_size_alone() -> None:
    worlds = {world for worlds in WORLDS.values() for world in worlds}
    assert worlds == set(table("counterfactual")) == set(MAKERS)
    for size in ("standard", "chained"):
        assert all(set(sorts) <= {"room", "street", "crowd"} for sorts in WORLDS[size].values())
        assert min(truth["difficulty"] for truth in _items(size, 18)) >= 40
