"""Questions in words alone: the board in characters, the fact from which the answer follows, or the answer itself.

They ride along with a sheet, and have nothing to do with its pictures.
"""

from collections.abc import Mapping

from recipes.small.boards import Rule, as_examined
from recipes.small.drawing import drawn
from recipes.small.finished import Finished, board_item, of_item
from recipes.small.sheets import Said
from recipes.tiny.lessons import from_the_fact, put
from snellen.rng import Stream, stream
from snellen.tasks.fixation.games import GAMES

_WAYS = {"in characters": 0.3, "in place of the picture": 0.2, "fact": 0.25, "told": 0.25}
_WEIGHT = 1.5


def worded(shares: Mapping[str, float], seed: int, number: int) -> Said:
    """The question in words of that number, about a board of its own."""
    rng = stream(seed, "small", "worded", number)
    game = rng.choice(tuple(GAMES.values()))
    shown = of_item(board_item(game, seed, number), "base")
    return _ask(shown, drawn(rng, _WAYS), rng, plain_inverse=bool(shares.get("inverse")))


def _ask(shown: Finished, way: str, rng: Stream, *, plain_inverse: bool) -> Said:
    prompt = "base" if way == "told" else rng.choice(("base", "descriptive", "alias"))
    rule: Rule = "standard"
    if prompt != "base" or plain_inverse:
        rule = rng.choice(("standard", "inverse"))
    levels = {"prompt": prompt, "rule": rule, "target": rng.choice(("winner", "loser"))}
    stimulus = as_examined(shown, **levels)
    key = stimulus.question.key
    if way == "in characters":
        return Said("words", _only_words(stimulus.parts), key, _WEIGHT)
    if way == "fact":
        return Said("fact", _only_words(from_the_fact("fact", stimulus).parts), key, _WEIGHT)
    if way == "told":
        return Said("told", _only_words(put("told", stimulus)), key, _WEIGHT)
    pictured = as_examined(shown, modality="image", **levels)  # drawn, for the words take the picture's place
    return Said("words", _only_words(put("words", pictured)), key, _WEIGHT)


def _only_words(parts: tuple[object, ...]) -> tuple[str, ...]:
    return tuple(part for part in parts if isinstance(part, str))
