"""What a named mechanism says about the faculty that failed.

- **eyes**: what is in the picture was not taken in rightly: turned, mirrored, counted twice, read one line off;
- **thinking**: taken in, but not worked out: a path that is not the shortest, one move too few, half of the edits;
- **habit**: what was asked for was set aside for what is usually asked or done: the literal answer, all of it right.

A mechanism that is not in the table is **unnamed**, like a wrong answer without a mechanism ("another slot", say, tells
nothing about why). So that a kind may add particulars ("rotated 90 clockwise"), a name also counts for every entry it
begins with.
"""

FACULTIES = ("eyes", "thinking", "habit")
UNNAMED = "unnamed"

_EYES = (
    # places and directions
    *("rotated", "mirrored", "front for back", "photos exchanged", "right street, wrong distance"),
    # counts over several views
    *("double counted", "partly double counted", "single view only", "missed across views", "distractor counted"),
    *("one too many", "one too few", "off by one", "miscounted by one"),
    # boards, mazes, pieces
    *("row and column swapped", "taken cell", "one digit missed", "one digit too many"),
    *("fits by colour only", "fits by shape only", "an extra piece", "neighbouring slot", "similar outline"),
    # charts
    *("read the neighbouring entry", "read from the axis", "read another series", "misread"),
    # claims about a picture, names of things
    *("took a true", "took the look-alike", "all wrong"),
)
_THINKING = (
    *("four in a row only", "threat that can be stopped"),
    *("one move too few", "one move too many", "red block not counted", "red block counted"),
    *("single steps counted", "each block counted once", "moved the blocker only", "one block"),
    *("path not shortest", "a digit in a dead end", "digits off the path"),
    *("edited the wrong entry", "one edit left out", "some edits left out", "scaled", "added"),
    *("overwritten instead of added", "sorted the other way"),
    *("a fraction instead of a percentage", "wrong base of the percentage", "only the change given"),
    *("wrong one right", "applied twice", "applied backwards", "wrong pair of the map"),
    *("only the first map", "only the second map"),
)
_HABIT = (
    *("nearest to the landmark", "own frame of the photo", "given direction"),
    *("blocks instead of winning", "wrong set of pieces", "row counted from the top"),
    *("all blocks", "all digits", "edit not applied"),
    *("literal", "all right", "two or more right", "left open", "a class for a name"),
    *("told which is right", "the same answer twice", "not in the list"),
)

FACULTY = {
    name: faculty for faculty, names in zip(FACULTIES, (_EYES, _THINKING, _HABIT), strict=True) for name in names
}
"""Each known mechanism and the faculty it speaks of."""


def faculty_of(mechanism: str) -> str:
    """The faculty a mechanism speaks of, or `UNNAMED`."""
    name = " ".join(mechanism.lower().split())
    while name:
        if name in FACULTY:
            return FACULTY[name]
        name = name.rpartition(" ")[0]
    return UNNAMED
