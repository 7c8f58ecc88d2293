"""What the teachers believe of pictures that nobody labelled: the mean over all that are finished, as they are and mirrored.

    python -m wound_segmentation.beliefs --images DIR --runs runs/folds --out runs/beliefs/NAME

Of a labelled picture the driver of the folds has written it: the outline of the one teacher that never saw it.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from .folds import FOLDS, Fold, outlined_by
from .network import WoundSegmentationNet
from .starting_weights import load_average
from .teacher import is_finished
from .train import CHECKPOINT


def finished_teachers(runs: Path, device: torch.device) -> list[WoundSegmentationNet]:
    folds = [Fold(index, runs, None) for index in range(FOLDS)]
    return [load_average(fold.run / CHECKPOINT).to(device).eval() for fold in folds if is_finished(fold.run)]


def believe(photo: Image.Image, teachers: list[WoundSegmentationNet], device: torch.device) -> np.ndarray:
    """Wound probability of each pixel of the photo, 0 to 1."""
    return np.mean([outlined_by(teacher, photo, device) for teacher in teachers], axis=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=Path, required=True, help="folder of WebP pictures")
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="git-ignored folder; gets ID.png, 8 bits")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_num_threads(arguments.threads)
    teachers = finished_teachers(arguments.runs, device)
    if not teachers:
        raise SystemExit(f"No teacher below {arguments.runs} is finished: run wound_segmentation.folds first.")
    arguments.out.mkdir(parents=True, exist_ok=True)
    files = sorted(arguments.images.glob("*.webp"))
    for file in files:
        believed = believe(Image.open(file).convert("RGB"), teachers, device)
        Image.fromarray(np.round(believed * 255).astype(np.uint8)).save(arguments.out / f"{file.stem}.png")
    print(f"{len(files)} pictures, {len(teachers)} of {FOLDS} teachers")


if __name__ == "__main__":
    main()
