"""The bundled model's record of training items holds the boards that the recipe makes."""

from itertools import product

import pytest

from recipes.tiny.boards import boards
from snellen.item import content_digest
from snellen.subjects import subject
from snellen.subjects.trained_on import training_key
from snellen.tasks.fixation.games import GAMES
from snellen.tasks.fixation.symmetry import canonical


@pytest.mark.soak
def test_the_bundled_models_record_is_of_the_boards_it_learnt_from() -> None:
    """The 24,000 boards of its second run, made again; the first one's differ in tic-tac-toe alone."""
    record = subject("local/tiny").abilities.trained_on["fixation"]
    learnt = {training_key(item) for game in GAMES.values() for item in boards(game, 1, 0, 6000)}
    assert learnt <= record
    shape = GAMES["tictactoe"].shape("small")
    classes = {canonical(shape, "".join(cells)) for cells in product("012", repeat=shape.area)}
    assert record - learnt <= {content_digest(f"fixation/tictactoe/small/{cells}")[:12] for cells in classes}
