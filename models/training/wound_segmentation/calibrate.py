"""Lets a model say how sure it is: fits bounds, confidence and the novelty threshold on the validation pictures, into the manifest.

    python -m wound_segmentation.calibrate --data DIR --model ../wound-segmentation-fast-0.2.0

What is fitted here is judged on the held-out pictures by the gateway's own evaluation, never here.
"""

from __future__ import annotations

import argparse
import io
import json
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
from PIL import Image, ImageEnhance
from scipy import ndimage

from .dataset import split_by_group
from .evaluate import predict_all

COVERAGE = 0.9
# Fitted on some 35 outlines alone, a band without it held only 74 % of the areas on the held-out pictures.
LEAST_FLOOR_PCT = 40.0
# Novelty that this share of the validation pictures stays below.
FAMILIAR_SHARE = 0.975
# Pictures without a wound for the photo's confidence: windows of the validation photos that hold none.
WINDOW_SIDES = (192, 256, 320)
# Of them one for two photos: a photo without a wound is the exception.
WINDOWS_PER_PHOTO = 0.5
# A photo taken anew: nearer or farther, turned, lighter or darker, saved with another quality.
RETAKES = 5
RETAKE_ZOOM = 0.12
RETAKE_TURN_DEGREES = 12
RETAKE_LIGHT = 0.12
MATCH_IOU = 0.5
SLACK = 1e-4


@dataclass(frozen=True)
class Outline:
    """One found wound: what its confidence is read from, and the areas between which the expert's should lie."""

    mean_probability: float
    area_share: float
    matches: bool
    labelled_px: float
    found_px: float
    probabilities: np.ndarray


def logit(value: np.ndarray | float) -> np.ndarray:
    clipped = np.clip(value, SLACK, 1 - SLACK)
    return np.log(clipped / (1 - clipped))


def outlines_of(probability: np.ndarray, label: np.ndarray, manifest: dict) -> list[Outline]:
    found, count = ndimage.label(probability > manifest["threshold"])
    if count == 0:
        return []
    nearest = ndimage.distance_transform_edt(found == 0, return_distances=False, return_indices=True)
    territory = found[tuple(nearest)]
    outlines = []
    for index in range(1, count + 1):
        mine = found == index
        if mine.sum() < manifest["minAreaShare"] * mine.size:
            continue
        expert = label & (territory == index)
        union = (mine | expert).sum()
        outlines.append(
            Outline(
                mean_probability=float(probability[mine].mean()),
                area_share=float(mine.mean()),
                matches=bool((mine & expert).sum() >= MATCH_IOU * union),
                labelled_px=float(expert.sum()),
                found_px=float(mine.sum()),
                probabilities=probability[territory == index],
            )
        )
    return outlines


def fit_logistic(features: np.ndarray, outcome: np.ndarray, ridge: float = 1.0) -> np.ndarray:
    """Intercept first. Newton's method with a ridge on the slopes."""
    design = np.column_stack([np.ones(len(features)), features])
    weights = np.zeros(design.shape[1])
    penalty = np.diag([0.0] + [ridge] * features.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-design @ weights))
        gradient = design.T @ (outcome - p) - penalty @ weights
        hessian = design.T @ (design * (p * (1 - p))[:, None]) + penalty + 1e-9 * np.eye(len(weights))
        weights += np.linalg.solve(hessian, gradient)
    return weights


def fit_bounds(outlines: list[Outline]) -> dict[str, float]:
    """The narrowest band, by the probabilities of its edges and a least half-width, that holds the expert's area often enough."""
    best: tuple[float, dict[str, float]] | None = None
    for edge in np.arange(0.2, 4.01, 0.2):
        inner, outer = 1 / (1 + np.exp(-edge)), 1 / (1 + np.exp(edge))
        areas = np.array([[(o.probabilities > inner).sum(), o.found_px, (o.probabilities > outer).sum(), o.labelled_px] for o in outlines], float)
        for floor in np.arange(LEAST_FLOOR_PCT, 60.1, 2):
            low = np.minimum(areas[:, 0], areas[:, 1] * (1 - floor / 100))
            high = np.maximum(areas[:, 2], areas[:, 1] * (1 + floor / 100))
            covered = ((areas[:, 3] >= low) & (areas[:, 3] <= high)).mean()
            width = float(((high - low) / areas[:, 1]).mean())
            if covered >= COVERAGE and (best is None or width < best[0]):
                best = (width, {"lowerThreshold": round(float(outer), 3), "upperThreshold": round(float(inner), 3), "floorPct": float(floor), "coverage": COVERAGE})
    if best is None:
        raise SystemExit("No band holds the experts' areas often enough: the model is too far from its labels.")
    return best[1]


def windows_without_wound(photo: Image.Image, label: np.ndarray, rng: np.random.Generator) -> list[Image.Image]:
    """At most one window that shows something and no labelled wound, for so many photos as WINDOWS_PER_PHOTO says."""
    if rng.random() > WINDOWS_PER_PHOTO:
        return []
    windows: list[Image.Image] = []
    for _ in range(20):
        side = int(rng.choice(WINDOW_SIDES))
        left, top = (int(v) for v in rng.integers(0, np.array(photo.size) - side + 1))
        area = (left, top, left + side, top + side)
        shown = (np.asarray(photo.crop(area)).sum(2) > 24).mean() > 0.5
        if shown and not label[top : top + side, left : left + side].any():
            windows.append(photo.crop(area))
            break
    return windows


def retake(photo: Image.Image, rng: np.random.Generator) -> tuple[Image.Image, float]:
    """The photo as if it had been taken again, and how much larger an area appears in it."""
    zoom = math.exp(rng.uniform(-RETAKE_ZOOM, RETAKE_ZOOM))
    turned = photo.rotate(rng.uniform(-RETAKE_TURN_DEGREES, RETAKE_TURN_DEGREES), Image.Resampling.BICUBIC)
    size = (round(photo.width * zoom), round(photo.height * zoom))
    lit = ImageEnhance.Brightness(turned.resize(size, Image.Resampling.BICUBIC)).enhance(1 + rng.uniform(-RETAKE_LIGHT, RETAKE_LIGHT))
    saved = io.BytesIO()
    lit.save(saved, "JPEG", quality=int(rng.integers(60, 95)))
    # Back on a canvas of the first size: the camera has the same number of pixels, however near it is.
    canvas = Image.new("RGB", photo.size)
    canvas.paste(Image.open(saved), ((photo.width - size[0]) // 2, (photo.height - size[1]) // 2))
    return canvas, zoom * zoom


def repeatability_pct(areas: list[np.ndarray]) -> float:
    """One standard deviation of an area within photos of the same wound, in %: root of the mean of their squared coefficients of variation."""
    return 100 * float(np.sqrt(np.mean([(a.std(ddof=1) / a.mean()) ** 2 for a in areas])))


def calibrate(data: Path, model: Path) -> dict[str, object]:
    manifest = json.loads((model / "manifest.json").read_text())
    session = onnxruntime.InferenceSession(str(model / manifest["file"]), providers=["CPUExecutionProvider"])
    rng = np.random.default_rng(7)
    outlines: list[Outline] = []
    peaks: list[tuple[float, bool]] = []
    novelty: list[float] = []
    retaken: list[np.ndarray] = []
    for picture in split_by_group(data).validation:
        photo = Image.open(data / "images" / f"{picture}.webp").convert("RGB")
        label = np.asarray(Image.open(data / "masks" / f"{picture}.png").convert("L")) > 127
        probability, away = predict_all(session, manifest, photo)
        novelty.append(away)
        found = outlines_of(probability, label, manifest)
        outlines += found
        if any(outline.matches for outline in found):
            areas = []
            for again, enlarged in (retake(photo, rng) for _ in range(RETAKES)):
                areas.append((predict_all(session, manifest, again)[0] > manifest["threshold"]).sum() / enlarged)
            # Where a retake finds nothing there is no area that could be compared.
            if min(areas) > 0:
                retaken.append(np.array(areas))
        peaks.append((float(np.quantile(probability, 0.999)), bool(label.any())))
        for window in windows_without_wound(photo, label, rng):
            peaks.append((float(np.quantile(predict_all(session, manifest, window)[0], 0.999)), False))
    wound = fit_logistic(
        np.column_stack([logit(np.array([o.mean_probability for o in outlines])), np.log([o.area_share for o in outlines])]),
        np.array([o.matches for o in outlines], float),
    )
    photo_weights = fit_logistic(logit(np.array([[peak] for peak, _ in peaks])), np.array([present for _, present in peaks], float))
    manifest["noveltyThreshold"] = round(float(np.quantile(novelty, FAMILIAR_SHARE)), 4)
    manifest["areaRepeatabilityPct"] = round(repeatability_pct(retaken), 1)
    manifest["bounds"] = fit_bounds([o for o in outlines if o.matches])
    manifest["confidence"] = {
        "wound": dict(zip(("intercept", "meanLogit", "logAreaShare"), wound.round(4).tolist(), strict=True)),
        "photo": dict(zip(("intercept", "peakLogit"), photo_weights.round(4).tolist(), strict=True)),
    }
    (model / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
    fitted = {key: manifest[key] for key in ("noveltyThreshold", "areaRepeatabilityPct", "bounds", "confidence")}
    return {"outlines": len(outlines), "matching": sum(o.matches for o in outlines), "pictures": len(peaks)} | fitted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    arguments = parser.parse_args()
    print(json.dumps(calibrate(arguments.data, arguments.model), indent=2))


if __name__ == "__main__":
    main()
