"""The client for threads is made of that for tasks, and brings no event loop along."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from support import PACKAGE

sys.path.insert(0, str(PACKAGE))

import generate_sync  # noqa: E402


class Generated(unittest.TestCase):
    def test_every_file_is_what_its_source_makes(self) -> None:
        self.assertGreater(len(generate_sync.generate()), 12)
        self.assertEqual(generate_sync.stale(), [], "run: python sdk/python/generate_sync.py")

    def test_a_changed_a_missing_and_a_left_over_file_are_seen(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for file, text in generate_sync.generate().items():
                (folder / file).write_bytes(text.encode("utf-8"))
            with mock.patch.object(generate_sync, "TARGET", folder):
                self.assertEqual(generate_sync.stale(), [])
                (folder / "old.py").write_text("")
                (folder / "pages.py").unlink()
                (folder / "transport.py").write_text("# by hand")
                self.assertEqual(generate_sync.stale(), ["old.py", "pages.py", "transport.py"])

    def test_who_has_no_use_for_asyncio_does_not_load_it(self) -> None:
        program = "import sys, sutura_sdk; assert 'asyncio' not in sys.modules; sutura_sdk.AsyncSuturaClient; assert 'asyncio' in sys.modules"
        path = os.pathsep.join(entry for entry in sys.path if entry)
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        self.assertEqual((done.stderr, done.returncode), ("", 0))


if __name__ == "__main__":
    unittest.main()
