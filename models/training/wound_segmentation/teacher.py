"""Trains one network from scratch over a fixed number of steps, and goes on exactly where it was stopped.

The rate, the views and their order depend on nothing but the seed and the step, so that a training that was stopped a dozen times
is the one that never was. What one teacher is, which pictures it sees included, is written down once in its run folder.
"""

from __future__ import annotations

import json
import signal
import time
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from .augmentation import Augmenter, Picture, Recipe
from .network import WoundSegmentationNet
from .schedule import Schedule, Stage
from .small_wounds import SmallWounds
from .train import CHECKPOINT, Run

CHECKPOINT_EVERY_S = 180
DESCRIPTION = "teacher.json"
RECIPE = Recipe(whole_share=0.5, small_wound_share=0.25, rim_px=3)
# The service looks at 512 pixels; most is learnt from smaller views, of which a processor takes in two or four times as many.
SCHEDULE = Schedule((Stage(3000, 256, 8), Stage(6500, 384, 8), Stage(8000, 512, 6)), peak_learning_rate=2e-3)


class Views(Dataset):
    """The batch of every step. Each view has a random stream of its own, by seed, step and place in the batch."""

    def __init__(self, pictures: list[Picture], seed: int, schedule: Schedule, recipe: Recipe, wounds: SmallWounds) -> None:
        self.pictures, self.seed, self.schedule = pictures, seed, schedule
        self.augmenters = {stage: Augmenter(stage.side_px, seed, recipe, wounds) for stage in schedule.stages}

    def __getitem__(self, step: int) -> Picture:
        stage, first = self.schedule.stage_at(step), self.schedule.views_before(step)
        augmenter = self.augmenters[stage]
        made = []
        for place in range(stage.batch):
            augmenter.random = np.random.default_rng([self.seed, step, place])
            made.append(augmenter.view(*self.pictures[self._shown(first + place)]))
        return torch.stack([view for view, _ in made]), torch.stack([label for _, label in made])

    def _shown(self, view: int) -> int:
        """Each picture once, in an order of chance; then all of them again in another."""
        epoch, place = divmod(view, len(self.pictures))
        return int(shuffled(len(self.pictures), self.seed, epoch)[place])


@lru_cache(maxsize=4)
def shuffled(count: int, seed: int, epoch: int) -> np.ndarray:
    return np.random.default_rng([seed, epoch]).permutation(count)


def new_or_resumed(folder: Path, seed: int, device: torch.device) -> tuple[Run, int]:
    """The run in `folder`, and the step at which its optimiser began: 0, unless it goes on from committed weights."""
    torch.manual_seed(seed)
    run = Run(folder, device, WoundSegmentationNet())
    known = (folder / DESCRIPTION).exists()
    return run, read_description(folder).get("optimiser_since_step", 0) if known else 0


def adopt(folder: Path, weights: Path, at_step: int | None = None) -> None:
    """Makes a run of committed weights, that goes on where they were taken or counts from `at_step`."""
    state = torch.load(weights, map_location="cpu", weights_only=True)
    run = Run(folder, torch.device("cpu"), WoundSegmentationNet())
    run.network.load_state_dict(state["average"])
    run.average.load_state_dict(state["average"])
    run.steps = int(state["steps"]) if at_step is None else at_step
    write_description(folder, state["teacher"] | {"optimiser_since_step": run.steps})
    run.save()


def read_description(folder: Path) -> dict:
    return json.loads((folder / DESCRIPTION).read_text())


def write_description(folder: Path, description: dict) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / DESCRIPTION).write_text(json.dumps(description, indent=1) + "\n")


def steps_done(folder: Path) -> int:
    file = folder / CHECKPOINT
    return torch.load(file, map_location="cpu", weights_only=True, mmap=True)["steps"] if file.exists() else 0


def is_finished(folder: Path) -> bool:
    """Whether it has had all its steps: those of its own description where that names them, else those of `SCHEDULE`."""
    done = steps_done(folder)
    return done > 0 and done == read_description(folder).get("steps", SCHEDULE.steps)


def train_teacher(run: Run, begun_at: int, pictures: list[Picture], seed: int, drawers: int) -> bool:
    """Trains to the last step; false where it was asked to stop."""
    return train_steps(run, begun_at, Views(pictures, seed, SCHEDULE, RECIPE, SmallWounds(pictures)), drawers)


def train_steps(run: Run, begun_at: int, shown: Views, drawers: int) -> bool:
    """Trains to the last step of the schedule; false where it was asked to stop (SIGTERM, SIGINT), its checkpoint then written."""
    schedule = shown.schedule
    asked: list[int] = []
    before = {number: signal.signal(number, lambda number, _: asked.append(number)) for number in (signal.SIGTERM, signal.SIGINT)}
    steps = range(run.steps, schedule.steps)
    views = DataLoader(shown, batch_size=None, sampler=steps, num_workers=drawers, worker_init_fn=_leave_signals, prefetch_factor=4 if drawers else None)
    losses: list[float] = []
    started = last_saved = time.monotonic()
    spent = time.process_time()
    try:
        for step, (photos, labels) in zip(steps, views, strict=True):
            losses.append(run.step(photos, labels, schedule.learning_rate(step, begun_at)))
            if asked or run.steps == schedule.steps or time.monotonic() - last_saved > CHECKPOINT_EVERY_S:
                run.save()
                report = {"step": run.steps, "of": schedule.steps, "loss": round(sum(losses) / len(losses), 4)}
                report |= {"minutes": round((time.monotonic() - started) / 60, 1), "processor_minutes": round((time.process_time() - spent) / 60, 1)}
                print(json.dumps(report), flush=True)
                losses, last_saved = [], time.monotonic()
            if asked:
                return False
    except RuntimeError:
        # A stop that is sent to all processes ends those who draw, too, perhaps in the middle of a view.
        if not asked:
            raise
        run.save()
        return False
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return True


def _leave_signals(_: int) -> None:
    """A stop from the keyboard is the training's to handle, which ends those who draw. One thread: the network's own are busy."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    torch.set_num_threads(1)
