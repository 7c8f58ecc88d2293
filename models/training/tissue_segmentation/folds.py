"""Five teachers, what they believe of crops that nobody labelled, and five students; each judged on the fold that it never saw.

    python -m tissue_segmentation.folds --data DFU_TISSUE --unlabelled DFU_TISSUE_UNLABELLED --runs runs/tissue \
        --start-from weights/wound-segmentation-0.5.0-32-bit/model.onnx

What is finished is skipped, and what was stopped goes on. Fold k's student learns from the labels of the four other folds and from the
beliefs of fold k's teacher alone, which has seen the same labels: nothing that was learnt from fold k's labels reaches it.
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from wound_segmentation.augmentation import Picture
from wound_segmentation.teacher import train_steps

from .beliefs import believed_pictures, write_beliefs
from .dataset import FOLDS, load_pictures, read_ids, tissue_fold
from .judge import count, figures_of
from .train import STUDENT, TEACHER, TissueRun, TissueViews, Training, begun_run

CONFUSION = "confusion.json"
TEACHER_SEED, STUDENT_SEED, SHIPPED_SEED = 3001, 4001, 5001


class Stopped(Exception):
    """Asked to end; the checkpoint is written."""


@dataclass(frozen=True)
class Sitting:
    """Where everything lies."""

    pictures: dict[str, Picture]
    unlabelled: Path
    runs: Path
    start_from: Path | None
    drawers: int = 0

    def teacher(self, fold: int) -> None:
        """Trains fold `fold`'s teacher, judges it and writes what it believes."""
        folder = self.runs / f"teacher-{fold}"
        run = self._trained(folder, self._others(fold), [], TEACHER_SEED + fold, TEACHER)
        self._judge(folder, run, fold)
        write_beliefs(run.average, self.unlabelled, self.beliefs(fold))

    def student(self, fold: int) -> None:
        """Trains fold `fold`'s student with that fold's teacher's beliefs, and judges it."""
        folder = self.runs / f"student-{fold}"
        if (folder / CONFUSION).exists():
            return
        believed = believed_pictures(self.unlabelled, [self.beliefs(fold)])
        run = self._trained(folder, self._others(fold), believed, STUDENT_SEED + fold, STUDENT)
        self._judge(folder, run, fold)

    def shipped(self) -> None:
        """Trains the network that ships: on all labels, and on the mean belief of the five teachers. No picture is left to judge it on."""
        believed = believed_pictures(self.unlabelled, [self.beliefs(fold) for fold in range(FOLDS)])
        self._trained(self.runs / "shipped", list(self.pictures.values()), believed, SHIPPED_SEED, STUDENT)

    def beliefs(self, fold: int) -> Path:
        return self.runs / f"teacher-{fold}" / "beliefs"

    def figures(self, role: str) -> dict:
        """Pooled over the folds that are judged."""
        files = sorted(self.runs.glob(f"{role}-*/{CONFUSION}"))
        confusion = np.sum([np.array(json.loads(file.read_text()), np.int64) for file in files], 0)
        return {"role": role, "folds": len(files), "figures": figures_of(confusion), "confusion": confusion.tolist()} if files else {"role": role, "folds": 0}

    def _others(self, fold: int) -> list[Picture]:
        return [picture for name, picture in self.pictures.items() if tissue_fold(name) != fold]

    def _trained(self, folder: Path, labelled: list[Picture], believed: list[Picture], seed: int, training: Training) -> TissueRun:
        run = begun_run(folder, self.start_from, [photo for photo, *_ in labelled], seed)
        if run.steps < training.schedule.steps:
            print(json.dumps({"run": folder.name, "step": run.steps, "of": training.schedule.steps}), flush=True)
            if not train_steps(run, 0, TissueViews(labelled, believed, seed, training), self.drawers):
                raise Stopped
        return run

    def _judge(self, folder: Path, run: TissueRun, fold: int) -> None:
        if (folder / CONFUSION).exists():
            return
        confusion = count(run.average, [picture for name, picture in self.pictures.items() if tissue_fold(name) == fold])
        (folder / CONFUSION).write_text(json.dumps(confusion.tolist()))
        print(json.dumps({"run": folder.name, "figures": figures_of(confusion)}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="labelled crops: images/ and masks/")
    parser.add_argument("--unlabelled", type=Path, required=True, help="folder of crops that nobody labelled")
    parser.add_argument("--runs", type=Path, required=True, help="folder for checkpoints, beliefs and figures (not committed)")
    parser.add_argument("--start-from", type=Path, help="a wound network: checkpoint, or exported model in 32 bits; else from scratch")
    parser.add_argument("--only", type=int, nargs="*", default=list(range(FOLDS)), metavar="FOLD")
    parser.add_argument("--shipped", action="store_true", help="then train the network that ships")
    parser.add_argument("--figures", action="store_true", help="only say what is there")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--drawers", type=int, default=0, help="processes that draw views beside the training")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    pictures = {} if arguments.figures else load_pictures(arguments.data, read_ids(arguments.data))
    sitting = Sitting(pictures, arguments.unlabelled, arguments.runs, arguments.start_from, arguments.drawers)
    try:
        for train_fold in () if arguments.figures else (sitting.teacher, sitting.student):
            for fold in arguments.only:
                train_fold(fold)
        if arguments.shipped and not arguments.figures:
            sitting.shipped()
    except Stopped:
        print(json.dumps({"stopped": True}), flush=True)
    for role in ("teacher", "student"):
        print(json.dumps(sitting.figures(role)), flush=True)


if __name__ == "__main__":
    main()
