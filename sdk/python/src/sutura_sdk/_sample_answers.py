"""JSON answers to samples."""

from __future__ import annotations

from ._fields import number, objects, optional, required
from .models import JsonObject
from .samples import Sample, SampleList, SampleSeries


def to_sample_list(value: JsonObject) -> SampleList:
    return SampleList(
        items=tuple(_to_sample(item) for item in objects(value, "items")),
        series=tuple(_to_series(item) for item in objects(value, "series")),
        seen_with=tuple(objects(value, "seenWith")),
        seen_on=optional(value, "seenOn", str),
        seen_with_active_models=optional(value, "seenWithActiveModels", bool),
        next_cursor=optional(value, "nextCursor", str),
        raw=value,
    )


def _to_sample(value: JsonObject) -> Sample:
    return Sample(
        name=required(value, "name", str),
        shows=required(value, "shows", str),
        content_type=required(value, "contentType", str),
        size_bytes=required(value, "sizeBytes", int),
        sha256=required(value, "sha256", str),
        width=optional(value, "width", int),
        height=optional(value, "height", int),
        drawn_area_cm2=number(value, "drawnAreaCm2"),
        series=optional(value, "series", dict),
        seen=required(value, "seen", dict),
        links=optional(value, "links", dict) or {},
        raw=value,
    )


def _to_series(value: JsonObject) -> SampleSeries:
    return SampleSeries(
        name=required(value, "name", str),
        days_apart=required(value, "daysApart", int),
        seen=required(value, "seen", dict),
        raw=value,
    )
