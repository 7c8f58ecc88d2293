"""What the teachers' outlines of pictures that they never saw are worth, over all folds that are there, with intervals.

    python -m wound_segmentation.out_of_fold --fuseg DIR --medetec DIR --runs runs/folds
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from .dataset import picture_groups
from .folds import FOLDS, Data, Fold, predicted_step
from .label_review import REVIEW_FILE, Review
from .teacher import read_description

SERIES_FILE = Path(__file__).parent.parent / "fuseg-series.txt"

THRESHOLD = 0.5
RESAMPLES = 2000
INTERVAL_PCT = (2.5, 97.5)
# Label areas in pixels of a picture whose longer side is 512, as the network sees it.
SIZE_CLASSES = {"under 600": (1, 600), "600 to 2,000": (600, 2000), "2,000 to 6,000": (2000, 6000), "6,000 and more": (6000, 10**9)}
SEEN_SIDE_PX = 512


@dataclass(frozen=True)
class Outlined:
    """One picture: pixels labelled, outlined and both, and the label's area as the network saw it."""

    name: str
    labelled: int
    found: int
    overlap: int
    seen_area_px: float

    @property
    def dice(self) -> float:
        return 2 * self.overlap / (self.labelled + self.found)


def read_series(file: Path) -> list[list[str]]:
    """Pictures of one wound at several visits. Folds do not keep them apart; intervals do, and figures are stated apart."""
    lines = [line.split() for line in file.read_text().splitlines() if line.strip() and not line.startswith("#")]
    return [[f"fuseg/{picture}" for picture in line] for line in lines]


def joined(groups: list[list[str]], series: list[list[str]]) -> list[list[str]]:
    """Groups of which pictures stand in one series become one."""
    of_picture = {name: index for index, names in enumerate(series) for name in names}
    made: dict[tuple[str, int], list[str]] = {}
    for index, group in enumerate(groups):
        known = [of_picture[name] for name in group if name in of_picture]
        made.setdefault(("series", known[0]) if known else ("group", index), []).extend(group)
    return list(made.values())


def outlined(name: str, data: Data, file: Path) -> Outlined:
    label = data.label(name)
    found = np.asarray(Image.open(file)) > THRESHOLD * 255
    seen = label.sum() * (SEEN_SIDE_PX / max(label.shape)) ** 2
    return Outlined(name, int(label.sum()), int(found.sum()), int((label & found).sum()), float(seen))


def pooled_dice(pictures: list[Outlined]) -> float:
    return 2 * sum(p.overlap for p in pictures) / max(1, sum(p.labelled + p.found for p in pictures))


def mean_dice(pictures: list[Outlined]) -> float:
    """Over pictures with a label."""
    return float(np.mean([p.dice for p in pictures if p.labelled])) if any(p.labelled for p in pictures) else float("nan")


def with_interval(figure, groups: list[list[Outlined]]) -> dict[str, object]:
    """The figure over all pictures, and its 95 % interval by drawing groups anew."""
    rng = np.random.default_rng(1)
    drawn = [figure([p for i in rng.integers(len(groups), size=len(groups)) for p in groups[i]]) for _ in range(RESAMPLES)]
    low, high = np.nanpercentile(drawn, INTERVAL_PCT)
    return {"value": round(figure([p for group in groups for p in group]), 4), "from": round(float(low), 4), "to": round(float(high), 4)}


def figures(groups: list[list[Outlined]]) -> dict[str, object]:
    """`groups`: pictures that show the same wound stand together."""
    pictures = [p for group in groups for p in group]
    empty = [p for p in pictures if not p.labelled]
    of_size = {}
    for name, (least, most) in SIZE_CLASSES.items():
        within = [[p for p in group if p.labelled and least <= p.seen_area_px < most] for group in groups]
        within = [group for group in within if group]
        if within:
            of_size[name] = {"pictures": sum(map(len, within)), "meanDice": with_interval(mean_dice, within), "missed": sum(p.found == 0 for g in within for p in g)}
    return {
        "pictures": len(pictures),
        "dataSetDice": with_interval(pooled_dice, groups),
        "meanDice": with_interval(mean_dice, groups),
        "precision": round(sum(p.overlap for p in pictures) / max(1, sum(p.found for p in pictures)), 4),
        "recall": round(sum(p.overlap for p in pictures) / max(1, sum(p.labelled for p in pictures)), 4),
        "emptyLabels": len(empty),
        "emptyOutlined": sum(p.found > 0 for p in empty),
        "byLabelAreaPx": of_size,
    }


def predicted_folds(runs: Path) -> list[Fold]:
    return [fold for fold in (Fold(index, runs, None) for index in range(FOLDS)) if predicted_step(fold)]


def outlined_out_of_fold(data: Data, runs: Path) -> dict[str, Outlined]:
    """Every held-out picture of the folds that are there, by name."""
    files = {name: fold.run / "out-of-fold" / f"{name}.png" for fold in predicted_folds(runs) for name in read_description(fold.run)["held_out"]}
    return {name: outlined(name, data, file) for name, file in files.items()}


def report_of(seen: dict[str, Outlined], data: Data, runs: Path, review: Review) -> dict[str, object]:
    series = read_series(SERIES_FILE)
    every = joined(picture_groups(data.fuseg, "fuseg"), series) + picture_groups(data.medetec, "medetec")
    groups = [[seen[name] for name in group if name in seen] for group in every]
    in_series = {name for names in series for name in names}
    kinds = {
        "all": lambda p: True,
        "fuseg": lambda p: p.name.startswith("fuseg/"),
        "fuseg, labels that are wrong left out": lambda p: p.name.startswith("fuseg/") and not review.leaves_out(p.name),
        "fuseg, wounds known from another visit": lambda p: p.name in in_series,
        "fuseg, other wounds": lambda p: p.name.startswith("fuseg/") and p.name not in in_series,
        "medetec": lambda p: p.name.startswith("medetec/"),
    }
    report: dict[str, object] = {"steps": {fold.index: predicted_step(fold) for fold in predicted_folds(runs)}}
    for name, belongs in kinds.items():
        chosen = [kept for kept in ([p for p in group if belongs(p)] for group in groups) if kept]
        if chosen:
            report[name] = figures(chosen)
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fuseg", type=Path, required=True)
    parser.add_argument("--medetec", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--review", type=Path, default=REVIEW_FILE)
    parser.add_argument("--worst", type=int, default=0, help="list so many pictures with the lowest Dice, too")
    arguments = parser.parse_args()
    data, review = Data(arguments.fuseg, arguments.medetec), Review.read(arguments.review)
    seen = outlined_out_of_fold(data, arguments.runs)
    print(json.dumps(report_of(seen, data, arguments.runs, review), indent=1))
    for p in sorted((p for p in seen.values() if p.labelled or p.found), key=lambda p: p.dice)[: arguments.worst]:
        print(f"{p.name}\t{p.dice:.3f}\tlabelled {p.labelled}\tfound {p.found}")


if __name__ == "__main__":
    main()
