"""Is there an open wound in the picture at all? A logistic regression on what the frozen network sees and on the map that it draws."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

# Keeps odds finite, and a mean over nothing 0.
LEAST_DOUBT = 1e-3
# Sides of the squares, in pixels of the view, whose likeliest mean probability is a peak.
PEAK_SIDES = (4, 16, 32)
# What the evidence of a view consists of, in this order.
PARTS = ("mean", "most", "inside", "inside_finer", "map")
# Channels of the deep features, at 1/32, and of the middle ones, at 1/16: of `WoundSegmentationNet`, and on EfficientNet-Lite0 and 1, and 2.
CHANNELS = ((192, 128), (320, 112), (352, 120))
# Farther than so many standard deviations from the mean nothing is known.
MOST_SPREADS = 6.0


def widths_of(deep: int, middle: int) -> dict[str, int]:
    """How many figures each part has."""
    return {"mean": deep, "most": deep, "inside": deep, "inside_finer": middle, "map": len(PEAK_SIDES) + 3}


WIDTHS = widths_of(*CHANNELS[0])
# By how many figures the evidence has in all.
LAYOUTS = {sum(widths.values()): widths for widths in (widths_of(*channels) for channels in CHANNELS)}


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
    """Mean of the features where the weight is; next to none where there is no weight."""
    return (features * weight).sum((2, 3)) / (weight.sum((2, 3)) + LEAST_DOUBT)


def _log_odds(probability: torch.Tensor) -> torch.Tensor:
    limited = probability.clamp(LEAST_DOUBT, 1 - LEAST_DOUBT)
    return torch.log(limited / (1 - limited))


@dataclass(frozen=True)
class Fitted:
    """A logistic regression on evidence: of which parts, in their order, their mean and spread, the weights, and the intercept."""

    parts: tuple[str, ...]
    mean: torch.Tensor
    spread: torch.Tensor
    weights: torch.Tensor
    intercept: float

    def logits(self, evidence: torch.Tensor) -> torch.Tensor:
        """[N, all evidence] -> [N]."""
        chosen = columns_of(self.parts, evidence.shape[1])
        return self.standardised(evidence[:, chosen]) @ self.weights + self.intercept

    def standardised(self, chosen: torch.Tensor) -> torch.Tensor:
        return ((chosen - self.mean) / self.spread).clamp(-MOST_SPREADS, MOST_SPREADS)


def columns_of(parts: tuple[str, ...], total: int = sum(WIDTHS.values())) -> list[int]:
    """Where these parts stand in evidence of so many figures."""
    starts = np.cumsum([0, *(LAYOUTS[total][part] for part in PARTS)])
    return [column for part in parts for column in range(starts[PARTS.index(part)], starts[PARTS.index(part) + 1])]


def joined_evidence(parts: dict[str, torch.Tensor]) -> torch.Tensor:
    """[N, all evidence]"""
    return torch.cat([parts[part] for part in PARTS], 1)


def fit_head(parts: tuple[str, ...], evidence: torch.Tensor, wound: torch.Tensor, ridge: float) -> Fitted:
    """With and without a wound weigh the same in sum, however many there are of each."""
    chosen = evidence[:, columns_of(parts, evidence.shape[1])].double()
    mean, spread = chosen.mean(0), chosen.std(0) + 1e-3
    standard = ((chosen - mean) / spread).clamp(-MOST_SPREADS, MOST_SPREADS)
    truth = wound.double()
    weight = torch.where(wound, 0.5 / truth.mean(), 0.5 / (1 - truth.mean())) / len(truth)
    fitted = torch.zeros(standard.shape[1] + 1, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([fitted], max_iter=300, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        entropy = F.binary_cross_entropy_with_logits(standard @ fitted[1:] + fitted[0], truth, weight, reduction="sum")
        total = entropy + ridge * fitted[1:].square().sum()
        total.backward()
        return total

    optimiser.step(loss)
    found = fitted.detach().float()
    return Fitted(parts, mean.float(), spread.float(), found[1:], float(found[0]))


class PresenceHead(nn.Module):
    """As it is exported: the calibrated probability [N, 1] that a picture shows an open wound, from all views of it."""

    def __init__(self, fitted: Fitted, slope: float, offset: float) -> None:
        super().__init__()
        self.fitted, self.slope, self.offset = fitted, slope, offset
        for name in ("mean", "spread", "weights"):
            self.register_buffer(name, getattr(fitted, name))

    def logit(self, features: tuple[torch.Tensor, ...], logits: torch.Tensor) -> torch.Tensor:
        """[N, 1], of one view."""
        parts = evidence_parts(features, logits)
        chosen = torch.cat([parts[part] for part in self.fitted.parts], 1)
        standard = ((chosen - self.mean) / self.spread).clamp(-MOST_SPREADS, MOST_SPREADS)
        return standard @ self.weights[:, None] + self.fitted.intercept

    def forward(self, of_views: list[torch.Tensor]) -> torch.Tensor:
        return torch.sigmoid(self.slope * torch.stack(of_views).mean(0) + self.offset)


def save_head(head: PresenceHead, threshold: float, calibration_error: float, file: Path) -> None:
    f = head.fitted
    fitted = {"parts": f.parts, "mean": f.mean, "spread": f.spread, "weights": f.weights, "intercept": f.intercept}
    torch.save(fitted | {"slope": head.slope, "offset": head.offset, "threshold": threshold, "calibration_error": calibration_error}, file)


def load_head(file: Path) -> tuple[PresenceHead, dict[str, float]]:
    """The head, and what the manifest says of it."""
    kept = torch.load(file, map_location="cpu", weights_only=True)
    fitted = Fitted(tuple(kept["parts"]), kept["mean"], kept["spread"], kept["weights"], kept["intercept"])
    return PresenceHead(fitted, kept["slope"], kept["offset"]), {"threshold": round(kept["threshold"], 4), "expectedCalibrationError": round(kept["calibration_error"], 3)}
