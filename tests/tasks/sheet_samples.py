"""Stimuli made by hand, for sheets and exports: no task is needed."""

import io

from PIL import Image

from snellen.item import Condition, Form, Item, Picture, Question, Stimulus
from snellen.tasks.fixation.draw import Board, draw, words

HOSTILE = 'Who wins? </pre><script>alert("x")</script> & \u202eright to left\u202c <img src=x onerror=alert(1)>'


def stimulus(
    number: int = 0, rule: str = "standard", modality: str = "image", text: str = "Who is the winner?"
) -> Stimulus:
    cells = f"{3**8 + number * 37:09d}"[-9:].translate(str.maketrans("3456789", "1212012"))
    board = Board("tictactoe", 3, 3, cells, ("X", "O"))
    item = Item(
        f"sample/tictactoe/{number:04}",
        "sample",
        {"game": "tictactoe", "size": "small"},
        {"cells": cells, "winner": 1, "players": ["X", "O"], "line": [0, 1, 2]},
        f"{number:032x}",
    )
    condition = Condition(rule=rule, modality=modality)
    form = Form("choice", ("X", "O"), "boxed", "winner")
    probe = Question("What is in row 1, column 1?", Form("choice", ("X", "O", "nothing")), "nothing")
    question = Question(
        text, form, "O" if rule == "inverse" else "X", {"X": "default rule"} if rule == "inverse" else {}
    )
    parts = (draw(board, "base"), text) if modality == "image" else (f"{text}\n\n{words(board)}",)
    return Stimulus(item, condition, parts, question, words(board), (probe,))


def two_pictures() -> Stimulus:
    """A stimulus with two pictures between words, one of them a JPEG."""
    plain = stimulus(5)
    file = io.BytesIO()
    Image.new("RGB", (40, 30), (200, 30, 30)).save(file, "JPEG")
    photo = Picture(file.getvalue(), "image/jpeg", "a red square")
    return Stimulus(
        plain.item, plain.condition, ("Compare", *plain.pictures, "with", photo), plain.question, plain.twin
    )


def some() -> list[Stimulus]:
    every = [
        stimulus(n, rule, kind) for n in range(4) for rule in ("standard", "inverse") for kind in ("image", "text")
    ]
    return [*every, two_pictures(), stimulus(9, text=HOSTILE)]
