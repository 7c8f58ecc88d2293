"""Trains the teacher of each fold, and lets it outline the pictures that it never saw.

What is finished is skipped and what was stopped goes on, as in `wound_segmentation.folds`, whose folds these are.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from wound_segmentation.augmentation import Picture
from wound_segmentation.folds import Data, Fold, describe, predict_fold, predicted_step, teacher_pictures
from wound_segmentation.label_review import OTHER_REVIEW_FILE, REVIEW_FILE, Review, read_without_wound
from wound_segmentation.refine import times_of, without_wound
from wound_segmentation.schedule import Schedule
from wound_segmentation.skin_tone import read_tones
from wound_segmentation.small_wounds import SmallWounds
from wound_segmentation.student import Unlabelled
from wound_segmentation.teacher import DESCRIPTION, Views, read_description, steps_done, train_steps, write_description
from wound_segmentation.wound_free import fold_of_photo

from .recipe import RECIPE, SCHEDULE, VARIANT, LiteRun, new_or_resumed

OTHER = "medetec-other"
# Weights that are committed, fold-N.pt and student.pt: where there is no checkpoint, a training goes on from there.
KEPT = Path(__file__).parent.parent / "teachers-lite"


def data_of(folder: Path) -> Data:
    """The labelled sets of the folder of all sets."""
    return Data(folder / "fuseg", folder / "medetec-560")


def believed_others(fold: Fold, folder: Path, beliefs: Path) -> list[Picture]:
    """Wounds elsewhere than on feet as a teacher believes them that never saw this fold either; photos of the fold's own part are kept
    out, and those that show no wound, which are shown as that. `beliefs`: that teacher's, ID.png each."""
    folds = {name: index for index, names in enumerate(data_of(folder).folds()) for name in names}
    without = read_without_wound(OTHER_REVIEW_FILE)
    others = Unlabelled(folder / OTHER, beliefs)
    files = [file for file in sorted(others.images.glob("*.webp")) if file.stem not in without]
    return [others.picture(file, without_wound=False) for file in files if fold_of_photo(f"{OTHER}/{file.stem}", folds) != fold.index]


def shown_pictures(fold: Fold, folder: Path, beliefs: Path | None) -> tuple[list[Picture], list[Picture]]:
    """Labelled pictures, dark skin and Medetec's feet more often; and all others."""
    labelled = teacher_pictures(fold, data_of(folder), times_of(read_tones()))
    return labelled, without_wound(fold, folder) + (believed_others(fold, folder, beliefs) if beliefs else [])


def begun(folder: Path, committed: Path | None, seed: int, device: torch.device, variant: int) -> tuple[LiteRun, int]:
    """The run as it stands, or one that goes on from its committed weights, or a new one; and the step at which its optimiser began."""
    run = new_or_resumed(folder, seed, device, variant)
    if run.steps:
        return run, read_description(folder).get("optimiser_since_step", 0)
    state = torch.load(committed, map_location=device, weights_only=True) if committed and committed.exists() else None
    if state is None or state["kind"]["variant"] != variant:
        return run, 0
    for network in (run.network, run.average):
        network.load_state_dict(state["average"])
    run.steps = int(state["steps"])
    write_description(folder, state["teacher"] | {"optimiser_since_step": run.steps})
    run.save()
    return run, run.steps


def train_teacher(fold: Fold, folder: Path, beliefs: Path | None, drawers: int, variant: int = VARIANT, schedule: Schedule = SCHEDULE) -> bool:
    """Trains what is left and outlines the held-out pictures; false where it was asked to stop. `folder`: of all sets."""
    device, data = torch.device("cuda" if torch.cuda.is_available() else "cpu"), data_of(folder)
    if steps_done(fold.run) < schedule.steps:
        run, begun_at = begun(fold.run, fold.committed, fold.seed, device, variant)
        known = read_description(fold.run) if (fold.run / DESCRIPTION).exists() else describe(fold, data, Review.read(REVIEW_FILE))
        # A training that had all its steps may be given more.
        write_description(fold.run, known | {"variant": variant, "steps": schedule.steps, "medetec_other": beliefs is not None})
        labelled, others = shown_pictures(fold, folder, beliefs)
        print(json.dumps({"fold": fold.index, "step": run.steps, "of": schedule.steps, "labelled": len(labelled), "others": len(others)}), flush=True)
        wounds = SmallWounds(list({id(one): one for one in labelled}.values()))
        if not train_steps(run, begun_at, Views(labelled + others, fold.seed, schedule, RECIPE, wounds), drawers):
            return False
    if predicted_step(fold) < read_description(fold.run)["steps"]:
        predict_fold(fold, data, device)
    return True
