"""What the head that says whether there is a wound is fitted on and judged by: views with and without an open wound."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from .augmentation import Augmenter, Recipe
from .dataset import picture_groups
from .evaluate import letterbox
from .export import INPUT_SIZE
from .folds import Data
from .label_review import OTHER_REVIEW_FILE, Review
from .out_of_fold import SEEN_SIDE_PX, SERIES_FILE, joined, read_series
from .skin_tone import DARK, DARK_SKIN_TIMES
from .wound_free import SAME_PHOTO, WoundFree, drawn_scenes, fold_of_photo, read_wound_free, series_of

SEED = 3001
# Of what is drawn: no fold keeps it apart.
NO_FOLD = -1
# Light changes of the whole picture; and what a second look shows: a part of it, mostly with the wound.
WHOLE = Recipe(scenery=False, whole_share=1)
PART = Recipe(scenery=False, zoom=(1.0, 2.0), close_up_zoom=(2.0, 3.2))
# Pixels of a view that a wound has at least, to be one that the view shows; fewer but some: nothing is learnt from it.
LEAST_SHOWN_PX = 80
# Views to fit on, beside the pictures as they are seen: of every so many-th labelled picture one, and
# scenes without skin.
LABELLED_EVERY = 2
SCENES = 40


@dataclass(frozen=True)
class Subject:
    """One picture, or window of one. `fold`: whose teacher never saw it, where `labelled`; else its part in the cross-fitting.
    `group`: pictures that show one wound or case. `area_px`: of the label, as the network sees it; 0 where nobody drew one.
    `times`: how often it counts where a head is fitted."""

    name: str
    kind: str
    wound: bool
    fold: int
    group: str
    area_px: float = 0
    free: WoundFree | None = None
    times: int = 1

    @property
    def labelled(self) -> bool:
        """Of a set that teachers are trained on."""
        return self.name.startswith(("fuseg/", "medetec/"))


def open_others(file: Path) -> list[str]:
    with file.open(newline="") as lines:
        return [f"medetec-other/{row[0]}" for row in csv.reader(lines, delimiter="\t") if row and not row[0].startswith("#") and row[1] == "open"]


def read_subjects(folder: Path, review: Review) -> list[Subject]:
    """All of them: labelled wounds, wounds of the other set, and what a person saw no open wound on."""
    data = Data(folder / "fuseg", folder / "medetec-560")
    folds = {name: fold for fold, names in enumerate(data.folds()) for name in names}
    wounds = joined(picture_groups(data.fuseg, "fuseg"), read_series(SERIES_FILE)) + picture_groups(data.medetec, "medetec")
    group_of = {name: names[0] for names in wounds for name in names}
    subjects = []
    for name, fold in folds.items():
        label = data.label(name)
        if label.any() and not review.leaves_out(name):
            subjects.append(Subject(name, "labelled", True, fold, group_of[name], float(label.sum() * (SEEN_SIDE_PX / max(label.shape)) ** 2)))
    subjects += [Subject(name, "other", True, fold_of_photo(name, folds), series_of(name)) for name in open_others(OTHER_REVIEW_FILE) if name not in SAME_PHOTO]
    return subjects + [Subject(free.name, free.kind, False, free.fold, group_of.get(free.name, series_of(free.name)), free=free) for free in read_wound_free(folder)]


def photo_of(subject: Subject, folder: Path) -> torch.Tensor:
    """uint8 [3, H, W]."""
    if subject.free is not None:
        return _to_tensor(subject.free.load(folder))
    set_, _, picture = subject.name.partition("/")
    if set_ == "medetec-other":
        return _to_tensor(np.array(Image.open(folder / set_ / f"{picture}.webp").convert("RGB")))
    return _to_tensor(np.array(Data(folder / "fuseg", folder / "medetec-560").photo(subject.name)))


def _to_tensor(photo: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(photo).permute(2, 0, 1).contiguous()


def as_seen(photo: torch.Tensor) -> torch.Tensor:
    """0..1 [3, side, side], as the service looks at it."""
    canvas, _ = letterbox(Image.fromarray(photo.permute(1, 2, 0).numpy()), INPUT_SIZE, INPUT_SIZE, Image.Resampling.BILINEAR)
    return torch.from_numpy(np.array(canvas)).permute(2, 0, 1).float() / 255


def further_views(subjects: list[Subject], folder: Path, tones: dict[str, str]) -> Iterator[tuple[torch.Tensor, Subject]]:
    """Views to fit a head on, 0..1: labelled pictures that `tones` calls dark as they are seen, and mirrored, counted more often, or
    the head takes the wounds on them for none; of the others by turns the whole and a part, each photo without a wound in another
    light, and scenes. What a view shows may be another thing than its picture does."""
    data = Data(folder / "fuseg", folder / "medetec-560")
    for number, subject in enumerate(subjects):
        rng = np.random.default_rng([SEED, number])
        if subject.labelled and tones.get(subject.name) == DARK:
            seen, counted = as_seen(photo_of(subject, folder)), replace(subject, times=DARK_SKIN_TIMES)
            yield from ((seen, counted), (seen.flip(2), counted))
        elif subject.kind == "labelled" and number % LABELLED_EVERY == 0:
            photo, mask = data.load([subject.name])[0]
            view, label = _view(WHOLE if number % (2 * LABELLED_EVERY) else PART, photo, mask, rng)
            shown = float(label.sum())
            if shown == 0 or shown >= LEAST_SHOWN_PX:
                yield view, replace(subject, wound=shown > 0)
        elif not subject.wound:
            photo = photo_of(subject, folder)
            yield _view(WHOLE, photo, torch.zeros_like(photo[:1]), rng)[0], subject
    for number, scene in enumerate(drawn_scenes(SCENES, SEED)):
        yield as_seen(_to_tensor(scene)), Subject(f"drawn/{number}", "drawn", False, NO_FOLD, f"drawn/{number}")


def _view(recipe: Recipe, photo: torch.Tensor, mask: torch.Tensor, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    augmenter = Augmenter(INPUT_SIZE, 0, recipe)
    augmenter.random = rng
    return augmenter.view(photo, mask)
