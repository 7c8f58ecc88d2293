"""Where a training begins: new weights, those of an earlier run or of an exported model, and how a wide network begins with a narrow one's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from .lite_network import LiteNet
from .network import SMALL, SMALL_DECODER, WIDE, WIDE_DECODER, WoundSegmentationNet

# Root mean square of a filter's weights, times the root of its inputs. Batch normalisation makes any scale the same function;
# it decides how far a step of the optimiser goes.
FILTER_SCALE = 1.0
# A filter weaker than this is left as it is.
LEAST_FILTER_RMS = 1e-4
# Noise on widened weights, relative to their root mean square.
WIDENING_NOISE = 0.02


def starting_network(start_from: Path | None, photos: torch.Tensor, *, wide: bool, seed: int) -> WoundSegmentationNet:
    """New weights, or those of an earlier run or an exported model, widened where a wide network begins with a small one."""
    network = WoundSegmentationNet(WIDE, WIDE_DECODER) if wide else WoundSegmentationNet()
    if start_from is None:
        return network
    if start_from.suffix == ".onnx":
        known = network_from_onnx(start_from, photos)
    else:
        known = load_average(start_from)
    if known.widths == network.widths:
        return known
    if not wide:
        raise SystemExit(f"{start_from} holds the wide network; train it with --wide.")
    widen(known, network, seed)
    return network


def load_average(file: Path) -> WoundSegmentationNet | LiteNet:
    """The network of a checkpoint, with its averaged weights."""
    state = torch.load(file, map_location="cpu", weights_only=True)
    network = LiteNet(**state["kind"]) if state.get("kind") else WoundSegmentationNet(state.get("widths", SMALL), state.get("decoder_widths", SMALL_DECODER))
    network.load_state_dict(state["average"])
    return network


@torch.no_grad()
def network_from_onnx(file: Path, photos: torch.Tensor) -> WoundSegmentationNet:
    """The network of an exported model of one network, small or wide, in 32 bits. The export has drawn batch normalisation into the
    convolutions; it is restored with the statistics of `photos` [N, 3, H, W], normalised, on which it then says what the model says."""
    graph = onnx.load(str(file)).graph
    weights = {tensor.name: torch.from_numpy(numpy_helper.to_array(tensor).copy()) for tensor in graph.initializer}
    # What two convolutions share stands under one name and an alias.
    weights |= {node.output[0]: weights[node.input[0]] for node in graph.node if node.op_type == "Identity" and node.input[0] in weights}
    convolutions = [node.input[1:] for node in graph.node if node.op_type == "Conv"]
    if not convolutions or any(name not in weights for names in convolutions for name in names):
        raise SystemExit(f"{file} holds no convolutions in 32 bits: begin with a model that was exported without --int8.")
    folded = [[weights[name] for name in names] for names in convolutions]
    wide = len(folded[0][0]) == WIDE[0]
    network = (WoundSegmentationNet(WIDE, WIDE_DECODER) if wide else WoundSegmentationNet()).eval()
    pairs = _in_order_of_use(network, photos[:1])
    once = folded[: len(pairs)]
    # A network that looks more than once has the same weights each time.
    if len(folded) % len(pairs) or any(not torch.equal(part, once[i % len(pairs)][j]) for i, parts in enumerate(folded) for j, part in enumerate(parts)):
        raise SystemExit(f"{file} is no export of one such network.")
    hooks = []
    for (conv, norm), (weight, bias) in zip(pairs, once, strict=True):
        if norm is None:
            conv.weight.copy_(weight)
            conv.bias.copy_(bias)
            continue
        scale = _filter_scale(weight)
        conv.weight.copy_(weight * scale.view(-1, 1, 1, 1))
        hooks.append(norm.register_forward_pre_hook(_restore(scale, bias)))
    network(photos)
    for hook in hooks:
        hook.remove()
    return network


def _in_order_of_use(network: WoundSegmentationNet, photo: torch.Tensor) -> list[tuple[nn.Conv2d, nn.BatchNorm2d | None]]:
    """The convolutions that speak for the result, each with its normalisation; the auxiliary output is not exported."""
    norms = {id(part[0]): part[1] for part in network.modules() if isinstance(part, nn.Sequential) and len(part) == 2 and isinstance(part[1], nn.BatchNorm2d)}
    used: list[tuple[nn.Conv2d, nn.BatchNorm2d | None]] = []
    convolutions = [part for part in network.modules() if isinstance(part, nn.Conv2d) and part is not network.auxiliary]
    hooks = [part.register_forward_hook(lambda conv, *_: used.append((conv, norms.get(id(conv))))) for part in convolutions]
    network(photo)
    for hook in hooks:
        hook.remove()
    return used


def _filter_scale(weight: torch.Tensor) -> torch.Tensor:
    inputs = weight[0].numel()
    rms = weight.flatten(1).square().mean(1).sqrt()
    return torch.where(rms < LEAST_FILTER_RMS, torch.ones_like(rms), FILTER_SCALE / inputs**0.5 / rms.clamp(min=LEAST_FILTER_RMS))


def _restore(scale: torch.Tensor, bias: torch.Tensor):
    """A hook that makes a normalisation undo `scale` and add `bias`, with the statistics of what comes in."""

    def hook(norm: nn.BatchNorm2d, inputs: tuple[torch.Tensor]) -> None:
        variance, mean = torch.var_mean(inputs[0], (0, 2, 3), unbiased=False)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_((variance + norm.eps).sqrt() / scale)
        norm.bias.copy_(bias + mean / scale)

    return hook


@torch.no_grad()
def widen(narrow: WoundSegmentationNet, wide: WoundSegmentationNet, seed: int) -> None:
    """Gives `wide` the function of `narrow` (Chen et al. 2016, Net2Net): a further channel is the copy of one that was there, and
    what reads it divides its weights among the copies, unevenly, so that the copies go ways of their own."""
    rng = np.random.default_rng(seed)
    names = {name: part for name, part in narrow.named_modules()}
    maps = _ChannelMaps(narrow.widths, narrow.decoder_widths, wide.widths, wide.decoder_widths, rng)
    for name, part in wide.named_modules():
        old = names[name]
        if isinstance(part, nn.Conv2d):
            reads, writes = maps.of(name)
            part.weight.copy_(_widened(old.weight, reads, writes, rng))
            if part.bias is not None:
                part.bias.copy_(old.bias[writes])
        elif isinstance(part, nn.BatchNorm2d):
            writes = maps.of(f"{name.rpartition('.')[0]}.0")[1]
            for field in ("weight", "bias", "running_mean", "running_var"):
                getattr(part, field).copy_(getattr(old, field)[writes])


def _widened(weight: torch.Tensor, reads: np.ndarray, writes: np.ndarray, rng: np.random.Generator) -> torch.Tensor:
    shares = torch.from_numpy(rng.uniform(0.5, 1.5, (len(writes), len(reads)))).float()
    sums = torch.zeros(len(writes), weight.shape[1]).index_add_(1, torch.from_numpy(reads), shares)
    shares = shares / sums[:, reads]
    made = weight[writes][:, reads] * shares[:, :, None, None]
    copies = torch.from_numpy(np.bincount(reads, minlength=weight.shape[1])[reads] > 1)
    noise = torch.from_numpy(rng.standard_normal(tuple(made.shape))).float() * made.square().mean().sqrt() * WIDENING_NOISE
    return made + noise * copies[None, :, None, None]


class _ChannelMaps:
    """For each channel of the wide network, the channel of the narrow one that it begins as."""

    def __init__(self, old: tuple[int, ...], old_decoder: tuple[int, ...], new: tuple[int, ...], new_decoder: tuple[int, ...], rng: np.random.Generator) -> None:
        def grown(before: int, after: int) -> np.ndarray:
            return np.concatenate([np.arange(before), rng.integers(0, before, after - before)])

        stages = [grown(*pair) for pair in zip(old, new, strict=True)]
        up = [grown(*pair) for pair in zip(old_decoder, new_decoder, strict=True)]
        part = grown(old[-1] // 3, new[-1] // 3)
        joined = np.concatenate([part + i * (old[-1] // 3) for i in range(4)])
        colours, one = np.arange(3), np.arange(1)
        # Prefix of a convolution's name -> (what it reads, what it writes); the longest prefix counts.
        self.rows = {"stem": (colours, stages[0]), "head": (up[3], one), "auxiliary": (up[1], one)}
        for i in range(1, 5):
            self.rows[f"stage{i}"] = (stages[i], stages[i])
            first = f"stage{i}" if i == 1 else f"stage{i}.0"
            self.rows[f"{first}.first"] = self.rows[f"{first}.shortcut"] = (stages[i - 1], stages[i])
        self.rows["stage4.2"] = (stages[4], part)
        self.rows["stage4.2.merge"] = (joined, stages[4])
        deep, before = stages[4], old[4]
        for i, step in enumerate(("up3", "up2", "up1", "up0")):
            reads = np.concatenate([deep, stages[3 - i] + before])
            self.rows[step if step == "up0" else f"{step}.mix"] = (reads, up[i])
            self.rows[f"{step}.refine"] = (up[i], up[i])
            deep, before = up[i], old_decoder[i]

    def of(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        known = [prefix for prefix in self.rows if name == prefix or name.startswith(f"{prefix}.")]
        return self.rows[max(known, key=len)]
