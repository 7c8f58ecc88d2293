"""Pictures without an open wound: photos and windows of photos judged by eye, and drawn scenes.

The lists hold ids and figures only: `wound-free-windows.tsv`, what `medetec-other-review.tsv` calls healed, skin, dressing or object,
and the pictures of FUSeg whose empty label is right (`label-review.tsv`).
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from PIL import Image, ImageDraw

from .dataset import FOLDS_SEED, fold_of
from .folds import FOLDS, Data
from .label_review import OTHER_REVIEW_FILE, REVIEW_FILE, WITHOUT_WOUND
from .scenery import no_skin, paste_thing

WINDOWS_FILE = Path(__file__).parent.parent / "wound-free-windows.tsv"
SETS = ("fuseg", "medetec-560", "medetec-other", "fuseg-unlabelled")
# closed: skin that is ill, and closed. skin: skin without a mark that matters.
KINDS = ("skin", "toes", "callus", "healed", "closed", "dressing", "cloth", "object", "scene")
# What the review of the other wounds calls ill and closed skin.
REVIEW_KINDS = {"skin": "closed"}
HARD = "hard"
# A photo that stands in two sets, cut otherwise.
SAME_PHOTO = {"medetec-other/pressure-ulcer-images-a--pressure-ulcer-on-foot-0049": "medetec/0029"}
# A scene that was drawn: one in so many is of one colour, one in so many has coloured shapes on it.
BLANK_EVERY = 8
SHAPES_EVERY = 4

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class WoundFree:
    """A photo (`box` is none) or a window of it: left, top, width, height in its pixels. `hard`: model 0.5.0 took something for a wound."""

    set: str
    id: str
    kind: str
    box: Box | None = None
    hard: bool = False
    fold: int = 0

    @property
    def name(self) -> str:
        """Of the photo; labelled pictures are called as in the folds."""
        return f"{'medetec' if self.set == 'medetec-560' else self.set}/{self.id}"

    def load(self, data: Path) -> np.ndarray:
        """uint8 [H, W, 3], RGB. `data`: the folder that holds the sets."""
        photo = Image.open(photo_file(data, self.set, self.id)).convert("RGB")
        if self.box is not None:
            left, top, width, height = self.box
            photo = photo.crop((left, top, left + width, top + height))
        return np.array(photo)


def photo_file(data: Path, set_: str, picture: str) -> Path:
    return data / set_ / f"{picture}.webp" if set_ == "medetec-other" else data / set_ / "images" / f"{picture}.webp"


def read_wound_free(data: Path) -> list[WoundFree]:
    """All that is listed, each with its fold: windows, then whole photos."""
    folds = {name: fold for fold, names in enumerate(Data(data / "fuseg", data / "medetec-560").folds()) for name in names}
    listed = read_windows(WINDOWS_FILE) + reviewed_others(OTHER_REVIEW_FILE) + right_empty_labels(REVIEW_FILE, data)
    return [WoundFree(one.set, one.id, one.kind, one.box, one.hard, fold_of_photo(one.name, folds)) for one in listed]


def fold_of_photo(name: str, folds: dict[str, int]) -> int:
    """A labelled picture's own fold; the others are dealt by a hash of their series."""
    known = SAME_PHOTO.get(name, name)
    return folds[known] if known in folds else fold_of(series_of(name), FOLDS, FOLDS_SEED)


def series_of(name: str) -> str:
    """What the photos of one case have in common: up to `case-N`, else all but the number at the end. FUSeg's numbers are a photo each."""
    case = re.match(r".*?case-?\d+", name)
    return case[0] if case else re.sub(r"(?<=\D)-*\d+(-\d+)?$", "", name) if name.startswith("medetec-other/") else name


def _rows(file: Path) -> list[list[str]]:
    with file.open(newline="") as lines:
        return [row for row in csv.reader(lines, delimiter="\t") if row and not row[0].startswith("#")]


def read_windows(file: Path) -> list[WoundFree]:
    """Columns set, id, x, y, width, height, kind, note; the first line names them."""
    windows = []
    for row in _rows(file)[1:]:
        set_, picture, x, y, width, height, kind, note = row
        if set_ not in SETS or kind not in KINDS:
            raise SystemExit(f"{file}: unknown set or kind: {row}")
        windows.append(WoundFree(set_, picture, kind, (int(x), int(y), int(width), int(height)), note.startswith(HARD)))
    return windows


def reviewed_others(file: Path) -> list[WoundFree]:
    return [WoundFree("medetec-other", name, REVIEW_KINDS.get(shows, shows)) for name, shows, *_ in _rows(file) if shows in WITHOUT_WOUND]


def right_empty_labels(file: Path, data: Path) -> list[WoundFree]:
    """Pictures of FUSeg with an empty label that a person called right: callus without a break, or healed skin."""
    found = []
    for name, verdict, reason in _rows(file):
        set_, _, picture = name.partition("/")
        if set_ == "fuseg" and verdict == "right" and not np.asarray(Image.open(data / "fuseg" / "masks" / f"{picture}.png")).any():
            found.append(WoundFree("fuseg", picture, "callus" if "callus" in reason else "healed"))
    return found


def drawn_scenes(count: int, seed: int, size: int = 512) -> list[np.ndarray]:
    """So many scenes without skin, uint8 [size, size, 3]: cloth, pages, tiles, noise, rooms, with rulers, cards and coloured shapes on them."""
    rng = np.random.default_rng(seed)
    return [_drawn(number, size, rng) for number in range(count)]


def _drawn(number: int, size: int, rng: np.random.Generator) -> np.ndarray:
    if number % BLANK_EVERY == BLANK_EVERY - 1:
        return np.full((size, size, 3), rng.integers(0, 256, 3), np.uint8)
    scene = no_skin(size, rng)
    if rng.random() < 0.5:
        scene, _ = paste_thing(scene, torch.zeros(1, size, size), rng)
    picture = (scene.clamp(0, 1).permute(1, 2, 0).numpy() * 255).round().astype(np.uint8)
    return _with_shapes(picture, rng) if number % SHAPES_EVERY == 0 else picture


def _with_shapes(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Discs and rectangles of any colour, red ones too: no skin beside them, so no wound."""
    sheet = Image.fromarray(picture)
    draw = ImageDraw.Draw(sheet)
    size = picture.shape[0]
    for _ in range(int(rng.integers(1, 5))):
        centre, radii = rng.uniform(0.1, 0.9, 2) * size, rng.uniform(0.03, 0.2, 2) * size
        colour = tuple(int(v) for v in rng.integers(0, 256, 3)) if rng.random() < 0.5 else (int(rng.integers(110, 230)), *(int(v) for v in rng.integers(10, 80, 2)))
        shape = draw.ellipse if rng.random() < 0.6 else draw.rectangle
        shape([*(centre - radii), *(centre + radii)], fill=colour)
    return np.array(sheet)
