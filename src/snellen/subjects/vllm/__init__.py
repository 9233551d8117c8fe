"""vLLM's offline engine: `vllm/PATH_OR_HUB_ID@offline[:setting=value,...]`, a model without a server.

`subject` names one, `engine` asks vLLM. Nothing here loads vllm or torch before a model is needed.
"""

from pathlib import Path

OFFLINE = "@offline"
"""What stands after a model's name in place of a server's address."""


def is_offline(where: str) -> bool:
    """Whether a name after `vllm/` is meant for the offline engine: it ends in `@offline`, or is the path of a folder
    that is here (`./`, `~/` or `/` at its beginning)."""
    return where.endswith(OFFLINE) or (where.startswith((".", "~", "/")) and Path(where).expanduser().is_dir())
