"""The engine: calls, the store that keeps them, the runner that gets through many. Knows nothing of tasks."""

from snellen.engine.engine import Ask, CallTally, Engine
from snellen.engine.estimate import CallEstimate, Estimator, Price, SubjectEstimate, estimate
from snellen.engine.lane import Stopped
from snellen.engine.patience import Patience
from snellen.engine.progress import RunProgress
from snellen.engine.records import CallRecord, ExamRecord, ItemRecord, TrialRecord
from snellen.engine.runner import Batch, Job, RunSummary, ready, run
from snellen.engine.store import Store

__all__ = [
    "Ask",
    "Batch",
    "CallEstimate",
    "CallRecord",
    "CallTally",
    "Engine",
    "Estimator",
    "ExamRecord",
    "ItemRecord",
    "Job",
    "Patience",
    "Price",
    "RunProgress",
    "RunSummary",
    "Stopped",
    "Store",
    "SubjectEstimate",
    "TrialRecord",
    "estimate",
    "ready",
    "run",
]
