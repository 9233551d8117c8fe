"""Designs cross what they say: exact numbers of trials, each once."""

from collections import Counter

import pytest

from snellen.errors import UserError
from snellen.item import Condition, Item
from snellen.tasks import Design, task
from snellen.tasks.fixation.games import GAMES
from snellen.tasks.task import spread

FIXATION = task("fixation")


def crossed(design: Design, n: int = 2) -> list[tuple[Item, Condition]]:
    return [
        (item, condition)
        for item in FIXATION.items(FIXATION.item_levels(design), n, 1)
        for condition in FIXATION.conditions(design, item)
    ]


@pytest.mark.parametrize("many", [1, 3, 7])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 20, 21])
def test_n_items_are_spread_evenly_and_are_n_in_all(n: int, many: int) -> None:
    kinds = [{"kind": str(number)} for number in range(many)]
    shares = [share for _, share in spread(kinds, n)]
    assert [kind for kind, _ in spread(kinds, n)] == kinds
    assert sum(shares) == n
    assert shares == sorted(shares, reverse=True)
    assert shares[0] - shares[-1] <= 1


@pytest.mark.parametrize(
    ("name", "n", "per_game"),
    [
        ("quick", 15, 15 * 12),
        ("main", 300, 24_000),
        ("controls", 300, 3_600),
        ("api", 300, 5_400),
        ("published", 300, 28_800),
    ],
)
def test_trials_per_game(name: str, n: int, per_game: int) -> None:
    design = FIXATION.design(name)
    assert design.n == n
    trials = crossed(design)
    assert len({(item.id, condition) for item, condition in trials}) == len(trials)
    # Every state is asked under the same conditions, so two states of each game tell the number for n.
    assert Counter(item.levels["game"] for item, _ in trials) == dict.fromkeys(GAMES, per_game * 2 // n)


def test_all_states_of_a_large_design_are_there() -> None:
    design = FIXATION.changed(FIXATION.design("main"), {"game": ("dots_boxes",)})
    assert len(crossed(design, 300)) == 24_000


def test_published_design_has_the_published_families() -> None:
    trials = [condition for item, condition in crossed(FIXATION.design("published"), 1)]
    renderings = Counter((c["rendering"], c["prompt"]) for c in trials)
    per_family = 4 * 16
    assert renderings == {
        **{("base", prompt): per_family for prompt in ("base", "alias", "semalias", "descriptive")},
        ("checkerboard", "base"): per_family,
        ("glyph", "base"): per_family,
    }
    assert {item.levels["states"] for item, _ in crossed(FIXATION.design("published"), 1)} == {"published"}


def test_api_design_splits_into_direct_and_reasoned() -> None:
    trials = crossed(FIXATION.design("api"), 1)
    assert Counter(c["response"] for _, c in trials) == {"direct": 4 * 12, "cot": 4 * 6}
    assert {(c["order"], c["target"]) for _, c in trials} == {("image_first", "winner")}


def test_controls_are_descriptive_words_and_boards_in_characters() -> None:
    trials = crossed(FIXATION.design("controls"), 1)
    kinds = Counter((c["prompt"], c["modality"], c["order"], c["response"]) for _, c in trials)
    assert kinds == {
        ("descriptive", "image", "image_first", "direct"): 16,
        ("descriptive", "image", "text_first", "direct"): 16,
        ("base", "text", "image_first", "direct"): 16,
    }


def test_quick_is_the_default_and_small_sizes_are() -> None:
    assert FIXATION.design().name == "quick"
    assert {factor.levels[0] for factor in FIXATION.factors if factor.of_item} == {"tictactoe", "fresh", "small"}


def test_chosen_levels_replace_the_designs() -> None:
    larger = FIXATION.changed(FIXATION.design("main"), {"size": ("medium",), "game": ("connect4",)})
    assert {(item.levels["game"], item.levels["size"]) for item, _ in crossed(larger)} == {("connect4", "medium")}
    with pytest.raises(UserError, match="did you mean alias"):
        FIXATION.changed(FIXATION.design(), {"prompt": ("alais",)})
