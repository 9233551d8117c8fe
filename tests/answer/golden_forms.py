"""The forms of the golden replies: what was asked, in the words of the tasks."""

import json
from pathlib import Path

from snellen.item import Field, Form
from snellen.tasks.acuity.asking import form
from snellen.tasks.acuity.battery import TESTS

XO, BW, RY, AB = ("X", "O"), ("Black", "White"), ("Red", "Yellow"), ("A", "B")
COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
COLOURS = ("red", "green", "blue", "yellow", "black", "white", "orange", "purple")
CELLS = tuple(f"{column}{row}" for row in range(1, 16) for column in "abcdefghijklmno")

CELLS_13 = "abcdefghijklm"
CHARTS = ("landolt", "letters", "crowding", "gratings-2", "colour-red", "alignment", "number", "crossings", "paths")


def _labels(names: str, labels: tuple[str, ...] = ()) -> Form:
    return Form(
        "fields", fields=tuple(Field(name, "label" if labels else "number", labels) for name in names.split(", "))
    )


FORMS = {
    "ttt_winner": Form("choice", XO, asked="winner"),
    "ttt_loser": Form("choice", XO, asked="loser"),
    "ttt_pliv": Form("choice", XO, asked="PLIV"),
    "rev_winner": Form("choice", BW, asked="winner"),
    "rev_loser": Form("choice", BW, asked="loser"),
    "c4_winner": Form("choice", RY, asked="winner"),
    "dots_loser": Form("choice", AB, asked="loser"),
    "ttt_winner_boxed": Form("choice", XO, "boxed", "winner"),
    "c4_winner_boxed": Form("choice", RY, "boxed", "winner"),
    "bias_number": Form("number", final="braces"),
    "bongard": Form("choice", ("positive", "negative"), asked="query"),
    "wino_ab": Form("choice", AB),
    "wino_pic": Form("choice", ("first", "second")),
    "marvel": Form("choice", ("1", "2", "3", "4")),
    "marvel_number": Form("number"),
    "marvel_half": Form("choice", ("upper", "lower")),
    "yesno": Form("choice", ("yes", "no")),
    "left_right": Form("choice", ("left", "right")),
    "colour": Form("choice", COLOURS),
    "wrong_answer": Form("choice", ("1", "2", "3", "4"), asked="wrong"),
    "gomoku": Form("choice", CELLS, asked="move"),
    "satellite": _labels("photo 1, photo 2", tuple("ABCDEFGH")),
    "direction": _labels("fridge, window", COMPASS),
    "counting": _labels("chairs, pictures"),
    "plants_tables": _labels("plants, tables"),
    "maze": Form("fields", fields=(Field("digits", "set", tuple("123456789")),)),
    "unblock": Form("fields", fields=(Field("moves", "number"), Field("blocks", "set", tuple("Rabcdefgh")))),
    "jigsaw": _labels("slot 1, slot 2, slot 3", tuple("ABCD")),
    "chart": _labels("Wed, Thu, Fri, Mon"),
    "abcd": Form("choice", tuple("ABCD")),
    "sandbagging": Form("fields", fields=tuple(Field(name, "text") for name in ("q1", "q2", "q3", "q4"))),
    "free_text": Form("text"),
    "dots_more": Form("choice", AB),
    "line": Form("choice", XO),
    "noline": Form("choice", XO),
    "rev_more": Form("choice", BW),
    "rev_fewer": Form("choice", BW),
    "usual": Form("choice", ("yes", "no")),
    "dots": Form("choice", ("five", "six")),
    "emptier": Form("choice", ("upper", "lower")),
    "where": Form("choice", ("in the lower row", "in the left column")),
    "mirror": Form("choice", ("yes", "no")),
    "more_of": Form("choice", ("moons", "stars")),
    "cell": Form("choice", ("X", "O", "nothing")),
    "panels": Form("number"),
    "rev_tulb": Form("choice", BW, asked="TULB"),
    "c4_kesk": Form("choice", RY, asked="KESK"),
    "c4_line": Form("choice", RY),
    "c4_cell": Form("choice", (*RY, "nothing")),
    "ttt_kesk": Form("choice", XO, asked="KESK"),
    "ttt_zarn": Form("choice", XO, asked="ZARN"),
    "dots_pliv": Form("choice", AB, asked="PLIV"),
    "c4_tulb_boxed": Form("choice", RY, "boxed", "TULB"),
    "clock": Form("choice", ("nine", "six")),
    "side": Form("choice", ("right", "top")),
    "straight": Form("choice", ("all straight", "all curved")),
    "pips": Form("choice", ("two", "three")),
    "edge": Form("choice", ("on the edge of", "inside")),
    "halves": Form("choice", ("left and right", "upper and lower")),
    "diagonal": Form("choice", ("on the diagonal falling to the right", "on the diagonal rising to the right")),
    "larger_of": Form("choice", ("triangle", "hexagon")),
    "gomoku_13": Form("choice", tuple(f"{column}{row}" for row in range(1, 14) for column in CELLS_13), asked="move"),
    "nearer": Form("choice", ("nearer", "farther"), about=("door", "fridge")),
    "above": Form("choice", ("above", "below"), about=("magnet", "guitar")),
    "world_colour": Form("choice", ("green", "purple", "red", "yellow")),
    "leftmost": Form(
        "choice", ("bucket", "drum", "rose", "sunflower"), about=("furthest to the left", "furthest to the right")
    ),
    "larger": Form("choice", ("larger", "smaller"), about=("yellow house", "pink house")),
    "quarter": Form("choice", ("top left", "top right", "bottom left", "bottom right")),
    "four_legs": Form("choice", ("Yes", "No"), "braces"),
    **{f"chart_{test}": form(TESTS[test]) for test in CHARTS},
}
QUESTIONS = json.loads((Path(__file__).parent / "golden" / "questions.json").read_text("utf-8"))
"""What the replies of sixth.jsonl were asked."""
