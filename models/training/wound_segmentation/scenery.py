"""What a ward's photo shows and FUSeg's do not: dead and pale tissue in the wound, rulers, cards and cloth beside it."""

from __future__ import annotations

import math

import numpy as np
import torch
from PIL import Image, ImageDraw
from torch.nn import functional as F

# Mean RGB of tissue that the training photos rarely show: dry eschar, moist necrosis, slough, fibrin, pale granulation.
TISSUE_COLOURS = (
    (0.10, 0.08, 0.08),
    (0.24, 0.15, 0.11),
    (0.72, 0.64, 0.42),
    (0.80, 0.74, 0.60),
    (0.78, 0.56, 0.50),
)
CLOTH_COLOURS = ((0.16, 0.36, 0.52), (0.18, 0.45, 0.38), (0.85, 0.86, 0.86), (0.55, 0.70, 0.80), (0.35, 0.35, 0.38), (0.70, 0.25, 0.28))
# Pieces of cloth with dark spots on them.
STAINED_SHARE = 0.3
# A pasted thing that would hide more than this share of the wound is left out: the photo is of the wound.
MOST_HIDDEN = 0.15
# A wound that covers more than this share of the view does not grow: some skin has to be seen beside it.
MOST_GROWN = 0.3


def soft_field(rng: np.random.Generator, size: int, cells: int) -> torch.Tensor:
    """A smooth random field [size, size] of zero mean, with about `cells` bumps along a side."""
    coarse = torch.from_numpy(rng.standard_normal((1, 1, cells, cells), dtype=np.float32))
    return F.interpolate(coarse, size=(size, size), mode="bicubic", align_corners=False)[0, 0]


def repaint_tissue(view: torch.Tensor, label: torch.Tensor, rng: np.random.Generator) -> torch.Tensor:
    """Colours part of the wound like another tissue and keeps its texture. view [3, H, W], label [1, H, W]."""
    if float(label.sum()) < 50:
        return view
    size = view.shape[-1]
    colour = torch.tensor(TISSUE_COLOURS[rng.integers(len(TISSUE_COLOURS))], dtype=torch.float32)
    colour = (colour + torch.from_numpy(rng.normal(0, 0.05, 3)).float()).clamp(0.02, 0.95).view(3, 1, 1)
    field = soft_field(rng, size, int(rng.integers(4, 14))) + float(rng.normal(0.4, 0.7))
    inside = F.avg_pool2d(label[None], 5, 1, 2)[0]
    alpha = torch.sigmoid(field * float(rng.uniform(4, 12)))[None] * inside * float(rng.uniform(0.55, 0.95))
    grey = view.mean(0, keepdim=True)
    level = (grey * label).sum() / label.sum()
    texture = (grey / level.clamp(min=0.05)).clamp(0.3, 2.0) ** float(rng.uniform(0.5, 1.2))
    return view * (1 - alpha) + colour * texture * alpha


def paint_eschar(view: torch.Tensor, label: torch.Tensor, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Makes one black crust of the wound and of some skin around it, which then is wound as well. view [3, H, W], label [1, H, W]."""
    area = float(label.sum())
    if area < 50:
        return view, label
    size = view.shape[-1]
    label = _grown(view, label, rng, reach=round(float(rng.uniform(0, 0.6)) * math.sqrt(area / math.pi)))
    level, tint = float(rng.uniform(0.03, 0.2)), float(rng.normal(0.06, 0.1))
    colour = torch.tensor((level * (1 + tint), level, level * (1 - tint / 2)), dtype=torch.float32).view(3, 1, 1)
    grain = soft_field(rng, size, int(rng.integers(size // 12, size // 3)))[None] * level * float(rng.uniform(0.05, 0.5))
    grey = view.mean(0, keepdim=True)
    own = grey - (grey * label).sum() / label.sum()
    crust = colour + grain + own * float(rng.uniform(0, 0.25))
    alpha = F.avg_pool2d(label[None], 5, 1, 2)[0] * float(rng.uniform(0.85, 1))
    if rng.random() < 0.4:
        # A part has come off.
        alpha = alpha * torch.sigmoid(soft_field(rng, size, int(rng.integers(4, 12))) * 6 + float(rng.uniform(1, 6)))[None]
    return (view * (1 - alpha) + crust * alpha).clamp(0, 1), label


def dilated(label: torch.Tensor, reach_px: int) -> torch.Tensor:
    """Boolean [K, H, W]: all within a square of that reach of the label. Means of rows, then of columns, are faster than a maximum."""
    side = 2 * reach_px + 1
    rows = F.avg_pool2d(label[None], (1, side), 1, (0, reach_px))
    return F.avg_pool2d(rows, (side, 1), 1, (reach_px, 0))[0] > 0


def _grown(view: torch.Tensor, label: torch.Tensor, rng: np.random.Generator, *, reach: int) -> torch.Tensor:
    """The label with what is around it and has the colour of what lies next to it: skin, not the room behind."""
    if reach < 2 or float(label.mean()) > MOST_GROWN:
        return label
    near = dilated(label, reach).float()
    beside = (dilated(label, 4).float() - label)[0] > 0
    if not beside.any():
        return label
    skin = view[:, beside].median(1).values.view(3, 1, 1)
    alike = ((view - skin).abs().amax(0, keepdim=True) < 0.22).float()
    wanted = torch.maximum(label, near * alike)
    ragged = F.avg_pool2d(wanted[None], 9, 1, 4)[0] + soft_field(rng, view.shape[-1], int(rng.integers(8, 30)))[None] * 0.1
    return torch.maximum(label, (ragged > 0.5).float())


def paste_thing(view: torch.Tensor, label: torch.Tensor, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Lays a ruler, a card or a piece of cloth on the photo. What it hides is no wound any more."""
    size = view.shape[-1]
    kind = rng.choice(["ruler", "card", "cloth"])
    shape = _cloth_outline(rng, size) if kind == "cloth" else _rectangle(rng, size, ruler=kind == "ruler")
    cover = Image.new("L", (size, size))
    ImageDraw.Draw(cover).polygon(shape, fill=255)
    hidden = torch.from_numpy(np.asarray(cover, np.float32) / 255)[None]
    wound = float(label.sum())
    if wound > 0 and float((label * hidden).sum()) > MOST_HIDDEN * wound:
        return view, label
    surface = _cloth(rng, size) if kind == "cloth" else _printed(rng, size, shape, ruler=kind == "ruler")
    return view * (1 - hidden) + surface * hidden, label * (1 - (hidden > 0.5).float())


def _rectangle(rng: np.random.Generator, size: int, *, ruler: bool) -> list[tuple[float, float]]:
    length = rng.uniform(0.5, 1.4) * size if ruler else rng.uniform(0.12, 0.35) * size
    width = rng.uniform(0.06, 0.16) * size if ruler else length * rng.uniform(0.5, 1)
    angle = rng.uniform(0, 2 * math.pi)
    centre = rng.uniform(0, size, 2)
    along = np.array([math.cos(angle), math.sin(angle)])
    across = np.array([-along[1], along[0]])
    corners = [centre + along * length / 2 * i + across * width / 2 * j for i, j in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
    return [(float(x), float(y)) for x, y in corners]


def _cloth_outline(rng: np.random.Generator, size: int) -> list[tuple[float, float]]:
    """A wavy half-plane that comes in from one side."""
    depth = rng.uniform(0.05, 0.35) * size
    steps = np.linspace(-0.3 * size, 1.3 * size, 12)
    edge = depth + np.cumsum(rng.normal(0, 0.03 * size, len(steps)))
    angle = rng.uniform(0, 2 * math.pi)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    points = np.concatenate([np.stack([steps, edge], 1), [[1.3 * size, -size], [-0.3 * size, -size]]])
    turned = (points - size / 2) @ turn.T + size / 2
    return [(float(x), float(y)) for x, y in turned]


def _cloth(rng: np.random.Generator, size: int) -> torch.Tensor:
    colour = torch.tensor(CLOTH_COLOURS[rng.integers(len(CLOTH_COLOURS))], dtype=torch.float32).view(3, 1, 1)
    folds = soft_field(rng, size, int(rng.integers(3, 9)))[None] * float(rng.uniform(0.03, 0.15))
    cloth = (colour * float(rng.uniform(0.7, 1.15)) + folds).clamp(0, 1)
    return _stained(cloth, rng) if rng.random() < STAINED_SHARE else cloth


def _stained(cloth: torch.Tensor, rng: np.random.Generator) -> torch.Tensor:
    """With dark spots: a hole, a pen, a drop. As black as eschar, and no wound."""
    size = cloth.shape[-1]
    sheet = Image.new("L", (size, size))
    draw = ImageDraw.Draw(sheet)
    for _ in range(int(rng.integers(1, 6))):
        centre, radii = rng.uniform(0, size, 2), rng.uniform(0.01, 0.08, 2) * size
        draw.ellipse([*(centre - radii), *(centre + radii)], fill=255)
    cover = F.avg_pool2d(torch.from_numpy(np.array(sheet, np.float32) / 255)[None, None], 5, 1, 2)[0]
    dark = torch.from_numpy(rng.uniform(0.02, 0.25, 3)).float().view(3, 1, 1)
    return cloth * (1 - cover) + dark * cover


def _printed(rng: np.random.Generator, size: int, shape: list[tuple[float, float]], *, ruler: bool) -> torch.Tensor:
    """White or coloured paper; a ruler with its marks, a card with some patches."""
    paper = tuple(int(v) for v in rng.uniform(190, 255, 3)) if rng.random() < 0.8 else tuple(int(v) for v in rng.uniform(60, 255, 3))
    sheet = Image.new("RGB", (size, size), paper)
    draw = ImageDraw.Draw(sheet)
    corners = np.array(shape)
    if ruler:
        start, end, depth = corners[3], corners[0], corners[2] - corners[3]
        marks = int(rng.integers(12, 60))
        for mark in range(marks):
            foot = start + (end - start) * mark / marks
            head = foot + depth * (0.5 if mark % 5 == 0 else 0.28)
            draw.line([*foot, *head], fill=(25, 25, 30), width=int(rng.integers(1, 3)))
    else:
        for _ in range(int(rng.integers(0, 6))):
            corner = corners.min(0) + rng.uniform(0, 1, 2) * (corners.max(0) - corners.min(0))
            extent = rng.uniform(0.02, 0.08, 2) * size
            draw.rectangle([*corner, *(corner + extent)], fill=tuple(int(v) for v in rng.uniform(0, 255, 3)))
    return torch.from_numpy(np.asarray(sheet, np.float32) / 255).permute(2, 0, 1) * float(rng.uniform(0.75, 1.05))


def no_skin(size: int, rng: np.random.Generator) -> torch.Tensor:
    """A picture of anything but skin: cloth, paper, a printed page, tiles, noise, a blurred room."""
    kind = rng.choice(["cloth", "page", "tiles", "noise", "room"])
    if kind == "cloth":
        return _cloth(rng, size)
    if kind == "page":
        return _printed_page(rng, size)
    if kind == "tiles":
        sheet = Image.new("RGB", (size, size), _cold_colour(rng))
        draw = ImageDraw.Draw(sheet)
        step = int(rng.integers(size // 12, size // 3))
        for x in range(0, size, step):
            for y in range(0, size, step):
                if rng.random() < 0.5:
                    draw.rectangle([x, y, x + step - 2, y + step - 2], fill=_cold_colour(rng))
        return torch.from_numpy(np.asarray(sheet, np.float32) / 255).permute(2, 0, 1)
    if kind == "noise":
        grain = soft_field(rng, size, int(rng.integers(30, size // 2)))[None] * float(rng.uniform(0.05, 0.25))
        return (torch.tensor(_cold_colour(rng), dtype=torch.float32).view(3, 1, 1) / 255 + grain).clamp(0, 1)
    planes = torch.stack([soft_field(rng, size, int(rng.integers(3, 10))) for _ in range(3)])
    colour = torch.tensor(_cold_colour(rng), dtype=torch.float32).view(3, 1, 1) / 255
    return (colour + planes.mean(0) * 0.2 + planes * 0.05).clamp(0, 1)


def _cold_colour(rng: np.random.Generator) -> tuple[int, int, int]:
    """Grey, white, blue, green or violet: no hue that skin or a wound may have."""
    grey = rng.uniform(20, 250)
    tint = rng.uniform(0, 110) if rng.random() < 0.6 else 0
    red = grey - tint
    return tuple(int(np.clip(v, 0, 255)) for v in (red, grey - rng.uniform(0, 0.6) * tint, grey + rng.uniform(-0.3, 0.4) * tint))


def _printed_page(rng: np.random.Generator, size: int) -> torch.Tensor:
    paper = int(rng.integers(190, 255))
    sheet = Image.new("RGB", (size, size), (paper, paper, paper - int(rng.integers(0, 25))))
    draw = ImageDraw.Draw(sheet)
    line_height = int(rng.integers(5, 18))
    for y in range(int(rng.integers(0, 40)), size, line_height * 2):
        x = int(rng.integers(0, 40))
        while x < size - 20:
            word = int(rng.integers(6, 50))
            draw.rectangle([x, y, x + word, y + line_height * 0.6], fill=(int(rng.integers(0, 90)),) * 3)
            x += word + int(rng.integers(3, 10))
    return torch.from_numpy(np.asarray(sheet, np.float32) / 255).permute(2, 0, 1)
