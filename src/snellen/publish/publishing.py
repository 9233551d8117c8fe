"""Publishing: a store as a folder that anybody can read, and verify."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from snellen import __version__
from snellen.engine import Store
from snellen.errors import UserError, invocation
from snellen.item import Picture, Stimulus
from snellen.publish.derived import write_numbers, write_page, write_stimuli
from snellen.publish.folder import PICTURES, write_manifest
from snellen.publish.records import exam_values, masked_store, write_records
from snellen.publish.remaking import SEED, Remaker
from snellen.tasks.export import check_free, whole_folder


def publish(store: Path, folder: Path, *, pictures: bool = False) -> int:
    """Write everything in `store` to a new `folder`; returns the number of trials.

    Pictures of generated items are on the report page, and with `pictures` also files of their own. Pictures of data
    sets are in neither: others may not be free to hand them on. Raises `UserError` for an empty store, or a folder that
    holds something.
    """
    check_free(folder)
    with Store.open(store, readonly=True) as opened:
        count = opened.latest_trial()[0]
    if not count:
        raise UserError(f"store {store}: it has no trials yet; run `{invocation('exam', '--store', store)}` first")
    with TemporaryDirectory(prefix="snellen-") as work, whole_folder(folder) as unfinished:
        masked = Path(work) / "masked.sqlite"
        masked_store(store, masked)
        write_records(masked, unfinished)
        exams = exam_values(masked)
        remaker = Remaker({exam["id"]: exam["fingerprint"] for exam in exams})
        free: set[str] = set()
        write_stimuli(unfinished, remaker, _collecting(free, remaker, unfinished if pictures else None))
        manifest = {"snellen": __version__, "exams": exams, "sources": remaker.sources, "pictures": pictures}
        exam = write_numbers(masked, unfinished, manifest)
        with Store.open(store, readonly=True) as opened:
            write_page(exam, unfinished, lambda digest: opened.image(digest) if digest in free else None)
        write_manifest(unfinished, manifest)
    return count


def _collecting(free: set[str], remaker: Remaker, folder: Path | None) -> Callable[[Stimulus], None]:
    """Notes the digests of pictures that may be handed on, and writes the pictures where a folder is given."""

    def seen(stimulus: Stimulus) -> None:
        if remaker.sources.get(stimulus.item.task) != SEED:
            return
        for part in stimulus.shown:
            if isinstance(part, Picture) and part.digest not in free:
                free.add(part.digest)
                if folder is not None:
                    write_picture(folder, part)

    return seen


def write_picture(folder: Path, picture: Picture) -> None:
    path = folder / PICTURES / f"{picture.digest}.{picture.media_type.partition('/')[2]}"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(picture.data)
