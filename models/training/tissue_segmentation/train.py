"""Trains the tissue network: cross-validated over five folds, then once on every picture. Starts from a wound network's weights.

    python -m tissue_segmentation.train --data DIR --start-from runs/…/checkpoint.pt --run runs/tissue [--folds 0 1]
"""

from __future__ import annotations

import argparse
import json
import math
import os
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch.nn import functional as F

from wound_segmentation.augmentation import Augmenter, Recipe
from wound_segmentation.evaluate import letterbox
from wound_segmentation.network import WoundSegmentationNet
from wound_segmentation.starting_weights import load_average
from wound_segmentation.train import normalise

from .dataset import CLASSES, FOLDS, load_pictures, read_ids, tissue_fold

INPUT_SIDE = 256
RECIPE = Recipe(scenery=False, colour=0.6, zoom=(0.6, 1.3), close_up_zoom=(1.3, 1.8), close_up_share=0.25, nominal_side=INPUT_SIDE)
PEAK_LEARNING_RATE = 1e-3
BATCH = 8
EMA_DECAY = 0.99
BED = (CLASSES.index("slough"), CLASSES.index("granulation"))


def make_network(start_from: Path | None) -> WoundSegmentationNet:
    network = WoundSegmentationNet(outputs=len(CLASSES))
    if start_from is not None:
        weights = load_average(start_from).state_dict()
        # All but the two outputs, which have another number of planes.
        network.load_state_dict({name: weights[name] if name.partition(".")[0] not in ("head", "auxiliary") else value for name, value in network.state_dict().items()})
    return network


def tissue_loss(logits: torch.Tensor, planes: torch.Tensor) -> torch.Tensor:
    """Cross entropy + Dice over the batch for each tissue. planes: [N, 3, H, W] without the background."""
    truth = torch.cat([1 - planes.amax(1, keepdim=True), planes], 1)
    entropy = F.cross_entropy(logits, truth.argmax(1))
    probability = logits.softmax(1)[:, 1:]
    overlap = (probability * planes).sum((0, 2, 3))
    size = probability.sum((0, 2, 3)) + planes.sum((0, 2, 3))
    return entropy + (1 - (2 * overlap + 1) / (size + 1)).mean()


@torch.no_grad()
def predict(network: WoundSegmentationNet, photo: torch.Tensor) -> np.ndarray:
    """Class of each pixel of the photo, read as the service reads it: fitted into the frame, probabilities brought back."""
    picture = Image.fromarray(photo.permute(1, 2, 0).numpy())
    canvas, (left, top, width, height) = letterbox(picture, INPUT_SIDE, INPUT_SIDE, Image.Resampling.BILINEAR)
    values = normalise(torch.from_numpy(np.array(canvas, np.float32) / 255).permute(2, 0, 1)[None])
    probability = network(values)[0].softmax(1)[..., top : top + height, left : left + width]
    return F.interpolate(probability, size=photo.shape[1:], mode="bilinear", align_corners=False).argmax(1)[0].numpy()


def fit(pictures: list[tuple[torch.Tensor, torch.Tensor]], start_from: Path | None, steps: int, seed: int) -> WoundSegmentationNet:
    """The averaged network after so many batches."""
    torch.manual_seed(seed)
    network = make_network(start_from).to(memory_format=torch.channels_last)
    average = torch.optim.swa_utils.AveragedModel(network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(EMA_DECAY), use_buffers=True)
    optimiser = torch.optim.AdamW(network.parameters(), lr=PEAK_LEARNING_RATE, weight_decay=0.05)
    augment = Augmenter(INPUT_SIDE - 32, seed, RECIPE)
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = PEAK_LEARNING_RATE * min(1.0, (step + 1) / 30) * max(0.01, 0.5 * (1 + math.cos(math.pi * step / steps)))
        chosen = torch.randint(len(pictures), (BATCH,)).tolist()
        views, planes = augment([pictures[i] for i in chosen])
        network.train()
        loss = tissue_loss(network(normalise(views).contiguous(memory_format=torch.channels_last))[0], planes)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()
        average.update_parameters(network)
    print(json.dumps({"steps": steps, "loss": round(float(loss.detach()), 4)}), flush=True)
    return average.module.eval()


def count(network: WoundSegmentationNet, pictures: list[tuple[torch.Tensor, torch.Tensor]]) -> np.ndarray:
    """Confusion: rows the label, columns what was found; and beside it the same with background and callus as one: no wound bed."""
    confusion = np.zeros((len(CLASSES), len(CLASSES)), np.int64)
    for photo, planes in pictures:
        found = predict(network, photo)
        truth = torch.cat([1 - planes.amax(0, keepdim=True), planes]).argmax(0).numpy()
        np.add.at(confusion, (truth.ravel(), found.ravel()), 1)
    return confusion


def dice_of(confusion: np.ndarray) -> dict[str, float]:
    """Pooled Dice for each tissue, their mean, and that of the wound bed as a whole."""
    hits = np.diag(confusion)
    dice = 2 * hits / (confusion.sum(0) + confusion.sum(1))
    bed_hits = confusion[np.ix_(BED, BED)].sum()
    bed = 2 * bed_hits / (confusion[list(BED)].sum() + confusion[:, list(BED)].sum())
    figures = {name: round(float(dice[index]), 4) for index, name in enumerate(CLASSES) if index > 0}
    return figures | {"mean": round(float(dice[1:].mean()), 4), "wound_bed": round(float(bed), 4)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True, help="folder for weights and figures (not committed)")
    parser.add_argument("--start-from", type=Path)
    parser.add_argument("--steps", type=int, default=300, help="batches of each training")
    parser.add_argument("--folds", type=int, nargs="*", default=list(range(FOLDS)), help="folds to hold out in turn; none: only the training on all")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    arguments.run.mkdir(parents=True, exist_ok=True)
    ids = read_ids(arguments.data)
    pictures = dict(zip(ids, load_pictures(arguments.data, ids), strict=True))
    for fold in arguments.folds:
        # A fold that is done is kept, so that a training that was ended goes on where it was.
        done = arguments.run / f"fold-{fold}.json"
        if not done.exists():
            network = fit([pictures[i] for i in ids if tissue_fold(i) != fold], arguments.start_from, arguments.steps, seed=10 + fold)
            done.write_text(json.dumps(count(network, [pictures[i] for i in ids if tissue_fold(i) == fold]).tolist()))
        folds = sorted(arguments.run.glob("fold-*.json"))
        confusion = np.sum([np.array(json.loads(path.read_text()), np.int64) for path in folds], 0)
        (arguments.run / "confusion.json").write_text(json.dumps({"folds_so_far": len(folds), "confusion": confusion.tolist(), "dice": dice_of(confusion)}))
        print(json.dumps({"fold": fold, "dice_so_far": dice_of(confusion)}), flush=True)
    network = fit(list(pictures.values()), arguments.start_from, arguments.steps, seed=1)
    torch.save({"average": network.state_dict()}, arguments.run / "checkpoint.pt")


if __name__ == "__main__":
    main()
