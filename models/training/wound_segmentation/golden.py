"""What this side of the house makes of drawn pictures, for the service's test that it makes the same of them.

    python -m wound_segmentation.golden --model ../wound-segmentation-0.1.0 --out ../../test/fixtures

The picture is drawn by whole-number arithmetic alone, so that `test/support/golden-picture.ts` draws it bit by bit alike.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from PIL import Image

from .evaluate import letterbox

# One that needs no scaling, two lying and one standing that are shrunk, one that is enlarged.
SIZES = ((512, 512), (800, 600), (1600, 1200), (600, 900), (300, 200))
# Every how many-th pixel of the frame is written down.
STEP = 31
SKIN = (214, 168, 146)
WOUND = (148, 38, 44)
# Squared radius of the wound in thousandths of the picture's sides, and the width of its soft border.
REACH = 36_000
SOFT = 12_000


def triangle(number: np.ndarray, period: int) -> np.ndarray:
    """0 up to `period` and down again."""
    return np.abs(number % (2 * period) - period)


def draw_picture(width: int, height: int) -> np.ndarray:
    """Uint8 [H, W, 3]: skin with soft stripes and one wound left of the middle."""
    y, x = np.mgrid[0:height, 0:width].astype(np.int64)
    dx, dy = x * 1000 // width - 440, y * 1000 // height - 520
    # 0 inside the wound, 1000 outside.
    outside = np.clip((dx * dx + 2 * dy * dy - REACH) * 1000 // SOFT, 0, 1000)
    shade = triangle(x, 70) // 4 - triangle(y, 90) // 5
    grain = triangle(3 * x + 2 * y, 40) // 3
    planes = [
        np.clip((SKIN[channel] * outside + WOUND[channel] * (1000 - outside)) // 1000 + shade + grain * (1000 - outside) // 1000, 0, 255) for channel in range(3)
    ]
    return np.stack(planes, -1).astype(np.uint8)


def describe(session: onnxruntime.InferenceSession, manifest: dict, width: int, height: int) -> dict[str, object]:
    spec = manifest["input"]
    frame = (spec["width"], spec["height"])
    canvas, content = letterbox(Image.fromarray(draw_picture(width, height)), *frame, Image.Resampling.BILINEAR)
    values = (np.asarray(canvas, np.float32) / 255 - np.float32(spec["mean"])) / np.float32(spec["std"])
    tensor = values.transpose(2, 0, 1).astype(np.float32)
    probability = session.run([manifest["output"]["name"]], {spec["name"]: tensor[None]})[0][0, 0]
    return {
        "width": width,
        "height": height,
        "content": dict(zip(("x", "y", "width", "height"), content, strict=True)),
        "tensor": np.round(tensor[:, ::STEP, ::STEP], 4).reshape(-1).tolist(),
        "probability": np.round(probability[::STEP, ::STEP].astype(np.float64), 4).reshape(-1).tolist(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    model = arguments.model.resolve()
    manifest = json.loads((model / "manifest.json").read_text())
    session = onnxruntime.InferenceSession(str(model / manifest["file"]), providers=["CPUExecutionProvider"])
    pictures = [describe(session, manifest, width, height) for width, height in SIZES]
    in_8_bits = any(node.op_type == "QuantizeLinear" for node in onnx.load(str(model / manifest["file"])).graph.node)
    golden = {"model": model.name, "sha256": manifest["sha256"], "inEightBits": in_8_bits, "step": STEP, "pictures": pictures}
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / f"golden-{model.name}.json").write_text(json.dumps(golden) + "\n")


if __name__ == "__main__":
    main()
