"""The light of a batch of views: colour cast, saturation, contrast, gamma, a slope, blur and noise, drawn for each view apart."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch.nn import functional as F


def photographed(view: torch.Tensor, rngs: list[np.random.Generator], chance: torch.Generator) -> torch.Tensor:
    """Colour cast, saturation, contrast, gamma, a slope of light, blur and noise, as `Augmenter` has them."""
    drawn = [_light(rng) for rng in rngs]

    def each(name: str) -> torch.Tensor:
        return view.new_tensor(np.array([light[name] for light in drawn])).view(len(drawn), -1, 1, 1)

    view = view * each("cast")
    grey = view.mean(1, keepdim=True)
    view = grey + (view - grey) * each("saturation")
    level = view.mean((1, 2, 3), keepdim=True)
    view = (view - level) * each("contrast") + level + each("brightness")
    view = view.clamp(0.001, 1) ** each("gamma")
    ramp = torch.linspace(-1, 1, view.shape[-1], device=view.device)
    slopes = each("slope")
    view = view * (1 + slopes[:, :1] * ramp.view(1, 1, 1, -1) + slopes[:, 1:] * ramp.view(1, 1, -1, 1))
    view = _blurred(view, each("blur"))
    return view + torch.randn(view.shape, generator=chance, device=view.device) * each("noise")


def _light(rng: np.random.Generator) -> dict[str, object]:
    """One view's light. All is drawn whether it is used or not, so that views of one seed stay what they are."""

    def sometimes(share: float, value: object, otherwise: object) -> object:
        return value if rng.random() < share else otherwise

    angle, depth = rng.uniform(0, 2 * math.pi), rng.uniform(0.1, 0.5)
    return {
        "cast": sometimes(0.8, rng.normal(1, 0.09, 3), np.ones(3)),
        "saturation": sometimes(0.6, rng.uniform(0.6, 1.4), 1.0),
        "contrast": sometimes(0.7, rng.uniform(0.7, 1.35), 1.0),
        "brightness": sometimes(0.7, rng.normal(0, 0.06), 0.0),
        "gamma": sometimes(0.5, math.exp(rng.normal(0, 0.25)), 1.0),
        "slope": sometimes(0.3, np.array([math.cos(angle), math.sin(angle)]) * depth, np.zeros(2)),
        "blur": sometimes(0.35, rng.uniform(0.5, 2.2), 0.05),
        "noise": sometimes(0.25, rng.uniform(0.005, 0.04), 0.0),
    }


def _blurred(view: torch.Tensor, sigma: torch.Tensor, reach: int = 5) -> torch.Tensor:
    """Each view by a Gaussian of its own; a sigma near 0 leaves it as it is."""
    offsets = torch.arange(-reach, reach + 1, device=view.device, dtype=view.dtype)
    kernel = torch.exp(-0.5 * (offsets.view(1, -1) / sigma.view(-1, 1)) ** 2)
    kernel = (kernel / kernel.sum(1, keepdim=True)).repeat_interleave(3, 0)
    planes = view.reshape(1, -1, *view.shape[2:])
    planes = F.conv2d(F.pad(planes, (reach, reach, 0, 0), mode="replicate"), kernel[:, None, None, :], groups=len(kernel))
    planes = F.conv2d(F.pad(planes, (0, 0, reach, reach), mode="replicate"), kernel[:, None, :, None], groups=len(kernel))
    return planes.view_as(view)
