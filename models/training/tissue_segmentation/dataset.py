"""Reads DFUTissue and divides it into folds, once and reproducibly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from PIL import Image

from wound_segmentation.augmentation import Picture
from wound_segmentation.dataset import fold_of

CLASSES = ("background", "slough", "granulation", "callus")
FOLDS = 5
FOLD_SEED = "sutura-tissue-1"


def read_ids(folder: Path) -> list[str]:
    return sorted(path.stem for path in (folder / "images").glob("*.webp"))


def tissue_fold(picture: str) -> int:
    return fold_of(picture, FOLDS, FOLD_SEED)


def read_photo(file: Path) -> torch.Tensor:
    """uint8 [3, H, W] (RGB)."""
    return torch.from_numpy(np.array(Image.open(file).convert("RGB"))).permute(2, 0, 1).contiguous()


def load_pictures(folder: Path, ids: list[str]) -> dict[str, Picture]:
    """Photos with one plane of 0 or 1 for each class but the background, uint8 [3, H, W]."""
    pictures: dict[str, Picture] = {}
    for picture in ids:
        classes = np.array(Image.open(folder / "masks" / f"{picture}.png"))
        planes = np.stack([classes == index for index in range(1, len(CLASSES))]).astype(np.uint8)
        pictures[picture] = (read_photo(folder / "images" / f"{picture}.webp"), torch.from_numpy(planes))
    return pictures
