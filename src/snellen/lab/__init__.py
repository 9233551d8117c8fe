"""The lab: training sets, post-training and steering. Nothing of it loads torch before a command needs it.

ExamCallback  for the Hugging Face `Trainer`: an exam of the model in memory every so many steps
exam_model    the same for any other loop
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snellen.lab.train.examining import ExamCallback, exam_model

__all__ = ["ExamCallback", "exam_model"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'snellen.lab' has no attribute {name!r}")
    return getattr(import_module("snellen.lab.train.examining"), name)
