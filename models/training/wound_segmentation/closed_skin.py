"""Photos whose wound is gone, for training alone: skin from beside the wound is drawn over it, now and then in the pink of a scar."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional as F

from .scenery import dilated, soft_field

# The rim of a wound is wound-coloured; this much of it is drawn over too, in pixels.
RIM_PX = (6, 14)
# Pixels darker than this (sum of three channels of 0..1) are padding or deep shadow, and no skin.
DARK = 0.25
# Skin beside the wound: within so many pixels, and no channel farther than this from the median there.
RING_PX = 16
MOST_APART = 0.25
# Texture is taken from beside the wound, so many tries for a place that is all skin.
TRIES = 30
# What is finer than this many pixels is texture, what is coarser is light.
TEXTURE_PX = 5
SCAR_SHARE = 0.4
SCAR_TINT = (1.06, 0.9, 0.9)


def without_wound(photo: torch.Tensor, mask: torch.Tensor, rng: np.random.Generator) -> torch.Tensor:
    """uint8 [3, H, W] and its label [1, H, W] of 0 and 1 -> the same photo with closed skin where the wound was."""
    view = photo.float() / 255
    rim_px = int(rng.integers(*RIM_PX))
    gone = dilated(mask.float(), rim_px)[0]
    skin = (view.sum(0) > DARK) & ~gone
    if not gone.any() or not skin.any():
        return photo
    ring = skin & dilated(gone[None].float(), RING_PX)[0]
    if not ring.any():
        return photo
    colour = view[:, ring].median(1).values.view(3, 1, 1)
    beside = ring & ((view - colour).abs().amax(0) < MOST_APART)
    light = _filled(view, beside)
    skin = skin & ((view - colour).abs().amax(0) < MOST_APART)
    drawn = light + _texture(view, gone, skin, rng)
    if rng.random() < SCAR_SHARE:
        strength = float(rng.uniform(0.3, 1.2)) * (0.75 + 0.25 * soft_field(rng, max(view.shape[1:]), 12)[: view.shape[1], : view.shape[2]])
        scar = F.avg_pool2d(mask[None].float(), 9, 1, 4)[0] * strength
        drawn = drawn * (1 + scar * (torch.tensor(SCAR_TINT).view(3, 1, 1) - 1))
    cover = F.avg_pool2d(gone[None, None].float(), 9, 1, 4)[0] * (view.sum(0, keepdim=True) > DARK / 2)
    return ((view * (1 - cover) + drawn * cover).clamp(0, 1) * 255).byte()


def _filled(view: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    """The view without texture; where it is not known, as what is nearest suggests: means of ever coarser squares."""
    weight = known[None].float()
    levels = [(view * weight, weight)]
    while min(levels[-1][0].shape[1:]) > 2:
        levels.append(tuple(F.avg_pool2d(part[None], 2, ceil_mode=True, count_include_pad=False)[0] for part in levels[-1]))
    coarse = levels[-1][0] / levels[-1][1].clamp(min=1e-6)
    for total, weight in reversed(levels[:-1]):
        up = F.interpolate(coarse[None], size=total.shape[1:], mode="bilinear", align_corners=False)[0]
        share = weight.clamp(max=1)
        coarse = torch.where(weight > 1e-6, total / weight.clamp(min=1e-6), up) * share + up * (1 - share)
    kernel = 2 * TEXTURE_PX + 1
    return F.avg_pool2d(coarse[None], kernel, 1, TEXTURE_PX, count_include_pad=False)[0]


def _texture(view: torch.Tensor, gone: torch.Tensor, skin: torch.Tensor, rng: np.random.Generator) -> torch.Tensor:
    """What is finer than the light, taken from a place near by that is mostly skin."""
    rows, columns = (side.tolist() for side in torch.nonzero(gone).T)
    extent = max(max(rows) - min(rows), max(columns) - min(columns)) + 1
    fine = (view - F.avg_pool2d(view[None], 2 * TEXTURE_PX + 1, 1, TEXTURE_PX, count_include_pad=False)[0]) * skin
    best, most = torch.zeros_like(view), -1.0
    for _ in range(TRIES):
        angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.6, 1.6) * extent + 8
        shift = (round(reach * np.sin(angle)), round(reach * np.cos(angle)))
        there = torch.roll(skin, shift, (0, 1))
        covered = float(there[gone].float().mean())
        if covered > most:
            best, most = torch.roll(fine, shift, (1, 2)), covered
        if most > 0.97:
            break
    return best
