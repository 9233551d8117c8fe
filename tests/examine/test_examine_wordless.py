"""Models that take no call without a picture are spared what is asked in words alone: not applicable, not zero."""

from pathlib import Path
from typing import Any

import pytest

import snellen
from snellen.call import Abilities
from snellen.errors import UserError
from snellen.examine import make_plan

BOTH: dict[str, Any] = {"n": 1, "design": "controls", "levels": {"game": "tictactoe", "modality": ("image", "text")}}
FILE = "WORDS = False\ndef answer(parts):\n    return [p for p in parts if not isinstance(p, str)] and 'X' or 1 / 0\n"


def sees(parts: list[Any]) -> str:
    """Breaks where there is nothing to see."""
    pictures = [part for part in parts if not isinstance(part, str)]
    return "X" if pictures[0].size else "O"


class Seeing:
    name = "seeing"
    abilities = Abilities(words=False)

    def answer(self, call: Any) -> str:
        return "X" if call.pictures[0].data else "O"


def subject_of(kind: str, folder: Path) -> Any:
    if kind == "file":
        (folder / "seeing.py").write_text(FILE)
        return str(folder / "seeing.py")
    return snellen.subject(sees, name="seeing", words=False) if kind == "function" else Seeing()


@pytest.mark.parametrize("kind", ["function", "object", "file"])
def test_only_what_shows_a_picture_is_asked(kind: str, tmp_path: Path) -> None:
    who = subject_of(kind, tmp_path)
    exam = snellen.exam([who, "sim/ideal"], store=tmp_path / "s.sqlite", **BOTH)
    shown = {subject: set(rows["modality"]) for (subject,), rows in exam.rows.group_by("subject")}
    assert shown == {"seeing": {"image"}, "sim/ideal": {"image", "text"}}
    assert exam.summary is not None
    assert exam.summary.errors == 0
    assert exam.summary.remaining == 0, "what is not applicable was not counted on"


def test_it_is_said_once() -> None:
    plan = make_plan(snellen.subject(sees, words=False), paradigms=["direct", "describe"], **BOTH)
    assert plan.parts[0].notes == (
        "skipping describe: sees (reasoner) requires an image",
        "skipping modality=text: sees requires an image",
    )
    quiet = make_plan(snellen.subject(sees, words=False), n=1)
    assert quiet.parts[0].notes == tuple(f"skipping {rung}: sees requires an image" for rung in ("words", "told"))
    assert quiet.size == 4 * 12, "what is asked in pictures: four games, three prompts, two rules, two targets"


def test_it_can_still_describe_for_another() -> None:
    who = snellen.subject(sees, words=False)
    plan = make_plan("sim/ideal", paradigms="describe", roles={"describer": who}, **BOTH)
    assert plan.parts[0].notes == ("skipping modality=text: sees requires an image",)
    assert plan.size == make_plan("sim/ideal", paradigms="describe", **BOTH).size


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"levels": {"modality": "text"}}, "sees requires images, but only modality=text was chosen"),
        ({"roles": {"judge": "it"}}, "sees as judge: it requires an image"),
        ({"roles": {"reader": "it"}}, "sees as reader: it requires an image"),
        ({"paradigms": "describe"}, "skipping describe: sees \\(reasoner\\) requires an image"),
    ],
)
def test_what_it_cannot_do_at_all_is_one_line(choices: dict[str, Any], words: str) -> None:
    who = snellen.subject(sees, words=False)
    roles = dict.fromkeys(choices.get("roles", {}), who)
    with pytest.raises(UserError, match=words):
        make_plan("sim/ideal" if roles else who, **{"n": 1, "design": "controls", **choices, "roles": roles})


def test_words_that_are_no_yes_or_no(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="words='no': expected True, or False"):
        snellen.subject(sees, words="no")  # type: ignore[arg-type]
    path = tmp_path / "odd.py"
    path.write_text("WORDS = 'no'\ndef answer(parts):\n    return 'X'\n")
    with pytest.raises(UserError, match=r"odd.py: WORDS = 'no'; expected True or False"):
        snellen.subject(str(path))


def test_a_named_subject_takes_its_settings_with_its_name() -> None:
    with pytest.raises(UserError, match="settings follow the name, as in sim/ideal:setting=value"):
        snellen.subject("sim/ideal", words=False)
