"""What a tissue network believes of crops that nobody labelled: one picture a crop, its channels the probability of each tissue."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from PIL import Image

from wound_segmentation.augmentation import Picture
from wound_segmentation.network import WoundSegmentationNet

from .dataset import read_photo
from .judge import probabilities


def write_beliefs(network: WoundSegmentationNet, unlabelled: Path, out: Path) -> None:
    """Of every crop as it is and mirrored, averaged. One that is there is kept, so that a sitting that was ended goes on where it was."""
    out.mkdir(parents=True, exist_ok=True)
    for file in sorted(unlabelled.glob("*.webp")):
        kept = out / f"{file.stem}.png"
        if kept.exists():
            continue
        photo = read_photo(file)
        believed = (probabilities(network, photo) + probabilities(network, photo.flip(2)).flip(2)) / 2
        picture = Image.fromarray((believed[1:] * 255).round().byte().permute(1, 2, 0).numpy())
        picture.save(kept.with_suffix(".new"), "PNG")
        kept.with_suffix(".new").rename(kept)


def believed_pictures(unlabelled: Path, beliefs: list[Path]) -> list[Picture]:
    """Each crop with the likeliest class of each pixel and with the mean of the beliefs in the folders `beliefs`, 0 to 255."""
    return [_picture(file, [folder / f"{file.stem}.png" for folder in beliefs]) for file in sorted(unlabelled.glob("*.webp"))]


def _picture(photo: Path, beliefs: list[Path]) -> Picture:
    mean = np.mean([np.array(Image.open(file), np.float32) for file in beliefs], 0)
    belief = torch.from_numpy(mean).permute(2, 0, 1)
    likeliest = torch.cat([255 - belief.sum(0, keepdim=True), belief]).argmax(0)
    planes = torch.stack([likeliest == index + 1 for index in range(len(belief))]).to(torch.uint8)
    return read_photo(photo), planes, belief.round().to(torch.uint8).contiguous()
