"""Dice of an exported model on pictures it was not trained on, as the model card states it.

    python -m wound_segmentation.evaluate --data DIR --model ../wound-segmentation-0.1.0 [--all]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from PIL import Image

from .dataset import split_by_group
from .metrics import dice_figures


def letterbox(picture: Image.Image, width: int, height: int, filter_: Image.Resampling) -> tuple[Image.Image, tuple[int, int, int, int]]:
    """The picture centred on black, and where it lies: left, top, width, height."""
    scale = min(width / picture.width, height / picture.height)
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    place = ((width - size[0]) // 2, (height - size[1]) // 2)
    canvas = Image.new(picture.mode, (width, height))
    canvas.paste(picture.resize(size, filter_), place)
    return canvas, (*place, *size)


def predict_probability(session: onnxruntime.InferenceSession, manifest: dict, photo: Image.Image) -> np.ndarray:
    """Wound probability of each pixel of the photo, read as the service reads it."""
    return predict_all(session, manifest, photo)[0]


def predict_all(session: onnxruntime.InferenceSession, manifest: dict, photo: Image.Image) -> tuple[np.ndarray, float]:
    """The probabilities, and how far the photo is from those trained on (0 where the model does not say)."""
    spec = manifest["input"]
    canvas, (left, top, width, height) = letterbox(photo, spec["width"], spec["height"], Image.Resampling.BILINEAR)
    values = (np.asarray(canvas, np.float32) / 255 - np.float32(spec["mean"])) / np.float32(spec["std"])
    outputs = session.run(None, {spec["name"]: values.transpose(2, 0, 1)[None].astype(np.float32)})
    probability = outputs[0][0, 0]
    inside = Image.fromarray(probability[top : top + height, left : left + width])
    novelty = float(outputs[1][0, 0]) if "novelty" in manifest["output"] else 0.0
    return np.asarray(inside.resize(photo.size, Image.Resampling.BILINEAR)), novelty


def evaluate(data: Path, model: Path, ids: list[str]) -> dict[str, object]:
    manifest = json.loads((model / "manifest.json").read_text())
    session = onnxruntime.InferenceSession(str(model / manifest["file"]), providers=["CPUExecutionProvider"])
    side = 0
    found: list[np.ndarray] = []
    labels: list[np.ndarray] = []
    for picture in ids:
        photo = Image.open(data / "images" / f"{picture}.webp").convert("RGB")
        found.append(predict_probability(session, manifest, photo) > manifest["threshold"])
        labels.append(np.asarray(Image.open(data / "masks" / f"{picture}.png").convert("L")) > 127)
        side = max(side, *photo.size)

    def stack(masks: list[np.ndarray]) -> torch.Tensor:
        padded = np.zeros((len(masks), side, side), bool)
        for canvas, mask in zip(padded, masks, strict=True):
            canvas[: mask.shape[0], : mask.shape[1]] = mask
        return torch.from_numpy(padded)

    return {"pictures": len(ids)} | dice_figures(stack(found), stack(labels)).__dict__


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--all", action="store_true", help="every labelled picture of the folder instead of FUSeg's held-out ones")
    arguments = parser.parse_args()
    if arguments.all:
        ids = sorted(path.stem for path in (arguments.data / "masks").glob("*.png"))
    else:
        ids = split_by_group(arguments.data).held_out
    print(json.dumps(evaluate(arguments.data, arguments.model, ids), indent=2))


if __name__ == "__main__":
    main()
