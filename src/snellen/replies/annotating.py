"""The annotator: any subject may say where a reply collects, analyses and concludes, in place of the rules.

It sees the reply between two marks (see `snellen.fence`), is asked to quote the first words of every stretch with its
stage, and of every place that goes back to the picture or interrupts itself, as JSON. The quotes are looked up in the
reply letter by letter, whatever became of spaces, signs and capitals on the way. An annotator that is out of form, or
quotes a stretch that is not there, is asked once more; then the reply is left to the rules, and counted. A place
(not a stretch) that cannot be found is left out, and counted.

Nothing here is a trial: only calls are recorded, each once, so that the next run goes on where this one stopped.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from snellen.analysis.thought import TextSpan, annotate
from snellen.answer.tidy import TAIL
from snellen.call import Call, CallFailed, Message, Reply, Subject
from snellen.engine import CallEstimate, Engine, RunProgress, Stopped, Store, estimate
from snellen.engine.signals import on_interrupt
from snellen.errors import UserError
from snellen.fence import fenced
from snellen.item import Condition, Form, Item, Question, Stimulus, content_digest
from snellen.paradigms import WORDING
from snellen.prompts import Pack, load
from snellen.replies.stretches import Annotation, Why, read_annotation, shown, written
from snellen.subjects import subject as find_subject
from snellen.subjects.simulated import SimulatedSubject

ANNOTATOR_TABLE = "annotator"
_NO_LEVELS = Condition()
AskAnnotator = Callable[[str], Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Annotations:
    """All that was annotated, by text. As an annotator it falls back on the rules."""

    by_text: Mapping[str, Annotation]
    who: str
    problem: str = ""
    interrupted: bool = False

    def __call__(self, text: str) -> list[TextSpan]:
        return list(self.by_text[text].spans) if self.has(text) else annotate(text)

    def has(self, text: str) -> bool:
        """Whether the text was annotated by the model."""
        return text in self.by_text and not self.by_text[text].why

    def count(self, why: Why) -> int:
        return sum(annotation.why == why for annotation in self.by_text.values())

    @property
    def lost(self) -> int:
        return sum(annotation.lost for annotation in self.by_text.values())


def annotator(name: str) -> Subject:
    """The subject of that name, as an annotator. An oracle has nothing to say about thoughts."""
    who = find_subject(name)
    for only in who.abilities.roles[:1]:
        raise UserError(
            f"{who.name} as annotator: it can only have the role {only} (--role {only}={who.name} in an exam)"
        )
    return who


# What the annotator is asked


def annotator_pack() -> Pack:
    return load(WORDING, ANNOTATOR_TABLE, fallback=WORDING)


def annotator_words(text: str, pack: Pack) -> tuple[str, str]:
    """What it is told: at first, and once more if it was out of form."""
    first = pack.say("annotate", _NO_LEVELS, {"reply": fenced(shown(text))})
    return first, f"{first}\n\n{pack.say('annotate_again', _NO_LEVELS, {})}"


async def annotate_by(text: str, ask: AskAnnotator, pack: Pack) -> Annotation:
    """One text, annotated by whoever is asked."""
    if len(text) > TAIL:  # only its end would be shown
        return Annotation(why="long")
    for prompt in annotator_words(text, pack):
        reply = await ask(prompt)
        annotation = read_annotation(reply.text, text) if reply.finish == "stop" else None
        if annotation is not None:
            return annotation
    return Annotation(why="form")


# Many texts


class _AnnotationRound:
    """All texts once: what the workers share."""

    def __init__(self, texts: Sequence[str], who: Subject, engine: Engine, pack: Pack) -> None:
        self.texts = iter(texts)
        self.who = who
        self.engine = engine
        self.pack = pack
        self.progress = RunProgress(len(texts), engine.tallies)
        self.by_text: dict[str, Annotation] = {}
        self.problem = ""
        self.workers: list[asyncio.Task[None]] = []

    async def hold(self, watch: Callable[[RunProgress], None] | None) -> None:
        ticker = asyncio.create_task(self._tick(watch)) if watch else None
        self.workers = [asyncio.create_task(self._worker()) for _ in range(self.engine.concurrency)]
        try:
            with on_interrupt(self._interrupted):
                ended = await asyncio.gather(*self.workers, return_exceptions=True)
        finally:
            self._drop()
            if ticker:
                ticker.cancel()
        for error in ended:
            if isinstance(error, Exception):
                raise error
        if watch:
            watch(self.progress)

    async def _worker(self) -> None:
        for text in self.texts:  # one iterator for all workers: each takes the next text
            try:
                self.by_text[text] = await annotate_by(text, self._asking(text), self.pack)
            except Stopped:
                return
            except CallFailed as failure:
                if failure.fatal:
                    self.problem = self.problem or str(failure)
                    self._stop()
                    return
                self.by_text[text] = Annotation(why="failed")
                self.progress.errors += 1
            self.progress.done += 1
            if self.progress.stopping:
                return
            await asyncio.sleep(0)  # answers from the store never wait: let others have a turn

    def _asking(self, text: str) -> AskAnnotator:
        simulated = isinstance(self.who, SimulatedSubject)  # nobody else looks, and it takes a while to write down

        async def ask(prompt: str) -> Reply:
            about = about_annotating(text, prompt) if simulated else None
            return await self.engine.ask(self.who, _call(self.who, prompt, about))

        return ask

    def _interrupted(self) -> None:
        """The first time, finish what is under way; after that, drop it."""
        if self.progress.stopping:
            self._drop()
        self.progress.interrupted = True
        self._stop()

    def _stop(self) -> None:
        self.progress.stopping = True
        self.engine.stop()

    def _drop(self) -> None:
        for worker in self.workers:
            worker.cancel()

    async def _tick(self, watch: Callable[[RunProgress], None]) -> None:
        while True:
            self.progress.mark()
            self.progress.held_up = self.engine.held_up
            watch(self.progress)
            await asyncio.sleep(0.1)


async def annotate_all(
    texts: Iterable[str],
    who: Subject,
    store: Store,
    *,
    concurrency: int = 64,
    watch: Callable[[RunProgress], None] | None = None,
) -> Annotations:
    """Every text, once; calls that are in the store are not made again."""
    engine = Engine(store, concurrency=concurrency)
    work = _AnnotationRound(list(dict.fromkeys(texts)), who, engine, annotator_pack())
    async with who:
        await work.hold(watch)
        await engine.settled()
    return Annotations(work.by_text, who.name, work.problem, work.progress.interrupted)


def estimate_annotation(texts: Iterable[str], who: Subject, store: Store) -> CallEstimate:
    """How many calls that would take, if the annotator keeps to the form at once."""
    pack = annotator_pack()
    short = (text for text in dict.fromkeys(texts) if len(text) <= TAIL)
    return estimate((_call(who, annotator_words(text, pack)[0]) for text in short), store)


def _call(who: Subject, prompt: str, about: Stimulus | None = None) -> Call:
    return Call(who.name, who.settings, (Message("user", (prompt,)),), about=about)


# For simulated annotators


def about_annotating(text: str, prompt: str) -> Stimulus:
    """What a simulated annotator is asked, as a stimulus of its own: the right annotation is that of the rules, so that
    one whose reading is perfect agrees with them; the other one there is finds nothing but analysis."""
    key = written(text, annotate(text))
    idle = written(text, [TextSpan(0, len(text), "analyse")])
    digest = content_digest(text)
    item = Item(f"{ANNOTATOR_TABLE}/{digest[:16]}", ANNOTATOR_TABLE, {}, {}, digest)
    return Stimulus(item, _NO_LEVELS, (prompt,), Question(prompt, Form("choice", (key, idle)), key))
