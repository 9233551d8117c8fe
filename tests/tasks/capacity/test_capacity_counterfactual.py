"""Counterfactual instruction: a reader of the prompt's words and of the scene alone comes to the same answers."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from snellen.rng import stream
from snellen.tasks.capacity.kind import Truth
from snellen.tasks.capacity.kinds.counterfactual import KIND, OTHER_WORLD, QUESTIONS
from snellen.tasks.capacity.kinds.counterfactual_worlds import MISCOUNTED, ONLY_FIRST, ONLY_SECOND, WORLDS
from snellen.tasks.capacity.things import known, things

Entry = Mapping[str, Any]


def _items(size: str, many: int = 240) -> list[Truth]:
    return [KIND.make(stream(11, "counterfactual", size, index), size, index) for index in range(many)]


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


def _solved(rule: str, question: str, content: list[Entry]) -> str:
    told = _renamed(rule.lower())
    meant = {theirs: ours for ours, theirs in told.items()}

    def one(name: str) -> Entry:
        (found,) = [entry for entry in content if known(entry["icon"]).name == meant.get(name, name)]
        return found

    def many(plural: str) -> int:
        return sum(known(entry["icon"]).plural == meant.get(plural, plural) for entry in content)

    def say(word: str) -> str:
        return told.get(word, word)

    def matched(pattern: str) -> tuple[str, ...]:
        found = re.fullmatch(pattern, question)
        return found.groups() if found else ()

    if names := matched(r"Is the (.+) to the left or to the right of the (.+)\?"):
        return say("left" if one(names[0])["x"] < one(names[1])["x"] else "right")
    if names := matched(r"Is the (.+) above or below the (.+)\?"):
        return say("above" if one(names[0])["y"] < one(names[1])["y"] else "below")
    if names := matched(r"Is (?:an?) (.+) present or absent\?"):
        there = any(known(entry["icon"]).name == names[0] for entry in content)
        assert "in the picture are called absent" in rule
        return "absent" if there else "present"
    if names := matched(r"Is the (.+) larger or smaller than the (.+), as they are drawn\?"):
        return say("larger" if one(names[0])["side"] > one(names[1])["side"] else "smaller")
    if names := matched(r"Are there more or fewer (.+) than (.+)\?"):
        return say("more" if many(names[0]) > many(names[1]) else "fewer")
    if names := matched(r"How many (.+) are there\?"):
        return str(_number(rule)(many(names[0])))
    if names := matched(r"What colour is the (.+)\?"):
        return say(one(names[0])["colour"])
    if names := matched(r"In which corner of the picture is the (.+)\?"):
        entry = one(names[0])
        return f"{say('top' if entry['y'] < 288 else 'bottom')} {say('left' if entry['x'] < 360 else 'right')}"
    if names := matched(r"What is the (left|right)most thing in the picture\?"):
        end = min if meant[names[0]] == "left" else max
        return say(known(end(content, key=lambda entry: entry["x"])["icon"]).name)
    assert question == "What is the largest thing in the picture, as it is drawn?"
    return say(known(max(content, key=lambda entry: entry["side"])["icon"]).name)


@pytest.mark.parametrize("size", KIND.sizes)
def test_the_key_follows_from_the_words_of_the_prompt_and_the_scene(size: str) -> None:
    for truth in _items(size):
        values = KIND.ask(truth).values
        assert _solved(values["rule"], values["question"], truth["scene"]["things"]) == truth["key"], values


def _literal(question: str, content: list[Entry]) -> str:
    """The answer in our own words."""
    if found := re.fullmatch(r"Is (an? .+) present or absent\?", question):
        return "present" if any(known(entry["icon"]).one == found[1] for entry in content) else "absent"
    if found := re.fullmatch(r"What is the (left|right)most thing in the picture\?", question):
        end = {"left": min, "right": max}[found[1]]
        return known(end(content, key=lambda entry: entry["x"])["icon"]).name
    return _solved("", question, content)


@pytest.mark.parametrize("size", KIND.sizes)
def test_the_literal_answer_is_the_one_of_our_own_world(size: str) -> None:
    for truth in _items(size):
        literal = _literal(KIND.ask(truth).values["question"], truth["scene"]["things"])
        assert KIND.ask(truth).mechanisms[literal] == "literal"
        assert literal != truth["key"]


@pytest.mark.parametrize("size", KIND.sizes)
def test_asked_plainly_the_same_question_has_the_answer_of_our_own_world(size: str) -> None:
    assert KIND.plain
    for truth in _items(size):
        stated, plain = KIND.ask(truth), KIND.ask(KIND.plain(truth))
        assert plain.key == _literal(plain.values["question"], truth["scene"]["things"])
        assert (plain.form, plain.twin) == (stated.form, stated.twin)
        assert plain.values["question"] == stated.values["question"]
        assert plain.key not in plain.mechanisms
        assert plain.mechanisms[stated.key] == OTHER_WORLD
        others = {answer for answer in plain.mechanisms if answer != stated.key}
        assert {abs(int(answer) - int(plain.key)) for answer in others} <= {1}
        assert all(plain.mechanisms[answer] == MISCOUNTED for answer in others)


@pytest.mark.parametrize("size", KIND.sizes)
def test_mechanisms_are_wrong_answers_and_explain_all_options(size: str) -> None:
    for truth in _items(size, 80):
        asked = KIND.ask(truth)
        assert asked.key not in asked.mechanisms
        if asked.form.kind == "choice":
            assert {asked.key, *asked.mechanisms} == set(asked.form.labels)
        if size == "chained":
            assert {ONLY_FIRST, ONLY_SECOND} <= set(asked.mechanisms.values())


def test_what_is_asked_holds_by_a_clear_margin() -> None:
    for truth in _items("standard"):
        by_name = {known(entry["icon"]).name: entry for entry in truth["scene"]["things"]}
        slots = truth["slots"]
        if truth["world"] in ("left_right", "above_below"):
            axis = "x" if truth["world"] == "left_right" else "y"
            assert abs(by_name[slots["a"]][axis] - by_name[slots["b"]][axis]) >= 140
        if truth["world"] == "size":
            assert {by_name[slots["a"]]["side"], by_name[slots["b"]]["side"]} == {70, 132}
        if truth["world"] == "amount":
            counts = Counter(known(entry["icon"]).plural for entry in truth["scene"]["things"])
            assert abs(counts[slots["a"]] - counts[slots["b"]]) >= 2


@pytest.mark.parametrize("size", KIND.sizes)
def test_worlds_and_answers_are_balanced(size: str) -> None:
    truths = _items(size, 40 * len(WORLDS[size]))
    assert set(Counter(truth["world"] for truth in truths).values()) == {40}
    _are_balanced(truths, size, evenly=("corner", "count", "count_doubled", "count_name"))


@pytest.mark.parametrize("size", KIND.sizes)
def test_answers_are_balanced_when_asked_plainly(size: str) -> None:
    assert KIND.plain
    truths = [KIND.plain(truth) for truth in _items(size, 40 * len(WORLDS[size]))]
    _are_balanced(truths, size, evenly=("corner", "count", "count_doubled"))
    counts = Counter(truth["key"] for truth in truths if truth["world"] == "count_name")
    assert not counts or (len(counts) == 6 and max(counts.values()) <= 13), "drawn by chance, not in turn"


def _are_balanced(truths: list[Truth], size: str, evenly: tuple[str, ...]) -> None:
    for world in WORLDS[size]:
        answers = [truth for truth in truths if truth["world"] == world]
        if world in ("left_right", "above_below", "presence", "size", "amount"):
            assert set(Counter(truth["key"] for truth in answers).values()) == {20}
        elif world in evenly:
            shares = Counter(truth["key"] for truth in answers)
            assert max(shares.values()) - min(shares.values()) <= 1
        elif answers[0]["options"]:
            where = Counter(truth["options"].index(truth["key"]) for truth in answers)
            assert max(where.values()) <= 20, "the place among the options does not tell"


def test_things_of_a_scene_are_never_mistaken_for_one_another() -> None:
    """A taxi beside cars to be counted would leave the count in doubt."""
    doubtful = [{"car", "taxi"}, {"bear", "panda"}, {"bicycle", "motorcycle"}, {"sun", "star"}, {"cat", "tiger"}]
    for truth in _items("standard"):
        names = {known(entry["icon"]).name for entry in truth["scene"]["things"]}
        assert not any(pair <= names for pair in doubtful)
    assert {name for pair in doubtful for name in pair} <= {one.name for one in things()}


@pytest.mark.parametrize("size", KIND.sizes)
def test_the_twin_says_it_and_the_same_seed_draws_the_same_bytes(size: str) -> None:
    again = _items(size, 6)
    for index, truth in enumerate(_items(size, 6)):
        twin = KIND.ask(truth).twin
        for entry in truth["scene"]["things"]:
            assert f"{known(entry['icon']).name}, middle at ({entry['x']}, {entry['y']})" in twin
        assert KIND.show(truth)[0].data == KIND.show(again[index])[0].data
    assert set(WORLDS["standard"]) | set(WORLDS["chained"]) == set(QUESTIONS)
