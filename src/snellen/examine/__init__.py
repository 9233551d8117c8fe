"""An exam from names to findings: plan it, run it, say what it found.

plan = make_plan("openai/gpt-4.1", n=50)
result = run_plan(plan, "snellen.sqlite")
result.report("snellen-report")
"""

from snellen.examine.plan import Choices, Plan, Trial, make_plan
from snellen.examine.result import Exam, exam
from snellen.examine.run import estimate_plan, run_plan

__all__ = ["Choices", "Exam", "Plan", "Trial", "estimate_plan", "exam", "make_plan", "run_plan"]
