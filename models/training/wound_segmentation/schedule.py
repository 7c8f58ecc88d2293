"""The steps of a training that is counted in steps: how large its views are when, and how fast it learns."""

from __future__ import annotations

import math
from dataclasses import dataclass

LEAST_LEARNING_RATE_SHARE = 0.002
WARM_UP_STEPS = 200


@dataclass(frozen=True)
class Stage:
    """Up to which step, in views of which side (pixels), so many at a time."""

    until_step: int
    side_px: int
    batch: int


@dataclass(frozen=True)
class Schedule:
    """One cosine over all stages."""

    stages: tuple[Stage, ...]
    peak_learning_rate: float
    warm_up_steps: int = WARM_UP_STEPS

    @property
    def steps(self) -> int:
        return self.stages[-1].until_step

    def stage_at(self, step: int) -> Stage:
        return next(stage for stage in self.stages if step < stage.until_step)

    def views_before(self, step: int) -> int:
        """How many views the steps before this one showed."""
        shown = since = 0
        for stage in self.stages:
            shown += max(0, min(step, stage.until_step) - since) * stage.batch
            since = stage.until_step
        return shown

    def learning_rate(self, step: int, resumed_at: int = 0) -> float:
        """Rises over the first steps, and again where a training goes on without its optimiser's state."""
        cosine = max(LEAST_LEARNING_RATE_SHARE, 0.5 * (1 + math.cos(math.pi * step / self.steps)))
        return self.peak_learning_rate * cosine * min(1.0, (step - resumed_at + 1) / self.warm_up_steps)
