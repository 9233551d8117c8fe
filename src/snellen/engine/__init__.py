"""The engine: calls, the store that keeps them, the runner that gets through many. Knows nothing of tasks."""

from snellen.engine.engine import Ask, Engine, Tally
from snellen.engine.estimate import Estimate, Estimator, Price, SubjectEstimate, estimate
from snellen.engine.lane import Stopped
from snellen.engine.patience import Patience
from snellen.engine.progress import Progress
from snellen.engine.records import CallRecord, ExamRecord, ItemRecord, TrialRecord
from snellen.engine.runner import Batch, Job, Summary, ready, run
from snellen.engine.store import Store

__all__ = [
    "Ask",
    "Batch",
    "CallRecord",
    "Engine",
    "Estimate",
    "Estimator",
    "ExamRecord",
    "ItemRecord",
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
    "ready",
    "run",
]
