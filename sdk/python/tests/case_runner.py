"""One case of the contract suite against the Python client."""

from __future__ import annotations

import asyncio
import dataclasses
import io
import re
import traceback
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from scripted_server import ScriptedServer
from support import AsyncRecordingClock, RecordingClock

import sutura_sdk
from sutura_sdk import AsyncPages, AsyncSuturaClient, Pages, SuturaClient, SuturaError
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


_RAISED = (SuturaError, ValueError, TypeError, OSError)


class CaseRun:
    """What one case did with the client for threads."""

    def __init__(self, server: ScriptedServer, case: Dict[str, Any], folder: Path) -> None:
        self._server = server
        self._folder = folder
        self.case = case
        self.progress: List[sutura_sdk.Progress] = []
        self.log = LineLog()
        self.pauses: List[float] = []
        self.returned: Any = None
        self.error: Optional[BaseException] = None
        self.texts: List[str] = []

    def run(self) -> None:
        self._server.play(self.case)
        self._use()
        if self.error is not None:
            self.texts += [str(self.error), repr(self.error), repr(vars(self.error))]
            self.texts += traceback.format_exception(type(self.error), self.error, self.error.__traceback__)

    def _use(self) -> None:
        clock = RecordingClock()
        with SuturaClient(**self._options(), logger=self.log) as client:
            client._transport.clock = clock
            operation, positions, arguments = self._wanted()
            try:
                returned = getattr(client, operation)(*positions, **arguments)
                self.returned = list(returned) if isinstance(returned, Pages) else returned
            except _RAISED as error:
                self.error = error
            self._note(client, clock.pauses)

    def _options(self) -> Dict[str, Any]:
        options = {"apiKey": "{apiKey}", "baseUrl": "{baseUrl}", **self.case.get("client", {})}
        return to_arguments(self._server.fill(options))

    def _wanted(self) -> Tuple[str, List[Any], Dict[str, Any]]:
        """The name of the operation, and what it is called with."""
        call = self._server.fill(self.case["call"])
        words = dict(call["arguments"])
        positions = [to_upload_ticket(words.pop("ticket"))] if "ticket" in words else []
        arguments = to_arguments({name: self._value(value) for name, value in words.items()})
        if "progress" in self.case:
            arguments["on_progress"] = self.progress.append
        return to_snake(call["operation"]), positions, arguments

    def _note(self, client: Any, pauses: List[float]) -> None:
        self.pauses = pauses
        self.texts = [repr(client), str(client), repr(vars(client)), *self.log.lines]

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


class AsyncCaseRun(CaseRun):
    """What one case did with the client for tasks."""

    def _use(self) -> None:
        asyncio.run(self._use_in_loop())

    async def _use_in_loop(self) -> None:
        clock = AsyncRecordingClock()
        async with AsyncSuturaClient(**self._options(), logger=self.log) as client:
            client._transport.clock = clock
            operation, positions, arguments = self._wanted()
            try:
                returned = getattr(client, operation)(*positions, **arguments)
                self.returned = [one async for one in returned] if isinstance(returned, AsyncPages) else await returned
            except _RAISED as error:
                self.error = error
            self._note(client, clock.pauses)


def to_snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def to_camel(name: str) -> str:
    return re.sub(r"_([a-z])", lambda letter: letter.group(1).upper(), name)


def to_arguments(values: Dict[str, Any]) -> Dict[str, Any]:
    """Names in this language's style, without their units; milliseconds as seconds."""
    return {
        _RENAMED.get(name) or to_snake(re.sub(r"(Ms|S)$", "", name)): value / 1000 if name.endswith("Ms") else value
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
