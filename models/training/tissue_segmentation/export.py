"""Writes the trained tissue network as ONNX with the manifest that the gateway checks at start.

    python -m tissue_segmentation.export --run runs/tissue/shipped --out ../tissue-segmentation-0.3.0 --version 0.3.0
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import nn

from wound_segmentation.network import WoundSegmentationNet
from wound_segmentation.onnx_folder import write_model_folder

from .dataset import CLASSES
from .judge import BED, INPUT_SIDE


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
    about = {
        "name": "tissue-segmentation",
        "version": version,
        "task": "tissue-segmentation",
        "output": {"name": "classes"},
        "classes": list(CLASSES),
        "woundBed": [CLASSES[index] for index in BED],
    }
    write_model_folder(model, out, INPUT_SIDE, ["classes"], about)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--version", required=True)
    arguments = parser.parse_args()
    export(arguments.run, arguments.out, arguments.version)


if __name__ == "__main__":
    main()
