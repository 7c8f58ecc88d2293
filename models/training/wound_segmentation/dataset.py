"""Reads the FUSeg training part and divides it, once and reproducibly, into train, validation and held-out pictures."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from PIL import Image

SPLIT_SEED = "sutura-fuseg-1"
VALIDATION_COUNT = 40
HELD_OUT_COUNT = 120


@dataclass(frozen=True)
class Split:
    """Picture ids of one division of the data. A group of near-duplicates never stands on two sides."""

    train: list[str]
    validation: list[str]
    held_out: list[str]


def read_groups(folder: Path) -> list[list[str]]:
    """Groups of picture ids that show the same photo; a picture without duplicates is a group of its own."""
    ids = sorted(path.stem for path in (folder / "images").glob("*.webp"))
    listed = [line.split() for line in (folder / "near-duplicates.txt").read_text().splitlines() if line.strip()]
    grouped = {picture for group in listed for picture in group}
    known = set(ids)
    groups = [[picture for picture in group if picture in known] for group in listed]
    return [group for group in groups if group] + [[picture] for picture in ids if picture not in grouped]


def split_by_group(folder: Path) -> Split:
    """Orders the groups by a hash of the fixed seed and the group's first id, so that the division survives added pictures."""

    def rank(group: list[str]) -> str:
        return hashlib.sha256(f"{SPLIT_SEED}:{group[0]}".encode()).hexdigest()

    held_out: list[str] = []
    validation: list[str] = []
    train: list[str] = []
    for group in sorted(read_groups(folder), key=rank):
        if len(held_out) < HELD_OUT_COUNT:
            held_out += group
        elif len(validation) < VALIDATION_COUNT:
            validation += group
        else:
            train += group
    return Split(sorted(train), sorted(validation), sorted(held_out))


def load_pictures(folder: Path, ids: list[str]) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Photos as uint8 [3, H, W] (RGB) with masks as uint8 [1, H, W] (0 or 1), each in its own size."""
    pictures = []
    for picture in ids:
        photo = np.array(Image.open(folder / "images" / f"{picture}.webp").convert("RGB"))
        mask = np.array(Image.open(folder / "masks" / f"{picture}.png").convert("L"))
        pictures.append((torch.from_numpy(photo).permute(2, 0, 1).contiguous(), torch.from_numpy((mask > 127).astype(np.uint8))[None]))
    return pictures


def fold_of(picture: str, folds: int, seed: str) -> int:
    """A picture's place in a cross-validation: the same on every machine and whatever other pictures there are."""
    return int(hashlib.sha256(f"{seed}:{picture}".encode()).hexdigest(), 16) % folds


@dataclass(frozen=True)
class ExtraPictures:
    """A further labelled folder (images/, masks/) in the training, each picture so many times; one of its folds may be held out."""

    folder: Path
    times: int
    held_out_fold: int | None
    folds: int

    @classmethod
    def parse(cls, text: str) -> ExtraPictures:
        """DIR, DIR:TIMES or DIR:TIMES:FOLD/FOLDS."""
        folder, _, rest = text.partition(":")
        times, _, fold = rest.partition(":")
        held_out, _, folds = fold.partition("/")
        return cls(Path(folder), int(times or 1), int(held_out) if fold else None, int(folds or 1))

    def ids(self, held_out: bool) -> list[str]:
        every = sorted(path.stem for path in (self.folder / "masks").glob("*.png"))
        return [i for i in every if (fold_of(i, self.folds, self.folder.name) == self.held_out_fold) == held_out]

    def load(self) -> list[tuple[torch.Tensor, torch.Tensor]]:
        return load_pictures(self.folder, self.ids(held_out=False)) * self.times


FOLDS_SEED = "sutura-folds-1"
# Medetec's names before the hyphen are one wound over time.
SERIES_MARK = "-"


def folds_by_group(fuseg: Path, medetec: Path, folds: int) -> list[list[str]]:
    """The labelled pictures of both folders, as `fuseg/ID` and `medetec/ID`, dealt out into so many folds.

    Groups (near-duplicates, and one wound over time) are ordered by a hash of the fixed seed and dealt one by one, each folder for
    itself, so that each fold has its share of both.
    """
    dealt: list[list[str]] = [[] for _ in range(folds)]
    for groups in (picture_groups(fuseg, "fuseg"), picture_groups(medetec, "medetec")):
        ordered = sorted(groups, key=lambda group: hashlib.sha256(f"{FOLDS_SEED}:{group[0]}".encode()).hexdigest())
        for place, group in enumerate(ordered):
            dealt[place % folds] += group
    return [sorted(fold) for fold in dealt]


def picture_groups(folder: Path, name: str) -> list[list[str]]:
    """Groups that stay on one side of a division, each picture as `name/ID`."""
    if (folder / "near-duplicates.txt").exists():
        return [[f"{name}/{picture}" for picture in group] for group in read_groups(folder)]
    series: dict[str, list[str]] = {}
    for path in sorted((folder / "images").glob("*.webp")):
        series.setdefault(path.stem.partition(SERIES_MARK)[0], []).append(f"{name}/{path.stem}")
    return list(series.values())
