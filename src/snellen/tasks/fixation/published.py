"""The published states: 300 for each game, the same boards, letters, tags and row numbers as in the released set.

Three games follow from the released seed, 7, by the very calls to Python's generator that made them. The tic-tac-toe
boards hung on a salted hash and cannot be made again; they are kept as data. What is known to be wrong with these
sets is kept too: player 1 always moved first, and the Reversi boards are the lexicographically smallest of a sample.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files
from itertools import count
from operator import mul
from random import Random

from snellen.item import Condition, Item
from snellen.tasks.fixation.games import GAMES, Game, digits, winner
from snellen.tasks.fixation.play import play_lines, play_reversi

SEED = 7
COUNT = 300
_PER_WINNER = COUNT // 2
_SALTS = {"reversi": 0x2222, "connect4": 0x3333, "dots_boxes": 0x4444}
_LETTERS = "CDEFGHIJKLMNPQRSTUVWYZ"
_REVERSI_POOL = 2000
_LEADS = (2, 4, 6, 8, 10, 12)


@cache
def boards(name: str) -> tuple[str, ...]:
    """The 300 boards of a game, in published order (state 1 first)."""
    if name == "tictactoe":
        text = files(__package__).joinpath("published_tictactoe.txt").read_text(encoding="ascii")
        return tuple(text.split())
    game = GAMES[name]
    random = Random(SEED ^ _SALTS[name])  # noqa: S311 - the published generator
    first, second = _MAKERS[name](game, random)
    mixed = sorted(first) + sorted(second)
    random.shuffle(mixed)
    return tuple(mixed)


_Buckets = tuple[dict[str, None], dict[str, None]]


def _reversi(game: Game, random: Random) -> _Buckets:
    """Both winners' buckets, filled from a sorted sample of finished games."""
    inner = Random(random.randint(0, 2**31 - 1))  # noqa: S311
    shape = game.shape("small")
    below = _chooser(inner)
    pool: dict[str, None] = {}
    while len(pool) < _REVERSI_POOL:
        cells = play_reversi(shape, below).cells(shape)
        if winner(game, shape, cells):
            pool[cells] = None
    buckets: _Buckets = ({}, {})
    for cells in sorted(pool):
        _put(buckets, winner(game, shape, cells), cells)
    return buckets


def _connect4(game: Game, random: Random) -> _Buckets:
    """Both winners' buckets, in order of discovery."""
    shape = game.shape("small")
    below = _chooser(random)
    buckets: _Buckets = ({}, {})
    while min(map(len, buckets)) < _PER_WINNER:
        cells = play_lines(shape, below, falling=True).cells(shape)
        if won := winner(game, shape, cells):
            _put(buckets, won, cells)
    return buckets


def _dots_boxes(game: Game, random: Random) -> _Buckets:
    """Both winners' buckets: boxes dealt at random to a wanted margin."""
    area = game.shape("small").area
    buckets: _Buckets = ({}, {})
    while min(map(len, buckets)) < _PER_WINNER:
        won = 1 if len(buckets[0]) < len(buckets[1]) else 2
        lead = random.choice(_LEADS)
        ones = (area + lead) // 2 if won == 1 else (area - lead) // 2
        owners = [1] * ones + [2] * (area - ones)
        random.shuffle(owners)
        _put(buckets, won, digits(owners))
    return buckets


_MAKERS: dict[str, Callable[[Game, Random], _Buckets]] = {
    "reversi": _reversi,
    "connect4": _connect4,
    "dots_boxes": _dots_boxes,
}


def _put(buckets: _Buckets, won: int, cells: str) -> None:
    if len(buckets[won - 1]) < _PER_WINNER:
        buckets[won - 1][cells] = None


def _chooser(random: Random) -> Callable[[int], int]:
    choice = random.choice
    ranges = [range(n) for n in range(65)]
    return lambda n: choice(ranges[n])


def weight(text: str) -> int:
    """The published checksum of a text: each character times its place, added up."""
    return sum(map(mul, text.encode("ascii"), count(1)))


def glyphs(name: str, state: int) -> tuple[str, str]:
    """The two letters that stand for the players of a state in the glyph rendering."""
    random = Random(SEED ^ (state * 1315423911) ^ weight(name))  # noqa: S311
    one, other = random.sample(_LETTERS, 2)
    return one, other


def tags(item: Item, condition: Condition, pool: tuple[str, ...]) -> tuple[str, str]:
    """The words for winning and losing in a row of the published set, drawn from the pack's pool."""
    row = (item.levels["game"], state_number(item), *(condition[f] for f in ("rule", "target", "order", "response")))
    return _pair(SEED ^ weight("|".join(map(str, row))), pool)


@lru_cache(maxsize=1 << 15)
def _pair(seed: int, pool: tuple[str, ...]) -> tuple[str, str]:
    won, lost = Random(seed).sample(pool, 2)  # noqa: S311
    return won, lost


def state_number(item: Item) -> int:
    """The number of a published state in its game, from 1."""
    return int(item.id.rpartition("/")[2])


_PLACES = {
    "rule": ("standard", "inverse"),
    "order": ("image_first", "text_first"),
    "prompt": ("base", "alias", "semalias", "descriptive"),
    "response": ("direct", "cot"),
    "target": ("winner", "loser"),
}
_BLOCKS = {"base": (0, 64), "checkerboard": (19_200, 16), "glyph": (24_000, 16)}
_PER_GAME = 28_800


def index(item: Item, condition: Condition) -> int:
    """The row number, from 1, that the published set gives this trial.

    Rows run game by game, then rendering, state, rule, order, prompt, response, target; only the base rendering is
    crossed with the prompts.
    """
    start, per_state = _BLOCKS[condition["rendering"]]
    place = 0
    for factor, levels in _PLACES.items():
        if factor != "prompt" or condition["rendering"] == "base":
            place = place * len(levels) + levels.index(condition[factor])
    game = list(GAMES).index(item.levels["game"])
    return game * _PER_GAME + start + (state_number(item) - 1) * per_state + place + 1
