"""One attempt that is under way, as far as the pace is concerned."""


class CallSlot:
    __slots__ = ("era", "number", "refused", "sent", "together")

    def __init__(self, number: int, sent: float, together: int, era: int) -> None:
        self.number = number
        self.sent = sent
        self.together = together
        """How many were under way once this one was."""
        self.era = era
        """How much was known about the server when it was sent."""
        self.refused = False
