"""EfficientNet-Lite0, 1 and 2 compared: milliseconds of one look at 512 pixels in 8 bits on one core, size, and Dice at equal processor time.

Times are processor time of one thread, the best of some runs, each network in turn, so that other work on the machine meets all alike. Dice is that of fold 0's held-out
pictures, by teachers that all had the same minutes of processor time, the views' drawing left out.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from wound_segmentation.export import INPUT_SIZE, ProbabilityNet, View, in_eight_bits
from wound_segmentation.folds import Data, Fold
from wound_segmentation.lite_network import LiteNet
from wound_segmentation.onnx_folder import write_onnx
from wound_segmentation.out_of_fold import mean_dice, outlined_out_of_fold, pooled_dice
from wound_segmentation.schedule import Schedule, Stage
from wound_segmentation.starting_weights import load_average
from wound_segmentation.train import CHECKPOINT
from wound_segmentation.views import TIMED_RUNS, session_of

from .recipe import SCHEDULE, new_or_resumed
from .teachers import train_teacher

VARIANTS = (0, 1, 2)
# Steps that are timed, after one that is not.
TIMED_STEPS = 4


def in_eight_bits_of(network: torch.nn.Module, file: Path, data: Data) -> Path:
    """The network as a model that looks once, without a figure for what it does not know. What 8 bits have to hold is seen on pictures
    that all folds but the first train on."""
    if not file.exists():
        unknown = torch.zeros(network.widths[-1])
        write_onnx(ProbabilityNet([network], [View(1, mirrored=False)], unknown, torch.diag(unknown)).eval(), file, INPUT_SIZE, ["probability", "novelty"])
        seen = [name.removeprefix("fuseg/") for names in data.folds()[1:] for name in names if name.startswith("fuseg/")]
        in_eight_bits(file, data.fuseg, trained_on=seen, checked_on=seen[:40])
    return file


def timed(files: dict[str, Path]) -> dict[str, float]:
    """Milliseconds of the processor for one look, by name."""
    sessions: dict[str, onnxruntime.InferenceSession] = {name: session_of(file) for name, file in files.items()}
    image = np.random.default_rng(1).standard_normal((1, 3, INPUT_SIZE, INPUT_SIZE)).astype(np.float32)
    best = dict.fromkeys(sessions, float("inf"))
    for _ in range(TIMED_RUNS):
        for name, session in sessions.items():
            begun = time.process_time()
            session.run(None, {"image": image})
            best[name] = min(best[name], (time.process_time() - begun) * 1000)
    return {name: round(ms, 1) for name, ms in best.items()}


def seconds_a_step(variant: int, folder: Path) -> float:
    """Processor seconds of this process, by the last stage of the recipe."""
    run, stage = new_or_resumed(folder, 1, torch.device("cpu"), variant), SCHEDULE.stages[-1]
    photos, labels = torch.rand(stage.batch, 3, stage.side_px, stage.side_px), torch.zeros(stage.batch, 1, stage.side_px, stage.side_px)
    run.step(photos, labels, 0.0)
    begun = time.process_time()
    for _ in range(TIMED_STEPS):
        run.step(photos, labels, 0.0)
    return (time.process_time() - begun) / TIMED_STEPS


def of_minutes(variant: int, minutes: float, work: Path) -> Schedule:
    """The recipe in as many steps as the variant makes in that time; measured once, and kept."""
    file = work / f"lite{variant}-seconds.json"
    if not file.exists():
        work.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(seconds_a_step(variant, work / f"lite{variant}-timed")))
    stage = SCHEDULE.stages[-1]
    steps = round(60 * minutes / json.loads(file.read_text()))
    return Schedule((Stage(steps, stage.side_px, stage.batch),), SCHEDULE.peak_learning_rate, SCHEDULE.warm_up_steps)


def compare(folder: Path, data: Data, work: Path, minutes: float, beliefs: Path | None, drawers: int) -> bool:
    """Prints a line for each variant; with no minutes only times and sizes, of networks that have learnt nothing. False where it was asked to stop."""
    files, dice = {}, {}
    for variant in VARIANTS:
        name, network = f"lite{variant}", LiteNet(variant, pretrained=True).eval()
        if minutes:
            fold, schedule = Fold(0, work / name, None), of_minutes(variant, minutes, work)
            if not train_teacher(fold, folder, beliefs, drawers, variant, schedule):
                return False
            network = load_average(fold.run / CHECKPOINT).eval()
            seen = list(outlined_out_of_fold(data, work / name).values())
            dice[name] = {"steps": schedule.steps, "pictures": len(seen), "dataSetDice": round(pooled_dice(seen), 4), "meanDice": round(mean_dice(seen), 4)}
        files[name] = in_eight_bits_of(network, work / f"{name}-{'trained' if minutes else 'new'}.onnx", data)
    for name, ms in timed(files).items():
        print(json.dumps({"network": name, "ms": ms, "megabytes": round(files[name].stat().st_size / 1e6, 1)} | dice.get(name, {})), flush=True)
    return True
