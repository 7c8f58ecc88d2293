"""Writes a trained network as ONNX with the manifest that the gateway checks at start.

    python -m wound_segmentation.export --run DIR --out ../wound-segmentation-0.1.0 --version 0.1.0
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

from .network import WoundSegmentationNet
from .train import NORMALISE_MEAN, NORMALISE_STD

INPUT_SIZE = 512
THRESHOLD = 0.5
MIN_AREA_SHARE = 0.0003
# Largest difference between PyTorch's and ONNX Runtime's probabilities that counts as the same network.
TOLERANCE = 1e-3


class ProbabilityNet(nn.Module):
    """The network as the gateway runs it: normalised RGB in, wound probability out."""

    def __init__(self, network: WoundSegmentationNet) -> None:
        super().__init__()
        self.network = network

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(self.network(image)[0])


def load_network(run: Path) -> WoundSegmentationNet:
    """The averaged weights of a run, on the CPU, ready for inference."""
    state = torch.load(run / "checkpoint.pt", map_location="cpu", weights_only=True)
    network = WoundSegmentationNet()
    network.load_state_dict(state["average"])
    return network.eval()


def export(run: Path, out: Path, version: str) -> None:
    network = ProbabilityNet(load_network(run)).eval()
    out.mkdir(parents=True, exist_ok=True)
    model_file = out / "model.onnx"
    example = torch.rand(2, 3, INPUT_SIZE, INPUT_SIZE)
    torch.onnx.export(
        network,
        (example,),
        str(model_file),
        input_names=["image"],
        output_names=["probability"],
        dynamic_axes={"image": {0: "batch"}, "probability": {0: "batch"}},
        opset_version=17,
        dynamo=False,
    )
    session = onnxruntime.InferenceSession(str(model_file), providers=["CPUExecutionProvider"])
    with torch.no_grad():
        difference = np.abs(session.run(None, {"image": example.numpy()})[0] - network(example).numpy()).max()
    if difference > TOLERANCE:
        raise SystemExit(f"The exported model differs from the trained one by {difference}.")
    manifest = {
        "name": "wound-segmentation",
        "version": version,
        "task": "wound-segmentation",
        "file": model_file.name,
        "sha256": hashlib.sha256(model_file.read_bytes()).hexdigest(),
        "input": {
            "name": "image",
            "width": INPUT_SIZE,
            "height": INPUT_SIZE,
            "mean": [NORMALISE_MEAN] * 3,
            "std": [NORMALISE_STD] * 3,
            "resize": "letterbox",
        },
        "output": {"name": "probability"},
        "threshold": THRESHOLD,
        "minAreaShare": MIN_AREA_SHARE,
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
