"""Calls in batches, as providers take them: one file for each API's shapes. What is done with them, and what is kept on
disk meanwhile, is the engine's business (`engine/batches.py`)."""

from pathlib import Path

from snellen.call import BatchTransport, Subject

__all__ = ["batch_price", "transport"]


def transport(subject: Subject, folder: Path | None = None) -> BatchTransport | None:
    """How this subject's calls go in batches, through files in `folder` if one is given; None if they cannot."""
    from snellen.subjects.http import HttpSubject

    if not isinstance(subject, HttpSubject):
        return None
    if folder is not None:
        from snellen.subjects.batch.folder import BatchFolder

        return BatchFolder(subject, folder)
    from snellen.subjects.batch.anthropic import AnthropicBatches
    from snellen.subjects.batch.gemini import GeminiBatches
    from snellen.subjects.batch.openai import OpenAIBatches

    if (api := subject.server.provider.batch) == "anthropic":
        return AnthropicBatches(subject)
    return GeminiBatches(subject) if api == "gemini" else OpenAIBatches(subject)


def batch_price(subject: Subject) -> float | None:
    """What this subject's calls cost in a batch, as a share of their price alone; None if they cannot go in one."""
    api = transport(subject)
    return None if api is None else api.price
