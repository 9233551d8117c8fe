"""How alike two texts are in meaning: a number for each pair, 1 for the same, about 0 for unrelated.

`embedder("openai/text-embedding-3-small")` asks a server that speaks OpenAI's `/embeddings` (any other address by
`@BASE_URL`, keys as for every subject) and gives the cosine of the two vectors. `embedder()` needs neither key, network
nor download: it compares the words and pieces of words that two texts share. It is a stand-in: it knows that "dogs" is
close to "dog", and not that "puppy" is. Both are used alike:

    async with embedder(name) as alike:
        (value,) = await alike.similarity([("a dog runs", "two dogs running")])
"""

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log, sqrt
from types import TracebackType
from typing import Protocol, Self

from snellen.errors import UserError, unknown
from snellen.item import NOTHING
from snellen.subjects import settings
from snellen.subjects.providers import PROVIDERS, Provider, check_name, full_name, place
from snellen.subjects.settings import SubjectSetting, Value, number, whole

__all__ = ["Embedder", "embedder"]

OFFLINE = "offline"

_WORD = re.compile(r"\w+")
_STOP = frozenset(
    _WORD.findall(
        "a an and are as at be been but by do does for from had has have he her his i if in into is it its of on or she"
        " so such that the their them then there these they this those to was were which who will with you your"
        " picture pictures image images"
    )
)
_ENDING = re.compile(r"(?<=\w{3})(?:ings?|ies|e[ds]|[esy])$")
_PIECES = (3, 4)


class Embedder(Protocol):
    """Compares texts. `name` and `settings` identify it, as for a subject; neither contains a secret."""

    @property
    def name(self) -> str: ...

    @property
    def settings(self) -> Mapping[str, Value]: ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    async def similarity(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The cosine of each pair, in order; 0 where a text is empty. Raises `CallFailed` if a server does not help."""
        ...


def embedder(name: str = OFFLINE, *, env: Mapping[str, str] | None = None) -> Embedder:
    """The embedder of that `name`: `offline`, or PROVIDER/MODEL as for subjects. Keys are taken from `env`, the
    process's environment if not given. Returns it, not yet opened. Raises `UserError` if nobody goes by that name.

    >>> embedder().name
    'offline'
    """
    if not name.isprintable():
        raise UserError(f"embedder {name!r}: the name contains unprintable characters")
    bare, pairs = settings.split(name.strip())
    kind, slash, model = bare.partition("/")
    servers = {who: provider for who, provider in PROVIDERS.items() if provider.dialect == "openai"}
    if kind == OFFLINE:
        if slash or pairs:
            raise UserError(f"embedder {name!r}: {OFFLINE} takes neither a model nor settings; write {OFFLINE}")
        return OfflineEmbedder()
    if kind not in servers:
        raise unknown("embedder", bare if not slash else kind, (OFFLINE, *servers))
    if not model:
        raise UserError(f"embedder {name!r} names no model; expected {kind}/MODEL")
    return _api_embedder(servers[kind], model, pairs, os.environ if env is None else env)


_SCHEMA = (
    SubjectSetting("dimensions", "a whole number from 1", whole(1, 100_000)),
    SubjectSetting("timeout", "a number of seconds from 0.1", number(0.1, 86_400), 300, in_key=False),
)


def _api_embedder(
    provider: Provider, where: str, pairs: tuple[tuple[str, str], ...], env: Mapping[str, str]
) -> Embedder:
    # aiohttp takes long to load, so only those who need it do
    from snellen.subjects.embedding_api import ApiEmbedder
    from snellen.subjects.failures import Server

    model, base, whose = place(provider, where, env)
    values = settings.read(pairs, _SCHEMA, whose)
    name = full_name(provider, model, base) + settings.written(values, _SCHEMA)
    check_name(provider, base, env, name)
    server = Server(name, provider, model, base, None, settings.keyed(values, _SCHEMA))
    return ApiEmbedder(server, float(values["timeout"]), env)


class OfflineEmbedder:
    """Compares texts by what they are written with: the mean of two cosines, over words and over pieces of words.

    Case, accents' encoding, punctuation, the commonest endings and the commonest words of English do not count (unless
    a text has no others; words that turn a meaning round or count, such as "not" and "one", do). A word that occurs
    often counts more than once, but less than each time anew.
    """

    name = OFFLINE
    settings: Mapping[str, Value] = NOTHING

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    async def similarity(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [lexical_similarity(text, other) for text, other in pairs]


def lexical_similarity(first: str, other: str) -> float:
    """How much two texts share of their words and pieces of words, from 0 to 1."""
    both = [_words(text) for text in (first, other)]
    stems = [Counter(_ENDING.sub("", word) for word in words) for words in both]
    pieces = [Counter(piece for word in words for piece in _pieces(word)) for words in both]
    return (_cosine(*stems) + _cosine(*pieces)) / 2


def _words(text: str) -> list[str]:
    words = _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
    return [word for word in words if word not in _STOP] or words


def _pieces(word: str) -> list[str]:
    """A word's runs of three and four characters, with its ends marked; of a short word, itself."""
    marked = f"<{word}>"
    return [marked[i : i + n] for n in _PIECES for i in range(max(1, len(marked) - n + 1))]


def _cosine(first: Counter[str], other: Counter[str]) -> float:
    if not first or not other:
        return 0.0
    if first == other:
        return 1.0
    product = sum(_weight(n) * _weight(other[part]) for part, n in first.items() if part in other)
    lengths = (sqrt(sum(_weight(n) ** 2 for n in counts.values())) for counts in (first, other))
    return min(1.0, product / (next(lengths) * next(lengths)))


def _weight(times: int) -> float:
    return 1 + log(times)
