"""Everything *small* is taught: sheets of all families, by the numbers of the sheet alone."""

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from recipes.small.boards import KINDS, board_sheet
from recipes.small.drawing import drawn
from recipes.small.english import prompts
from recipes.small.labels import looks, things
from recipes.small.letters import letter_sheet
from recipes.small.pool import FOLDER, Pool, fill
from recipes.small.scenes import scene_sheet
from recipes.small.shares import FAMILIES
from recipes.small.sheets import Said, Sheet
from recipes.small.watching import WATCHED, Sitting
from recipes.small.worded import worded
from recipes.stages import Told
from recipes.tiny.boards import HELD_OUT
from snellen.rng import Stream, stream

__all__ = ["REPLAY", "Teaching", "lessons", "prompts", "watch"]

REPLAY = "replay.json"
_PLACES = 4096
"""More than a step has."""


def watch(folder: Path, workers: int, tell: Told, sittings: Iterable[Sitting] = WATCHED) -> None:
    """Watch exams, once and for all: what there is already is not watched again."""
    begun = time.monotonic()
    told = fill(folder / FOLDER, workers, sittings)
    tell({**told, "seconds": round(time.monotonic() - begun)})


def lessons(folder: Path) -> "Teaching":
    """With what was watched and said in this folder, as far as there is any."""
    return Teaching(folder)


@dataclass(frozen=True, slots=True)
class Teaching:
    """The lessons; other processes get the folder's name, and read it for themselves."""

    folder: Path

    @property
    def things_known(self) -> int:
        return 1 + len(things())

    @property
    def looks_known(self) -> int:
        return 1 + len(looks())

    def sheet(self, shares: Mapping[str, float], seed: int, step: int, place: int) -> Sheet:
        """A sheet of a family drawn by the shares. Seeds that are held out show what is never learnt from."""
        number = _PLACES * step + place
        rng = stream(seed, "small", "sheet", number)
        family = drawn(rng, {name: shares[name] for name in FAMILIES if shares.get(name)})
        if family == "watched":
            return _pool(self.folder).sheet(rng, held_out=seed in HELD_OUT)
        sheet = _family(family, shares, seed, number)
        learnt = sheet.said and seed not in HELD_OUT  # what rides along is not held out
        riders = tuple(self._riders(shares, rng, seed, number)) if learnt else ()
        return replace(sheet, said=(*riders, *sheet.said)) if riders else sheet

    def _riders(self, shares: Mapping[str, float], rng: Stream, seed: int, number: int) -> Iterable[Said]:
        if rng.chance(shares.get("worded", 0)):
            yield worded(shares, seed, number)
        if rng.chance(shares.get("replay", 0)) and (pairs := _replay(self.folder)):
            prompt, reply = rng.choice(pairs)
            yield Said("english", (prompt,), reply)


def _family(family: str, shares: Mapping[str, float], seed: int, number: int) -> Sheet:
    if family == "boards":
        return board_sheet(shares, seed, number)
    asked = any(shares.get(kind) for kind in KINDS)
    return {"scenes": scene_sheet, "letters": letter_sheet}[family](asked, seed, number)


@lru_cache(maxsize=4)
def _pool(folder: Path) -> Pool:
    return Pool(folder / FOLDER)


@lru_cache(maxsize=4)
def _replay(folder: Path) -> tuple[tuple[str, str], ...]:
    file = folder / REPLAY
    if not file.exists():
        return ()
    return tuple((prompt, reply) for prompt, reply in json.loads(file.read_text(encoding="utf-8"))["train"])
