"""A residual U-Net for binary segmentation that is small enough for one processor core."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

# What every network here reads: RGB of 0..1 less the mean, by the spread. The same figures stand in the exported manifest.
NORMALISE_MEAN = 0.45
NORMALISE_STD = 0.27
# 2.9 and 10 million parameters. The wide one's channels are multiples of 32, which a processor's bfloat16 tiles hold.
SMALL, SMALL_DECODER = (24, 32, 64, 128, 192), (96, 64, 32, 24)
WIDE, WIDE_DECODER = (32, 64, 128, 256, 384), (128, 96, 64, 32)


def conv_norm(inputs: int, outputs: int, kernel: int = 3, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    padding = dilation * (kernel // 2)
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, padding, dilation, bias=False),
        nn.BatchNorm2d(outputs),
    )


class ResidualBlock(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.first = conv_norm(inputs, outputs, stride=stride)
        self.second = conv_norm(outputs, outputs)
        same = inputs == outputs and stride == 1
        self.shortcut = nn.Identity() if same else conv_norm(inputs, outputs, kernel=1, stride=stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(self.second(F.relu(self.first(x))) + self.shortcut(x))


class ContextBlock(nn.Module):
    """Widens the view at 1/32 resolution: parallel dilations 1, 2, 4 and the mean of the whole picture."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        part = channels // 3
        self.branches = nn.ModuleList(conv_norm(channels, part, dilation=d) for d in (1, 2, 4))
        self.whole = nn.Conv2d(channels, part, 1)
        self.merge = conv_norm(part * 4, channels, kernel=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        whole = F.relu(self.whole(x.mean((2, 3), keepdim=True))).expand(-1, -1, x.shape[2], x.shape[3])
        views = [F.relu(branch(x)) for branch in self.branches]
        return F.relu(self.merge(torch.cat([*views, whole], 1)) + x)


class DecoderStep(nn.Module):
    def __init__(self, deep: int, skip: int, outputs: int) -> None:
        super().__init__()
        self.mix = conv_norm(deep + skip, outputs)
        self.refine = conv_norm(outputs, outputs)

    def forward(self, deep: torch.Tensor, skip: torch.Tensor) -> torch.Tensor:
        up = F.interpolate(deep, scale_factor=2.0, mode="bilinear", align_corners=False)
        mixed = F.relu(self.mix(torch.cat([up, skip], 1)))
        return F.relu(self.refine(mixed) + mixed)


class WoundSegmentationNet(nn.Module):
    """[N, 3, H, W] normalised RGB, H and W multiples of 32 -> logits [N, outputs, H, W] and an auxiliary [N, outputs, H/8, W/8]."""

    def __init__(self, widths: tuple[int, ...] = SMALL, decoder_widths: tuple[int, ...] = SMALL_DECODER, outputs: int = 1) -> None:
        """Channels at 1/2, 1/4, 1/8, 1/16 and 1/32 of the input's size, and on the way back at 1/16, 1/8, 1/4 and 1/2."""
        super().__init__()
        self.widths, self.decoder_widths = widths, decoder_widths
        w0, w1, w2, w3, w4 = widths
        d3, d2, d1, d0 = decoder_widths
        self.stem = conv_norm(3, w0, kernel=5, stride=2)
        self.stage1 = ResidualBlock(w0, w1, 2)
        self.stage2 = nn.Sequential(ResidualBlock(w1, w2, 2), ResidualBlock(w2, w2))
        self.stage3 = nn.Sequential(ResidualBlock(w2, w3, 2), ResidualBlock(w3, w3))
        self.stage4 = nn.Sequential(ResidualBlock(w3, w4, 2), ResidualBlock(w4, w4), ContextBlock(w4))
        self.up3 = DecoderStep(w4, w3, d3)
        self.up2 = DecoderStep(d3, w2, d2)
        self.up1 = DecoderStep(d2, w1, d1)
        self.up0 = nn.Sequential(conv_norm(d1 + w0, d0), nn.ReLU())
        self.head = nn.Conv2d(d0, outputs, 3, padding=1)
        self.auxiliary = nn.Conv2d(d2, outputs, 1)
        if outputs == 1:
            nn.init.constant_(self.head.bias, -2.0)

    def encode(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Features at 1/2, 1/4, 1/8, 1/16 and 1/32 of the input's size."""
        s0 = F.relu(self.stem(x))
        s1 = self.stage1(s0)
        s2 = self.stage2(s1)
        s3 = self.stage3(s2)
        return s0, s1, s2, s3, self.stage4(s3)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.decode(self.encode(x))

    def decode(self, features: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, torch.Tensor]:
        """The logits that `encode`'s features give."""
        s0, s1, s2, s3, s4 = features
        eighth = self.up2(self.up3(s4, s3), s2)
        quarter = self.up1(eighth, s1)
        half = F.interpolate(quarter, scale_factor=2.0, mode="bilinear", align_corners=False)
        logits = self.head(self.up0(torch.cat([half, s0], 1)))
        full = F.interpolate(logits, scale_factor=2.0, mode="bilinear", align_corners=False)
        return full, self.auxiliary(eighth)
