"""Snellen: an eye exam for vision-language models.

    import snellen
    snellen.exam("sim/fixated").report()

Names are imported when first used, so that `import snellen` stays fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snellen.examine import Exam, compare_until_sure, exam
    from snellen.subjects import subject
    from snellen.tasks import task, task_names

__version__ = "0.2.0"

__all__ = ["Exam", "__version__", "compare_until_sure", "exam", "subject", "task", "task_names"]

_HOMES = {
    "compare_until_sure": "snellen.examine",
    "exam": "snellen.examine",
    "Exam": "snellen.examine",
    "subject": "snellen.subjects",
    "task": "snellen.tasks",
    "task_names": "snellen.tasks",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'snellen' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
