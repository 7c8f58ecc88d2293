"""Everything that this library raises on purpose. Catch ``SuturaError`` to catch all of it.

Wrong use that Python has an error of its own for stays that error: ``TypeError``, ``ValueError``, and ``OSError`` for a
photo that cannot be read or a picture that cannot be written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Sequence, Tuple, Type, TypedDict

if TYPE_CHECKING:
    from .models import AnyJob, FailedJob


class FieldProblem(TypedDict):
    """One refused field of a request: where it stands (RFC 6901) and what is wrong with it."""

    pointer: str
    detail: str


class SuturaError(Exception):
    """Base of all errors of this library; its text says what to do next.

    ``status`` is the HTTP status (``None`` where there was no answer), ``code`` the service's stable code to switch on (of a
    ``NetworkError`` the platform's, such as ``ECONNREFUSED``),
    ``request_id`` what support needs, ``errors`` the refused fields, ``retry_after`` the seconds after which a repeat is
    worth while, ``held_id`` what waits for a person because of the request, by its id in the list of what is held: repeat the
    request, with the same ``idempotency_key``, once somebody has decided.

    ```python
    from sutura_sdk import SuturaClient, SuturaError

    client = SuturaClient()
    try:
        job = client.analyze_image_and_wait(file="photo.jpg")
    except SuturaError as error:
        print(error, error.status, error.code, error.request_id)
    ```
    """

    def __init__(
        self,
        message: str,
        *,
        status: Optional[int] = None,
        code: Optional[str] = None,
        request_id: Optional[str] = None,
        errors: Sequence[FieldProblem] = (),
        retry_after: Optional[float] = None,
        held_id: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.request_id = request_id
        self.errors: Tuple[FieldProblem, ...] = tuple(errors)
        self.retry_after = retry_after
        self.held_id = held_id

    def __reduce__(self) -> Tuple[Any, ...]:
        # Exception's own way would call the constructor without its keywords, and fail between processes.
        return _restore, (type(self), self.args, dict(self.__dict__))


def _restore(kind: Type[SuturaError], args: Tuple[Any, ...], state: Dict[str, Any]) -> SuturaError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class BadRequestError(SuturaError):
    """400: the request is not valid; ``errors`` names the fields."""


class AuthenticationError(SuturaError):
    """401: the key is missing, unknown, revoked or expired."""


class ScopeError(SuturaError):
    """403: the key lacks the scope that the request needs, or an upload address its signature."""


class NotFoundError(SuturaError):
    """404: unknown, or of another organization or environment."""


class ConflictError(SuturaError):
    """409: the present state does not allow it, such as ``image.not_uploaded``, ``image.in_use`` or ``report.entered_in_error``."""


class GoneError(SuturaError):
    """410: the upload address has expired, or the photo is no longer there."""


class PreconditionFailedError(SuturaError):
    """412 ``report.stale``: the report has changed since it was read. Read it again and decide about what it says now."""


class PreconditionRequiredError(SuturaError):
    """428: a review that says nothing of what was read arrived; a proxy may have dropped its If-Match."""


class PayloadTooLargeError(SuturaError):
    """413: the photo is over ``max_bytes``, or the body over its limit. Also raised before an upload that would be."""


class UnsupportedMediaTypeError(SuturaError):
    """415: the service does not read this kind of file or body."""


class UnprocessableError(SuturaError):
    """422: understood but unusable, such as ``image.unreadable`` or ``idempotency.mismatch``."""


class RateLimitError(SuturaError):
    """429: too many requests; ``retry_after`` says when to go on."""


class QuotaExceededError(RateLimitError):
    """429 ``quota.exceeded``: the analyses of the day are used up until ``retry_after``."""


class ServerError(SuturaError):
    """5xx: the service failed; ``request_id`` helps support to find out why."""


class NetworkError(SuturaError):
    """No whole answer arrived: no connection, or a broken one. ``code`` is the platform's, such as ``ECONNREFUSED`` or ``ENOTFOUND``."""

    _retryable = True
    _was_never_there = False


class RequestTimeoutError(SuturaError):
    """No answer within ``timeout``, or the service gave up waiting for the request (408)."""


class WaitTimeoutError(SuturaError):
    """The job was not finished within the ``timeout`` of the wait. It goes on; wait for ``job.id`` again.

    ``job`` is as it was last read, ``None`` where it never could be read.
    """

    def __init__(self, message: str, *, job: Optional[AnyJob], **known: Any) -> None:
        super().__init__(message, **known)
        self.job = job


class JobFailedError(SuturaError):
    """The job ended in ``error``: ``code`` and ``detail`` say why, ``retryable`` whether a new job may succeed."""

    def __init__(self, message: str, *, job: FailedJob, detail: str, retryable: bool, **known: Any) -> None:
        super().__init__(message, **known)
        self.job = job
        self.detail = detail
        self.retryable = retryable


class UnsupportedImageError(SuturaError):
    """The file is no JPEG, PNG or WebP; nothing was sent."""


class ConfigurationError(SuturaError):
    """The client was made or used with settings that cannot work, or ``verify_webhook`` with something else than a raw body and a secret."""


class MalformedResponseError(SuturaError):
    """An answer that is not what the contract promises. Often the base address is not that of the service."""


class WebhookVerificationError(SuturaError):
    """A webhook that was not signed with any of the secrets, or long ago: answer 400 and do nothing with it."""


BY_STATUS: Mapping[int, Type[SuturaError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: ScopeError,
    404: NotFoundError,
    408: RequestTimeoutError,
    409: ConflictError,
    410: GoneError,
    412: PreconditionFailedError,
    413: PayloadTooLargeError,
    415: UnsupportedMediaTypeError,
    422: UnprocessableError,
    428: PreconditionRequiredError,
    429: RateLimitError,
}
