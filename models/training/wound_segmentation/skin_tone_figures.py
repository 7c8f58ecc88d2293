"""What outlines out of fold are worth by skin tone: as a person saw it, and by the typology angle of the photo.

    python -m wound_segmentation.skin_tone_figures --fuseg DIR --medetec DIR --runs runs/folds [--presence runs/presence --data DATA]
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .bounds import SHIPPED, holds
from .folds import Data
from .found_outlines import FoundOutline, SeenPicture, seen_pictures
from .label_review import REVIEW_FILE, Review
from .out_of_fold import INTERVAL_PCT, RESAMPLES, SEEN_SIDE_PX, SIZE_CLASSES, THRESHOLD, Outlined, mean_dice, pooled_dice, with_interval
from .skin_tone import CLASSES, DARK, LIGHTER, SEEN, angle_of, class_of, read_tones

# Bounds are judged on each of so many parts, which groups are dealt into, by a fit on the others.
PARTS = 10


@dataclass(frozen=True)
class Toned:
    """One picture with a label: its tone, the number of its group, its outline, and whether each outline that is a labelled wound is held by its bounds."""

    tone: str
    group: int
    outlined: Outlined
    held: tuple[bool, ...]


def outlined_of(picture: SeenPicture) -> Outlined:
    found = picture.probability > THRESHOLD
    seen = float(picture.label.sum()) * (SEEN_SIDE_PX / max(picture.label.shape)) ** 2
    return Outlined(picture.shown.name, int(picture.label.sum()), int(found.sum()), int((picture.label & found).sum()), seen)


def held_out_of_part(outlines: list[FoundOutline]) -> list[bool]:
    """Of each outline that is a labelled wound, by bounds that saw no picture of its group."""
    groups = np.array([outline.group for outline in outlines])
    dealt, held = np.random.default_rng(1).permutation(np.unique(groups)), np.zeros(len(outlines), bool)
    for own in (np.isin(groups, dealt[start::PARTS]) for start in range(PARTS)):
        if own.any():
            fitted = SHIPPED.fit([outline for outline, is_own in zip(outlines, own, strict=True) if not is_own])
            held[own] = holds(fitted, [outline for outline, is_own in zip(outlines, own, strict=True) if is_own])
    return held.tolist()


def toned(pictures: list[SeenPicture], tone_of: Callable[[SeenPicture], str]) -> list[Toned]:
    """Pictures with a label that is not wrong."""
    kept = [picture for picture in pictures if picture.label.any() and not picture.shown.wrong_label]
    matching = [outline for picture in kept for outline in picture.outlines if outline.matches]
    held: dict[str, list[bool]] = {}
    for outline, holds_it in zip(matching, held_out_of_part(matching), strict=True):
        held.setdefault(outline.name, []).append(holds_it)
    return [Toned(tone_of(p), p.shown.group, outlined_of(p), tuple(held.get(p.shown.name, []))) for p in kept]


def by_group(pictures: list[Toned]) -> list[list[Toned]]:
    groups: dict[int, list[Toned]] = {}
    for picture in pictures:
        groups.setdefault(picture.group, []).append(picture)
    return list(groups.values())


def share_held(pictures: list[Toned]) -> float:
    held = [one for picture in pictures for one in picture.held]
    return float(np.mean(held)) if held else float("nan")


def recall(pictures: list[Outlined]) -> float:
    return sum(p.overlap for p in pictures) / max(1, sum(p.labelled for p in pictures))


def figures_of(pictures: list[Toned]) -> dict[str, object]:
    """Of one tone; 95 % intervals by drawing groups anew."""
    groups = by_group(pictures)

    def of_outlines(figure: Callable[[list[Outlined]], float]) -> dict[str, object]:
        return with_interval(lambda drawn: figure([p.outlined for p in drawn]), groups)

    return {
        "pictures": len(pictures),
        "wounds": len(groups),
        "medianLabelPx": round(float(np.median([p.outlined.seen_area_px for p in pictures]))),
        "dataSetDice": of_outlines(pooled_dice),
        "meanDice": of_outlines(mean_dice),
        "recall": of_outlines(recall),
        "missed": sum(p.outlined.overlap == 0 for p in pictures),
        "diceBelowHalf": with_interval(lambda drawn: float(np.mean([p.outlined.dice < 0.5 for p in drawn])), groups),
        "inBounds": with_interval(share_held, groups),
    }


def size_class(picture: Toned) -> str:
    return next(name for name, (least, most) in SIZE_CLASSES.items() if least <= max(1, picture.outlined.seen_area_px) < most)


def behind(pictures: list[Toned], tone: str, other: str, same_size: bool) -> dict[str, float]:
    """Mean Dice of one tone less that of another, with its 95 % interval; `same_size`: the other's pictures weigh so that both have
    the same share of each size of wound."""

    size_of = {id(picture): size_class(picture) for picture in pictures}

    def difference(drawn: list[Toned]) -> float:
        own, others = ([p for p in drawn if p.tone == wanted] for wanted in (tone, other))
        if not own or not others:
            return float("nan")
        if not same_size:
            return mean_dice([p.outlined for p in own]) - mean_dice([p.outlined for p in others])
        of_size: dict[str, list[float]] = {}
        for p in others:
            of_size.setdefault(size_of[id(p)], []).append(p.outlined.dice)
        usual = {size: float(np.mean(dice)) for size, dice in of_size.items()}
        compared = [p.outlined.dice - usual[size_of[id(p)]] for p in own if size_of[id(p)] in usual]
        return float(np.mean(compared)) if compared else float("nan")

    groups, rng = by_group(pictures), np.random.default_rng(1)
    drawn = [difference([p for i in rng.integers(len(groups), size=len(groups)) for p in groups[i]]) for _ in range(RESAMPLES)]
    low, high = np.nanpercentile(drawn, INTERVAL_PCT)
    return {"value": round(difference(pictures), 4), "from": round(float(low), 4), "to": round(float(high), 4)}


def found_by_presence(data: Path, runs: Path, evidence: Path, tones: dict[str, str], review: Review) -> dict[str, object]:
    """Share of labelled wounds whose photo the head calls one with a wound, by tone; the head and its threshold never saw the photo."""
    from .presence import CHOSEN, VARIANTS, decided, judged_by, seen_by_teachers, share_right
    from .presence_pictures import read_subjects

    arguments = argparse.Namespace(runs=runs, evidence=evidence, data=data)
    said = decided(judged_by(seen_by_teachers(arguments, read_subjects(data, review)), VARIANTS[CHOSEN]))
    return {tone: share_right(said, lambda s, tone=tone: s.kind == "labelled" and tones.get(s.name, LIGHTER) == tone) for tone in (*SEEN, LIGHTER)}


def angle_class(data: Data, picture: SeenPicture) -> str:
    angle = angle_of(np.array(data.photo(picture.shown.name)), picture.label)
    return "none" if angle is None else class_of(angle)


def report_of(data: Data, runs: Path, review: Review, tones: dict[str, str]) -> dict[str, object]:
    pictures = seen_pictures(data, runs, review)
    by_eye = toned(pictures, lambda picture: tones.get(picture.shown.name, LIGHTER))
    by_angle = toned(pictures, lambda picture: angle_class(data, picture))
    report: dict[str, object] = {}
    for way, toned_pictures, names in (("by eye", by_eye, (*SEEN, LIGHTER)), ("by angle", by_angle, tuple(CLASSES))):
        for tone in names:
            own = [picture for picture in toned_pictures if picture.tone == tone]
            if own:
                report[f"{way}, {tone}"] = figures_of(own)
    for same_size in (False, True):
        report[f"dark behind lighter{', same sizes' if same_size else ''}"] = behind(by_eye, DARK, LIGHTER, same_size)
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuseg", type=Path, required=True)
    parser.add_argument("--medetec", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--presence", type=Path, help="the evidence folder of `presence judge`; with --data, the folder of all sets")
    parser.add_argument("--data", type=Path)
    arguments = parser.parse_args()
    data, review, tones = Data(arguments.fuseg, arguments.medetec), Review.read(REVIEW_FILE), read_tones()
    for name, figures in report_of(data, arguments.runs, review, tones).items():
        print(json.dumps({name: figures}), flush=True)
    if arguments.presence:
        print(json.dumps({"wound seen, by eye": found_by_presence(arguments.data, arguments.runs, arguments.presence, tones, review)}))


if __name__ == "__main__":
    main()
