"""Fields of a JSON answer: those that must be there, and those that may be."""

from __future__ import annotations

from typing import Any, List

from .models import JsonObject


class Unlike(Exception):
    """A promised field is missing or of another type; the text names it and repeats nothing of the answer."""


def required(value: JsonObject, name: str, kind: type) -> Any:
    if not isinstance(value.get(name), kind):
        raise Unlike(f'has no usable "{name}"')
    return value[name]


def optional(value: JsonObject, name: str, kind: type) -> Any:
    found = value.get(name)
    return found if isinstance(found, kind) else None


def objects(value: JsonObject, name: str) -> List[JsonObject]:
    items = required(value, name, list)
    if not all(isinstance(item, dict) for item in items):
        raise Unlike(f'has no usable "{name}"')
    return list(items)


def number(value: JsonObject, name: str) -> Any:
    """JSON does not tell 3 from 3.0."""
    found = value.get(name)
    return found if isinstance(found, (int, float)) and not isinstance(found, bool) else None
