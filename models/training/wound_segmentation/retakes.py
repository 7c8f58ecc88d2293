"""A photo as if it had been taken again, and how far the areas outlined in such photos lie apart."""

from __future__ import annotations

import io
import math

import numpy as np
from PIL import Image, ImageEnhance

# A photo taken anew: nearer or farther, turned, lighter or darker, saved with another quality.
RETAKES = 5
RETAKE_ZOOM = 0.12
RETAKE_TURN_DEGREES = 12
RETAKE_LIGHT = 0.12


def retake(photo: Image.Image, rng: np.random.Generator) -> tuple[Image.Image, float]:
    """The photo as if it had been taken again, and how much larger an area appears in it."""
    zoom = math.exp(rng.uniform(-RETAKE_ZOOM, RETAKE_ZOOM))
    turned = photo.rotate(rng.uniform(-RETAKE_TURN_DEGREES, RETAKE_TURN_DEGREES), Image.Resampling.BICUBIC)
    size = (round(photo.width * zoom), round(photo.height * zoom))
    lit = ImageEnhance.Brightness(turned.resize(size, Image.Resampling.BICUBIC)).enhance(1 + rng.uniform(-RETAKE_LIGHT, RETAKE_LIGHT))
    saved = io.BytesIO()
    lit.save(saved, "JPEG", quality=int(rng.integers(60, 95)))
    # Back on a canvas of the first size: the camera has the same number of pixels, however near it is.
    canvas = Image.new("RGB", photo.size)
    canvas.paste(Image.open(saved), ((photo.width - size[0]) // 2, (photo.height - size[1]) // 2))
    return canvas, zoom * zoom


def repeatability_pct(areas: list[np.ndarray]) -> float:
    """One standard deviation of an area within photos of the same wound, in %: root of the mean of their squared coefficients of variation."""
    return 100 * float(np.sqrt(np.mean([(a.std(ddof=1) / a.mean()) ** 2 for a in areas])))
