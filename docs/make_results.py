"""Write the numbers and figures of docs/results from the data beside them: `python docs/make_results.py [--check]`.

A page has what is made here between `<!-- results: NAME -->` and `<!-- end -->`. Sentences that quote numbers are not
written but held to the data: `PHRASES` has what a page must say. `tests/docs` runs both.
"""

import csv
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import polars as pl

from snellen.analysis.estimates import wilson
from snellen.analysis.transfer import Effect, Transfer, transfer
from snellen.charts.blocks import Curves, Value, percent
from snellen.lab.steer.curves import figures as steering_figures
from snellen.lab.steer.study import SteeringSettings, SteeringStudy
from snellen.lab.trained import trainings
from snellen.report.figures import PAGE, Figure
from snellen.tasks.training import named_trainsets

RESULTS = Path(__file__).parent / "results"
DATA = RESULTS / "data"
BLOCK = re.compile(r"(?<=<!-- results: )([\w-]+)( -->\n).*?(?=^<!-- end -->)", re.MULTILINE | re.DOTALL)
STAGES = ("lifelike", "fixated", "cured")
LATER_STAGES = ("before", "widened", "middle", "broad", "longer")
LATER_HEAD = ("", "before", "widened", "**middle** (ships)", "broad", "longer")
Marks = Mapping[str, float]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n".replace("|  |", "| |") for cells in lines)


@cache
def logged(log: str) -> list[dict[str, Any]]:
    """What a run said, line by line."""
    lines = (RESULTS / log).read_text(encoding="utf-8").splitlines()
    return [json.loads(line[line.index("{") :]) for line in lines]


@cache
def marks(log: str) -> dict[str, Marks]:
    """The marks after each stage, as a run logged them: the last of each stage."""
    found: dict[str, Marks] = {}
    for entry in logged(log):
        own = entry.get("marks", entry)
        if "stage" in entry and any(isinstance(value, float) for value in own.values()):
            found[entry["stage"]] = {name: value for name, value in own.items() if isinstance(value, float)}
    return found


def whole(value: float) -> str:
    return f"{value + 1e-9:.0f}"


def stage_rows(
    log: str, kinds: Mapping[str, Callable[[Marks], str]], stages: Sequence[str] = STAGES
) -> list[list[str]]:
    return [[label, *(say(marks(log)[stage]) for stage in stages)] for label, say in kinds.items()]


def one(*names: str, between: str = " / ") -> Callable[[Marks], str]:
    return lambda own: between.join(whole(own[name]) for name in names)


def mean(*names: str) -> Callable[[Marks], str]:
    return lambda own: whole(sum(own[name] for name in names) / len(names))


def all_of(pattern: str) -> Callable[[Marks], str]:
    """The mark that all kinds of that pattern share; both ends where they differ."""

    def say(own: Marks) -> str:
        values = [whole(value) for name, value in own.items() if re.fullmatch(pattern, name)]
        return values[0] if len(set(values)) == 1 else f"{min(values, key=float)} to {max(values, key=float)}"

    return say


TINY = {
    "plain words, usual rule": one("base standard"),
    "plain words, inverse rule": one("base inverse"),
    "made-up words, usual rule": one("alias standard"),
    "made-up words, inverse rule": one("alias inverse"),
    "made-up words with their meaning, either rule": mean("semalias standard", "semalias inverse"),
    "in characters, usual rule": one("words standard"),
    "in characters, inverse rule": one("words inverse"),
    "told the answer": all_of(r"told \w+"),
}
BROAD = {
    **{f"boards, {label}": say for label, say in TINY.items() if label != "told the answer"},
    "things: as many bare marks": one("bias direct plain"),
    "things: as many parts of an anonymous shape": one("bias direct anonymous"),
    "things: the usual number": one("bias direct ordinary"),
    "things: another number": one("bias direct counterfactual"),
    "things: another number, in words": one("bias words counterfactual"),
    "captions: which caption / which picture": one("winoground direct image", "winoground direct caption"),
    "captions: the same, in words": one("winoground words image", "winoground words caption"),
    "told the answer": all_of(r"(\w+ )?told \w+"),
}
SMALL = {
    "usual rule, plain words": one("standard"),
    "inverse rule, plain words": one("inverse"),
    "either rule, made-up words": one("alias"),
    "scenes: names / places / relations": one("scene name", "scene place", "scene relation"),
    "scenes: described in full": one("scene describe"),
    "counts on boards": one("see count"),
    "told the answer (all tasks)": all_of(r"watched .* told"),
    "Winoground, in pictures (luck: 50)": one("watched winoground direct"),
    "MARVEL, puzzles (luck: 25) / fine perception questions": one("watched marvel avr", "watched marvel fine"),
    "bias: things as they usually are": one("watched bias ordinary"),
    "sandbagging / counterfactual (capacity)": one(
        "watched capacity sandbagging direct", "watched capacity counterfactual direct"
    ),
    "single letters (luck: 4 to 10)": one("letter"),
    "capacity: charts, mazes, Gomoku, Unblock": all_of(r"watched capacity (chart|maze|gomoku|unblock) direct"),
}


def runs() -> dict[str, str]:
    """The logs of all runs of *small* there are, by the name of the run."""
    return {path.stem.removeprefix("small-"): f"data/{path.name}" for path in sorted(DATA.glob("small-*.jsonl"))}


def spread(say: Callable[[Marks], str], of_runs: Sequence[Marks]) -> str:
    """Of one run its marks; of several the mean, with the lowest and the highest."""
    if len(of_runs) == 1:
        return say(of_runs[0])
    kinds = set.intersection(*(set(own) for own in of_runs))
    average, low, high = ({kind: how([own[kind] for own in of_runs]) for kind in kinds} for how in (fmean, min, max))
    return f"{say(average)} ({say(low)} to {say(high)})"


def pooled_table(of_runs: Sequence[Mapping[str, Marks]], kinds: Mapping[str, Callable[[Marks], str]]) -> str:
    """A row for each kind, after each stage, over runs of one recipe."""
    rows = [
        [label, *(spread(say, [own[stage] for own in of_runs]) for stage in STAGES)] for label, say in kinds.items()
    ]
    counted = (
        "One run of one seed: an anecdote" if len(of_runs) == 1 else f"Mean of {len(of_runs)} seeds, lowest and highest"
    )
    return f"{counted}.\n\n{table(('', 'lifelike', '**fixated**', 'cured'), rows)}"


def minutes(run: str) -> str:
    """What learning took, each time the run was taken up."""
    seconds = [entry["seconds"] for entry in logged(run) if "losses" in entry]
    ends = [now for now, after in zip(seconds, [*seconds[1:], 0.0], strict=True) if after < now]
    return whole(sum(ends) / 60)


def runs_table() -> str:
    rows = []
    for name, run in runs().items():
        english = {entry["stage"]: f"{entry['english']:.2f}" for entry in logged(run) if "english" in entry}
        steps = max(entry["step"] for entry in logged(run) if "losses" in entry) + 1
        rows.append(
            [f"[{name}]({run})", f"{steps:,}", minutes(run), *(english[stage] for stage in ("seeing", *STAGES))]
        )
    head = ("run", "steps", "minutes", "English: seeing", "lifelike", "fixated", "cured")
    return table(head, rows)


@cache
def trials(method: str) -> pl.DataFrame:
    return pl.read_parquet(DATA / f"{method}.parquet").with_columns(pl.col(pl.Categorical).cast(pl.String))


@cache
def effects(method: str) -> Transfer:
    rows = trials(method)
    subjects = rows["subject"].unique(maintain_order=True).to_list()
    trained = [
        f"{label}={','.join(sorted(s for s in subjects if s.startswith(f'{begin}-seed')))}"
        for begin, label in ORDER[method].items()
    ]
    aims = {name: trainset.aims for name, trainset in named_trainsets().items()}
    return transfer(rows, "base", trainings(trained, subjects, "base"), aims)


ORDER = {
    "sft": {"d1-sft": "d1-sft", "d2-sft": "d2-sft", "d3-sft": "d3-sft", "d2-sft-shuffled": "d2 shuffled"},
    "grpo": {
        "d2-grpo": "d2-grpo",
        "d3-grpo": "d3-grpo",
        "d2-grpo-shuffled": "d2 shuffled",
        "d2-grpo-random": "d2 random",
    },
}
TRAINED = {
    "d1-sft": "d1, the usual rule",
    "d2-sft": "d2, the inverse rule",
    "d3-sft": "d3, both rules of two games",
    "d2-grpo": "d2, the inverse rule",
    "d3-grpo": "d3, both rules of two games",
    "d2 shuffled": "d2 with shuffled answers",
    "d2 random": "d2 with random rewards",
}
ASKED = {
    "same rule (standard)": "the usual rule",
    "across rules (standard)": "the usual rule",
    "same rule (inverse)": "the inverse rule",
    "across rules (inverse)": "the inverse rule",
    "games trained, standard": "those games, usual",
    "games trained, inverse": "those games, inverse",
    "new games, standard": "the other games, usual",
    "new games, inverse": "the other games, inverse",
}


def fixed(value: float) -> str:
    return f"{round(value, 9) + 0.0:.1f}"


def difference(effect: Effect) -> str:
    gap = effect.difference
    value, low, high = (end or 0.0 for end in (gap.value, gap.low, gap.high))
    text = f"{fixed(value)} ({fixed(low)} to {fixed(high)})"
    return f"**+{text}**" if low > 0 else text


def transfer_table(method: str) -> str:
    rows: list[list[str]] = []
    before = ""
    for effect in effects(method).aimed:
        contrast, label = effect.contrast, effect.training.label
        unread = f", unread {fixed(100 * contrast.unread_a)}" if contrast.unread_a > 0.05 else ""
        named = "" if label == before else TRAINED[label]
        base, trained = fixed(100 * (contrast.b or 0.0)), fixed(100 * contrast.a)
        rows.append([named, ASKED[effect.where], base, trained + unread, difference(effect)])
        before = label
    return table(("trained on", "asked", "base", "trained", "difference"), rows)


GAMES = {"reversi": "Reversi", "dots_boxes": "Dots and Boxes", "tictactoe": "Tic-Tac-Toe", "connect4": "Connect Four"}


def by_game(subjects: str, game: str) -> list[float]:
    """Percent right under the inverse rule in plain words, of each seed."""
    own = trials("grpo").filter(
        pl.col("subject").str.contains(f"^{subjects}$")
        & (pl.col("game") == game)
        & (pl.col("rule") == "inverse")
        & (pl.col("prompt") == "base")
        & (pl.col("paradigm") == "direct")
    )
    shares = own.group_by("subject").agg(right=100 * (pl.col("outcome") == "right").mean())
    return sorted(shares["right"])


def span(values: Sequence[float]) -> str:
    low, high = fixed(values[0]), fixed(values[-1])
    return low if low == high else f"{low} to {high}"


def games_table() -> str:
    rows = []
    for game, title in GAMES.items():
        found = [by_game(f"{name}-seed.", game) for name in ORDER["grpo"]]
        cells = [span(values) for values in found]
        cells[:2] = [f"**{cell}**" if cell == "100.0" else cell for cell in cells[:2]]
        cells[1] += " (trained)" if game in ("reversi", "tictactoe") else ""
        rows.append([title, span(by_game("base", game)), *cells])
    head = ("the inverse rule in", "base", "d2", "d3", "shuffled answers, by seed", "random rewards, by seed")
    return table(head, rows)


@cache
def steering() -> SteeringStudy:
    settings = json.loads((DATA / "steering.json").read_text(encoding="utf-8"))["settings"]
    lists = {name: tuple(value) for name, value in settings.items() if isinstance(value, list)}
    summary = pl.read_parquet(DATA / "steering.parquet").with_columns(pl.col(pl.Categorical).cast(pl.String))
    return SteeringStudy(DATA, SteeringSettings(**{**settings, **lists}), pl.DataFrame(), summary, {})


def steering_table() -> str:
    controls = ("router", "oracle", "probe", "random", "shuffled")
    rows = []
    for game in ("reversi", "dots_boxes", "tictactoe", "connect4"):
        own = steering().summary.filter(setup=game, rule="inverse")
        plain = own.filter(control="none").row(0, named=True)
        cells = [f"{whole(100 * plain['accuracy'])} ({whole(100 * plain['low'])}-{whole(100 * plain['high'])})"]
        for control in controls:
            at = dict(own.filter(control=control).select("layer", "accuracy").iter_rows())
            cells.append(f"{whole(100 * at[5])} / {whole(100 * at[6])}")
        rows.append([GAMES[game], *cells])
    head = ("routed, layer 5 / 6", "oracle routing, 5 / 6", "router alone, 5 / 6", "random direction, 5 / 6")
    return table(("game", "no patch", *head, "shuffled labels, 5 / 6"), rows)


def stages_table(log: str, kinds: Mapping[str, Callable[[Marks], str]], ships: str = "") -> str:
    return table(("", "lifelike", f"**fixated**{ships}", "cured"), stage_rows(log, kinds))


@cache
def levels() -> dict[str, dict[str, dict[str, dict[str, str]]]]:
    """What `python -m bench.difficulty --write` wrote: by kind, level and subject."""
    found: dict[str, dict[str, dict[str, dict[str, str]]]] = {}
    with (DATA / "difficulty.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["kind"], {}).setdefault(row["level"], {})[row["subject"]] = row
    return found


def eyes() -> list[str]:
    subjects = dict.fromkeys(subject for kind in levels().values() for level in kind.values() for subject in level)
    return [subject for subject in subjects if subject.startswith("eye of")]


def share(row: Mapping[str, str] | None) -> Value | None:
    if row is None:
        return None
    right, n = float(row["right"]), int(row["n"])
    low, high = wilson(right / n, n)
    return percent(Value(right / n, low, high, n))


def levels_table() -> str:
    rows = []
    for kind, by_level in levels().items():
        for level, found in by_level.items():
            told = [share(found.get(eye)) for eye in eyes()]
            items, chance = next((row["n"], row["chance"]) for name, row in found.items() if name in eyes())
            work = found.get("work")
            amount = f"{float(work['right']):g} {work['note']}" if work else ""
            cells = [whole(value.value) if value and value.value is not None else "" for value in told]
            model, small = found.get("small"), share(found.get("small"))
            spread = f"{whole(small.value or 0)} ({whole(small.low or 0)}–{whole(small.high or 0)})" if small else ""
            unread = f", {model['unread']} unread" if model and model["unread"] != "0" else ""
            of = f" of {model['n']}" if model else ""
            rows.append([kind, level, amount, items, whole(100 * float(chance)), *cells, f"{spread}{of}{unread}"])
    head = ("kind", "level", "work", "n", "luck", *(eye.removeprefix("eye of ") for eye in eyes()), "early *small*")
    return table(head, rows)


def levels_chart() -> Curves:
    most = max(map(len, levels().values()))
    rows = []
    for kind, by_level in levels().items():
        lines = [[share(found.get(eye)) for found in by_level.values()] for eye in eyes()]
        rows.append((kind, tuple((*line, *[None] * (most - len(line))) for line in lines)))
    xs = tuple(float(k) for k in range(1, most + 1))
    title, series = "Told apart by level", tuple(eyes())
    return Curves(title, "", "percent", "told apart", "level", xs, series, tuple(rows), bounds=(0, 100))


BLOCKS: dict[str, Callable[[], str]] = {
    "difficulty": levels_table,
    "tiny-broad": lambda: table(LATER_HEAD, stage_rows("tiny-broad.log", BROAD, LATER_STAGES)),
    "tiny": lambda: stages_table("tiny.log", TINY),
    "tiny-from-nothing": lambda: stages_table("tiny-from-nothing.log", TINY),
    "small": lambda: pooled_table([marks(run) for run in runs().values()], SMALL),
    "small-runs": runs_table,
    "sft": lambda: transfer_table("sft"),
    "grpo": lambda: transfer_table("grpo"),
    "grpo-games": games_table,
    "steering": steering_table,
}
FIGURES: dict[str, Callable[[], str]] = {
    "difficulty.svg": lambda: Figure("difficulty", levels_chart(), PAGE).svg,
    "training-transfer.svg": lambda: Figure("transfer", effects("sft").charts()["transfer"], PAGE).svg,
    "grpo-transfer.svg": lambda: Figure("transfer", effects("grpo").charts()["transfer"], PAGE).svg,
    "steering-tiny.svg": lambda: Figure("curve", steering_figures(steering())["curve"], PAGE).svg,
}


def rewards(name: str) -> str:
    """The mean reward of the first and of the last five steps."""
    with (DATA / f"grpo-{name}-seed0-curve.csv").open(encoding="utf-8") as file:
        steps = [float(row["reward"]) for row in csv.DictReader(file)]
    return f"{sum(steps[:5]) / 5:.2f} and {sum(steps[-5:]) / 5:.2f} ({name}, seed 0)"


def alike(name: str) -> str:
    """On how many of 100 prompts all replies earned the same."""
    with (DATA / f"grpo-{name}-seed0-curve.csv").open(encoding="utf-8") as file:
        shares = [float(row["frac_reward_zero_std"]) for row in csv.DictReader(file)]
    return f"on {100 * sum(shares) / len(shares):.0f} of 100 prompts all five replies earned the same"


def elsewhere(label: str) -> tuple[str, str]:
    """What a training lost where it was asked in other ways."""
    (own,) = (effect.difference for effect in effects("sft").aside if effect.training.label == label)
    low, high = (abs(end or 0.0) for end in (own.high, own.low))
    return f"{abs(own.value or 0.0):.0f}", f"({low:.0f} to {high:.0f})"


def fixated_games() -> str:
    own = marks("tiny.log")["fixated"]
    order = ("tictactoe", "connect4", "dots_boxes", "reversi")
    names = ("tic-tac-toe", "Connect Four", "Dots and Boxes", "Reversi")
    return ", ".join(f"{name} {whole(own[f'base inverse, {game}'])}" for name, game in zip(names, order, strict=True))


def phrases() -> Iterator[tuple[str, str]]:
    """What pages must say in their sentences."""
    yield "tiny.md", fixated_games()
    yield "training.md", f"{rewards('d2')}, {rewards('d3')}"
    yield "training.md", alike("d2")
    (d2, d2_range), (d3, d3_range) = elsewhere("d2-sft"), elsewhere("d3-sft")
    yield "training.md", f"d2 loses {d2} points {d2_range}, d3 {d3} {d3_range}"
    boards = trials("sft").select(pl.col("item", "cluster").n_unique())
    yield "training.md", f"{boards['item'][0]} in {boards['cluster'][0]} classes"


def losses(method: str, begin: str, faculty: str) -> list[int]:
    """Of 100 items, what subjects lose to a faculty, seed by seed. Takes seconds a subject."""
    from snellen.examine.findings import ExamAnalysis

    rows = trials(method)
    own = rows.filter(pl.col("subject").str.contains(f"^{begin}$"))
    found = ExamAnalysis(own, (), 0).diagnoses
    shares = (loss.share.value for diagnosis in found for loss in diagnosis.losses if loss.faculties == (faculty,))
    return sorted(round(100 * (share or 0.0)) for share in shares)


def verdict_phrases() -> Iterator[tuple[str, str]]:
    """What the exam says of the trained models, as the page quotes it. Takes a minute."""
    d1, d2, d3 = (
        losses(m, f"{s}-seed.", "habit") for m, s in (("sft", "d1-sft"), ("grpo", "d2-grpo"), ("grpo", "d3-grpo"))
    )
    base = losses("grpo", "base", "habit")
    yield "training.md", f"({d1[0]} to {d1[-1]} of 100 items, three seeds)"
    yield "training.md", f"{d2[0]} of 100 items after d2, {d3[0]} or {d3[-1]} after d3, {base[0]} before"
    form = losses("sft", "d3-sft-seed.", "form")
    yield "training.md", f"*form* ({form[0]} to {form[-1]} of 100 items)"


def renewed(page: str) -> str:
    """The page with what is made here."""
    return BLOCK.sub(lambda found: f"{found[1]}{found[2]}\n{BLOCKS[found[1]]()}\n", page)


def main(words: list[str]) -> int:
    """Write pages and figures; with --check, write nothing and say what differs."""
    wrong = [f"{page}: does not say {text!r}" for page, text in phrases() if text not in said(page)]
    files = {path: renewed(path.read_text(encoding="utf-8")) for path in RESULTS.glob("*.md")}
    files |= {RESULTS / name: draw() for name, draw in FIGURES.items()}
    for path, text in files.items():
        if "--check" not in words:
            path.write_text(text, encoding="utf-8")
        elif numbers(path.read_text(encoding="utf-8")) != numbers(text):
            wrong.append(f"{path.name}: differs from its data; run python docs/make_results.py")
    sys.stderr.write("".join(f"{line}\n" for line in wrong))
    return 1 if wrong else 0


def numbers(text: str) -> str:
    """A page, or what a figure says to those who cannot see it: all of its numbers, and nothing of how it looks."""
    described = re.search(r"<desc>.*?</desc>", text, re.DOTALL)
    return described[0] if described else text


def said(page: str) -> str:
    """The text of a page, its lines joined."""
    return " ".join((RESULTS / page).read_text(encoding="utf-8").split())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
