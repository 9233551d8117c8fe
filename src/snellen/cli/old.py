"""Names that commands had in version 0.2. They work for one more release and say the new name."""

RENAMED = {
    "profile": "table profile",
    "similarity": "table similarity",
    "thoughts": "table thoughts",
    "card": "figure card",
    "trainset": "lab trainset",
    "train": "lab train",
    "transfer": "lab transfer",
    "steer": "lab steer",
    "import-inspect": "import inspect",
    "import-replies": "import replies",
}

RENAMED_OPTIONS = {"--task": "--tasks", "--games": "--kinds"}


def translated(name: str, words: list[str]) -> list[str]:
    """The new words for a command and what followed it."""
    now = RENAMED[name].split()
    if name in ("steer", "thoughts"):  # `--option=value` as two words
        words = [part for word in words for part in (word.split("=", 1) if word.startswith("--") else [word])]
    match name:
        case "profile":
            words = ["--format=json" if word == "--json" else word for word in words]
        case "steer":
            words = [word for word in words if word != "--task"]
        case "thoughts" if "--table" in words[:-1]:
            at = words.index("--table")
            now[-1] += f"-{words[at + 1]}"
            words = words[:at] + words[at + 2 :]
    return [*now, *map(renamed_option, words)]


def renamed_option(word: str) -> str:
    """The word with the new name of its option, if it is one that was renamed; `--option=value` too."""
    option, equals, value = word.partition("=")
    return RENAMED_OPTIONS.get(option, option) + equals + value
