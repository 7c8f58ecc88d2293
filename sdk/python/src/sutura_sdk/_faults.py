"""Failures of sockets and of the protocol as typed errors. Their own texts may repeat what was sent, so only reasons are kept."""

from __future__ import annotations

import errno
import http.client
import socket
import ssl
from typing import Optional

from .errors import NetworkError, RequestTimeoutError, SuturaError


def broken(error: BaseException, when: str) -> SuturaError:
    """A connection that failed while it was used."""
    if isinstance(error, (socket.timeout, TimeoutError)):
        return RequestTimeoutError(f"No answer in time: the time was over {when}. Try again, or raise timeout.")
    return NetworkError(f"The connection broke {when} ({_reason(error)}).", code=_code(error))


def unreachable(error: BaseException, where: str) -> SuturaError:
    """A connection that could not be made."""
    if isinstance(error, ssl.SSLCertVerificationError):
        refused = NetworkError(
            f"The certificate of {where} is not trusted ({error.verify_message}). "
            "Give an ssl_context that knows the authority which signed it.",
            code="CERTIFICATE_VERIFY_FAILED",
        )
        refused._retryable = False
        refused._was_never_there = True
        return refused
    if isinstance(error, (socket.timeout, TimeoutError)):
        return RequestTimeoutError(f"No connection to {where} in time. Check base_url, or raise timeout.")
    away = NetworkError(
        f"No connection to {where} ({_reason(error)}). Check base_url and that the service is running.", code=_code(error)
    )
    away._was_never_there = True
    return away


def _code(error: BaseException) -> Optional[str]:
    """The platform's name for it, such as ``ECONNREFUSED``; a name that no server knows is ``ENOTFOUND``, as in Node.js."""
    if isinstance(error, socket.gaierror):
        return "ENOTFOUND" if error.errno == socket.EAI_NONAME else "EAI_AGAIN" if error.errno == socket.EAI_AGAIN else None
    if isinstance(error, http.client.RemoteDisconnected):
        return "ECONNRESET"
    if isinstance(error, OSError) and error.errno is not None:
        return errno.errorcode.get(error.errno)
    return None


def _reason(error: BaseException) -> str:
    if isinstance(error, http.client.RemoteDisconnected):
        return "closed by the other side"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) if type(error) is OSError else type(error).__name__
