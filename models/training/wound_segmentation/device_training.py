"""Trains five teachers and a student on a GPU by one command, and says what they are worth out of fold, by skin tone, too.

    python -m wound_segmentation.device_training --data DATA --runs runs/device

`DATA` holds the sets (fuseg, medetec-560, medetec-other, fuseg-unlabelled). What is finished is skipped and what was stopped goes on
from its checkpoint, so the same command is given again until it prints the student's last step.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from .beliefs import believe, finished_teachers
from .device_pictures import DeviceViews
from .folds import FOLDS, Data, Fold, describe, predict_fold, predicted_step, teacher_pictures, usual_times
from .label_review import OTHER_REVIEW_FILE, REVIEW_FILE, Review, read_without_wound
from .out_of_fold import outlined_out_of_fold, report_of
from .schedule import Schedule, Stage
from .skin_tone import read_tones
from .skin_tone_figures import report_of as report_by_tone
from .student import RECIPE as STUDENT_RECIPE
from .student import SEED as STUDENT_SEED
from .student import Unlabelled, labelled_pictures, without_wound_pictures
from .teacher import DESCRIPTION, RECIPE, new_or_resumed, steps_done, train_steps, write_description
from .wound_free import WINDOWS_FILE, read_windows

# Twice the views of `teacher.SCHEDULE`, four times as many at once.
SCHEDULE = Schedule((Stage(1500, 256, 32), Stage(3250, 384, 32), Stage(4000, 512, 24)), peak_learning_rate=2e-3)
UNLABELLED = {"fuseg-unlabelled": "fuseg-unlabelled/images", "medetec-other": "medetec-other"}


def shortened(schedule: Schedule, share: float) -> Schedule:
    """The same stages in fewer steps."""
    stages = tuple(Stage(max(number + 1, round(stage.until_step * share)), stage.side_px, stage.batch) for number, stage in enumerate(schedule.stages))
    return Schedule(stages, schedule.peak_learning_rate)


def train_teacher(fold: Fold, data: Data, review: Review, schedule: Schedule, device: torch.device) -> bool:
    """Trains what is left and outlines the held-out pictures; false where it was asked to stop."""
    if steps_done(fold.run) < schedule.steps:
        run, _ = new_or_resumed(fold.run, fold.seed, device)
        if not (fold.run / DESCRIPTION).exists():
            write_description(fold.run, describe(fold, data, review) | {"steps": schedule.steps})
        views = DeviceViews(teacher_pictures(fold, data, usual_times), fold.seed, schedule, RECIPE, device)
        if not train_steps(run, 0, views, drawers=0):
            return False
    if predicted_step(fold) < schedule.steps:
        predict_fold(fold, data, device)
    return True


def believe_unlabelled(folder: Path, runs: Path, device: torch.device) -> list[Unlabelled]:
    """What all teachers believe of the unlabelled sets, kept in the run folder."""
    sets = [Unlabelled(folder / images, runs / "beliefs" / name) for name, images in UNLABELLED.items()]
    teachers = finished_teachers(runs, device)
    for one in sets:
        one.beliefs.mkdir(parents=True, exist_ok=True)
        for file in sorted(one.images.glob("*.webp")):
            out = one.beliefs / f"{file.stem}.png"
            if not out.exists():
                believed = believe(Image.open(file).convert("RGB"), teachers, device)
                Image.fromarray(np.round(believed * 255).astype(np.uint8)).save(out)
    return sets


def train_student(folder: Path, runs: Path, data: Data, review: Review, unlabelled: list[Unlabelled], schedule: Schedule, device: torch.device) -> bool:
    """From scratch, on all labels and on what the teachers believe."""
    out = runs / "student"
    if steps_done(out) == schedule.steps:
        return True
    without_wound = read_without_wound(OTHER_REVIEW_FILE)
    pictures = labelled_pictures(data, review, runs, set())
    pictures += [picture for one in unlabelled for picture in one.load(without_wound)]
    pictures += without_wound_pictures(folder, read_windows(WINDOWS_FILE), set())
    run, _ = new_or_resumed(out, STUDENT_SEED, device)
    if not (out / DESCRIPTION).exists():
        write_description(out, {"seed": STUDENT_SEED, "pictures": len(pictures), "left_out": [], "start_from": None, "steps": schedule.steps})
    return train_steps(run, 0, DeviceViews(pictures, STUDENT_SEED, schedule, STUDENT_RECIPE, device), drawers=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of all sets")
    parser.add_argument("--runs", type=Path, required=True, help="folder for checkpoints, outlines and beliefs (not committed)")
    parser.add_argument("--share", type=float, default=1.0, help="of the steps, for a trial or a slower device; a run is finished with the share that it began with")
    parser.add_argument("--figures", action="store_true", help="train nothing; print the figures of what is there")
    arguments = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data, review = Data(arguments.data / "fuseg", arguments.data / "medetec-560"), Review.read(REVIEW_FILE)
    schedule = shortened(SCHEDULE, arguments.share)
    if not arguments.figures:
        if not all(train_teacher(Fold(index, arguments.runs, None), data, review, schedule, device) for index in range(FOLDS)):
            return
        unlabelled = believe_unlabelled(arguments.data, arguments.runs, device)
        if not train_student(arguments.data, arguments.runs, data, review, unlabelled, schedule, device):
            return
    seen = outlined_out_of_fold(data, arguments.runs)
    figures = report_of(seen, data, arguments.runs, review) | report_by_tone(data, arguments.runs, review, read_tones())
    (arguments.runs / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
