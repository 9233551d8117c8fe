"""Made-up findings in the shapes the analysis hands over: one subject on one task, several on many, awkward ones."""

from dataclasses import replace

from snellen.charts.blocks import (
    Diagnosis,
    Findings,
    Intervals,
    Loss,
    Pooled,
    Profile,
    RungScore,
    Section,
    Shares,
    Table,
    Text,
    Value,
)

TASKS = ("fixation", "bongard", "winoground", "marvel", "capacity", "acuity")
LONG = "openai/a-vision-language-model-with-a-very-long-name-instruct@http://localhost:8000/v1"
SUBJECTS = ("sim/fixated", "sim/nearsighted", LONG)
ABOUT = {
    "told": "the question, with the answer stated in plain words before it",
    "words": "the twin in place of the pictures",
    "pictures": "the item as it is",
    "against habit": "the item under the inverse rule",
    "own words": "the subject's own descriptions in place of the pictures",
}
DEMANDS = {
    "told": ("form", "attention"),
    "words": ("form", "attention", "thinking"),
    "pictures": ("form", "attention", "thinking", "eyes"),
    "against habit": ("form", "attention", "thinking", "eyes", "habit"),
    "own words": ("form", "attention", "thinking", "eyes", "saying"),
}


def share(value: float, half: float = 0.05, n: int = 120) -> Value:
    return Value(value, max(0.0, value - half), min(1.0, value + half), n)


def loss(faculties: str, value: float, lower: str, upper: str, *, shown: bool = False) -> Loss:
    small = Value(value + 0.01, max(0.0, value - 0.07), min(1.0, value + 0.09), 120)
    p = 0.0004 if shown else 0.41
    return Loss(tuple(faculties.split("+")), share(value), small, lower, upper, p, shown, 0.12)


def rung(name: str, accuracy: float, *, chance: float = 50.0, unread: float = 0.0, on_line: bool = True) -> RungScore:
    value = Value(accuracy, max(0.0, accuracy - 6.0), min(100.0, accuracy + 5.0), 120)
    return RungScore(name, ABOUT.get(name, ""), DEMANDS.get(name, ()), value, unread, chance, on_line)


def habit(subject: str = "sim/fixated", task: str = "fixation") -> Diagnosis:
    return Diagnosis(
        subject,
        f"{subject} loses 41 % of items to habit: it sees the board and answers by the usual rule.",
        "habit",
        (
            "Under the usual rule it solves 97 % of items, under its inverse 56 %.",
            "Of its 31 errors 29 say the default rule.",
            "This exam detects faults affecting 12 % of items or more (90 % power).",
        ),
        ("habit",),
        share(0.54),
        (
            loss("attention", 0.02, "", "told"),
            loss("thinking", 0.01, "told", "words"),
            loss("eyes", 0.02, "words", "pictures"),
            loss("habit", 0.41, "pictures", "against habit", shown=True),
        ),
        (loss("saying", 0.08, "pictures", "own words"),),
        (
            rung("told", 99.0),
            rung("words", 98.0, unread=1.0),
            rung("pictures", 97.0),
            rung("own words", 91.0, unread=4.0, on_line=False),
            rung("against habit", 56.0, unread=2.0),
        ),
        (),
        Value(56.0, 50.0, 61.0, 120),
        task,
    )


def eyes_and_thinking(subject: str = "sim/nearsighted", task: str = "marvel") -> Diagnosis:
    """Two faults about alike, on rungs that differ in chance."""
    return Diagnosis(
        subject,
        f"{subject} loses 27 % of items (95 % CI 20–34) to its eyes and 24 % (17–31) to thinking.",
        "eyes",
        ("It solves 69 % of items in words, 42 % in pictures.",),
        ("eyes", "thinking"),
        share(0.42),
        (
            loss("form", 0.03, "", "told"),
            loss("attention", 0.04, "", "told"),
            loss("thinking", 0.24, "told", "words", shown=True),
            loss("eyes", 0.27, "words", "pictures", shown=True),
        ),
        (),
        (rung("told", 95.0, chance=25.0), rung("words", 73.0, chance=25.0), rung("pictures", 56.5, chance=12.5)),
        (),
        Value(56.5, 50.5, 61.5, 120),
        task,
    )


def together(subject: str = "sim/nearsighted", task: str = "winoground") -> Diagnosis:
    """Thinking and eyes left together: the rung between them was not asked."""
    return Diagnosis(
        subject,
        f"{subject} loses 38 % of items (95 % CI 33–43) to thinking or eyes, which this exam could not tell apart.",
        "unclear",
        (),
        (),
        share(0.6),
        (loss("attention", 0.02, "", "told"), loss("thinking+eyes", 0.38, "told", "pictures", shown=True)),
        (),
        (rung("told", 99.0, chance=25.0), rung("pictures", 70.0, chance=25.0, unread=11.0)),
        (
            "Thinking and eyes are not told apart: ask the items in words, too,"
            f" `snellen exam {subject} --tasks {task} --set modality=words,pictures`",
        ),
        Value(70.0, 64.0, 75.0, 120),
        task,
    )


def none(subject: str = "sim/ideal", task: str = "capacity") -> Diagnosis:
    return Diagnosis(
        subject,
        "No fault found. This exam detects faults affecting 9 % of items or more (90 % power).",
        "none",
        ("It solves 100 % of items in pictures.",),
        (),
        Value(1.0, 0.96, 1.0, 80),
        (loss("thinking", 0.0, "told", "words"), loss("eyes", 0.0, "words", "pictures")),
        (),
        (rung("told", 100.0, chance=0.0), rung("words", 100.0, chance=0.0), rung("pictures", 100.0, chance=0.0)),
        (),
        Value(100.0, 95.0, 100.0, 80),
        task,
    )


def leaning(subject: str = LONG, task: str = "bongard") -> Diagnosis:
    return Diagnosis(
        subject,
        "Says the first label whatever is asked: 98 % of answers.",
        "leaning",
        ("On 98 % of items it names the first option, wherever the key stands.",),
        (),
        share(0.02, 0.04),
        (loss("attention", 0.98, "", "told", shown=True),),
        (),
        (rung("told", 51.0), rung("words", 50.0), rung("pictures", 49.0)),
        (),
        Value(49.0, 42.0, 55.0, 120),
        task,
    )


def unclear(subject: str = LONG, task: str = "acuity") -> Diagnosis:
    """Nothing to go by: no rung but one, and no losses."""
    return Diagnosis(
        subject,
        "It cannot be told why it fails: only pictures were asked.",
        "unclear",
        (),
        missing=(
            "What is lost to form and attention: `snellen exam --tasks acuity --set rung=told`",
            "What is lost to thinking: the pictures have no twin, so no command would tell.",
        ),
        rungs=(replace(rung("pictures", 40.0, chance=4.0, unread=30.0), accuracy=Value(40.0)),),
        accuracy=Value(40.0),
        task=task,
    )


def one() -> Findings:
    """One subject, one task."""
    return Findings((habit(),), sections("fixation"), (), (), ())


def many() -> Findings:
    """Three subjects on six tasks, not everybody on everything, every verdict at least once."""
    fixated, near, long = SUBJECTS
    diagnoses = (
        *(habit(fixated, task) for task in ("fixation", "capacity")),
        *(eyes_and_thinking(fixated, "marvel"), together(fixated, "winoground")),
        *(eyes_and_thinking(near, task) for task in ("fixation", "marvel", "bongard")),
        *(together(near, "winoground"), none(near, "capacity")),
        *(leaning(long, "fixation"), leaning(long, "bongard"), unclear(long, "acuity"), none(long, "capacity")),
        *(replace(together(long, "marvel"), headline="Loses " + "a great deal more than can be said in short " * 6),),
    )
    parts = tuple(section for task in TASKS for section in sections(task))
    return Findings(diagnoses, (*parts, Section("Over all tasks", (Text("Words."),))), (), (), profiles())


def sections(task: str) -> tuple[Section, ...]:
    """What a paper reports: charts whose parts are no faculties keep their own colours."""
    stacked = Shares(
        f"Boards by game ({task})",
        "By the tree.",
        ("sees and follows", "sees, by habit", "does not see"),
        (("Base", (share(0.3), share(0.6), share(0.1))),),
        of="boards",
    )
    dots = Intervals(
        f"Accuracy by rule ({task})",
        "Percent.",
        "percent",
        ("standard", "inverse"),
        (("Base", (Value(99.0, 95.0, 100.0), Value(28.0, 20.0, 36.0))),),
        reference=50.0,
        line="chance",
        quantity="accuracy",
    )
    table = Table(f"{task}-t", f"A table of {task}", "", ("kind", "accuracy"), (("a", Value(20.0, 10.0, 30.0)),))
    return tuple(Section(title, blocks, task) for title, blocks in (("Charts", (stacked, dots)), ("Tables", (table,))))


def _across(known: list[float]) -> tuple[float, float] | None:
    return (min(known), max(known)) if len(known) > 1 else None


def profiles() -> tuple[Profile, ...]:
    def profile(subject: str, tasks: tuple[str, ...], rows: dict[str, tuple[float | None, ...]]) -> Profile:
        values = {name: tuple(None if x is None else share(x) for x in numbers) for name, numbers in rows.items()}
        pooled = tuple(
            Pooled(name, share(sum(known) / len(known), 0.06), _across(known), len(known))
            for name, numbers in rows.items()
            if (known := [x for x in numbers if x is not None])
        )
        return Profile(subject, tasks, tuple(values.items()), pooled)

    fixated, near, long = SUBJECTS
    return (
        profile(
            fixated,
            ("fixation", "capacity", "marvel", "winoground"),
            {
                "form": (None, None, 0.03, None),
                "attention": (0.02, 0.02, 0.04, 0.02),
                "thinking": (0.01, 0.01, 0.24, None),
                "eyes": (0.02, 0.02, 0.27, None),
                "habit": (0.41, 0.41, None, None),
            },
        ),
        profile(
            near,
            ("fixation", "marvel", "bongard", "winoground", "capacity"),
            {
                "form": (0.03, 0.03, 0.03, None, None),
                "attention": (0.04, 0.04, 0.04, 0.02, None),
                "thinking": (0.24, 0.24, 0.24, None, 0.0),
                "eyes": (0.27, 0.27, 0.27, None, 0.0),
            },
        ),
        profile(long, ("fixation", "bongard"), {"attention": (0.98, 0.98)}),
    )


EVERY = (habit(), eyes_and_thinking(), together(), none(), leaning(), unclear())
