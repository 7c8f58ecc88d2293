"""Trains the wound networks on a pretrained encoder.

    python -m training teachers --data DATA --work WORK [--only 0]

`DATA` is the folder of all sets (fuseg, medetec-560, medetec-other, fuseg-unlabelled), `WORK` a git-ignored folder. What is finished is
skipped and what was stopped goes on: the same command is given again until it says so.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from wound_segmentation.folds import FOLDS, Fold

from .recipe import VARIANT
from .teachers import OTHER, train_teacher


def teachers(arguments: argparse.Namespace) -> bool:
    for index in arguments.only:
        beliefs = arguments.beliefs / f"fold-{index}" / OTHER if arguments.beliefs else None
        if not train_teacher(Fold(index, arguments.work / "teachers", None), arguments.data, beliefs, arguments.drawers, arguments.variant):
            return False
    return True


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="training", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=STEPS)
    parser.add_argument("--data", type=Path, required=True, help="folder of all sets")
    parser.add_argument("--work", type=Path, required=True, help="git-ignored folder for checkpoints, outlines and beliefs")
    parser.add_argument("--beliefs", type=Path, help="fold-N/medetec-other/ID.png: what a teacher of fold N believes of other wounds")
    parser.add_argument("--only", type=int, nargs="+", default=list(range(FOLDS)), help="these folds, in this order")
    parser.add_argument("--variant", type=int, choices=(0, 1, 2), default=VARIANT, help="of EfficientNet-Lite")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--drawers", type=int, default=1, help="processes that draw views")
    return parser.parse_args()


STEPS = {"teachers": teachers}

if __name__ == "__main__":
    arguments = parsed()
    torch.set_num_threads(arguments.threads)
    STEPS[arguments.step](arguments)
