"""The contract suite, case by case."""

from __future__ import annotations

import re
import tempfile
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Type

from case_runner import AsyncCaseRun, CaseRun, differences, error_fields, to_plain
from scripted_server import ScriptedServer, all_cases

_KNOWN = {"name", "client", "call", "exchanges", "outcome", "waits", "progress", "files", "neverShown"}


class ContractSuite(unittest.TestCase):
    """Filled with one test per case below."""

    server: Optional[ScriptedServer] = None
    runner: Type[CaseRun] = CaseRun

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = ScriptedServer()

    @classmethod
    def tearDownClass(cls) -> None:
        if cls.server is not None:
            cls.server.close()

    def check(self, case: Dict[str, Any]) -> None:
        self.assertEqual(set(case) - _KNOWN, set(), "a part of the case that this runner does not know")
        assert self.server is not None
        with tempfile.TemporaryDirectory() as parent:
            folder = Path(parent) / "files"
            folder.mkdir()
            run = self.runner(self.server, case, folder)
            run.run()
            self.check_outcome(run)
            self.assertEqual(self.server.mismatches(), [])
            self.check_waits(run)
            self.check_progress(run)
            self.check_files(case, folder)
        for text in run.texts:
            for secret in self.server.secrets:
                self.assertNotIn(secret, text)

    def check_outcome(self, run: CaseRun) -> None:
        assert self.server is not None
        outcome = self.server.fill(run.case["outcome"])
        if "throws" not in outcome:
            if run.error is not None:
                raise run.error
            if "returnsSample" in outcome:
                self.assertEqual(run.returned, self.server.sample(outcome["returnsSample"]))
            else:
                self.assertEqual(differences(outcome["returns"], to_plain(run.returned)), [])
            return
        if run.error is None:
            self.fail(f"nothing was raised, but {run.returned!r} returned")
        wanted = dict(outcome["throws"])
        text = str(run.error)
        self.assertIn(wanted.pop("messageContains", ""), text)
        lacking = wanted.pop("messageLacks", None)
        if lacking is not None:
            self.assertNotIn(lacking, text)
        self.assertEqual(differences(wanted, error_fields(run.error)), [], text)

    def check_waits(self, run: CaseRun) -> None:
        if "waits" not in run.case:
            return
        pauses = [round(pause * 1000, 3) for pause in run.pauses]
        self.assertEqual(len(pauses), len(run.case["waits"]), pauses)
        for pause, wait in zip(pauses, run.case["waits"]):
            self.assertGreaterEqual(pause, wait["atLeastMs"])
            self.assertLessEqual(pause, wait["atMostMs"])

    def check_progress(self, run: CaseRun) -> None:
        wanted = run.case.get("progress", {})
        if "lastUpload" in wanted:
            uploads = [to_plain(one) for one in run.progress if one.phase == "upload"]
            self.assertEqual(differences(wanted["lastUpload"], uploads[-1]), [])
        if "jobStatuses" in wanted:
            self.assertEqual([one.job.status for one in run.progress if one.phase == "wait"], wanted["jobStatuses"])

    def check_files(self, case: Dict[str, Any], folder: Path) -> None:
        if "files" not in case:
            return
        assert self.server is not None
        self.assertEqual(sorted(path.name for path in folder.iterdir()), sorted(case["files"]))
        for name, sample in case["files"].items():
            self.assertEqual((folder / name).read_bytes(), self.server.sample(sample), name)


class AsyncContractSuite(ContractSuite):
    """The same cases with the client for tasks."""

    runner = AsyncCaseRun


def _test_of(case: Dict[str, Any]) -> Callable[[ContractSuite], None]:
    def test(self: ContractSuite) -> None:
        self.check(case)

    test.__doc__ = case["name"]
    return test


for _case in all_cases():
    _name = "test_" + re.sub(r"\W+", "_", _case["name"])
    assert not hasattr(ContractSuite, _name), f"two cases are named {_case['name']!r}"
    setattr(ContractSuite, _name, _test_of(_case))

if __name__ == "__main__":
    unittest.main()
