"""Writes the trained tissue network as ONNX with the manifest that the gateway checks at start.

    python -m tissue_segmentation.export --run runs/tissue --out ../tissue-segmentation-0.1.0 --version 0.1.0
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import nn

from wound_segmentation.network import WoundSegmentationNet
from wound_segmentation.train import NORMALISE_MEAN, NORMALISE_STD

from .dataset import CLASSES
from .train import BED, INPUT_SIDE

TOLERANCE = 1e-3


class ClassNet(nn.Module):
    """The network as the gateway runs it: normalised RGB in, probability of each class out."""

    def __init__(self, network: WoundSegmentationNet) -> None:
        super().__init__()
        self.network = network

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return torch.softmax(self.network(image)[0], 1)


def export(run: Path, out: Path, version: str) -> None:
    network = WoundSegmentationNet(outputs=len(CLASSES))
    network.load_state_dict(torch.load(run / "checkpoint.pt", map_location="cpu", weights_only=True)["average"])
    model = ClassNet(network).eval()
    out.mkdir(parents=True, exist_ok=True)
    model_file = out / "model.onnx"
    example = torch.rand(2, 3, INPUT_SIDE, INPUT_SIDE)
    names = ["image", "classes"]
    axes = {name: {0: "batch"} for name in names}
    torch.onnx.export(model, (example,), str(model_file), input_names=names[:1], output_names=names[1:], dynamic_axes=axes, opset_version=17, dynamo=False)
    session = onnxruntime.InferenceSession(str(model_file), providers=["CPUExecutionProvider"])
    with torch.no_grad():
        difference = np.abs(session.run(None, {"image": example.numpy()})[0] - model(example).numpy()).max()
    if difference > TOLERANCE:
        raise SystemExit(f"The exported model differs from the trained one by {difference}.")
    manifest = {
        "name": "tissue-segmentation",
        "version": version,
        "task": "tissue-segmentation",
        "file": model_file.name,
        "sha256": hashlib.sha256(model_file.read_bytes()).hexdigest(),
        "input": {
            "name": "image",
            "width": INPUT_SIDE,
            "height": INPUT_SIDE,
            "mean": [NORMALISE_MEAN] * 3,
            "std": [NORMALISE_STD] * 3,
            "resize": "letterbox",
        },
        "output": {"name": "classes"},
        "classes": list(CLASSES),
        "woundBed": [CLASSES[index] for index in BED],
        "researchOnly": True,
        "licence": "Research and evaluation only; the training data state no licence for commercial use.",
    }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
    print(f"{model_file}: {model_file.stat().st_size / 1e6:.1f} MB, largest difference {difference:.2e}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--version", required=True)
    arguments = parser.parse_args()
    export(arguments.run, arguments.out, arguments.version)


if __name__ == "__main__":
    main()
