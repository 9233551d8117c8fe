"""Labels that are pointed at: "the winning cell is e2", "answer 1 is wrong"."""

import pytest

from snellen.answer import read
from snellen.item import Form

MOVE = Form("choice", tuple(f"{column}{row}" for row in range(1, 10) for column in "abcdefghi"), asked="move")
WRONG = Form("choice", tuple("1234"), asked="wrong")


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("The winning cell is e2.", "e2"),
        ("The best move is e2.", "e2"),
        ("Answer: the cell e2", "e2"),
        ("Answer: Play e2", "e2"),
        ("So I play e2.", "e2"),
        ("I looked at d3. The only winning move is to play at e2.", "e2"),
        ("If I play d4, they play d5. So the winning cell is e2.", "e2"),
        ("d4 blocks, but e2 is the winning move.", "e2"),
        ("e2 wins.", "e2"),
        ("The best move is d4. Hm, no. The best move is e2.", "e2"),
        ("Answer: z99", ""),
        ("The best move is e2.\nAnswer: z99", ""),
        ("The best move is e2 or e3.", ""),
        ("The best move is not e2.", ""),
        ("Is the best move e2?", ""),
        ("I play d4, they play d5.", ""),
    ],
)
def test_a_move(reply: str, answer: str) -> None:
    assert read(reply, MOVE).answer == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("The wrong answer is 1.", "1"),
        ("Answer 1 is wrong.", "1"),
        ("So number 1 is the wrong one.", "1"),
        ("The incorrect answer is number 3.", "3"),
        ("The one that is wrong is number 3.", "3"),
        ("Question 2 has the wrong answer.", "2"),
        ("Answer 1 is right. Answer 2 is wrong.", "2"),
        ("Answers 1, 2 and 3 are right, so answer 4 is wrong.", "4"),
        ("Answer 2 is wrong. The correct answer is 3.", "2"),
        ("The correct answer is 3.", "3"),
        ("Answer: 3", "3"),
        ("Answer 1 is wrong. Answer 2 is wrong.", ""),
        ("Answer 1 is not wrong.", ""),
        ("Answer 1 is wrong?", ""),
        ("If answer 1 is wrong, the lamp is red.", ""),
        ("1. correct\n2. wrong\n3. correct\n4. correct", "2"),
        ("1. correct\n2. wrong\n3. wrong\n4. correct", ""),
        ("1. correct\n2. wrong", ""),
        ("Answer: 7", ""),
    ],
)
def test_the_wrong_one(reply: str, answer: str) -> None:
    assert read(reply, WRONG).answer == answer
