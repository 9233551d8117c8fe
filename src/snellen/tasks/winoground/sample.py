"""A Winoground sample: two captions with the same words, two pictures, and each caption is true of one."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from snellen.tasks.panels import Panel

HEADINGS = ("tag", "collapsed", "secondary", "predicates", "hard")
"""What samples are sorted by."""
NO_TAGS: Mapping[str, tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True)
class Sample:
    """`captions[k]` is true of `panels[k]` and false of the other.

    `tags` are what the sample is about, several words under each of the `HEADINGS`: for the published set `tag` (what
    was swapped), `collapsed` (Object, Relation or Both), `secondary`, `predicates` (how many) and, from the later study
    of why it is hard, `hard`; for generated samples `tag` and, where roles are swapped, the deed as `secondary`.
    """

    id: str
    captions: tuple[str, str]
    panels: tuple[Panel, Panel]
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: NO_TAGS)
