"""Answers of several parts: read from whatever models write, whole or not at all, compared part by part."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.answer import mark, read
from snellen.answer.field_values import plain_number
from snellen.answer.fields import spelled, values_of
from snellen.item import Condition, Field, Form, Item, Question, Stimulus
from snellen.tasks.rows import factors_of, from_row, to_row
from support.lengths import examples


def form(*fields: Field) -> Form:
    return Form("fields", fields=fields)


MAP = tuple("ABCDEFG")
COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
PHOTOS = form(Field("photo 1", "label", MAP), Field("photo 2", "label", MAP))
UNBLOCK = form(Field("moves", "number"), Field("blocks", "set", tuple("abcdefgh")))
MAZE = form(Field("digits", "set", tuple("123456789")))
ROOM = form(Field("chairs", "number"), Field("tables", "number"))
CHART = form(Field("Q1", "number"), Field("Q2", "number"), Field("Q3", "number"))
FLAT = form(Field("lamp", "label", COMPASS), Field("sofa", "label", COMPASS))
JIGSAW = form(*(Field(f"slot {k}", "label", tuple("ABCDE")) for k in (1, 2, 3)))
LETTERED = form(*(Field(f"slot {k}", "label", tuple("1234567")) for k in "ABC"))
THINGS = form(*(Field(f"thing {k}", "text") for k in (1, 2, 3, 4)))
ONE_WAY = form(Field("direction", "label", COMPASS))
ONE_NUMBER = form(Field("total", "number"))

CF = "photo 1: C; photo 2: F"
PHOTO_REPLIES = [
    "Answer:\nphoto 1: C\nphoto 2: F",
    CF,
    "**Answer:**\n- **Photo 1**: C\n- **Photo 2**: F",
    '```json\n{"photo 1": "C", "photo 2": "F"}\n```',
    '{"photo_1":"C","photo_2":"F"}',
    '{"Photo1": "c", "Photo2": "f"}',
    '{"answer": {"photo 1": "C", "photo 2": "F"}}',
    '{"answer": ["C", "F"]}',
    "Photos 1 and 2 correspond to positions C and F.",
    "Photos 1 and 2 correspond to positions C and F respectively.",
    "The tower is left. Hence photo 1 and photo 2 correspond to C and F, respectively.",
    "(C, F)",
    "C, F",
    "C F",
    "c,f",
    "C/F",
    "[C, F]",
    "C; F",
    "Positions C and F",
    "Answer: (C, F)",
    "Answer:\nC\nF",
    "The answer is C and F.",
    r"\boxed{C, F}",
    r"Thus \boxed{(\text{C}, \text{F})}",
    "Answer: photo 1: \\boxed{C}, photo 2: \\boxed{F}",
    "Answer:\n\\[\n\\boxed{\\text{photo 1: C, photo 2: F}}\n\\]",
    "| photo | position |\n|---|---|\n| 1 | C |\n| 2 | F |",
    "| photo 1 | photo 2 |\n|---|---|\n| C | F |",
    "| Photo | Landmark | Position |\n|---|---|---|\n| Photo 1 | a church | C |\n| Photo 2 | a tall tower | F |",
    "1 -> C\n2 -> F",
    "1 → C, 2 → F",
    "1. C\n2. F",
    "1: C; 2: F",
    "Answer: 1-C, 2-F",
    "(1) C (2) F",
    "photo 1 = C\nphoto 2 = F",
    "Photo #1: C\nPhoto #2: F",
    "Photo 1 (church): C\nPhoto 2 (lake): F",
    "photo 1 : c\nphoto 2 : f",
    "photo 1: C photo 2: F",
    "Photo 1 → Position C\nPhoto 2 → Position F",
    "Photo 1 is at position C, and photo 2 is at position F.",
    "Photo 1 was taken from C and photo 2 from F.",
    "Photo 1 matches candidate C.\nPhoto 2 matches candidate F.",
    "I think photo 1 corresponds to C, while photo 2 corresponds to F.",
    "C -> photo 1, F -> photo 2",
    "Answer: C for photo 1 and F for photo 2",
    "Answer:\nphoto 1: C (the church is on the left)\nphoto 2: F - the tower is near",
    "<answer>photo 1: C\nphoto 2: F</answer>",
    "<think>photo 1: A; photo 2: B</think>\nphoto 1: C\nphoto 2: F",
    "Ｐhoto 1： Ｃ\nPhoto 2： F",
    "photo 1: С\nphoto 2: F",
    "Photo 1 might be D.\nPhoto 2 might be E.\n\nAnswer:\nphoto 1: C\nphoto 2: F",
    "First: photo 1: A, photo 2: B. But then the church is wrong. Second: photo 1: C, photo 2: F",
    "Answer format:\nphoto 1: X\nphoto 2: Y\n\nAnswer:\nphoto 1: C\nphoto 2: F",
    "### Final Answer\n**photo 1: C**\n**photo 2: F**\n\nI hope this answer is helpful.",
    "Photo 1: C\nThe church stands to the left here, as on the map.\n\nPhoto 2: F\nThe tower is near.",
    "Answer:\nPhoto 1: C\nPhoto 2: F\n\nExplanation: In photo 1 the church is to the left, and photo 2 is by the lake.",
]

BC = "moves: 3; blocks: b c"
OTHER_REPLIES = [
    (UNBLOCK, "Answer:\nmoves: 3\nblocks: b, c", BC),
    (UNBLOCK, "moves = 3; blocks = b, c", BC),
    (UNBLOCK, "moves: 3, blocks: {b, c}", BC),
    (UNBLOCK, '{"moves": 3, "blocks": ["b", "c"]}', BC),
    (UNBLOCK, '```json\n{\n  "blocks": [\n    "c",\n    "b"\n  ],\n  "moves": "3"\n}\n```', BC),
    (UNBLOCK, "Answer: 3 moves; blocks b and c", BC),
    (UNBLOCK, "3 moves with blocks b and c", BC),
    (UNBLOCK, "The minimum number of moves is 3 and the blocks that must be moved are b and c.", BC),
    (UNBLOCK, "**Minimum moves:** 3  \n**Blocks moved:** {b, c}", BC),
    (UNBLOCK, "Answer:\nmoves: three\nblocks: B C", BC),
    (UNBLOCK, "Answer:\nmoves: 3 moves\nblocks: b and c (excluding the red block)", BC),
    (UNBLOCK, "Answer: 3; b, c", BC),
    (UNBLOCK, "Answer:\nmoves: 3\nblocks:\n- b\n- c", BC),
    (UNBLOCK, "Answer:\nmoves: 2 + 1 = 3\nblocks: b→c", BC),
    (UNBLOCK, "Answer:\nmoves: 3 (b up, c left, red out)\nblocks: [b; c]", BC),
    (UNBLOCK, "Answer:\nmoves: 3\nblocks: bc", BC),
    (UNBLOCK, "Answer:\nmoves: 3\nblocks: Block b (up), Block c (left)", BC),
    (UNBLOCK, "Step 1: b moves up.\nStep 2: c moves left.\nMoves: 3\nBlocks: b, c\n", BC),
    (UNBLOCK, "Answer:\nmoves: 1\nblocks: []", "moves: 1; blocks: none"),
    (MAZE, "Answer: 1, 4, 7", "digits: 1 4 7"),
    (MAZE, "147", "digits: 1 4 7"),
    (MAZE, "Answer: 7 4 1", "digits: 1 4 7"),
    (MAZE, "digits: 1, 4, 7", "digits: 1 4 7"),
    (MAZE, "Digits on path: 1, 4, 7", "digits: 1 4 7"),
    (MAZE, "The digits on the shortest path are 1, 4 and 7.", "digits: 1 4 7"),
    (MAZE, "The digits are 1, 4, 7 in ascending order.", "digits: 1 4 7"),
    (MAZE, r"\boxed{1,4,7}", "digits: 1 4 7"),
    (MAZE, "Answer: 1 → 4 → 7", "digits: 1 4 7"),
    (MAZE, "Answer: 1-4-7", "digits: 1 4 7"),
    (MAZE, "Answer: {1, 4, 7}", "digits: 1 4 7"),
    (MAZE, "digits: none", "digits: none"),
    (MAZE, "From the start I pass a 4, then a 1. " * 9 + "\n\n1, 4, 7", "digits: 1 4 7"),
    (ROOM, "There are 4 chairs and 3 tables.", "chairs: 4; tables: 3"),
    (ROOM, "Answer: 4 chairs, 3 tables", "chairs: 4; tables: 3"),
    (ROOM, "Answer: 4,3", "chairs: 4; tables: 3"),
    (ROOM, "Number of chairs: four\nNumber of tables: three", "chairs: 4; tables: 3"),
    (ROOM, "chairs: 4 (2 in view 1, 2 in view 3)\ntables: 3\n\nTotal: 7", "chairs: 4; tables: 3"),
    (ROOM, "Total chairs = 4 + 0 = 4, total tables = 3", "chairs: 4; tables: 3"),
    (ROOM, "Answer: chairs: ~4, tables: about 3", "chairs: 4; tables: 3"),
    (ROOM, "View 1 has 2 chairs. Without doubles there are 5.\nAnswer:\nchairs: 4\ntables: 3", "chairs: 4; tables: 3"),
    (CHART, "Q1: 12,5 %\nQ2: 1,234\nQ3: 1 234,5", "Q1: 12.5; Q2: 1234; Q3: 1234.5"),
    (CHART, "Q1: 12.5 units\nQ2: 3 mm\nQ3: €7.20", "Q1: 12.5; Q2: 3; Q3: 7.2"),
    (CHART, "| | Q1 | Q2 | Q3 |\n|---|---|---|---|\n| Sales | 12.5% | 30 | 7 |", "Q1: 12.5; Q2: 30; Q3: 7"),
    (CHART, "| Quarter | Value |\n|---|---|\n| Q1 | 12.50 |\n| Q2 | 30 |\n| Q3 | $7 |", "Q1: 12.5; Q2: 30; Q3: 7"),
    (CHART, "Answer: 12.5, 30, 7", "Q1: 12.5; Q2: 30; Q3: 7"),
    (CHART, "Q1: 10 × 2 = 20\nQ2: 3\nQ3: -7", "Q1: 20; Q2: 3; Q3: -7"),
    (FLAT, "lamp: North-East\nsofa: SW", "lamp: northeast; sofa: southwest"),
    (FLAT, "The lamp faces north east and the sofa faces the southwest.", "lamp: northeast; sofa: southwest"),
    (FLAT, "Answer: northeast, southwest", "lamp: northeast; sofa: southwest"),
    (FLAT, "lamp: to the north\nsofa: due south", "lamp: north; sofa: south"),
    (JIGSAW, "B, A, E", "slot 1: B; slot 2: A; slot 3: E"),
    (
        JIGSAW,
        "Piece B goes into slot 1, piece A into slot 2, piece E belongs in slot 3.",
        "slot 1: B; slot 2: A; slot 3: E",
    ),
    (JIGSAW, "Piece A → slot 2\nPiece B → slot 1\nPiece E → slot 3\n(C is extra)", "slot 1: B; slot 2: A; slot 3: E"),
    (
        JIGSAW,
        '[{"slot": 1, "piece": "B"}, {"slot": 2, "piece": "A"}, {"slot": 3, "piece": "E"}]',
        "slot 1: B; slot 2: A; slot 3: E",
    ),
    (
        JIGSAW,
        "| Slot | Piece |\n|:--:|:--:|\n| **1** | B |\n| **2** | A |\n| **3** | E |",
        "slot 1: B; slot 2: A; slot 3: E",
    ),
    (JIGSAW, "slot 1: B\nslot 2: A\nslot 3: E\nUnused: C, D", "slot 1: B; slot 2: A; slot 3: E"),
    (LETTERED, "A→3, B→1, C→7", "slot A: 3; slot B: 1; slot C: 7"),
    (LETTERED, "| A | 3 |\n| B | 1 |\n| C | 7 |", "slot A: 3; slot B: 1; slot C: 7"),
    (
        THINGS,
        "Answer:\n1. Apple\n2. Dog\n3. Cat\n4. House",
        "thing 1: Apple; thing 2: Dog; thing 3: Cat; thing 4: House",
    ),
    (
        THINGS,
        '{"thing 1": "an apple", "thing 2": "dog", "thing 3": "cat", "thing 4": "the Eiffel Tower, Paris"}',
        "thing 1: an apple; thing 2: dog; thing 3: cat; thing 4: the Eiffel Tower, Paris",
    ),
    (ONE_WAY, "Answer: north", "direction: north"),
    (ONE_WAY, "It is northeast.", "direction: northeast"),
    (ONE_WAY, "The answer is South-West.", "direction: southwest"),
    (ONE_NUMBER, "Answer: 1,234.5 km", "total: 1234.5"),
    (ONE_NUMBER, "The total is 12,5 kg.", "total: 12.5"),
    (ONE_NUMBER, "There are 12.", "total: 12"),
]


TOWNS = form(*(Field(f"{town}, {what}", "number") for town in ("Alden", "Farrow") for what in ("hotels", "huts")))
BEFORE = "| | hotels | huts |\n|---|---|---|\n| Alden | 1 | 2 |\n| Farrow | 3 | 4 |\n\nAfter the change:\n\n"
TOWN_REPLIES = [
    "Answer:\nAlden, hotels: 10\nAlden, huts: 11.5\nFarrow, hotels: 37\nFarrow, huts: 19",
    "Alden (hotels) = 10; Alden (huts) = 11.5; Farrow (hotels) = 37; Farrow (huts) = 19",
    "| | hotels | huts |\n|---|---|---|\n| Alden | 10 | 11.5 |\n| Farrow | 37 | 19 |",
    BEFORE + "| | hotels | huts |\n|---|---|---|\n| Alden | 10 | 11.5 |\n| Farrow | 37 | 19 |",
    BEFORE + "| | Alden | Farrow |\n|---|---|---|\n| hotels | 10 | 37 |\n| huts | 11.5 | 19 |",
    '{"Alden": {"hotels": 10, "huts": 11.5}, "Farrow": {"hotels": 37, "huts": 19}}',
    "Answer:\n**Alden:**\n- hotels: 10\n- huts: 11.5\n\n**Farrow:**\n- hotels: 37\n- huts: 19",
    "Answer: 10, 11.5, 37, 19",
]


@pytest.mark.parametrize("text", TOWN_REPLIES)
def test_parts_with_two_names_are_read_from_rows_and_columns(text: str) -> None:
    assert read(text, TOWNS).answer == "Alden, hotels: 10; Alden, huts: 11.5; Farrow, hotels: 37; Farrow, huts: 19"


@pytest.mark.parametrize("text", PHOTO_REPLIES)
def test_two_photos_are_read(text: str) -> None:
    reading = read(text, PHOTOS)
    assert reading.answer == CF
    assert reading.how
    start, end = reading.span
    assert 0 <= start < end <= len(text)


@pytest.mark.parametrize(("asked", "text", "answer"), OTHER_REPLIES)
def test_other_forms_are_read(asked: Form, text: str, answer: str | None) -> None:
    assert (read(text, asked).answer or None) == answer


UNREAD = [
    (PHOTOS, "photo 1: C or D\nphoto 2: F"),
    (PHOTOS, "photo 1: C/D\nphoto 2: F"),
    (PHOTOS, "photo 1: C"),
    (PHOTOS, "photo 1: C?\nphoto 2: F"),
    (PHOTOS, "photo 1: H\nphoto 2: F"),
    (PHOTOS, "photo 1: not sure\nphoto 2: F"),
    (PHOTOS, "photo 1:\nphoto 2:"),
    (PHOTOS, "Answer:\nphoto 1: C\nphoto 1: D\nphoto 2: F"),
    (PHOTOS, "photo 1: C\nphoto 2: F\nSo photo 2: G"),
    (PHOTOS, "Answer:\nphoto 1: C\nphoto 2: F\n\nNote: photo 1: could also be D."),
    (PHOTOS, "photo 1: C, photo 2: F. Wait, let me recheck."),
    (PHOTOS, "If photo 1 is C, then photo 2 is F."),
    (PHOTOS, "photo 1: A; photo 2: B is what I thought.\nAnswer: photo 1: C"),
    (PHOTOS, "photo 1: A; photo 2: B is what I thought.\nAnswer: neither"),
    (PHOTOS, "Answer: photo 1: <letter>; photo 2: <letter>"),
    (PHOTOS, "Both photos: C"),
    (PHOTOS, "C"),
    (PHOTOS, "C, F, G"),
    (PHOTOS, "Answer: C or F"),
    (PHOTOS, ""),
    (PHOTOS, "Answer:"),
    (UNBLOCK, "moves: 3 or 4\nblocks: b c"),
    (UNBLOCK, "moves: 3-4\nblocks: b c"),
    (UNBLOCK, "moves: 3\nblocks: b or c"),
    (UNBLOCK, "moves: 3\nblocks: b z"),
    (UNBLOCK, "moves: 3\nblocks:"),
    (UNBLOCK, "moves: 3\nblocks: b, c, and the red block"),
    (UNBLOCK, "3 moves: b, c"),
    (MAZE, "none"),
    (MAZE, "Answer: 1-4"),
    (MAZE, "Answer: 0, 1"),
    (MAZE, "Answer: 10"),
    (MAZE, "Answer: 1 4 or 7"),
    (MAZE, "Step 1: go right. Step 2: down. Reached digit 4."),
    (ROOM, "View 1 has 2 chairs and 1 table. View 2 has 3 chairs and 2 tables."),
    (ROOM, "chairs: 0\ntables: no tables"),
    (CHART, "Q1: 5 million, Q2: 3, Q3: 4"),
    (CHART, "Q1: 10^4\nQ2: 3\nQ3: 7"),
    (CHART, "Q1: 1/2\nQ2: 3\nQ3: 7"),
    (CHART, "Q1: 12.5 -> 25\nQ2: 3\nQ3: 7"),
    (FLAT, "lamp: north-northeast\nsofa: south"),
    (FLAT, "lamp: north or northeast\nsofa: west"),
    (FLAT, "The lamp is north of the sofa."),
    (JIGSAW, "BAE"),
    (ONE_WAY, "north or south"),
    (ONE_NUMBER, "total: 3\ntotal: 4"),
]


@pytest.mark.parametrize(("asked", "text"), UNREAD)
def test_what_is_incomplete_open_or_contradictory_is_unread(asked: Form, text: str) -> None:
    reading = read(text, asked)
    assert (reading.answer, reading.reason, reading.span) == ("", "unparsable", (0, 0))


def test_unread_says_why() -> None:
    assert read("I'm sorry, I cannot help with that.", PHOTOS).reason == "refused"
    assert read(CF, PHOTOS, "refused").reason == "refused"
    assert read("Answer:\nphoto 1: C", PHOTOS, "length").reason == "truncated"
    assert read("Answer:\nphoto 1: C\nphoto 2: F", PHOTOS, "length").reason == "truncated", "F might have gone on"
    assert read("Answer:\nphoto 1: C\nphoto 2: F\nBecause", PHOTOS, "length").answer == CF
    assert read('{"photo 1": "C", "photo 2": "F"}', PHOTOS, "length").answer == CF
    assert read("Answer:\nQ1: 1\nQ2: 2\nQ3: 1.", CHART, "length").reason == "truncated"


def test_the_evidence_is_shown_in_the_raw_reply() -> None:
    text = "The church is left.\n\n**Answer:**\n**photo 1**: C\n**photo 2**: F\n\nGood luck."
    start, end = read(text, PHOTOS).span
    assert text[start:end].strip("*") == "photo 1**: C\n**photo 2**: F"


# Comparing


@pytest.mark.parametrize(
    ("key", "said", "right"),
    [
        ("12", "12", True),
        ("12", "12.0", True),
        ("12", "12.4", False),
        ("12", "13", False),
        ("1234567", "1234568", False),
        ("12.5", "12.5", True),
        ("12.5", "12.54", True),
        ("12.5", "12.45", True),
        ("12.5", "12.56", False),
        ("12.5", "12", False),
        ("33.33", "33.3333", True),
        ("33.3", "33.33333333", True),
        ("12.50", "12.51", False),
        ("0.1", "0.05", True),
        ("-3", "3", False),
        ("1234.5", "1,234.5", True),
    ],
)
def test_numbers_are_as_exact_as_the_key(key: str, said: str, right: bool) -> None:
    verdict = mark(f"Answer:\nQ1: {said}\nQ2: 3\nQ3: 4", Question("", CHART, f"Q1: {key}; Q2: 3; Q3: 4"))
    assert verdict.outcome == ("right" if right else "wrong")


def test_right_only_if_every_field_is_and_also_gives_whole_answers() -> None:
    question = Question("", UNBLOCK, "moves: 3; blocks: b c", also=("moves: 3; blocks: a d",))
    outcomes = {
        text: mark(text, question).outcome
        for text in (
            "moves: 3; blocks: c, b",
            "moves: 3; blocks: d a",
            "moves: 3; blocks: b d",
            "moves: 4; blocks: b c",
        )
    }
    assert list(outcomes.values()) == ["right", "right", "wrong", "wrong"]


def test_texts_are_compared_as_other_texts_are() -> None:
    question = Question("", form(Field("name", "text"), Field("place", "text")), "name: Ada Lovelace; place: London")
    assert mark("name: ada  lovelace.\nplace: LONDON", question).outcome == "right"
    assert mark("name: Ada\nplace: London", question).outcome == "wrong"


MECHANISMS = {
    "photo 1=D": "mirrored",
    "photo 2=G": "mirrored",
    "photo 2=A": "rotated",
    "photo 1: E; photo 2: E": "same for both",
}


@pytest.mark.parametrize(
    ("said", "mechanism"),
    [
        ("photo 1: D; photo 2: F", "mirrored"),
        ("photo 1: C; photo 2: G", "mirrored"),
        ("photo 1: D; photo 2: G", "mirrored"),
        ("photo 1: C; photo 2: A", "rotated"),
        ("photo 1: D; photo 2: A", ""),
        ("photo 1: D; photo 2: B", ""),
        ("photo 1: B; photo 2: F", ""),
        ("photo 1: E; photo 2: E", "same for both"),
    ],
)
def test_the_wrong_fields_betray_a_mechanism_if_they_agree(said: str, mechanism: str) -> None:
    verdict = mark(said, Question("", PHOTOS, CF, MECHANISMS))
    assert (verdict.outcome, verdict.mechanism) == ("wrong", mechanism)


def test_mechanisms_of_numbers_and_sets() -> None:
    mechanisms = {"moves=4": "off by one move", "blocks=a b c": "extra block"}
    question = Question("", UNBLOCK, "moves: 3; blocks: b c", mechanisms)
    assert mark("moves: 4.0\nblocks: c b", question).mechanism == "off by one move"
    assert mark("moves: 3\nblocks: c, b, a", question).mechanism == "extra block"
    assert mark("moves: 4\nblocks: c, b, a", question).mechanism == ""


# What holds for any answer

SAID = [
    lambda values: "Answer:\n" + "\n".join(f"{name}: {value}" for name, value in values.items()),
    lambda values: "; ".join(f"{name}: {value}" for name, value in values.items()),
    lambda values: "{" + ", ".join(f'"{name}": "{value}"' for name, value in values.items()) + "}",
    lambda values: "| what | answer |\n|---|---|\n" + "\n".join(f"| {n} | {v} |" for n, v in values.items()),
    lambda values: "Hm.\n\n" + "\n".join(f"* **{n.upper()}** = `{v}`" for n, v in values.items()) + "\n\nThat is all.",
    lambda values: "The answer is " + ", ".join(f"{name}: {value}" for name, value in values.items()) + ".",
]


@st.composite
def answers(draw: st.DrawFn) -> tuple[Form, dict[str, str]]:
    asked = draw(st.sampled_from([PHOTOS, UNBLOCK, MAZE, ROOM, CHART, FLAT, JIGSAW, LETTERED, ONE_WAY, ONE_NUMBER]))
    values = {}
    for field in asked.fields:
        if field.kind == "label":
            values[field.name] = draw(st.sampled_from(field.labels))
        elif field.kind == "set":
            chosen = draw(st.sets(st.sampled_from(field.labels), min_size=1))
            values[field.name] = " ".join(label for label in field.labels if label in chosen)
        else:
            number = draw(st.integers(-10_000, 10_000)) / draw(st.sampled_from([1, 10, 100]))
            values[field.name] = plain_number(f"{number:.2f}") or ""
    return asked, values


@examples(40, 150)
@given(answers(), st.sampled_from(SAID))
def test_any_answer_in_any_dress_is_read_and_right(answer, said) -> None:
    asked, values = answer
    text, key = said(values), spelled(values, asked)
    verdict = mark(text, Question("", asked, key))
    assert (verdict.reading.answer, verdict.outcome) == (key, "right")
    assert values_of(key, asked) == values


@examples(40, 150)
@given(st.text(st.sampled_from('photo 12moves:;=|-\n.,CFabc(){}[]"?Answer is and or'), max_size=120), st.booleans())
def test_any_reply_is_read_within_bounds_or_unread(text: str, cut: bool) -> None:
    for asked in (PHOTOS, UNBLOCK, MAZE, THINGS, ONE_NUMBER):
        reading = read(text, asked, "length" if cut else "stop")
        assert bool(reading.answer) != bool(reading.reason)
        assert 0 <= reading.span[0] <= reading.span[1] <= len(text)
        if reading.answer:
            assert values_of(reading.answer, asked), "the answer is in canonical spelling"


MONSTERS = ["photo 1 is not here and so on ", "1, 2, 3, 4 ", "answer: photo 1 ", "| photo 1 | C ", "((((", "photo 1:\n"]
MONSTERS += ["photo 1 and photo ", "9", "4 chairs and ", "moves = ", "{", "blocks b c a ", "photo 1: C, photo 2: F\n"]


@pytest.mark.parametrize("unit", MONSTERS)
def test_monstrous_replies_are_read_or_unread_like_any_other(unit: str) -> None:
    text = unit * (50_000 // len(unit))
    for asked in (PHOTOS, UNBLOCK):
        reading = read(text, asked)
        assert bool(reading.answer) != bool(reading.reason)


def test_a_form_with_fields_comes_back_from_its_row() -> None:
    asked = Form("fields", fields=(*PHOTOS.fields, Field("name", "text")), check="one-of-four")
    probe = Question("Where?", PHOTOS, CF, {"photo 1=D": "mirrored"})
    question = Question("What?", asked, "{}", {"photo 1=D": "mirrored"})
    item = Item("x/1", "x", {"kind": "satellite"}, {"a": 1}, "digest")
    stimulus = Stimulus(item, Condition(modality="text"), ("What?",), question, "twin", (probe,))
    row = to_row(stimulus, factors_of(stimulus), lambda picture: None)
    again = from_row(row, ())
    assert again.question.form == asked
    assert again.probes[0].form == PHOTOS
    old = {**row, "form": '{"kind":"choice","labels":["X"],"final":"plain","asked":""}'}
    assert from_row(old, ()).question.form == Form("choice", ("X",))


HALL = form(Field("pictures", "number"), Field("armchairs", "number"))


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Answer: 4 armchairs, 5 pictures", "pictures: 5; armchairs: 4"),
        ("Answer: 4 (armchairs), 5 (pictures)", "pictures: 5; armchairs: 4"),
        ("Answer: 4 red armchairs and 5 framed pictures", "pictures: 5; armchairs: 4"),
        ("Answer: 5 pictures, 4 armchairs", "pictures: 5; armchairs: 4"),
        ("Answer: about 5, exactly 4", "pictures: 5; armchairs: 4"),
        ("Answer: 5, 4", "pictures: 5; armchairs: 4"),
        ("Answer: 5 lamps, 4 dogs", ""),
        ("5 lamps, 4 dogs", ""),
        ("Answer: 5 pictures, 4 lamps", ""),
    ],
)
def test_what_a_number_counts_goes_before_its_place(reply: str, answer: str) -> None:
    assert read(reply, HALL).answer == answer


def test_a_label_with_its_name_in_brackets_is_read_by_the_name() -> None:
    assert read("Answer: F (photo 2), C (photo 1)", PHOTOS).answer == CF
