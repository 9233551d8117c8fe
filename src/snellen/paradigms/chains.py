"""Chains of thought over pictures, after three methods of others: something is worked out first, in words, and then the
question is answered with those words beside the pictures.

- DDCoT (duty-distinct): a planner who sees no picture breaks the question down into sub-questions and answers what
  knowledge can; a describer looks for the rest.
- CCoT (compositional): a describer draws up a scene graph, as JSON.
- CoCoT (contrastive): a describer says what the pictures have in common and how they differ.

Unlike in componential analysis, whoever works something out knows the question, and whoever answers sees the pictures.
A pack that leaves the words of a step empty leaves out the step: so wordings that ask for all in one go can be
replayed, too.
"""

from snellen.call import Reply
from snellen.item import Parts, Picture, Stimulus
from snellen.paradigms.paradigm import Ask, Say


async def duty_distinct(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    divide = say("divide")
    plan = await ask("planner", _unseen(stimulus, divide, say("unseen"))) if divide else None
    steps = plan.text if plan else ""
    look = say("look", plan=steps)
    seen = await ask("describer", *stimulus.shown, look) if look else None
    notes = say("with_findings", plan=steps, seen=seen.text if seen else "")
    return await ask("reasoner", *_noted(stimulus, notes), form=stimulus.question.form)


async def compositional(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    return await _in_two_steps(stimulus, ask, say, ("graph", "with_graph"))


async def contrastive(stimulus: Stimulus, ask: Ask, say: Say) -> Reply:
    return await _in_two_steps(stimulus, ask, say, ("compare", "with_comparison"))


async def _in_two_steps(stimulus: Stimulus, ask: Ask, say: Say, pieces: tuple[str, str]) -> Reply:
    request = say(pieces[0])
    worked_out = await ask("describer", *stimulus.shown, request) if request else None
    notes = say(pieces[1], notes=worked_out.text if worked_out else "")
    return await ask("reasoner", *_noted(stimulus, notes), form=stimulus.question.form)


def _noted(stimulus: Stimulus, notes: str) -> Parts:
    """The stimulus with notes after its last picture and before the question."""
    parts = stimulus.shown
    after = max((k + 1 for k, part in enumerate(parts) if isinstance(part, Picture)), default=0)
    return (*parts[:after], notes, *parts[after:])


def _unseen(stimulus: Stimulus, request: str, stand_in: str) -> str:
    """The text of the stimulus with a placeholder for each picture, followed by the request."""
    words = (stand_in if isinstance(part, Picture) else part for part in stimulus.shown)
    return "\n\n".join((*words, request))
