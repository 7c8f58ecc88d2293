"""Where the body of an answer goes: into a file, whole under its name or not there at all, or into memory."""

from __future__ import annotations

import os
import uuid
from typing import BinaryIO, Optional

from ._calls import AnswerHead
from .errors import MalformedResponseError

ANY_TYPE = "*/*"


def check_type(answer: AnswerHead, accept: str) -> None:
    """A proxy's page under a report's name would be filed as the report."""
    if accept in (ANY_TYPE, answer.headers.get_content_type()):
        return
    raise MalformedResponseError(
        f"The answer with status {answer.status} is not {accept}. Check that base_url is the address of the service.",
        status=answer.status,
        request_id=answer.headers.get("X-Request-Id"),
    )


class Buffer:
    """Takes the bytes of the last attempt into memory."""

    def __init__(self, accept: str) -> None:
        self.content = bytearray()
        self._accept = accept

    def begin(self, answer: AnswerHead) -> None:
        check_type(answer, self._accept)
        self.content.clear()

    def take(self, chunk: bytes) -> None:
        self.content += chunk

    def end(self) -> None:
        return


class StagedFile:
    """A file beside its final place; it takes the name only when all bytes are there. Leave it as a context manager."""

    def __init__(self, path: str, accept: str) -> None:
        self.path = path
        self.size_bytes = 0
        self._accept = accept
        self._name: Optional[str] = None
        self._file: Optional[BinaryIO] = None

    def begin(self, answer: AnswerHead) -> None:
        check_type(answer, self._accept)
        self._remove()
        self.size_bytes = 0
        name = os.path.join(os.path.dirname(self.path), f".{uuid.uuid4().hex}.part")
        self._file = open(name, "xb")
        self._name = name

    def take(self, chunk: bytes) -> None:
        assert self._file is not None, "begin comes first"
        self._file.write(chunk)
        self.size_bytes += len(chunk)

    def end(self) -> None:
        if self._file is not None:
            # May fail where the disk is full, and then the file does not get its name.
            self._file.close()
            self._file = None

    def keep(self) -> None:
        """Gives the file its name, in place of one that had it."""
        if self._name is None:
            raise MalformedResponseError("The service answered without a file.")
        os.replace(self._name, self.path)
        self._name = None

    def _remove(self) -> None:
        if self._file is not None:
            file, self._file = self._file, None
            try:
                file.close()
            except OSError:
                # What could not be written is not wanted either.
                pass
        if self._name is not None:
            os.unlink(self._name)
            self._name = None

    def __enter__(self) -> StagedFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._remove()
