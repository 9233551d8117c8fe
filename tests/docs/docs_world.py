"""What the pages take for granted: models that answer, sets that were downloaded, logs that were written.

Nothing is asked of a network: one server on this machine answers for every model, and published sets are tiny ones of
our own in the same formats. Everything else is as it will be for whoever follows a page, but small.
"""

import asyncio
import json
import os
import re
import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import packages_distributions
from io import BytesIO
from itertools import islice, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import aiohttp
from aiohttp import web
from docs_pages import DOCS
from PIL import Image
from yarl import URL

from snellen.bridge.fan.units import Heartbeat
from snellen.cli import training
from snellen.examine.ahead import plan_ahead
from snellen.item import Stimulus
from snellen.lab.steer.rows import FEWEST, SteeringRows, asked
from snellen.subjects.http_client import HttpClient
from snellen.subjects.providers import PROVIDERS
from snellen.tasks import Design, Levels, Task, audit
from snellen.tasks.capacity.load import FILES
from snellen.tasks.fixation import trainsets
from snellen.tasks.making import ItemRequest
from snellen.tasks.marvel.draw.puzzles import draw_puzzle
from snellen.tasks.steering import SteeringFamily
from support.batch_server import BatchServer
from support.fault_server import FaultServer

KEYS = {name: "a-key-for-tests" for provider in PROVIDERS.values() for name in provider.keys}
PATHS = ("/chat/completions", "/messages", "/embeddings")
THOUGHTS = (
    "First I look at the picture and note what is in it. Then I compare that with what the question asks for, and go"
    " through the rules one by one. So the final answer is: 1"
)
"""A reply with words enough to be looked at for thinking."""
FEW = 1
"""Base items an exam or a made set gets, whatever the page says."""
SHOWN, AUDITED = 3, 60
MOCK = "mockllm/model"
HUB_MODEL = "HuggingFaceTB/SmolVLM-256M-Instruct"
QUICK_KINDS = ("maze", "chart")
"""Kinds of the capacity task that are drawn in no time."""


@contextmanager
def small() -> Iterator[None]:
    """Everything in its smallest size: pages ask for hundreds of items."""
    make, sheet, stimuli, look = ItemRequest.__init__, Task.some_of_each, Task.stimuli, audit.audit_order
    pool, chosen = trainsets.pool, training._recipe  # type: ignore[attr-defined]

    def few(self: Any, task: Task, design: Design, n: int, *rest: Any, **more: Any) -> None:
        quick = quickly(task, design)
        make(self, task, quick, min(n, FEW if quick is design else len(QUICK_KINDS)), *rest, **more)

    def some(self: Task, design: Design, *rest: Any) -> Iterator[Stimulus]:
        return islice(sheet(self, quickly(self, design), *rest), SHOWN)

    def one(self: Task, design: Design, n: int, *rest: Any) -> Iterator[Stimulus]:
        return stimuli(self, design, min(n, FEW), *rest)

    def audited(task: Task, levels: Levels, n: int, *rest: Any, **also: Any) -> ItemRequest:
        with patch.object(ItemRequest, "__init__", make):
            return look(task, levels, min(n, AUDITED), *rest, **also)

    def states(name: str, train: int, held_out: int, seed: int) -> Any:
        return pool(name, min(train, 2 * FEW), min(held_out, 2 * FEW), seed)

    def trained(*given: Any) -> Any:
        return replace(chosen(*given), batch=2, together=2, steps=FEW, generations=2, reply_tokens=2)

    def steered(of: SteeringFamily, setup: str, n: int, seed: int) -> SteeringRows:
        return asked(of, setup, min(n, FEWEST), seed)

    def fanned(plan: Any, on: str, units: Any, watch: Any) -> dict[str, Heartbeat]:
        return {unit.name: Heartbeat("done") for unit in units}

    with (
        # Engines that are elsewhere; tests/bridge holds what they do.
        patch("snellen.bridge.fan.launching.fan_out", fanned),
        patch.object(trainsets, "pool", states),
        patch.object(training, "_recipe", trained),
        patch("snellen.lab.steer.study.asked", steered),
        # Minutes on a GPU; recipes/tests makes minuscule ones.
        patch("recipes.tiny.making.make", made),
        patch("recipes.small.making.make", learnt),
        patch("recipes.small.folder.unpack", put_together),
        patch("recipes.small.packing.pack", packed),
        # A program that not everybody has; tests/subjects/ocr holds what is made of it.
        patch("snellen.subjects.ocr.engines.version", lambda package: "3.10.0"),
        patch("snellen.subjects.ocr.engines._recogniser", lambda: lambda line, **how: SimpleNamespace(txts=("K",))),
        patch.object(ItemRequest, "__init__", few),
        patch.object(Task, "some_of_each", some),
        patch.object(Task, "stimuli", one),
        patch.object(audit, "audit_order", audited),
    ):
        yield


def made(recipe: Any, folder: Path, *_: Any) -> None:
    """Folders where those of the last stages would be: of the model that ships."""
    from snellen.subjects.tiny import FILE
    from snellen.subjects.tiny.stock import unpack

    for stage in ("fixated", "cured"):
        unpack(FILE, folder / stage)


def learnt(recipe: Any, folder: Path, *_: Any) -> None:
    """Files where those of the last stages would be."""
    folder.mkdir(parents=True)
    for stage, number in product(("fixated", "cured"), (1, 2)):
        (folder / f"{stage}-{number}-of-2.safetensors").touch()


def put_together(deltas: Any, language: Any, folder: Path) -> None:
    """A model of a few thousand parameters in place of small."""
    from tiny_models import make

    make("idefics3", folder)


def packed(named: Any, name: str, language: Any, whole: bool, dist: Path) -> Path:
    """A wheel, and, as if it had been installed, the folder that it would bring."""
    put_together(named, language, Path(name))
    dist.mkdir(exist_ok=True)
    wheel = dist / f"snellen_{name.replace('-', '_')}-1-py3-none-any.whl"
    wheel.touch()
    return wheel


def quickly(task: Task, design: Design) -> Design:
    """The design, without the kinds of the capacity task that take their time to draw."""
    if task.name == "capacity" and set(QUICK_KINDS) < set(task.item_levels(design)["kind"]):
        return task.changed(design, {"kind": QUICK_KINDS})
    return design


class Server(FaultServer):
    """A server that also tells how alike texts are: all of them."""

    async def _embeddings(self, request: web.Request) -> web.Response:
        sent = await request.json()
        found = [{"index": place, "embedding": [1.0, 0.0]} for place in range(len(sent["input"]))]
        return web.json_response({"data": found, "model": sent["model"], "usage": {"prompt_tokens": 1}})

    def routes(self) -> dict[str, Any]:
        return {**super().routes(), "/v1/embeddings": self._embeddings}


@contextmanager
def answered() -> Iterator[None]:
    """Whatever model is named, a server on this machine answers in its place."""
    loop, server, batches = asyncio.new_event_loop(), Server(answer=THOUGHTS), BatchServer()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    for each in (server, batches):
        asyncio.run_coroutine_threadsafe(each.__aenter__(), loop).result()
    request = aiohttp.ClientSession._request

    async def local(self: Any, method: str, url: Any, **more: Any) -> Any:
        assert {"batches", "files"} & set(URL(url).parts), f"{url}: no such thing is served here"
        return await request(self, method, URL(batches.root + URL(url).path_qs), **{**more, "proxy": None})

    def client(url: str, headers: Mapping[str, str]) -> HttpClient:
        path = next(path for path in PATHS if URL(url).path.endswith(path))
        return HttpClient(server.url + path, headers)

    try:
        with (
            patch.object(aiohttp.ClientSession, "_request", local),
            patch("snellen.subjects.http.HttpClient", client),
            patch("snellen.subjects.http._proxy", lambda base, env: None),
        ):
            yield
    finally:
        for each in (server, batches):
            asyncio.run_coroutine_threadsafe(each.__aexit__(None, None, None), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@contextmanager
def downloaded(home: Path) -> Iterator[None]:
    """The data sets on the Hub that pages name, as folders that are there."""
    at_home = {
        "anvo25/vlms-are-biased": vlmbias(home / "hub/vlmbias"),
        "facebook/winoground": winoground(home / "hub/winoground"),
        "kianasun/MARVEL": marvel(home / "hub/marvel"),
        "MaxwellWen/MME-CC": capacity(home / "hub/capacity"),
    }
    at_home[HUB_MODEL] = home / "my-model"
    with patch("huggingface_hub.snapshot_download", lambda name, **_: str(at_home[name])):
        yield


def models(home: Path) -> None:
    """A model of one's own and an adapter for it: tiny ones."""
    import peft
    import torch

    from snellen.subjects.local.loading import load
    from tiny_models import make

    torch.set_num_threads(1)
    folder = make("idefics3", home / "my-model")
    torch.manual_seed(1)
    adapted = peft.LoraConfig(r=2, target_modules=["q_proj"], init_lora_weights=False)
    peft.get_peft_model(load(folder).model, adapted).save_pretrained(home / "my-adapter")


def trained_runs(home: Path) -> None:
    """Checkpoints of two training runs: of a whole model and of an adapter."""
    for step in (1000, 2000):
        for run, made in (("sft", "my-model"), ("lora", "my-adapter")):
            folder = shutil.copytree(home / made, home / f"runs/{run}/checkpoint-{step}")
            put(folder / "trainer_state.json", {"global_step": step})


@contextmanager
def inspected() -> Iterator[None]:
    """Whatever model Inspect is asked for, its own mock model answers."""
    import inspect_ai
    from inspect_ai import model as models
    from inspect_ai.model import _model as home

    get_model = models.get_model

    def mocked(model: Any = None, **more: Any) -> Any:
        return mock() if isinstance(model, str) and model != MOCK else get_model(model, **more)

    with (
        patch.object(models, "get_model", mocked),
        patch.object(home, "get_model", mocked),
        patch("inspect_ai.eval", partial(inspect_ai.eval, limit=2, display="none")),
        patch("importlib.metadata.packages_distributions", cache(packages_distributions)),  # Inspect asks it each time
    ):
        yield


def mock() -> Any:
    """Inspect's mock model, which answers X."""
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def act(*_: Any) -> Any:
        said = ModelOutput.from_content("mock-1", "X")
        said.usage = ModelUsage(input_tokens=11, output_tokens=3, total_tokens=14)  # counting needs the network
        return said

    return get_model(MOCK, custom_outputs=act)


def inspect_logs(folder: Path, models: Mapping[str, str]) -> None:
    """Logs of an evaluation by Inspect, by name, each as if another model had been asked."""
    import inspect_ai
    from inspect_ai.log import read_eval_log, write_eval_log

    from snellen.bridge.inspect_tasks import inspect_task

    boards = inspect_task("fixation")(n=1, game="tictactoe")
    [log] = inspect_ai.eval(boards, model=mock(), log_dir=str(folder / "scratch"))
    found = read_eval_log(log.location)
    for name, model in models.items():
        found.eval.model = model
        write_eval_log(found, str(folder / name))
    shutil.rmtree(folder / "scratch")


@contextmanager
def a_world(home: Path, text: str) -> Iterator[None]:
    """A folder in which what a page says can be done. Only what the page speaks of is prepared."""
    for folder in (home, home / "docs/examples"):  # some pages are followed in a clone, some beside their example
        shutil.copytree(DOCS / "examples", folder, dirs_exist_ok=True)
    with ExitStack() as around:
        around.enter_context(answered())
        around.enter_context(downloaded(home))
        if re.search("^(snellen exam|inspect|from) inspect[_/]|^inspect eval|import inspect", text, re.MULTILINE):
            around.enter_context(inspected())
        published(home, text)
        if "local/./my-model" in text or "snellen watch" in text:
            models(home)
        if "snellen watch" in text:
            trained_runs(home)
        around.enter_context(patch.dict(os.environ, {"HOME": str(home), "HF_HOME": str(home / "hf")}))
        yield


def published(home: Path, text: str) -> None:
    """The sets that a page names by a folder, and whatever else should lie about."""
    for place in ("PATH", "data/Bongard-OpenWorld", "data/ow", "ow"):
        openworld(home / place, images=home / "ow-images" if place == "ow" else None)
    for place in ("PATH", "data/BP"):
        original(home / place)
    vlmbias(home / "data/vlmbias")
    winoground(home / "PATH")
    marvel(home / "PATH")
    (home / "descriptions.jsonl").write_text(json.dumps({"id": 1, "text": "Circles move to the right."}) + "\n")
    (home / "replies.jsonl").write_text('{"reply": "X"}\n' * plan_ahead("fixation", n=FEW).size)
    if "import inspect" in text:
        ours = dict.fromkeys(("2026-01-01T10-00-00_fixation_abc.eval", "fixation.eval"), "openai/gpt-4o")
        others = {f"gpqa-model-{model}.eval": f"openai/model-{model}" for model in "ab"}
        inspect_logs(home / "logs", {**ours, **others})


# Small sets in the formats of the published ones


def picture(colour: Any = "red") -> bytes:
    file = BytesIO()
    Image.new("RGB", (8, 6), colour).save(file, "PNG")
    return file.getvalue()


def put(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())


def openworld(folder: Path, images: Path | None = None) -> Path:
    names = [f"images/0001/{side}__{i}.png" for side in ("pos", "neg") for i in range(7)]
    said = {"uid": "0001", "commonSense": "3", "concept": "red thing", "caption": "A red thing."}
    put(folder / "bongard_ow_test.json", [{**said, "imageFiles": names}])
    for i, name in enumerate(names):
        put(images / name.removeprefix("images/") if images else folder / name, picture((i, 0, 0)))
    return folder


def original(folder: Path) -> Path:
    for i in range(12):
        put(folder / f"p001/{i}.png", picture((i, 9, 9)))
    return folder


def vlmbias(folder: Path) -> Path:
    asked = {"Q1": "How many legs does this animal have?", "Q2": "Count the legs of this animal."}
    said = {name: dict.fromkeys(asked, number) for name, number in (("ground_truth", "3"), ("expected_bias", "2"))}
    where = {"id": 0, "image": "birds/crane_1152.png", "topic": "Animals", "sub_topic": "Birds"}
    put(folder / "labels.jsonl", {**where, "prompts": asked, **said})
    put(folder / "birds/crane_1152.png", picture())
    return folder


def winoground(folder: Path) -> Path:
    captions = {"caption_0": "the dog chases the cat", "caption_1": "the cat chases the dog"}
    tags = {"tag": "Noun", "secondary_tag": "", "num_main_preds": 1, "collapsed_tag": "Object"}
    put(folder / "examples.jsonl", {"id": 0, "image_0": "ex_0_img_0", "image_1": "ex_0_img_1", **captions, **tags})
    for k in (0, 1):
        put(folder / f"images/ex_0_img_{k}.png", picture((k, 0, 9)))
    return folder


def marvel(folder: Path) -> Path:
    def panel(x: int, shape: str) -> dict[str, Any]:
        return {"marks": [{"shape": shape, "x": x, "y": 90, "size": 20, "fill": "none"}]}

    shapes = ("circle", "square", "star", "triangle")
    choices = [panel(40 + 30 * k, shape) for k, shape in enumerate(shapes)]
    labels = [
        {
            **{"id": number, "pattern": "Temporal Movement", "task_configuration": "Sequence", "answer": 3},
            **{"avr_question": "Which one?", "explanation": "The circle moves. Only item C fits."},
            **{"f_perception_question": "Is the circle in choice 2 at the left or right part?"},
            **{"f_perception_answer": "left", "f_perception_distractor": "right"},
            **{"c_perception_question_tuple": ["?", "?", "?"], "c_perception_answer_tuple": [5, 4, 9]},
        }
        for number in (1, 2, 3, 4, 5, 593)  # the last is one that Snellen describes
    ]
    put(folder / "marvel_label.json", labels)
    for place, label in enumerate(labels):
        context = [panel(30 + 12 * k + place, "circle") for k in range(4)]
        put(folder / f"Marvel/{label['id']}.png", draw_puzzle(context, choices, 1, 5).data)
    return folder


def capacity(folder: Path) -> Path:
    for name in FILES:
        truth = {"answer": "## The correct answer is: 1 4 7\n\n## Scoring criteria: all of it"}
        put(folder / f"{name}.json", [{"prompt": "?", "image_list": [f"{name}/1.png"], "ground_truth": truth}])
        put(folder / name / "1.png", picture())
    return folder
