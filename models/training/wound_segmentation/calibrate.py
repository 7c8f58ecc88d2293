"""Lets a model say how sure it is: fits bounds, confidence, repeatability and the novelty threshold, and writes them into its manifest.

    python -m wound_segmentation.calibrate --fuseg DIR --medetec DIR --runs runs/folds --looks runs/seen --model ../wound-segmentation-fast-0.8.0

All but the novelty, which is the exported model's own, is read from the teachers' outlines of pictures that they never saw. Whether it
holds for the exported model is judged by the gateway's own evaluation on pictures kept aside, never here.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import onnxruntime
from PIL import Image

from .bounds import fit_bounds
from .dataset import split_by_group
from .evaluate import predict_all
from .folds import Data
from .found_outlines import FoundOutline, SeenPicture, seen_pictures
from .label_review import REVIEW_FILE, Review
from .logistic import fit_logistic, logit, sigmoid
from .looks import PEAK_SHARE, Looks
from .onnx_folder import add_to_manifest
from .retakes import repeatability_pct

# Novelty that this share of the known pictures stays below.
FAMILIAR_SHARE = 0.975
# Confidence is judged by fitting on all parts but one, which groups are dealt into, and looking at that one.
PARTS = 10
BINS = 10


def confidence_features(outlines: list[FoundOutline]) -> np.ndarray:
    return np.array([[logit(outline.mean_probability), np.log(outline.area_share)] for outline in outlines])


def expected_calibration_error(stated: np.ndarray, outcome: np.ndarray) -> float:
    """Mean difference between what is stated and the share that was right, in bins of equal width."""
    bins = np.minimum(BINS - 1, (stated * BINS).astype(int))
    return float(sum(abs(stated[bins == i].mean() - outcome[bins == i].mean()) * (bins == i).mean() for i in np.unique(bins)))


def confidence_out_of_fold(outlines: list[FoundOutline]) -> np.ndarray:
    """Of each outline, by a calibration that saw no picture of its group."""
    groups, matches = np.array([outline.group for outline in outlines]), np.array([outline.matches for outline in outlines], float)
    features, stated = confidence_features(outlines), np.zeros(len(outlines))
    dealt = np.random.default_rng(1).permutation(np.unique(groups))
    for part in (np.isin(groups, dealt[start::PARTS]) for start in range(PARTS)):
        weights = fit_logistic(features[~part], matches[~part])
        stated[part] = sigmoid(weights[0] + features[part] @ weights[1:])
    return stated


def fit_confidence(pictures: list[SeenPicture], looks: Looks) -> dict[str, object]:
    outlines = [outline for picture in pictures for outline in picture.outlines]
    matches = np.array([outline.matches for outline in outlines], float)
    wound = fit_logistic(confidence_features(outlines), matches)
    peaks = [(float(np.quantile(picture.probability, PEAK_SHARE)), bool(picture.label.any())) for picture in pictures]
    peaks += [(peak, False) for picture in pictures if (peak := looks.window_peak(picture.shown.fold, picture.shown.name)) is not None]
    photo = fit_logistic(logit(np.array([[peak] for peak, _ in peaks])), np.array([present for _, present in peaks], float))
    return {
        "wound": dict(zip(("intercept", "meanLogit", "logAreaShare"), wound.round(4).tolist(), strict=True)),
        "photo": dict(zip(("intercept", "peakLogit"), photo.round(4).tolist(), strict=True)),
        "expectedCalibrationError": round(expected_calibration_error(confidence_out_of_fold(outlines), matches), 3),
    }


def fit_repeatability(pictures: list[SeenPicture], looks: Looks) -> float:
    """Of photos whose wound is found; where a retake finds nothing there is no area that could be compared."""
    found = [picture.shown for picture in pictures if any(outline.matches for outline in picture.outlines)]
    retaken = [areas for shown in found if (areas := looks.retaken_areas(shown.fold, shown.name)) is not None and areas.min() > 0]
    return round(repeatability_pct(retaken), 1)


def fit_novelty(model: Path, fuseg: Path, others: Path | None) -> dict[str, float]:
    """Of the exported model itself; nothing where it has no such output."""
    manifest = json.loads((model / "manifest.json").read_text())
    if "novelty" not in manifest["output"]:
        return {}
    session = onnxruntime.InferenceSession(str(model / manifest["file"]), providers=["CPUExecutionProvider"])
    known = [fuseg / "images" / f"{picture}.webp" for picture in split_by_group(fuseg).validation]
    if others:
        every = sorted(others.glob("*.webp"))
        known += every[:: max(1, len(every) // len(known))]
    novelty = [predict_all(session, manifest, Image.open(photo).convert("RGB"))[1] for photo in known]
    return {"noveltyThreshold": round(float(np.quantile(novelty, FAMILIAR_SHARE)), 4)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fuseg", type=Path, required=True)
    parser.add_argument("--medetec", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--looks", type=Path, required=True)
    parser.add_argument("--review", type=Path, default=REVIEW_FILE, help="labels that are wrong")
    parser.add_argument("--known", type=Path, help="photos of other wounds that the model was trained on")
    parser.add_argument("--model", type=Path, required=True)
    arguments = parser.parse_args()
    looks = Looks(arguments.looks)
    pictures = seen_pictures(Data(arguments.fuseg, arguments.medetec), arguments.runs, Review.read(arguments.review))
    fitted = {
        "areaRepeatabilityPct": fit_repeatability(pictures, looks),
        "bounds": fit_bounds(pictures),
        "confidence": fit_confidence(pictures, looks),
        **fit_novelty(arguments.model, arguments.fuseg, arguments.known),
    }
    add_to_manifest(arguments.model, fitted)
    print(json.dumps({"pictures": len(pictures), "outlines": sum(len(picture.outlines) for picture in pictures)} | fitted, indent=2))


if __name__ == "__main__":
    main()
