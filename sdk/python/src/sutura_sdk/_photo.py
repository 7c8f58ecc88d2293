"""One photo as something that can be read again from its start: a path, bytes or a binary file object."""

from __future__ import annotations

import functools
import hashlib
import io
import os
import tempfile
from types import TracebackType
from typing import IO, Iterator, Optional, Type, Union

from .errors import UnsupportedImageError

ImageFile = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, IO[bytes]]

CHUNK_BYTES = 64 * 1024
_LONGEST_MAGIC = 12


class Photo:
    """An opened photo: its bytes from ``start`` on, its size and its content type. Close it; a caller's own file stays open."""

    def __init__(self, handle: IO[bytes], *, owned: bool) -> None:
        self._handle = handle
        self._owned = owned
        self._start = handle.tell()
        self.size = handle.seek(0, os.SEEK_END) - self._start
        handle.seek(self._start)
        self.content_type = _content_type_of(_first_bytes(handle, _LONGEST_MAGIC))

    @classmethod
    def open(cls, file: ImageFile) -> Photo:
        """``UnsupportedImageError`` for bytes that are no JPEG, PNG or WebP, ``TypeError`` for no file at all."""
        handle, owned = _open(file)
        try:
            return cls(handle, owned=owned)
        except BaseException:
            if owned:
                handle.close()
            raise

    def chunks(self) -> Iterator[memoryview]:
        """The bytes from the start, as many as ``size`` said; ``OSError`` where the file has become shorter."""
        self._handle.seek(self._start)
        left = self.size
        while left > 0:
            chunk = self._handle.read(min(CHUNK_BYTES, left))
            if not chunk:
                raise OSError("The file became shorter while it was read.")
            left -= len(chunk)
            yield memoryview(chunk)

    @functools.cached_property
    def sha256(self) -> str:
        digest = hashlib.sha256()
        for chunk in self.chunks():
            digest.update(chunk)
        return digest.hexdigest()

    def close(self) -> None:
        if self._owned:
            self._handle.close()

    def __enter__(self) -> Photo:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


def _open(file: ImageFile) -> "tuple[IO[bytes], bool]":
    if isinstance(file, (bytes, bytearray, memoryview)):
        return io.BytesIO(file), True
    if isinstance(file, (str, os.PathLike)):
        return open(file, "rb"), True
    if not callable(getattr(file, "read", None)):
        raise TypeError("file must be a path, bytes or a binary file object.")
    if isinstance(file, io.TextIOBase):
        raise TypeError('file is opened as text. Open it in binary mode: open(path, "rb").')
    return (file, False) if _can_rewind(file) else (_spool(file), True)


def _can_rewind(file: IO[bytes]) -> bool:
    try:
        return file.seekable() and file.tell() >= 0
    except (AttributeError, OSError):
        return False


def _spool(file: IO[bytes]) -> IO[bytes]:
    """A repeated upload has to read again what a stream gives only once; the disk holds it meanwhile, not the memory."""
    spooled = tempfile.TemporaryFile(prefix="sutura-")
    try:
        while True:
            chunk = file.read(CHUNK_BYTES)
            if not isinstance(chunk, bytes):
                raise TypeError('file gives no bytes. Open it in binary mode: open(path, "rb").')
            if not chunk:
                break
            spooled.write(chunk)
        spooled.seek(0)
        return spooled
    except BaseException:
        spooled.close()
        raise


def _first_bytes(handle: IO[bytes], count: int) -> bytes:
    found = b""
    while len(found) < count:
        chunk = handle.read(count - len(found))
        if not isinstance(chunk, bytes):
            raise TypeError('file gives no bytes. Open it in binary mode: open(path, "rb").')
        if not chunk:
            break
        found += chunk
    return found


def _content_type_of(first: bytes) -> str:
    if first.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if first.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if first[:4] == b"RIFF" and first[8:12] == b"WEBP":
        return "image/webp"
    raise UnsupportedImageError(
        "The file is no JPEG, PNG or WebP; its first bytes decide, not its name. Export it as one of these. Nothing was sent."
    )
