"""Random views of the training pictures: one affine warp to the crop, then colour, light, blur and noise."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass

import numpy as np
import torch
from PIL import Image
from torch.nn import functional as F

from .darker_skin import DARKENED_TIMES, darken_skin
from .scenery import dilated, no_skin, paint_eschar, paste_thing, repaint_tissue
from .skin_tone import lab, looks_like_skin
from .small_wounds import SmallWounds

# A picture's longer side at zoom 1, in pixels: the working resolution.
NOMINAL_SIDE = 512
# Views of something that is no skin at all.
NO_SKIN_SHARE = 0.04
# A view of about the whole picture: its zoom where 1 fits exactly, and how far it is shifted (of half a side).
WHOLE_ZOOM, WHOLE_SHIFT = (0.8, 1.15), 0.12
# A photo, its mask and, where there is one, what networks that never saw the mask believe (`Augmenter.view`).
Picture = tuple[torch.Tensor, torch.Tensor] | tuple[torch.Tensor, torch.Tensor, torch.Tensor]


@dataclass(frozen=True)
class Recipe:
    """What a task may bear. Where the classes are told apart by colour, tissue is not repainted and hues stay near."""

    scenery: bool = True
    colour: float = 1.0
    zoom: tuple[float, float] = (0.6, 1.7)
    close_up_zoom: tuple[float, float] = (1.7, 3.2)
    close_up_share: float = 0.25
    eschar_share: float = 0.15
    nominal_side: int = NOMINAL_SIDE
    # Views that show about the whole picture.
    whole_share: float = 0.0
    # Views that get small wounds of other pictures, where `small_wounds` is given.
    small_wound_share: float = 0.0
    # Over so many pixels of a picture at zoom 1, on either side of its border, a label rises from 0 to 1: experts differ by about as much.
    rim_px: int = 0
    # Views whose skin is darkened.
    darker_skin_share: float = 0.0
    # How much of a label is what other networks believe, where a picture brings that.
    belief_share: float = 0.0


def soften(label: torch.Tensor, rim_px: int) -> torch.Tensor:
    """A label [K, H, W] of 0 and 1 that rises evenly over `rim_px` pixels on either side of its border."""
    if rim_px == 0:
        return label
    return F.avg_pool2d(label[None], 2 * rim_px + 1, 1, rim_px, count_include_pad=False)[0]


class Augmenter:
    """Turns whole photos into random crops of `crop_size` pixels. One instance owns one random stream."""

    def __init__(self, crop_size: int, seed: int, recipe: Recipe = Recipe(), small_wounds: SmallWounds | None = None) -> None:
        self.crop_size = crop_size
        self.random = np.random.default_rng(seed)
        self.recipe = recipe
        self.small_wounds = small_wounds

    def __call__(self, pictures: list[Picture]) -> tuple[torch.Tensor, torch.Tensor]:
        """uint8 photos [3, H, W] and masks [K, H, W] (one plane a class) of any size -> float photos 0..1 and masks 0/1, stacked, of the crop size."""
        made = [self.view(*picture) for picture in pictures]
        return torch.stack([view for view, _ in made]), torch.stack([label for _, label in made])

    def view(self, photo: torch.Tensor, mask: torch.Tensor, belief: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        """One view of one picture, with its label (0 to 1 across a soft rim). `belief`: uint8 [K, H, W], 0 to 255; it is part of the label
        wherever nothing was drawn into the view."""
        warp, zoom = self.warp(mask.amax(0))
        grid = F.affine_grid(warp[None], [1, 3, self.crop_size, self.crop_size], align_corners=False)
        view = F.grid_sample(photo[None].float() / 255, grid, mode="bilinear", padding_mode="zeros", align_corners=False)[0]
        label = F.grid_sample(mask[None].float(), grid, mode="bilinear", padding_mode="zeros", align_corners=False)[0]
        label = found = (label > 0.5).float()
        black = view.sum(0, keepdim=True) < 0.02
        if self.recipe.darker_skin_share and self.random.random() < self.recipe.darker_skin_share:
            view = self._darkened(view, label)
        replaced = self.recipe.scenery and self.random.random() < NO_SKIN_SHARE
        if replaced:
            view, label = no_skin(self.crop_size, self.random), torch.zeros_like(label)
            black = torch.zeros_like(black)
        if self.recipe.scenery and self.random.random() < self.recipe.eschar_share:
            view, label = paint_eschar(view, label, self.random)
        elif self.recipe.scenery and self.random.random() < 0.3:
            view = repaint_tissue(view, label, self.random)
        while self.recipe.scenery and self.random.random() < 0.25:
            view, label = paste_thing(view, label, self.random)
        if self.small_wounds is not None and self.random.random() < self.recipe.small_wound_share:
            view, label = self.small_wounds.paste(view, label, self.random, zoom)
        view = self._photograph(view)
        if self.random.random() < 0.8:
            view = view * ~(black & (label.amax(0, keepdim=True) == 0))
        rim_px = round(self.recipe.rim_px * zoom)
        softened = soften(label, rim_px)
        if belief is not None and not replaced:
            believed = F.grid_sample(belief[None].float() / 255, grid, mode="bilinear", padding_mode="zeros", align_corners=False)[0]
            share = self.recipe.belief_share * (~dilated((label != found).float(), rim_px + 1)).float()
            softened = softened + share * (believed - softened)
        return view.clamp(0, 1), softened

    def _zoom(self) -> float:
        """Mostly the distance of a follow-up photo, sometimes a close-up."""
        recipe = self.recipe
        low, high = recipe.close_up_zoom if self.random.random() < recipe.close_up_share else recipe.zoom
        return math.exp(self.random.uniform(math.log(low), math.log(high)))

    def warp(self, mask: torch.Tensor) -> tuple[torch.Tensor, float]:
        """The 2x3 matrix that affine_grid wants (output coordinates -> input coordinates, both -1..1), and the zoom that it is."""
        rng = self.random
        height, width = mask.shape
        whole = rng.random() < self.recipe.whole_share
        if whole:
            reach = max(height, width) / rng.uniform(*WHOLE_ZOOM)
        else:
            reach = self.crop_size / self.recipe.nominal_side / self._zoom() * max(height, width)
        angle = rng.uniform(-math.pi, math.pi) if rng.random() < 0.35 else rng.normal(0, math.radians(15))
        shear = rng.normal(0, 0.08)
        stretch = math.exp(rng.normal(0, 0.08))
        rotation = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        linear = rotation @ np.array([[stretch, shear], [0, 1 / stretch]]) * reach
        if rng.random() < 0.5:
            linear[:, 0] *= -1
        sides = np.array([width, height])
        centre = rng.uniform(-WHOLE_SHIFT, WHOLE_SHIFT, 2) if whole else self._centre(mask, reach / sides)
        zoom = self.crop_size / self.recipe.nominal_side / reach * max(height, width)
        return torch.tensor(np.column_stack([linear / sides[:, None], centre]), dtype=torch.float32), zoom

    def _centre(self, mask: torch.Tensor, extent: np.ndarray) -> np.ndarray:
        height, width = mask.shape
        wound = mask.nonzero()
        if len(wound) and self.random.random() < 0.75:
            y, x = wound[self.random.integers(len(wound))].tolist()
            return np.array([2 * x / width - 1, 2 * y / height - 1]) + self.random.uniform(-0.7, 0.7, 2) * extent
        room = np.maximum(0.0, 1 - extent * 0.8)
        return self.random.uniform(-room, room)

    def _darkened(self, view: torch.Tensor, label: torch.Tensor) -> torch.Tensor:
        colours = (view.clamp(0, 1) * 255).byte().permute(1, 2, 0).numpy()
        skin = torch.from_numpy(looks_like_skin(lab(colours))).float()[None, None]
        times = torch.tensor([self.random.uniform(*DARKENED_TIMES)], dtype=torch.float32)
        return darken_skin(view[None], label.amax(0)[None, None], skin, times)[0]

    def _photograph(self, view: torch.Tensor) -> torch.Tensor:
        rng, colour = self.random, self.recipe.colour
        if rng.random() < 0.8:
            view = view * torch.tensor(rng.normal(1, 0.09 * colour, 3), dtype=torch.float32).view(3, 1, 1)
        if rng.random() < 0.6:
            grey = view.mean(0, keepdim=True)
            view = grey + (view - grey) * float(rng.uniform(1 - 0.4 * colour, 1 + 0.4 * colour))
        if rng.random() < 0.7:
            level = view.mean()
            view = (view - level) * float(rng.uniform(0.7, 1.35)) + level + float(rng.normal(0, 0.06))
        if rng.random() < 0.5:
            view = view.clamp(0.001, 1) ** float(math.exp(rng.normal(0, 0.25)))
        if rng.random() < 0.3:
            view = view * self._light_gradient()
        if rng.random() < 0.2:
            view = self._blur(view, float(rng.uniform(0.5, 1.8)))
        if rng.random() < 0.2:
            view = self._coarsen(view, float(rng.uniform(1.3, 3.0)))
        if rng.random() < 0.15:
            view = self._jpeg(view)
        if rng.random() < 0.25:
            noise = rng.standard_normal(tuple(view.shape), dtype=np.float32)
            view = view + torch.from_numpy(noise) * float(rng.uniform(0.005, 0.04))
        return view

    def _light_gradient(self) -> torch.Tensor:
        angle = self.random.uniform(0, 2 * math.pi)
        ramp = torch.linspace(-1, 1, self.crop_size)
        slope = math.cos(angle) * ramp.view(1, 1, -1) + math.sin(angle) * ramp.view(1, -1, 1)
        return 1 + slope * float(self.random.uniform(0.05, 0.3))

    @staticmethod
    def _blur(view: torch.Tensor, sigma: float) -> torch.Tensor:
        reach = max(1, round(2 * sigma))
        offsets = torch.arange(-reach, reach + 1, dtype=torch.float32)
        kernel = torch.exp(-(offsets**2) / (2 * sigma**2))
        kernel = (kernel / kernel.sum()).view(1, 1, 1, -1).repeat(3, 1, 1, 1)
        blurred = F.conv2d(view[None], kernel, padding=(0, reach), groups=3)
        return F.conv2d(blurred, kernel.transpose(2, 3), padding=(reach, 0), groups=3)[0]

    @staticmethod
    def _coarsen(view: torch.Tensor, factor: float) -> torch.Tensor:
        """What a small picture looks like at working resolution."""
        side = view.shape[-1]
        small = F.interpolate(view[None], size=round(side / factor), mode="bilinear", antialias=True, align_corners=False)
        return F.interpolate(small, size=side, mode="bilinear", align_corners=False)[0]

    def _jpeg(self, view: torch.Tensor) -> torch.Tensor:
        pixels = (view.clamp(0, 1) * 255).byte().permute(1, 2, 0).numpy()
        encoded = io.BytesIO()
        Image.fromarray(pixels).save(encoded, "JPEG", quality=int(self.random.integers(30, 90)))
        decoded = np.array(Image.open(encoded), dtype=np.float32)
        return torch.from_numpy(decoded).permute(2, 0, 1) / 255
