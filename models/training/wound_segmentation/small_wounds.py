"""Small wounds, of which the data hold few: wounds of the training pictures, made smaller and laid on skin elsewhere."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from scipy import ndimage
from torch.nn import functional as F

from .scenery import dilated

# Wounds that are cut out, by their area in their own picture.
DONOR_AREA_PX = (300, 40_000)
# What a pasted wound's area may be, in pixels of a picture at zoom 1; its logarithm is drawn evenly.
PASTED_AREA_PX = (300, 2_000)
# A wound is not enlarged by more than this: it would look blurred.
MOST_ENLARGED = 1.3
# Skin around the wound that comes with it, as a share of the root of its area; it fades into the skin where it is laid.
MARGIN_SHARE = 0.35
LEAST_MARGIN_PX = 8
MOST_PASTED = 2
TRIES = 8
# Pixels darker than this (sum of three channels of 0..1) are padding or deep shadow.
DARK = 0.25
# How far a place's colour may lie from that of the skin beside the view's own wound: in its tint (natural logarithm of
# the channels' ratios) and in its light (as a factor).
MOST_TINT_APART = 0.1
MOST_LIGHT_APART = 1.6
# Skin beside a wound is looked for in a ring of so many pixels.
RING_PX = 9


@dataclass(frozen=True)
class CutOut:
    """A wound with the skin around it: uint8 [3, H, W], its mask [1, H, W] of 0 and 1, its area."""

    photo: torch.Tensor
    mask: torch.Tensor
    area_px: int


class SmallWounds:
    """The wounds of some pictures, ready to be pasted."""

    def __init__(self, pictures: list[tuple[torch.Tensor, torch.Tensor]]) -> None:
        """uint8 photos [3, H, W] and masks [1, H, W] of 0 and 1."""
        self.cut_outs = [cut for photo, mask in pictures for cut in cut_outs(photo, mask)]

    def paste(self, view: torch.Tensor, label: torch.Tensor, rng: np.random.Generator, zoom: float = 1) -> tuple[torch.Tensor, torch.Tensor]:
        """Lays one or two small wounds where the view looks as it does beside its own wound; a view without a wound stays as it is.
        view [3, H, W] of 0..1, label [1, H, W] of 0 and 1; `zoom`: pixels of the view for one of the picture."""
        beside = _ring(label)
        if not self.cut_outs or not label.any() or not beside.any():
            return view, label
        skin = view[:, beside].median(1).values.clamp(min=0.02)
        for _ in range(int(rng.integers(1, MOST_PASTED + 1))):
            view, label = _paste(view, label, self._drawn(rng, zoom), skin, rng)
        return view, label

    def _drawn(self, rng: np.random.Generator, zoom: float) -> tuple[torch.Tensor, torch.Tensor]:
        """A cut-out [4, h, w] (colours 0..1 and mask), turned, flipped and at its new size."""
        cut = self.cut_outs[int(rng.integers(len(self.cut_outs)))]
        area = math.exp(rng.uniform(*(math.log(px) for px in PASTED_AREA_PX)))
        scale = zoom * min(MOST_ENLARGED, math.sqrt(area / cut.area_px))
        both = torch.cat([cut.photo.float() / 255, cut.mask.float()])
        both = torch.rot90(both, int(rng.integers(4)), (1, 2))
        if rng.random() < 0.5:
            both = torch.flip(both, (2,))
        size = [max(4, round(side * scale)) for side in both.shape[1:]]
        small = F.interpolate(both[None], size=size, mode="bilinear", antialias=True, align_corners=False)[0]
        return small[:3].clamp(0, 1), (small[3:] > 0.5).float()


def cut_outs(photo: torch.Tensor, mask: torch.Tensor) -> list[CutOut]:
    """The wounds of one picture that stand alone: with skin on all sides, and none of another wound in it."""
    found, count = ndimage.label(mask[0].numpy())
    made = []
    for index, (rows, columns) in enumerate(ndimage.find_objects(found), start=1):
        area = int((found[rows, columns] == index).sum())
        if not DONOR_AREA_PX[0] <= area <= DONOR_AREA_PX[1]:
            continue
        margin = max(LEAST_MARGIN_PX, round(MARGIN_SHARE * math.sqrt(area)))
        top, bottom, left, right = rows.start - margin, rows.stop + margin, columns.start - margin, columns.stop + margin
        if min(top, left) < 0 or bottom > found.shape[0] or right > found.shape[1]:
            continue
        window = photo[:, top:bottom, left:right].clone()
        here = found[top:bottom, left:right]
        if (here[here > 0] == index).all() and (window.float().sum(0) / 255 > DARK).all():
            made.append(CutOut(window, torch.from_numpy((here == index).astype(np.uint8))[None], area))
    return made


def _ring(label: torch.Tensor) -> torch.Tensor:
    """[H, W]: what lies next to the wounds, a few pixels off their border."""
    return (dilated(label, RING_PX) & ~dilated(label, 2))[0]


def _paste(
    view: torch.Tensor, label: torch.Tensor, cut: tuple[torch.Tensor, torch.Tensor], skin: torch.Tensor, rng: np.random.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    photo, mask = cut
    height, width = mask.shape[1:]
    if max(height, width) >= view.shape[-1] or mask.sum() == 0:
        return view, label
    cover = _cover(mask)
    own = _colour(photo, (1 - mask[0]) * (cover[0] > 0))
    for _ in range(TRIES):
        top, left = (int(rng.integers(0, view.shape[-1] - side)) for side in (height, width))
        place = (slice(None), slice(top, top + height), slice(left, left + width))
        there = view[place]
        if label[place].any() or (there.sum(0) < DARK).any():
            continue
        colour = _colour(there, cover[0])
        if not _alike(colour, skin):
            continue
        view, label = view.clone(), label.clone()
        view[place] = there * (1 - cover) + photo * (colour / own).view(3, 1, 1) * cover
        label[place] = mask
        break
    return view, label


def _alike(colour: torch.Tensor, skin: torch.Tensor) -> bool:
    ratio = (colour / skin).log()
    tint = (ratio - ratio.mean()).abs().max()
    return bool(tint < MOST_TINT_APART and ratio.mean().abs() < math.log(MOST_LIGHT_APART))


def _cover(mask: torch.Tensor) -> torch.Tensor:
    """1 on the wound and next to it, falling to 0 at the edge of the cut-out."""
    height, width = mask.shape[1:]
    outside = ndimage.distance_transform_edt(mask[0].numpy() == 0)
    y = np.minimum(np.arange(height), np.arange(height)[::-1])[:, None]
    x = np.minimum(np.arange(width), np.arange(width)[::-1])[None]
    to_edge = np.minimum(y, x)
    fade = to_edge / np.maximum(1e-6, to_edge + np.maximum(0, outside - 2))
    return torch.from_numpy(np.where(outside <= 2, 1.0, fade)).float()[None]


def _colour(photo: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Mean colour [3] where the weight [H, W] is."""
    return ((photo * weight).sum((1, 2)) / weight.sum().clamp(min=1e-6)).clamp(min=0.02)
