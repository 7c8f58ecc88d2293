"""From the committed weights to finished runs: what `ship` needs, where nobody wants to train anew."""

from __future__ import annotations

from pathlib import Path

import torch
from wound_segmentation.folds import Fold, predict_fold, predicted_step
from wound_segmentation.student import SEED
from wound_segmentation.teacher import is_finished, steps_done

from .recipe import VARIANT
from .student import COMMITTED
from .teachers import KEPT, begun, data_of

CPU = torch.device("cpu")


def adopt(only: list[int], folder: Path, work: Path, variant: int = VARIANT, kept: Path = KEPT, student: Path = COMMITTED) -> None:
    """Makes runs of the committed student and of these teachers, and lets each teacher outline the pictures that it never saw. What is
    there already stays; weights of a training that had not ended are refused. `folder`: of all sets."""
    adopt_run(work / "student", student, SEED, variant)
    for fold in (Fold(index, work / "teachers", kept) for index in only):
        adopt_run(fold.run, fold.committed, fold.seed, variant)
        if predicted_step(fold) < steps_done(fold.run):
            predict_fold(fold, data_of(folder), CPU)


def adopt_run(run: Path, committed: Path, seed: int, variant: int) -> None:
    if steps_done(run) == 0:
        if not committed.exists():
            raise SystemExit(f"There are no weights {committed}.")
        begun(run, committed, seed, CPU, variant)
    if not is_finished(run):
        raise SystemExit(f"The training of {run} has not ended: let it go on, by the steps teachers and student.")
