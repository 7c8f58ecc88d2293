"""Trains one tissue network over a fixed number of steps, and goes on exactly where it was stopped."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F
from torch.utils.data import Dataset

from wound_segmentation.augmentation import Augmenter, Picture, Recipe
from wound_segmentation.network import WoundSegmentationNet
from wound_segmentation.schedule import Schedule, Stage
from wound_segmentation.starting_weights import load_average, network_from_onnx
from wound_segmentation.teacher import shuffled
from wound_segmentation.train import CHECKPOINT, RESTORE_WITH, Run, normalise

from .dataset import CLASSES
from .judge import INPUT_SIDE

VIEW_SIDE = INPUT_SIDE - 32
CHANCE = 1 / len(CLASSES)


@dataclass(frozen=True)
class Training:
    """What a training is but its pictures. Classes are told apart by colour: nothing is repainted, and hues stay near."""

    schedule: Schedule
    recipe: Recipe
    # Of each batch, where there are crops that nobody labelled.
    believed_share: float = 0.0


TEACHER = Training(
    Schedule((Stage(1000, VIEW_SIDE, 8),), peak_learning_rate=1e-3),
    Recipe(scenery=False, colour=0.6, zoom=(0.6, 1.3), close_up_zoom=(1.3, 1.8), close_up_share=0.25, nominal_side=INPUT_SIDE),
)
# A belief is not that sure of a view that looks different: what teaches more than the teacher knew.
STUDENT = Training(
    Schedule((Stage(2500, VIEW_SIDE, 8),), peak_learning_rate=1e-3),
    Recipe(scenery=False, colour=0.85, zoom=(0.5, 1.5), close_up_zoom=(1.5, 2.4), close_up_share=0.3, nominal_side=INPUT_SIDE, belief_share=1.0),
    believed_share=0.5,
)


class TissueViews(Dataset):
    """The batch of every step: labelled crops, and in the student's half of it crops with a teacher's belief. Each view has a random
    stream of its own, by seed, step and place in the batch."""

    def __init__(self, labelled: list[Picture], believed: list[Picture], seed: int, training: Training) -> None:
        self.parts = (labelled, believed)
        self.seed, self.training, self.schedule = seed, training, training.schedule
        self.augmenters = {stage: Augmenter(stage.side_px, seed, training.recipe) for stage in self.schedule.stages}

    def __getitem__(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        stage = self.schedule.stage_at(step)
        augmenter = self.augmenters[stage]
        made = []
        for place, picture in enumerate(self.shown(step, stage.batch)):
            augmenter.random = np.random.default_rng([self.seed, step, place])
            made.append(augmenter.view(*picture))
        return torch.stack([view for view, _ in made]), torch.stack([label for _, label in made])

    def shown(self, step: int, batch: int) -> list[Picture]:
        """Of either part each crop once, in an order of chance; then all of them again in another."""
        believed = round(batch * self.training.believed_share)
        pictures = []
        for part, size in zip(self.parts, (batch - believed, believed), strict=True):
            for view in range(step * size, (step + 1) * size):
                epoch, place = divmod(view, len(part))
                pictures.append(part[int(shuffled(len(part), self.seed, epoch)[place])])
        return pictures


def tissue_loss(logits: torch.Tensor, planes: torch.Tensor) -> torch.Tensor:
    """Cross entropy + Dice over the batch for each tissue; planes [N, 3, H, W], 0 to 1, without the background.

    A pixel weighs by how sure its label is: 1 where an expert named its class, 0 where all classes are as likely.
    The Dice term has squares below, so that it is best where the network says what the belief says.
    """
    truth = torch.cat([1 - planes.sum(1, keepdim=True), planes], 1).clamp(0, 1)
    weight = ((truth.amax(1, keepdim=True) - CHANCE) / (1 - CHANCE)).clamp(0, 1)
    entropy = -(truth * F.log_softmax(logits, 1)).sum(1, keepdim=True)
    probability = logits.softmax(1)[:, 1:]
    overlap = (weight * probability * planes).sum((0, 2, 3))
    size = (weight * (probability.square() + planes.square())).sum((0, 2, 3))
    return (weight * entropy).sum() / weight.sum().clamp(min=1) + (1 - (2 * overlap + 1) / (size + 1)).mean()


class TissueRun(Run):
    weight_decay = 0.05
    average_decay = 0.99

    def loss(self, logits: torch.Tensor, auxiliary: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return tissue_loss(logits, labels)


def begun_run(folder: Path, start_from: Path | None, photos: list[torch.Tensor], seed: int) -> TissueRun:
    """The run as it stands, or a new one with a wound network's weights. `photos` are some that it may see."""
    torch.manual_seed(seed)
    # A run that goes on has its weights; what it once began with may be gone.
    start = None if (folder / CHECKPOINT).exists() else start_from
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return TissueRun(folder, device, tissue_network(start, photos))


def tissue_network(start_from: Path | None, photos: list[torch.Tensor]) -> WoundSegmentationNet:
    network = WoundSegmentationNet(outputs=len(CLASSES))
    if start_from is None:
        return network
    known = network_from_onnx(start_from, _fitted(photos[:RESTORE_WITH])) if start_from.suffix == ".onnx" else load_average(start_from)
    weights = known.state_dict()
    # All but the two outputs, which have another number of planes.
    network.load_state_dict({name: value if name.partition(".")[0] in ("head", "auxiliary") else weights[name] for name, value in network.state_dict().items()})
    return network


def _fitted(photos: list[torch.Tensor]) -> torch.Tensor:
    sides = (INPUT_SIDE, INPUT_SIDE)
    return normalise(torch.cat([F.interpolate(photo[None].float() / 255, size=sides, mode="bilinear", align_corners=False) for photo in photos]))
