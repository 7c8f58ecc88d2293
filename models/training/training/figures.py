"""What the teachers outline of what they never saw is worth, beside those of 0.7 on the very same pictures: by skin tone, by clinic, and of
wounds that stand in no other picture, which alone say what a new wound meets."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from wound_segmentation.compare_runs import Compared, compared_groups, figures_of, of_tone
from wound_segmentation.folds import Data, Fold, predict_fold, predicted_step
from wound_segmentation.label_review import REVIEW_FILE, Review
from wound_segmentation.out_of_fold import SERIES_FILE, outlined_out_of_fold, predicted_folds, read_series, report_of
from wound_segmentation.skin_tone import LIGHTER, SEEN, read_tones
from wound_segmentation.teacher import adopt
from wound_segmentation.train import CHECKPOINT

from .beliefs import OLD_TEACHERS, old_teacher
from .teachers import data_of

OLD = "teachers-0.7"


def outline_by_old(index: int, data: Data, work: Path) -> None:
    """The held-out pictures of a fold, outlined by its teacher of 0.7, where that is not done."""
    fold = Fold(index, work / OLD, None)
    if predicted_step(fold):
        return
    adopt(fold.run, OLD_TEACHERS[0] / f"fold-{index}.pt")
    state = torch.load(fold.run / CHECKPOINT, map_location="cpu", weights_only=True)
    torch.save(state | {"average": old_teacher(index).state_dict()}, fold.run / CHECKPOINT)
    predict_fold(fold, data, torch.device("cpu"))


def of_source(groups: list[list[Compared]], source: str) -> list[list[Compared]]:
    own = [[picture for picture in group if picture[0].name.startswith(f"{source}/")] for group in groups]
    return [group for group in own if group]


def without_series(groups: list[list[Compared]], series: list[list[str]]) -> list[list[Compared]]:
    """Wounds of one visit alone. Of the others a teacher has seen another picture."""
    known = {name for names in series for name in names}
    return [group for group in groups if not any(picture[0].name in known for picture in group)]


def print_figures(folder: Path, work: Path) -> None:
    """All figures, a line each: first both teachers on the same pictures, empty and wrong labels left out; then the new ones alone, on all."""
    data, review, tones = data_of(folder), Review.read(REVIEW_FILE), read_tones()
    for fold in predicted_folds(work / "teachers"):
        outline_by_old(fold.index, data, work)
    runs = [work / OLD, work / "teachers"]
    groups = compared_groups(data, runs, review)
    parts = {"all": groups, "fuseg": of_source(groups, "fuseg"), "medetec feet": of_source(groups, "medetec")}
    parts |= {"fuseg, wounds of one visit": without_series(parts["fuseg"], read_series(SERIES_FILE))}
    parts |= {f"skin: {tone}": of_tone(groups, tones, tone) for tone in (*SEEN, LIGHTER)}
    report = {"compared": {name: figures_of(part, [Path(run.name) for run in runs]) for name, part in parts.items() if part}}
    report["new"] = report_of(outlined_out_of_fold(data, runs[1]), data, runs[1], review)
    (work / "figures.json").write_text(json.dumps(report, indent=1) + "\n")
    for kind, said in report.items():
        for name, figures in said.items():
            print(json.dumps({f"{kind}: {name}": figures}))
