"""Webhooks: what the service tells an address of yours, verified (Standard Webhooks 1.0.0)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Iterable, List, Optional, Protocol, Sequence, Tuple, Union, cast

from .errors import ConfigurationError, WebhookVerificationError
from .events import WebhookEvent

_TOLERANCE_S = 300
_PREFIX = "whsec_"


class WebhookHeaders(Protocol):
    """Of any server: a dict, ``email.message.Message``, or the ``headers`` of a request of Flask, FastAPI or Django."""

    def items(self) -> Iterable[Tuple[str, str]]:
        """Names in any case, with their values."""


def verify_webhook(
    payload: Union[str, bytes], headers: WebhookHeaders, secret: Union[str, Sequence[str], None]
) -> Optional[WebhookEvent]:
    """The event of a webhook as a dict with ``type``, ``timestamp`` and the ``data`` of that type, once its signature is verified.

    ``payload`` is the body as it came, before anything parsed it; an empty one gives ``None``. ``headers`` may be written
    in any case. ``secret`` is ``whsec_…``; several while one takes the place of another. The signature ``v1a`` (ed25519)
    is not verified: Python's standard library cannot. ``WebhookVerificationError`` for what was not signed with any of
    the secrets, or more than 5 minutes ago; ``ConfigurationError`` for a secret that is none or is missing, and for a body that was
    parsed before it came here.

    ```python
    from sutura_sdk import WebhookVerificationError, verify_webhook

    secret = "whsec_c2hvd24gb25jZSwgbm90IGEgc2VjcmV0IG9mIGFueWJvZHk="
    try:
        event = verify_webhook(b"{}", {}, secret)
    except WebhookVerificationError as error:
        print("answer 400:", error)
    ```
    """
    body = _bytes_of(payload)
    keys = _keys_of(secret)
    if not hasattr(headers, "items"):
        raise ConfigurationError("Give the headers of the request as the second argument: request.headers.")
    identifier, timestamp, signatures = (_header_of(headers, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if "." in identifier or not re.fullmatch("[0-9]{1,12}", timestamp):
        raise _refused("webhook-id or webhook-timestamp is no such thing")
    if abs(time.time() - int(timestamp)) > _TOLERANCE_S:
        raise _refused("it is more than 5 minutes old, or the clock of this machine is wrong")
    content = f"{identifier}.{timestamp}.".encode("utf-8") + body
    # All of them: the time does not tell which one was right.
    matches = [
        hmac.compare_digest(hmac.new(key, content, hashlib.sha256).digest(), given) for given in _signatures_of(signatures) for key in keys
    ]
    if not any(matches):
        raise _refused("none of its signatures is made with the secret")
    if not body:
        return None
    try:
        return cast(WebhookEvent, json.loads(body))
    except ValueError:
        raise _refused("its body is no JSON") from None


_RAW_BODY = (
    "verify_webhook needs the raw body, as bytes or text, before anything parsed it: the signature is over these bytes. "
    "Flask: request.get_data(); FastAPI: await request.body(); Django: request.body."
)


def _bytes_of(payload: object) -> bytes:
    if isinstance(payload, str):
        return payload.encode("utf-8")
    if isinstance(payload, (bytes, bytearray, memoryview)):
        return bytes(payload)
    if payload is None:
        raise ConfigurationError(f"{_RAW_BODY} Here None came: nothing had read the body.")
    raise ConfigurationError(f"{_RAW_BODY} Here a {type(payload).__name__} came: something had parsed the body, or it was not read.")


def _keys_of(secret: object) -> List[bytes]:
    texts = list(secret) if isinstance(secret, (list, tuple, set, frozenset)) else [secret]
    if not texts or any(text is None or text == "" for text in texts):
        raise ConfigurationError(
            "No webhook secret: give the whsec_… that was shown when the webhook was made. Is the variable that holds it set?"
        )
    return [_key_of(text) for text in texts]


def _key_of(text: object) -> bytes:
    """HMAC-SHA256 takes 24 to 64 bytes (Standard Webhooks 1.0.0)."""
    key = b""
    if isinstance(text, str) and text.startswith(_PREFIX):
        key = _decoded(text[len(_PREFIX) :].strip())
    if not 24 <= len(key) <= 64:
        raise ConfigurationError("The secret of a webhook is whsec_… as it was shown once.")
    return key


def _signatures_of(text: str) -> List[bytes]:
    parts = (part.partition(",") for part in text.split(" "))
    return [_decoded(signature) for scheme, _, signature in parts if scheme == "v1"]


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _header_of(headers: WebhookHeaders, name: str) -> str:
    found = [value for key, value in headers.items() if key.lower() == name]
    if len(found) != 1 or not isinstance(found[0], str) or not found[0]:
        raise _refused(f"the header {name} is missing")
    return found[0]


def _refused(why: str) -> WebhookVerificationError:
    return WebhookVerificationError(f"The webhook is refused: {why}.")
