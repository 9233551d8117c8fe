"""Who the simulated subjects are: named sets of probabilities."""

from dataclasses import asdict, dataclass, fields

from snellen.subjects.settings import Schema, SubjectSetting, Value, number, one_of, whole

STYLES = ("plain", "chatty", "long")


@dataclass(frozen=True, slots=True)
class Parameters:
    """What makes a simulated subject. All but `seed`, `style` and `habit` are probabilities.

    `habit` names the mechanism of the wrong answers it gives by habit, with underscores for blanks; if empty, it is the
    one that the question itself goes against, if it does.
    """

    see: float = 1
    read: float = 1
    map: float = 1
    map_alias: float | None = None
    map_semalias: float | None = None
    guess: float = 0.5
    lapse: float = 0
    refuse: float = 0
    truncate: float = 0
    seed: int = 0
    style: str = "plain"
    induce: float = 1
    apply: float = 1
    drop: float = 0
    change: float = 0
    count: float = 1
    habit: str = ""

    def settings(self) -> dict[str, Value]:
        """All that is set. What came later than the first stores shows only where it says something, so that calls
        recorded before keep their keys."""
        values = asdict(self)
        unsaid = {field.name for field in fields(self) if field.name in _LATER and values[field.name] == field.default}
        return {name: value for name, value in values.items() if value is not None and name not in unsaid}


_LATER = ("induce", "apply", "drop", "change", "count", "habit")


@dataclass(frozen=True, slots=True)
class SimulatedProfile:
    """A named simulated subject."""

    name: str
    about: str
    parameters: Parameters


PROFILES = {
    p.name: p
    for p in (
        SimulatedProfile("ideal", "sees everything and follows every rule", Parameters()),
        SimulatedProfile("guesser", "neither sees nor reads: always guesses", Parameters(see=0, read=0)),
        SimulatedProfile(
            "fixated",
            "sees well but keeps to the default rule, unless names are meaningless",
            Parameters(see=0.95, map=0.2, map_alias=0.95, map_semalias=0.35),
        ),
        SimulatedProfile("nearsighted", "follows every rule but sees badly", Parameters(see=0.35, map=0.97)),
        SimulatedProfile("blind", "reads perfectly and sees no picture at all", Parameters(see=0)),
        SimulatedProfile("stubborn", "sees everything and always answers by habit", Parameters(map=0)),
        SimulatedProfile(
            "leaning",
            "often does not see, and then mostly gives the first label",
            Parameters(see=0.4, guess=0.9),
        ),
        SimulatedProfile("absent", "able, but a third of its answers are random slips", Parameters(lapse=0.33)),
        SimulatedProfile("refuser", "able, but refuses to answer more often than not", Parameters(refuse=0.6)),
        SimulatedProfile(
            "rambler",
            "reasons at length and sometimes runs out of tokens",
            Parameters(see=0.9, map=0.8, truncate=0.2, style="long"),
        ),
        SimulatedProfile(
            "chatty",
            "fairly able, and never words an answer the same way twice",
            Parameters(see=0.85, map=0.7, style="chatty"),
        ),
        SimulatedProfile(
            "puzzled",
            "sees well and applies any rule it is given, but seldom finds one itself",
            Parameters(see=0.95, induce=0.3, apply=0.95),
        ),
        SimulatedProfile(
            "muddled",
            "sees each thing and thinks well, but often miscounts them",
            Parameters(see=0.95, count=0.4, induce=0.9),
        ),
        SimulatedProfile(
            "clumsy",
            "sees well and finds the rule, but often goes wrong in applying it",
            Parameters(see=0.95, induce=0.95, apply=0.4),
        ),
        SimulatedProfile(
            "sloppy",
            "thinks well, but omits or alters 2 % of the facts when it describes a picture",
            Parameters(induce=0.95, apply=0.95, drop=0.01, change=0.01),
        ),
    )
}


def _mechanism(text: str) -> Value | None:
    """Reads a mechanism's name; written with underscores it survives any command line."""
    return "_".join(text.replace("_", " ").split()) or None


def parameter_schema(defaults: Parameters) -> Schema:
    """The parameters as settings, with a profile's values as defaults."""
    expected = {
        "seed": ("a whole number", whole(-(2**63), 2**63 - 1)),
        "style": ("one of " + ", ".join(STYLES), one_of(*STYLES)),
        "habit": ("the name of a mechanism, such as double_counted", _mechanism),
    }
    probability = ("a probability from 0 to 1", number(0, 1))
    return tuple(
        SubjectSetting(name, *expected.get(name, probability), default) for name, default in asdict(defaults).items()
    )
