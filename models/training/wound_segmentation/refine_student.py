"""Goes on with the student that ships as the teachers went on: a third of the views on darker skin.

    python -m wound_segmentation.refine_student --data DATA --means runs/means --beliefs runs/beliefs --run runs/refined-student \
        --start-from weights/wound-segmentation-0.6.0-32-bit/model.onnx

It is shown what the student was shown (`student.py`), dark skin more often, beside what the teachers' means believe. Ships as the mean of its
weights and of those that it began with (`average.py`).
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import replace
from pathlib import Path

import torch

from .augmentation import Picture
from .folds import Data
from .label_review import OTHER_REVIEW_FILE, REVIEW_FILE, Review, read_without_wound
from .refine import RECIPE, SCHEDULE, times_of
from .skin_tone import read_tones
from .small_wounds import SmallWounds
from .student import RECIPE as STUDENT_RECIPE
from .student import SEED, Unlabelled, begun_run, labelled_pictures, without_wound_pictures
from .teacher import DESCRIPTION, Views, train_steps, write_description
from .wound_free import WINDOWS_FILE, read_windows

# The sets that nobody labelled: where their pictures lie in the folder of all sets. Beliefs lie under the same names.
UNLABELLED = {"fuseg-unlabelled": "fuseg-unlabelled/images", "medetec-other": "medetec-other"}


def pictures_of(folder: Path, means: Path, beliefs: Path) -> tuple[list[Picture], list[Picture]]:
    """Labelled pictures, and all others. `folder`: of all sets."""
    labelled = labelled_pictures(Data(folder / "fuseg", folder / "medetec-560"), Review.read(REVIEW_FILE), means, set(), times_of(read_tones()))
    without_wound = read_without_wound(OTHER_REVIEW_FILE)
    others = [picture for name, place in UNLABELLED.items() for picture in Unlabelled(folder / place, beliefs / name).load(without_wound)]
    return labelled, others + without_wound_pictures(folder, read_windows(WINDOWS_FILE), set())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of all sets")
    parser.add_argument("--means", type=Path, required=True, help="the folder of `refine --means`")
    parser.add_argument("--beliefs", type=Path, required=True, help="folder with what they believe of fuseg-unlabelled and of medetec-other")
    parser.add_argument("--run", type=Path, required=True, help="folder for checkpoints (not committed)")
    parser.add_argument("--start-from", type=Path, required=True, help="checkpoint, or exported model in 32 bits")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--drawers", type=int, default=1, help="processes that draw views")
    arguments = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_num_threads(arguments.threads)
    labelled, others = pictures_of(arguments.data, arguments.means, arguments.beliefs)
    run = begun_run(arguments.run, arguments.start_from, labelled, device)
    pictures = labelled + others
    if not (arguments.run / DESCRIPTION).exists():
        write_description(arguments.run, {"seed": SEED, "pictures": len(pictures), "steps": SCHEDULE.steps, "goes_on_from": str(arguments.start_from)})
    print(json.dumps({"step": run.steps, "of": SCHEDULE.steps, "labelled": len(labelled), "pictures": len(pictures)}), flush=True)
    wounds = SmallWounds(list({id(one): (one[0], one[1]) for one in labelled}.values()))
    recipe = replace(RECIPE, belief_share=STUDENT_RECIPE.belief_share)
    train_steps(run, 0, Views(pictures, SEED, SCHEDULE, recipe, wounds), arguments.drawers)


if __name__ == "__main__":
    main()
