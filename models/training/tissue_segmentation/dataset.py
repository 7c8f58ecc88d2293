"""Reads DFUTissue and divides it into folds, once and reproducibly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from PIL import Image

from wound_segmentation.dataset import fold_of

CLASSES = ("background", "slough", "granulation", "callus")
FOLDS = 5
FOLD_SEED = "sutura-tissue-1"


def read_ids(folder: Path) -> list[str]:
    return sorted(path.stem for path in (folder / "images").glob("*.webp"))


def tissue_fold(picture: str) -> int:
    return fold_of(picture, FOLDS, FOLD_SEED)


def load_pictures(folder: Path, ids: list[str]) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Photos as uint8 [3, H, W] (RGB) with one plane of 0 or 1 for each class but the background, uint8 [3, H, W]."""
    pictures = []
    for picture in ids:
        photo = np.array(Image.open(folder / "images" / f"{picture}.webp").convert("RGB"))
        classes = np.array(Image.open(folder / "masks" / f"{picture}.png"))
        planes = np.stack([classes == index for index in range(1, len(CLASSES))]).astype(np.uint8)
        pictures.append((torch.from_numpy(photo).permute(2, 0, 1).contiguous(), torch.from_numpy(planes)))
    return pictures
