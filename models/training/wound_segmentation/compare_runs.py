"""What several trainings outline on the same pictures, which none of them saw: Dice by skin tone, and the differences from the first of them.

    python -m wound_segmentation.compare_runs --fuseg DIR --medetec DIR --of runs/folds runs/refined runs/means

Pictures that not all of them have outlined, and labels that are empty or wrong, are left out.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from .dataset import picture_groups
from .folds import Data
from .label_review import REVIEW_FILE, Review
from .out_of_fold import INTERVAL_PCT, RESAMPLES, SERIES_FILE, Outlined, joined, mean_dice, outlined_out_of_fold, pooled_dice, read_series
from .skin_tone import LIGHTER, SEEN, read_tones

# One picture as each training outlined it, in their order.
Compared = tuple[Outlined, ...]


def compared_groups(data: Data, runs: list[Path], review: Review) -> list[list[Compared]]:
    """Pictures that show the same wound stand together."""
    seen = [outlined_out_of_fold(data, folder) for folder in runs]
    common = set.intersection(*(set(one) for one in seen))
    kept = {name for name in common if seen[0][name].labelled and not review.leaves_out(name)}
    every = joined(picture_groups(data.fuseg, "fuseg"), read_series(SERIES_FILE)) + picture_groups(data.medetec, "medetec")
    groups = [[tuple(one[name] for one in seen) for name in group if name in kept] for group in every]
    return [group for group in groups if group]


def difference(groups: list[list[Compared]], index: int) -> dict[str, float]:
    """Mean Dice of a training less that of the first, with its 95 % interval by drawing groups anew."""

    def figure(drawn: list[list[Compared]]) -> float:
        return float(np.mean([picture[index].dice - picture[0].dice for group in drawn for picture in group]))

    rng = np.random.default_rng(1)
    drawn = [figure([groups[i] for i in rng.integers(len(groups), size=len(groups))]) for _ in range(RESAMPLES)]
    low, high = np.percentile(drawn, INTERVAL_PCT)
    return {"value": round(figure(groups), 4), "from": round(float(low), 4), "to": round(float(high), 4)}


def harms(pictures: list[Outlined]) -> dict[str, int]:
    """Pictures of which a mean says little: a wound that nobody is shown, an outline of something else, an area that misleads."""
    return {
        "missed": sum(p.overlap == 0 for p in pictures),
        "diceBelowHalf": sum(p.dice < 0.5 for p in pictures),
        "areaTwiceTooLarge": sum(p.found > 2 * p.labelled for p in pictures),
        "areaLessThanHalf": sum(2 * p.found < p.labelled for p in pictures),
    }


def figures_of(groups: list[list[Compared]], runs: list[Path]) -> dict[str, object]:
    pictures = [picture for group in groups for picture in group]
    report: dict[str, object] = {"pictures": len(pictures), "wounds": len(groups)}
    for index, folder in enumerate(runs):
        own = [picture[index] for picture in pictures]
        said: dict[str, object] = {"dataSetDice": round(pooled_dice(own), 4), "meanDice": round(mean_dice(own), 4), **harms(own)}
        report[str(folder)] = said | ({"meanDiceDifference": difference(groups, index)} if index else {})
    return report


def of_tone(groups: list[list[Compared]], tones: dict[str, str], tone: str) -> list[list[Compared]]:
    own = [[picture for picture in group if tones.get(picture[0].name, LIGHTER) == tone] for group in groups]
    return [group for group in own if group]


def report_of(data: Data, runs: list[Path], review: Review, tones: dict[str, str]) -> dict[str, object]:
    groups = compared_groups(data, runs, review)
    parts = {tone: of_tone(groups, tones, tone) for tone in (*SEEN, LIGHTER)} | {"all": groups}
    return {name: figures_of(part, runs) for name, part in parts.items() if part}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuseg", type=Path, required=True)
    parser.add_argument("--medetec", type=Path, required=True)
    parser.add_argument("--of", type=Path, nargs="+", required=True, help="folders of folds; the first is what the others are compared with")
    arguments = parser.parse_args()
    report = report_of(Data(arguments.fuseg, arguments.medetec), arguments.of, Review.read(REVIEW_FILE), read_tones())
    for name, figures in report.items():
        print(json.dumps({name: figures}))


if __name__ == "__main__":
    main()
