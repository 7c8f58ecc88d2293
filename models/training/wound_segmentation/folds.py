"""Trains one teacher a fold, one after another, and lets each outline the pictures that it never saw.

    python -m wound_segmentation.folds --fuseg DIR --medetec DIR --runs runs/folds --weights teachers

What is finished is skipped and what was stopped goes on, at any time and, with the committed weights, on any machine.
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

from .augmentation import Picture
from .dataset import FOLDS_SEED, folds_by_group, load_pictures
from .evaluate import letterbox
from .export import INPUT_SIZE, View
from .label_review import REVIEW_FILE, Review
from .network import WoundSegmentationNet
from .starting_weights import load_average
from .teacher import SCHEDULE, adopt, new_or_resumed, read_description, steps_done, train_teacher, write_description
from .train import CHECKPOINT, normalise

FOLDS = 5
FIRST_SEED = 1001
# Medetec's few pictures are shown more often.
MEDETEC_TIMES = 4
VIEWS = (View(1, mirrored=False), View(1, mirrored=True))


def usual_times(name: str) -> int:
    """How often a picture is shown for each time that another one is."""
    return MEDETEC_TIMES if name.startswith("medetec/") else 1


@dataclass(frozen=True)
class Data:
    """Where the labelled pictures lie; `fuseg/ID` and `medetec/ID` are their names."""

    fuseg: Path
    medetec: Path

    def folds(self) -> list[list[str]]:
        return folds_by_group(self.fuseg, self.medetec, FOLDS)

    def place(self, name: str) -> tuple[Path, str]:
        source, _, picture = name.partition("/")
        return {"fuseg": self.fuseg, "medetec": self.medetec}[source], picture

    def load(self, names: list[str]) -> list[Picture]:
        return [load_pictures(folder, [picture])[0] for folder, picture in map(self.place, names)]

    def photo(self, name: str) -> Image.Image:
        folder, picture = self.place(name)
        return Image.open(folder / "images" / f"{picture}.webp").convert("RGB")

    def label(self, name: str) -> np.ndarray:
        folder, picture = self.place(name)
        return np.asarray(Image.open(folder / "masks" / f"{picture}.png").convert("L")) > 127


@dataclass(frozen=True)
class Fold:
    """One fold: its run folder, the file of its committed weights, its seed."""

    index: int
    runs: Path
    weights: Path | None

    @property
    def run(self) -> Path:
        return self.runs / f"fold-{self.index}"

    @property
    def committed(self) -> Path | None:
        return self.weights / f"fold-{self.index}.pt" if self.weights else None

    @property
    def seed(self) -> int:
        return FIRST_SEED + self.index


def describe(fold: Fold, data: Data, review: Review) -> dict:
    """What the teacher is trained on, written down when it begins: a review that grows later changes no training under way."""
    folds = data.folds()
    others = [name for index, names in enumerate(folds) if index != fold.index for name in names]
    left_out = [name for name in others if review.leaves_out(name)]
    return {"fold": fold.index, "folds": FOLDS, "folds_seed": FOLDS_SEED, "seed": fold.seed, "held_out": folds[fold.index], "left_out": left_out}


def teacher_pictures(fold: Fold, data: Data, times_of: Callable[[str], int]) -> list[Picture]:
    """What the teacher of a fold may see, each picture as often in the list as it says of the name."""
    description = read_description(fold.run)
    unseen = {*description["held_out"], *description["left_out"]}
    seen = [name for names in data.folds() for name in names if name not in unseen]
    return [picture for name in seen for picture in data.load([name]) * times_of(name)]


def train_fold(fold: Fold, data: Data, review: Review, device: torch.device, drawers: int) -> bool:
    run, begun_at = new_or_resumed(fold.run, fold.seed, device)
    if not (fold.run / "teacher.json").exists():
        write_description(fold.run, describe(fold, data, review))
    description = read_description(fold.run)
    unseen = {*description["held_out"], *description["left_out"]}
    names = [name for names in data.folds() for name in names if name not in unseen]
    names += [name for name in names if name.startswith("medetec/")] * (MEDETEC_TIMES - 1)
    print(json.dumps({"fold": fold.index, "step": run.steps, "of": SCHEDULE.steps, "pictures": len(set(names))}), flush=True)
    return train_teacher(run, begun_at, data.load(names), fold.seed, drawers)


@torch.no_grad()
def outlined_by(network: WoundSegmentationNet, photo: Image.Image, device: torch.device) -> np.ndarray:
    """Wound probability of each pixel of the photo, 0 to 1: the mean over `VIEWS`."""
    canvas, (left, top, width, height) = letterbox(photo, INPUT_SIZE, INPUT_SIZE, Image.Resampling.BILINEAR)
    image = normalise(torch.from_numpy(np.array(canvas)).permute(2, 0, 1)[None].to(device).float() / 255)
    seen = [view.back(torch.sigmoid(network(view.of(image))[0].float()), [INPUT_SIZE, INPUT_SIZE]) for view in VIEWS]
    probability = torch.stack(seen).mean(0)[0, 0].cpu().numpy()
    return np.asarray(Image.fromarray(probability[top : top + height, left : left + width]).resize(photo.size, Image.Resampling.BILINEAR))


def predict_fold(fold: Fold, data: Data, device: torch.device) -> None:
    """Wound probabilities of the held-out pictures, in their own size, 8 bits; beside them the step they are of."""
    network = load_average(fold.run / CHECKPOINT).to(device).eval()
    out = fold.run / "out-of-fold"
    for name in read_description(fold.run)["held_out"]:
        file = out / f"{name}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(np.round(outlined_by(network, data.photo(name), device) * 255).astype(np.uint8)).save(file)
    (out / "step.json").write_text(json.dumps({"step": steps_done(fold.run)}) + "\n")


def predicted_step(fold: Fold) -> int:
    file = fold.run / "out-of-fold" / "step.json"
    return json.loads(file.read_text())["step"] if file.exists() else 0


def export_weights(fold: Fold) -> None:
    """The weights of a fold as they are so far, for its committed file."""
    export_run(fold.run, fold.committed)


def export_run(run: Path, committed: Path) -> None:
    """The averaged weights as they are so far, filters in 16 bits, from which the driver goes on where there is no checkpoint."""
    state = torch.load(run / CHECKPOINT, map_location="cpu", weights_only=True)
    half = {name: value.half() if value.dim() > 1 else value for name, value in state["average"].items()}
    kept = {"average": half, "steps": state["steps"], "widths": state["widths"], "decoder_widths": state["decoder_widths"], "kind": state.get("kind")}
    committed.parent.mkdir(parents=True, exist_ok=True)
    torch.save(kept | {"teacher": read_description(run)}, committed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fuseg", type=Path, required=True)
    parser.add_argument("--medetec", type=Path, required=True, help="at full width")
    parser.add_argument("--runs", type=Path, required=True, help="folder for checkpoints and predictions (not committed)")
    parser.add_argument("--weights", type=Path, help="folder of committed weights, to go on from where there is no checkpoint")
    parser.add_argument("--review", type=Path, default=REVIEW_FILE, help="labels that are wrong")
    parser.add_argument("--only", type=int, nargs="+", default=list(range(FOLDS)), help="these folds, in this order")
    parser.add_argument("--predict-so-far", action="store_true", help="train nothing; outline with the teachers as they are")
    parser.add_argument("--export", action="store_true", help="train nothing; write the weights so far into --weights")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--drawers", type=int, default=1, help="processes that draw views; on a GPU as many as there are cores")
    arguments = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_num_threads(arguments.threads)
    data = Data(arguments.fuseg, arguments.medetec)
    review = Review.read(arguments.review)
    for fold in (Fold(index, arguments.runs, arguments.weights) for index in arguments.only):
        if fold.committed and fold.committed.exists() and not steps_done(fold.run):
            adopt(fold.run, fold.committed)
        done = steps_done(fold.run)
        if arguments.export:
            if done:
                export_weights(fold)
            continue
        if not arguments.predict_so_far and done < SCHEDULE.steps:
            if not train_fold(fold, data, review, device, arguments.drawers):
                return
            done = SCHEDULE.steps
        if done > predicted_step(fold):
            predict_fold(fold, data, device)


if __name__ == "__main__":
    main()
