"""Finding the wrong answer: a checker that reads the questions finds one wrong answer, and words alone find none."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
import pytest
from twin_reader import COLOURS, answered, seen_in

from snellen.rng import stream
from snellen.tasks.audit.guessing import guesses, trials
from snellen.tasks.capacity.kind import Truth
from snellen.tasks.capacity.kinds.wrong_answer import KIND, SORTS
from snellen.tasks.capacity.kinds.wrong_answer_pairs import KINDS, SHEETS
from snellen.tasks.capacity.things import thing_of
from support.lengths import few_and_more, some_of

Entry = Mapping[str, Any]
Items = Callable[[int], tuple[Truth, ...]]
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]


@cache
def _items(many: int, size: str = "small") -> tuple[Truth, ...]:
    return tuple(KIND.make(stream(9, "wrong answer", index), size, index) for index in range(many))


@cache
def _plain(many: int) -> tuple[Truth, ...]:
    assert KIND.plain
    return tuple(map(KIND.plain, _items(many)))


BOTH = pytest.mark.parametrize("items", [_items, _plain], ids=["stated", "plain"])


# A checker that reads the question and looks it up in the picture's description


def _name(entry: Entry) -> str:
    return thing_of(entry["icon"]).name


def _scene(question: str, content: list[Entry]) -> str:
    by_name = {_name(entry): entry for entry in content}
    if found := re.fullmatch(r"How many (.+) are there\?", question):
        return str(sum(thing_of(entry["icon"]).plural == found[1] for entry in content))
    if found := re.fullmatch(r"What colour is the (.+)\?", question):
        return str(by_name[found[1]]["colour"])
    if found := re.fullmatch(r"Is the (.+) drawn large or small\?", question):
        return {70: "small", 132: "large"}[by_name[found[1]]["side"]]
    if found := re.fullmatch(r"Is the (.+) to the left or to the right of the (.+)\?", question):
        gap = by_name[found[1]]["x"] - by_name[found[2]]["x"]
        assert abs(gap) >= 140
        return "to the left" if gap < 0 else "to the right"
    if found := re.fullmatch(r"Is the (.+) above or below the (.+)\?", question):
        gap = by_name[found[1]]["y"] - by_name[found[2]]["y"]
        assert abs(gap) >= 140
        return "above" if gap < 0 else "below"
    if found := re.fullmatch(r"What is inside the (.+) frame\?", question):
        (inside,) = [entry for entry in content if entry.get("frame") == found[1]]
        return thing_of(inside["icon"]).with_article
    found = re.fullmatch(r"In which corner is the (.+)\?", question)
    assert found
    entry = by_name[found[1]]
    assert min(entry["x"], 720 - entry["x"]) < 100
    assert min(entry["y"], 576 - entry["y"]) < 100
    return f"{'top' if entry['y'] < 288 else 'bottom'} {'left' if entry['x'] < 360 else 'right'}"


def _rack(question: str, shelves: list[list[Entry]]) -> str:
    content = [entry for shelf in shelves for entry in shelf]
    at = {_name(entry): (row, column) for row, shelf in enumerate(shelves) for column, entry in enumerate(shelf)}
    levels = ("top", "middle", "bottom")
    if found := re.fullmatch(r"Is the (.+) on a higher or a lower shelf than the (.+)\?", question):
        one, other = at[found[1]][0], at[found[2]][0]
        assert one != other
        return "higher" if one < other else "lower"
    if found := re.fullmatch(r"What is on the (.+) shelf, (.+) from the left\?", question):
        return thing_of(shelves[levels.index(found[1])][ORDINALS.index(found[2])]["icon"]).with_article
    if found := re.fullmatch(r"Where is the (.+)\?", question):
        row, column = at[found[1]]
        assert sum(_name(entry) == found[1] for entry in content) == 1
        return f"on the {levels[row]} shelf, {ORDINALS[column]} from the left"
    return _scene(question, content)


def _bars(question: str, bars: list[Entry]) -> str:
    by_name = {_name(bar): bar for bar in bars}
    assert len(by_name) == len(bars) == len({bar["value"] for bar in bars})
    if found := re.fullmatch(r"What colour is the bar of the (.+)\?", question):
        return str(by_name[found[1]]["colour"])
    if found := re.fullmatch(r"How high is the bar of the (.+)\?", question):
        return str(by_name[found[1]]["value"])
    if found := re.fullmatch(r"Is the bar of the (.+) higher or lower than the bar of the (.+)\?", question):
        gap = by_name[found[1]]["value"] - by_name[found[2]]["value"]
        assert abs(gap) >= 2
        return "higher" if gap > 0 else "lower"
    if found := re.fullmatch(r"What has the (second )?(highest|lowest) bar\?", question):
        ranked = sorted(bars, key=lambda bar: bar["value"], reverse=found[2] == "highest")
        return thing_of(ranked[1 if found[1] else 0]["icon"]).with_article
    found = re.fullmatch(r"Which bar from the left is that of the (.+)\?", question)
    assert found
    return f"the {ORDINALS[[_name(bar) for bar in bars].index(found[1])]}"


def _staged(question: str, twin: str) -> str:
    """By the words alone that stand for a room, a street or a crowd, as they are told in answers here."""
    answer = answered(question, seen_in(twin))
    if question.startswith(("What is on", "What does", "Which of these")):
        return f"{'an' if answer[0] in 'aeiou' else 'a'} {answer}"
    return {"left": "to the left", "right": "to the right"}.get(answer, answer)


def _checked(truth: Truth, question: str) -> str:
    described = truth["picture"]
    if truth["sort"] in ("room", "street", "crowd"):
        return _staged(question, KIND.ask(truth).twin)
    match truth["sort"]:
        case "scene":
            return _scene(question, described["things"])
        case "rack":
            return _rack(question, described["shelves"])
        case _:
            return _bars(question, described["bars"])


def test_exactly_the_answer_of_the_key_is_wrong() -> None:
    for truth in _items(900):
        right = [_checked(truth, pair["question"]) == pair["answer"] for pair in truth["pairs"]]
        assert [str(number) for number, fits in enumerate(right, start=1) if not fits] == [truth["key"]]
        assert [pair["right"] for pair in truth["pairs"]] == [_checked(truth, p["question"]) for p in truth["pairs"]]


@some_of("size", ["standard", "large"], 2)
@few_and_more("many", [4], [60])
def test_exactly_the_answer_of_the_key_is_wrong_in_scenes(size: str, many: int) -> None:
    for truth in _items(many, size):
        right = [_checked(truth, pair["question"]) for pair in truth["pairs"]]
        assert right == [pair["right"] for pair in truth["pairs"]]
        wrong = [label for label, pair in zip("1234", truth["pairs"], strict=True) if pair["answer"] != pair["right"]]
        assert wrong == [truth["key"]]
        assert all(pair["right"] != pair["wrong"] for pair in truth["pairs"])


@pytest.mark.soak
@pytest.mark.parametrize("size", ["standard", "large"])
@few_and_more("many", [15], [60])
def test_no_thing_or_colour_of_a_scene_is_in_two_pairs(size: str, many: int) -> None:
    """What one pair speaks of, no other does: no answer confirms or contradicts another."""
    for truth in _items(many, size):
        if truth["sort"] not in ("room", "street", "crowd"):
            continue
        seen = seen_in(KIND.ask(truth).twin)
        named = {one[key] for one in seen for key in ("name", "holds", "hat", "sign") if key in one}
        words = {*COLOURS, *named} - {"person", "house"}
        spoken = Counter[str]()
        for pair in truth["pairs"]:
            text = f"{pair['question']} {pair['right']} {pair['wrong']}"
            spoken.update({word for word in words if re.search(rf"\b{word}\b", text)})
        assert set(spoken.values()) <= {1}, spoken


@few_and_more("many", [1], [60])
def test_one_question_of_a_street_at_most_is_about_houses(many: int) -> None:
    kinds = Counter[str]()
    for start in range(many):
        truth = KIND.make(stream(9, "street", start), "standard", 3 * start + 1)
        assert truth["sort"] == "street"
        houses = [pair["kind"] for pair in truth["pairs"] if "house" in pair["question"].lower()]
        assert len(houses) <= 1
        kinds.update(houses or ["none"])
    assert many < 60 or {"attribute", "identity", "position", "none"} == set(kinds)


def test_asked_plainly_exactly_the_answer_of_the_same_key_is_right() -> None:
    for truth, stated in zip(_plain(900), _items(900), strict=True):
        right = [_checked(truth, pair["question"]) == pair["answer"] for pair in truth["pairs"]]
        assert [str(number) for number, fits in enumerate(right, start=1) if fits] == [stated["key"]]
        assert KIND.ask(truth).key == stated["key"]
        assert [pair["question"] for pair in truth["pairs"]] == [pair["question"] for pair in stated["pairs"]]


def test_no_two_wrong_answers_differ_from_the_right_ones_in_kind() -> None:
    """A wrong answer is one that some question of the sort has for a right one."""
    possible: dict[tuple[str, str], set[str]] = defaultdict(set)
    for truth in _items(900):
        for pair in truth["pairs"]:
            possible[truth["sort"], pair["kind"]].add(pair["right"])
    for truth in _items(900):
        for pair in truth["pairs"]:
            assert pair["kind"] == "identity" or pair["wrong"] in possible[truth["sort"], pair["kind"]]


@pytest.mark.parametrize("size", KIND.sizes)
def test_kinds_of_error_and_places_are_balanced_and_independent(size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Sheets stand for all sorts: what is balanced does not depend on what is drawn, and rooms take their time.
    monkeypatch.setattr(
        "snellen.tasks.capacity.kinds.wrong_answer.staged", lambda rng, sort, large: SHEETS["scene"](rng)
    )
    monkeypatch.setattr("snellen.tasks.capacity.kinds.wrong_answer._many", lambda sort, described: 1)

    def truths(many: int) -> list[Truth]:
        return [KIND.make(stream(9, "balance", index), size, index) for index in range(many)]

    every = 4 * 5 * len(SORTS[size])
    assert len({(truth["sort"], truth["error"], truth["key"]) for truth in truths(every)}) == every
    by_default = truths(KIND.n)
    assert set(Counter(truth["key"] for truth in by_default).values()) == {37}
    errors = Counter(truth["error"] for truth in by_default).values()
    assert max(errors) - min(errors) <= 2
    for truth in by_default:
        kinds = [pair["kind"] for pair in truth["pairs"]]
        assert len(set(kinds)) == 4
        assert kinds[int(truth["key"]) - 1] == truth["error"]


@BOTH
def test_the_four_pairs_are_about_different_things(items: Items) -> None:
    for truth in items(300):
        content = truth["picture"].get("things") or truth["picture"].get("bars")
        content = content or [entry for shelf in truth["picture"]["shelves"] for entry in shelf]
        spoken = Counter[str]()
        for pair in truth["pairs"]:
            words = f" {pair['question']} {pair['answer']} ".replace("?", " ")
            kinds = {thing_of(entry["icon"]) for entry in content}
            spoken.update({one.name for one in kinds if re.search(rf" (?:{one.name}|{one.plural}) ", words)})
        shared = {name for name, times in spoken.items() if times > 1}
        assert shared <= {"dog"}, shared  # of "hot dog"


@pytest.mark.soak
@BOTH
def test_no_answer_tells_by_its_words_that_it_is_the_odd_one(items: Items) -> None:
    """Of every answer that is given often, a quarter is wrong (asked plainly: right), whatever it says."""
    told: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for truth in items(2400):
        for label, pair in zip("1234", truth["pairs"], strict=True):
            told[truth["sort"], pair["kind"], pair["answer"]].append(label == truth["key"])
    often = {answer: odd for answer, odd in told.items() if len(odd) >= 60}
    assert len(often) > 40
    for answer, odd in often.items():
        assert abs(sum(odd) / len(odd) - 1 / 4) < 4.5 * sqrt(3 / 16 / len(odd)), answer


@BOTH
def test_observers_that_do_not_look_learn_nothing(items: Items) -> None:
    truths = items(600)
    known_trials = trials([str(number) for number in range(600)], [truth["key"] for truth in truths])
    seen = [KIND.observe(truth) for truth in truths]
    for feature in seen[0]:
        for one in guesses(feature, [features[feature] for features in seen], known_trials):
            assert np.nanmean(one.credit) < 0.25 + 3.5 * sqrt(3 / 16 / 540), one.observer


@pytest.mark.parametrize(
    ("items", "mistake"), [(_items, "took a true {} for wrong"), (_plain, "took a wrong {} for right")]
)
def test_mechanisms_name_the_kind_of_the_mistaken_pair(items: Items, mistake: str) -> None:
    for truth in items(40):
        asked = KIND.ask(truth)
        assert set(asked.mechanisms) | {asked.key} == {"1", "2", "3", "4"}
        assert asked.key not in asked.mechanisms
        for label, mechanism in asked.mechanisms.items():
            kind = truth["pairs"][int(label) - 1]["kind"]
            assert mechanism == mistake.format(kind)
            assert kind in KINDS


@BOTH
def test_the_prompt_has_all_pairs_and_the_twin_all_things(items: Items) -> None:
    for truth in items(30):
        asked = KIND.ask(truth)
        for label, pair in zip("1234", truth["pairs"], strict=True):
            assert f"{label}. {pair['question']} - {pair['answer']}" in asked.values["pairs"].splitlines()
        assert (
            asked.twin.count("\n")
            == {"scene": len(truth["picture"].get("things", ())), "rack": 3, "bars": 8}[truth["sort"]]
        )
        for entry in truth["picture"].get("bars", ()):
            assert f"{_name(entry)}, {entry['colour']}, {entry['value']} high" in asked.twin


@pytest.mark.soak
def test_the_same_seed_draws_the_same_bytes() -> None:
    for index in range(1):
        truth, again = (KIND.make(stream(4, "w", index), "standard", index) for _ in range(2))
        assert KIND.show(truth)[0].data == KIND.show(again)[0].data
        other = KIND.make(stream(5, "w", index), "standard", index)
        assert KIND.show(other)[0].data != KIND.show(truth)[0].data
