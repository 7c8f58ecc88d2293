"""Every example runs, every public name is explained, and the README names them all."""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path
from typing import Any, Dict, Iterator, Tuple
from unittest import mock

from small_service import KEY, SmallService
from support import JPEG, PACKAGE

import sutura_sdk
from sutura_sdk import AsyncSuturaClient, SuturaClient, SuturaError

README = (PACKAGE / "README.md").read_text("utf-8")
UNIONS = {
    "AnyJob",
    "CardSize",
    "DeliveryState",
    "EndedJob",
    "HeldAction",
    "InfectionSign",
    "WebhookContent",
    "WebhookEvent",
    "WebhookSignature",
    "WoundStageValue",
}


def operations_of(client: type) -> Dict[str, Any]:
    return {name: method for name, method in inspect.getmembers(client, inspect.isfunction) if not name.startswith("_")}


OPERATIONS = operations_of(SuturaClient)
ASYNC_OPERATIONS = operations_of(AsyncSuturaClient)


def blocks(text: str) -> Iterator[str]:
    for block in re.findall(r"^[ ]*```python\n(.*?)^[ ]*```", text, re.MULTILINE | re.DOTALL):
        yield inspect.cleandoc(block)


def examples() -> Iterator[Tuple[str, str]]:
    sources: Dict[str, str] = {"README.md": README, "sutura_sdk": sutura_sdk.__doc__ or ""}
    for name in sutura_sdk.__all__:
        sources[name] = inspect.getdoc(getattr(sutura_sdk, name)) or ""
    sources.update({name: inspect.getdoc(method) or "" for name, method in OPERATIONS.items()})
    sources.update({f"async {name}": inspect.getdoc(method) or "" for name, method in ASYNC_OPERATIONS.items()})
    for name, text in sources.items():
        for number, block in enumerate(blocks(text)):
            yield f"{name} {number + 1}", as_program(block)


def as_program(block: str) -> str:
    """What awaits outside of a function, as in ``python -m asyncio``, inside one; its client is closed at the end."""
    if "asyncio.run(" in block or not re.search(r"^(?!#).*\b(?:await|async)\b", block, re.MULTILINE):
        return block
    closing = "    await client.close()\n" if "client = AsyncSuturaClient(" in block else ""
    return f"import asyncio\n\n\nasync def main() -> None:\n{textwrap.indent(block, '    ')}\n{closing}\n\nasyncio.run(main())"


class Documentation(unittest.TestCase):
    def setUp(self) -> None:
        self.service = SmallService()
        self.addCleanup(self.service.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        Path(self.folder, "photo.jpg").write_bytes(JPEG)
        self.environment = {"SUTURA_API_KEY": KEY, "SUTURA_BASE_URL": self.service.url}

    def test_every_example_runs(self) -> None:
        found = list(examples())
        self.assertGreater(len(found), 15)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        for name, source in found:
            with self.subTest(name), mock.patch.dict(os.environ, self.environment), contextlib.redirect_stdout(io.StringIO()):
                exec(compile(source.replace("sut_test_…", KEY), name, "exec"), {"__name__": "example"})

    def test_every_public_name_is_explained(self) -> None:
        for name in set(sutura_sdk.__all__) - {"__version__", "ImageFile", "Progress", "OnProgress", "DocumentFormat", "Language", "Paper", *UNIONS}:
            self.assertTrue((getattr(sutura_sdk, name).__doc__ or "").strip(), name)
        for name, method in [*OPERATIONS.items(), *ASYNC_OPERATIONS.items()]:
            if name != "close":
                self.assertEqual(len(list(blocks(inspect.getdoc(method) or ""))), 1, f"{name} has no example")

    def test_both_clients_have_the_same_operations_with_the_same_arguments(self) -> None:
        self.assertEqual(set(OPERATIONS), set(ASYNC_OPERATIONS))
        for name, method in OPERATIONS.items():
            parameters = [str(one) for one in inspect.signature(method).parameters.values()]
            self.assertEqual(parameters, [str(one) for one in inspect.signature(ASYNC_OPERATIONS[name]).parameters.values()], name)
            is_list = name.startswith("iterate_")
            self.assertEqual((inspect.iscoroutinefunction(method), inspect.iscoroutinefunction(ASYNC_OPERATIONS[name])), (False, not is_list), name)

    def test_the_readme_names_every_operation_with_its_arguments_and_every_error(self) -> None:
        for name, method in OPERATIONS.items():
            self.assertIn(f"{name}(", README)
            if "analyze" not in name and not name.startswith("iterate_") and name != "close":
                arguments = ", ".join(list(inspect.signature(method).parameters)[1:])
                self.assertIn(f"`{name}({arguments})`", README)
        for option in list(inspect.signature(SuturaClient).parameters):
            self.assertIn(f"| `{option}` |", README)
        for name in sutura_sdk.__all__:
            if isinstance(getattr(sutura_sdk, name), type) and issubclass(getattr(sutura_sdk, name), SuturaError):
                self.assertIn(f"`{name}`", README)

    def test_the_version_is_the_same_everywhere(self) -> None:
        self.assertIn(f'\nversion = "{sutura_sdk.__version__}"\n', (PACKAGE / "pyproject.toml").read_text("utf-8"))
        self.assertIn(f"sutura_sdk-{sutura_sdk.__version__}-py3", README)

    def test_the_programs_of_the_example_folder_run(self) -> None:
        done = self.run_program("analyse.py", "photo.jpg")
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        self.assertIn("saved photo.overlay.jpg", done.stdout)
        refused = self.run_program("analyse.py", "none.jpg")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("none.jpg", refused.stderr)
        self.assertNotIn("Traceback", refused.stderr)
        done = self.run_program("follow_up.py", "MRN-4711", "W1")
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        self.assertEqual(done.stdout, "1. 2026-01-05T07:58:00.000Z: 1.27 cm2\nsaved course.pdf\n")

    def test_the_program_of_many_photos_says_which_one_failed(self) -> None:
        photos = Path(self.folder, "photos")
        photos.mkdir()
        for name, content in (("a.jpg", JPEG), ("b.jpg", b"no photo"), ("notes.txt", b"")):
            (photos / name).write_bytes(content)
        done = self.run_program("analyse_many.py", "photos")
        self.assertEqual((done.stdout, done.returncode), ("a.jpg: 1.27 cm2; waits for a person: no\n", 0))
        self.assertRegex(done.stderr, "^b.jpg: The file is no JPEG, PNG or WebP[^\n]*\n$")

    def run_program(self, name: str, *words: str) -> "subprocess.CompletedProcess[str]":
        path = os.pathsep.join(entry for entry in sys.path if entry)
        environment = {**os.environ, **self.environment, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, str(PACKAGE / "example" / name), *words]
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)


if __name__ == "__main__":
    unittest.main()
