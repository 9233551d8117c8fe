"""An exam from names or objects to findings: plan it, run it, say what it found.

plan = make_plan("openai/gpt-4.1", n=50)
result = run_plan(plan, "snellen.sqlite")
result.report("snellen-report")
"""

from snellen.examine.estimate import Forecast, estimate_plan, forecast
from snellen.examine.options import ExamOptions
from snellen.examine.plan import ExamPlan
from snellen.examine.planning import make_plan
from snellen.examine.result import Exam, exam
from snellen.examine.run import run_plan
from snellen.examine.task_plans import Trial

__all__ = [
    "Exam",
    "ExamOptions",
    "ExamPlan",
    "Forecast",
    "Trial",
    "estimate_plan",
    "exam",
    "forecast",
    "make_plan",
    "run_plan",
]
