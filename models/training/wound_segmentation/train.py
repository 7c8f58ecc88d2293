"""Trains the wound segmentation network within a budget of computing time; checkpoints, and resumes where it stopped.

    python -m wound_segmentation.train --data DIR --run DIR --minutes 100
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import os
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import torch

from .augmentation import Augmenter, Picture
from .dataset import ExtraPictures, load_pictures, split_by_group
from .metrics import dice_figures, segmentation_loss
from .network import NORMALISE_MEAN, NORMALISE_STD, WoundSegmentationNet
from .starting_weights import starting_network

PEAK_LEARNING_RATE = 2e-3
WARM_UP_S = 100
EMA_DECAY = 0.998
CHECKPOINT = "checkpoint.pt"
CHECKPOINT_EVERY_S = 240
# Pictures whose statistics an exported model's batch normalisation is restored with.
RESTORE_WITH = 48


def normalise(photos: torch.Tensor) -> torch.Tensor:
    """0..1 RGB -> what the network reads."""
    return (photos - NORMALISE_MEAN) / NORMALISE_STD


@torch.no_grad()
def predict(network: WoundSegmentationNet, photos: torch.Tensor, device: torch.device) -> torch.Tensor:
    """uint8 [N, 3, H, W] -> boolean masks [N, H, W] at threshold 0.5."""
    network.eval()
    masks = []
    for batch in photos.split(4):
        inputs = normalise(batch.to(device).float() / 255)
        masks.append((network(inputs)[0] > 0).squeeze(1).cpu())
    return torch.cat(masks)


def learning_rate(trained_s: float, budget_s: float, peak: float, schedule: str) -> float:
    """Rises for the warm-up, then follows a cosine to the end of the budget, or holds so that the budget can be extended later."""
    if trained_s < WARM_UP_S:
        return peak * (trained_s / WARM_UP_S + 0.02)
    progress = trained_s / budget_s
    if schedule == "hold":
        return peak
    return peak * max(0.002, 0.5 * (1 + math.cos(math.pi * min(1.0, progress))))


def computes_in_bfloat16(device: torch.device) -> bool:
    """Twice as fast on a GPU and on a processor that has it (AMX, AVX-512 BF16); eight times slower on one that has to imitate it."""
    if device.type != "cpu":
        return True
    has = torch.cpu.get_capabilities()
    return bool(has.get("amx_bf16") or has.get("avx512_bf16"))


class Run:
    """All that has to survive an interruption, and where it is kept."""

    weight_decay = 0.03
    average_decay = EMA_DECAY

    def __init__(self, folder: Path, device: torch.device, network: WoundSegmentationNet) -> None:
        self.file = folder / CHECKPOINT
        self.device = device
        self.network = network.to(device, memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.network)
        self.optimiser = torch.optim.AdamW(self.parameter_groups(), lr=PEAK_LEARNING_RATE, weight_decay=self.weight_decay)
        self.trained_s = 0.0
        self.steps = 0
        folder.mkdir(parents=True, exist_ok=True)
        if self.file.exists():
            self._resume()

    def parameter_groups(self) -> list[dict[str, object]]:
        """What is learnt; where a group has a `rate_share`, at that share of the rate."""
        return [{"params": list(self.network.parameters())}]

    def _resume(self) -> None:
        state = torch.load(self.file, map_location=self.device, weights_only=True)
        self.network.load_state_dict(state["network"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.trained_s, self.steps = state["trained_s"], state["steps"]

    def save(self) -> None:
        state = {
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "trained_s": self.trained_s,
            "steps": self.steps,
            "widths": self.network.widths,
            "decoder_widths": self.network.decoder_widths,
            # What the network is, where it is no `WoundSegmentationNet`.
            "kind": getattr(self.network, "kind", None),
        }
        torch.save(state, self.file.with_suffix(".new"))
        os.replace(self.file.with_suffix(".new"), self.file)

    def inputs(self, photos: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """What the network is shown of photos of 0..1 [N, 3, H, W], whose labels are the masks [N, K, H, W]."""
        return normalise(photos)

    def step(self, photos: torch.Tensor, masks: torch.Tensor, rate: float) -> float:
        self.network.train()
        for group in self.optimiser.param_groups:
            group["lr"] = rate * group.get("rate_share", 1.0)
        inputs = self.inputs(photos, masks).to(self.device, memory_format=torch.channels_last)
        labels = masks.to(self.device)
        # Weights, statistics and loss stay in 32 bits.
        with torch.autocast(self.device.type, torch.bfloat16, enabled=computes_in_bfloat16(self.device)):
            logits, auxiliary = self.network(inputs)
        loss = self.loss(logits.float(), auxiliary.float(), labels)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 2.0)
        self.optimiser.step()
        self.steps += 1
        self._follow()
        return float(loss.detach())

    def loss(self, logits: torch.Tensor, auxiliary: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        coarse = torch.nn.functional.avg_pool2d(labels, 8)
        return segmentation_loss(logits, labels) + 0.3 * torch.nn.functional.binary_cross_entropy_with_logits(auxiliary, coarse)

    @torch.no_grad()
    def _follow(self) -> None:
        decay = min(self.average_decay, (1 + self.steps) / (10 + self.steps))
        current = self.network.state_dict()
        for name, value in self.average.state_dict().items():
            if value.dtype.is_floating_point:
                value.lerp_(current[name], 1 - decay)
            else:
                value.copy_(current[name])


def train(arguments: argparse.Namespace) -> None:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_num_threads(arguments.threads)
    split = split_by_group(arguments.data)
    pictures = load_pictures(arguments.data, split.train)
    for extra in arguments.extra:
        pictures += extra.load()
    check_photos, check_masks = (torch.stack(part) for part in zip(*load_pictures(arguments.data, split.validation), strict=True))
    torch.manual_seed(arguments.seed)
    some = torch.stack([photo for photo, _ in pictures[:RESTORE_WITH]])
    # A run that goes on has its weights; what it once began with may be gone.
    start_from = None if (arguments.run / CHECKPOINT).exists() else arguments.start_from
    network = starting_network(start_from, normalise(some.float() / 255), wide=arguments.wide, seed=arguments.seed)
    run = Run(arguments.run, device, network)
    augment = Augmenter(arguments.crop, arguments.seed + run.steps)
    budget_s = arguments.minutes * 60
    last_saved = time.monotonic()
    last_clock = time.process_time()
    losses: list[float] = []
    for views, labels in drawn_batches(augment, pictures, arguments.batch):
        losses.append(run.step(views, labels, learning_rate(run.trained_s, budget_s, arguments.learning_rate, arguments.schedule)))
        # Processor time, so that other work on the machine, or a pause, does not shorten the training.
        now = time.process_time()
        run.trained_s += (now - last_clock) / (arguments.threads if device.type == "cpu" else 1)
        last_clock = now
        if time.monotonic() - last_saved > CHECKPOINT_EVERY_S or run.trained_s >= budget_s:
            run.save()
            figures = dice_figures(predict(run.average, check_photos, device), check_masks[:, 0] > 0)
            report = {"minutes": round(run.trained_s / 60, 1), "epochs": round(run.steps * arguments.batch / len(pictures), 1)}
            report |= {"loss": round(sum(losses) / len(losses), 4), "validation": figures.__dict__}
            print(json.dumps(report), flush=True)
            losses = []
            last_saved = time.monotonic()
            last_clock = time.process_time()
        if run.trained_s >= budget_s:
            break


def drawn_batches(augment: Augmenter, pictures: list[Picture], batch: int) -> Iterator[Picture]:
    """Views of all pictures in a random order, again and again. The next batch is drawn while the network learns from this one."""
    with ThreadPoolExecutor(1) as drawing:
        ahead: Future[Picture] | None = None
        while True:
            for chosen in torch.randperm(len(pictures)).split(batch):
                if len(chosen) < batch:
                    break
                behind, ahead = ahead, drawing.submit(augment, [pictures[i] for i in chosen.tolist()])
                if behind is not None:
                    yield behind.result()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with images/, masks/ and near-duplicates.txt")
    parser.add_argument("--run", type=Path, required=True, help="folder for checkpoints (not committed)")
    parser.add_argument("--minutes", type=float, default=100, help="training time in all, over every resumption, as if the machine did nothing else")
    parser.add_argument("--extra", type=ExtraPictures.parse, action="append", default=[], metavar="DIR[:TIMES[:FOLD/FOLDS]]", help="more labelled pictures; FOLD of FOLDS is kept out")
    parser.add_argument("--start-from", type=Path, help="what a new run begins with: checkpoint.pt of an earlier one (its averaged weights), or an exported model.onnx of one network")
    parser.add_argument("--wide", action="store_true", help="the network of 10 million parameters instead of 2.9")
    parser.add_argument("--learning-rate", type=float, default=PEAK_LEARNING_RATE, help="highest rate")
    parser.add_argument("--schedule", choices=("cosine", "hold"), default="cosine", help="hold: a run that is extended in later sittings and finished by another with a cosine")
    parser.add_argument("--crop", type=int, default=288)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
