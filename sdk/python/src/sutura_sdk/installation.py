"""What the service works with: its models, and the calibration cards that were printed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Optional

from .models import JsonObject

CardSize = Literal["a4", "credit-card"]


@dataclass(frozen=True)
class Model:
    """A model of the installation. ``active``: jobs are analysed with it. ``research_only``: its licence forbids the use on patients.

    ``sha256`` is that of the weights, as in the trace of every result made with them; ``card`` is the model card in Markdown.
    """

    name: str
    version: str
    task: str
    variant: Optional[str]
    sha256: str
    active: bool
    research_only: bool
    licence: Optional[str]
    metrics: Optional[JsonObject] = field(repr=False, hash=False)
    card: Optional[str] = field(repr=False)
    links: JsonObject = field(repr=False, hash=False)
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class CalibrationCard:
    """One size of card. ``bar_mm`` is the length of its check bar printed at 100 %.

    ``measured_bar_mm`` is the stored correction; ``None``: there is none, and the card counts as printed at 100 %.
    """

    size: str
    bar_mm: float
    measured_bar_mm: Optional[float]
    measured_at: Optional[str]
    raw: JsonObject = field(repr=False, compare=False)
