"""Checks library, tests and every example of the documentation with mypy (strict) and pyright, where they are installed.

    python check_types.py

Ends with 0 where all held, 1 where something did not, 2 where neither checker is here.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import List

PACKAGE = Path(__file__).resolve().parent
sys.path[:0] = [str(PACKAGE / "src"), str(PACKAGE / "tests")]


def write_examples(folder: Path) -> int:
    from test_documentation import examples

    count = 0
    for count, (name, source) in enumerate(examples(), 1):
        file_name = "".join(letter if letter.isalnum() else "_" for letter in name)
        (folder / f"example_{file_name}.py").write_text(f'"""{name}"""\n{source}\n', "utf-8")
    return count


def holds(name: str, command: List[str], folder: Path) -> bool:
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(PACKAGE / "src"), "PYTHONPATH": str(PACKAGE / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    print(f"{name}: {done.stdout.strip()}")
    return done.returncode == 0


def main() -> int:
    checks = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{write_examples(folder)} examples")
        if importlib.util.find_spec("mypy") is not None:
            checks.append(holds("mypy, the package", ["mypy", "--no-error-summary"], PACKAGE))
            one_by_one = ["mypy", "--strict", "--no-error-summary", "--python-executable", sys.executable]
            checks.append(holds("mypy, the examples", [*one_by_one, *sorted(path.name for path in folder.glob("*.py"))], folder))
        if importlib.util.find_spec("pyright") is not None:
            (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict", "reportUnusedVariable": false}', "utf-8")
            checks.append(holds("pyright, the examples", ["pyright"], folder))
    if not checks:
        print("neither mypy nor pyright is installed here. Nothing was checked.")
        return 2
    return 0 if all(checks) else 1


if __name__ == "__main__":
    sys.exit(main())
