"""Writes trained networks as one ONNX model with the manifest that the gateway checks at start.

    python -m wound_segmentation.export --runs runs/cycle runs/eschar --one-network --data DIR --out ../wound-segmentation-fast-0.4.0 --version 0.4.0 --variant fast

Several runs become one model that averages what they say; with --one-network it averages their weights instead, for runs of which one
began where another ended (Wortsman et al. 2022), and costs no more than one. --flips adds the mirrored views. What the model has to say of its own doubt
(novelty, bounds, confidence) is added by `calibrate`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import nn

from .dataset import load_pictures, split_by_group
from .network import WoundSegmentationNet
from .onnx_folder import write_model_folder
from .starting_weights import load_average
from .train import normalise

INPUT_SIZE = 512
THRESHOLD = 0.5
MIN_AREA_SHARE = 0.0003
# When a small wound in a large photo is looked at again, and with how much around it; measured by bench/refinement.
REFINEMENT = {"belowAreaShare": 0.05, "contextShare": 0.35, "proposalThreshold": 0.02}
# Share of the identity in the covariance of the pooled features, so that it can be inverted.
SHRINKAGE = 0.1


class ProbabilityNet(nn.Module):
    """The networks as the gateway runs them: normalised RGB in; wound probability out, and how far the picture is from those trained on."""

    def __init__(self, networks: list[WoundSegmentationNet], flips: bool, mean: torch.Tensor, precision: torch.Tensor) -> None:
        super().__init__()
        self.networks = nn.ModuleList(networks)
        self.flips = flips
        self.register_buffer("mean", mean)
        self.register_buffer("precision", precision)

    def forward(self, image: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.networks[0].encode(image)
        away = pool(features) - self.mean
        novelty = ((away @ self.precision) * away).mean(1, keepdim=True)
        views = [torch.sigmoid(self.networks[0].decode(features)[0])]
        for network in self.networks:
            if network is not self.networks[0]:
                views.append(torch.sigmoid(network(image)[0]))
            if self.flips:
                views.append(torch.flip(torch.sigmoid(network(torch.flip(image, (3,)))[0]), (3,)))
        return torch.stack(views).mean(0), novelty


def pool(features: tuple[torch.Tensor, ...]) -> torch.Tensor:
    """[N, channels]: what the deepest stage sees, averaged over the picture."""
    return features[-1].mean((2, 3))


def load_network(*runs: Path) -> WoundSegmentationNet:
    """The averaged weights of a run, or the mean of several runs', on the CPU, ready for inference."""
    networks = [load_average(run / "checkpoint.pt") for run in runs]
    states = [network.state_dict() for network in networks]
    network = networks[0]
    # What is no fraction counts batches, and is not used for inference.
    network.load_state_dict({name: torch.stack([state[name] for state in states]).mean(0) if value.dtype.is_floating_point else value for name, value in states[0].items()})
    return network.eval()


@torch.no_grad()
def known_pictures(network: WoundSegmentationNet, data: Path) -> tuple[torch.Tensor, torch.Tensor]:
    """Mean and inverse covariance of the pooled features over the training pictures (Mahalanobis distance; Lee et al. 2018)."""
    photos = [photo for photo, _ in load_pictures(data, split_by_group(data).train)]
    features = torch.cat([pool(network.encode(normalise(photo[None].float() / 255))) for photo in photos])
    covariance = torch.cov(features.T)
    scale = covariance.diagonal().mean()
    shrunk = (1 - SHRINKAGE) * covariance + SHRINKAGE * scale * torch.eye(len(covariance))
    return features.mean(0), torch.linalg.inv(shrunk)


def export(runs: list[Path], data: Path, out: Path, version: str, variant: str, *, flips: bool, one_network: bool) -> None:
    networks = [load_network(*runs)] if one_network else [load_network(run) for run in runs]
    network = ProbabilityNet(networks, flips, *known_pictures(networks[0], data)).eval()
    about = {
        "name": f"wound-segmentation-{variant}",
        "version": version,
        "task": "wound-segmentation",
        "variant": variant,
        "output": {"name": "probability", "novelty": "novelty"},
        "threshold": THRESHOLD,
        "minAreaShare": MIN_AREA_SHARE,
        "refinement": REFINEMENT,
    }
    write_model_folder(network, out, INPUT_SIZE, ["probability", "novelty"], about)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, nargs="+", required=True)
    parser.add_argument("--data", type=Path, required=True, help="the pictures trained on, to know what is unlike them")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--variant", choices=("fast", "accurate"), required=True)
    parser.add_argument("--flips", action="store_true")
    parser.add_argument("--one-network", action="store_true", help="average the weights of the runs, not what they say")
    arguments = parser.parse_args()
    export(arguments.runs, arguments.data, arguments.out, arguments.version, arguments.variant, flips=arguments.flips, one_network=arguments.one_network)


if __name__ == "__main__":
    main()
