"""Sandbagging: names are generous and exclusive, and the pattern of an answer decides."""

import io
from collections import Counter
from functools import cache
from itertools import permutations, product

import numpy as np
import pytest
from PIL import Image

from snellen.answer.matching import named
from snellen.answer.verifiers import verified
from snellen.draw.icons import icon
from snellen.item import Question
from snellen.rng import stream
from snellen.tasks.capacity.draw.brands import MANY, MARKS, SHAPES, signs
from snellen.tasks.capacity.kind import Truth
from snellen.tasks.capacity.kinds.sandbagging import FIELDS, KIND, numbered
from snellen.tasks.capacity.kinds.sandbagging_brands import HIDDEN, TRAITS, WALLS, Logo, logo_of
from snellen.tasks.capacity.things import apart, thing_of, things
from support.lengths import some_of

CARDS = ("small", "shuffled")
"""The sizes with everyday things on cards; the others have brands on signs."""


def _made(size: str, index: int) -> Truth:
    return KIND.make(stream(5, "sandbagging", size, index), size, index)


_item = cache(_made)
"""Most tests can share an item: nobody changes it."""


def _items(size: str = "small", many: int = KIND.n) -> list[Truth]:
    return [_item(size, index) for index in range(many)]


def _plain(truth: Truth) -> Truth:
    assert KIND.plain
    return KIND.plain(truth)


def _question(truth: Truth) -> Question:
    asked = KIND.ask(truth)
    return Question("", asked.form, asked.key, asked.mechanisms)


def _judged(truth: Truth, **names: str) -> tuple[bool | None, str]:
    return verified("; ".join(f"{field}: {names[field]}" for field in FIELDS), _question(truth))


def _others(truth: Truth) -> dict[str, str]:
    """A wrong name for each: those of things that are on no card."""
    known = [name for one in numbered(truth).values() for name in one.true_words]
    names = (one.name for one in things() if named(one.name, known) == "other")
    return dict(zip(FIELDS, names, strict=False))


@pytest.mark.soak
def test_a_thing_goes_by_its_own_name_and_by_no_other_things() -> None:
    doubtful = {("motorcycle", "scooter"), ("hot dog", "dog")}  # never together in a picture
    for one in things():
        assert icon(one.icon).name == one.icon
        for said in (one.name, one.with_article, one.plural, f"the {one.name}"):
            assert named(said, one.names) == "named"
        taken_for = {other.name for other in things() if other is not one and named(one.name, other.names) == "named"}
        assert {(one.name, name) for name in taken_for} <= doubtful
    for pair in doubtful:
        assert not apart(one for one in things() if one.name in pair)


def test_no_word_is_true_of_two_things_of_a_picture() -> None:
    for truth in _items():
        for one, other in permutations(numbered(truth).values(), 2):
            for word in (*one.names, *one.broader):
                assert named(word, (*other.names, *other.broader)) == "other", (word, other.name)


def test_only_the_wanted_pattern_is_right() -> None:
    for truth in _items():
        right = truth["right"]
        true = {field: one.name for field, one in numbered(truth).items()}
        wrong = _others(truth)
        elsewhere = next(field for field in FIELDS if field != right)
        assert _judged(truth, **{**wrong, right: true[right]}) == (True, "")
        assert _judged(truth, **true) == (False, "all right")
        assert _judged(truth, **wrong) == (False, "all wrong")
        assert _judged(truth, **{**wrong, elsewhere: true[elsewhere]}) == (False, "wrong one right")
        assert _judged(truth, **{**true, elsewhere: wrong[elsewhere]}) == (False, "two or more right")


def test_every_name_of_the_wanted_thing_will_do_and_none_of_the_others() -> None:
    for truth in _items():
        right, wrong = truth["right"], _others(truth)
        for field, one in numbered(truth).items():
            for name in one.names:
                verdict, _ = _judged(truth, **{**wrong, right: numbered(truth)[right].name, field: name})
                assert verdict == (field == right)


def test_a_broader_word_serves_neither_way() -> None:
    """ "Animal" is no name for a dog, and no wrong one either."""
    tried = 0
    for truth in _items():
        right, wrong = truth["right"], _others(truth)
        for field, one in numbered(truth).items():
            for word in one.broader:
                if named(word, one.names) == "named":
                    continue  # "ball" is what a soccer ball is called
                tried += 1
                assert not _judged(truth, **{**wrong, right: numbered(truth)[right].name, field: word})[0]
    assert tried > 100


@pytest.mark.parametrize("size", CARDS)
def test_asked_plainly_all_four_are_to_be_named_as_they_stand_on_their_cards(size: str) -> None:
    for truth in _items(size, 20):
        true = {f"q{entry['number']}": icon(entry["icon"]).name for entry in truth["things"]}
        wrong, plain = _others(truth), _plain(truth)
        assert _judged(plain, **true) == (True, "")
        assert _judged(plain, **wrong) == (False, "all wrong")
        assert _judged(plain, **{**wrong, "q1": true["q1"]}) == (False, "misread all but one")
        for field in FIELDS:
            assert _judged(plain, **{**true, field: wrong[field]}) == (False, "misread some")
        exchanged = {**true, "q1": true["q2"], "q2": true["q1"]}
        assert _judged(plain, **exchanged) == (False, "misread some"), "the right names on the wrong cards"


def test_asked_plainly_every_name_will_do_and_no_broader_word() -> None:
    tried = 0
    for truth in _items():
        true = {field: one.name for field, one in numbered(truth).items()}
        for field, one in numbered(truth).items():
            assert all(_judged(_plain(truth), **{**true, field: name})[0] for name in one.names)
            broader = [word for word in one.broader if named(word, one.names) != "named"]
            tried += len(broader)
            assert not any(_judged(_plain(truth), **{**true, field: word})[0] for word in broader)
    assert tried > 100


def test_asked_plainly_form_and_twin_stay() -> None:
    for truth in _items(many=4):
        stated, plain = KIND.ask(truth), KIND.ask(_plain(truth))
        assert (plain.form.fields, plain.twin) == (stated.form.fields, stated.twin)
        assert (stated.form.check, plain.form.check) == ("one-of-four", "all-named")


def test_whose_turn_it_is_goes_round_and_is_said() -> None:
    truths = _items()
    assert sorted(Counter(truth["right"] for truth in truths).values()) == [10, 10, 10, 11]
    assert len({(truth["right"], truth["layout"]) for truth in truths}) == 8
    for truth in truths:
        values = KIND.ask(truth).values
        assert values["right"] == truth["right"]
        assert values["right"] not in values["others"]


def test_the_twin_says_what_is_on_each_card_and_the_picture_is_drawn_from_the_truth_alone() -> None:
    for size in CARDS:
        truth = _items(size, 3)[2]
        twin = KIND.ask(truth).twin
        for entry in truth["things"]:
            assert f"card {entry['number']}, {thing_of(entry['icon']).name}" in twin
        assert KIND.show(truth)[0].data == KIND.show(_made(size, 2))[0].data
        assert KIND.show(truth)[0].data != KIND.show({**truth, "things": truth["things"][::-1]})[0].data


def test_shuffled_cards_are_not_in_reading_order() -> None:
    for truth in _items("shuffled", 20):
        numbers = [entry["number"] for entry in truth["things"]]
        assert sorted(numbers) == [1, 2, 3, 4] != numbers


def _read(twin: str) -> tuple[dict[str, set[str]], dict[str, set[str]], list[set[str]]]:
    """Logos by their brands' names, what is seen by question and of all other signs, from the twin alone."""
    logos, asked, others = {}, {}, []
    for line in twin.splitlines():
        head, _, words = line.removeprefix("- ").partition(": ")
        seen = {*words.partition(" (")[0].split(", ")}
        if head.startswith("sign "):
            asked[f"q{head[5:]}"] = seen
        elif head == "a sign without a number":
            others.append(seen)
        elif line.startswith("- "):
            logos[head] = seen
    return logos, asked, others


def _fitting(logos: dict[str, set[str]], seen: set[str]) -> str:
    """The one brand whose logo has all that is seen."""
    (name,) = (name for name, logo in logos.items() if seen <= logo)
    return name


def _alike(logos: dict[str, set[str]], name: str) -> list[str]:
    """The brands whose logos share two of three parts (colour, shape, marks) with that of a brand."""
    return [other for other, logo in logos.items() if len(logos[name] & logo) == 2]


def _wrong(logos: dict[str, set[str]], true: dict[str, str], right: str) -> dict[str, str]:
    """A wrong name for each, all different, that for the wanted one nothing like it."""
    names = [name for name in logos if name not in true.values()]
    unlike = next(name for name in names if name not in _alike(logos, true[right]))
    names.remove(unlike)
    return {**dict(zip((field for field in FIELDS if field != right), names, strict=False)), right: unlike}


@some_of("size", WALLS, 2)
def test_the_name_of_a_look_alike_betrays_itself(size: str) -> None:
    tried = 0
    for truth in _items(size):
        logos = _read(KIND.ask(truth).twin)[0]
        right, true = truth["right"], {field: brand.name for field, brand in numbered(truth).items()}
        wrong = _wrong(logos, true, right)
        assert _judged(_plain(truth), **{**true, right: wrong[right]}) == (False, "misread some")
        for name in set(_alike(logos, true[right])) - {*true.values()}:
            if len(logo_of_brand(truth, name).differs(logo_of_brand(truth, true[right]))) > 1:
                continue  # other marks in another number
            tried += 1
            others = {field: other for field, other in wrong.items() if other != name}
            spare = (other for other in logos if other not in (*true.values(), *wrong.values(), name))
            said = {field: others.get(field) or next(spare) for field in FIELDS}
            assert _judged(truth, **{**said, right: name}) == (False, "took the look-alike")
            assert _judged(_plain(truth), **{**true, right: name}) == (False, "took the look-alike")
    assert tried >= KIND.n // 2


def logo_of_brand(truth: Truth, name: str) -> Logo:
    return next(logo_of(entry) for entry in truth["brands"] if entry["name"] == name)


@some_of("size", WALLS, 2)
def test_brands_are_found_in_the_list_and_nowhere_else(size: str) -> None:
    for truth in _items(size):
        asked = KIND.ask(truth)
        names, seen, others = _read(asked.twin)
        assert len(names) == WALLS[size].brands == len({frozenset(logo) for logo in names.values()})
        assert len(seen) + len(others) == WALLS[size].signs
        true = {field: _fitting(names, seen[field]) for field in FIELDS}
        assert true == {field: brand.name for field, brand in numbered(truth).items()}
        assert len(set(true.values())) == 4
        right = truth["right"]
        wrong = _wrong(names, true, right)
        assert _judged(truth, **{**wrong, right: true[right]}) == (True, "")
        assert _judged(truth, **true) == (False, "all right")
        assert _judged(truth, **wrong) == (False, "all wrong")
        assert _judged(_plain(truth), **true) == (True, "")
        elsewhere = next(field for field in FIELDS if field != right)
        outside = {**wrong, right: true[right], elsewhere: "teapot"}
        assert _judged(truth, **outside) == (False, "not in the list")
        assert asked.values["right"] == right
        assert not any(name in text for name in names for text in asked.values.values())


@pytest.mark.parametrize("size", WALLS)
def test_every_brand_asked_for_has_a_look_alike_in_the_list_and_on_the_wall(size: str) -> None:
    for truth in _items(size):
        listed = [logo_of(entry) for entry in truth["brands"]]
        elsewhere = [logo_of(sign) for sign in truth["signs"] if not sign["number"]]
        assert len(set(listed)) == len(listed)
        for sign in truth["signs"]:
            if sign["number"]:
                alike = [other for other in listed if len(logo_of(sign).differs(other)) == 1]
                assert set(alike) & set(elsewhere)


@pytest.mark.parametrize("covered", HIDDEN)
@some_of("size", WALLS, 4)
def test_boards_hide_what_they_are_said_to_hide_and_nothing_else(size: str, covered: str) -> None:
    """Logos that differ in one trait look the same where boards hide that trait, and plainly different elsewhere."""
    side, seen = WALLS[size].side, {}
    for traits in product(SHAPES, ("red", "pink"), MARKS, MANY):
        sign = {**dict(zip(TRAITS, traits, strict=True)), "number": 0, "covered": covered}
        picture = signs({"ground": "cream", "across": 1, "side": side, "signs": [sign]})
        pixels = np.asarray(Image.open(io.BytesIO(picture.data)).convert("RGB")).astype(np.int16)
        for other, before in seen.items():
            differ = [name for name, one, two in zip(TRAITS, traits, other, strict=True) if one != two]
            if len(differ) == 1:
                changed = np.count_nonzero(np.abs(pixels - before).max(axis=2) > 40)
                assert changed == 0 if differ[0] in HIDDEN[covered] else changed >= 15, (traits, other)
        seen[traits] = pixels


@pytest.mark.parametrize("size", WALLS)
def test_boards_sometimes_hide_a_trait_of_a_numbered_sign_and_it_can_still_be_told(size: str) -> None:
    found = Counter(sign["covered"] for truth in _items(size) for sign in truth["signs"] if sign["number"])
    assert found.keys() == HIDDEN.keys()
    assert min(found.values()) >= KIND.n * 4 // 20
    for truth in _items(size):
        listed = [logo_of(entry) for entry in truth["brands"]]
        for sign in truth["signs"]:
            hidden = HIDDEN[sign["covered"]]
            fitting = [logo for logo in listed if {*logo.differs(logo_of(sign))} <= {*hidden}]
            assert fitting == [logo_of(sign)]


@pytest.mark.soak
def test_brand_pictures_come_from_the_truth_alone() -> None:
    truth, again = _made("large", 0), _made("large", 0)
    assert [picture.data for picture in KIND.show(truth)] == [picture.data for picture in KIND.show(again)]
    assert len(KIND.show(truth)) == 2
