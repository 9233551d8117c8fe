"""A task small enough to follow by eye: odd items are won by O, even ones by X."""

from snellen.item import Form, Item, Picture, Question, Stimulus
from snellen.tasks import Design, Factor, Task

PACK = '[tiny]\nask = [{when = {rule = "inverse"}, text = "Who lost {name}?"}, {text = "Who won {name}?"}]\n'


def picture(item):
    return Picture(f"\x89PNG of {item.id}".encode("latin-1"), "image/png")


def _items(levels, n, seed):
    for game in levels["game"]:
        for i in range(n):
            winner = "XO"[(i + seed) % 2]
            yield Item(f"tiny/{game}/{i}", "tiny", {"game": game}, {"winner": winner}, f"digest-{i}")


def _stimulus(item, condition, pack):
    winner = item.truth["winner"]
    loser = "XO".replace(winner, "")
    inverse = condition["rule"] == "inverse"
    words = pack.say("ask", condition, {"name": item.id})
    parts = (words, picture(item)) if condition["order"] == "text_first" else (picture(item), words)
    habit = {winner: "default rule"} if inverse else {}
    question = Question(words, Form("choice", ("X", "O")), loser if inverse else winner, habit)
    return Stimulus(item, condition, parts, question)


def tiny_task(prompts):
    return Task(
        name="tiny",
        title="Tiny",
        about="a test",
        factors=(
            Factor("game", ("a", "b"), "which", of_item=True),
            Factor("rule", ("standard", "inverse"), "what is asked"),
            Factor("order", ("image_first", "text_first"), "what comes first"),
        ),
        designs=(Design("quick", "both rules", 2, ({"rule": ("standard", "inverse")},)),),
        prompts=prompts,
        items=_items,
        stimulus=_stimulus,
        observe=lambda stimulus: {},
    )
