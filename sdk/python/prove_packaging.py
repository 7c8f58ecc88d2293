"""Builds the wheel, installs it into an empty environment without any index, and uses it there.

    python prove_packaging.py

Needs setuptools 61 or newer in this Python (before 70.1 also wheel): nothing is fetched. Ends with 0 where all held,
1 where something did not, 2 where this Python cannot build (no pip or ensurepip, no or old setuptools).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from importlib import metadata
from pathlib import Path
from typing import List, Tuple

PACKAGE = Path(__file__).resolve().parent
CONSUMER = """
import sutura_sdk
from importlib import metadata, resources
assert metadata.version("sutura-sdk") == sutura_sdk.__version__ == "0.1.0", metadata.version("sutura-sdk")
assert not metadata.requires("sutura-sdk"), metadata.requires("sutura-sdk")
assert (resources.files("sutura_sdk") / "py.typed").is_file()
assert "site-packages" in sutura_sdk.__file__, sutura_sdk.__file__
with sutura_sdk.SuturaClient("sut_test_x", base_url="http://127.0.0.1:1", max_retries=0) as client:
    try:
        client.get_usage()
    except sutura_sdk.NetworkError as error:
        print(error)

async def ask():
    async with sutura_sdk.AsyncSuturaClient("sut_test_x", base_url="http://127.0.0.1:1", max_retries=0) as client:
        await client.get_usage()

import asyncio
try:
    asyncio.run(ask())
except sutura_sdk.NetworkError as error:
    assert error.code == "ECONNREFUSED", error
"""


def why_not() -> str:
    """Why this Python cannot build a wheel; empty where it can."""
    try:
        import ensurepip  # noqa: F401
        import pip  # noqa: F401
    except ImportError as error:
        return f"{error.name} is missing"
    setuptools = _version("setuptools")
    if setuptools < (61,):
        return "setuptools is missing or older than 61"
    if setuptools < (70, 1) and _version("wheel") == ():
        return "setuptools before 70.1 needs the package wheel"
    return ""


def _version(package: str) -> Tuple[int, ...]:
    try:
        return tuple(int(part) for part in re.findall(r"\d+", metadata.version(package))[:2])
    except metadata.PackageNotFoundError:
        return ()


def run(command: List[str], folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))}
    environment["PIP_CONFIG_FILE"] = os.devnull
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout


def build(folder: Path) -> Path:
    """The wheel, from a copy of the sources so that nothing is left beside them."""
    source = folder / "source"
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("tests", "build", "*.egg-info", "__pycache__", ".mypy_cache"))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    run([*pip, "wheel", "--no-build-isolation", "--no-index", "--no-deps", "--wheel-dir", str(folder), str(source)], folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


def check_content(wheel: Path) -> None:
    assert wheel.name == "sutura_sdk-0.1.0-py3-none-any.whl", wheel.name
    with zipfile.ZipFile(wheel) as content:
        files = {name for name in content.namelist() if ".dist-info/" not in name}
    source = PACKAGE / "src"
    expected = {path.relative_to(source).as_posix() for path in (source / "sutura_sdk").rglob("*") if path.suffix in (".py", ".typed")}
    assert files == expected, files ^ expected


def main() -> int:
    reason = why_not()
    if reason:
        print(f"cannot build with Python {sys.version.split()[0]}: {reason}. Nothing was checked.")
        return 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(folder)
        check_content(wheel)
        empty = folder / "empty"
        venv.create(empty, with_pip=True)
        python = str(empty / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
        run([python, "-m", "pip", "--disable-pip-version-check", "install", "--no-index", str(wheel)], folder)
        said = run([python, "-c", CONSUMER], folder).strip()
    print(f"proved with Python {sys.version.split()[0]}: {wheel.name} built, installed without an index, imported; it says: {said}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
