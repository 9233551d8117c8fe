"""Whether a model answers a batch as it answers each call alone.

Padding and its mask are a model's own affair, and some models err there: Florence-2, InstructBLIP and Kosmos-2.5 see
the padding, Phi-4 multimodal the sizes of other pictures. Such a model has to be asked one call at a time. Two calls of
different lengths show it: two tokens each, alone and then together.
"""

from io import BytesIO
from statistics import fmean

from PIL import Image

from snellen.call import Call, Message, Reply, Token
from snellen.item import Picture
from snellen.subjects.local.prompts import PromptMaker
from snellen.subjects.local.running import Runner

_SMALL, _WIDE = (384, 384), (640, 360)
"""A processor may cut the second one into tiles and pad the first one to as many, or pad the second one to a square."""
_SETTINGS = {"max_tokens": 2, "logprobs": 20}
_LONG = "Is there anything in this picture, or is it blank? Look at each corner, then answer with yes or no."
_MEAN = {"torch.float64": 0.002, "torch.float32": 0.002}
_MEAN_OF_HALVES = 0.25
"""How far log-probabilities of the likeliest tokens differ on average by rounding alone, at most."""


def answers_alike(runner: Runner, prompts: PromptMaker, dtype: str) -> bool:
    """True if two calls are answered alike alone and together. Also true if one cannot be answered at all: that is
    reported when it matters. `dtype`: torch's, as a string."""
    shown = ((_shaded(_SMALL), "?"), (_shaded(_WIDE), _LONG))
    try:
        asked = [prompts.of(Call("", _SETTINGS, (Message("user", parts),))) for parts in shown]
        alone = [runner.answer([prompt])[0] for prompt in asked]
        together = runner.answer(asked)
    except Exception:  # whatever a model has against such calls
        return True
    rounding = _MEAN.get(dtype, _MEAN_OF_HALVES)
    return all(_is_alike(*pair, rounding) for pair in zip(alone, together, strict=True))


def _shaded(size: tuple[int, int]) -> Picture:
    """From black to white: of a blank picture all parts are alike, and it does not matter which are attended to."""
    drawn = BytesIO()
    Image.linear_gradient("L").resize(size).save(drawn, "PNG")
    return Picture(drawn.getvalue())


def _is_alike(one: Reply, other: Reply, rounding: float) -> bool:
    """Step by step until they say something else: after a tie, rounding decides what is said."""
    for left, right in zip(one.tokens, other.tokens, strict=False):
        if _distance(left, right) > rounding:
            return False
        if left.text != right.text:
            break
    return True


def _distance(one: Token, other: Token) -> float:
    """The mean difference of the log-probabilities of the likeliest tokens, by their rank."""
    pairs = zip(one.others, other.others, strict=True)
    return fmean(abs(chance - again) for (_, chance), (_, again) in pairs)
