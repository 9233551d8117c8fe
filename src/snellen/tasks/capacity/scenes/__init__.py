"""Pictures that can be asked about in many ways: sheets of things, rooms, streets and crowds.

Each sort is a `Setting`; all give the same `Facts`, so that whoever asks need not know which sort it is.
"""

from snellen.tasks.capacity.scenes.crowd import CROWD
from snellen.tasks.capacity.scenes.room import ROOM
from snellen.tasks.capacity.scenes.setting import Setting
from snellen.tasks.capacity.scenes.street import STREET
from snellen.tasks.capacity.scenes.tableau import TABLEAU

SETTINGS: dict[str, Setting] = {"tableau": TABLEAU, "room": ROOM, "street": STREET, "crowd": CROWD}
