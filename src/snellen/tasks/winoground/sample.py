"""A Winoground sample: two captions with the same words, two pictures, and each caption is true of one."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from snellen.tasks.panels import Panel

NO_TAGS: Mapping[str, tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True)
class Sample:
    """`captions[k]` is true of `panels[k]` and false of the other.

    `tags` are what the sample is about, several words under each heading: for the published set `tag` (what was
    swapped), `collapsed` (Object, Relation or Both), `secondary`, `predicates` (how many) and, from the later study of
    why it is hard, `hard`.
    """

    id: str
    captions: tuple[str, str]
    panels: tuple[Panel, Panel]
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: NO_TAGS)
