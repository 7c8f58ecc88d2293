"""A model folder as the gateway reads it: the ONNX file, proven to say what PyTorch says, and its manifest."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import nn

from .train import NORMALISE_MEAN, NORMALISE_STD

# Largest difference between what PyTorch and ONNX Runtime say that counts as the same network.
TOLERANCE = 1e-3


def write_model_folder(network: nn.Module, out: Path, input_side: int, outputs: list[str], about: dict[str, object]) -> None:
    """Writes `model.onnx` and `manifest.json`. All outputs are compared; `about` is what only this model has to say."""
    write_onnx(network, out / "model.onnx", input_side, outputs)
    write_manifest(out / "model.onnx", input_side, about)


def write_onnx(network: nn.Module, file: Path, input_side: int, outputs: list[str]) -> None:
    """The weights, once ONNX Runtime says of them what PyTorch says."""
    file.parent.mkdir(parents=True, exist_ok=True)
    example = torch.rand(2, 3, input_side, input_side)
    axes = {name: {0: "batch"} for name in ["image", *outputs]}
    torch.onnx.export(network, (example,), str(file), input_names=["image"], output_names=outputs, dynamic_axes=axes, opset_version=17, dynamo=False)
    with torch.no_grad():
        said = network(example)
    expected = said if isinstance(said, tuple) else (said,)
    found = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"]).run(None, {"image": example.numpy()})
    difference = max(apart(own, other.numpy()) for own, other in zip(found, expected, strict=True))
    if difference > TOLERANCE:
        raise SystemExit(f"The exported model differs from the trained one by {difference}.")
    print(f"{file}: largest difference {difference:.2e}")


def apart(found: np.ndarray, expected: np.ndarray) -> float:
    """The largest difference; of figures beyond 1, as a share of the largest."""
    return float(np.abs(found - expected).max() / max(1.0, np.abs(expected).max()))


def write_manifest(file: Path, input_side: int, about: dict[str, object]) -> None:
    """What the gateway has to know of the weights, and their checksum."""
    frame = {"name": "image", "width": input_side, "height": input_side, "mean": [NORMALISE_MEAN] * 3, "std": [NORMALISE_STD] * 3, "resize": "letterbox"}
    manifest = about | {
        "file": file.name,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "input": frame,
        "researchOnly": True,
        "licence": "Research and evaluation only; the training data state no licence for commercial use.",
    }
    (file.parent / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
    print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")


def add_to_manifest(folder: Path, fitted: dict[str, object]) -> None:
    """Adds what was fitted after the export, or replaces it."""
    file = folder / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | fitted, indent=2) + "\n")
