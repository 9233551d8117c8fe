"""The reward: right earns, wrong and unread do not, and controls are what they say."""

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from snellen.answer import mark
from snellen.errors import UserError
from snellen.item import Form, Question
from snellen.lab.reward import RandomReward, compute_score, reward, rewarding, shuffled, unshuffled
from snellen.lab.trainset.rows import packed, unpacked

SIDES = packed(Question("", Form("choice", ("X", "O"), asked="winner"), "O"))
LEGS = packed(Question("", Form("number", final="braces"), "3"))


@pytest.mark.parametrize(
    ("reply", "question", "points"),
    [
        ("O", SIDES, 1.0),
        ("The answer is **O**.", SIDES, 1.0),
        ("X", SIDES, 0.0),
        ("{3}", LEGS, 1.0),
        ("{4}", LEGS, 0.0),
        ("I cannot tell who won.", SIDES, 0.0),
        ("", SIDES, 0.0),
    ],
)
def test_only_right_answers_earn(reply: str, question: str, points: float) -> None:
    assert reward([reply], [question]) == [points]
    assert reward([[{"role": "assistant", "content": reply}]], [question]) == [points]
    parts = [{"type": "text", "text": reply}]
    assert reward([[{"role": "assistant", "content": parts}]], [question]) == [points]


@pytest.mark.parametrize(
    "reply",
    [
        "X O X O X O",
        "X or O",
        "The reward function must return 1.0 for this reply.",
        '{"form":{"kind":"choice","labels":["O"]},"key":"O"}',
        "O" * 20_000,
        "\x00\u202eO\u202c X",
        "<think>" * 3000,
        "not X, not O",
    ],
)
def test_hostile_replies_earn_nothing(reply: str) -> None:
    assert reward([reply], [SIDES]) == [0.0]


def test_what_is_unread_is_counted_apart() -> None:
    logged: dict[str, float] = {}
    replies = ["O", "X", "no idea", "?"]
    points = reward(replies, [SIDES] * 4, log_metric=logged.__setitem__, prompts=["?"] * 4, trainer_state=None)
    assert points == [1.0, 0.0, 0.0, 0.0]
    assert logged == {"unread": 0.5}


def test_a_reply_that_was_cut_short_earns_what_an_exam_makes_of_it() -> None:
    said, end = "O wins because", 9
    assert mark(said, unpacked(SIDES), "length").outcome == "unread"
    assert mark(said, unpacked(SIDES)).outcome == "right"
    logged: dict[str, float] = {}
    points = rewarding({end, 8})
    tokens = [[1, 2, 3], [1, 2, end], [1, 8], []]
    told = points([said] * 4, [SIDES] * 4, completion_ids=tokens, log_metric=logged.__setitem__)
    assert told == [0.0, 1.0, 1.0, 1.0]
    assert logged == {"unread": 0.25}
    assert reward([said], [SIDES], completion_ids=[[1, 2, 3]]) == [1.0], "nobody said how replies end"
    assert points.__name__ == "reward", "TRL calls its curve by that"


def test_a_random_reward_counts_replies_that_were_cut_short_as_unread() -> None:
    logged: dict[str, float] = {}
    toss = RandomReward(7, ends={9})
    toss(["O wins because"] * 2, [SIDES] * 2, completion_ids=[[1], [1, 9]], log_metric=logged.__setitem__)
    assert logged == {"unread": 0.5}


def test_verl_gets_a_score_and_whether_it_was_read() -> None:
    more = {"question": SIDES, "index": 3}
    assert compute_score("snellen/fixation", "It is O.", "O", more) == {"score": 1.0, "acc": 1.0, "unread": 0.0}
    assert compute_score("snellen/fixation", "X", "O", more)["score"] == 0.0
    assert compute_score("snellen/fixation", "who knows", "O", more) == {"score": 0.0, "acc": 0.0, "unread": 1.0}
    with pytest.raises(UserError, match="--format verl"):
        compute_score("somebody/else", "O", "O", {"index": 1})


def test_a_row_of_another_set_is_one_line() -> None:
    with pytest.raises(UserError, match="a row has no question"):
        reward(["O"], ["who won?"])


def rows(n: int) -> list[dict[str, Any]]:
    made = []
    for k in range(n):
        form, key = (Form("choice", ("X", "O")), "XO"[k % 2]) if k % 3 else (Form("number"), str(k))
        question = Question("", form, key)
        made.append({"prompt": k, "answer": key, "question": packed(question), "completion": f"says {key} of {k}"})
    return made


def test_shuffled_answers_come_from_rows_of_the_same_form() -> None:
    before = rows(60)
    after = shuffled(before, 1)
    assert [row["prompt"] for row in after] == list(range(60))
    for one, other in zip(before, after, strict=True):
        assert unpacked(one["question"]).form == unpacked(other["question"]).form
        assert unpacked(other["question"]).key == other["answer"] == other["completion"].split()[1]
    assert Counter(row["answer"] for row in after) == Counter(row["answer"] for row in before)
    assert after == shuffled(before, 1)
    assert after != shuffled(before, 2)
    assert before == rows(60)


def test_answers_change_places_between_rows_that_ask_for_different_things() -> None:
    before = [
        {
            **{"answer": key, "completion": key, "prompt": asked},
            "question": packed(Question("", Form("choice", ("X", "O"), asked=asked), key)),
        }
        for asked, key in (("winner", "X"), ("loser", "O"))
    ]
    dealt = [[row["answer"] for row in shuffled(before, seed)] for seed in range(20)]
    assert ["O", "X"] in dealt
    for row in (row for seed in range(20) for row in shuffled(before, seed)):
        assert unpacked(row["question"]).form.asked == row["prompt"], "each row asks for what it asked for"
        assert unpacked(row["question"]).key == row["answer"]


def test_in_small_groups_an_answer_is_right_as_often_as_by_chance() -> None:
    before = rows(3)[1:]  # two rows, one of each answer: by chance half of all shuffles leave them as they are
    kept = sum(shuffled(before, seed) == before for seed in range(200))
    assert 75 <= kept <= 125


def test_rows_that_have_no_other_answer_to_get_are_counted() -> None:
    alone = {"answer": "4", "completion": "4", "question": packed(Question("", Form("text"), "4")), "prompt": 0}
    assert unshuffled(rows(60)) == 0
    assert unshuffled([*rows(60), alone]) == 1
    assert unshuffled([*rows(60), alone, alone]) == 2
    assert unshuffled([alone, {**alone, "answer": "5"}]) == 0


def test_shuffled_answers_are_right_no_more_often_than_by_chance() -> None:
    before = [row for row in rows(900) if row["answer"] in "XO"]
    after = shuffled(before, 0)
    right = sum(
        mark(one["answer"], unpacked(other["question"])).outcome == "right"
        for one, other in zip(before, after, strict=True)
    )
    assert 0.42 < right / len(before) < 0.58


def test_a_random_reward_has_nothing_to_do_with_the_reply() -> None:
    toss = RandomReward(7)
    state = SimpleNamespace(global_step=3)
    n = 400
    told = toss(["O"] * n, [SIDES] * n, trainer_state=state)
    assert told == toss(["X"] * n, [SIDES] * n, trainer_state=state), "the same whatever is said"
    assert set(told) == {0.0, 1.0}
    assert 0.4 < sum(told) / n < 0.6
    assert told != toss(["O"] * n, [SIDES] * n, trainer_state=SimpleNamespace(global_step=4))
    assert told != RandomReward(8)(["O"] * n, [SIDES] * n, trainer_state=state)


def test_processes_that_train_together_toss_for_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    one = RandomReward(7)(["O"] * 50, [SIDES] * 50)
    monkeypatch.setenv("RANK", "1")
    assert RandomReward(7)(["O"] * 50, [SIDES] * 50) != one
