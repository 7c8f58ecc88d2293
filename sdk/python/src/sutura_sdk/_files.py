"""Photos of callers, opened and digested where the call runs."""

from __future__ import annotations

from ._photo import ImageFile, Photo


def open_photo(file: ImageFile) -> Photo:
    """As ``Photo.open``."""
    return Photo.open(file)


def digest_of(photo: Photo) -> str:
    """SHA-256 of the photo."""
    return photo.sha256
