"""Pictures that can be asked about in many ways: sheets of things, rooms, streets and crowds.

Each sort is a `SceneSetting`; all give the same `Facts`, so that whoever asks need not know which sort it is.
"""

from snellen.tasks.capacity.scenes.crowd import CROWD
from snellen.tasks.capacity.scenes.room import ROOM
from snellen.tasks.capacity.scenes.setting import SceneSetting
from snellen.tasks.capacity.scenes.street import STREET
from snellen.tasks.capacity.scenes.tableau import TABLEAU

SETTINGS: dict[str, SceneSetting] = {"tableau": TABLEAU, "room": ROOM, "street": STREET, "crowd": CROWD}
