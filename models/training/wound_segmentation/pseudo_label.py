"""Labels pictures that nobody labelled, where a trained model is sure; what it is unsure of is left out.

    python -m wound_segmentation.pseudo_label --images DIR --model DIR --out runs/pseudo
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
import onnxruntime
from PIL import Image

from .evaluate import predict_probability

# Pixels between these probabilities are in doubt.
DOUBT = (0.2, 0.8)
# A picture is used where the pixels in doubt are at most this share of those found, and as far as its wound is not tiny.
MOST_DOUBT = 0.2
LEAST_FOUND_PX = 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="git-ignored folder; gets images/ and masks/")
    arguments = parser.parse_args()
    manifest = json.loads((arguments.model / "manifest.json").read_text())
    session = onnxruntime.InferenceSession(str(arguments.model / manifest["file"]), providers=["CPUExecutionProvider"])
    for part in ("images", "masks"):
        (arguments.out / part).mkdir(parents=True, exist_ok=True)
    files = sorted(arguments.images.glob("*.webp"))
    sure = 0
    for file in files:
        probability = predict_probability(session, manifest, Image.open(file).convert("RGB"))
        found = probability > manifest["threshold"]
        doubt = (probability > DOUBT[0]) & (probability < DOUBT[1])
        if found.sum() < LEAST_FOUND_PX or doubt.sum() > MOST_DOUBT * found.sum():
            continue
        shutil.copyfile(file, arguments.out / "images" / file.name)
        Image.fromarray(found.astype(np.uint8) * 255).save(arguments.out / "masks" / f"{file.stem}.png")
        sure += 1
    print(f"{sure} of {len(files)} pictures are sure enough")


if __name__ == "__main__":
    main()
