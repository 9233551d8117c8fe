"""The published set, state by state and word by word.

The sentences of the published prompts are not ours and not in this repository: they are read out of the
specification, where that lies beside it, and put into a pack; what the pack says must hash to the known values.
"""

import json
import re
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.item import Picture, Stimulus
from snellen.prompts import Pack, load
from snellen.tasks import task
from snellen.tasks.fixation import published
from snellen.tasks.fixation.games import GAMES, winner

SPEC = Path(__file__).parents[3] / ".." / "shared" / "specs" / "vlm_fix.md"

BOARDS = {
    "tictactoe": "6e52a912529adde326bc7ebd18ae81ae65ca003119a035c03b2c02ecf06d0aad",
    "reversi": "ab54f466ba2a6e1b3fbfb16415fc9fec5e397682de033258cddfac138a39fc8f",
    "connect4": "006516bd924807f9cf162fcf9c31698b21937e67ddbb72cea3f27f52878de760",
    "dots_boxes": "9d8b82c49f2e21cca4063e00b23031cc5bc9e087e14c096eb6dc22c324d4ebd7",
}
COLUMNS = {
    "tictactoe": ("dfdc8c26ef554d81", "9661f9e43c2d87ba", "a188e8559a1808f0"),
    "reversi": ("b5acc06a13cea42a", "f8d18c2d3054cf49", "8f075024e452149a"),
    "connect4": ("0322d0cabd2bdb9f", "bb18aa1a3ab1cb4d", "36dc0f4938befce0"),
    "dots_boxes": ("e5c43bcf9eaa9bde", "2b6e35c997398807", "765112369cc24324"),
}


@pytest.mark.parametrize("game", GAMES)
def test_boards_are_the_published_ones(game: str) -> None:
    boards = published.boards(game)
    assert sha256("\n".join(boards).encode()).hexdigest() == BOARDS[game]
    shape = GAMES[game].shape("small")
    assert Counter(winner(GAMES[game], shape, cells) for cells in boards) == {1: 150, 2: 150}


def test_glyph_letters() -> None:
    def pairs(game: str) -> str:
        return " ".join("".join(published.glyphs(game, state)) for state in (1, 2, 3, 300))

    assert [pairs(game) for game in GAMES] == ["GP WK QR YP", "WP EC UK CP", "RK YU ZV ZJ", "TY YZ TC JY"]


@pytest.mark.soak
def test_row_numbers_run_through_the_whole_design() -> None:
    fixation = task("fixation")
    design = fixation.design("published")
    found = [
        published.index(item, condition)
        for item in fixation.items(fixation.item_levels(design), design.n, 0)
        for condition in fixation.conditions(design, item)
    ]
    assert sorted(found) == list(range(1, 115_201))


def test_first_rows_are_in_published_order() -> None:
    fixation = task("fixation")
    design = fixation.design("published")
    item = next(iter(fixation.items(fixation.item_levels(design), 1, 0)))
    rows = {published.index(item, condition): condition for condition in fixation.conditions(design, item)}
    factors = ("rendering", "rule", "order", "prompt", "response", "target")

    def row(number: int) -> list[str]:
        return [rows[number][factor] for factor in factors]

    assert row(1) == ["base", "standard", "image_first", "base", "direct", "winner"]
    assert row(2) == ["base", "standard", "image_first", "base", "direct", "loser"]
    assert row(3) == ["base", "standard", "image_first", "base", "cot", "winner"]
    assert row(5) == ["base", "standard", "image_first", "alias", "direct", "winner"]
    assert row(64) == ["base", "inverse", "text_first", "descriptive", "cot", "loser"]
    assert row(19_201) == ["checkerboard", "standard", "image_first", "base", "direct", "winner"]
    assert row(24_016) == ["glyph", "inverse", "text_first", "base", "cot", "loser"]


def test_published_states_come_in_one_size_and_number() -> None:
    fixation = task("fixation")
    with pytest.raises(UserError, match="size=small"):
        list(fixation.items({"game": ("reversi",), "states": ("published",), "size": ("large",)}, 5, 0))
    with pytest.raises(UserError, match="300 states"):
        list(fixation.items({"game": ("reversi",), "states": ("published",), "size": ("small",)}, 301, 0))
    both = {"game": ("tictactoe",), "states": ("fresh", "published"), "size": ("small", "medium")}
    assert Counter(item.levels["states"] for item in fixation.items(both, 4, 0)) == {"fresh": 8, "published": 4}


# ---- the published wording, read from the specification


def _section(text: str) -> str:
    return text[text.index("## 3. Prompts") : text.index("## 4. ")]


def _after(section: str, lead: str, skip: int = 0) -> str:
    """The words in backticks after some lead, with line breaks made spaces."""
    rest = section[section.index(lead) + len(lead) :]
    return re.sub(r"\n\s*", " ", re.findall(r"`([^`]*)`", rest)[skip])


def _toml(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(part)}" for key, part in value.items()) + "}"
    return json.dumps(value)


NO_PICTURE = Picture(b"")  # the words are what is proved here
LINES = ["tictactoe", "connect4"]


def _published_pack(path: Path) -> Pack:
    """A pack that holds the published templates."""
    section = _section(SPEC.read_text(encoding="utf-8"))
    intro = {
        "tictactoe": _after(section, "* intro: ttt "),
        "reversi": _after(section, "grid for a two-player game.`; reversi "),
        "connect4": _after(section, "; connect4 "),
        "dots_boxes": _after(section, "; dots "),
    }
    rule = {
        "line": _after(section, "connect4 (n=4): "),
        "reversi": _after(section, "  * reversi: "),
        "dots_boxes": _after(section, "  * dots: "),
    }
    fewer = {"reversi": _after(section, "  * reversi: ", 1), "dots_boxes": _after(section, "  * dots: ", 1)}
    questions = [_after(section, "* question: Base ", k) for k in range(4)]
    descriptive = [_after(section, "* ttt/connect4 extra: ", k) for k in range(3)]
    more = {"reversi": _after(section, "* reversi (no extra): "), "dots_boxes": _after(section, "* dots (no extra): ")}
    less = {game: more[game].replace("more", "fewer") for game in more}
    before, after = _after(section, "Frame (Base / Alias / SemAlias):\n").split(" [{tagline}] ")
    tagline = _after(section, "* tagline: Alias ")
    semantic = tagline + _after(section, "SemAlias adds ")

    def said(text: str, won: str = "{won}", lost: str = "{lost}") -> str:
        names = {"{W}": won, "{L}": lost, "{n}": "{length}", "{T1}": "{t1}", "{T2}": "{t2}"}
        return re.sub(r"\{(W|L|n|T1|T2)\}", lambda slot: names[slot[0]], text)

    counted = ["reversi", "dots_boxes"]
    straight = [{"rule": "standard", "target": "winner"}, {"rule": "inverse", "target": "loser"}]
    pieces: dict[str, object] = {
        "tags": _after(section, "Tags: pool in order ").split(", "),
        "prompt": [
            {"when": {"prompt": "descriptive"}, "text": [before, "{extra}", "{q}", "{ending}"]},
            {"text": [before, "{tagline}", after]},
        ],
        "intro": [
            *(
                {"when": {"game": game, "prompt": "descriptive"}, "text": text.replace(" for ", " from ")}
                for game, text in intro.items()
            ),
            *({"when": {"game": game}, "text": text} for game, text in intro.items()),
        ],
        "tagline": [
            {"when": {"prompt": "alias"}, "text": said(tagline)},
            {"when": {"prompt": "semalias"}, "text": said(semantic)},
        ],
        "rule": [
            {"when": {"game": LINES, "rule": "standard"}, "text": said(rule["line"])},
            {"when": {"game": LINES}, "text": said(rule["line"], "{lost}", "{won}")},
            *({"when": {"game": game, "rule": "standard"}, "text": said(rule[game])} for game in counted),
            *({"when": {"game": game}, "text": said(rule[game].replace("more", fewer[game]))} for game in counted),
        ],
        "won": [{"when": {"prompt": "base"}, "text": "wins"}, {"text": "is {t1}"}],
        "lost": [{"when": {"prompt": "base"}, "text": "loses"}, {"text": "is {t2}"}],
        "question": [
            {"when": {"prompt": "base", "target": "winner"}, "text": questions[0]},
            {"when": {"prompt": "base"}, "text": questions[1]},
            {"when": {"target": "winner"}, "text": said(questions[2])},
            {"text": said(questions[3])},
        ],
        "extra": [{"when": {"game": LINES}, "text": said(descriptive[0])}],
        "q": [
            *({"when": {**when, "game": LINES}, "text": said(descriptive[1])} for when in straight),
            {"when": {"game": LINES}, "text": said(descriptive[2])},
            *({"when": {**when, "game": game}, "text": more[game]} for when in straight for game in counted),
            *({"when": {"game": game}, "text": less[game]} for game in counted),
        ],
        "ending": [
            {"when": {"response": "direct"}, "text": _after(section, "* ending direct: ")},
            {"text": _after(section, "* ending CoT: ")},
        ],
        "with_board": "{words}\n\nBoard:\n{board}",
    }
    path.write_text("[fixation]\n" + "".join(f"{name} = {_toml(piece)}\n" for name, piece in pieces.items()), "utf-8")
    return load(path, "fixation")


@pytest.fixture(scope="module")
def published_pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    if not SPEC.exists():
        pytest.skip("the specification with the published sentences is not here")
    return _published_pack(tmp_path_factory.mktemp("packs") / "published.toml")


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_published_prompts_answers_and_labels(game: str, published_pack: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snellen.tasks.fixation.asking._picture", lambda board, rendering: NO_PICTURE)
    fixation = task("fixation")
    design = fixation.changed(fixation.design("published"), {"game": (game,)})
    rows: list[tuple[int, Stimulus]] = [
        (published.index(item, condition), fixation.stimulus(item, condition, published_pack))
        for item in fixation.items(fixation.item_levels(design), design.n, 0)
        for condition in fixation.conditions(design, item)
    ]
    rows.sort(key=lambda row: row[0])
    assert len(rows) == 28_800
    questions = [stimulus.question for _, stimulus in rows]
    columns = (
        [question.text for question in questions],
        [question.key for question in questions],
        ["|".join(question.form.labels) for question in questions],
    )
    assert tuple(sha256("\n".join(column).encode()).hexdigest()[:16] for column in columns) == COLUMNS[game]


def test_published_text_input(published_pack: Pack) -> None:
    fixation = task("fixation")
    design = fixation.changed(fixation.design("published"), {"modality": ("text",)})
    item = next(iter(fixation.items(fixation.item_levels(design), 1, 0)))
    shown = fixation.stimulus(item, fixation.conditions(design, item)[0], published_pack)
    [words] = shown.parts
    assert words == f"{shown.question.text}\n\nBoard:\n{shown.twin}"
    assert shown.twin.splitlines()[0] == " O │   │ X "
    assert shown.probes == ()
