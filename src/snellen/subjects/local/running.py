"""Running a model on a batch of calls: one prefill for all, then token by token until each has ended."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

from snellen.call import Finish, Reply
from snellen.subjects.batched import TooMuch
from snellen.subjects.local.decoding import Chance, DecodedToken, Forced, Listener, Steps, spelled
from snellen.subjects.local.features import MOST_BYTES, CannotRemember, Features, Known, placed
from snellen.subjects.local.layout import lay_out_beforehand
from snellen.subjects.local.loading import LoadedModel
from snellen.subjects.local.memory import TensorCache, too_full
from snellen.subjects.local.places import count_elsewhere
from snellen.subjects.local.processing import remembering
from snellen.subjects.local.prompting import inputs_of
from snellen.subjects.local.prompts import Prompt
from snellen.subjects.local.scoring import chances, longer, scored, shorter
from snellen.subjects.local.stopping import StopCriterion, first_stop, tokens_to_stop, without_end
from snellen.subjects.local.streams import own_stream
from snellen.subjects.local.windows import mend


def side_by_side(loaded: LoadedModel, many: int, remember: int = MOST_BYTES) -> "list[Runner]":
    """So many runners of one model, for a thread each: while one waits for its device, another gives it work. They
    share the weights and what they remember of pictures, so many bytes; 0: nothing."""
    cache: Known | None = TensorCache(remember) if remember else None
    return [Runner(model, cache) for model in (loaded, *(loaded.again() for _ in range(many - 1)))]


class Runner:
    """A model on its device. Belongs to one thread. `known`: where the features of pictures are remembered; None: they
    are computed each time."""

    def __init__(self, loaded: LoadedModel, cache: Known | None = None) -> None:
        from transformers import GenerationConfig

        self._loaded = loaded
        own = loaded.model.generation_config
        self._ends = _ends(own.eos_token_id, loaded.tokenizer.eos_token_id)
        self._padding = loaded.tokenizer.pad_token_id
        # Penalties and samplings that a folder suggests would change replies without being recorded with them.
        loaded.model.generation_config = GenerationConfig(
            bos_token_id=own.bos_token_id,
            eos_token_id=self._ends,
            pad_token_id=self._padding,
            decoder_start_token_id=own.decoder_start_token_id,
        )
        mend(loaded.model)
        lay_out_beforehand(loaded.model)
        count_elsewhere(loaded.model)
        remembering(loaded.processor.image_processor)  # for whoever has to look at pictures anew
        self._stream = own_stream(loaded.model)
        self._features: Features | None = None
        if cache is not None:
            try:
                self._features = Features(loaded.model, cache)
            except CannotRemember as error:
                self._go_without(error)

    def answer(self, prompts: Sequence[Prompt]) -> list[Reply]:
        """A reply for each prompt; they are all of one kind."""
        import torch

        try:
            with torch.inference_mode(), self._stream:
                try:
                    return self._answer(prompts)
                except CannotRemember as error:
                    self._go_without(error)
                    return self._answer(prompts)
        except (RuntimeError, MemoryError) as error:
            problem = too_full(error)
            if not problem:
                raise
        # Only now, when nothing holds on to what filled the memory
        torch.cuda.empty_cache()
        raise TooMuch(problem)

    def _answer(self, prompts: Sequence[Prompt]) -> list[Reply]:
        seeing = [place for place, prompt in enumerate(prompts) if prompt.pictures]
        if self._features is None and 0 < len(seeing) < len(prompts):
            # Words alone beside pictures is something that not all processors can take.
            reading = [place for place in range(len(prompts)) if place not in set(seeing)]
            apart = [self._answer([prompts[place] for place in some]) for some in (seeing, reading)]
            answers = dict(zip([*seeing, *reading], [*apart[0], *apart[1]], strict=True))
            return [answers[place] for place in range(len(prompts))]
        return self._score(prompts) if prompts[0].labels else self._say(prompts)

    # Saying

    def _say(self, prompts: Sequence[Prompt]) -> list[Reply]:
        how = prompts[0].decoding
        listener = None if how.logprobs is None else Listener(how.logprobs)
        processors: list[Any] = [] if listener is None else [listener]
        if how.temperature:
            seeds = [prompt.seed for prompt in prompts]
            processors.append(Chance(seeds, how.temperature, how.top_p, self._loaded.model.device))
        sequences = self._generate(prompts, processors, how.max_tokens, how.stop)
        steps: list[list[DecodedToken]] = listener.steps(sequences) if listener else [[] for _ in prompts]
        return [self._reply(*row) for row in zip(prompts, sequences.tolist(), steps, strict=True)]

    def _reply(self, prompt: Prompt, spoken: list[int], steps: list[DecodedToken]) -> Reply:
        end = next((place for place, token in enumerate(spoken) if token in self._ends), None)
        finish: Finish = "length" if end is None else "stop"
        ids = spoken[:end]
        text = self._decode(ids)
        spent = len(ids) + (end is not None)
        if (cut := first_stop(text, stop := prompt.decoding.stop)) is not None:
            finish, spent = "stop", tokens_to_stop(ids, stop, self._decode)
            ids = ids[:spent]
            tokens = without_end(spelled(ids, steps, self._decode), len(self._decode(ids)) - cut)
            text = text[:cut]
        else:
            tokens = spelled(ids, steps, self._decode)
        return Reply(text, finish, prompt.length, spent, tokens_picture=prompt.tokens_picture, tokens=tokens)

    def _decode(self, ids: Sequence[int]) -> str:
        text: str = self._loaded.tokenizer.decode(ids, skip_special_tokens=True)
        return text

    # Scoring

    def _score(self, prompts: Sequence[Prompt]) -> list[Reply]:
        rows = [(prompt, way) for prompt in prompts for way in longer(prompt.labels) or [()]]
        forced = Forced([way for _, way in rows], [shorter(prompt.labels) for prompt, _ in rows])
        self._generate([prompt for prompt, _ in rows], [forced], max(1, *(len(way) for _, way in rows)))
        logprobs: dict[int, dict[tuple[int, ...], float]] = {}
        for (prompt, way), total, first in zip(rows, forced.total, forced.first, strict=True):
            own = logprobs.setdefault(id(prompt), {(token,): chance for token, chance in first.items()})
            if way:
                own[way] = total
        return [
            scored(chances(prompt.labels, logprobs[id(prompt)]), prompt.length, prompt.tokens_picture)
            for prompt in prompts
        ]

    # The model itself

    def _generate(
        self, prompts: Sequence[Prompt], processors: Sequence[Any], most: int, stop: Sequence[str] = ()
    ) -> Any:
        """The tokens that each prompt is continued with, padded on the right."""
        from transformers import GenerationMixin, LogitsProcessorList, StoppingCriteriaList

        model, steps = self._loaded.model, Steps()
        criteria = [StopCriterion(stop, self._decode, steps)] if stop else []
        how = {
            "max_new_tokens": most,
            "do_sample": False,
            "logits_processor": LogitsProcessorList([steps, *processors]),
            "stopping_criteria": StoppingCriteriaList(criteria),
        }
        with self._inputs(prompts) as inputs:
            sequences = model.generate(**inputs, **how)
            if not steps.many:  # Janus has a `generate` of its own, which drops them
                sequences = GenerationMixin.generate(model, **inputs, **how)
        return steps.new(sequences)

    @contextmanager
    def _inputs(self, prompts: Sequence[Prompt]) -> Iterator[dict[str, Any]]:
        """What the model is given; while this lasts it finds the features of the pictures computed."""
        views = [view for prompt in prompts for view in prompt.views]
        with ExitStack() as stack:
            if not views:
                inputs = self._padded(prompts)
            elif self._features is not None:
                stack.enter_context(self._features.given(self._features.of(views)))
                inputs = {**self._padded(prompts), **_beside(prompts)}
            else:
                inputs = dict(inputs_of(self._loaded, [p.text for p in prompts], [p.pictures for p in prompts]))
            yield {name: placed(value, self._loaded.model) for name, value in inputs.items()}

    def _padded(self, prompts: Sequence[Prompt]) -> dict[str, Any]:
        """The words of all prompts, padded on the left to the longest."""
        from torch import from_numpy

        shape = len(prompts), max(prompt.length for prompt in prompts)

        def padded(name: str) -> Any:
            rows = [prompt.words[name][0].numpy() for prompt in prompts]
            filled = np.full(shape, self._padding if name == "input_ids" else 0, dtype=rows[0].dtype)
            for place, row in zip(filled, rows, strict=True):
                place[shape[1] - len(row) :] = row
            return from_numpy(filled)

        return {name: padded(name) for name in prompts[0].words}

    def _go_without(self, error: CannotRemember) -> None:
        self._features = None
        kind = type(self._loaded.model).__name__
        warnings.warn(f"{kind}: image features are not cached between calls ({error})", stacklevel=2)


def _beside(prompts: Sequence[Prompt]) -> dict[str, Any]:
    """What a model wants to be told beside the features: the numbers about the pictures, and that there are some."""
    from torch import cat, zeros

    seeing = [prompt for prompt in prompts if prompt.pictures]
    about = {name: cat([prompt.about[name] for prompt in seeing]) for name in seeing[0].about}
    return {**about, "pixel_values": zeros(1)}


def _ends(*ids: Any) -> list[int]:
    """The tokens that end a reply."""
    flat = [token for some in ids for token in (some if isinstance(some, list) else [some])]
    return list(dict.fromkeys(token for token in flat if token is not None))
