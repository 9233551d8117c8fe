"""Chains of thought written for the purpose: every piece is found in its stage, turns back are counted."""

from itertools import accumulate, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.analysis.thought import MARKS, STAGES, TextSpan, annotate, chain, words

C, A, V = STAGES
TEXTS = {
    "street views": (
        [
            (C, "The task is to match two street photos to letters on a map. "),
            (C, "In the map I can see a red block in the middle and seven letters around it. "),
            (C, "Photo 1 shows a tower on the left. "),
            (A, "Position C would have the tower on its left, because it looks north. "),
            (A, "But position F could also see it. Looking back at the map, F is behind the church. "),
            (V, "So the answer for photo 1 is C and for photo 2 is E.\nAnswer:\nphoto 1: C\nphoto 2: E"),
        ],
        (1, 0),
    ),
    "a maze with a loop": (
        [
            (C, "We are given a maze of ten by ten cells. The entrance is marked at the top left. "),
            (A, "From the entrance, if we go right we hit a wall after three cells, so then we turn down. "),
            (A, "Step 2: the corridor leads past the 4 and the 7. "),
            (V, "Therefore the answer is 4 7. "),
            (A, "Wait, let me re-check the turn after the 7. There may be a shorter way past the 2. "),
            (A, "Hmm, that corridor is a dead end, because the wall closes it. "),
            (V, "So the final answer is 4 7."),
        ],
        (0, 2),
    ),
    "counting chairs": (
        [
            (C, "I need to count the chairs in this flat. View 1 shows four chairs at a table. "),
            (C, "View 2 contains two chairs by the window. "),
            (A, "The two by the window are likely the same chairs as in view 1, since the lamp stands beside them. "),
            (A, "4 + 2 = 6 would count them twice. Checking view 2 again, the red cushion is the same. "),
            (V, "So the total is 4. Answer: chairs: 4"),
        ],
        (1, 0),
    ),
    "checked at the end": (
        [
            (C, "There are four questions with answers. "),
            (A, "Pair 1: the capital must be right since Paris lies in France. "),
            (A, "Pair 3 seems odd, but the year fits. Pair 4 says seven, however the picture has eight. "),
            (V, "Therefore, the answer is 4. Let me verify: pairs 1 to 3 hold. That confirms it. Answer: 4"),
        ],
        (0, 0),
    ),
    "nothing but the answer": ([(V, "Answer: d6")], (0, 0)),
    "a bare word": ([(C, "northeast")], (0, 0)),
    "no word of conclusion": (
        [
            (C, "The board shows five white stones and four black ones. "),
            (A, "If white plays e5, four stand in a row, but black blocks at e6. "),
            (A, "Maybe d6 is better, because it makes two fours at once.\n"),
            (V, "d6"),
        ],
        (0, 0),
    ),
    "thinking in tags": (
        [
            (C, "<think>The question asks for the direction of the sofa. The image shows a window facing south. "),
            (A, "If the window is south, then the door must be north. Hmm, so the sofa faces the window. "),
            (A, "Let me look at photo 2 again. The sofa is turned to the window, which means south.</think>"),
            (V, "The sofa looks towards the window. It faces south."),
        ],
        (1, 1),
    ),
    "doubt upon doubt": (
        [
            (C, "We need to find the fewest moves. There are nine blocks on the board. "),
            (A, "If block b moves up, the red block is free. Wait, block c is in the way. "),
            (A, "Actually, c could slide left. No, that is blocked by e. Hold on, e can move down first. "),
            (A, "On second thought, e moves only sideways. Oops, I misread the picture. "),
            (V, "So the answer is 5 moves."),
        ],
        (0, 6),
    ),
    "lists and line breaks": (
        [
            (C, "First, let me list what is drawn:\n- bar A: 12\n- bar B: 30\n- bar C: 18\n"),
            (A, "Now we swap the largest and the smallest: B -> 12, A -> 30.\nThen the scale doubles, 18 * 2 = 36.\n"),
            (V, "Final answer:\nA: 60\nB: 24\nC: 36"),
        ],
        (0, 0),
    ),
    "waiting is no interruption": (
        [
            (C, "The picture shows people who wait for a bus in a waiting room. There are five of them. "),
            (A, "If the clock is right, then the bus is actually late, because it was due at nine. "),
            (V, "Thus the answer is five."),
        ],
        (0, 0),
    ),
    "going back to every picture": (
        [
            (C, "The puzzle asks which piece fits each hole. I see five pieces. "),
            (A, "Piece A could fit slot 3 because of the blue rim. Zooming in on the picture, the rim is darker. "),
            (A, "Let me re-examine the image. Piece D matches better. "),
            (A, "Going back to the puzzle, slot 7 has a red line. "),
            (A, "Looking at the picture, piece B has that line, so it must be slot 7. "),
            (V, "In conclusion, slot 3: D; slot 7: B."),
        ],
        (4, 0),
    ),
    "a conclusion taken back twice": (
        [
            (C, "The user wants exactly one name to be right. There are four logos. "),
            (A, "The first must be answered rightly, since the prompt says so, however the others must be wrong. "),
            (V, "So my answer is: cat, violin, anchor, teapot. "),
            (A, "Wait, the second is to be right, not the first. So the second is a dog. "),
            (V, "So the answer is: violin, dog, anchor, teapot. "),
            (A, "Hmm, is the anchor wrong enough? The third logo may be an anchor, so I take a lamp. "),
            (V, "Final answer: violin, dog, lamp, teapot"),
        ],
        (0, 2),
    ),
    "numbers with points": (
        [
            (C, "The chart has three slices. The labels are 12.5, 37.5 and 50.0 percent. "),
            (A, "Then the first is scaled by 2, which means 25.0 percent of 1.5 million, 0.375 million. "),
            (V, "Therefore the result is 0.375."),
        ],
        (0, 0),
    ),
    "in chinese": (
        [
            (C, "题目要求数一数图中有几把椅子。"),
            (A, "如果第一张和第二张是同一张桌子，可能重复了。等等，再看一下第二张图。"),
            (V, "所以答案是四把。"),
        ],
        (1, 1),
    ),
}


def stage_at(spans: list[TextSpan], place: int) -> str:
    return next(span.label for span in spans if span.label in STAGES and span.start <= place < span.end)


@pytest.mark.parametrize("name", TEXTS)
def test_every_piece_is_in_its_stage(name):
    pieces, _ = TEXTS[name]
    text = "".join(piece for _, piece in pieces)
    spans = annotate(text)
    starts = accumulate((len(piece) for _, piece in pieces), initial=0)
    found = [
        (stage_at(spans, start + len(piece.rstrip()) // 2), piece)
        for (_, piece), start in zip(pieces, starts, strict=False)
    ]
    assert found == pieces


@pytest.mark.parametrize("name", TEXTS)
def test_turns_back_are_counted(name):
    pieces, (revisits, interruptions) = TEXTS[name]
    text = "".join(piece for _, piece in pieces)
    marks = [(span.label, text[span.start : span.end]) for span in annotate(text) if span.label in MARKS]
    counts = tuple(sum(label == mark for label, _ in marks) for mark in MARKS)
    assert counts == (revisits, interruptions), marks


PIECES = st.sampled_from(
    [piece for pieces, _ in TEXTS.values() for _, piece in pieces]
    + ["", " ", "\n\n", "...", "??", "</think>", "😀 ", "e.g. 3.5"]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_stages_cover_the_text_without_a_gap_and_marks_lie_within(text):
    spans = annotate(text)
    stages = [span for span in spans if span.label in STAGES]
    assert "".join(text[span.start : span.end] for span in stages) == (text if text.strip() else "")
    assert all(a.label != b.label for a, b in pairwise(stages))
    assert all(span.start < span.end <= len(text) for span in spans)
    made = chain(text)
    assert sum(made.shares) == pytest.approx(1.0 if text.strip() else 0.0)
    assert made.revisits + made.interruptions == len(spans) - len(stages)


def test_a_chain_in_numbers():
    made = chain("".join(piece for _, piece in TEXTS["a conclusion taken back twice"][0]))
    assert made.loops == 2
    assert made.profile.shape == (10, 3)
    assert made.profile[0].tolist() == [1, 0, 0]
    assert made.profile[-1, 2] > 0.8
    np.testing.assert_allclose(made.profile.sum(1), 1)
    back = chain("".join(piece for _, piece in TEXTS["going back to every picture"][0]))
    assert (back.revisits, back.late, back.loops) == (4, 4, 0)
    assert words("three little words, 1.5") == 4
    assert words("两个字") == 3


def test_another_annotator_takes_the_place_of_the_rules():
    def half(text: str) -> list[TextSpan]:
        middle, end = len(text) // 2, len(text)
        return [TextSpan(0, middle, A), TextSpan(middle, end, V), TextSpan(3, 5, "revisit")]

    made = chain("0123456789", half)
    assert made.shares == pytest.approx((0, 0.5, 0.5))
    assert (made.revisits, made.late) == (1, 1)


def test_a_very_long_text_is_read_to_its_end():
    """And no pattern tries everything with everything: this would then take minutes."""
    long = "so the wall the maze look at the " * 6000
    sentence = "".join(piece for _, piece in TEXTS["doubt upon doubt"][0]) * 200
    assert chain(long).words == 48_000
    assert chain(sentence).interruptions >= 1000
