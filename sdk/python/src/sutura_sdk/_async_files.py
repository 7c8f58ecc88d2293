"""Photos of callers, opened and digested in a thread of the loop's pool: a disk or a pipe may let one wait."""

from __future__ import annotations

import asyncio
import functools
from typing import Callable, TypeVar

from ._photo import ImageFile, Photo

T = TypeVar("T")


async def open_photo(file: ImageFile) -> Photo:
    """As ``Photo.open``; one that is opened when nobody waits for it any more is closed."""
    return await _aside(functools.partial(Photo.open, file), Photo.close)


async def digest_of(photo: Photo) -> str:
    """SHA-256 of the photo."""
    return await _aside(lambda: photo.sha256, lambda _: None)


async def _aside(work: Callable[[], T], undo: Callable[[T], None]) -> T:
    working: "asyncio.Future[T]" = asyncio.get_running_loop().run_in_executor(None, work)

    def undo_done(done: "asyncio.Future[T]") -> None:
        if not done.cancelled() and done.exception() is None:
            undo(done.result())

    try:
        # A thread cannot be cancelled: what it does is waited for by nobody, and undone.
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        working.add_done_callback(undo_done)
        raise
