"""Dice figures as the FUSeg challenge states them, and the loss that is trained on."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch.nn import functional as F


@dataclass(frozen=True)
class DiceFigures:
    """`data_set`: over all pixels pooled. `mean`: over pictures with a label. `empty_clean`: of the pictures with an empty label, how many stayed empty."""

    data_set: float
    mean: float
    precision: float
    recall: float
    empty: int
    empty_clean: int


def dice_figures(predictions: torch.Tensor, labels: torch.Tensor) -> DiceFigures:
    """Both [N, H, W] boolean."""
    predicted, labelled = predictions.flatten(1), labels.flatten(1)
    overlap = (predicted & labelled).sum(1).double()
    found, true = predicted.sum(1).double(), labelled.sum(1).double()
    filled = true > 0
    per_picture = 2 * overlap[filled] / (found[filled] + true[filled])
    return DiceFigures(
        data_set=float(2 * overlap.sum() / (found.sum() + true.sum())),
        mean=float(per_picture.mean()),
        precision=float(overlap.sum() / found.sum().clamp(min=1)),
        recall=float(overlap.sum() / true.sum().clamp(min=1)),
        empty=int((~filled).sum()),
        empty_clean=int((found[~filled] == 0).sum()),
    )


def segmentation_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Binary cross entropy + half Dice per picture (with a wound) + half Dice over the batch."""
    entropy = F.binary_cross_entropy_with_logits(logits, labels)
    probability = logits.sigmoid().flatten(1)
    truth = labels.flatten(1)
    overlap, size = (probability * truth).sum(1), probability.sum(1) + truth.sum(1)
    has_wound = truth.sum(1) > 0
    per_picture = (1 - (2 * overlap + 1) / (size + 1))[has_wound]
    pictures = per_picture.mean() if len(per_picture) else entropy.new_zeros(())
    batch = 1 - (2 * overlap.sum() + 1) / (size.sum() + 1)
    return entropy + 0.5 * pictures + 0.5 * batch
