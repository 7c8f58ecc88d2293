"""An answer as it came."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Tuple

from .errors import MalformedResponseError

_LIMIT = re.compile(r'"([^"]*)"((?:\s*;[^,;]*)*)')


@dataclass(frozen=True)
class RateLimit:
    """What is left of a quota (header ``RateLimit``): so many until it is full again, ``resets_after`` seconds from the answer."""

    policy: str
    remaining: int
    resets_after: Optional[int]


@dataclass(frozen=True)
class RawAnswer:
    """Status, headers and body of an answer to ``request``. Neither headers nor body are in a ``repr``.

    ``headers`` has names in lower case; those that came several times are joined by commas.
    """

    status: int
    headers: Mapping[str, str] = field(repr=False, hash=False)
    body: bytes = field(repr=False)
    request_id: Optional[str]

    def json(self) -> Any:
        """The body as JSON; ``MalformedResponseError`` where it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            raise MalformedResponseError(
                f"The answer with status {self.status} is no JSON.", status=self.status, request_id=self.request_id
            ) from None

    @property
    def rate_limits(self) -> Tuple[RateLimit, ...]:
        """Of the header ``RateLimit``; empty where the answer has none."""
        found = []
        for policy, parameters in _LIMIT.findall(self.headers.get("ratelimit", "")):
            values = dict(re.findall(r";\s*([a-z]+)=(\d{1,15})", parameters))
            if "r" in values:
                found.append(RateLimit(policy, int(values["r"]), int(values["t"]) if "t" in values else None))
        return tuple(found)
