"""What was learnt as small files: eight bits a number, a scale for each row, no file larger than is easily sent."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import torch
from torch import Tensor

from recipes.small.eye import HELPERS
from snellen.errors import UserError

LARGEST = 15_000_000
"""Bytes in a file."""
_SCALE, _WHOLE, _FILES, _LANGUAGE, _STAGE = ".scale", "whole", "files", "language", "stage"
_EYE = "vision_model.embeddings.patch_embedding.weight"
_FEW = 4096
"""Tensors with no more numbers than this stay as they are."""


def write(folder: Path, stage: str, own: Mapping[str, Tensor], language: str) -> list[Path]:
    """STAGE-1-of-2.safetensors and so on; what only helped learning is left out. `language`: the digest of the language
    model that they were learnt on."""
    from safetensors.torch import save_file

    lots: list[dict[str, Tensor]] = [{}]
    size = 0
    for each, value in own.items():
        if each.split(".")[0] in HELPERS:
            continue
        packed = _packed(each, value.detach().cpu())
        weighs = sum(part.numel() * part.element_size() for part in packed.values())
        if lots[-1] and size + weighs > LARGEST:
            lots.append({})
            size = 0
        lots[-1] |= packed
        size += weighs
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{stage}-{k}-of-{len(lots)}.safetensors" for k in range(1, len(lots) + 1)]
    about = {_WHOLE: _digest(lots), _FILES: str(len(lots)), _LANGUAGE: language, _STAGE: stage}
    for path, lot in zip(paths, lots, strict=True):
        save_file(lot, path, about)
    return paths


def _digest(lots: Sequence[Mapping[str, Tensor]]) -> str:
    """What all files of one model say, and no other: one of another stage would fit, and be wrong."""
    told = sha256()
    for lot in lots:
        for name, value in lot.items():
            told.update(name.encode() + value.flatten().view(torch.uint8).numpy().tobytes())
    return told.hexdigest()


def files_of(named: Sequence[Path]) -> list[Path]:
    """Files as they are named, one by one or by their stage: made/fixated is all of made/fixated-*-of-*.safetensors."""
    found: list[Path] = []
    for path in named:
        own = [path] if path.is_file() else sorted(path.parent.glob(f"{path.name}-*-of-*.safetensors"))
        if not own:
            raise UserError(f"{path}: no such file, and no {path.name}-*-of-*.safetensors there; name a stage of small")
        found += own
    return found


def read(paths: Sequence[Path], language: str = "") -> dict[str, Tensor]:
    """All of it again, as 32-bit numbers. `language`: the digest of the language model they are for, if that is known:
    on another they would fit as well, and mean nothing."""
    kept: dict[str, Tensor] = {}
    about: list[Mapping[str, str]] = []
    for path in paths:
        own, told = _opened(path)
        if kept.keys() & own.keys():
            raise UserError(f"{path}: holds what another of the files holds, too; name each file of one stage once")
        kept |= own
        about.append(told)
    named = ", ".join(path.name for path in paths)
    _check_about(named, about, language)
    _check(named, kept)
    return {name: _unpacked(value, kept.get(name + _SCALE)) for name, value in kept.items() if not _scales(name)}


def stage_of(path: Path) -> str:
    """The stage after which a file was written; nothing if it does not say."""
    return _opened(path)[1].get(_STAGE, "")


def _opened(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """What a file holds, and what it says about itself."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "pt") as file:
            own = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a mapping
            return own, file.metadata() or {}
    except (OSError, SafetensorError) as problem:
        raise UserError(f"{path}: cannot be read; expected deltas of small, in safetensors") from problem


def _check_about(named: str, about: Sequence[Mapping[str, str]], language: str) -> None:
    if len({told.get(_WHOLE, "") for told in about}) > 1:
        raise UserError(f"{named}: not of one model; expected all files of one stage of one run")
    files = int(about[0].get(_FILES, len(about)))
    if len(about) != files:
        raise UserError(f"{named}: {len(about)} of {files} files; expected all files of one stage")
    if language and about[0].get(_LANGUAGE, language) != language:
        raise UserError(f"{named}: learnt on another language model; name its file with --language-model")


def _check(named: str, kept: Mapping[str, Tensor]) -> None:
    for needed in ("extra", "A.0", "B.0", _EYE, "connector.modality_projection.proj.weight"):
        if needed not in kept:
            raise UserError(f"{named}: holds no {needed}; expected all files of one stage of small, as in NAME-*-of-*")


def _scales(name: str) -> bool:
    return name.endswith(_SCALE)


def _packed(name: str, value: Tensor) -> dict[str, Tensor]:
    if value.ndim < 2 or value.numel() <= _FEW:
        return {name: value.to(torch.bfloat16).contiguous()}
    flat = value.float().flatten(1)
    scale = flat.abs().amax(1, keepdim=True).clamp_min(1e-12) / 127
    whole = (flat / scale).round().clamp(-127, 127).to(torch.int8)
    return {name: whole.reshape(value.shape), name + _SCALE: scale.half()}


def _unpacked(value: Tensor, scale: Tensor | None) -> Tensor:
    if scale is None:
        return value.float()
    return (value.float().flatten(1) * scale.float()).reshape(value.shape)
