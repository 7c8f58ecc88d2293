"""Makes a network on a pretrained encoder ready for 8 bits, so that it says what it said: channels that reach as far as one another,
weights that are rounded together, and ranges that leave the least error.

Weights rounded each for itself do most of the harm (models/training/experiments.md): neighbouring pixels are alike, so the errors of a
small filter add up unless they cancel out.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

from .lite_network import TAPS, LeanStep, LiteNet
from .presence_head import Fitted, PresenceHead

# Weights have 7 bits: see `int8.quantise`. Activations have 8.
WEIGHT_LEVELS, ACTIVATION_LEVELS = 64, 255
# Ranges tried, as shares of the extremes.
SHARES = tuple(share / 100 for share in range(30, 101, 5))
# Values of one picture that a range is chosen by.
KEPT_VALUES = 4096
# A filter whose largest weight is below this is as good as empty.
LEAST_WEIGHT = 1e-8
# Places of a photo, along each side, at which it is seen what a convolution reads.
PLACES = 32
# Share of the identity in the covariance of what is read, and how often weights are gone through to round them.
SHRINKAGE = 0.003
SWEEPS = 20
# Share of a channel's values that count for how far it reaches, and how far a channel may be behind the farthest.
REACHED, LEAST_REACH = 0.999, 0.01
# ONNX Runtime enlarges whole numbers and drops what is left over: so much of a step in the mean.
DROPPED = 0.46
# Of the views that show what passes, one in so many is enough to equalise by, to round by and to choose ranges by.
EQUALISED_EVERY, ROUNDED_EVERY = 10, 6


class Point(nn.Module):
    """Between two convolutions, where 8 bits round what passes: from `low` to `high`."""

    def __init__(self) -> None:
        super().__init__()
        self.low, self.high = 0.0, 0.0
        self.watched: list[torch.Tensor] | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.watched is not None:
            flat = x.flatten()
            some = flat[torch.randint(len(flat), (KEPT_VALUES,), generator=torch.Generator().manual_seed(1))]
            self.watched.append(torch.cat([some, flat.amin()[None], flat.amax()[None]]))
        return x

    def choose(self) -> None:
        """The part of what was watched that leaves the least error."""
        seen, self.watched = torch.cat(self.watched or []), None
        low, high = min(0.0, float(seen.min())), max(0.0, float(seen.max()))
        best = min(SHARES, key=lambda share: float((rounded(seen, share * low, share * high) - seen).square().mean()))
        self.low, self.high = best * low, best * high


def step_of(low: float, high: float) -> float:
    return max(high - low, 1e-6) / ACTIVATION_LEVELS


def rounded(x: torch.Tensor, low: float, high: float) -> torch.Tensor:
    """As 8 bits of this range keep it."""
    step = step_of(low, high)
    return torch.fake_quantize_per_tensor_affine(x, step, min(ACTIVATION_LEVELS, max(0, round(-low / step))), 0, ACTIVATION_LEVELS)


class FoldedConv(nn.Module):
    """A convolution with its normalisation drawn into it."""

    def __init__(self, conv: nn.Conv2d, norm: nn.BatchNorm2d) -> None:
        super().__init__()
        gain = norm.weight.detach() / (norm.running_var + norm.eps).sqrt()
        self.register_buffer("weight", conv.weight.detach() * gain.view(-1, 1, 1, 1))
        self.register_buffer("bias", norm.bias.detach() - norm.running_mean * gain)
        self.stride, self.padding, self.groups = conv.stride, conv.padding, conv.groups
        # Zeros where the package pads unevenly.
        self.before = copy.deepcopy(getattr(conv, "static_padding", nn.Identity()))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.conv2d(self.before(x), self.weight, self.bias, self.stride, self.padding, 1, self.groups)

    def round_to(self, mean: torch.Tensor, covariance: torch.Tensor) -> None:
        """Puts the weights on their grid, by `mean` and `covariance` of what they read (`Inputs`); what errs in the mean goes into the bias."""
        shape = (self.groups, len(self.weight) // self.groups, -1)
        step = self.weight.flatten(1).abs().amax(1).clamp(min=LEAST_WEIGHT).view(*shape).double() / WEIGHT_LEVELS
        exact = self.weight.view(*shape).double() / step
        found = nearest_on_grid(exact, covariance, WEIGHT_LEVELS)
        self.bias -= (((found - exact) * step) @ mean[:, :, None]).flatten().float()
        self.weight.copy_((found * step).view_as(self.weight))


class Inputs:
    """Mean and covariance of what the weights of a convolution read: [1, K] and [1, K, K]; of one that convolves each channel for itself
    [channels, K] and [channels, K, K]."""

    def __init__(self, conv: FoldedConv) -> None:
        self.conv, self.count, self.sums, self.squares = conv, 0, torch.zeros(1), torch.zeros(1)

    def add(self, x: torch.Tensor) -> None:
        seen = F.pad(self.conv.before(x), [self.conv.padding[0]] * 4)
        # Neighbouring places show next to the same.
        patches = F.unfold(seen, self.conv.weight.shape[2], stride=max(1, seen.shape[-1] // PLACES))[0]
        patches = patches.view(self.conv.groups, -1, patches.shape[-1]).double()
        self.count += patches.shape[-1]
        self.sums = self.sums + patches.sum(2)
        self.squares = self.squares + patches @ patches.transpose(1, 2)

    def figures(self) -> tuple[torch.Tensor, torch.Tensor]:
        mean = self.sums / self.count
        covariance = self.squares / self.count - mean[:, :, None] * mean[:, None, :]
        diagonal = covariance.diagonal(dim1=1, dim2=2)
        return mean, covariance + torch.diag_embed(SHRINKAGE * diagonal.mean(1, keepdim=True).expand_as(diagonal) + 1e-9)


def nearest_on_grid(exact: torch.Tensor, covariance: torch.Tensor, levels: int) -> torch.Tensor:
    """Whole numbers [G, O, K] from -levels to levels near `exact`, so that the error's square, as `covariance` [G, K, K] weighs it, is as
    small as moves of one of them at a time make it. The largest of each row, which sets its grid, stays."""
    found = exact.round().clamp(-levels, levels)
    fixed = exact.abs() >= exact.abs().amax(2, keepdim=True)
    pull = (found - exact) @ covariance
    for _ in range(SWEEPS):
        before = found.clone()
        for k in range(exact.shape[2]):
            wanted = (found[:, :, k] - pull[:, :, k] / covariance[:, k, k, None]).round().clamp(-levels, levels)
            by = torch.where(fixed[:, :, k], 0.0, wanted - found[:, :, k])
            if by.any():
                found[:, :, k] += by
                pull += by[:, :, None] * covariance[:, None, k, :]
        if torch.equal(found, before):
            break
    return found


class FoldedBlock(nn.Module):
    """A block of EfficientNet-Lite."""

    def __init__(self, block: nn.Module) -> None:
        super().__init__()
        arguments = block._block_args
        self.expand = FoldedConv(block._expand_conv, block._bn0) if arguments.expand_ratio != 1 else None
        self.depthwise, self.project = FoldedConv(block._depthwise_conv.conv, block._bn1), FoldedConv(block._project_conv, block._bn2)
        self.adds = block.id_skip and arguments.stride in (1, [1]) and arguments.input_filters == arguments.output_filters
        self.after_expand = Point() if self.expand is not None else None
        self.after_depthwise, self.after_project = Point(), Point()
        self.after_add = Point() if self.adds else None

    @property
    def reader(self) -> FoldedConv:
        return self.depthwise if self.expand is None else self.expand

    def points(self) -> list[Point]:
        return [point for point in (self.after_expand, self.after_depthwise, self.after_project, self.after_add) if point is not None]

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        x = inputs if self.expand is None else self.after_expand(F.relu6(self.expand(inputs)))
        x = self.after_project(self.project(self.after_depthwise(F.relu6(self.depthwise(x)))))
        return self.after_add(x + inputs) if self.adds else x


class FoldedStep(nn.Module):
    """A step of the decoder."""

    def __init__(self, step: LeanStep) -> None:
        super().__init__()
        self.deep, self.skip, self.refine = (FoldedConv(*part) for part in (step.deep, step.skip, step.refine))
        self.after_deep, self.after_skip, self.after_add, self.after_refine = Point(), Point(), Point(), Point()

    def points(self) -> list[Point]:
        return [self.after_deep, self.after_skip, self.after_add, self.after_refine]

    def forward(self, deep: torch.Tensor, skip: torch.Tensor) -> torch.Tensor:
        up = F.interpolate(self.after_deep(self.deep(deep)), scale_factor=2.0, mode="bilinear", align_corners=False)
        joined = self.after_add(F.relu(up + self.after_skip(self.skip(skip))))
        return self.after_refine(F.relu(self.refine(joined)))


@dataclass(frozen=True)
class Stream:
    """Channels that several blocks write and read, with nothing but sums between them."""

    writers: list[FoldedConv]
    readers: list[FoldedConv]
    points: list[Point]


class FoldedNet(nn.Module):
    """Stands for a `LiteNet` that is only looked with: `encode`, `decode` and a call."""

    def __init__(self, network: LiteNet) -> None:
        super().__init__()
        self.taps, self.widths = TAPS[network.kind["variant"]], network.widths
        self.at_image, self.after_stem = Point(), Point()
        self.stem = FoldedConv(network.stem, network.stem_norm)
        self.blocks = nn.ModuleList([FoldedBlock(block) for block in network.blocks])
        self.up3, self.up2, self.up1, self.up0 = (FoldedStep(step) for step in (network.up3, network.up2, network.up1, network.up0))
        self.head = copy.deepcopy(network.head)
        self.eval()

    def encode(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        x = self.after_stem(F.relu6(self.stem(self.at_image(x))))
        features = []
        for index, block in enumerate(self.blocks):
            x = block(x)
            if index in self.taps:
                features.append(x)
        return tuple(features)

    def decode(self, features: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, None]:
        s0, s1, s2, s3, s4 = features
        logits = self.head(self.up0(self.up1(self.up2(self.up3(s4, s3), s2), s1), s0))
        return F.interpolate(logits, scale_factor=2.0, mode="bilinear", align_corners=False), None

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, None]:
        return self.decode(self.encode(x))

    def steps(self) -> tuple[FoldedStep, ...]:
        return self.up3, self.up2, self.up1, self.up0

    def points(self) -> list[Point]:
        """In the order in which they are passed."""
        return [self.at_image, self.after_stem, *(point for part in (*self.blocks, *self.steps()) for point in part.points())]

    def ranges(self) -> list[tuple[float, float]]:
        return [(point.low, point.high) for point in self.points()]

    def streams(self) -> list[Stream]:
        read_at = dict(zip(self.taps, (self.up0.skip, self.up1.skip, self.up2.skip, self.up3.skip, self.up3.deep), strict=True))
        streams: list[Stream] = []
        for index, block in enumerate(self.blocks):
            if streams:
                streams[-1].readers.append(block.reader)
            if not block.adds:
                streams.append(Stream([], [], []))
            streams[-1].writers.append(block.project)
            streams[-1].points.extend(point for point in (block.after_project, block.after_add) if point is not None)
            if index in read_at:
                streams[-1].readers.append(read_at[index])
        return streams


@torch.no_grad()
def equalise(network: FoldedNet, photos: torch.Tensor) -> torch.Tensor:
    """Makes the channels of each stream reach about as far: the network says the same, and one grid suits them all. Gives what the
    deepest features' channels were multiplied by."""
    streams = network.streams()
    reach: list[torch.Tensor | None] = [None] * len(streams)
    hooks = []
    for number, stream in enumerate(streams):

        def keep(_: nn.Module, __: object, out: torch.Tensor, number: int = number) -> None:
            far = out[0].flatten(1).abs().quantile(REACHED, 1)
            known = reach[number]
            reach[number] = far if known is None else torch.maximum(known, far)

        hooks += [point.register_forward_hook(keep) for point in stream.points]
    for photo in photos:
        network(photo[None])
    for hook in hooks:
        hook.remove()
    factor = torch.ones(0)
    for stream, far in zip(streams, reach, strict=True):
        limited = far.clamp(min=LEAST_REACH * float(far.max()))
        factor = limited.log().mean().exp() / limited
        for conv in stream.writers:
            conv.weight *= factor.view(-1, 1, 1, 1)
            conv.bias *= factor
        for conv in stream.readers:
            conv.weight /= factor.view((-1, 1, 1, 1) if conv.groups > 1 else (1, -1, 1, 1))
    return factor


@torch.no_grad()
def round_by_inputs(network: FoldedNet, photos: torch.Tensor) -> None:
    """Rounds all weights so that what they say together of what they read stays the same."""
    inputs = {conv: Inputs(conv) for conv in network.modules() if isinstance(conv, FoldedConv)}
    hooks = [conv.register_forward_pre_hook(lambda conv, given: inputs[conv].add(given[0])) for conv in inputs]
    for photo in photos:
        network(photo[None])
    for hook in hooks:
        hook.remove()
    for conv, read in inputs.items():
        conv.round_to(*read.figures())


@torch.no_grad()
def watch(network: FoldedNet, photos: torch.Tensor) -> None:
    """Gives each point its range, of photos and their mirror images."""
    for point in network.points():
        point.watched = []
    for photo in photos:
        network(photo[None])
        network(photo[None].flip(3))
    for point in network.points():
        point.choose()
    for step in network.steps():
        # What enlarging drops, in the mean, what comes beside it makes up for.
        dropped = DROPPED * step_of(step.after_deep.low, step.after_deep.high)
        step.skip.bias += dropped
        step.after_skip.high += dropped


def rescaled(head: PresenceHead, factor: torch.Tensor) -> PresenceHead:
    """The head for a network whose deepest channels were multiplied so; of its parts only `inside` reads them."""
    parts = head.fitted.parts
    if parts[0] != "inside" or {"mean", "most"} & set(parts):
        raise SystemExit(f"A head of the parts {', '.join(parts)} cannot be rescaled.")
    mean, spread = head.fitted.mean.clone(), head.fitted.spread.clone()
    mean[: len(factor)] *= factor
    spread[: len(factor)] *= factor
    return PresenceHead(Fitted(parts, mean, spread, head.fitted.weights, head.fitted.intercept), head.slope, head.offset)


@dataclass(frozen=True)
class Ready:
    """A network with weights that stay as they are in 8 bits and the ranges of what passes, its head, and what its deepest channels were
    multiplied by."""

    network: FoldedNet
    head: PresenceHead | None
    factor: torch.Tensor

    def known(self, mean: torch.Tensor, precision: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Mean and inverse covariance of its deepest features, of those of the network that it was: a picture is as new to either."""
        return mean * self.factor, precision / (self.factor[:, None] * self.factor)


def ready_for_eight_bits(network: LiteNet, head: PresenceHead | None, views: torch.Tensor) -> Ready:
    """Views [N, 3, H, W], normalised."""
    made = FoldedNet(network)
    factor = equalise(made, views[1::EQUALISED_EVERY])
    round_by_inputs(made, views[1::ROUNDED_EVERY])
    watch(made, views[1::ROUNDED_EVERY])
    return Ready(made, head and rescaled(head, factor), factor)
