"""What teachers believe of pictures that nobody labelled: first those of 0.7, so that the new ones see other wounds than on feet at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from wound_segmentation.average import mean_network
from wound_segmentation.folds import outlined_by
from wound_segmentation.label_review import OTHER_REVIEW_FILE, read_without_wound
from wound_segmentation.starting_weights import load_average
from wound_segmentation.train import computes_in_bfloat16

from .teachers import OTHER

OLD_TEACHERS = (Path(__file__).parent.parent / "teachers", Path(__file__).parent.parent / "teachers-refined")


def old_teacher(fold: int) -> torch.nn.Module:
    """The averaged teacher of 0.7 of that fold, which never saw the fold's pictures nor any other wound that is shown as believed."""
    return mean_network([load_average(folder / f"fold-{fold}.pt").float() for folder in OLD_TEACHERS])


def write_beliefs(load: Callable[[], torch.nn.Module], files: list[Path], out: Path) -> None:
    """Wound probability of each pixel, ID.png, 8 bits, where it is not there yet; by two looks, in bfloat16 where the processor has it."""
    missing = [file for file in files if not (out / f"{file.stem}.png").exists()]
    if not missing:
        return
    network, device = load().eval().to(memory_format=torch.channels_last), torch.device("cpu")
    out.mkdir(parents=True, exist_ok=True)
    for file in missing:
        with torch.autocast("cpu", torch.bfloat16, enabled=computes_in_bfloat16(device)):
            believed = outlined_by(network, Image.open(file).convert("RGB"), device)
        Image.fromarray(np.round(believed * 255).astype(np.uint8)).save(out / f"{file.stem}.png")


def first_beliefs(fold: int, data: Path, work: Path) -> Path:
    """Of the other wounds that show one, by the old teacher of the fold. Returns their folder."""
    out, without = work / "beliefs" / f"fold-{fold}" / OTHER, read_without_wound(OTHER_REVIEW_FILE)
    write_beliefs(lambda: old_teacher(fold), [file for file in sorted((data / OTHER).glob("*.webp")) if file.stem not in without], out)
    return out
