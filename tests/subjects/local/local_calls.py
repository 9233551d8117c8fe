"""Pictures and calls for the tests of local models."""

from io import BytesIO
from typing import Any

from PIL import Image

from snellen.call import Call, Message
from snellen.item import Picture


def picture(colour: str, size: tuple[int, int] = (40, 40)) -> Picture:
    """A patch of colour with a blue corner."""
    data = BytesIO()
    image = Image.new("RGB", size, colour)
    image.paste((0, 0, 255), (3, 5, 20, 20))
    image.save(data, "PNG")
    return Picture(data.getvalue())


RED, GREEN, YELLOW = picture("red"), picture("green", (40, 60)), picture("yellow", (64, 40))


def call(*parts: str | Picture, before: tuple[Message, ...] = (), **settings: Any) -> Call:
    return Call("local/m", {"max_tokens": 6, **settings}, (*before, Message("user", parts)))


CALLS = (
    call(RED, "Who won?"),
    call(GREEN, "Who won, X or O, and why is that so? Say yes or no."),
    call("Look at this: ", RED, " and at that: ", GREEN, " now."),
    call(RED, "Who?", YELLOW),
    call(YELLOW, " Hm."),
    call("And now? ", RED, before=(Message("user", (GREEN, "Who?")), Message("assistant", ("X",)))),
)
WORDS = (call("Who? X"), call("Why, tell me now."), call("No?", before=(Message("system", ("Be brief.",)),)))
