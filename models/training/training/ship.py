"""From a finished student to a model folder, by the commands that made the models before it: presence, export, bounds, golden answers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from .teachers import OTHER

# What a person judged of the own outlines of the teachers of 0.8.
JUDGED = Path(__file__).parent.parent / "teachers-lite"


def commands(data: Path, work: Path, version: str, judged_model: Path | None) -> list[list[str]]:
    """In their order; each takes up what the ones before it wrote. `judged_model`: whose outlines of other wounds a person judged
    (`wound-segmentation-fast-0.5.0`, commit aa477539); without it nothing is said of familiarity."""
    runs, student, evidence, seen = work / "teachers", work / "student", work / "presence", work / "seen"
    model, plain = work / f"wound-segmentation-fast-{version}", work / f"wound-segmentation-{version}-32-bit"
    labelled = ["--fuseg", data / "fuseg", "--medetec", data / "medetec-560"]
    folds, head = [*labelled, "--runs", runs, "--looks", seen], student / "presence.pt"
    export = ["export", "--runs", student, "--one-network", "--views", "1", "1m", "--data", data / "fuseg", "--known", data / OTHER, "--presence", head]
    made: list[list[object]] = [
        ["presence", "judge", "--data", data, "--runs", runs, "--evidence", evidence],
        ["presence", "fit", "--data", data, "--evidence", evidence, "--checkpoint", student / "checkpoint.pt", "--out", head],
        [*export, "--int8", "--out", model, "--version", version, "--variant", "fast"],
        [*export, "--out", plain, "--version", version],
        ["looks", *folds, "--other", data / OTHER],
        ["calibrate", *folds, "--known", data / OTHER, "--model", model],
    ]
    if judged_model is not None:
        made.append(["familiarity", *folds, "--other", data / OTHER, "--judged-model", judged_model, "--judged-teachers", JUDGED, "--write", model])
    made.append(["golden", "--model", model, "--out", work / "golden"])
    return [[str(part) for part in command] for command in made]


def since(made: list[list[str]], first: str | None) -> list[list[str]]:
    """From the first command of that name on: what came before it has been done."""
    names = [name for name, *_ in made]
    if first is not None and first not in names:
        raise SystemExit(f"ship has no step {first}; there are {', '.join(dict.fromkeys(names))}.")
    return made[names.index(first) if first else 0 :]


def ship(data: Path, work: Path, version: str, judged_model: Path | None, first: str | None = None) -> None:
    """Nothing of the product changes: the folders lie below `work`, to be judged and copied by a person."""
    for module, *arguments in since(commands(data.resolve(), work.resolve(), version, judged_model and judged_model.resolve()), first):
        print(module, *arguments, flush=True)
        subprocess.run([sys.executable, "-m", f"wound_segmentation.{module}", *arguments], check=True, cwd=Path(__file__).parent.parent)
