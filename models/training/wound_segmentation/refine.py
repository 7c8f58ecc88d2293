"""Goes on with finished teachers: a third of the views on darker skin, and pictures without a wound. Each then outlines the pictures that it never
saw, and so does the mean of its weights and of those that it began with, which is what ships of a student that went on so (`refine_student.py`).

    python -m wound_segmentation.refine --data DATA --weights teachers --runs runs/refined --kept teachers-refined --means runs/means

For machines without a GPU: what five teachers from scratch take a GPU for (`device_training.py`) is days of a processor, this is hours.
`DATA` holds the sets (fuseg, medetec-560, medetec-other, fuseg-unlabelled). What is finished is skipped and what was stopped goes on.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

import torch

from .augmentation import Picture, Recipe
from .average import mean_network
from .darker_skin import DARKENED_SHARE
from .folds import FOLDS, Data, Fold, export_weights, predict_fold, predicted_step, teacher_pictures, usual_times
from .schedule import Schedule, Stage
from .skin_tone import DARK, DARK_SKIN_TIMES, read_tones
from .small_wounds import SmallWounds
from .starting_weights import load_average
from .student import without_wound_pictures
from .teacher import DESCRIPTION, Views, adopt, new_or_resumed, read_description, steps_done, train_steps, write_description
from .train import CHECKPOINT
from .wound_free import read_wound_free

# The service looks at 512 pixels: what is learnt last is learnt there.
SCHEDULE = Schedule((Stage(500, 384, 8), Stage(1200, 512, 6)), peak_learning_rate=1e-3, warm_up_steps=50)
RECIPE = Recipe(whole_share=0.5, small_wound_share=0.25, rim_px=3, darker_skin_share=DARKENED_SHARE)


def begin(fold: Fold) -> None:
    """A run of the teacher's committed weights, at its step 0."""
    adopt(fold.run, fold.committed, at_step=0)
    description = read_description(fold.run)
    write_description(fold.run, description | {"optimiser_since_step": 0, "steps": SCHEDULE.steps, "goes_on_from": "the teacher of 8,000 steps"})


def times_of(tones: dict[str, str]) -> Callable[[str], int]:
    """How often each picture is shown."""
    return lambda name: DARK_SKIN_TIMES if tones.get(name) == DARK else usual_times(name)


def pictures_of(fold: Fold, data: Data, tones: dict[str, str]) -> list[Picture]:
    """What the teacher was trained on, dark skin more often."""
    return teacher_pictures(fold, data, times_of(tones))


def without_wound(fold: Fold, folder: Path) -> list[Picture]:
    """Photos and windows without an open wound, those of the teacher's own fold kept out; the teacher has seen FUSeg's empty labels. `folder`: of all sets."""
    new = [one for one in read_wound_free(folder) if one.fold != fold.index and not (one.box is None and one.set == "fuseg")]
    return without_wound_pictures(folder, new, set())


def refine(fold: Fold, folder: Path, kept: Fold, device: torch.device, drawers: int) -> bool:
    """Trains what is left and outlines the held-out pictures; false where it was asked to stop. `folder`: of all sets. `kept`: the same
    fold, with the file of its weights once it has gone on; another machine begins there."""
    data = Data(folder / "fuseg", folder / "medetec-560")
    if not (fold.run / DESCRIPTION).exists():
        if kept.committed is not None and kept.committed.exists():
            adopt(fold.run, kept.committed)
        else:
            begin(fold)
    if steps_done(fold.run) < SCHEDULE.steps:
        run, begun_at = new_or_resumed(fold.run, fold.seed, device)
        labelled = pictures_of(fold, data, read_tones())
        wounds = SmallWounds(list({id(one): one for one in labelled}.values()))
        views = Views(labelled + without_wound(fold, folder), fold.seed, SCHEDULE, RECIPE, wounds)
        if not train_steps(run, begun_at, views, drawers):
            return False
        if kept.committed is not None:
            export_weights(kept)
    if predicted_step(fold) < SCHEDULE.steps:
        predict_fold(fold, data, device)
    return True


def outline_by_mean(fold: Fold, mean: Fold, data: Data, device: torch.device) -> None:
    """Outlines the held-out pictures with the mean of the weights that the teacher began and ended with. `mean`: the same fold, elsewhere."""
    if predicted_step(mean) == SCHEDULE.steps:
        return
    adopt(mean.run, fold.committed, at_step=SCHEDULE.steps)
    write_description(mean.run, read_description(fold.run))
    state = torch.load(mean.run / CHECKPOINT, map_location="cpu", weights_only=True)
    weights = mean_network([load_average(run / CHECKPOINT) for run in (mean.run, fold.run)]).state_dict()
    torch.save(state | {"average": weights}, mean.run / CHECKPOINT)
    predict_fold(mean, data, device)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of all sets")
    parser.add_argument("--runs", type=Path, required=True, help="folder for checkpoints and outlines (not committed)")
    parser.add_argument("--weights", type=Path, required=True, help="folder of the teachers' committed weights")
    parser.add_argument("--kept", type=Path, help="folder for the weights of those that have gone on; what lies there is not trained again")
    parser.add_argument("--means", type=Path, help="folder for the means of each with the teacher that it began as, and for their outlines")
    parser.add_argument("--only", type=int, nargs="+", default=list(range(FOLDS)), help="these folds, in this order")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--drawers", type=int, default=1, help="processes that draw views")
    arguments = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_num_threads(arguments.threads)
    for index in arguments.only:
        fold, kept = (Fold(index, arguments.runs, weights) for weights in (arguments.weights, arguments.kept))
        if not refine(fold, arguments.data, kept, device, arguments.drawers):
            return
        if arguments.means is not None:
            outline_by_mean(fold, Fold(index, arguments.means, None), Data(arguments.data / "fuseg", arguments.data / "medetec-560"), device)


if __name__ == "__main__":
    main()
