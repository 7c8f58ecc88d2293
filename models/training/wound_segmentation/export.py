"""Writes trained networks as one ONNX model with the manifest that the gateway checks at start.

    python -m wound_segmentation.export --runs runs/cycle runs/eschar --one-network --int8 --views 1 1m --data DIR --out ../wound-segmentation-fast-0.5.0 --version 0.5.0 --variant fast

Several runs become one model that averages what they say; with --one-network it averages their weights instead, for runs that began
with the same weights (Wortsman et al. 2022), and costs no more than one. --views lets each network look more than once, enlarged or
mirrored; --int8 makes it faster. What the model has to say of its own doubt (novelty, bounds, confidence) is added by `calibrate`.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.nn import functional as F

from .augmentation import Augmenter
from .average import mean_network
from .dataset import load_pictures, split_by_group
from .eight_bits import FoldedNet, ready_for_eight_bits
from .evaluate import letterbox
from .int8 import quantise
from .lite_network import LiteNet
from .network import WoundSegmentationNet
from .onnx_folder import write_manifest, write_onnx
from .presence_head import PresenceHead, load_head
from .quick_network import QuickNetwork
from .starting_weights import load_average
from .train import CHECKPOINT, normalise

INPUT_SIZE = 512
THRESHOLD = 0.5
MIN_AREA_SHARE = 0.0003
# When a small wound in a large photo is looked at again, and with how much around it; measured by bench/refinement.
REFINEMENT = {"belowAreaShare": 0.05, "contextShare": 0.35, "proposalThreshold": 0.02}
# Share of the identity in the covariance of the pooled features, so that it can be inverted.
SHRINKAGE = 0.1
# What 8 bits have to hold is seen on so many whole pictures, and on so many views as the training makes them.
VIEWS_OF_EACH_KIND = 32


@dataclass(frozen=True)
class View:
    """How a network looks at the picture."""

    scale: float
    mirrored: bool

    @classmethod
    def parse(cls, text: str) -> View:
        """1, 1.25, 1m (mirrored)."""
        return cls(float(text.removesuffix("m")), text.endswith("m"))

    def of(self, image: torch.Tensor) -> torch.Tensor:
        seen = image if self.scale == 1 else F.interpolate(image, scale_factor=self.scale, mode="bilinear", align_corners=False)
        return torch.flip(seen, (3,)) if self.mirrored else seen

    def back(self, probability: torch.Tensor, size: list[int]) -> torch.Tensor:
        seen = torch.flip(probability, (3,)) if self.mirrored else probability
        return seen if self.scale == 1 else F.interpolate(seen, size=size, mode="bilinear", align_corners=False)


class ProbabilityNet(nn.Module):
    """The networks as the gateway runs them: normalised RGB in; wound probability out, how far the picture is from those trained on, and,
    with a head for it, how likely it shows an open wound."""

    def __init__(
        self, networks: list[WoundSegmentationNet | LiteNet | FoldedNet], views: list[View], mean: torch.Tensor, precision: torch.Tensor, presence: PresenceHead | None = None
    ) -> None:
        super().__init__()
        self.presence = presence
        self.networks = nn.ModuleList(networks)
        self.views = views
        self.register_buffer("mean", mean)
        self.register_buffer("precision", precision)

    def forward(self, image: torch.Tensor) -> tuple[torch.Tensor, ...]:
        found, presences = [], []
        for view in self.views:
            for network in self.networks:
                features = network.encode(view.of(image))
                if not found:
                    away = pool(features) - self.mean
                    novelty = ((away @ self.precision) * away).mean(1, keepdim=True)
                logits = network.decode(features)[0]
                found.append(view.back(torch.sigmoid(logits), [int(side) for side in image.shape[2:]]))
                if self.presence is not None:
                    presences.append(self.presence.logit(features, logits))
        outputs = (torch.stack(found).mean(0), novelty)
        return outputs if self.presence is None else (*outputs, self.presence(presences))


def pool(features: tuple[torch.Tensor, ...]) -> torch.Tensor:
    """[N, channels]: what the deepest stage sees, averaged over the picture."""
    return features[-1].mean((2, 3))


def load_network(*runs: Path) -> WoundSegmentationNet:
    """The averaged weights of a run, or the mean of several runs', on the CPU, ready for inference."""
    return mean_network([load_average(run / CHECKPOINT) for run in runs])


@torch.no_grad()
def known_pictures(network: WoundSegmentationNet, view: View, data: Path, others: Path | None = None) -> tuple[torch.Tensor, torch.Tensor]:
    """Mean and inverse covariance of the pooled features over the training pictures (Mahalanobis distance; Lee et al. 2018)."""
    photos = [photo for photo, _ in load_pictures(data, split_by_group(data).train)]
    for file in sorted(others.glob("*.webp")) if others else []:
        canvas, _ = letterbox(Image.open(file).convert("RGB"), INPUT_SIZE, INPUT_SIZE, Image.Resampling.BILINEAR)
        photos.append(torch.from_numpy(np.array(canvas)).permute(2, 0, 1))
    quick = QuickNetwork(network, torch.get_num_threads())
    features = torch.cat([pool(quick.encode(view.of(normalise(photo[None].float() / 255)))) for photo in photos])
    covariance = torch.cov(features.T)
    scale = covariance.diagonal().mean()
    shrunk = (1 - SHRINKAGE) * covariance + SHRINKAGE * scale * torch.eye(len(covariance))
    return features.mean(0), torch.linalg.inv(shrunk)


def export(
    networks: list[WoundSegmentationNet],
    views: list[View],
    data: Path,
    out: Path,
    version: str,
    variant: str | None,
    *,
    int8: bool,
    known: Path | None = None,
    presence: Path | None = None,
) -> None:
    if presence is not None and len(networks) > 1:
        raise SystemExit("A head on the presence of a wound knows the one network that it was fitted on: add --one-network, or leave --presence out.")
    head, threshold = (None, None) if presence is None else load_head(presence)
    split, ranges, known_to_it = split_by_group(data), None, known_pictures(networks[0], views[0], data, known)
    plain = ProbabilityNet(networks, views, *known_to_it, head).eval()
    if int8 and len(networks) == 1 and isinstance(networks[0], LiteNet):
        ready = ready_for_eight_bits(networks[0], head, torch.from_numpy(usual_views(data, split.train)))
        networks, head, ranges, known_to_it = [ready.network], ready.head, ready.network.ranges(), ready.known(*known_to_it)
    network = ProbabilityNet(networks, views, *known_to_it, head).eval()
    outputs = ["probability", "novelty", *(["presence"] if head else [])]
    about = {
        "name": f"wound-segmentation-{variant or ('8-bit' if int8 else '32-bit')}",
        "version": version,
        "task": "wound-segmentation",
        **({"variant": variant} if variant else {}),
        "output": {"name": "probability", "novelty": "novelty", **({"presence": "presence"} if head else {})},
        **({"presence": threshold} if head else {}),
        "threshold": THRESHOLD,
        "minAreaShare": MIN_AREA_SHARE,
        "refinement": REFINEMENT,
    }
    file = out / "model.onnx"
    write_onnx(network, file, INPUT_SIZE, outputs)
    if int8:
        with TemporaryDirectory() as folder:
            # 8 bits answer for all that was rounded.
            beside = Path(folder) / "plain.onnx"
            write_onnx(plain, beside, INPUT_SIZE, outputs)
            in_eight_bits(file, data, trained_on=split.train, checked_on=split.validation, ranges=ranges, beside=beside)
    write_manifest(file, INPUT_SIZE, about)


def in_eight_bits(file: Path, data: Path, *, trained_on: list[str], checked_on: list[str], ranges: list[tuple[float, float]] | None = None, beside: Path | None = None) -> None:
    """Rewrites the model in place. `ranges`: of a network that is ready for it; `beside`: the network as it was before that."""
    photos, masks = (torch.stack(part) for part in zip(*load_pictures(data, checked_on), strict=True))
    quantise(file, usual_views(data, trained_on), normalise(photos.float() / 255).numpy(), masks[:, 0].numpy() > 0, ranges, beside)


def usual_views(data: Path, names: list[str]) -> np.ndarray:
    """Some of these pictures as they are, and views of others as the training sees them, normalised."""
    every = len(names) // VIEWS_OF_EACH_KIND
    whole = torch.stack([photo for photo, _ in load_pictures(data, names[::every][:VIEWS_OF_EACH_KIND])])
    others = load_pictures(data, names[1::every][:VIEWS_OF_EACH_KIND])
    views, _ = Augmenter(INPUT_SIZE, seed=1)(others)
    return normalise(torch.cat([whole.float() / 255, views])).numpy()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, nargs="+", required=True)
    parser.add_argument("--data", type=Path, required=True, help="the pictures trained on, to know what is unlike them")
    parser.add_argument("--known", type=Path, help="photos of other wounds that were trained on, too")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--variant", choices=("fast", "accurate"), help="by which the service can choose it; else by its folder alone")
    parser.add_argument("--views", type=View.parse, nargs="+", default=[View(1, mirrored=False)], metavar="SCALE[m]", help="such as 1 1.25m: as it is, and enlarged and mirrored")
    parser.add_argument("--one-network", action="store_true", help="average the weights of the runs, not what they say")
    parser.add_argument("--int8", action="store_true", help="convolutions in whole numbers of 8 bits")
    parser.add_argument("--presence", type=Path, help="the head that `presence fit` wrote for this network")
    arguments = parser.parse_args()
    networks = [load_network(*arguments.runs)] if arguments.one_network else [load_network(run) for run in arguments.runs]
    export(
        networks,
        arguments.views,
        arguments.data,
        arguments.out,
        arguments.version,
        arguments.variant,
        int8=arguments.int8,
        known=arguments.known,
        presence=arguments.presence,
    )


if __name__ == "__main__":
    main()
