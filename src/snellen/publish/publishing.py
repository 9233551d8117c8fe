"""Publishing: a store as a folder that anybody can read, and verify."""

from pathlib import Path
from tempfile import TemporaryDirectory

from snellen import __version__
from snellen.engine import Store
from snellen.errors import UserError, invocation
from snellen.publish.derived import write_numbers, write_page, write_stimuli
from snellen.publish.folder import PICTURES, write_manifest
from snellen.publish.picture_box import PictureBox
from snellen.publish.records import exam_values, masked_store, write_records
from snellen.publish.remaking import Remaker
from snellen.tasks.export import check_free, whole_folder


def publish(store: Path, folder: Path, *, pictures: bool = False) -> int:
    """Write everything in `store` to a new `folder`; returns the number of trials.

    Pictures of items that Snellen draws are on the report page, and with `pictures` also files of their own. Pictures
    of data sets and of other packages' tasks are in neither: they may not be free to be handed on. Raises `UserError`
    for an empty store, or a folder that holds something.
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
        box = PictureBox(Path(work) / PICTURES)
        write_stimuli(unfinished, remaker, box)
        manifest = {"snellen": __version__, "exams": exams, "sources": remaker.sources, "pictures": pictures}
        exam = write_numbers(masked, unfinished, manifest)
        write_page(exam, unfinished, box.image)
        if pictures:
            box.copy_to(unfinished / PICTURES)
        write_manifest(unfinished, manifest)
    return count
