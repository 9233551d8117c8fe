"""An exam from names or objects to findings: plan it, run it, say what it found.

plan = make_plan("openai/gpt-4.1", n=50)
result = run_plan(plan, "snellen.sqlite")
result.report("snellen-report")

Names are imported when first used: an exam begins its calls before anything that analyses them is loaded.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snellen.examine.estimate import Forecast, estimate_plan, forecast
    from snellen.examine.options import ExamOptions
    from snellen.examine.plan import ExamPlan
    from snellen.examine.planning import make_plan
    from snellen.examine.result import Exam, exam
    from snellen.examine.run import run_plan
    from snellen.examine.task_plans import Trial
    from snellen.examine.until_sure import UntilSureComparison, compare_until_sure

__all__ = [
    "Exam",
    "ExamOptions",
    "ExamPlan",
    "Forecast",
    "Trial",
    "UntilSureComparison",
    "compare_until_sure",
    "estimate_plan",
    "exam",
    "forecast",
    "make_plan",
    "run_plan",
]

_HOMES = {
    "Exam": "result",
    "ExamOptions": "options",
    "ExamPlan": "plan",
    "Forecast": "estimate",
    "Trial": "task_plans",
    "UntilSureComparison": "until_sure",
    "compare_until_sure": "until_sure",
    "estimate_plan": "estimate",
    "exam": "result",
    "forecast": "estimate",
    "make_plan": "planning",
    "run_plan": "run",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'snellen.examine' has no attribute {name!r}")
    return getattr(import_module(f"snellen.examine.{_HOMES[name]}"), name)
