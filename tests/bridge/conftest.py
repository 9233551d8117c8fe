"""A tiny task, and running it through Inspect with a mock model that answers as told."""

import sys
import types
from importlib.metadata import EntryPoint

import pytest
from tiny_task import PACK, tiny_task

from snellen import tasks


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """The task, known to `snellen.tasks` and to Inspect for as long as the tests run."""
    path = tmp_path_factory.mktemp("tiny") / "tiny.toml"
    path.write_text(PACK)
    module = types.ModuleType("tiny_module")
    module.TASK = tiny_task(path)
    sys.modules["tiny_module"] = module
    points = {tasks.GROUP: {"tiny": EntryPoint("tiny", "tiny_module", tasks.GROUP)}}
    published = tasks.published
    from snellen.bridge.inspect_tasks import inspect_task

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "published", lambda group: {**published(group), **points.get(group, {})})
        yield inspect_task("tiny")
    del sys.modules["tiny_module"]


@pytest.fixture(scope="session")
def evaluate(tmp_path_factory):
    """Evaluate a task with a model that answers by the words it is shown; the log."""
    import inspect_ai
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def run(task, answer, **options):
        def act(messages, *_):
            said = answer(messages[-1].text)
            made = ModelOutput.from_content("mock-1", said) if isinstance(said, str) else said
            made.usage = ModelUsage(input_tokens=11, output_tokens=3, total_tokens=14)  # counting needs the network
            return made

        folder = str(tmp_path_factory.mktemp("logs"))
        options = {"display": "none", "log_dir": folder, "log_realtime": False, **options}
        [log] = inspect_ai.eval(task, model=get_model("mockllm/model", custom_outputs=act), **options)
        return log

    return run
