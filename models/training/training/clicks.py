"""The network that answers a click: the outline network with three more planes, trained on clicks that are made up.

Planes, each 0 or 1: the last outline; discs where something is to be added; discs where something is to be taken away. It begins as the
teacher of its fold, which with empty planes it still is. In a step a view is outlined, then clicked on up to three times, the first time
anywhere that is wrong, then in the middle of the largest part that is wrong; what follows the last click is learnt from.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from scipy import ndimage
from wound_segmentation.evaluate import letterbox
from wound_segmentation.export import INPUT_SIZE
from wound_segmentation.folds import Data, Fold
from wound_segmentation.lite_network import LiteNet
from wound_segmentation.schedule import Schedule, Stage
from wound_segmentation.small_wounds import SmallWounds
from wound_segmentation.starting_weights import load_average
from wound_segmentation.teacher import DESCRIPTION, Views, read_description, steps_done, train_steps, write_description
from wound_segmentation.train import CHECKPOINT, normalise

from .recipe import RECIPE, LiteRun
from .teachers import shown_pictures

RADIUS_PX = 5
MOST_CLICKS = 3
# A part that is wrong and smaller is nothing anybody would click on, in pixels of the view.
LEAST_ERROR_PX = 20
SCHEDULE = Schedule((Stage(400, 320, 8),), peak_learning_rate=5e-4, warm_up_steps=50)


@dataclass
class Clicked:
    """The planes of one picture as clicks are added to them, and its label, boolean [H, W]."""

    label: np.ndarray
    planes: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.planes = np.zeros((3, *self.label.shape), np.float32)

    def outlined(self, found: np.ndarray) -> None:
        """What the network now outlines, boolean [H, W]."""
        self.planes[0] = found

    def click(self, rng: np.random.Generator | None) -> bool:
        """One more click, anywhere that is wrong where a stream of chance is given, else in the middle of the largest wrong part; false where nothing is wrong."""
        place = wrong_place(self.planes[0] > 0.5, self.label, rng)
        if place is None:
            return False
        y, x, add = place
        rows, columns = np.ogrid[: self.label.shape[0], : self.label.shape[1]]
        self.planes[1 if add else 2][(rows - y) ** 2 + (columns - x) ** 2 <= RADIUS_PX**2] = 1
        return True


def wrong_place(found: np.ndarray, label: np.ndarray, rng: np.random.Generator | None) -> tuple[int, int, bool] | None:
    """Row, column, and whether to add there. Of parts that are missing or too much, each for itself."""
    parts = []
    for wrong, add in ((label & ~found, True), (found & ~label, False)):
        numbered, count = ndimage.label(wrong)
        sizes = np.bincount(numbered.ravel(), minlength=count + 1)[1:]
        parts += [(int(size), numbered == index, add) for index, size in enumerate(sizes, start=1) if size >= LEAST_ERROR_PX]
    if not parts:
        return None
    if rng is not None:
        size, part, add = parts[int(rng.integers(len(parts)))]
        y, x = np.argwhere(part)[int(rng.integers(size))]
    else:
        _, part, add = max(parts, key=lambda one: one[0])
        # Padded, so that the picture's edge counts as the part's.
        depth = ndimage.distance_transform_edt(np.pad(part, 1))[1:-1, 1:-1]
        y, x = np.unravel_index(depth.argmax(), depth.shape)
    return int(y), int(x), add


@torch.no_grad()
def outline(network: LiteNet, photos: torch.Tensor, clicked: list[Clicked]) -> None:
    """Lets each picture be outlined anew with the clicks that it has. `photos`: normalised [N, 3, H, W]."""
    planes = torch.from_numpy(np.stack([one.planes for one in clicked]))
    found = network(torch.cat([photos, planes], 1).to(memory_format=torch.channels_last))[0][:, 0] > 0
    for one, seen in zip(clicked, found.numpy(), strict=True):
        one.outlined(seen)


class ClickRun(LiteRun):
    """A training on clicks. The averaged weights, which change slowly, draw the outlines that are clicked on."""

    def inputs(self, photos: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        rng, seen = np.random.default_rng([self.steps, len(photos)]), normalise(photos)
        clicked = [Clicked(mask[0].numpy() > 0.5) for mask in masks]
        self.average.eval()
        for number in range(int(rng.integers(1, MOST_CLICKS + 1))):
            outline(self.average, seen, clicked)
            for one in clicked:
                one.click(rng if number == 0 else None)
        return torch.cat([seen, torch.from_numpy(np.stack([one.planes for one in clicked]))], 1)


def click_network(teacher: LiteNet) -> LiteNet:
    """The teacher with three more planes, which it does not look at yet."""
    network, state = LiteNet(**teacher.kind | {"planes": 6}), teacher.state_dict()
    stem = network.stem.weight.detach().clone()
    stem[:, :3], stem[:, 3:] = state["stem.weight"], 0
    network.load_state_dict(state | {"stem.weight": stem})
    return network


def train_clicks(index: int, folder: Path, work: Path, beliefs: Path | None, drawers: int, schedule: Schedule = SCHEDULE) -> bool:
    """Trains what is left, from the fold's teacher, on what that is trained on; false where it was asked to stop."""
    teacher, out = Fold(index, work / "teachers", None), work / "clicks" / f"fold-{index}"
    if steps_done(out) >= schedule.steps:
        return True
    torch.manual_seed(teacher.seed)
    run = ClickRun(out, torch.device("cpu"), click_network(load_average(teacher.run / CHECKPOINT)))
    if not (out / DESCRIPTION).exists():
        write_description(out, read_description(teacher.run) | {"steps": schedule.steps, "teacher_steps": steps_done(teacher.run)})
    labelled, others = shown_pictures(teacher, folder, beliefs)
    wounds = SmallWounds(list({id(one): one for one in labelled}.values()))
    return train_steps(run, 0, Views(labelled + others, teacher.seed, schedule, RECIPE, wounds), drawers)


def judge_clicks(index: int, data: Data, work: Path) -> list[float]:
    """Mean Dice of the fold's held-out pictures after 0, 1, 2, 3 clicks at the largest error, at 512 pixels of the whole picture."""
    run = work / "clicks" / f"fold-{index}"
    network, dice = load_average(run / CHECKPOINT).eval().to(memory_format=torch.channels_last), []
    for name in (name for name in read_description(run)["held_out"] if data.label(name).any()):
        photo, _ = letterbox(data.photo(name), INPUT_SIZE, INPUT_SIZE, Image.Resampling.BILINEAR)
        label, _ = letterbox(Image.fromarray(data.label(name)).convert("L"), INPUT_SIZE, INPUT_SIZE, Image.Resampling.BILINEAR)
        seen, one = normalise(torch.from_numpy(np.array(photo)).permute(2, 0, 1)[None].float() / 255), Clicked(np.asarray(label) > 127)
        after = []
        for number in range(MOST_CLICKS + 1):
            if not number or one.click(None):
                outline(network, seen, [one])
            found = one.planes[0] > 0.5
            after.append(2 * (found & one.label).sum() / (found.sum() + one.label.sum()))
        dice.append(after)
    means = [round(float(mean), 4) for mean in np.mean(dice, 0)]
    print(json.dumps({"fold": index, "pictures": len(dice), "meanDiceAfterClicks": means}))
    return means
