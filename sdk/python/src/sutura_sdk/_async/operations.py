"""What all operations stand on: addresses below the base address, JSON out, models in."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Callable, FrozenSet, Mapping, Optional, TypeVar, Union
from urllib.parse import quote, urlencode

from .._addresses import Address
from .._answers import read_json
from .._calls import Answer, Call, Headers, USER_AGENT
from ..errors import ConfigurationError
from ..models import JsonObject
from .transport import AsyncTransport

T = TypeVar("T")

_LONGEST_IDEMPOTENCY_KEY = 255
NOT_FOUND = frozenset((404,))


class Operations:
    """Base of the groups of operations that make up the client."""

    _transport: AsyncTransport

    def _address(self, *segments: str, query: Optional[Mapping[str, Any]] = None) -> Address:
        path = "/".join(quote(segment, safe="") for segment in segments)
        given = {name: value for name, value in (query or {}).items() if value is not None}
        base = self._transport.base
        return Address(base.origin, f"{base.path}/{path}", urlencode(given))

    async def _get(self, address: Address, convert: Callable[[JsonObject], T]) -> T:
        return read_answer(await self._send_get(address), convert)

    async def _post(
        self, address: Address, value: JsonObject, convert: Callable[[JsonObject], T], idempotency_key: Optional[str] = None
    ) -> T:
        return read_answer(await self._send_post(address, value, idempotency_key), convert)

    async def _delete(self, address: Address, value: JsonObject, convert: Callable[[JsonObject], T]) -> T:
        """With a body: what the service takes a repeat of for what it is."""
        return read_answer(await self._send_json("DELETE", address, value), convert)

    async def _send_get(self, address: Address) -> Answer:
        return await self._transport.send(Call("GET", address, [("Accept", "application/json"), ("User-Agent", USER_AGENT)]))

    async def _send_delete(self, address: Address) -> Answer:
        """Without a body. What is not there after a lost answer was deleted by it."""
        return await self._transport.send(Call("DELETE", address, [("User-Agent", USER_AGENT)], accepted_after_loss=NOT_FOUND))

    async def _send_json(self, method: str, address: Address, value: Optional[JsonObject], repeatable: bool = True) -> Answer:
        headers = [("Accept", "application/json"), ("User-Agent", USER_AGENT)]
        if value is not None:
            headers.append(("Content-Type", "application/json"))
        body = b"" if value is None else to_body(value)
        return await self._transport.send(Call(method, address, headers, body, repeatable=repeatable))

    async def _send_post(
        self,
        address: Address,
        value: JsonObject,
        idempotency_key: Optional[str] = None,
        conditions: Optional[Headers] = None,
        accepted_on_repeat: FrozenSet[int] = frozenset(),
    ) -> Answer:
        headers = [("Accept", "application/json"), ("User-Agent", USER_AGENT), ("Content-Type", "application/json"), *(conditions or [])]
        if idempotency_key is not None:
            headers.append(("Idempotency-Key", checked_key(idempotency_key)))
        keyed = idempotency_key is not None
        call = Call("POST", address, headers, to_body(value), accepted_on_repeat=accepted_on_repeat, keyed=keyed)
        return await self._transport.send(call)


def read_answer(answer: Answer, convert: Callable[[JsonObject], T]) -> T:
    """The model in an answer; ``MalformedResponseError`` where there is none."""
    return read_json(answer.body, answer.status, answer.request_id, convert)


def to_body(value: Any) -> bytes:
    """``ValueError`` for numbers that JSON does not have, ``TypeError`` for what is no JSON."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")


def checked_id(value: str, name: str) -> str:
    """Ids are opaque, but one of these would lead to another route."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text.")
    if value in ("", ".", ".."):
        raise ValueError(f"{name} must not be empty.")
    return value


def moment_text(value: Union[str, datetime, None], name: str) -> Optional[str]:
    """RFC 3339; a datetime without its offset would be another moment on another machine."""
    if not isinstance(value, datetime):
        return value
    if value.tzinfo is None:
        raise ValueError(f"{name} must have a time zone, such as datetime.now(timezone.utc).")
    return value.isoformat()


def without_none(**fields: Any) -> JsonObject:
    """The fields that were given."""
    return {name: value for name, value in fields.items() if value is not None}


def checked_key(key: str) -> str:
    """An Idempotency-Key; ``ConfigurationError`` for one that the service would refuse."""
    if not (1 <= len(key) <= _LONGEST_IDEMPOTENCY_KEY and key.isascii() and key.isprintable()):
        raise ConfigurationError("idempotency_key must have 1 to 255 printable ASCII characters.")
    return key
