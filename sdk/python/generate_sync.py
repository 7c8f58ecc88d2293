"""Makes src/sutura_sdk/_sync of src/sutura_sdk/_async: the same operations, waits and retries without an event loop.

    python generate_sync.py            writes the files
    python generate_sync.py --check    ends with 1 and their names where they are not those that it would write
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Dict, List, Tuple

PACKAGE = Path(__file__).resolve().parent / "src" / "sutura_sdk"
SOURCE = PACKAGE / "_async"
TARGET = PACKAGE / "_sync"

#: A call with its arguments, in which brackets stand two deep at most.
_CALL = r"(?:\w+\.)*\w+\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"

#: In this order. They hold for code and for what docstrings say of it.
_RULES: Tuple[Tuple[str, str], ...] = (
    (r"\basync (def|for|with)\b", r"\1"),
    (rf"(?<!\w)\(await ({_CALL})\)(?=\.)", r"\1"),
    (r"\bawait ", ""),
    (r"\bAwaitable\[(\w+)\]", r"\1"),
    (r"\bAwaitable, ", ""),
    (r"\b__a(enter|exit|iter|next)__\b", r"__\1__"),
    (r"\bStopAsyncIteration\b", "StopIteration"),
    (r"\b_async_", "_"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\bany number of tasks\b", "any number of threads"),
)
_LEFT_OVER = re.compile(r"\basync\b|\bawait\b|\bAsync|_async", re.IGNORECASE)


def generate() -> Dict[str, str]:
    """The text of each file by its name; ``ValueError`` for a line that no rule made synchronous."""
    return {path.name: _to_sync(path) for path in sorted(SOURCE.glob("*.py"))}


def stale() -> List[str]:
    """The names of files that are missing, changed by hand, or without a source."""
    made = generate()
    there = {path.name: path.read_text("utf-8") for path in TARGET.glob("*.py")}
    return sorted(name for name in {*made, *there} if made.get(name) != there.get(name))


def _to_sync(path: Path) -> str:
    head = f"# Made of _async/{path.name} by generate_sync.py: change that one.\n"
    if path.name == "__init__.py":
        return f'{head}"""The client for threads."""\n'
    text = path.read_text("utf-8")
    for pattern, written in _RULES:
        text = re.sub(pattern, written, text)
    for number, line in enumerate(text.splitlines(), 1):
        if _LEFT_OVER.search(line):
            raise ValueError(f"{path.name}:{number}: no rule makes this synchronous: {line.strip()}")
    return head + text


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        names = stale()
        print("\n".join(f"_sync/{name} is not what generate_sync.py makes" for name in names) or "current")
        return 1 if names else 0
    TARGET.mkdir(exist_ok=True)
    for name in stale():
        (TARGET / name).unlink(missing_ok=True)
    for name, text in generate().items():
        (TARGET / name).write_bytes(text.encode("utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
