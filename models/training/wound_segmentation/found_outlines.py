"""The outlines in each fold's held-out pictures beside their labels: what bounds, confidence and trust are fitted on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image
from scipy import ndimage

from .dataset import picture_groups
from .folds import FOLDS, Data, Fold, predicted_step
from .label_review import Review
from .out_of_fold import SEEN_SIDE_PX, SERIES_FILE, THRESHOLD, joined, read_series
from .teacher import read_description

MATCH_IOU = 0.5
MIN_AREA_SHARE = 0.0003
# Pairs of cuts between which the border may lie.
CUTS = {"0.25 to 0.75": (0.25, 0.75), "0.1 to 0.9": (0.1, 0.9), "0.4 to 0.6": (0.4, 0.6)}


@dataclass(frozen=True)
class Shown:
    """Which picture: its name, its fold, the number of its group, and whether its label is wrong."""

    name: str
    fold: int
    group: int
    wrong_label: bool


@dataclass(frozen=True)
class FoundOutline(Shown):
    """One outline. Areas are in pixels of a picture whose longer side is 512; an expert's pixels belong to the outline they are nearest to."""

    area_px: float
    labelled_px: float
    area_share: float
    mean_probability: float
    matches: bool
    # Largest and least area between each pair of `CUTS`.
    cut_px: dict[str, tuple[float, float]]
    # Area by view, where a map of each view is at hand.
    view_px: dict[str, float]

    @property
    def log_ratio(self) -> float:
        return float(np.log(self.labelled_px / self.area_px))


@dataclass(frozen=True)
class SeenPicture:
    """A held-out picture: its map (mean of the shipped views), its label and its outlines."""

    shown: Shown
    probability: np.ndarray
    label: np.ndarray
    outlines: list[FoundOutline]


def outlines_in(shown: Shown, probability: np.ndarray, label: np.ndarray, views: dict[str, np.ndarray]) -> list[FoundOutline]:
    found, count = ndimage.label(probability > THRESHOLD)
    if count == 0:
        return []
    nearest = ndimage.distance_transform_edt(found == 0, return_distances=False, return_indices=True)
    territory = found[tuple(nearest)]
    seen = (SEEN_SIDE_PX / max(label.shape)) ** 2
    outlines = []
    for index in range(1, count + 1):
        mine, own = found == index, territory == index
        if mine.sum() < MIN_AREA_SHARE * mine.size:
            continue
        expert = label & own
        outlines.append(
            FoundOutline(
                **vars(shown),
                area_px=float(mine.sum() * seen),
                labelled_px=float(expert.sum() * seen),
                area_share=float(mine.mean()),
                mean_probability=float(probability[mine].mean()),
                matches=bool((mine & expert).sum() >= MATCH_IOU * (mine | expert).sum()),
                cut_px={cuts: (float(reached(probability, mine, own, least) * seen), float((mine & (probability > most)).sum() * seen)) for cuts, (least, most) in CUTS.items()},
                view_px={view: float(((probability_of_view > THRESHOLD) & own).sum() * seen) for view, probability_of_view in views.items()},
            )
        )
    return outlines


def reached(probability: np.ndarray, mine: np.ndarray, own: np.ndarray, least: float) -> int:
    """Pixels above `least` that are joined to the outline and nearer to it than to another."""
    regions, _ = ndimage.label((probability > least) & own)
    joined_to = np.unique(regions[mine])
    return int(np.isin(regions, joined_to[joined_to > 0]).sum())


def groups_of(data: Data) -> dict[str, int]:
    """Pictures of one wound, at several visits too, have one number."""
    every = joined(picture_groups(data.fuseg, "fuseg"), read_series(SERIES_FILE)) + picture_groups(data.medetec, "medetec")
    return {name: number for number, group in enumerate(every) for name in group}


def seen_pictures(data: Data, runs: Path, review: Review, views_of: Callable[[int, str], dict[str, np.ndarray]] | None = None) -> list[SeenPicture]:
    """Of all folds whose held-out pictures are outlined. `views_of` gives the maps of single views, by fold and name."""
    groups = groups_of(data)
    pictures = []
    for fold in (Fold(index, runs, None) for index in range(FOLDS)):
        for name in read_description(fold.run)["held_out"] if predicted_step(fold) else []:
            probability = np.asarray(Image.open(fold.run / "out-of-fold" / f"{name}.png"), np.float32) / 255
            label = data.label(name)
            views = views_of(fold.index, name) if views_of else {}
            shown = Shown(name, fold.index, groups[name], review.leaves_out(name))
            pictures.append(SeenPicture(shown, probability, label, outlines_in(shown, probability, label, views)))
    return pictures
