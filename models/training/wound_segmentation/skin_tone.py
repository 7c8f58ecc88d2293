"""How light the skin beside a wound is: the Individual Typology Angle (Chardon, Cretois and Hourseau 1991) of a labelled picture.

The angle is meant for a colorimeter on clean skin. Of a photo it is read from pixels that look like skin, in whatever light the photo was
taken: shade and a red, inflamed leg count as darker than they are, a flash and the sole of a dark foot as lighter. It orders pictures,
and is no measurement of a person; whose skin is dark says `skin-tones.tsv`, by eye.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from scipy import ndimage

TONES_FILE = Path(__file__).parent.parent / "skin-tones.tsv"
# Classes of Del Bino et al. (2006), from light to dark, by the least angle in degrees that belongs to them.
CLASSES = {"very light": 55.0, "light": 41.0, "intermediate": 28.0, "tan": 10.0, "brown": -30.0, "dark": -90.0}
# What the list may say; a picture that is not listed shows lighter skin.
DARK = "dark"
SEEN = (DARK, "doubtful")
# The few pictures of dark skin are shown, and counted, so many times as often as others.
DARK_SKIN_TIMES = 3
LIGHTER = "lighter"
# Skin is looked for so far from the label, as shares of the picture's longer side: off its red rim, and on the same limb.
RIM_SHARE, REACH_SHARE = 0.02, 0.2
# What may be skin in any light: neither padding nor glare, of a hue between red and yellow, and of some colour.
LIGHTNESS = (8.0, 92.0)
HUE_DEGREES = (5.0, 85.0)
LEAST_CHROMA = 6.0
# With fewer pixels nothing is said.
LEAST_PIXELS = 200

_TO_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])
_D65 = np.array([0.95047, 1.0, 1.08883])
_LEVELS = np.arange(256) / 255
_LINEAR = np.where(_LEVELS <= 0.04045, _LEVELS / 12.92, ((_LEVELS + 0.055) / 1.055) ** 2.4)


def lab(photo: np.ndarray) -> np.ndarray:
    """CIELAB (D65) of 8-bit sRGB [..., 3]."""
    ratio = _LINEAR[photo] @ _TO_XYZ.T / _D65
    f = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def typology_angle(colour: np.ndarray) -> np.ndarray:
    """Individual Typology Angle in degrees, of CIELAB [..., 3]; the lighter the skin, the larger."""
    return np.degrees(np.arctan2(colour[..., 0] - 50, np.maximum(colour[..., 2], 1e-6)))


def looks_like_skin(colour: np.ndarray) -> np.ndarray:
    """Boolean [...], of CIELAB [..., 3]."""
    lightness, chroma = colour[..., 0], np.hypot(colour[..., 1], colour[..., 2])
    hue = np.degrees(np.arctan2(colour[..., 2], colour[..., 1]))
    return (lightness > LIGHTNESS[0]) & (lightness < LIGHTNESS[1]) & (chroma > LEAST_CHROMA) & (hue > HUE_DEGREES[0]) & (hue < HUE_DEGREES[1])


def skin_beside(photo: np.ndarray, label: np.ndarray) -> np.ndarray:
    """Boolean [H, W]: what looks like skin near the label and off its rim; of a picture without a label, anywhere."""
    skin = looks_like_skin(lab(photo))
    if not label.any():
        return skin
    side = max(label.shape)
    away = ndimage.distance_transform_edt(~label)
    return skin & (away > RIM_SHARE * side) & (away < REACH_SHARE * side)


def angle_of(photo: np.ndarray, label: np.ndarray) -> float | None:
    """Of the median colour of the skin beside the wound; none where too little of it is seen."""
    skin = skin_beside(photo, label)
    if skin.sum() < LEAST_PIXELS:
        return None
    return float(typology_angle(np.median(lab(photo)[skin], 0)))


def class_of(angle: float) -> str:
    return next(name for name, least in CLASSES.items() if angle > least or name == "dark")


def read_tones(file: Path = TONES_FILE) -> dict[str, str]:
    """What a person saw, by picture (`fuseg/ID`): dark, or doubtful."""
    with file.open(newline="") as lines:
        rows = [row for row in csv.reader(lines, delimiter="\t") if row and not row[0].startswith("#")]
    unknown = [row for row in rows if len(row) != 3 or row[1] not in SEEN]
    if unknown:
        raise SystemExit(f"{file}: each line has a name, one of {', '.join(SEEN)} and a reason, between tabs; this one has not: {unknown[0]}")
    return {name: tone for name, tone, _ in rows}
