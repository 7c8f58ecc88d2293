"""How far an expert's area lies from an outline's, out of fold: compares ways to state it, and fits the one that is shipped.

    python -m wound_segmentation.bounds --fuseg DIR --medetec DIR --runs runs/folds [--looks runs/seen] [--write ../wound-segmentation-fast-0.8.0]

Normalised conformal intervals (Papadopoulos et al. 2002) of ln(labelled area / outlined area): a scale model says how large an error is
expected, a multiple of it below and above holds nine of ten. Each way is judged by fitting on half of the groups of pictures and
looking at the other half, over many random halves; a wound that shows in several pictures is in one half.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from .dataset import read_groups
from .found_outlines import CUTS, MATCH_IOU, FoundOutline, SeenPicture, seen_pictures
from .folds import Data
from .label_review import REVIEW_FILE, Review
from .looks import VIEWS, Looks
from .onnx_folder import add_to_manifest
from .out_of_fold import SEEN_SIDE_PX, SIZE_CLASSES

COVERAGE = 0.9
HALVES = 200
# The cuts that the shipped bounds read, and what stands for a border as sharp as can be told; src/core/measurement/area-bounds.ts has the same.
SHIPPED_CUTS = "0.25 to 0.75"
LEAST_BAND = 0.02
# An error of nothing has no logarithm; shrinks the slopes, which are of standardised features.
LEAST_ERROR = 0.01
RIDGE = 3.0
NEWTON_STEPS = 40
# The scale is kept within what was seen of it, but for a hundredth on either side.
SEEN_SHARE = (0.01, 0.99)

Feature = Callable[[FoundOutline], float]


def log_area(outline: FoundOutline) -> float:
    return float(np.log(outline.area_px))


def band(outline: FoundOutline, cuts: str = SHIPPED_CUTS) -> float:
    most, least = outline.cut_px[cuts]
    return LEAST_BAND + float(np.log((most + 1) / (least + 1)))


def log_band(cuts: str = SHIPPED_CUTS) -> Feature:
    return lambda outline: float(np.log(band(outline, cuts)))


def disagreement(*views: str) -> Feature:
    """How far the areas by these views lie apart."""
    return lambda outline: float(np.log(LEAST_BAND + np.ptp([np.log(outline.view_px[view] + 10) for view in views])))


@dataclass(frozen=True)
class ScaleModel:
    """exp(intercept + slopes · features), within limits: the expected size of an error."""

    features: tuple[Feature, ...]
    intercept: float
    slopes: np.ndarray
    least: float
    most: float

    def of(self, outlines: list[FoundOutline]) -> np.ndarray:
        return np.clip(np.exp(self.intercept + table(self.features, outlines) @ self.slopes), self.least, self.most)


def table(features: tuple[Feature, ...], outlines: list[FoundOutline]) -> np.ndarray:
    return np.array([[feature(outline) for feature in features] for outline in outlines]).reshape(len(outlines), len(features))


def fit_scale(features: tuple[Feature, ...], outlines: list[FoundOutline]) -> ScaleModel:
    """The most likely scale of errors that are spread as Laplace's distribution, by Newton's method."""
    values = table(features, outlines)
    centre, spread = values.mean(0), values.std(0) + 1e-9
    design = np.column_stack([np.ones(len(outlines)), (values - centre) / spread])
    errors = np.abs(log_ratios(outlines)) + LEAST_ERROR
    penalty = np.diag([0.0] + [RIDGE] * len(features))
    weights = np.zeros(design.shape[1])
    weights[0] = np.log(errors.mean())
    for _ in range(NEWTON_STEPS):
        relative = errors / np.exp(design @ weights)
        weights -= np.linalg.solve(design.T @ (design * relative[:, None]) + penalty, design.T @ (1 - relative) + penalty @ weights)
    slopes = weights[1:] / spread
    least, most = np.quantile(np.exp(design @ weights), SEEN_SHARE)
    return ScaleModel(features, float(weights[0] - centre @ slopes), slopes, float(least), float(most))


def log_ratios(outlines: list[FoundOutline]) -> np.ndarray:
    return np.array([outline.log_ratio for outline in outlines])


def conformal_quantile(scores: np.ndarray, share: float) -> float:
    """The quantile that holds `share` of further scores, in the mean over calibration sets of this size; never below 0."""
    place = int(np.ceil((len(scores) + 1) * share)) - 1
    return max(0.0, float(np.sort(scores)[min(place, len(scores) - 1)]))


@dataclass(frozen=True)
class Way:
    """One way to state bounds: what the scale is read from, whether both sides are one, and classes of outlines fitted apart."""

    name: str
    features: tuple[Feature, ...] = ()
    one_for_both_sides: bool = False
    class_edges: tuple[float, ...] = (0, np.inf)

    def fit(self, outlines: list[FoundOutline]) -> Fitted:
        scale = fit_scale(self.features, outlines)
        multiples = []
        scores, areas = log_ratios(outlines) / scale.of(outlines), np.array([outline.area_px for outline in outlines])
        for start, end in zip(self.class_edges, self.class_edges[1:], strict=False):
            own = scores[(areas >= start) & (areas < end)]
            both = conformal_quantile(np.abs(own), COVERAGE)
            tail = 1 - (1 - COVERAGE) / 2
            multiples.append((both, both) if self.one_for_both_sides else (conformal_quantile(-own, tail), conformal_quantile(own, tail)))
        return Fitted(self, scale, multiples)


@dataclass(frozen=True)
class Fitted:
    """Bounds as they would be shipped."""

    way: Way
    scale: ScaleModel
    # So many scales below and above, for each class of outlines.
    multiples: list[tuple[float, float]]

    def of(self, outlines: list[FoundOutline]) -> np.ndarray:
        """Lowest and highest log ratio, a row an outline."""
        areas = np.array([outline.area_px for outline in outlines])
        place = np.searchsorted(self.way.class_edges, areas, side="right") - 1
        return self.scale.of(outlines)[:, None] * np.array(self.multiples)[place] * [-1, 1]


SIZE_EDGES = (0, *[float(least) for least, _ in list(SIZE_CLASSES.values())[1:]], np.inf)
SHIPPED = Way("size and band 0.25 to 0.75 (shipped)", (log_area, log_band()))
WAYS = [
    Way("one width for all"),
    Way("one width for each size of outline", class_edges=SIZE_EDGES),
    Way("size", (log_area,)),
    SHIPPED,
    Way("size and band, both sides one", (log_area, log_band()), one_for_both_sides=True),
    Way("size and band, small and large apart", (log_area, log_band()), class_edges=(0, 2000, np.inf)),
    *[Way(f"size and band {cuts}", (log_area, log_band(cuts))) for cuts in CUTS if cuts != SHIPPED_CUTS],
]
WAYS_BY_VIEW = [
    Way("size and mirror", (log_area, disagreement("plain", "mirrored"))),
    Way("size, band and mirror", (log_area, log_band(), disagreement("plain", "mirrored"))),
    Way("size, band, mirror and scale", (log_area, log_band(), disagreement(*VIEWS))),
]


@dataclass(frozen=True)
class Judged:
    """Share that held and median half-width: overall, by size of the label, and above 2,000 pixels."""

    held: list[float]
    half_widths: list[float]
    # Share that held among the third with the narrowest bounds, the middle and the widest.
    held_by_width: list[float]


def classes_of(outlines: list[FoundOutline]) -> list[np.ndarray]:
    labelled = np.array([outline.labelled_px for outline in outlines])
    return [np.ones(len(outlines), bool), *[(labelled >= least) & (labelled < most) for least, most in SIZE_CLASSES.values()], labelled >= 2000]


def holds(fitted: Fitted, outlines: list[FoundOutline]) -> np.ndarray:
    limits, ratios = fitted.of(outlines), log_ratios(outlines)
    return (limits[:, 0] <= ratios) & (ratios <= limits[:, 1])


def judge(fitted: Fitted, outlines: list[FoundOutline]) -> Judged:
    limits, held = fitted.of(outlines), holds(fitted, outlines)
    half_widths = (np.exp(limits[:, 1]) - np.exp(limits[:, 0])) / 2
    third = np.argsort(np.argsort(half_widths)) * 3 // len(outlines)
    classes = classes_of(outlines)
    held_by_class, half_width_by_class = ([float(figure(values[own])) if own.any() else np.nan for own in classes] for figure, values in ((np.mean, held), (np.median, half_widths)))
    return Judged(held_by_class, half_width_by_class, [float(held[third == i].mean()) if (third == i).any() else np.nan for i in range(3)])


def judge_on_halves(way: Way, outlines: list[FoundOutline]) -> Judged:
    """The mean over random halves of the groups, fitted on one half and judged on the other."""
    rng = np.random.default_rng(1)
    of_outline = np.array([outline.group for outline in outlines])
    groups = np.unique(of_outline)
    judged = []
    for _ in range(HALVES):
        chosen = np.isin(of_outline, rng.permutation(groups)[: len(groups) // 2])
        fitted = way.fit([outline for outline, fit in zip(outlines, chosen, strict=True) if fit])
        judged.append(judge(fitted, [outline for outline, fit in zip(outlines, chosen, strict=True) if not fit]))
    return Judged(*[np.nanmean([getattr(one, figure) for one in judged], 0).tolist() for figure in ("held", "half_widths", "held_by_width")])


def held_by_fold(way: Way, outlines: list[FoundOutline]) -> dict[int, float]:
    """Share that held in each fold, fitted on the others: whether what holds for one teacher holds for the next."""
    held = {}
    for fold in sorted({outline.fold for outline in outlines}):
        others = [outline for outline in outlines if outline.fold != fold]
        if others:
            held[fold] = judge(way.fit(others), [outline for outline in outlines if outline.fold == fold]).held[0]
    return held


def oracle_half_widths(outlines: list[FoundOutline]) -> list[float]:
    """Median half-width if each error's own scale were known and errors were normal: 1.645 / 0.674 of the median error."""
    errors = np.abs(log_ratios(outlines))
    return [float(np.sinh(1.645 / 0.6745 * np.median(errors[own]))) for own in classes_of(outlines)]


def twice_labelled(data: Data) -> list[tuple[float, float]]:
    """Of photos that two experts labelled: area in pixels of a 512-pixel picture, and the logarithm of the ratio of both, 0 or more."""
    pairs = []
    for group in read_groups(data.fuseg):
        for one, other in combinations(group, 2):
            areas = [float(data.label(f"fuseg/{picture}").sum()) for picture in (one, other)]
            if min(areas) > 0 and np.array_equal(data.photo(f"fuseg/{one}"), data.photo(f"fuseg/{other}")):
                seen = (SEEN_SIDE_PX / max(data.photo(f"fuseg/{one}").size)) ** 2
                pairs.append((float(np.mean(areas)) * seen, abs(float(np.log(areas[1] / areas[0])))))
    return pairs


def print_experts(pairs: list[tuple[float, float]]) -> None:
    for name, (least, most) in SIZE_CLASSES.items():
        ratios = [ratio for area, ratio in pairs if least <= area < most]
        if ratios:
            print(f"labelled twice, {name}: {len(ratios)} pairs, areas differ by {100 * np.expm1(np.median(ratios)):.0f} % in the median, {100 * np.expm1(max(ratios)):.0f} % at most")


def in_manifest(fitted: Fitted) -> dict[str, object]:
    """`bounds` of a manifest, as docs/models.md describes it."""
    lower, upper = CUTS[SHIPPED_CUTS]
    (below, above), scale = fitted.multiples[0], fitted.scale
    conformal = {"intercept": scale.intercept, "logArea": scale.slopes[0], "logBand": scale.slopes[1], "leastScale": scale.least, "mostScale": scale.most, "below": below, "above": above}
    return {"lowerThreshold": lower, "upperThreshold": upper, "conformal": {key: round(float(value), 4) for key, value in conformal.items()}, "coverage": COVERAGE}


def fit_bounds(pictures: list[SeenPicture]) -> dict[str, object]:
    """From the outlines that are a labelled wound, where the label is not wrong."""
    return in_manifest(SHIPPED.fit([outline for picture in pictures for outline in picture.outlines if outline.matches and not outline.wrong_label]))


def as_row(name: str, judged: Judged) -> str:
    figures = [f"{100 * held:.1f} / {100 * width:.0f}" for held, width in zip(judged.held, judged.half_widths, strict=True)]
    return f"| {' | '.join([name, *figures, ', '.join(f'{100 * held:.0f}' for held in judged.held_by_width)])} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fuseg", type=Path, required=True)
    parser.add_argument("--medetec", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--looks", type=Path, help="maps by view (`looks`), to judge what their disagreement says")
    parser.add_argument("--review", type=Path, default=REVIEW_FILE, help="labels that are wrong")
    parser.add_argument("--write", type=Path, help="model folder whose manifest gets the shipped bounds")
    arguments = parser.parse_args()
    looks = Looks(arguments.looks) if arguments.looks else None
    views_of = (lambda fold, name: {view: looks.read(fold, name, view) for view in VIEWS}) if looks else None
    data = Data(arguments.fuseg, arguments.medetec)
    print_experts(twice_labelled(data))
    pictures = seen_pictures(data, arguments.runs, Review.read(arguments.review), views_of)
    print_study(pictures, WAYS + (WAYS_BY_VIEW if looks else []))
    bounds = fit_bounds(pictures)
    print(json.dumps(bounds, indent=2))
    if arguments.write:
        add_to_manifest(arguments.write, {"bounds": bounds})


def print_study(pictures: list[SeenPicture], ways: list[Way]) -> None:
    outlines = [outline for picture in pictures for outline in picture.outlines]
    matched = [outline for outline in outlines if outline.matches]
    right = [outline for outline in matched if not outline.wrong_label]
    unlabelled = sum(outline.labelled_px == 0 for outline in outlines)
    print(f"{len(pictures)} pictures, {len(outlines)} outlines: {len(matched)} are a labelled wound (IoU {MATCH_IOU} or more), {len(outlines) - len(matched) - unlabelled} overlap less, {unlabelled} lie where nothing is labelled")
    print(f"labels that are wrong: of {sum(o.wrong_label for o in outlines)} outlines in their pictures {len(matched) - len(right)} match")
    loose = [outline for outline in outlines if not outline.matches and outline.labelled_px]
    if loose:
        print(f"of those that overlap less, the shipped bounds hold {100 * holds(SHIPPED.fit(right), loose).mean():.0f} % of the labelled areas")
    names = ["all", *SIZE_CLASSES, "2,000 and more"]
    print(f"wounds by label: {', '.join(f'{name} {int(own.sum())}' for name, own in zip(names, classes_of(right), strict=True))}")
    print(f"median log ratio: {', '.join(f'{name} {np.median(log_ratios(right)[own]):+.3f}' for name, own in zip(names, classes_of(right), strict=True))}")
    print(f"if each error's scale were known, median half-width %: {', '.join(f'{name} {100 * width:.0f}' for name, width in zip(names, oracle_half_widths(right), strict=True))}")
    print(f"\nheld % / median half-width %\n\n| Bounds | {' | '.join(names)} | Held, narrowest third to widest |\n|{'---|' * (len(names) + 2)}")
    for way in ways:
        print(as_row(way.name, judge_on_halves(way, right)), flush=True)
    if len(matched) > len(right):
        print(as_row("shipped, with labels that are wrong", judge_on_halves(SHIPPED, matched)))
    print("\nshipped, each fold by the others:", {fold: round(100 * held, 1) for fold, held in held_by_fold(SHIPPED, right).items()})


if __name__ == "__main__":
    main()
