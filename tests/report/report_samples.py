"""Made-up trials and findings in the shapes the report is given: for its tests, its bench and for looking at it."""

import random
import shutil
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from io import BytesIO
from itertools import product
from typing import Any

import polars as pl
from PIL import Image, ImageDraw

from snellen.call import Call, Message
from snellen.charts.blocks import (
    Compass,
    Curves,
    Findings,
    Heat,
    Intervals,
    Section,
    Shares,
    Strip,
    Strips,
    Table,
    Text,
    Value,
)
from snellen.item import Picture
from snellen.report import shown
from support.made_findings import eyes_and_thinking, habit

GAMES = {
    "tictactoe": ("X", "O"),
    "reversi": ("Black", "White"),
    "connect4": ("Red", "Yellow"),
    "dots_boxes": ("A", "B"),
}
SUBJECTS = ("sim/fixated", "sim/nearsighted")
FACTORS = {
    "rule": ("standard", "inverse"),
    "target": ("winner", "loser"),
    "prompt": ("base", "alias", "semalias"),
}
HOW = ("whole reply", "boxed", "stated conclusion")


@dataclass
class Sample:
    """Rows with the calls and pictures behind them."""

    rows: pl.DataFrame
    requests: dict[str, str] = field(default_factory=dict)
    replies: dict[str, str] = field(default_factory=dict)
    pictures: dict[str, Picture] = field(default_factory=dict)
    thinking: dict[str, str] = field(default_factory=dict)

    def call_of(self, key: str) -> tuple[str, str | None, str, str] | None:
        request = self.requests.get(key)
        if request is None:
            return None
        return request, self.replies.get(key), "stop" if key in self.replies else "lost", self.thinking.get(key, "")


@cache
def board(cells: str) -> Picture:
    image = Image.new("RGB", (192, 192), "white")
    pen = ImageDraw.Draw(image)
    for k in (64, 128):
        pen.line([(k, 8), (k, 184)], fill="black", width=3)
        pen.line([(8, k), (184, k)], fill="black", width=3)
    for i, cell in enumerate(cells):
        x, y = i % 3 * 64 + 32, i // 3 * 64 + 32
        if cell == "1":
            pen.line([(x - 18, y - 18), (x + 18, y + 18)], fill="#b02020", width=5)
            pen.line([(x - 18, y + 18), (x + 18, y - 18)], fill="#b02020", width=5)
        elif cell == "2":
            pen.ellipse([x - 19, y - 19, x + 19, y + 19], outline="#2040b0", width=5)
    out = BytesIO()
    image.save(out, "PNG")
    return Picture(out.getvalue())


def sample(n: int = 6, subjects: tuple[str, ...] = SUBJECTS, seed: int = 7, distinct: int = 40) -> Sample:
    """n items per game under every condition, asked of every subject; `distinct` different pictures."""
    rng = random.Random(seed)
    boards = [board("".join(rng.choices("012", k=9))) for _ in range(distinct)]
    made = Sample(pl.DataFrame(), pictures={b.digest: b for b in boards})
    rows: list[dict[str, Any]] = []
    for (game, labels), i in product(GAMES.items(), range(n)):
        item, winner = f"fixation/{game}/fresh-7/{i:04d}", rng.randrange(2)
        picture = boards[(hash_of(item)) % distinct]
        for subject, levels in product(subjects, product(*FACTORS.values())):
            condition = dict(zip(FACTORS, levels, strict=True))
            row = trial(item, subject, game, condition, labels, winner, rng)
            call = Call(subject, {"temperature": 0.0, "seed": i}, (asked(picture, labels, condition),))
            made.requests[call.key.hex()] = call.request
            made.replies[call.key.hex()] = row["text"]
            rows.append({**row, "calls": [call.key.hex()]})
    made.rows = pl.DataFrame(rows, schema_overrides={"size": pl.String, "modality": pl.String})
    return made


def hash_of(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:4], "big")


def asked(picture: Picture, labels: tuple[str, str], condition: dict[str, str]) -> Message:
    inverse = condition["rule"] == "inverse"
    words = (
        f"Two players, {labels[0]} and {labels[1]}, have finished this game.\n"
        + ("Here the player who completes a line LOSES.\n" if inverse else "The player who completes a line wins.\n")
        + f"Who is the {condition['target']}? (wording: {condition['prompt']})\nAnswer with one name only."
    )
    return Message("user", (picture, words))


def trial(
    item: str,
    subject: str,
    game: str,
    condition: dict[str, str],
    labels: tuple[str, str],
    winner: int,
    rng: random.Random,
) -> dict[str, Any]:
    flips = (condition["rule"] == "inverse") + (condition["target"] == "loser")
    key, habit = labels[(winner + flips) % 2], labels[(winner + (condition["target"] == "loser")) % 2]
    habitual = "fixated" in subject and condition["prompt"] == "base" and rng.random() < 0.7
    answer = (
        habit
        if habitual
        else key
        if rng.random() < (0.9 if "fixated" in subject else 0.55)
        else labels[rng.randrange(2)]
    )
    unread = rng.random() < 0.04
    text, how = (
        ("I cannot tell from this picture.", "")
        if unread
        else rng.choice([(answer, HOW[0]), (f"The answer is \\boxed{{{answer}}}.", HOW[1])])
    )
    start = text.rfind(answer)
    wrong = not unread and answer != key
    return {
        "trial": sha256(f"{item}{subject}{condition}".encode()).hexdigest()[:32],
        "task": "fixation",
        "item": item,
        "subject": subject,
        "paradigm": "direct",
        "game": game,
        "states": "fresh",
        "size": "small",
        **condition,
        "modality": "image",
        "pack": "",
        "outcome": "unread" if unread else "wrong" if wrong else "right",
        "reason": "refused" if unread else "",
        "answer": "" if unread else answer,
        "key": key,
        "labels": list(labels),
        "mechanism": "default rule" if wrong and answer == habit else "",
        "how": how,
        "span_start": 0 if unread else start,
        "span_end": 0 if unread else start + len(answer),
        "text": text,
        "finish": "stop",
        "tokens_in": 300 + rng.randrange(40),
        "tokens_out": len(text) // 4 + 1,
        "seconds": round(rng.random() * 2, 3),
        "exam": 1,
    }


SIDES = ("positive", "negative")
SHARED = "three marks in a row"


def staged(problems: int = 2, shown: int = 6) -> Sample:
    """Problems of many pictures, asked in one go, by a rule stated first, and from descriptions of each picture."""
    made = Sample(pl.DataFrame())
    rows: list[dict[str, Any]] = []

    def ask(subject: str, reply: str, *parts: str | Picture) -> str:
        call = Call(subject, {"temperature": 0.0}, (Message("user", parts),))
        key = call.key.hex()
        made.requests[key], made.replies[key] = call.request, reply
        made.pictures.update((p.digest, p) for p in parts if isinstance(p, Picture))
        return key

    for i, query in product(range(problems), SIDES):
        rng = random.Random(i)
        boards = ["".join(rng.choices("012", k=9)) for _ in range(2 * shown + 2)]
        named = [f"{side.title()} {n}:" for side in SIDES for n in range(1, shown + 1)] + ["Query:"]
        cells = [*boards[: 2 * shown], boards[2 * shown + SIDES.index(query)]]
        pictures = [board(c) for c in cells]
        examples = [part for pair in zip(named, pictures, strict=True) for part in pair]
        question = "Is the query positive or negative?"
        answer = f"Rule: {SHARED}\nThe query shows {cells[-1]}.\nAnswer: positive"

        def record(paradigm: str, calls: list[str], said: str, i: int = i, query: str = query, **cast: str) -> None:
            right = query == "positive"
            rows.append(
                {
                    "trial": sha256(f"{i}{query}{paradigm}{cast}".encode()).hexdigest()[:32],
                    **{"task": "bongard", "item": f"bongard/scenes-7/{i:04d}", "subject": "sim/one"},
                    **{"paradigm": paradigm, "query": query, "describer": None, "reasoner": None, "inducer": None},
                    **{"applier": None, **cast, "pack": "", "outcome": "right" if right else "wrong", "reason": ""},
                    **{"answer": "positive", "key": query, "labels": list(SIDES), "mechanism": "", "how": "stated"},
                    **{"span_start": len(said) - 8, "span_end": len(said), "text": said, "finish": "stop"},
                    **{"tokens_in": 900, "tokens_out": 30, "seconds": 0.5, "exam": 1, "calls": calls},
                }
            )

        record("dvrl", [ask("sim/one", answer, "Sorted by a concept.", *examples, question)], answer)
        rule = ask("sim/two", f"They are alike.\nRule: {SHARED}", "Sorted by a concept.", *examples[:-2], "The rule?")
        judged = ask("sim/one", "Answer: positive", f"The rule: {SHARED}", *examples[-2:], question)
        record("drl", [rule, judged], "Answer: positive", inducer="sim/two", applier="sim/one")
        for who in ("sim/one", "twin"):
            words = [f'{{"objects":[{{"cells":"{c}"}}],"by":"{who}","summary":"{"a board " * 9}"}}' for c in cells]
            described = [ask(who, w, p, "Describe it.") for w, p in zip(words, pictures, strict=True)]
            told = [part for pair in zip(named, words, strict=True) for part in pair]
            reasoned = ask("sim/one", answer, "\n\n".join(["Go by these words.", *told, question]))
            record("ca", [*described, reasoned], answer, describer=who, reasoner="sim/one")
    made.rows = pl.DataFrame(rows)
    return made


def heat() -> Heat:
    """Every strength of colour once, and a gap."""
    columns = tuple(f"reasoner {k}" for k in range(6))
    rows = [[value(10.0 * (r * 6 + k), 4.0, 48) for k in range(6)] for r in range(2)]
    return Heat(
        title="Right answers by who described and who reasoned",
        note="Percent, 95 % CIs.",
        unit="percent",
        down="describer",
        across="reasoner",
        columns=columns,
        rows=(("describer 0", tuple(rows[0])), ("describer 1", (*rows[1][:5], None))),
    )


def differences() -> Heat:
    rows = [(f"describer {r}", tuple(value(8.0 * (k - 5) + 40 * r) for k in range(6))) for r in range(2)]
    return replace(heat(), unit="points", rows=tuple(rows))


def compass() -> Compass:
    """Directions turned by a quarter more often than right, and a subject that answered nothing."""
    turns = ("0°", "+45°", "+90°", "+135°", "180°", "−135°", "−90°", "−45°")
    shares = (value(0.25, 0.1, 80), value(0.0), value(0.7, 0.12, 80), *[value(0.0)] * 4, value(0.05, 0.04, 80))
    rows = (("sim/fixated", shares), ("sim/nearsighted", (value(None),) * 8))
    return Compass("Directions: answer relative to truth", "Areas are shares.", turns, rows)


def strips() -> Strips:
    """A reply that takes back its first conclusion, and the mean of many."""
    cells = (
        *((0.0, 0.2, (1, 0, 0)), (0.2, 0.6, (0, 1, 0)), (0.6, 0.65, (0, 0, 1))),
        *((0.65, 0.9, (0, 1, 0)), (0.9, 1, (0, 0, 1))),
    )
    single = Strip("sim/fixated · wrong", "20 / 65 / 15 % · 212 words", cells, marks=((0, 0.3), (1, 0.65), (0, 0.7)))
    tenths = tuple((k / 10, (k + 1) / 10, (1 - k / 10, k / 20, k / 20)) for k in range(10))
    return Strips(
        title="Replies, from first word to last",
        note="By rules.",
        parts=("collects", "analyses", "concludes"),
        marks=("goes back to the picture", "interrupts itself"),
        rows=(single, Strip("all replies", "55 / 23 / 23 % · 180 words", tenths)),
    )


def curves() -> Curves:
    """A training that is over sooner than the other, and was not measured at one of its steps."""
    lines = (("long", (40.0, 60.0, 70.0)), ("short", (20.0, 80.0, None)))
    return Curves(
        title="Training curves",
        note="",
        unit="percent",
        quantity="share",
        across="step",
        xs=(10.0, 20.0, 40.0),
        series=("reward", "unread"),
        rows=tuple((name, (tuple(v and value(v) for v in line), (None,) * 3)) for name, line in lines),
        bounds=(0.0, 100.0),
    )


def value(v: float | None, half: float = 0.0, n: int | None = None, note: str = "") -> Value:
    edges = (None, None) if v is None or not half else (round(v - half, 4), round(v + half, 4))
    return Value(v, *edges, n, note)


def sections() -> tuple[Section, ...]:
    """Every kind of block."""
    shares = {"sim/fixated": (0.27, 0.66, 0.07), "sim/nearsighted": (0.31, 0.04, 0.65)}
    processes = Shares(
        "What the answers come from",
        "Processing tree, all games; thin lines are 95 % CIs.",
        ("sees, goes by the rule", "sees, goes by habit", "guesses"),
        tuple((subject, tuple(value(v, 0.05, 288) for v in vs)) for subject, vs in shares.items()),
    )
    gaps = Intervals(
        "Accuracy under the standard rule minus accuracy under the inverse rule",
        "95 % CIs, by items. Right of the line: better under the standard rule.",
        "points",
        SUBJECTS,
        tuple(
            (f"{game}, {prompt}", (value(gap + 3 * k, 7.5), value(gap / 9 + k, 8.0)))
            for k, (game, gap) in enumerate(zip(GAMES, (41.0, 33.0, 38.5, 24.0), strict=True))
            for prompt in ("base", "alias")
        ),
        reference=0,
    )
    unread = Intervals(
        "Unread answers", "", "percent", ("unread",), tuple((subject, (value(4.1, 1.6),)) for subject in SUBJECTS)
    )
    words = Text("Shares of paired answers by the process that made them, under the base wording.")
    return (
        Section("Where the answers come from", (words, processes)),
        Section("The gap between standard and inverse rules", (gaps, unread)),
        Section("Directions and replies", (compass(), strips(), curves())),
        Section("Tables", (heat(), differences(), accuracy())),
    )


def accuracy() -> Table:
    rows: list[list[Any]] = [
        [
            *(game, subject, value(71.2 - 9 * k, 3.1, 240), value(38.0 + 2 * k, 3.4, 240)),
            *(value(33.2 - 11 * k, 4.6), 0.0003 * k, 12 + k),
        ]
        for k, game in enumerate(GAMES)
        for subject in SUBJECTS
    ]
    rows[3][4] = value(None, note="no paired answers")
    return Table(
        "accuracy",
        "Accuracy by game and rule",
        "Percent of read answers. Holm-adjusted p over four games.",
        ("game", "subject", "standard", "inverse", "gap (points)", "p (McNemar, Holm)", "items"),
        tuple(tuple(row) for row in rows),
    )


FINGERPRINT = {
    "exam": 1,
    "task": "fixation",
    "design": "quick",
    "seed": 7,
    "data": {"items": "9f2c51ab03d84e6f9f2c51ab03d84e6f", "states": "fresh"},
    "prompts": {"pack": "built-in", "digest": "51ab03d84e6f"},
    "reader": "1",
    "decoding": {"temperature": 0.0, "max_tokens": 16},
    "versions": {"snellen": "0.1.0", "python": "3.11", "numpy": "2.3"},
}


def made_findings() -> Findings:
    """A diagnosis of two subjects with every kind of block."""
    diagnoses = (habit("sim/fixated"), eyes_and_thinking("sim/nearsighted", "fixation"))
    return Findings(diagnoses, sections(), (), (FINGERPRINT,))


def findings() -> dict[str, Any]:
    """The same as the page takes it."""
    return shown(made_findings())


FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def find_chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


def many(trials: int) -> Sample:
    """So many trials: a few thousand over and over under new names; a third reasoned aloud, no two alike."""
    base, rng = sample(40, distinct=400), random.Random(1)
    aloud = [" ".join(rng.choices(WORDS, k=150)) for _ in range(3000)]
    made = Sample(base.rows, pictures=base.pictures)
    tiles = []
    for k in range(-(-trials // base.rows.height)):
        spoken = pl.Series(
            [f"{aloud[(i + 7 * k) % 3000]} {k}\n\n" if i % 3 == 0 else "" for i in range(base.rows.height)]
        )
        new: dict[str, Any] = {
            "trial": pl.format(f"{k:04x}{{}}", "trial"),
            "item": pl.format(f"{{}}-{k}", "item"),
            "text": spoken + base.rows["text"],
            "calls": pl.col("calls").list.eval(pl.format(f"{k:04x}{{}}", pl.element())),
        }
        tiles.append(base.rows.with_columns(**new))
        made.requests.update((f"{k:04x}{key}", request) for key, request in base.requests.items())
    made.rows = pl.concat(tiles).head(trials)
    made.replies = dict(zip(made.rows["calls"].list.last(), made.rows["text"], strict=True))
    return made


WORDS = (
    *("the", "board", "shows", "row", "column", "line", "player", "cell", "first", "second", "third", "so", "then"),
    *("here", "complete", "three", "four", "piece", "red", "black", "because", "wins", "loses", "rule", "stated"),
    *("answer", "look", "again", "diagonal", "left", "right", "top", "bottom", "count", "each", "other", "is", "not"),
)
