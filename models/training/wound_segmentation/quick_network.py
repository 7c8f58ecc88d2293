"""A trained network that is only looked with: ONNX Runtime computes it, in 32 bits, in less than half of PyTorch's time on one core."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

import onnxruntime
import torch
from torch import nn

from .lite_network import LiteNet
from .network import WoundSegmentationNet
from .onnx_folder import TOLERANCE, apart

# Any side that the strides divide does; this one is compared.
CHECKED_SIDE_PX = 512
SIDES = {0: "batch", 2: "height", 3: "width"}


class _Seen(nn.Module):
    """What is read of a look: the logits, and the features that say what the picture shows."""

    def __init__(self, network: WoundSegmentationNet | LiteNet) -> None:
        super().__init__()
        self.network = network

    def forward(self, image: torch.Tensor) -> tuple[torch.Tensor, ...]:
        features = self.network.encode(image)
        return self.network.decode(features)[0], features[-2], features[-1]


class QuickNetwork:
    """Stands for a network of `load_average` wherever nothing is learnt: `encode`, `decode` and a call give the same but for rounding.
    `encode` gives no more than the logits, and the features at 1/16 and 1/32."""

    def __init__(self, network: WoundSegmentationNet | LiteNet, threads: int = 1) -> None:
        self.widths = network.widths
        seen = _Seen(network).eval()
        example = torch.rand(1, 3, CHECKED_SIDE_PX, CHECKED_SIDE_PX)
        with TemporaryDirectory() as folder, torch.no_grad():
            file = Path(folder) / "network.onnx"
            names = ["logits", "middle", "deep"]
            torch.onnx.export(
                seen, (example,), str(file), input_names=["image"], output_names=names, dynamic_axes={name: SIDES for name in ["image", *names]}, opset_version=17, dynamo=False
            )
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = threads
            self.session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
            difference = max(apart(found.numpy(), expected.numpy()) for found, expected in zip(self.encode(example), seen.eval()(example), strict=True))
        if difference > TOLERANCE:
            raise SystemExit(f"ONNX Runtime says of the network what differs by {difference}.")

    def encode(self, image: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return tuple(torch.from_numpy(part) for part in self.session.run(None, {"image": image.contiguous().numpy()}))

    def decode(self, features: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, None]:
        """The logits, and nothing that is for learning alone."""
        return features[0], None

    def __call__(self, image: torch.Tensor) -> tuple[torch.Tensor, None]:
        return self.decode(self.encode(image))

    def eval(self) -> Self:
        return self

    def to(self, **_: torch.memory_format) -> Self:
        """It lies in memory as it likes."""
        return self
