"""Things for the perspective renderer to be tried on."""

from snellen.tasks.capacity.draw.space.rooms import Room
from snellen.tasks.capacity.draw.space.solids import Ball, Gable, Prism, Quad, SolidBox, SolidThing, plain

RED = plain((200, 60, 50))


def alone(*parts: SolidBox | Prism | Ball | Gable | Quad, name: str = "thing") -> SolidThing:
    return SolidThing(name, parts)


def on_wall(room: Room, thing: SolidThing, name: str, wall: int, at: float) -> SolidThing:
    """The thing hung on the room's wall of that bearing, at that x or y, looking into the room."""
    (x0, y0), (x1, y1) = room.low, room.high
    spot = {0: (at, y1), 90: (x1, at), 180: (at, y0), 270: (x0, at)}[wall]
    return thing.placed(name, spot, (wall + 180) % 360)
