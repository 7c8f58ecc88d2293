"""The mean of several networks' weights, as one checkpoint to export or to fit a head on.

    python -m wound_segmentation.average --data FUSEG --of weights/wound-segmentation-0.5.0-32-bit/model.onnx runs/student/checkpoint.pt --out runs/shipped

For networks of one lineage: a training that began with the weights of another is still near enough that their mean is a network
(Wortsman et al. 2022), often a little better than either, and costs no more than one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from .dataset import load_pictures, split_by_group
from .network import WoundSegmentationNet
from .starting_weights import load_average, network_from_onnx
from .train import CHECKPOINT, RESTORE_WITH, normalise


def mean_network(networks: list[WoundSegmentationNet]) -> WoundSegmentationNet:
    """The first of them, with the mean of all their weights, ready for inference."""
    states = [network.state_dict() for network in networks]
    # What is no fraction counts batches, and is not used for inference.
    mean = {name: torch.stack([state[name] for state in states]).mean(0) if value.dtype.is_floating_point else value for name, value in states[0].items()}
    networks[0].load_state_dict(mean)
    return networks[0].eval()


def load(file: Path, data: Path) -> WoundSegmentationNet:
    """A checkpoint's averaged weights, or those of an exported model in 32 bits."""
    if file.suffix != ".onnx":
        return load_average(file)
    photos, _ = zip(*load_pictures(data, split_by_group(data).train[:RESTORE_WITH]), strict=True)
    return network_from_onnx(file, normalise(torch.stack(photos).float() / 255))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the training part of FUSeg")
    parser.add_argument("--of", type=Path, nargs="+", required=True, help="checkpoints, or exported models in 32 bits")
    parser.add_argument("--out", type=Path, required=True, help="run folder to write the checkpoint into")
    arguments = parser.parse_args()
    network = mean_network([load(file, arguments.data) for file in arguments.of])
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.save({"average": network.state_dict()}, arguments.out / CHECKPOINT)


if __name__ == "__main__":
    main()
