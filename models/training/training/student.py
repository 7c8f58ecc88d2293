"""The one network that ships: all labels, each half what the teacher believes that never saw it, and all teachers' beliefs of the rest."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from wound_segmentation.device_training import believe_unlabelled
from wound_segmentation.label_review import OTHER_REVIEW_FILE, REVIEW_FILE, Review, read_without_wound
from wound_segmentation.refine import times_of
from wound_segmentation.skin_tone import read_tones
from wound_segmentation.small_wounds import SmallWounds
from wound_segmentation.student import SEED, labelled_pictures, without_wound_pictures
from wound_segmentation.teacher import DESCRIPTION, Views, steps_done, train_steps, write_description
from wound_segmentation.wound_free import WINDOWS_FILE, read_windows

from .recipe import RECIPE, SCHEDULE, VARIANT
from .teachers import KEPT, begun, data_of

COMMITTED = KEPT / "student.pt"


def train_student(folder: Path, work: Path, drawers: int, variant: int = VARIANT) -> bool:
    """Trains what is left, in as many steps as a teacher; false where it was asked to stop. `folder`: of all sets."""
    out, teachers = work / "student", work / "teachers"
    if steps_done(out) >= SCHEDULE.steps:
        return True
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    labelled = labelled_pictures(data_of(folder), Review.read(REVIEW_FILE), teachers, set(), times_of(read_tones()))
    without = read_without_wound(OTHER_REVIEW_FILE)
    others = [picture for one in believe_unlabelled(folder, teachers, device) for picture in one.load(without)]
    pictures = labelled + others + without_wound_pictures(folder, read_windows(WINDOWS_FILE), set())
    run, begun_at = begun(out, COMMITTED, SEED, device, variant)
    if not (out / DESCRIPTION).exists():
        write_description(out, {"seed": SEED, "pictures": len(pictures), "left_out": [], "variant": variant, "steps": SCHEDULE.steps})
    print(json.dumps({"student": run.steps, "of": SCHEDULE.steps, "labelled": len(labelled), "pictures": len(pictures)}), flush=True)
    wounds = SmallWounds(list({id(one): (one[0], one[1]) for one in labelled}.values()))
    return train_steps(run, begun_at, Views(pictures, SEED, SCHEDULE, RECIPE, wounds), drawers)
