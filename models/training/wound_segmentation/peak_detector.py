"""How well the peak of a wound map alone says whether there is a wound.

    python -m wound_segmentation.peak_detector --data DATA --model ../wound-segmentation-fast-0.5.0 --positives ../heldout-fuseg.txt
    python -m wound_segmentation.peak_detector --data DATA --runs runs/folds

`DATA` holds fuseg, medetec-560, medetec-other and fuseg-unlabelled. Of the teachers each picture is judged by one that never saw it.
The peak is the 99.9th percentile, as the service reads it for the photo's confidence, and one of fewer pixels. The threshold is the
highest that keeps the wanted share of labelled wounds; stated is the share of pictures without one below it.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from PIL import Image

from .evaluate import predict_probability
from .folds import FOLDS, Data, Fold, outlined_by, predicted_step
from .label_review import REVIEW_FILE, Review
from .out_of_fold import SEEN_SIDE_PX
from .starting_weights import load_average
from .student import read_list
from .teacher import read_description
from .train import CHECKPOINT
from .wound_free import WoundFree, drawn_scenes, read_wound_free

# Of a picture of 512 by 512 pixels the first leaves out the 262 highest, the second 52.
PERCENTILES = (99.9, 99.98)
# Labelled wounds of so many pixels of the picture as the network sees it count as large; of those and of smaller ones so many are to be found.
LARGE_PX = 600
LARGE_SENSITIVITY = 0.99
SMALL_SENSITIVITY = 0.97
# Stated beside it: what the outlines' own threshold would do.
HALF = 0.5
DRAWN = 100
DRAWN_SEED = 3
DRAWN_GROUP = "drawn"
# Wound probability of each pixel of a picture that belongs to a fold.
Outline = Callable[[Image.Image, int], np.ndarray]
# By percentile.
Peaks = dict[float, float]


@dataclass(frozen=True)
class Positive:
    """A labelled picture: the area of its label, as the network sees it, and what the detector makes of it."""

    name: str
    seen_area_px: float
    peaks: Peaks

    @property
    def large(self) -> bool:
        return self.seen_area_px >= LARGE_PX


@dataclass(frozen=True)
class Negative:
    """A picture without an open wound, its groups in the report, and what the detector makes of it."""

    name: str
    groups: tuple[str, ...]
    peaks: Peaks


def peaks(probability: np.ndarray) -> Peaks:
    return {percentile: float(np.percentile(probability, percentile)) for percentile in PERCENTILES}


def highest_threshold(large: list[float], small: list[float]) -> float:
    """That leaves so many of the large and of the small wounds at or above it as is wanted."""
    wanted = [(sorted(large), LARGE_SENSITIVITY), (sorted(small), SMALL_SENSITIVITY)]
    return min(scores[int(round((1 - share) * len(scores), 6))] for scores, share in wanted if scores)


def groups_of(one: WoundFree) -> tuple[str, ...]:
    form = "whole photos" if one.box is None else "windows"
    return (form, f"{form}, {one.kind}", *(["windows, hard"] if one.hard else []))


def report(positives: list[Positive], negatives: list[Negative], percentile: float) -> dict[str, object]:
    """Thresholds, the shares of wounds that they find, and by group the share of pictures without a wound that lie below them."""
    sizes = {name: [p.peaks[percentile] for p in positives if p.large == large] for name, large in (("large", True), ("small", False))}
    thresholds = {"": highest_threshold(sizes["large"], sizes["small"]), "OfLarge": highest_threshold(sizes["large"], []), "AtHalf": HALF}
    judged = [n for n in negatives if n.groups != (DRAWN_GROUP,)]
    groups = {"all judged by eye": judged}
    for group in sorted({group for n in negatives for group in n.groups}):
        groups[group] = [n for n in negatives if group in n.groups]
    return {
        "threshold": round(thresholds[""], 4),
        "thresholdOfLarge": round(thresholds["OfLarge"], 4),
        "positives": {size: sensitivity(scores, thresholds) for size, scores in sizes.items() if scores},
        "areaUnderCurve": area_under_curve(sizes["large"] + sizes["small"], [n.peaks[percentile] for n in judged]),
        "negatives": {group: specificity([n.peaks[percentile] for n in of_group], thresholds) for group, of_group in groups.items()},
    }


def sensitivity(scores: list[float], thresholds: dict[str, float]) -> dict[str, float]:
    shares = {f"sensitivity{name}": round(float(np.mean([score >= limit for score in scores])), 4) for name, limit in thresholds.items()}
    return {"pictures": len(scores)} | shares


def specificity(scores: list[float], thresholds: dict[str, float]) -> dict[str, float]:
    shares = {f"specificity{name}": round(float(np.mean([score < limit for score in scores])), 3) for name, limit in thresholds.items()}
    return {"pictures": len(scores)} | shares


def area_under_curve(positives: list[float], negatives: list[float]) -> float:
    """How often a wound scores higher than a picture without one; a tie counts half."""
    others = np.array(negatives)
    return round(float(np.mean([(others < score).mean() + (others == score).mean() / 2 for score in positives])), 4)


def read_positives(data: Data, names: Iterable[str], review: Review, probability: Callable[[str], np.ndarray]) -> list[Positive]:
    """Pictures with a label that nobody called wrong."""
    positives = []
    for name in names:
        label = data.label(name)
        if label.any() and not review.leaves_out(name):
            area = float(label.sum()) * (SEEN_SIDE_PX / max(label.shape)) ** 2
            positives.append(Positive(name, area, peaks(probability(name))))
    return positives


def read_negatives(root: Path, outline: Outline, judged_by: Callable[[WoundFree], int | None]) -> list[Negative]:
    """Those that some network may judge, and drawn scenes."""
    negatives = []
    for one in read_wound_free(root):
        network = judged_by(one)
        if network is not None:
            negatives.append(Negative(one.name, groups_of(one), peaks(outline(Image.fromarray(one.load(root)), network))))
    for number, scene in enumerate(drawn_scenes(DRAWN, DRAWN_SEED)):
        negatives.append(Negative(f"{DRAWN_GROUP}/{number}", (DRAWN_GROUP,), peaks(outline(Image.fromarray(scene), 0))))
    return negatives


def of_model(root: Path, data: Data, model: Path, names: list[str], review: Review) -> tuple[list[Positive], list[Negative]]:
    manifest = json.loads((model / "manifest.json").read_text())
    session = onnxruntime.InferenceSession(str(model / manifest["file"]), providers=["CPUExecutionProvider"])

    def outline(photo: Image.Image, _network: int) -> np.ndarray:
        return predict_probability(session, manifest, photo)

    positives = read_positives(data, names, review, lambda name: outline(data.photo(name), 0))
    return positives, read_negatives(root, outline, lambda _one: 0)


def of_teachers(root: Path, data: Data, runs: Path, review: Review) -> tuple[list[Positive], list[Negative]]:
    """Held-out pictures of the folds that are there. What no teacher was trained on is dealt among those that are finished."""
    folds = [fold for fold in (Fold(index, runs, None) for index in range(FOLDS)) if predicted_step(fold)]
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    networks = [load_average(fold.run / CHECKPOINT).to(device).eval() for fold in folds]
    files = {name: fold.run / "out-of-fold" / f"{name}.png" for fold in folds for name in read_description(fold.run)["held_out"]}
    place = {fold.index: number for number, fold in enumerate(folds)}

    def judged_by(one: WoundFree) -> int | None:
        return place.get(one.fold) if one.set in ("fuseg", "medetec-560") else one.fold % len(folds)

    def outline(photo: Image.Image, network: int) -> np.ndarray:
        return outlined_by(networks[network], photo, device)

    positives = read_positives(data, sorted(files), review, lambda name: np.asarray(Image.open(files[name])) / 255)
    return positives, read_negatives(root, outline, judged_by)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds fuseg, medetec-560, medetec-other and fuseg-unlabelled")
    judged = parser.add_mutually_exclusive_group(required=True)
    judged.add_argument("--model", type=Path, help="exported model")
    judged.add_argument("--runs", type=Path, help="the teachers' folder")
    parser.add_argument("--positives", type=Path, help="with --model: list of FUSeg pictures that it never saw")
    parser.add_argument("--list", type=Path, help="also write the peaks of every picture there, highest first")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    data, review = Data(arguments.data / "fuseg", arguments.data / "medetec-560"), Review.read(REVIEW_FILE)
    if arguments.model and not arguments.positives:
        parser.error("--model wants --positives: which pictures it never saw")
    if arguments.model:
        positives, negatives = of_model(arguments.data, data, arguments.model, sorted(read_list(arguments.positives)), review)
    else:
        positives, negatives = of_teachers(arguments.data, data, arguments.runs, review)
    print(json.dumps({str(percentile): report(positives, negatives, percentile) for percentile in PERCENTILES}, indent=1))
    if arguments.list:
        scored = [(p.peaks, p.name, f"wound of {p.seen_area_px:.0f} px") for p in positives] + [(n.peaks, n.name, "; ".join(n.groups)) for n in negatives]
        scored.sort(key=lambda row: -row[0][PERCENTILES[0]])
        lines = ["\t".join([name, what, *(f"{found[percentile]:.4f}" for percentile in PERCENTILES)]) for found, name, what in scored]
        arguments.list.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
