"""A photo to its signed address."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Callable, Mapping, Optional

from .._addresses import parse_answered_address
from .._calls import Call, Headers
from .._photo import Photo
from ..errors import ConfigurationError, PayloadTooLargeError, SuturaError
from ..models import OnProgress, UploadProgress, UploadReceipt, UploadTicket
from .transport import AsyncTransport

#: An object store answers it where the very object is there already, from an attempt whose answer was lost.
_ALREADY_THERE = 412


async def upload_photo(
    transport: AsyncTransport,
    photo: Photo,
    upload_url: str,
    headers: Mapping[str, str],
    max_bytes: Optional[int],
    on_progress: Optional[OnProgress],
) -> UploadReceipt:
    """PUTs the bytes, without the key: the address is the permission."""
    if max_bytes is not None and photo.size > max_bytes:
        raise PayloadTooLargeError(
            f"The photo has {photo.size} bytes, the service takes {max_bytes}. Use a smaller one. It was not sent.",
            code="image.too_large",
        )
    call = Call(
        method="PUT",
        address=parse_answered_address(upload_url, "upload_url"),
        headers=_headers_of(headers, photo),
        body=photo,
        authorized=False,
        accepted=frozenset((_ALREADY_THERE,)),
        on_sent=_reporter(on_progress, photo.size),
    )
    answer = await transport.send(call)
    return UploadReceipt(etag=answer.headers.get("ETag"), size_bytes=photo.size)


def is_expired(error: SuturaError, ticket: UploadTicket, now: float) -> bool:
    """Whether a new address may help: the gateway says so by code, an object store only by 403 after the time."""
    if error.status == 410 and error.code == "upload.expired":
        return True
    return error.status == 403 and _moment(ticket.expires_at) <= now


def _headers_of(headers: Mapping[str, str], photo: Photo) -> Headers:
    for name, value in headers.items():
        if not (name + value).isprintable() or not (name + value).isascii():
            raise ConfigurationError(f"The upload header {name!r} cannot be sent.")
    # The length frames the message and so is always that of the photo; a ticket for another length is refused by the service.
    given = [(name, value) for name, value in headers.items() if name.lower() not in ("content-length", "host")]
    return given + [("Content-Length", str(photo.size))]


def _reporter(on_progress: Optional[OnProgress], total_bytes: int) -> Optional[Callable[[int], None]]:
    if on_progress is None:
        return None
    report = on_progress
    return lambda sent_bytes: report(UploadProgress(sent_bytes=sent_bytes, total_bytes=total_bytes))


def _moment(text: Optional[str]) -> float:
    """Seconds since 1970; infinity where it cannot be read."""
    try:
        # fromisoformat reads the Z only from Python 3.11 on, and milliseconds only with three or six digits.
        moment = datetime.fromisoformat((text or "").replace("Z", "+00:00"))
    except ValueError:
        return float("inf")
    return (moment if moment.tzinfo is not None else moment.replace(tzinfo=timezone.utc)).timestamp()
