"""The scripted server of the contract suite as a child process, and how to read its cases."""

from __future__ import annotations

import http.client
import json
import shutil
import subprocess
import unittest
from typing import Any, Dict, List, Optional

from support import CASES, OWN_CASES, SERVER


class ScriptedServer:
    """Started once for all cases; ends with this process."""

    def __init__(self) -> None:
        node = shutil.which("node")
        if node is None:
            raise unittest.SkipTest("The contract suite needs Node.js for its server.")
        self._process = subprocess.Popen(
            [node, str(SERVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self._values: Dict[str, str] = json.loads(self._process.stdout.readline())
        self.url = self._values["url"]
        self.secrets = (self._values["apiKey"], self._values["signature"])

    def fill(self, value: Any) -> Any:
        """The value with the addresses and secrets of this server in it."""
        text = json.dumps(value)
        for written, name in (("baseUrl", "url"), ("otherUrl", "otherUrl"), ("apiKey", "apiKey"), ("signature", "signature")):
            text = text.replace("{" + written + "}", self._values[name])
        return json.loads(text)

    def play(self, case: Dict[str, Any]) -> None:
        self._ask("/__case", json.dumps({"exchanges": case["exchanges"]}).encode())

    def mismatches(self) -> List[str]:
        found: List[str] = json.loads(self._ask("/__report"))["mismatches"]
        return found

    def sample(self, name: str) -> bytes:
        return self._ask(f"/__samples/{name}")

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(10)

    def _ask(self, path: str, body: Optional[bytes] = None) -> bytes:
        # Not urllib.request: from Python 3.12 on it reads all certificates of the system for every opener.
        connection = http.client.HTTPConnection(self.url.split("//")[1], timeout=10)
        try:
            connection.request("GET" if body is None else "POST", path, body)
            return connection.getresponse().read()
        finally:
            connection.close()


def all_cases() -> List[Dict[str, Any]]:
    files = [*sorted(CASES.glob("*.json")), *sorted(OWN_CASES.glob("*.json"))]
    return [case for file in files for case in json.loads(file.read_text("utf-8"))]
