# Made of _async/setup_operations.py by generate_sync.py: change that one.
"""The operations on what waits for a person, on models and calibration cards, and on any other route."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any, Mapping, Optional, Tuple, Union
from urllib.parse import urlencode

from .._addresses import Address, parse_address
from .._calls import Call, Headers, USER_AGENT
from .._setup_answers import to_cards, to_held, to_held_page, to_models
from ..errors import ConfigurationError
from ..held import Held, HeldAction, HeldPage
from ..installation import CalibrationCard, CardSize, Model
from ..models import JsonObject
from ..raw import RawAnswer
from .downloads import download_bytes
from .operations import Operations, checked_id, checked_key, read_answer, to_body, without_none
from .pages import Pages

_METHODS = ("GET", "HEAD", "OPTIONS", "PUT", "DELETE", "POST", "PATCH")
#: Of these, a repeat does what the first one did (RFC 9110 9.2.2).
_REPEATABLE = frozenset(("GET", "HEAD", "OPTIONS", "PUT", "DELETE"))
#: Answers of their own: nothing is followed, as the key would go along.
_NOT_FOLLOWED = frozenset((301, 302, 303, 304, 307, 308))
_OWN_HEADERS = frozenset(
    ("authorization", "connection", "content-length", "host", "idempotency-key", "transfer-encoding", "user-agent", "x-api-key")
)


class SetupOperations(Operations):
    """What waits, what the service works with, and what has no method of its own."""

    def list_held(
        self,
        *,
        reason: Optional[str] = None,
        older_than: Union[int, timedelta, None] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> HeldPage:
        """One page of what was accepted and waits for a person, oldest first. Scope ``analysis:review``.

        ``older_than``: only what has waited for so many seconds.

        ```python
        from datetime import timedelta
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        page = client.list_held(older_than=timedelta(hours=4))
        print([(one.reason, one.since, one.actions) for one in page.items])
        ```
        """
        seconds = int(older_than.total_seconds()) if isinstance(older_than, timedelta) else older_than
        query = without_none(reason=reason, olderThanS=seconds, limit=limit, cursor=cursor)
        return self._get(self._address("api", "v1", "held", query=query), to_held_page)

    def iterate_held(
        self,
        *,
        reason: Optional[str] = None,
        older_than: Union[int, timedelta, None] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Pages[HeldPage, Held]:
        """All that waits, oldest first; ``limit`` is the size of a page. Pages are read as they are needed.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for held in client.iterate_held(reason="identity_conflict"):
            print(held.id, held.waits_for)
        ```
        """
        return Pages(lambda at: self.list_held(reason=reason, older_than=older_than, limit=limit, cursor=at), cursor)

    def get_held(self, held_id: str) -> Held:
        """Reads one thing that waits. Scope ``analysis:review``. ``NotFoundError`` ``held.not_found``, too once it was decided.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for one in client.list_held(limit=1).items:
            print(client.get_held(one.id).came["jobIds"])
        ```
        """
        return self._get(self._address("api", "v1", "held", checked_id(held_id, "held_id")), to_held)

    def resolve_held(
        self,
        held_id: str,
        *,
        action: HeldAction,
        authority: Optional[str] = None,
        to: Optional[str] = None,
        note: Optional[str] = None,
    ) -> Held:
        """Says what is to be done, and gives what waited until now; it is done within seconds. Scope ``analysis:review``.

        ``action``: one of the ``actions`` of what waits. ``authority``: with ``another``, whose number it is, as a URI.
        ``to``: with ``link``, what it belongs to, as ``Type/id``. After a lost answer the call is not repeated: if
        ``get_held`` no longer finds it, it was decided. ``ConflictError`` ``held.action``; ``NotFoundError`` ``held.not_found``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for one in client.list_held(reason="photo_times_out").items:
            if "retry" in one.actions:
                client.resolve_held(one.id, action="retry", note="The line was down.")
        ```
        """
        address = self._address("api", "v1", "held", checked_id(held_id, "held_id"), "resolve")
        decision = without_none(action=action, authority=authority, to=to, note=note)
        return read_answer(self._send_json("POST", address, decision, repeatable=False), to_held)

    def list_models(self) -> Tuple[Model, ...]:
        """The models of the installation with licence, figures and card, the active ones first. Scope ``analysis:read``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for model in client.list_models():
            print(model.name, model.version, model.task, model.active, model.research_only)
        ```
        """
        return self._get(self._address("api", "v1", "models"), to_models)

    def list_calibration_cards(self) -> Tuple[CalibrationCard, ...]:
        """Each size of card with the correction that is stored for it. Scope ``analysis:read``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for card in client.list_calibration_cards():
            print(card.size, card.bar_mm, card.measured_bar_mm)
        ```
        """
        return self._get(self._address("api", "v1", "calibration-card"), to_cards)

    def measure_calibration_card(self, size: CardSize, measured_bar_mm: float) -> Tuple[CalibrationCard, ...]:
        """Stores how long the check bar of a printed card is, for a printer that does not print at 100 %. Scope ``analysis:write``.

        Holds for analyses that start from now on. ``BadRequestError`` for a bar that is more than a tenth off.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        cards = client.measure_calibration_card("a4", 98.5)
        print([(card.size, card.measured_bar_mm) for card in cards])
        ```
        """
        wish = {"size": size, "measuredBarMm": measured_bar_mm}
        return read_answer(self._send_json("PUT", self._address("api", "v1", "calibration-card"), wish), to_cards)

    def forget_calibration_card(self, size: Optional[CardSize] = None) -> None:
        """Removes the correction of a size, or of both: cards count as printed at 100 % again. Scope ``analysis:write``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        client.forget_calibration_card("a4")
        ```
        """
        self._send_delete(self._address("api", "v1", "calibration-card", query=without_none(size=size)))

    def download_calibration_card(self, size: Optional[CardSize] = None) -> bytes:
        """The card to print, as PDF: one size, or both. Any valid key may have it.

        ```python
        from pathlib import Path
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        Path("card.pdf").write_bytes(client.download_calibration_card("a4"))
        ```
        """
        address = self._address("api", "v1", "calibration-card.pdf", query=without_none(size=size))
        return download_bytes(self._transport, address, "application/pdf")

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        json: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> RawAnswer:
        """Any route of the service, with the key, retries and typed errors, and its answer with all headers.

        ``path`` begins with a slash, or is an address of this service that it answered, and may hold a query. ``json``: the
        body. ``timeout``: seconds; the client's if absent. A POST or PATCH is repeated after a lost answer only with an
        ``idempotency_key``, where the route takes one. 304 and redirects are answers; no redirect is followed.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        answer = client.request("GET", "/api/v1/usage")
        print(answer.status, answer.json()["remaining"], answer.headers.get("ratelimit"), answer.rate_limits)
        ```
        """
        verb = method.upper()
        if verb not in _METHODS:
            raise ValueError(f"method must be one of {', '.join(_METHODS)}.")
        if timeout is not None and not 0 < timeout < float("inf"):
            raise ConfigurationError("timeout must be more than 0 seconds.")
        sent = _headers_of(headers or {}, json is not None)
        if idempotency_key is not None:
            sent.append(("Idempotency-Key", checked_key(idempotency_key)))
        call = Call(
            verb,
            self._address_of(path, query or {}),
            sent,
            to_body(json) if json is not None else b"" if verb in ("POST", "PUT", "PATCH") else None,
            accepted=_NOT_FOLLOWED,
            keyed=idempotency_key is not None,
            repeatable=verb in _REPEATABLE or idempotency_key is not None,
            timeout=timeout,
        )
        answer = self._transport.send(call)
        named: JsonObject = {}
        for name, value in answer.headers.items():
            named[name.lower()] = f"{named[name.lower()]}, {value}" if name.lower() in named else value
        return RawAnswer(status=answer.status, headers=named, body=answer.body, request_id=answer.request_id)

    def _address_of(self, path: str, query: Mapping[str, Any]) -> Address:
        base = self._transport.base
        if path.startswith("/") and not path.startswith("//"):
            address = parse_address(f"{base.origin}{base.path}{path}")
        else:
            address = parse_address(path)
            if address.origin != base.origin:
                raise ValueError("path must begin with a slash, or be an address of this service: the key goes nowhere else.")
        given = urlencode({name: str(value).lower() if isinstance(value, bool) else value for name, value in without_none(**query).items()})
        return address._replace(query="&".join(part for part in (address.query, given) if part))


def _headers_of(given: Mapping[str, str], with_body: bool) -> Headers:
    for name, value in given.items():
        if name.lower() in _OWN_HEADERS:
            raise ConfigurationError(f"The header {name} is the client's own.")
        if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name) or not (value.isascii() and (value + " ").isprintable()):
            raise ConfigurationError(f"The header {name!r} cannot be sent.")
    own = [("Accept", "application/json"), ("User-Agent", USER_AGENT), *([("Content-Type", "application/json")] if with_body else [])]
    names = {name.lower() for name in given}
    return [(name, value) for name, value in own if name.lower() not in names] + list(given.items())
