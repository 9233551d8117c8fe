"""Pictures of items that were made again, on disk: there may be more than memory holds."""

from dataclasses import dataclass, field
from pathlib import Path

from snellen.item import Picture, Stimulus
from snellen.masking import mask


@dataclass(frozen=True)
class PictureBox:
    """Keeps the pictures of stimuli, each once, in a folder of its own."""

    folder: Path
    _kept: dict[str, tuple[str, str]] = field(default_factory=dict)

    def keep(self, stimulus: Stimulus) -> None:
        for part in stimulus.shown:
            if isinstance(part, Picture) and part.digest not in self._kept:
                self._kept[part.digest] = (part.media_type, mask(part.alt))
                self.folder.mkdir(exist_ok=True)
                (self.folder / part.digest).write_bytes(part.data)

    def holds(self, digest: str) -> bool:
        return digest in self._kept

    def image(self, digest: str) -> Picture | None:
        if digest not in self._kept:
            return None
        return Picture((self.folder / digest).read_bytes(), *self._kept[digest])

    def copy_to(self, folder: Path) -> None:
        """Write every picture as a file that is named by its digest."""
        folder.mkdir()
        for digest, (media_type, _) in self._kept.items():
            name = f"{digest}.{media_type.partition('/')[2]}"
            (folder / name).write_bytes((self.folder / digest).read_bytes())
