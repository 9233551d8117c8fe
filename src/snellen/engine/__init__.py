"""The engine: calls, the store that keeps them, the runner that gets through many. Knows nothing of tasks."""

from snellen.engine.engine import Ask, Engine, Tally
from snellen.engine.estimate import Estimate, Price, SubjectEstimate, estimate
from snellen.engine.lane import Stopped
from snellen.engine.patience import Patience
from snellen.engine.progress import Progress
from snellen.engine.records import CallRecord, ExamRecord, TrialRecord
from snellen.engine.runner import Job, Summary, run
from snellen.engine.store import Store

__all__ = [
    "Ask",
    "CallRecord",
    "Engine",
    "Estimate",
    "ExamRecord",
    "Job",
    "Patience",
    "Price",
    "Progress",
    "Stopped",
    "Store",
    "SubjectEstimate",
    "Summary",
    "Tally",
    "TrialRecord",
    "estimate",
    "run",
]
