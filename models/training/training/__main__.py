"""Trains the wound network on a pretrained encoder.

    python -m training all --data DATA --work WORK --version 0.8.0    # the four below, in this order
    python -m training teachers --data DATA --work WORK [--only 0]    # five folds, and each one's outlines of what it never saw
    python -m training figures  --data DATA --work WORK               # what these are worth, beside the teachers of 0.7
    python -m training student  --data DATA --work WORK               # the network that ships
    python -m training ship     --data DATA --work WORK --version 0.8.0
    python -m training compare  --data DATA --work WORK [--minutes 20]   # EfficientNet-Lite0, 1 and 2
    python -m training clicks   --data DATA --work WORK [--only 0]    # the networks that answer a click, from the teachers
    python -m training keep     --work WORK --out FOLDER              # all weights, small enough to be committed
    python -m training adopt    --data DATA --work WORK [--only 0]    # the committed weights as finished runs, for ship without a training

`DATA` is the folder of all sets (fuseg, medetec-560, medetec-other, fuseg-unlabelled), `WORK` a git-ignored folder. What is finished is
skipped and what was stopped goes on, so the same command is given again until it says nothing new.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from wound_segmentation.folds import FOLDS, Fold, export_run, export_weights
from wound_segmentation.teacher import steps_done

from .beliefs import first_beliefs
from .clicks import judge_clicks, train_clicks
from .committed import adopt
from .compare import compare
from .figures import print_figures
from .recipe import VARIANT
from .ship import ship
from .student import COMMITTED, train_student
from .teachers import KEPT, data_of, train_teacher


def teachers(arguments: argparse.Namespace) -> bool:
    for index in arguments.only:
        beliefs = first_beliefs(index, arguments.data, arguments.work)
        if not train_teacher(Fold(index, arguments.work / "teachers", KEPT), arguments.data, beliefs, arguments.drawers, arguments.variant):
            return False
    return True


def figures(arguments: argparse.Namespace) -> bool:
    print_figures(arguments.data, arguments.work)
    return True


def student(arguments: argparse.Namespace) -> bool:
    return train_student(arguments.data, arguments.work, arguments.drawers, arguments.variant)


def shipped(arguments: argparse.Namespace) -> bool:
    ship(arguments.data, arguments.work, arguments.version, arguments.judged_model, arguments.since)
    return True


def every(arguments: argparse.Namespace) -> bool:
    return all(step(arguments) for step in (teachers, figures, student, shipped))


def compared(arguments: argparse.Namespace) -> bool:
    beliefs = first_beliefs(0, arguments.data, arguments.work) if arguments.minutes else None
    return compare(arguments.data, data_of(arguments.data), arguments.work / "compared", arguments.minutes, beliefs, arguments.drawers)


def clicks(arguments: argparse.Namespace) -> bool:
    for index in arguments.only:
        if not train_clicks(index, arguments.data, arguments.work, first_beliefs(index, arguments.data, arguments.work), arguments.drawers):
            return False
        judge_clicks(index, data_of(arguments.data), arguments.work)
    return True


def keep(arguments: argparse.Namespace) -> bool:
    for fold in (Fold(index, arguments.work / "teachers", arguments.out) for index in arguments.only):
        if steps_done(fold.run):
            export_weights(fold)
    if steps_done(arguments.work / "student"):
        export_run(arguments.work / "student", arguments.out / COMMITTED.name)
    return True


def adopted(arguments: argparse.Namespace) -> bool:
    adopt(arguments.only, arguments.data, arguments.work, arguments.variant)
    return True


STEPS = {"all": every, "teachers": teachers, "figures": figures, "student": student, "ship": shipped, "compare": compared, "clicks": clicks, "keep": keep, "adopt": adopted}


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="training", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=STEPS)
    parser.add_argument("--data", type=Path, help="folder of all sets")
    parser.add_argument("--work", type=Path, required=True, help="git-ignored folder for checkpoints, outlines and beliefs")
    parser.add_argument("--only", type=int, nargs="+", default=list(range(FOLDS)), help="these folds, in this order")
    parser.add_argument("--variant", type=int, choices=(0, 1, 2), default=VARIANT, help="of EfficientNet-Lite")
    parser.add_argument("--minutes", type=float, default=0, help="compare: processor time of each training; without it only times and sizes")
    parser.add_argument("--version", default="0.8.0", help="ship: of the model")
    parser.add_argument("--judged-model", type=Path, help="ship: folder of wound-segmentation-fast-0.5.0, whose outlines a person judged")
    parser.add_argument("--since", help="ship: the first of its commands to run, such as export, where those before it are done")
    parser.add_argument("--out", type=Path, help="keep: folder of the weights")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--drawers", type=int, default=1, help="processes that draw views")
    return parser.parse_args()


if __name__ == "__main__":
    arguments = parsed()
    torch.set_num_threads(arguments.threads)
    STEPS[arguments.step](arguments)
