"""How far an outline can be trusted, by how well its map agrees with it: on labelled pictures out of fold, and on other wounds judged by eye.

    python -m wound_segmentation.familiarity --fuseg DIR --medetec DIR --runs runs/folds --looks runs/seen --other MEDETEC_OTHER \
        --judged-model ../wound-segmentation-fast-0.5.0 [--judged-teachers .] [--write ../wound-segmentation-fast-0.8.0]

The outlines of other wounds that were judged are those of one model. A teacher's outline of the same photo, which it never saw either,
is judged alike where it is nearly the same as one that was judged; where it is not, nothing is known of it and it is left out.
"""

from __future__ import annotations

import argparse
import csv
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
from PIL import Image

from .evaluate import predict_probability
from .folds import FOLDS, Data
from .found_outlines import MIN_AREA_SHARE, THRESHOLD, SeenPicture, seen_pictures
from .label_review import REVIEW_FILE, Review
from .logistic import fit_logistic, logit, sigmoid
from .looks import Looks
from .onnx_folder import add_to_manifest
from .views import finished_folds

OUTLINES_FILE = Path(__file__).parent.parent / "medetec-other-outlines.tsv"
GOOD_DICE = 0.7
# From this overlap on, an outline is as good as the one that was judged.
SAME_DICE = 0.85
RELIABLE_FROM = 0.7
STEPS = 6
OUTSIDE = 0.05
AREA_SHARE = 0.9
MOST_AREA_PCT = 100


@dataclass(frozen=True)
class Case:
    """One photo with an outline: its ground (`labelled`, or the half of the judged ones), its group, and how good the outline is."""

    ground: str
    group: str
    agreement: float
    dice: float
    # Of the labelled area, in shares of the outlined one; none where no area is labelled.
    area_error: float | None

    @property
    def good(self) -> bool:
        return self.dice >= GOOD_DICE


def agreement_of(probability: np.ndarray) -> float | None:
    """The overlap that the map expects of its own outline; src/core/measurement/familiarity.ts has the same."""
    inside = probability > THRESHOLD
    return float(2 * probability[inside].sum() / (probability.sum() + inside.sum())) if inside.mean() >= MIN_AREA_SHARE else None


def dice_of(one: np.ndarray, other: np.ndarray) -> float:
    return float(2 * (one & other).sum() / max(1, one.sum() + other.sum()))


def labelled_cases(pictures: list[SeenPicture]) -> list[Case]:
    """Of pictures whose label is right; an outline where nothing is labelled has a Dice of 0."""
    cases = []
    for picture in pictures:
        agreement, found = agreement_of(picture.probability), picture.probability > THRESHOLD
        if agreement is not None and not picture.shown.wrong_label:
            error = abs(int(picture.label.sum()) - int(found.sum())) / int(found.sum())
            cases.append(Case("labelled", f"labelled-{picture.shown.group}", agreement, dice_of(found, picture.label), error))
    return cases


@dataclass(frozen=True)
class Judgement:
    photo: str
    dice: float
    half: str


def read_judgements(file: Path) -> list[Judgement]:
    with file.open(newline="") as lines:
        rows = [row for row in csv.reader(lines, delimiter="\t") if row and not row[0].startswith("#")]
    return [Judgement(photo, float(dice), half) for photo, verdict, dice, half in rows if verdict != "no-outline"]


def judged_maps(looks: Looks, photos: list[str], other: Path, model: Path) -> None:
    """The outlines that were judged, drawn anew by their model."""
    manifest = json.loads((model / "manifest.json").read_text())
    session = onnxruntime.InferenceSession(str(model / manifest["file"]), providers=["CPUExecutionProvider"])
    for photo in photos:
        file = looks.judged(photo)
        if not file.exists():
            looks.write(file, predict_probability(session, manifest, Image.open(other / f"{photo}.webp").convert("RGB")))


def teachers_judgements(folder: Path) -> dict[int, list[Judgement]]:
    """Fold -> what was judged of the own outlines of that fold's teacher; of other teachers it says nothing."""
    files = {fold: folder / f"medetec-other-outlines-fold-{fold}.tsv" for fold in range(FOLDS)}
    return {fold: read_judgements(file) for fold, file in files.items() if file.exists()}


def known_outlines(looks: Looks, judgements: list[Judgement], of_teachers: dict[int, list[Judgement]]) -> dict[str, list[tuple[np.ndarray, Judgement]]]:
    """Photo -> the outlines of it that were judged."""
    known: dict[str, list[tuple[np.ndarray, Judgement]]] = {}
    for judgement in judgements:
        if looks.judged(judgement.photo).exists():
            known.setdefault(judgement.photo, []).append((looks.read_file(looks.judged(judgement.photo)) > THRESHOLD, judgement))
    for fold, judged in of_teachers.items():
        for judgement in judged:
            if looks.has_seen(fold, f"other/{judgement.photo}"):
                known.setdefault(judgement.photo, []).append((looks.mean(fold, f"other/{judgement.photo}") > THRESHOLD, judgement))
    return known


def judged_cases(looks: Looks, folds: list[int], known: dict[str, list[tuple[np.ndarray, Judgement]]]) -> tuple[list[Case], int]:
    """What is known of the teachers' outlines of the judged photos, and of how many nothing is."""
    cases, unknown = [], 0
    for photo, outlines in known.items():
        for fold in (fold for fold in folds if looks.has_seen(fold, f"other/{photo}")):
            probability = looks.mean(fold, f"other/{photo}")
            agreement = agreement_of(probability)
            if agreement is None:
                continue
            overlap, nearest = max(((dice_of(probability > THRESHOLD, outline), judgement) for outline, judgement in outlines), key=lambda pair: pair[0])
            if overlap < SAME_DICE:
                unknown += 1
            else:
                cases.append(Case(nearest.half, photo, agreement, nearest.dice, None))
    return cases, unknown


def fit_score(cases: list[Case]) -> tuple[float, float]:
    """Intercept and slope on the log-odds of the agreement; each ground counts as much as the other, however many photos it has."""
    labelled = np.array([case.ground == "labelled" for case in cases])
    counts = np.where(labelled, 0.5 / max(1, labelled.sum()), 0.5 / max(1, (~labelled).sum())) * len(cases) if labelled.any() and not labelled.all() else np.ones(len(cases))
    features = np.array([[logit(case.agreement)] for case in cases])
    intercept, slope = fit_logistic(features, np.array([case.good for case in cases], float), counts=counts)
    return float(intercept), float(slope)


def score_of(cases: list[Case], score: tuple[float, float]) -> np.ndarray:
    return sigmoid(score[0] + score[1] * logit(np.array([case.agreement for case in cases])))


def rising(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The nearest values that never fall: neighbours that do are pooled."""
    blocks: list[list[float]] = []
    for value, weight in zip(values, weights, strict=True):
        blocks.append([value, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            last, before = blocks.pop(), blocks.pop()
            weight_of_both = last[1] + before[1]
            blocks.append([(last[0] * last[1] + before[0] * before[1]) / weight_of_both, weight_of_both, last[2] + before[2]])
    return np.concatenate([np.full(int(count), value) for value, _, count in blocks])


def order_statistic(values: np.ndarray) -> float:
    """What further values stay below but for `OUTSIDE` of them, in the mean over samples of this size."""
    return float(np.sort(values)[min(len(values), int(np.ceil((1 - OUTSIDE) * (len(values) + 1)))) - 1])


def fit_steps(cases: list[Case], score: tuple[float, float]) -> list[dict[str, float]]:
    """What photos of such agreement had: as many photos in each step, none of the figures worse than a step before.

    `areaPct` widens bounds that were fitted on outlines of a labelled wound alone; of outlines that are reliable they stand as they are.
    """
    ordered = sorted(cases, key=lambda case: case.agreement)
    parts = [[ordered[place] for place in part] for part in np.array_split(np.arange(len(ordered)), STEPS)]
    counts = np.array([len(part) for part in parts], float)
    agreement = np.array([np.median([case.agreement for case in part]) for part in parts])
    dice = [np.array([case.dice for case in part]) for part in parts]
    # The highest of the negative is the lowest.
    lower, mean, upper = (rising(np.array([figure(values) for values in dice]), counts) for figure in (lambda v: -order_statistic(-v), np.mean, order_statistic))
    errors = [[case.area_error for case in part if case.area_error is not None] for part in parts]
    asked = -rising(-np.array([np.quantile(part, AREA_SHARE) if part else 1.0 for part in errors]), counts)
    reliable = sigmoid(score[0] + score[1] * logit(agreement)) >= RELIABLE_FROM
    area = np.where(reliable, 0, np.minimum(MOST_AREA_PCT, np.ceil(100 * asked)))
    steps: dict[float, dict[str, float]] = {}
    for figures in zip(agreement, mean, lower, upper, area, strict=True):
        rounded = [round(float(figure), 3) for figure in figures[:1]] + [round(float(figure), 2) for figure in figures[1:4]] + [float(figures[4])]
        steps[rounded[0]] = dict(zip(("agreement", "dice", "lower", "upper", "areaPct"), rounded, strict=True))
    return list(steps.values())


def in_manifest(cases: list[Case]) -> dict[str, object]:
    score = fit_score(cases)
    return {"intercept": round(score[0], 4), "agreementLogit": round(score[1], 4), "reliableFrom": RELIABLE_FROM, "calibration": fit_steps(cases, score)}


def within_interval(cases: list[Case], steps: list[dict[str, float]]) -> float:
    agreement = [step["agreement"] for step in steps]
    lower, upper = ([np.interp(case.agreement, agreement, [step[side] for step in steps]) for case in cases] for side in ("lower", "upper"))
    return float(np.mean([low <= case.dice <= high for case, low, high in zip(cases, lower, upper, strict=True)]))


def print_table(rows: dict[str, tuple[list[Case], tuple[float, float]]]) -> None:
    print("| Outlines | Count | Trusted | Expected calibration error |\n|---|---|---|---|")
    for name, (cases, score) in rows.items():
        stated, good = score_of(cases, score), np.array([case.good for case in cases])
        bins = np.minimum(9, (stated * 10).astype(int))
        error = sum(abs(stated[bins == i].mean() - good[bins == i].mean()) * (bins == i).mean() for i in np.unique(bins))
        for kind, own in (("good", good), ("bad", ~good)):
            trusted = f"{100 * (stated[own] >= RELIABLE_FROM).mean():.1f} %" if own.any() else "–"
            print(f"| {name}, {kind} | {own.sum()} | {trusted} | {error:.3f} |")


def halves(cases: list[Case]) -> tuple[list[Case], list[Case]]:
    """Every other group of labelled pictures, and half A, to fit on; the others to look at."""
    groups = sorted({case.group for case in cases if case.ground == "labelled"})
    chosen = {"A", *groups[::2]}
    fit = [case for case in cases if (case.group if case.ground == "labelled" else case.ground) in chosen]
    return fit, [case for case in cases if case not in fit]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fuseg", type=Path, required=True)
    parser.add_argument("--medetec", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--looks", type=Path, required=True, help="maps by `looks`, of other wounds too")
    parser.add_argument("--other", type=Path, required=True)
    parser.add_argument("--judged", type=Path, default=OUTLINES_FILE)
    parser.add_argument("--judged-model", type=Path, required=True, help="the model whose outlines were judged")
    parser.add_argument("--judged-teachers", type=Path, help="folder of what was judged of the own outlines of these teachers: `.` of those of 0.7, `teachers-lite` of those of 0.8")
    parser.add_argument("--review", type=Path, default=REVIEW_FILE)
    parser.add_argument("--write", type=Path, help="model folder whose manifest gets it")
    arguments = parser.parse_args()
    looks, judgements = Looks(arguments.looks), read_judgements(arguments.judged)
    judged_maps(looks, [judgement.photo for judgement in judgements], arguments.other, arguments.judged_model)
    known = known_outlines(looks, judgements, teachers_judgements(arguments.judged_teachers) if arguments.judged_teachers else {})
    others, unknown = judged_cases(looks, [fold.index for fold in finished_folds(arguments.runs)], known)
    cases = labelled_cases(seen_pictures(Data(arguments.fuseg, arguments.medetec), arguments.runs, Review.read(arguments.review))) + others
    fit, check = halves(cases)
    score = fit_score(fit)
    print(f"{len(cases) - len(others)} labelled, {len(others)} judged, {unknown} that differ from the judged outline left out\n")
    print_table({"other wounds, half B": ([c for c in check if c.ground == "B"], score), "labelled, half not fitted on": ([c for c in check if c.ground == "labelled"], score)})
    print(f"\nDice within the interval, of those not fitted on: {100 * within_interval(check, fit_steps(fit, score)):.1f} % of {len(check)}")
    fitted = in_manifest(cases)
    print(json.dumps(fitted, indent=1))
    if arguments.write:
        add_to_manifest(arguments.write, {"familiarity": fitted})


if __name__ == "__main__":
    main()
