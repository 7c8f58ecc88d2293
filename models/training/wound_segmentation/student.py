"""Trains the one network that ships on every picture: on the labels, and on what teachers that never saw them believe.

    python -m wound_segmentation.student --fuseg DIR --medetec DIR --runs runs/folds --unlabelled DIR=runs/beliefs/fuseg \
        --unlabelled DIR=runs/beliefs/other --run runs/student --start-from weights/wound-segmentation-0.5.0-32-bit/model.onnx

Its figures are those of the teachers' recipe: no picture is left that it never saw. `--leave-out` trains one for comparison that has
never seen the pictures of a list, as a second check of the recipe.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from .augmentation import Picture, Recipe
from .folds import FOLDS, Data, Fold, predicted_step
from .label_review import OTHER_REVIEW_FILE, REVIEW_FILE, Review, read_without_wound
from .schedule import Schedule, Stage
from .small_wounds import SmallWounds
from .starting_weights import starting_network
from .teacher import DESCRIPTION, Views, read_description, train_steps, write_description
from .train import CHECKPOINT, RESTORE_WITH, Run, normalise
from .wound_free import WINDOWS_FILE, WoundFree, read_windows

SEED = 2001
SCHEDULE = Schedule((Stage(300, 256, 8), Stage(1000, 384, 8), Stage(2000, 512, 6)), peak_learning_rate=1e-3)
RECIPE = Recipe(whole_share=0.5, small_wound_share=0.25, rim_px=3, belief_share=0.5)
# Below this, out of 255, teachers believe in no wound.
LEAST_BELIEF = 26
# Medetec's few pictures are shown more often.
MEDETEC_TIMES = 3


@dataclass(frozen=True)
class Unlabelled:
    """Pictures that nobody labelled, and where the teachers' beliefs of them lie."""

    images: Path
    beliefs: Path

    @classmethod
    def parse(cls, text: str) -> Unlabelled:
        images, _, beliefs = text.partition("=")
        if not beliefs:
            raise argparse.ArgumentTypeError("PICTURES=BELIEFS, two folders")
        return cls(Path(images), Path(beliefs))

    def load(self, without_wound: set[str]) -> list[Picture]:
        """Of `without_wound` a person has said that they show none: teachers are not asked."""
        return [self.picture(file, file.stem in without_wound) for file in sorted(self.images.glob("*.webp"))]

    def picture(self, file: Path, without_wound: bool) -> Picture:
        photo = torch.from_numpy(np.array(Image.open(file).convert("RGB"))).permute(2, 0, 1).contiguous()
        belief = read_belief(self.beliefs / f"{file.stem}.png")
        return believed_picture(photo, torch.zeros_like(belief) if without_wound else belief)


def read_belief(file: Path) -> torch.Tensor:
    """uint8 [1, H, W]; what is hardly believed is not believed."""
    belief = np.array(Image.open(file))
    return torch.from_numpy(np.where(belief < LEAST_BELIEF, 0, belief).astype(np.uint8))[None]


def believed_picture(photo: torch.Tensor, belief: torch.Tensor) -> Picture:
    """A picture whose label is what the teachers believe."""
    return photo, (belief > 127).to(torch.uint8), belief


def shown_times(name: str) -> int:
    """How often a picture is shown for each time that another one is."""
    return MEDETEC_TIMES if name.startswith("medetec/") else 1


def labelled_pictures(data: Data, review: Review, runs: Path, left_out: set[str], times_of: Callable[[str], int] = shown_times) -> list[Picture]:
    """Each with the belief of the teacher that never saw it, where that is there; a wrong label is replaced by the belief."""
    beliefs = {}
    for fold in (Fold(index, runs, None) for index in range(FOLDS)):
        if predicted_step(fold):
            beliefs |= {name: fold.run / "out-of-fold" / f"{name}.png" for name in read_description(fold.run)["held_out"]}
    pictures: list[Picture] = []
    for name in (name for names in data.folds() for name in names if name not in left_out):
        (photo, mask), file = data.load([name])[0], beliefs.get(name)
        if file is not None and review.leaves_out(name):
            picture: Picture = believed_picture(photo, read_belief(file))
        elif review.leaves_out(name):
            continue
        else:
            picture = (photo, mask) if file is None else (photo, mask, read_belief(file))
        pictures += [picture] * times_of(name)
    return pictures


def without_wound_pictures(data: Path, windows: list[WoundFree], left_out: set[str]) -> list[Picture]:
    """Windows without an open wound, each a picture of its own, labelled so. `data`: the folder that holds the sets."""
    pictures: list[Picture] = []
    for window in windows:
        if window.name in left_out:
            continue
        photo = torch.from_numpy(window.load(data)).permute(2, 0, 1).contiguous()
        pictures.append((photo, torch.zeros((1, *photo.shape[1:]), dtype=torch.uint8)))
    return pictures


def read_list(file: Path | None) -> set[str]:
    """Names of FUSeg's pictures, one a line."""
    lines = [] if file is None else file.read_text().splitlines()
    return {f"fuseg/{line.strip()}" for line in lines if line.strip() and not line.startswith("#")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuseg", type=Path, required=True)
    parser.add_argument("--medetec", type=Path, required=True, help="at full width")
    parser.add_argument("--runs", type=Path, required=True, help="the teachers' folder")
    parser.add_argument("--unlabelled", type=Unlabelled.parse, action="append", default=[], metavar="PICTURES=BELIEFS")
    parser.add_argument("--wound-free", type=Path, metavar="DATA", help="folder of all sets: the listed windows without a wound are shown, too")
    parser.add_argument("--run", type=Path, required=True, help="folder for checkpoints (not committed)")
    parser.add_argument("--start-from", type=Path, help="checkpoint, or exported model in 32 bits; else from scratch")
    parser.add_argument("--leave-out", type=Path, help="list of FUSeg pictures that it never sees")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--drawers", type=int, default=1)
    arguments = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_num_threads(arguments.threads)
    left_out = read_list(arguments.leave_out)
    labelled = labelled_pictures(Data(arguments.fuseg, arguments.medetec), Review.read(REVIEW_FILE), arguments.runs, left_out)
    without_wound = read_without_wound(OTHER_REVIEW_FILE)
    pictures = labelled + [picture for folder in arguments.unlabelled for picture in folder.load(without_wound)]
    if arguments.wound_free is not None:
        pictures += without_wound_pictures(arguments.wound_free, read_windows(WINDOWS_FILE), left_out)
    run = begun_run(arguments.run, arguments.start_from, labelled, device)
    if not (arguments.run / DESCRIPTION).exists():
        write_description(arguments.run, {"seed": SEED, "pictures": len(pictures), "left_out": sorted(left_out), "start_from": str(arguments.start_from)})
    print(json.dumps({"step": run.steps, "of": SCHEDULE.steps, "labelled": len(labelled), "pictures": len(pictures)}), flush=True)
    wounds = SmallWounds([(photo, mask) for photo, mask, *_ in labelled])
    train_steps(run, 0, Views(pictures, SEED, SCHEDULE, RECIPE, wounds), arguments.drawers)


def begun_run(folder: Path, start_from: Path | None, labelled: list[Picture], device: torch.device) -> Run:
    """The run as it stands, or a new one with the weights that it begins with."""
    torch.manual_seed(SEED)
    # A run that goes on has its weights; what it once began with may be gone.
    start = None if (folder / CHECKPOINT).exists() else start_from
    square = [photo for photo, *_ in labelled if photo.shape == labelled[0][0].shape][:RESTORE_WITH]
    return Run(folder, device, starting_network(start, normalise(torch.stack(square).float() / 255), wide=False, seed=SEED))


if __name__ == "__main__":
    main()
