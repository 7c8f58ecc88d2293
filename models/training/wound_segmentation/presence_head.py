"""Is there an open wound in the picture at all? A logistic regression on what the frozen network sees and on the map that it draws."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

# Keeps odds finite, and a mean over nothing 0.
LEAST_DOUBT = 1e-3
# Sides of the squares, in pixels of the view, whose likeliest mean probability is a peak.
PEAK_SIDES = (4, 16, 32)
# What the evidence of a view consists of, in this order; the deep features have 192 channels at 1/32, the middle ones 128 at 1/16.
PARTS = ("mean", "most", "inside", "inside_finer", "map")


def evidence_parts(features: tuple[torch.Tensor, ...], logits: torch.Tensor) -> dict[str, torch.Tensor]:
    """Of a view [N, 3, H, W]: pooled over all of it, pooled over what the network takes for a wound, and figures of the map itself."""
    deep, middle = features[-1], features[-2]
    probability = torch.sigmoid(logits)
    inside, inside_finer = (_pooled_where(part, F.avg_pool2d(probability, side)) for part, side in ((deep, 32), (middle, 16)))
    peaks = [_log_odds(F.avg_pool2d(probability, side, max(1, side // 2)).amax((2, 3))) for side in PEAK_SIDES]
    total = probability.sum((2, 3))
    area = torch.log(probability.mean((2, 3)) + 1e-5)
    surety = (probability * probability).sum((2, 3)) / (total + 1)
    found = (probability > 0.5).to(probability.dtype)
    agreement = 2 * (probability * found).sum((2, 3)) / (total + found.sum((2, 3)) + 1)
    own = torch.cat([*peaks, area, surety, agreement], 1)
    return dict(zip(PARTS, (deep.mean((2, 3)), deep.amax((2, 3)), inside, inside_finer, own), strict=True))


def _pooled_where(features: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Mean of the features where the weight is; nearly nothing where there is no weight."""
    return (features * weight).sum((2, 3)) / (weight.sum((2, 3)) + LEAST_DOUBT)


def _log_odds(probability: torch.Tensor) -> torch.Tensor:
    limited = probability.clamp(LEAST_DOUBT, 1 - LEAST_DOUBT)
    return torch.log(limited / (1 - limited))
