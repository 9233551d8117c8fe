"""Sandbagging: names are generous and exclusive, and the pattern of an answer decides."""

import io
from collections import Counter
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import snellen.tasks.capacity.marks
from snellen.answer.matching import from_list, named
from snellen.answer.verifiers import verified
from snellen.draw.icons import icon
from snellen.item import Question
from snellen.rng import stream
from snellen.tasks.capacity.kind import Truth
from snellen.tasks.capacity.kinds.sandbagging import FIELDS, KIND, numbered
from snellen.tasks.capacity.kinds.sandbagging_marks import ASKED, WALLS, look_alikes
from snellen.tasks.capacity.marks import CLEAR, SIDE, SIDES, difference, marks, pixels, shown
from snellen.tasks.capacity.things import apart, thing_of, things
from support.lengths import few_and_more, some_of

CARDS = ("small", "shuffled")
"""The sizes with everyday things on cards; the others have marks on signs."""


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


def _read(twin: str) -> tuple[dict[str, str], list[str]]:
    """The marks by question and those of all other signs, from the twin alone."""
    asked, others = {}, []
    for line in twin.splitlines()[1:]:
        head, _, words = line.removeprefix("- ").partition(": ")
        mark = words.partition(" (")[0]
        if head.startswith("sign "):
            asked[f"q{head[5:]}"] = mark
        else:
            assert head == "a sign without a number"
            others.append(mark)
    return asked, others


def _listed(truth: Truth) -> list[str]:
    """The list as the prompt has it."""
    words = KIND.ask(truth).values["naming"]
    return words.partition(": ")[2].partition(". Fillers")[0].split("; ")


def _wrong(truth: Truth) -> dict[str, str]:
    """A wrong name for each, all different, that for the wanted one nothing like it."""
    true = _read(KIND.ask(truth).twin)[0]
    names = [name for name in _listed(truth) if name not in true.values()]
    unlike = next(name for name in names if name not in look_alikes(true[truth["right"]], names))
    names.remove(unlike)
    others = (field for field in FIELDS if field != truth["right"])
    return {**dict(zip(others, names, strict=False)), truth["right"]: unlike}


def test_every_name_of_a_mark_is_read_as_that_mark_whatever_is_listed() -> None:
    listed = list(marks())
    assert len(listed) > 200
    for mark in marks().values():
        for said in (mark.name, mark.name.upper(), f"the {mark.name} sign"):
            assert from_list(said, listed) == mark.name
        assert not any(other in listed for other in mark.also)
    assert len({name.casefold() for mark in marks().values() for name in mark.names}) == sum(
        len(mark.names) for mark in marks().values()
    )


def test_every_mark_has_its_drawing_and_its_line_in_notice_and_page() -> None:
    folder = Path(snellen.tasks.capacity.marks.__file__).parent
    notice = (folder / "NOTICE").read_text(encoding="utf-8")
    page = Path("docs/marks.md").read_text(encoding="utf-8")
    assert "Public Domain" in notice
    assert "Public Domain" in page
    assert all("GINETEX" in told for told in (notice, page))
    assert (folder / "marks.zip").stat().st_size < 400_000
    for mark in marks().values():
        assert pixels(mark.name).shape == (SIDE, SIDE, 3)
        assert f"\n- {mark.name}: " in notice
        assert f"\n| {mark.name} " in page


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("wash at 30°", "wash at 30 °C"),
        ("wash at 40C", "wash at 40 °C"),
        ("wsh at 40 °C", "wash at 40 °C"),
        ("wash at 60 °C", "wash at 60 °C"),
        ("wash at °C", "wash at °C"),
    ],
)
def test_another_number_is_no_slip_of_the_pen(said: str, meant: str) -> None:
    assert from_list(said, ["wash at 30 °C", "do not wash", "wash at 40 °C"]) == meant


def test_any_two_care_marks_differ_clearly() -> None:
    """They are drawn by ourselves: nobody else saw to it."""
    own = [name for name, mark in marks().items() if mark.family == "care"]
    assert len(own) > 24
    assert all(difference(name, other) >= CLEAR for name, other in combinations(own, 2))


@few_and_more("side", [""], SIDES)
def test_marks_differ_by_a_count_of_pixels_that_does_not_use_theirs(side: str) -> None:
    """Differences are counted anew, shift by shift."""
    rows, columns = shown(side)
    for family in {mark.family for mark in marks().values()}:
        own = [name for name, mark in marks().items() if mark.family == family][:9]
        for name, other in combinations(own, 2):
            one = pixels(name).astype(int)[rows, columns]
            two = np.pad(pixels(other).astype(int), ((2, 2), (2, 2), (0, 0)), "edge")
            near = np.array([two[d : d + SIDE, r : r + SIDE][rows, columns] for d, r in product(range(5), repeat=2)])
            beyond = ((one < near.min(axis=0) - 48) | (one > near.max(axis=0) + 48)).any(axis=2)
            assert difference(name, other, side) >= np.count_nonzero(beyond)
            assert side or difference(name, other) >= CLEAR


@some_of("size", WALLS, 2)
def test_the_name_of_a_look_alike_betrays_itself(size: str) -> None:
    for truth in _items(size):
        right, true, wrong = truth["right"], _read(KIND.ask(truth).twin)[0], _wrong(truth)
        assert _judged(_plain(truth), **{**true, right: wrong[right]}) == (False, "misread some")
        for name in set(look_alikes(true[right], _listed(truth))) - {*true.values()}:
            others = {field: other for field, other in wrong.items() if other != name}
            spare = (other for other in _listed(truth) if other not in (*true.values(), *wrong.values(), name))
            said = {field: others.get(field) or next(spare) for field in FIELDS}
            assert _judged(truth, **{**said, right: name}) == (False, "took the look-alike")
            assert _judged(_plain(truth), **{**true, right: name}) == (False, "took the look-alike")


@some_of("size", WALLS, 2)
def test_marks_are_named_as_they_stand_on_the_wall_and_from_the_list_alone(size: str) -> None:
    for truth in _items(size):
        asked = KIND.ask(truth)
        true, others = _read(asked.twin)
        names = _listed(truth)
        assert len(names) == ASKED * WALLS[size].names == len(set(names))
        assert len(true) + len(others) == WALLS[size].signs == len({*true.values(), *others})
        assert {*true.values(), *others} <= {*names}
        assert true == {field: mark.name for field, mark in numbered(truth).items()}
        right, wrong = truth["right"], _wrong(truth)
        assert _judged(truth, **{**wrong, right: true[right]}) == (True, "")
        assert _judged(truth, **true) == (False, "all right")
        assert _judged(truth, **wrong) == (False, "all wrong")
        assert _judged(_plain(truth), **true) == (True, "")
        elsewhere = next(field for field in FIELDS if field != right)
        outside = {**wrong, right: true[right], elsewhere: "teapot"}
        assert _judged(truth, **outside) == (False, "not in the list")
        assert asked.values["right"] == right


@pytest.mark.parametrize("size", WALLS)
def test_the_four_are_of_four_families_with_equally_many_names_and_a_look_alike_on_the_wall(size: str) -> None:
    for truth in _items(size):
        families = Counter(marks()[name].family for name in truth["listed"])
        assert {*families.values()} == {WALLS[size].names}
        asked = [mark.name for mark in numbered(truth).values()]
        assert {marks()[name].family for name in asked} == {*families}
        elsewhere = [sign["mark"] for sign in truth["signs"] if not sign["number"]]
        assert all(look_alikes(name, elsewhere) for name in asked)


@pytest.mark.parametrize("size", WALLS)
def test_boards_leave_what_tells_a_mark_from_the_rest_of_the_list(size: str) -> None:
    found = Counter(sign["covered"] for truth in _items(size) for sign in truth["signs"] if sign["number"])
    assert found.keys() == {"", *SIDES}
    for truth in _items(size, 12):
        for sign in truth["signs"]:
            others = [name for name in truth["listed"] if name != sign["mark"]]
            assert all(difference(sign["mark"], other, sign["covered"]) >= CLEAR for other in others)


def test_a_wall_shows_each_mark_pixel_by_pixel_but_for_what_a_board_hides() -> None:
    for truth in _items("standard", 6):
        page = np.asarray(Image.open(io.BytesIO(KIND.show(truth)[0].data)).convert("RGB")).astype(int)
        for place, sign in enumerate(truth["signs"]):
            row, column = divmod(place, truth["across"])
            top, left = (15 + 18 + 14 + step * 160 for step in (row, column))
            rows, columns = shown(sign["covered"])
            away = np.abs(page[top : top + SIDE, left : left + SIDE] - pixels(sign["mark"]))[rows, columns].max(axis=2)
            # A board reaches a pixel's rounding further; colours are cut to six bits and to 256 in all.
            assert np.mean(away > 40) < 0.02, sign


@pytest.mark.soak
def test_walls_come_from_the_truth_alone() -> None:
    truth, again = _made("large", 0), _made("large", 0)
    assert [picture.data for picture in KIND.show(truth)] == [picture.data for picture in KIND.show(again)]
