"""The client for threads."""

from __future__ import annotations

from ._sync.client import SuturaClient

__all__ = ["SuturaClient"]
