"""How well a tissue network tells the classes of labelled crops apart."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from PIL import Image
from torch.nn import functional as F

from wound_segmentation.augmentation import Picture
from wound_segmentation.evaluate import letterbox
from wound_segmentation.network import WoundSegmentationNet
from wound_segmentation.train import normalise

from .dataset import CLASSES

INPUT_SIDE = 256
BED = (CLASSES.index("slough"), CLASSES.index("granulation"))


@torch.no_grad()
def probabilities(network: WoundSegmentationNet, photo: torch.Tensor) -> torch.Tensor:
    """[classes, H, W], read as the service reads it: fitted into the frame, probabilities brought back."""
    network.eval()
    picture = Image.fromarray(photo.permute(1, 2, 0).numpy())
    canvas, (left, top, width, height) = letterbox(picture, INPUT_SIDE, INPUT_SIDE, Image.Resampling.BILINEAR)
    values = normalise(torch.from_numpy(np.array(canvas, np.float32) / 255).permute(2, 0, 1)[None])
    probability = network(values)[0].softmax(1)[..., top : top + height, left : left + width]
    return F.interpolate(probability, size=photo.shape[1:], mode="bilinear", align_corners=False)[0]


def count(network: WoundSegmentationNet, pictures: Iterable[Picture]) -> np.ndarray:
    """Confusion in pixels: rows the label, columns what was found."""
    confusion = np.zeros((len(CLASSES), len(CLASSES)), np.int64)
    for photo, planes, *_ in pictures:
        found = probabilities(network, photo).argmax(0).numpy()
        truth = torch.cat([1 - planes.amax(0, keepdim=True), planes]).argmax(0).numpy()
        np.add.at(confusion, (truth.ravel(), found.ravel()), 1)
    return confusion


def figures_of(confusion: np.ndarray) -> dict[str, float]:
    """Pooled Dice for each tissue, their mean and that of the wound bed as a whole; and the share of the bed's pixels, found as bed, that have the right tissue."""
    hits = np.diag(confusion)
    dice = 2 * hits / (confusion.sum(0) + confusion.sum(1))
    in_both = confusion[np.ix_(BED, BED)]
    bed = 2 * in_both.sum() / (confusion[list(BED)].sum() + confusion[:, list(BED)].sum())
    figures = {name: dice[index] for index, name in enumerate(CLASSES) if index > 0}
    figures |= {"mean": dice[1:].mean(), "wound_bed": bed, "tissue_agreement_in_bed": np.trace(in_both) / in_both.sum()}
    return {name: round(float(value), 4) for name, value in figures.items()}
