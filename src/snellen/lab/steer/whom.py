"""Which model is steered, or gives donors: `PATH_OR_HUB_ID[:adapter=PATH,dtype=...,device=...]`, as for subjects."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from snellen.errors import UserError
from snellen.subjects import settings
from snellen.subjects.local.dtypes import computed_dtype
from snellen.subjects.local.extras import require
from snellen.subjects.local.fingerprint import fingerprint
from snellen.subjects.local.folders import checked_adapter, checked_folder
from snellen.subjects.local.loading import load
from snellen.subjects.settings import Schema, SubjectSetting, one_of, words

if TYPE_CHECKING:
    from snellen.subjects.local.loading import LoadedModel

_DTYPES = ("auto", "bfloat16", "float16", "float32")
SCHEMA: Schema = (
    SubjectSetting("adapter", "a folder saved by peft or snellen lab train", words),
    SubjectSetting("dtype", f"one of {', '.join(_DTYPES)}", one_of(*_DTYPES), "auto"),
    SubjectSetting("device", "auto, cpu, cuda or one such as cuda:1", words, "auto", in_key=False),
)


@dataclass(frozen=True)
class Whom:
    """A model by name."""

    where: str
    adapter: str
    dtype: str
    device: str

    @property
    def identity(self) -> Mapping[str, Any]:
        """The model's fingerprint, recorded with the results."""
        adapter = checked_adapter(self.adapter) if self.adapter else None
        folder = checked_folder(self.where)
        return fingerprint(folder, adapter, computed_dtype(folder, self.dtype, self.device))

    def load(self) -> "LoadedModel":
        return load(self.where, self.adapter, self.dtype, self.device)


def whom(name: str) -> Whom:
    """The model of that name; says at once what is wrong with the name, and loads nothing."""
    require()
    where, pairs = settings.split(name.removeprefix("local/"))
    values = settings.read(pairs, SCHEMA, name)
    if where == "tiny" and not Path(where).is_dir():  # a subject, but no folder yet
        raise UserError(f"{name}: is stored packed; unpack it first: `snellen lab unpack tiny -o DIR`")
    return Whom(where, str(values.get("adapter", "")), str(values["dtype"]), str(values["device"]))
