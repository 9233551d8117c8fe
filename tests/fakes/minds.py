"""What fakes are made of: an eye that turns each picture into words, and a head that answers from words alone.

A head that is asked with the answer before the question gives that answer; what else it does is a task's own affair.
On top of both come ways of answering that have nothing to do with any task: slips, rambling, one answer to everything.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from fakes.server import Mind, Part, lot

Eye = Callable[[bytes], str]
Head = Callable[[str], str]

_TOLD = re.compile(r"Give this answer in the form that the question asks for:\s*\n\n(.+?)\n\n", re.DOTALL)
_OFFERED = re.compile(r"(?:Reply with|choices are called|that says Answer:) (\w+)(?:,| or )")
_UNABLE = "Hm. It depends on how one looks at it; there is a lot to be said for either side, and more to look into."


@dataclass(frozen=True)
class Seer:
    """Sees with one eye, thinks with one head."""

    eye: Eye
    head: Head

    def __call__(self, parts: Sequence[Part]) -> str:
        words = "\n\n".join(self.eye(part) if isinstance(part, bytes) else part for part in parts)
        told = _TOLD.search(words)
        return f"Answer:\n{told[1]}" if told and "\n" in told[1] else told[1] if told else self.head(words)


def retina(table: Mapping[str, str], blur: Callable[[str], str] = str) -> Eye:
    """An eye that knows pictures by their digest, and loses of what they show what `blur` loses."""
    return lambda picture: blur(table[sha256(picture).hexdigest()])


def first_sayer(parts: Sequence[Part]) -> str:
    """Names the option that is named first, whatever is asked."""
    words = "\n\n".join(part for part in parts if isinstance(part, str))
    offered = _OFFERED.search(words)
    return offered[1] if offered else words.split()[0]


def rambling(mind: Mind, share: float) -> Mind:
    """Gives no answer to a share of all requests, whatever they are."""
    return lambda parts: _UNABLE if lot("ramble", *parts) < share else mind(parts)


def rambling_at(mind: Mind, these: Callable[[Sequence[Part]], bool], share: float) -> Mind:
    """Gives no answer to a share of some requests."""
    rambler = rambling(mind, share)
    return lambda parts: rambler(parts) if these(parts) else mind(parts)


def slipping(mind: Mind, share: float, options: Callable[[str], Sequence[str]]) -> Mind:
    """Says anything that is offered to a share of all requests, whatever they are."""

    def slips(parts: Sequence[Part]) -> str:
        if lot("slip", *parts) >= share:
            return mind(parts)
        offered = options("\n\n".join(part for part in parts if isinstance(part, str)))
        return offered[int(lot("which", *parts) * len(offered))]

    return slips


def toss(words: str, options: Sequence[str]) -> str:
    """One of the options, for whoever cannot tell."""
    return options[int(lot("toss", words) * len(options))]
