"""Views of a wound as it would look on darker skin: one dark foot in fourteen is too few to learn from (README, "By skin tone")."""

from __future__ import annotations

import torch
from torch.nn import functional as F

# Views whose skin is darkened, and by how much: natural logarithm of light, red, green and blue. One is the difference of the median skin
# of the 60 labelled pictures of dark skin from that of the 683 lighter ones (`skin-tones.tsv`), both in linear light.
DARKENED_SHARE = 1 / 3
DARKENED_BY = (0.97, 0.98, 1.16)
DARKENED_TIMES = (0.4, 1.6)
# The darkening ends so many pixels off the label: a wound's own rim keeps its colour.
RIM_PX = 4
GAMMA = 2.2


def darken_skin(view: torch.Tensor, label: torch.Tensor, skin: torch.Tensor, times: torch.Tensor) -> torch.Tensor:
    """Takes light from the skin as more melanin does, and leaves wound, cloth and room as they are.
    view [N, 3, H, W] of 0..1, label and skin [N, 1, H, W] of 0..1, times [N]: of `DARKENED_BY`."""
    near = F.max_pool2d(label, 2 * RIM_PX + 1, 1, RIM_PX)
    weight = F.avg_pool2d(skin * (1 - near), 2 * RIM_PX + 1, 1, RIM_PX) * (1 - label)
    by = view.new_tensor(DARKENED_BY).view(1, 3, 1, 1) * times.view(-1, 1, 1, 1) / GAMMA
    return view * torch.exp(-by * weight)
