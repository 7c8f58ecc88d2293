"""The views of `augmentation.py`, drawn on the device that trains, a batch at a time; a third of them on darker skin.

Whatever a view is depends on seed, step and place in the batch alone: places, angles and light come from NumPy's streams, fields and grain
from one of the device. What `augmentation.py` does and this does not: JPEG, and eschar that grows beyond its wound.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import torch
from PIL import Image
from torch.nn import functional as F
from torch.utils.data import Dataset

from .augmentation import NO_SKIN_SHARE, Augmenter, Picture, Recipe, soften
from .darker_skin import DARKENED_SHARE, DARKENED_TIMES, darken_skin
from .device_light import photographed
from .evaluate import letterbox
from .scenery import MOST_HIDDEN, TISSUE_COLOURS, no_skin, paste_thing
from .schedule import Schedule
from .skin_tone import lab, looks_like_skin
from .small_wounds import DARK, MOST_LIGHT_APART, MOST_TINT_APART, PASTED_AREA_PX, CutOut, cut_outs
from .teacher import shuffled

SIDE_PX = 512
# `Augmenter.warp` needs only where a wound lies; a small mask says that fast enough.
COARSE_PX = 64
THINGS, EMPTY_SCENES = 192, 96
BANK_PX = 256
CUT_OUT_PX = 64
PASTE_TRIES = 8


def in_square(plane: np.ndarray, resampling: Image.Resampling) -> np.ndarray:
    return np.asarray(letterbox(Image.fromarray(plane), SIDE_PX, SIDE_PX, resampling)[0])


def planes_of(photo: torch.Tensor, mask: torch.Tensor, belief: torch.Tensor | None = None) -> torch.Tensor:
    """uint8 [6, side, side]: red, green, blue, mask, belief (the mask where there is none), and what looks like skin."""
    colours = photo.permute(1, 2, 0).numpy()
    label = mask[0].numpy() * np.uint8(255)
    believed = label if belief is None else belief[0].numpy()
    skin = looks_like_skin(lab(colours)).astype(np.uint8) * np.uint8(255)
    squared = [in_square(colours, Image.Resampling.BILINEAR).transpose(2, 0, 1)]
    squared += [in_square(plane, Image.Resampling.BILINEAR)[None] for plane in (label, believed, skin)]
    return torch.from_numpy(np.concatenate(squared))


def soft_fields(shape: tuple[int, int, int, int], cells: int, chance: torch.Generator) -> torch.Tensor:
    """Smooth random fields of zero mean, with about `cells` bumps along a side."""
    coarse = torch.randn((*shape[:2], cells, cells), generator=chance, device=chance.device)
    return F.interpolate(coarse, size=shape[2:], mode="bicubic", align_corners=False)


def repaint(view: torch.Tensor, label: torch.Tensor, colours: torch.Tensor, share: torch.Tensor, chance: torch.Generator) -> torch.Tensor:
    """Colours part of each wound like another tissue and keeps its texture. colours [N, 3]; share [N]: 0 none, 1 about all of it."""
    field = soft_fields(tuple(label.shape), 9, chance) * 6 + (share.view(-1, 1, 1, 1) * 12 - 6)
    alpha = torch.sigmoid(field) * F.avg_pool2d(label, 5, 1, 2) * (share > 0).view(-1, 1, 1, 1)
    grey = view.mean(1, keepdim=True)
    level = (grey * label).sum((2, 3), keepdim=True) / label.sum((2, 3), keepdim=True).clamp(min=1)
    texture = (grey / level.clamp(min=0.05)).clamp(0.3, 2)
    return view * (1 - alpha) + colours[..., None, None] * texture * alpha


@dataclass(frozen=True)
class Banks:
    """What is laid into views, drawn once: things with what they hide, scenes without skin, and small wounds with their cover."""

    things: torch.Tensor
    scenes: torch.Tensor
    wounds: torch.Tensor
    # Share of its square that each small wound fills.
    wound_share: np.ndarray

    @classmethod
    def drawn(cls, cuts: list[CutOut], seed: int, device: torch.device) -> Banks:
        things = torch.stack([_thing(seed, number) for number in range(THINGS)])
        scenes = torch.stack([no_skin(BANK_PX, np.random.default_rng([seed, 1, number])) for number in range(EMPTY_SCENES)])
        wounds = torch.stack([_small_wound(cut) for cut in cuts]) if cuts else torch.zeros(0, 5, CUT_OUT_PX, CUT_OUT_PX)
        shares = np.array([cut.area_px / (cut.mask.shape[1] * cut.mask.shape[2]) for cut in cuts])
        return cls(things.to(device), scenes.to(device), wounds.to(device), shares)


def _thing(seed: int, number: int) -> torch.Tensor:
    """[4, side, side]: colours, and where they hide what is below; what black and white below have in common is hidden."""
    on_black, on_white = (paste_thing(torch.full((3, BANK_PX, BANK_PX), below), torch.zeros(1, BANK_PX, BANK_PX), np.random.default_rng([seed, 0, number]))[0] for below in (0.0, 1.0))
    return torch.cat([on_black, 1 - (on_white - on_black).mean(0, keepdim=True)])


def _small_wound(cut: CutOut) -> torch.Tensor:
    """[5, side, side]: colours, mask, and a cover that is 1 on the wound and falls to 0 at the edge."""
    both = torch.cat([cut.photo.float() / 255, cut.mask.float()])
    small = F.interpolate(both[None], size=(CUT_OUT_PX, CUT_OUT_PX), mode="bilinear", antialias=True, align_corners=False)[0]
    line = torch.linspace(-1, 1, CUT_OUT_PX)
    edge = 1 - torch.maximum(line.abs()[None], line.abs()[:, None])
    cover = torch.maximum((edge * 4).clamp(0, 1), F.max_pool2d(small[3:], 5, 1, 2)[0]) * (edge > 0)
    return torch.cat([small[:3].clamp(0, 1), (small[3:] > 0.5).float(), cover[None]])


class DeviceViews(Dataset):
    """The batch of every step, as `teacher.Views`: [N, 3, side, side] of 0..1 and labels of 0..1, on the device."""

    def __init__(self, pictures: list[Picture], seed: int, schedule: Schedule, recipe: Recipe, device: torch.device) -> None:
        """A picture that is shown more often stands in the list several times, and lies on the device once."""
        self.seed, self.schedule, self.recipe, self.device = seed, schedule, recipe, device
        once = list({id(picture): picture for picture in pictures}.values())
        place = {id(picture): index for index, picture in enumerate(once)}
        self.order = np.array([place[id(picture)] for picture in pictures])
        with ThreadPoolExecutor() as reading:
            self.planes = torch.stack(list(reading.map(lambda picture: planes_of(*picture), once))).to(device)
        self.believed = torch.tensor([len(picture) == 3 for picture in once], device=device)
        self.coarse = F.adaptive_max_pool2d(self.planes[:, 3:4].float(), COARSE_PX)[:, 0].cpu() > 127
        self.banks = Banks.drawn([cut for photo, mask, *_ in once for cut in cut_outs(photo, mask)], seed, device)

    def __getitem__(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        stage, first = self.schedule.stage_at(step), self.schedule.views_before(step)
        rngs = [np.random.default_rng([self.seed, step, place]) for place in range(stage.batch)]
        chance = torch.Generator(self.device).manual_seed(int(np.random.default_rng([self.seed, step]).integers(2**62)))
        shown = torch.from_numpy(self.order[[self._shown(first + place) for place in range(stage.batch)]]).to(self.device)
        warps, zooms = self._warps(rngs, shown.tolist(), stage.side_px)
        return self._batch(rngs, chance, shown, warps, zooms, stage.side_px)

    def _shown(self, view: int) -> int:
        epoch, place = divmod(view, len(self.order))
        return int(shuffled(len(self.order), self.seed, epoch)[place])

    def _warps(self, rngs: list[np.random.Generator], shown: list[int], side: int) -> tuple[torch.Tensor, list[float]]:
        made = []
        for rng, picture in zip(rngs, shown, strict=True):
            augmenter = Augmenter(side, 0, self.recipe)
            augmenter.random = rng
            made.append(augmenter.warp(self.coarse[picture]))
        return torch.stack([warp for warp, _ in made]).to(self.device), [zoom for _, zoom in made]

    @torch.no_grad()
    def _batch(self, rngs: list[np.random.Generator], chance: torch.Generator, shown: torch.Tensor, warps: torch.Tensor, zooms: list[float], side: int) -> tuple[torch.Tensor, torch.Tensor]:
        grid = F.affine_grid(warps, [len(rngs), 3, side, side], align_corners=False)
        seen = F.grid_sample(self.planes[shown].float() / 255, grid, mode="bilinear", padding_mode="zeros", align_corners=False)
        view, label, belief, skin = seen[:, :3], (seen[:, 3:4] > 0.5).float(), seen[:, 4:5], seen[:, 5:]
        black = view.sum(1, keepdim=True) < 0.02
        view = darken_skin(view, label, skin, self._some(rngs, DARKENED_SHARE, lambda rng: rng.uniform(*DARKENED_TIMES)))
        found = label
        view = self._repainted(view, label, rngs, chance)
        view, label = self._with_things(view, label, rngs)
        view, label = self._with_small_wounds(view, label, rngs, zooms)
        replaced = self._some(rngs, NO_SKIN_SHARE, lambda rng: 1 + rng.integers(len(self.banks.scenes))).long()
        scenes = F.interpolate(self.banks.scenes[(replaced - 1).clamp(min=0)], size=(side, side), mode="bilinear", align_corners=False)
        without = (replaced > 0).view(-1, 1, 1, 1)
        view, label = torch.where(without, scenes, view), label * ~without
        view = photographed(view, rngs, chance)
        keeps_black = self._some(rngs, 0.8, lambda rng: 1.0).view(-1, 1, 1, 1) > 0
        view = view * ~(black & (label == 0) & ~without & keeps_black)
        return view.clamp(0, 1), self._softened(label, found, belief, self.believed[shown].view(-1, 1, 1, 1) & ~without, zooms)

    def _some(self, rngs: list[np.random.Generator], share: float, value: Callable[[np.random.Generator], float]) -> torch.Tensor:
        """[N]: for that share of the views a value, 0 for the others. Both are drawn for each, so that no choice moves the next one."""
        drawn = [(rng.random() < share, value(rng)) for rng in rngs]
        return torch.tensor([float(chosen) * float(number) for chosen, number in drawn], dtype=torch.float32, device=self.device)

    def _repainted(self, view: torch.Tensor, label: torch.Tensor, rngs: list[np.random.Generator], chance: torch.Generator) -> torch.Tensor:
        """Eschar over about all of a wound, or another tissue over a part of it."""
        shares, colours = [], []
        for rng in rngs:
            draw, level, part = rng.random(), rng.uniform(0.03, 0.2), rng.uniform(0.3, 0.8)
            tissue = np.clip(np.array(TISSUE_COLOURS[rng.integers(len(TISSUE_COLOURS))]) + rng.normal(0, 0.05, 3), 0.02, 0.95)
            eschar = draw < self.recipe.eschar_share
            shares.append(1.0 if eschar else part if draw < self.recipe.eschar_share + 0.25 else 0.0)
            colours.append(np.array([level * 1.06, level, level * 0.97]) if eschar else tissue)
        return repaint(view, label, view.new_tensor(np.array(colours)), view.new_tensor(shares), chance)

    def _with_things(self, view: torch.Tensor, label: torch.Tensor, rngs: list[np.random.Generator]) -> tuple[torch.Tensor, torch.Tensor]:
        """A ruler, a card or cloth on a quarter of the views, unless it hid the wound."""
        chosen = self._some(rngs, 0.25, lambda rng: 1 + rng.integers(len(self.banks.things))).long()
        thing = F.interpolate(self.banks.things[(chosen - 1).clamp(min=0)], size=view.shape[2:], mode="bilinear", align_corners=False)
        hidden = thing[:, 3:] * (chosen > 0).view(-1, 1, 1, 1)
        share = (label * hidden).sum((1, 2, 3)) / label.sum((1, 2, 3)).clamp(min=1)
        hidden = hidden * (share <= MOST_HIDDEN).view(-1, 1, 1, 1)
        return view * (1 - hidden) + thing[:, :3] * (hidden > 0), label * (hidden <= 0.5)

    def _with_small_wounds(self, view: torch.Tensor, label: torch.Tensor, rngs: list[np.random.Generator], zooms: list[float]) -> tuple[torch.Tensor, torch.Tensor]:
        """One small wound of another picture where the view has the light of its own skin, in the light of that place."""
        if not len(self.banks.wounds):
            return view, label
        side = view.shape[-1]
        picks, warps, wanted = [], [], []
        for rng, zoom in zip(rngs, zooms, strict=True):
            pick, area = int(rng.integers(len(self.banks.wounds))), math.exp(rng.uniform(*(math.log(px) for px in PASTED_AREA_PX)))
            extent = zoom * math.sqrt(area / self.banks.wound_share[pick]) / side
            angle, places = rng.uniform(-math.pi, math.pi), rng.uniform(-0.85, 0.85, (PASTE_TRIES, 2))
            turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]) / max(extent, 0.02)
            picks.append(pick)
            warps.append(np.concatenate([np.broadcast_to(turn, (PASTE_TRIES, 2, 2)), -(turn @ places.T).T[..., None]], -1))
            wanted.append(rng.random() < self.recipe.small_wound_share and extent < 0.5)
        tries = torch.tensor(np.array(warps), dtype=torch.float32, device=self.device)
        laid, best = self._best_place(view, label, self.banks.wounds[picks], tries, torch.tensor(wanted, device=self.device))
        cover = laid[:, 4:] * best.view(-1, 1, 1, 1)
        ring = cover * (1 - laid[:, 3:4])
        light = _mean_where(view, ring) / _mean_where(laid[:, :3], ring)
        return view * (1 - cover) + (laid[:, :3] * light).clamp(0, 1) * cover, torch.where(cover > 0.5, torch.maximum(laid[:, 3:4].round(), label), label)

    def _best_place(self, view: torch.Tensor, label: torch.Tensor, wounds: torch.Tensor, tries: torch.Tensor, wanted: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The wounds laid at the first place that has the light of the skin beside the view's own wound, and whether there is one."""
        near = F.max_pool2d(label, 19, 1, 9)
        skin = _mean_where(view, near - label).log()
        laid, done = torch.zeros(len(view), 5, *view.shape[2:], device=self.device), ~wanted | (label.sum((1, 2, 3)) == 0)
        placed = torch.zeros_like(done)
        for attempt in range(PASTE_TRIES):
            grid = F.affine_grid(tries[:, attempt], [len(view), 5, *view.shape[2:]], align_corners=False)
            here = F.grid_sample(wounds, grid, mode="bilinear", padding_mode="zeros", align_corners=False)
            cover = here[:, 4:]
            darkest = (view.sum(1, keepdim=True) + (cover == 0) * 3).amin((1, 2, 3))
            apart = _mean_where(view, cover).log() - skin
            light = apart.mean(1, keepdim=True)
            alike = (light.abs().amax((1, 2, 3)) < math.log(MOST_LIGHT_APART)) & ((apart - light).abs().amax((1, 2, 3)) < MOST_TINT_APART)
            fits = ~done & (cover.sum((1, 2, 3)) > 0) & ((cover * label).sum((1, 2, 3)) == 0) & (darkest > DARK) & alike
            laid = torch.where(fits.view(-1, 1, 1, 1), here, laid)
            done, placed = done | fits, placed | fits
        return laid, placed

    def _softened(self, label: torch.Tensor, found: torch.Tensor, belief: torch.Tensor, believed: torch.Tensor, zooms: list[float]) -> torch.Tensor:
        """Rims that rise over as many pixels of the picture; where nothing was drawn, a share of it is belief."""
        rims = [round(self.recipe.rim_px * zoom) for zoom in zooms]
        softened = torch.stack([soften(one, rim) for one, rim in zip(label, rims, strict=True)])
        changed = F.max_pool2d((label != found).float(), 2 * max(rims, default=0) + 3, 1, max(rims, default=0) + 1)
        share = self.recipe.belief_share * believed * (1 - changed)
        return softened + share * (belief - softened)


def _mean_where(view: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Mean colour [N, 3, 1, 1] where the weight is."""
    return ((view * weight).sum((2, 3), keepdim=True) / weight.sum((2, 3), keepdim=True).clamp(min=1e-6)).clamp(min=0.02)
