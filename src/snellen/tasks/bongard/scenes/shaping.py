"""Making a draft obey a concept without connectives.

Each function changes a draft in place. None promises success: other parts of the scene may stand in the way, so whoever
calls looks whether the concept holds, and starts anew with another draft if not.
"""

from snellen.draw.scenes import COLUMNS, ROWS
from snellen.rng import Stream
from snellen.tasks.bongard.scenes.drafts import DraftThing, SceneDraft, SceneLeaning, new_piece
from snellen.tasks.bongard.scenes.kinds import WORDS, is_of, kinds_of, random_kind, within, without
from snellen.tasks.bongard.scenes.language import OTHER, Concept, Description, part


class Shaper:
    """Shapes drafts, with the stream and the leaning of one problem at hand."""

    def __init__(self, rng: Stream, leaning: SceneLeaning) -> None:
        self.rng = rng
        self.leaning = leaning

    def obey(self, draft: SceneDraft, concept: Concept) -> None:
        """Change the draft so that the concept is likely to hold."""
        free = list(draft.pieces)  # the things that may still be changed; those used are taken out of it
        word, what = part(concept)
        match word:
            case "some":
                self.give(draft, self._taken(free), what)
            case "exactly":
                self._exactly(draft, *what)
            case "least":
                for _ in range(what[0] + (self.rng.chance() and len(free) > what[0])):
                    self.give(draft, self._taken(free), what[1])
            case "every":
                for piece in draft.pieces:
                    self.give(draft, piece, what)
            case "same":
                setattr(self._taken(free), what, getattr(self._taken(free), what))
            case "above" | "left" | "touch":
                one, other = self._taken(free), self._taken(free)
                self.give(draft, one, what[0])
                self.give(draft, other, what[1])
                self._arrange(draft, word, one, other)

    def thin_out(self, draft: SceneDraft, concept: Concept) -> None:
        """Where the concept asks for one such thing and there are several, leave one: spoiling that one is enough."""
        word, what = part(concept)
        if word == "some":
            fitting = [piece for piece in draft.pieces if _fits(piece, what)]
            for piece in fitting[1:]:
                self.deny(draft, piece, what)

    def _taken(self, free: list[DraftThing]) -> DraftThing:
        return free.pop(self.rng.below(len(free)))

    def _exactly(self, draft: SceneDraft, number: int, description: Description) -> None:
        """That many such things and no more; of things of any sort, as many as wanted."""
        if not description:
            while len(draft.pieces) > number:
                self._taken(draft.pieces)
            while len(draft.pieces) < number:
                draft.pieces.append(new_piece(self.rng, draft, self.leaning))
            return
        chosen = self.rng.sample(range(len(draft.pieces)), number)
        for place, piece in enumerate(draft.pieces):
            if place in chosen:
                self.give(draft, piece, description)
            else:
                self.deny(draft, piece, description)

    def give(self, draft: SceneDraft, piece: DraftThing, description: Description) -> None:
        """Make a thing fit a description."""
        for word in WORDS:
            if word in description and not is_of(piece.kind, word, description[word]):
                piece.kind = random_kind(self.rng, within(kinds_of(word, description[word]), self.leaning.pool))
        if "tile" in description:
            piece.tile = description["tile"]
        if "size" in description:
            piece.size = description["size"]
        if description.get("framed") == "yes":
            for other in draft.pieces:
                other.framed = other is piece
        if "row" in description or "column" in description:
            self._move(draft, piece, description)

    def deny(self, draft: SceneDraft, piece: DraftThing, description: Description) -> None:
        """Make a thing that fits a description fit it no more, by one of its attributes."""
        attribute = self.rng.choice(tuple(description))
        value = description[attribute]
        if attribute in WORDS:
            if is_of(piece.kind, attribute, value):
                piece.kind = random_kind(self.rng, without(self.leaning.pool, kinds_of(attribute, value)))
        elif attribute == "tile" and piece.tile == value:
            piece.tile = self.rng.choice([tile for tile in self.leaning.palette if tile != value])
        elif attribute == "size" and piece.size == value:
            piece.size = OTHER[value]
        elif attribute in ("row", "column"):
            self._leave(draft, piece, attribute, value)

    def _move(self, draft: SceneDraft, piece: DraftThing, description: Description) -> None:
        """To a cell of that row and column, changing places with whatever stands there."""
        cells = [cell for cell in range(9) if _in_place(cell, description)]
        if piece.cell not in cells:
            self.place(draft, piece, self.rng.choice(cells))

    def _leave(self, draft: SceneDraft, piece: DraftThing, attribute: str, value: str) -> None:
        if _in_place(piece.cell, {attribute: value}):
            cells = [cell for cell in draft.free() if not _in_place(cell, {attribute: value})]
            if cells:
                piece.cell = self.rng.choice(cells)

    def place(self, draft: SceneDraft, piece: DraftThing, cell: int) -> None:
        """Put a thing into a cell; what stands there goes where the thing came from."""
        for other in draft.pieces:
            if other.cell == cell:
                other.cell = piece.cell
        piece.cell = cell

    def _arrange(self, draft: SceneDraft, word: str, one: DraftThing, other: DraftThing) -> None:
        pairs = [(a, b) for a in range(9) for b in range(9) if _stand(word, a, b)]
        first, second = self.rng.choice(pairs)
        self.place(draft, one, first)
        self.place(draft, other, second)
        if word == "touch":
            one.framed = other.framed = False
            draft.touching = (min(first, second), max(first, second))


def _fits(piece: DraftThing, description: Description) -> bool:
    return all(
        is_of(piece.kind, word, value)
        if word in WORDS
        else _in_place(piece.cell, {word: value})
        if word in ("row", "column")
        else value == ("yes" if piece.framed else "no")
        if word == "framed"
        else value == getattr(piece, word)
        for word, value in description.items()
    )


def _in_place(cell: int, description: Description) -> bool:
    return (
        description.get("row", ROWS[cell // 3]) == ROWS[cell // 3]
        and description.get("column", COLUMNS[cell % 3]) == COLUMNS[cell % 3]
    )


def _stand(word: str, one: int, other: int) -> bool:
    """Whether things in these two cells would stand in the relation (or could, if it is touching)."""
    down, right = other // 3 - one // 3, other % 3 - one % 3
    if word == "touch":
        return abs(down) + abs(right) == 1
    return down > 0 if word == "above" else right > 0
