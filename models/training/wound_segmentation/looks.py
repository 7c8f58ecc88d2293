"""What each fold's teacher sees that never saw it: photos taken anew, windows without a wound, other wounds, and view by view its held-out pictures.

    python -m wound_segmentation.looks --fuseg DIR --medetec DIR --runs runs/folds --looks runs/seen [--other MEDETEC_OTHER] [--every-view]

What confidence, bounds and familiarity are fitted on (`calibrate`, `bounds`, `familiarity`). What is there is not made again; delete a fold's folder after more training.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from .export import View
from .folds import Data
from .network import WoundSegmentationNet
from .quick_network import QuickNetwork
from .retakes import RETAKES, retake
from .starting_weights import load_average
from .teacher import read_description
from .train import CHECKPOINT
from .views import finished_folds, look
from .wound_free import fold_of_photo

# Shrunk to a side that the network's strides divide.
VIEWS = {"plain": View(1, mirrored=False), "mirrored": View(1, mirrored=True), "enlarged": View(1.25, mirrored=False), "shrunk": View(0.8125, mirrored=False)}
# What the shipped graph averages; only these are asked of a retake and of other wounds.
SHIPPED = ("plain", "mirrored")
# Of each fold so many pictures are taken anew.
RETAKEN = 40
# Pictures without a wound for the photo's confidence: windows of the photos that hold none.
WINDOW_SIDES = (192, 256, 320)
# Of them one for two photos: a photo without a wound is the exception.
WINDOWS_PER_PHOTO = 0.5
PEAK_SHARE = 0.999


@dataclass(frozen=True)
class Looks:
    """A folder of maps: wound probability of each pixel of the photo, 8 bits, in the photo's size."""

    folder: Path

    def file(self, fold: int, name: str, view: str) -> Path:
        return self.folder / f"fold-{fold}" / f"{name}@{view}.png"

    def retaken(self, fold: int, name: str) -> Path:
        """Areas outlined in the retakes, in pixels of the first photo."""
        return self.folder / f"fold-{fold}" / f"{name}@retakes.txt"

    def retaken_areas(self, fold: int, name: str) -> np.ndarray | None:
        file = self.retaken(fold, name)
        return np.loadtxt(file, ndmin=1) if file.exists() else None

    def window(self, fold: int, name: str) -> Path:
        """The peak of the map of a window without a wound; empty where the photo gives none."""
        return self.folder / f"fold-{fold}" / f"{name}@window.txt"

    def window_peak(self, fold: int, name: str) -> float | None:
        file = self.window(fold, name)
        text = file.read_text().strip() if file.exists() else ""
        return float(text) if text else None

    def has_seen(self, fold: int, name: str) -> bool:
        return all(self.file(fold, name, view).exists() for view in SHIPPED)

    def judged(self, photo: str) -> Path:
        """Of another wound, by the model whose outlines a person judged."""
        return self.folder / "judged" / "other" / f"{photo}.png"

    def read(self, fold: int, name: str, view: str) -> np.ndarray:
        return self.read_file(self.file(fold, name, view))

    def read_file(self, file: Path) -> np.ndarray:
        return np.asarray(Image.open(file), np.float32) / 255

    def mean(self, fold: int, name: str) -> np.ndarray:
        """As the shipped graph sees the photo."""
        return np.mean([self.read(fold, name, view) for view in SHIPPED], 0)

    def write(self, file: Path, probability: np.ndarray) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(np.round(probability * 255).astype(np.uint8)).save(file)


def look_at(network: WoundSegmentationNet, looks: Looks, fold: int, name: str, photo: Image.Image, views: Iterable[str]) -> None:
    for view in views:
        file = looks.file(fold, name, view)
        if not file.exists():
            looks.write(file, look(network, VIEWS[view], photo))


def look_again(network: WoundSegmentationNet, looks: Looks, fold: int, name: str, photo: Image.Image) -> None:
    """The outlined areas of the photo taken anew; a seed of its own for each picture, so that none depends on which others there are."""
    file = looks.retaken(fold, name)
    if file.exists():
        return
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    areas = []
    for again, enlarged in (retake(photo, rng) for _ in range(RETAKES)):
        seen = np.mean([look(network, VIEWS[view], again) for view in SHIPPED], 0)
        areas.append((seen > 0.5).sum() / enlarged)
    file.write_text(" ".join(f"{area:.1f}" for area in areas) + "\n")


def window_without_wound(photo: Image.Image, label: np.ndarray, rng: np.random.Generator) -> Image.Image | None:
    """A window that shows something and no labelled wound, for so many photos as WINDOWS_PER_PHOTO says."""
    if rng.random() > WINDOWS_PER_PHOTO:
        return None
    sides = [side for side in WINDOW_SIDES if side <= min(photo.size)]
    for _ in range(20):
        side = int(rng.choice(sides))
        left, top = (int(v) for v in rng.integers(0, np.array(photo.size) - side + 1))
        area = (left, top, left + side, top + side)
        shown = (np.asarray(photo.crop(area)).sum(2) > 24).mean() > 0.5
        if shown and not label[top : top + side, left : left + side].any():
            return photo.crop(area)
    return None


def look_beside(network: WoundSegmentationNet, looks: Looks, fold: int, name: str, photo: Image.Image, label: np.ndarray) -> None:
    file = looks.window(fold, name)
    if file.exists():
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    window = window_without_wound(photo, label, np.random.default_rng(zlib.crc32(name.encode())))
    file.write_text("" if window is None else f"{np.quantile(np.mean([look(network, VIEWS[view], window) for view in SHIPPED], 0), PEAK_SHARE):.5f}\n")


def unseen_others(photos: Iterable[Path], fold: int, shown_others: bool, folds: dict[str, int]) -> list[Path]:
    """The photos of other wounds that the fold's teacher never saw: where teachers are shown those of other folds, its own part alone."""
    return [photo for photo in photos if not shown_others or fold_of_photo(f"{photo.parent.name}/{photo.stem}", folds) == fold]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fuseg", type=Path, required=True)
    parser.add_argument("--medetec", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--looks", type=Path, required=True, help="folder of the maps (not committed)")
    parser.add_argument("--other", type=Path, help="photos without labels; each teacher looks at those that it never saw")
    parser.add_argument("--every-view", action="store_true", help="labelled pictures by each view, too: for the study of `bounds` alone")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    data, looks = Data(arguments.fuseg, arguments.medetec), Looks(arguments.looks)
    folds = {name: index for index, names in enumerate(data.folds()) for name in names}
    others = sorted(arguments.other.glob("*.webp")) if arguments.other else []
    for fold in finished_folds(arguments.runs):
        network, teacher = QuickNetwork(load_average(fold.run / CHECKPOINT), arguments.threads), read_description(fold.run)
        held_out = teacher["held_out"]
        for name in held_out:
            look_at(network, looks, fold.index, name, data.photo(name), VIEWS if arguments.every_view else ())
            look_beside(network, looks, fold.index, name, data.photo(name), data.label(name))
        for name in held_out[:: max(1, len(held_out) // RETAKEN)]:
            look_again(network, looks, fold.index, name, data.photo(name))
        for photo in unseen_others(others, fold.index, teacher.get("medetec_other", False), folds):
            look_at(network, looks, fold.index, f"other/{photo.stem}", Image.open(photo).convert("RGB"), SHIPPED)


if __name__ == "__main__":
    main()
