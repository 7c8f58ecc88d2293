"""One case of the contract suite against the Python client."""

from __future__ import annotations

import dataclasses
import io
import re
import traceback
import types
from pathlib import Path
from typing import Any, Dict, List, Optional

from scripted_server import ScriptedServer
from support import RecordingClock

import sutura_sdk
from sutura_sdk import SuturaClient, SuturaError
from sutura_sdk._answers import to_upload_ticket

_RENAMED = {"throwOnError": "raise_on_error", "from": "from_"}


class LineLog:
    """A logger that keeps its lines."""

    def __init__(self) -> None:
        self.lines: List[str] = []

    def debug(self, msg: str, *args: Any) -> None:
        self.lines.append(msg % args)


class OneWayStream(io.RawIOBase):
    """Gives its bytes once, in small pieces, and does not know how many there are."""

    def __init__(self, content: bytes) -> None:
        self._content = io.BytesIO(content)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def readinto(self, buffer: Any) -> int:
        piece = self._content.read(min(len(buffer), 700))
        buffer[: len(piece)] = piece
        return len(piece)


class CaseRun:
    """What one case did."""

    def __init__(self, server: ScriptedServer, case: Dict[str, Any], folder: Path) -> None:
        self._server = server
        self._folder = folder
        self.case = case
        self.progress: List[sutura_sdk.Progress] = []
        self.log = LineLog()
        self.clock = RecordingClock()
        self.returned: Any = None
        self.error: Optional[BaseException] = None
        self.texts: List[str] = []

    def run(self) -> None:
        self._server.play(self.case)
        options = {"apiKey": "{apiKey}", "baseUrl": "{baseUrl}", **self.case.get("client", {})}
        with SuturaClient(**to_arguments(self._server.fill(options)), logger=self.log) as client:
            client._transport.clock = self.clock
            self._call(client)
            self.texts = [repr(client), str(client), repr(vars(client)), *self.log.lines]
        if self.error is not None:
            self.texts += [str(self.error), repr(self.error), repr(vars(self.error))]
            self.texts += traceback.format_exception(type(self.error), self.error, self.error.__traceback__)

    def _call(self, client: SuturaClient) -> None:
        call = self._server.fill(self.case["call"])
        words = dict(call["arguments"])
        positions = [to_upload_ticket(words.pop("ticket"))] if "ticket" in words else []
        arguments = to_arguments({name: self._value(value) for name, value in words.items()})
        if "progress" in self.case:
            arguments["on_progress"] = self.progress.append
        try:
            returned = getattr(client, to_snake(call["operation"]))(*positions, **arguments)
            self.returned = list(returned) if isinstance(returned, types.GeneratorType) else returned
        except (SuturaError, ValueError, TypeError, OSError) as error:
            self.error = error

    def _value(self, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        if set(value) == {"temporary"}:
            return self._folder / value["temporary"]
        if set(value) == {"sample", "as"}:
            return self._file(value["sample"], value["as"])
        return value

    def _file(self, sample: str, form: str) -> Any:
        content = self._server.sample(sample)
        if form == "bytes":
            return content
        if form == "stream":
            return io.BytesIO(content)
        if form == "unsized-stream":
            return OneWayStream(content)
        path = self._folder.parent / f"sample-{sample}"
        path.write_bytes(content)
        return path


def to_snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def to_camel(name: str) -> str:
    return re.sub(r"_([a-z])", lambda letter: letter.group(1).upper(), name)


def to_arguments(values: Dict[str, Any]) -> Dict[str, Any]:
    """Names in this language's style; milliseconds as seconds."""
    return {
        _RENAMED.get(name) or to_snake(re.sub(r"Ms$", "", name)): value / 1000 if name.endswith("Ms") else value
        for name, value in values.items()
    }


def to_plain(value: Any) -> Any:
    """A model as the contract names its fields."""
    if dataclasses.is_dataclass(value):
        return {to_camel(field.name): to_plain(getattr(value, field.name)) for field in dataclasses.fields(value) if field.name != "raw"}
    if isinstance(value, (list, tuple)):
        return [to_plain(item) for item in value]
    return value


def error_fields(error: BaseException) -> Dict[str, Any]:
    known = {to_camel(name): to_plain(value) for name, value in vars(error).items()}
    if known.get("retryAfter") is not None:
        known["retryAfterMs"] = round(known["retryAfter"] * 1000)
    return {**known, "type": type(error).__name__}


def differences(expected: Any, found: Any, where: str = "it") -> List[str]:
    """Sentences: objects need have at least the expected fields, lists exactly the expected items."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return [line for name, value in expected.items() for line in differences(value, found.get(name), f"{where}.{name}")]
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        return [line for at, value in enumerate(expected) for line in differences(value, found[at], f"{where}[{at}]")]
    return [] if expected == found and isinstance(expected, bool) == isinstance(found, bool) else [f"{where} is {found!r}, not {expected!r}"]
