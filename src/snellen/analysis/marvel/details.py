"""What a MARVEL diagnosis rests on, line by line."""

from snellen.analysis.blocks import Value
from snellen.analysis.contrasts import Contrast, p_text
from snellen.analysis.marvel.bias import LEVEL
from snellen.analysis.marvel.evidence import MISFIT_P, Evidence, in_points, setting_note
from snellen.analysis.marvel.papers import landmarks
from snellen.analysis.marvel.puzzles import SETTING
from snellen.analysis.marvel.results import Results
from snellen.analysis.stages import percent_text

SEEN = {
    "perc_c": "all panels were counted right",
    "fine": "the detail was right",
    "perc_cf": "all perception was right",
}


def details(mine: Evidence, found: Results) -> tuple[str, ...]:
    """The lines below the headline."""
    return (
        *_basis(mine, found),
        *_ladder(mine),
        *_published(mine),
        *_given(mine, found),
        *_changes(mine, found),
        *_picking(mine),
        *_fitting(mine),
        *_reading(mine, found),
    )


def _basis(mine: Evidence, found: Results) -> list[str]:
    how = setting_note(mine, found)
    if mine.fit is None:
        return [f"Rests on puzzles asked so: {how}. In brackets 95 % intervals, clustered on duplicates."]
    return [
        f"Rests on {mine.fit.puzzles} puzzles with a question about a detail ({how}); in brackets 95 % intervals,"
        " clustered on duplicates."
    ]


def _ladder(mine: Evidence) -> list[str]:
    steps = (
        ("perc_c", "counts all panels right in"),
        ("perc_cf", "sees the detail as well in"),
        ("perc_cf_avr", "solves the puzzle as well in"),
    )
    said = [f"{words} {percent_text(mine.measures[name])}" for name, words in steps if name in mine.measures]
    alone = [
        f"{words} right {percent_text(mine.measures[name])}"
        for name, words in (("avr", "the puzzle"), ("fine", "the detail"))
        if name in mine.measures
    ]
    lines = [f"The ladder: {', '.join(said)}."] if said else []
    return [*lines, f"One by one: {', '.join(alone)}."] if alone else lines


def _published(mine: Evidence) -> list[str]:
    if mine.setting["source"] != "published":
        return []
    best, middle, people = ((name, figures[""]) for name, figures in landmarks(3).items())
    return [
        f"On the published puzzles {people[0]} are right {people[1]:.0f} % (standard deviation 10), the {best[0]}"
        f" {best[1]:.0f} %, the {middle[0]} {middle[1]:.0f} %."
    ]


def _here(mine: Evidence, each: Contrast) -> bool:
    return all(each[name] == mine.setting[name] for name in SETTING)


def _given(mine: Evidence, found: Results) -> list[str]:
    said = {
        (each["n_a"], each["a"]): f"Where {SEEN[each['given']]}, {100 * each['a']:.0f} % of {each['n_a']} puzzles are"
        f" solved, elsewhere {100 * each['b']:.0f} % of {each['n_b']}: {in_points(each, 'exact test')}."
        for each in reversed(found.given)
        if _here(mine, each) and each["given"] in ("fine", "perc_cf")
    }  # where every count is right the two say the same
    return list(said.values())[::-1]


def _changes(mine: Evidence, found: Results) -> list[str]:
    said = []
    for each in found.contrasts:
        if not _here(mine, each) or each["question"] != "avr":
            continue
        if each["factor"] == "words":
            said.append(f"Perception gap: exact words beside the picture bring {in_points(each)}.")
        elif each["p_items_holm"] < LEVEL:
            a, b = each["levels"]
            said.append(f"With {each['factor']} {a} instead of {b}: {in_points(each)}.")
    return said


def _picking(mine: Evidence) -> list[str]:
    bias, said = mine.bias, []
    if bias is not None and bias.p < LEVEL:
        share = bias.chosen[bias.favourite]
        said.append(
            f"Inductive bias: it picks option {bias.favourite + 1} in {percent_text(share)} of the puzzles, and that"
            f" option is right {100 * bias.key[bias.favourite]:.0f} %; the spread over the options is not the key's, p"
            f" {p_text(bias.p)}."
        )
    if mine.fit is not None and (guess := _likeliest(mine.fit.guess)) is not None:
        number, share = guess
        said.append(f"Where it has to guess, option {number} is its likeliest guess: {percent_text(share)}.")
    return said


def _likeliest(guess: tuple[Value, ...]) -> tuple[int, Value] | None:
    """The option guessed most, if the data tell it from even guessing."""
    shares = [share.value or 0.0 for share in guess]
    number = shares.index(max(shares))
    low = guess[number].low
    return (number + 1, guess[number]) if low is not None and low > 1 / len(guess) else None


def _fitting(mine: Evidence) -> list[str]:
    fit = mine.fit
    if fit is None:
        return []
    if fit.p is None:
        return ["The tree leaves nothing to test."]
    if fit.p >= MISFIT_P:
        return [f"The processing tree fits (p {p_text(fit.p)})."]
    how = "does not fit perfectly" if mine.fitting else "does not fit"
    missed = (
        f" Puzzles whose detail was missed are right {100 * fit.beyond:.0f} points more often than by guessing."
        if fit.beyond > 0
        else ""
    )
    return [
        f"The processing tree {how}: p {p_text(fit.p)}, {100 * fit.moved:.1f} % of the puzzles out of place.{missed}"
    ]


def _reading(mine: Evidence, found: Results) -> list[str]:
    estimate, said = mine.estimate, []
    if estimate["unread"]:
        said.append(
            f"Unread: {100 * estimate['unread_rate']:.1f} % of {estimate['trials']} replies. They count as not right;"
            " such puzzles are left out of the tree."
        )
    read = [each for each in found.readings if each["who"] == mine.subject]
    second, replies = sum(each["second"] for each in read), sum(each["replies"] for each in read)
    if second:
        said.append(
            f"Second reading: {second} of {replies} answers ({100 * second / replies:.1f} %) were read by a model after"
            " the rules had abstained."
        )
    if estimate["errors"]:
        said.append(
            f"{estimate['errors']} trials failed; they are missing, not wrong. Run the exam again to fill them in."
        )
    return said
