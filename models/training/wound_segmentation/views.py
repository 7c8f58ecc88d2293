"""What a further look is worth, out of fold: each choice of views beside the two that ship, with the interval of the difference.

    python -m wound_segmentation.views --fuseg DIR --medetec DIR --runs runs/folds --looks runs/looks
    python -m wound_segmentation.views --fuseg DIR --medetec DIR --runs runs/folds --looks runs/looks --time

A held-out picture is looked at by the one teacher that never saw it, once for each single view; choices are means of those looks.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from PIL import Image

from .dataset import picture_groups
from .evaluate import letterbox, predict_probability
from .export import INPUT_SIZE, ProbabilityNet, View, in_eight_bits
from .folds import FOLDS, Data, Fold
from .network import WoundSegmentationNet
from .onnx_folder import write_manifest, write_onnx
from .out_of_fold import INTERVAL_PCT, RESAMPLES, SERIES_FILE, THRESHOLD, Outlined, joined, mean_dice, pooled_dice, read_series
from .starting_weights import load_average
from .teacher import is_finished, read_description
from .train import CHECKPOINT, normalise

LOOKS = ("1", "1m", "1.25", "1.25m")
CHOICES = (("1",), ("1", "1m"), ("1", "1m", "1.25"), ("1.25",), ("1.25", "1.25m"), ("1", "1m", "1.25", "1.25m"))
# What ships, in 32 bits, to which everything is compared; and the same in 8 bits, which is one file of its own.
SHIPPED = ("1", "1m")
EIGHT_BITS = "1+1m in 8 bits"
# Training pictures on which 8 bits must lose little.
CHECKED = 40
TIMED_RUNS = 12


@torch.no_grad()
def look(network: WoundSegmentationNet, view: View, photo: Image.Image) -> np.ndarray:
    """Wound probability of each pixel of the photo, 0 to 1, by one look."""
    canvas, (left, top, width, height) = letterbox(photo, INPUT_SIZE, INPUT_SIZE, Image.Resampling.BILINEAR)
    image = normalise(torch.from_numpy(np.array(canvas)).permute(2, 0, 1)[None].float() / 255)
    seen = view.back(torch.sigmoid(network(view.of(image))[0]), [INPUT_SIZE, INPUT_SIZE])[0, 0].numpy()
    return np.asarray(Image.fromarray(seen[top : top + height, left : left + width]).resize(photo.size, Image.Resampling.BILINEAR))


def finished_folds(runs: Path) -> list[Fold]:
    return [fold for fold in (Fold(index, runs, None) for index in range(FOLDS)) if is_finished(fold.run)]


def looked_at(fold: Fold, data: Data, looks: Path) -> None:
    """Probabilities by each single look at the fold's held-out pictures, 8 bits, where they are not there yet."""
    network = load_average(fold.run / CHECKPOINT).eval()
    for name in read_description(fold.run)["held_out"]:
        missing = [text for text in LOOKS if not (looks / text / f"{name}.png").exists()]
        photo = data.photo(name) if missing else None
        for text in missing:
            keep(look(network, View.parse(text), photo), looks / text / f"{name}.png")


def looked_at_in_eight_bits(fold: Fold, data: Data, looks: Path) -> None:
    names = read_description(fold.run)["held_out"]
    missing = [name for name in names if not (looks / EIGHT_BITS / f"{name}.png").exists()]
    if not missing:
        return
    file = write_model(fold, SHIPPED, looks / f"fold-{fold.index}")
    if not (file.parent / "manifest.json").exists():
        seen = [name.removeprefix("fuseg/") for names in data.folds() for name in names if name.startswith("fuseg/") and name not in set(read_description(fold.run)["held_out"])]
        in_eight_bits(file, data.fuseg, trained_on=seen, checked_on=seen[:CHECKED])
        write_manifest(file, INPUT_SIZE, {"output": {"name": "probability"}})
    manifest = json.loads((file.parent / "manifest.json").read_text())
    session = session_of(file)
    for name in missing:
        keep(predict_probability(session, manifest, data.photo(name)), looks / EIGHT_BITS / f"{name}.png")


def write_model(fold: Fold, choice: tuple[str, ...], folder: Path) -> Path:
    """The teacher as a model that takes these looks; without a figure for what it does not know."""
    file = folder / "model.onnx"
    if not file.exists():
        network = load_average(fold.run / CHECKPOINT).eval()
        unknown = torch.zeros(network.widths[-1])
        write_onnx(ProbabilityNet([network], [View.parse(text) for text in choice], unknown, torch.diag(unknown)).eval(), file, INPUT_SIZE, ["probability", "novelty"])
    return file


def session_of(file: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])


def keep(probability: np.ndarray, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.round(probability * 255).astype(np.uint8)).save(file)


@dataclass(frozen=True)
class Choices:
    """Every held-out picture as each choice outlines it; pictures of one wound stand together."""

    groups: list[list[str]]
    outlined: dict[str, dict[str, Outlined]]

    @classmethod
    def read(cls, folds: list[Fold], data: Data, looks: Path) -> Choices:
        names = {name for fold in folds for name in read_description(fold.run)["held_out"]}
        every = joined(picture_groups(data.fuseg, "fuseg"), read_series(SERIES_FILE)) + picture_groups(data.medetec, "medetec")
        groups = [kept for kept in ([name for name in group if name in names] for group in every) if kept]
        outlined: dict[str, dict[str, Outlined]] = {}
        for name in sorted(names):
            label = data.label(name)
            seen = {text: np.asarray(Image.open(looks / text / f"{name}.png"), np.float32) for text in (*LOOKS, EIGHT_BITS)}
            maps = {"+".join(choice): np.mean([seen[text] for text in choice], axis=0) for choice in CHOICES} | {EIGHT_BITS: seen[EIGHT_BITS]}
            for choice, probability in maps.items():
                found = probability > THRESHOLD * 255
                outlined.setdefault(choice, {})[name] = Outlined(name, int(label.sum()), int(found.sum()), int((label & found).sum()), 0.0)
        return cls(groups, outlined)

    def of(self, choice: str, groups: list[list[str]]) -> list[Outlined]:
        return [self.outlined[choice][name] for group in groups for name in group]

    def beside_shipped(self, choice: str, figure: Callable[[list[Outlined]], float]) -> dict[str, float]:
        """The figure, how much more it is than the shipped choice's, and the 95 % interval of that by drawing groups anew."""
        rng = np.random.default_rng(1)
        shipped = "+".join(SHIPPED)
        more = []
        for _ in range(RESAMPLES):
            drawn = [self.groups[i] for i in rng.integers(len(self.groups), size=len(self.groups))]
            more.append(figure(self.of(choice, drawn)) - figure(self.of(shipped, drawn)))
        low, high = np.nanpercentile(more, INTERVAL_PCT)
        value = figure(self.of(choice, self.groups))
        return {"value": round(value, 4), "more": round(value - figure(self.of(shipped, self.groups)), 4), "from": round(float(low), 4), "to": round(float(high), 4)}


def timed(fold: Fold, looks: Path) -> dict[str, float]:
    """Milliseconds of one picture on one core, the best of some runs, each choice in turn so that other work meets all alike."""
    files = {"+".join(choice): write_model(fold, choice, looks / f"timed-{'+'.join(choice)}") for choice in CHOICES}
    sessions = {choice: session_of(file) for choice, file in files.items()} | {EIGHT_BITS: session_of(looks / f"fold-{fold.index}" / "model.onnx")}
    image = np.random.default_rng(1).standard_normal((1, 3, INPUT_SIZE, INPUT_SIZE)).astype(np.float32)
    best = dict.fromkeys(sessions, float("inf"))
    for _ in range(TIMED_RUNS):
        for choice, session in sessions.items():
            begun = time.perf_counter()
            session.run(None, {"image": image})
            best[choice] = min(best[choice], (time.perf_counter() - begun) * 1000)
    return {choice: round(ms, 1) for choice, ms in best.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuseg", type=Path, required=True)
    parser.add_argument("--medetec", type=Path, required=True, help="at full width")
    parser.add_argument("--runs", type=Path, required=True, help="the teachers' folder")
    parser.add_argument("--looks", type=Path, required=True, help="git-ignored folder for what each look sees; what is there is not made again")
    parser.add_argument("--time", action="store_true", help="only the time of each choice, after its figures were made")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    data, folds = Data(arguments.fuseg, arguments.medetec), finished_folds(arguments.runs)
    if arguments.time:
        print(json.dumps(timed(folds[0], arguments.looks), indent=1))
        return
    for fold in folds:
        looked_at(fold, data, arguments.looks)
        looked_at_in_eight_bits(fold, data, arguments.looks)
    choices = Choices.read(folds, data, arguments.looks)
    print(json.dumps({"folds": [fold.index for fold in folds], "pictures": sum(map(len, choices.groups))}))
    for choice in choices.outlined:
        print(json.dumps({"views": choice, "dataSetDice": choices.beside_shipped(choice, pooled_dice), "meanDice": choices.beside_shipped(choice, mean_dice)}), flush=True)


if __name__ == "__main__":
    main()
