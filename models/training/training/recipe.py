"""How a network on a pretrained encoder learns: views, steps, rates, and the run that keeps it all."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import torch
from wound_segmentation.augmentation import Recipe
from wound_segmentation.darker_skin import DARKENED_SHARE
from wound_segmentation.lite_network import TAPS, LiteNet
from wound_segmentation.schedule import LEAST_LEARNING_RATE_SHARE, Schedule, Stage
from wound_segmentation.train import PEAK_LEARNING_RATE, Run

VARIANT = 2
# What was pretrained learns more slowly than what is new.
ENCODER_RATE_SHARE = 0.4


@dataclass(frozen=True)
class Cycles(Schedule):
    """A cosine for each stage, each from a lower peak: a training that had all its steps can be given another stage."""

    peak_share: float = 2 / 3

    def learning_rate(self, step: int, resumed_at: int = 0) -> float:
        stage = self.stage_at(step)
        since = max((one.until_step for one in self.stages if one.until_step <= step), default=0)
        share = 0.5 * (1 + math.cos(math.pi * (step - since) / (stage.until_step - since)))
        peak = self.peak_learning_rate * self.peak_share ** self.stages.index(stage)
        return peak * max(LEAST_LEARNING_RATE_SHARE, share) * min(1.0, (step - max(since, resumed_at) + 1) / self.warm_up_steps)


# The service looks at 512 pixels; what is learnt last is learnt nearer to that.
SCHEDULE = Cycles((Stage(600, 320, 8), Stage(900, 384, 6)), peak_learning_rate=1.5e-3, warm_up_steps=50)
# Half of a label that is only believed is what the teachers' map says, the other half where it says more than a half.
RECIPE = Recipe(whole_share=0.3, small_wound_share=0.25, rim_px=3, darker_skin_share=DARKENED_SHARE, belief_share=0.5)


class LiteRun(Run):
    """A training of a `LiteNet`."""

    def parameter_groups(self) -> list[dict[str, object]]:
        encoder, decoder = self.network.encoder_parameters(), self.network.decoder_parameters()
        groups = [{"params": encoder, "rate_share": ENCODER_RATE_SHARE}, {"params": decoder, "rate_share": 1.0}]
        return [group | {"lr": PEAK_LEARNING_RATE} for group in groups]


def new_or_resumed(folder: Path, seed: int, device: torch.device, variant: int = VARIANT) -> LiteRun:
    """The run in `folder` as it stands, or one that begins with the weights that have seen ImageNet."""
    torch.manual_seed(seed)
    network = LiteNet(variant, pretrained=True)
    # The stem and the blocks at 1/2 and 1/4 of the size stay as ImageNet made them: two fifths of a step's time for what changes least.
    network.frozen_blocks = TAPS[variant][1] + 1
    return LiteRun(folder, device, network)
