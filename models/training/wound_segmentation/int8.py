"""An exported network with convolutions in whole numbers of 8 bits: a third of the time on a processor that multiplies those fast."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
import onnxruntime
import torch
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from .metrics import DiceFigures, dice_figures

# Dice that a model may lose by it.
MOST_DICE_LOST = 0.005
# By how much the presence of a wound may change in any picture. With the head of one view in 8 bits it changed by 0.4.
MOST_PRESENCE_MOVED = 0.2
# The last convolution of each view: the export numbers them from the second on.
HEAD = re.compile(r"/head(_\d+)?/")
PRESENCE = "presence"
# What cuts an activation, and what only moves one.
CUTS, MOVES = ("Relu", "Clip"), ("Slice", "Resize")
QUANTISED = ["Conv", "Add", "Relu", "Clip", "Concat", "Resize"]


class _Photos(CalibrationDataReader):
    def __init__(self, photos: np.ndarray) -> None:
        self.photos = iter(photos)

    def get_next(self) -> dict[str, np.ndarray] | None:
        photo = next(self.photos, None)
        return None if photo is None else {"image": photo[None]}


def quantise(file: Path, seen: np.ndarray, photos: np.ndarray, masks: np.ndarray, ranges: list[tuple[float, float]] | None = None, beside: Path | None = None) -> None:
    """Rewrites the model in place. Its activations get the ranges that they have on the photos `seen`, or `ranges`, one for each point
    between convolutions of a look; on other `photos` it must not lose what counts beside the model as it was, or the one of `beside`, where
    its weights were rounded before. All photos float32 [N, 3, H, W], normalised; masks
    boolean [N, H, W]."""
    every = np.concatenate([photos, seen])
    before, presence = _figures(beside or file, photos, masks), _presence(beside or file, every)
    with TemporaryDirectory() as folder:
        prepared = Path(folder) / "prepared.onnx"
        quant_pre_process(str(file), str(prepared), skip_symbolic_shape=True)
        graph = onnx.load(str(prepared)).graph
        known = {} if ranges is None else named_ranges(onnx.load(str(file)).graph, ranges)
        # Weights of 7 bits: on processors that add pairs of products in 16 bits, 8 would overflow, and the outline depend on the machine.
        quantize_static(
            str(prepared),
            str(file),
            _Photos(seen if ranges is None else seen[:1]),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=QUANTISED,
            nodes_to_exclude=from_heads_on(graph),
            extra_options={"TensorQuantOverrides": {name: [{"rmin": np.float32(low), "rmax": np.float32(high)}] for name, (low, high) in known.items()}},
        )
    after = _figures(file, photos, masks)
    print(f"Dice {before.data_set:.4f} / {before.mean:.4f} in 32 bits, {after.data_set:.4f} / {after.mean:.4f} in 8")
    if min(after.data_set - before.data_set, after.mean - before.mean) < -MOST_DICE_LOST:
        raise SystemExit("Too much is lost in 8 bits.")
    if presence is not None:
        by = np.abs(_presence(file, every) - presence)
        print(f"Presence of a wound moved by at most {by.max():.3f}, by {by.mean():.3f} in the mean of {len(by)} pictures")
        if by.max() > MOST_PRESENCE_MOVED:
            raise SystemExit("What the model says of the presence of a wound does not survive 8 bits.")


def from_heads_on(graph: onnx.GraphProto) -> list[str]:
    """The last convolutions and what comes after them: probabilities, which stay in 32 bits."""
    names: list[str] = []
    made: set[str] = set()
    for node in graph.node:
        if HEAD.search(node.name) or made.intersection(node.input):
            names.append(node.name)
            made.update(node.output)
    return names


def named_ranges(graph: onnx.GraphProto, ranges: list[tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """The range of each tensor that is rounded, by its name. `ranges`: in the order in which a look passes them, the picture first; each
    look has the same. What an activation cuts has the range of what it leaves."""
    stays = set(from_heads_on(graph))
    cut = {node.input[0]: node.output[0] for node in graph.node if node.op_type in CUTS}
    passed = [node.output[0] for node in graph.node if node.op_type in ("Conv", "Add") and node.name not in stays]
    each = ranges[1:]
    if len(passed) % len(each):
        raise SystemExit(f"The model passes {len(passed)} points, which is no multiple of {len(each)}.")
    named = {graph.input[0].name: ranges[0]}
    for index, name in enumerate(passed):
        named[name] = named[cut.get(name, name)] = each[index % len(each)]
    # A mirrored picture is made of the picture; an enlarged map of the map.
    for node in graph.node:
        if node.op_type in MOVES and node.input[0] in named:
            named[node.output[0]] = named[node.input[0]]
    return named


def _presence(file: Path, photos: np.ndarray) -> np.ndarray | None:
    """[N], where the model says it."""
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    if PRESENCE not in [output.name for output in session.get_outputs()]:
        return None
    return np.array([session.run([PRESENCE], {"image": photo[None]})[0][0, 0] for photo in photos])


def _figures(file: Path, photos: np.ndarray, masks: np.ndarray) -> DiceFigures:
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    found = [session.run(["probability"], {"image": photo[None]})[0][0, 0] > 0.5 for photo in photos]
    return dice_figures(torch.from_numpy(np.stack(found)), torch.from_numpy(masks))
