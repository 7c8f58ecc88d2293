"""The head that says whether there is an open wound at all: judged on what its network never saw, then fitted for the network that ships.

    python -m wound_segmentation.presence judge --data DIR --runs runs/folds --evidence runs/presence
    python -m wound_segmentation.presence judge --data DIR --network ../MODEL/model.onnx --held-out ../heldout-fuseg.txt --evidence runs/presence-of-one
    python -m wound_segmentation.presence fit --data DIR --checkpoint runs/student/checkpoint.pt --evidence runs/presence --out runs/student/presence.pt

`DIR` holds the sets (fuseg, medetec-560, medetec-other, fuseg-unlabelled). `judge` needs at least one finished teacher and writes what it
chose into `--evidence`, where `fit` reads it. What networks see is kept there, too, so that a second call is a matter of seconds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from .dataset import load_pictures, split_by_group
from .folds import FOLDS, Fold
from .label_review import REVIEW_FILE, Review
from .logistic import fit_logistic
from .network import WoundSegmentationNet
from .out_of_fold import INTERVAL_PCT, RESAMPLES
from .presence_head import PARTS, Fitted, PresenceHead, columns_of, evidence_parts, fit_head, joined_evidence, save_head
from .presence_pictures import Subject, as_seen, further_views, photo_of, read_subjects
from .quick_network import QuickNetwork
from .skin_tone import read_tones
from .starting_weights import load_average, network_from_onnx
from .student import read_list
from .teacher import is_finished
from .train import CHECKPOINT, RESTORE_WITH, normalise

CHOICE = "choice.json"
# What is compared. The peak of the map has no fit of its own.
VARIANTS: dict[str, tuple[str, ...]] = {
    "peak of the map": (),
    "figures of the map": ("map",),
    "mean": ("mean",),
    "mean, most": ("mean", "most"),
    "inside": ("inside",),
    "inside, map": ("inside", "map"),
    "inside, inside finer, map": ("inside", "inside_finer", "map"),
    "all": PARTS,
}
CHOSEN = "inside, map"
RIDGE = 0.02
SMALL_PX = 600
# The least that the threshold has to find: of labelled wounds over `SMALL_PX`, of smaller ones, and of wounds elsewhere than on feet.
LEAST_FOUND = {"labelled, over 600 px": 0.99, "labelled, smaller": 0.97, "other wounds": 0.97}
KINDS_OF_WOUND: dict[str, Callable[[Subject], bool]] = {
    "labelled, over 600 px": lambda s: s.wound and s.area_px > SMALL_PX,
    "labelled, smaller": lambda s: s.wound and 0 < s.area_px <= SMALL_PX,
    "other wounds": lambda s: s.wound and s.area_px == 0,
}


@dataclass(frozen=True)
class Seen:
    """What one network sees: subjects as they are, in two views [N, 2, evidence], and further views to fit on [M, evidence]."""

    subjects: list[Subject]
    as_they_are: torch.Tensor
    further: list[Subject]
    in_further: torch.Tensor

    def head_without(self, part: int | None, variant: tuple[str, ...]) -> Fitted:
        """Fitted on all that is not of that part."""
        plain = [i for i, s in enumerate(self.subjects) if s.fold != part]
        more = [i for i, s in enumerate(self.further) if s.fold != part for _ in range(s.times)]
        evidence = torch.cat([self.as_they_are[plain].flatten(0, 1), self.in_further[more]])
        wound = [self.subjects[i].wound for i in plain for _ in range(2)] + [self.further[i].wound for i in more]
        return fit_head(variant, evidence, torch.tensor(wound), RIDGE)


@torch.no_grad()
def evidence_of(network: QuickNetwork, view: torch.Tensor) -> torch.Tensor:
    """[evidence] of a view of 0..1."""
    features = network.encode(normalise(view[None]))
    logits = network.decode(features)[0]
    return joined_evidence(evidence_parts(features, logits))[0]


def look(network: QuickNetwork, subjects: list[Subject], folder: Path, unseen: Callable[[Subject], bool]) -> Seen:
    """`unseen`: of a labelled subject, that the network was not trained on it; heads are judged by it. Others are seen as views to fit on."""
    plain = [s for s in subjects if not s.labelled or unseen(s)]
    as_they_are = []
    for subject in plain:
        view = as_seen(photo_of(subject, folder))
        as_they_are.append(torch.stack([evidence_of(network, view), evidence_of(network, view.flip(2))]))
    further, in_further = [], []
    for view, subject in further_views([s for s in subjects if not s.labelled or not unseen(s)], folder, read_tones()):
        in_further.append(evidence_of(network, view))
        further.append(subject)
    return Seen(plain, torch.stack(as_they_are), further, torch.stack(in_further))


def kept_look(file: Path, load: Callable[[], WoundSegmentationNet], subjects: list[Subject], folder: Path, unseen: Callable[[Subject], bool]) -> Seen:
    """As `look`, from the file where it is there."""
    if not file.exists():
        seen = look(QuickNetwork(load(), torch.get_num_threads()), subjects, folder, unseen)
        file.parent.mkdir(parents=True, exist_ok=True)
        torch.save(seen.__dict__, file)
    return Seen(**torch.load(file, weights_only=False))


@dataclass(frozen=True)
class Judged:
    """One subject, and what was said of it by a head and a network that never saw it: log-odds, not calibrated yet."""

    subject: Subject
    logit: float


def judged_by(seen: dict[int, Seen], variant: tuple[str, ...]) -> list[Judged]:
    """`seen`: by fold, what its teacher sees; each picture is judged by the teacher of its part, which never saw it, and parts without one
    are left out. Where there is one network alone, it judges all of what it saw. The heads have not seen the picture's part either."""
    judged = []
    for part in range(FOLDS) if len(seen) == 1 else sorted(seen):
        mine = seen[part] if len(seen) > 1 else next(iter(seen.values()))
        those = [i for i, s in enumerate(mine.subjects) if s.fold == part]
        evidence = mine.as_they_are[those].flatten(0, 1)
        logits = evidence[:, columns_of(("map",), evidence.shape[1])[0]] if not variant else mine.head_without(part, variant).logits(evidence)
        judged += [Judged(mine.subjects[i], float(logit)) for i, logit in zip(those, logits.view(-1, 2).mean(1), strict=True)]
    return judged


def threshold_of(judged: list[Judged]) -> float:
    """The highest that finds as many wounds of each kind as `LEAST_FOUND` wants."""
    found = []
    for kind, share in LEAST_FOUND.items():
        logits = sorted(j.logit for j in judged if KINDS_OF_WOUND[kind](j.subject))
        if logits:
            # So many may be missed; the next one is found.
            found.append(logits[int((1 - share) * len(logits) + 1e-9)])
    return min(found)


def decided(judged: list[Judged]) -> list[tuple[Subject, bool]]:
    """Whether a wound is said to be there, by a threshold that was chosen on the other parts."""
    said = []
    for part in range(FOLDS):
        threshold = threshold_of([j for j in judged if j.subject.fold != part])
        said += [(j.subject, j.logit >= threshold) for j in judged if j.subject.fold == part]
    return said


def share_right(said: list[tuple[Subject, bool]], belongs: Callable[[Subject], bool]) -> dict[str, float] | None:
    """Share of right decisions, with its 95 % interval by drawing groups anew."""
    groups: dict[str, list[bool]] = {}
    for subject, wound in said:
        if belongs(subject):
            groups.setdefault(subject.group, []).append(wound == subject.wound)
    if not groups:
        return None
    rng = np.random.default_rng(1)
    of_group = list(groups.values())
    drawn = [np.mean([r for i in rng.integers(len(of_group), size=len(of_group)) for r in of_group[i]]) for _ in range(RESAMPLES)]
    low, high = np.percentile(drawn, INTERVAL_PCT)
    rights = [right for group in of_group for right in group]
    return {"pictures": len(rights), "right": round(float(np.mean(rights)), 3), "from": round(float(low), 3), "to": round(float(high), 3)}


def area_under_curve(judged: list[Judged]) -> float:
    ranks = np.argsort(np.argsort([j.logit for j in judged]))
    wound = np.array([j.subject.wound for j in judged])
    return float((ranks[wound].sum() - wound.sum() * (wound.sum() - 1) / 2) / (wound.sum() * (~wound).sum()))


def calibration_of(judged: list[Judged]) -> tuple[float, float]:
    """Offset and slope that make a probability of the log-odds, at the share of wounds among what was judged (Platt 1999)."""
    offset, slope = fit_logistic(np.array([[j.logit] for j in judged]), np.array([j.subject.wound for j in judged], float))
    return float(offset), float(slope)


def expected_calibration_error(judged: list[Judged], bins: int = 10) -> float:
    """Of probabilities that were calibrated on the other parts, in bins of as many pictures each."""
    pairs = []
    for part in range(FOLDS):
        offset, slope = calibration_of([j for j in judged if j.subject.fold != part])
        pairs += [(1 / (1 + np.exp(-offset - slope * j.logit)), j.subject.wound) for j in judged if j.subject.fold == part]
    ordered = np.array(sorted(pairs))
    return float(sum(len(b) * abs(b[:, 0].mean() - b[:, 1].mean()) for b in np.array_split(ordered, bins)) / len(ordered))


def report_of(judged: list[Judged]) -> dict[str, object]:
    said = decided(judged)
    kinds = sorted({j.subject.kind for j in judged if not j.subject.wound})
    report: dict[str, object] = {"areaUnderCurve": round(area_under_curve(judged), 3), "calibrationError": round(expected_calibration_error(judged), 3)}
    report |= {name: share_right(said, belongs) for name, belongs in KINDS_OF_WOUND.items()}
    report["without an open wound"] = share_right(said, lambda s: not s.wound)
    report["whole photos without"] = share_right(said, lambda s: not s.wound and s.free is not None and s.free.box is None)
    report["windows without"] = share_right(said, lambda s: not s.wound and s.free is not None and s.free.box is not None)
    report["hard ones without"] = share_right(said, lambda s: not s.wound and s.free is not None and s.free.hard)
    return report | {f"without: {kind}": share_right(said, lambda s, kind=kind: not s.wound and s.kind == kind) for kind in kinds}


def seen_by_teachers(arguments: argparse.Namespace, subjects: list[Subject]) -> dict[int, Seen]:
    folds = [fold for fold in (Fold(index, arguments.runs, None) for index in range(FOLDS)) if is_finished(fold.run)]
    if not folds:
        raise SystemExit(f"No teacher below {arguments.runs} is finished: run wound_segmentation.folds first.")
    seen = {}
    for fold in folds:
        file = arguments.evidence / f"fold-{fold.index}.pt"
        seen[fold.index] = kept_look(file, lambda: load_average(fold.run / CHECKPOINT), subjects, arguments.data, lambda s: s.fold == fold.index)
    return seen


def seen_by_one(arguments: argparse.Namespace, subjects: list[Subject]) -> dict[int, Seen]:
    """One network for all parts, and FUSeg's pictures that it never saw."""
    unseen = read_list(arguments.held_out)

    def load() -> WoundSegmentationNet:
        photos, _ = zip(*load_pictures(arguments.data / "fuseg", split_by_group(arguments.data / "fuseg").train[:RESTORE_WITH]), strict=True)
        return network_from_onnx(arguments.network, normalise(torch.stack(photos).float() / 255))

    file = arguments.evidence / f"{arguments.network.parent.name}.pt"
    return {0: kept_look(file, load, subjects, arguments.data, lambda s: s.name in unseen)}


def judge(arguments: argparse.Namespace, subjects: list[Subject]) -> None:
    seen = seen_by_one(arguments, subjects) if arguments.network else seen_by_teachers(arguments, subjects)
    for name, variant in VARIANTS.items():
        judged = judged_by(seen, variant)
        print(json.dumps({name: report_of(judged)}, indent=1), flush=True)
        if name == CHOSEN:
            offset, slope = calibration_of(judged)
            threshold = 1 / (1 + float(np.exp(-offset - slope * threshold_of(judged))))
            choice = {"offset": offset, "slope": slope, "threshold": threshold, "error": expected_calibration_error(judged)}
            (arguments.evidence / CHOICE).write_text(json.dumps(choice, indent=1) + "\n")
            worst = sorted(judged, key=lambda j: j.logit if j.subject.wound else -j.logit)
            for j in worst[: arguments.worst]:
                print(f"{j.subject.name}\t{j.subject.kind}\t{'missed' if j.subject.wound else 'taken for a wound'}\t{j.logit:.2f}")


def fit(arguments: argparse.Namespace, subjects: list[Subject]) -> None:
    """On all subjects, whatever the network has seen: its figures are those of `judge`."""
    choice = json.loads((arguments.evidence / CHOICE).read_text())
    file = arguments.evidence / f"{arguments.checkpoint.parent.name}-all.pt"
    seen = kept_look(file, lambda: load_average(arguments.checkpoint), subjects, arguments.data, lambda _: False)
    head = PresenceHead(seen.head_without(None, VARIANTS[CHOSEN]), choice["slope"], choice["offset"])
    save_head(head, choice["threshold"], choice["error"], arguments.out)
    print(json.dumps(choice))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("judge", "fit"))
    parser.add_argument("--data", type=Path, required=True, help="folder of the sets")
    parser.add_argument("--runs", type=Path, help="judge: the teachers' folder")
    parser.add_argument("--network", type=Path, help="judge: instead of teachers one exported model, in 32 bits")
    parser.add_argument("--held-out", type=Path, help="judge: the list of FUSeg pictures that it never saw")
    parser.add_argument("--evidence", type=Path, required=True, help="git-ignored folder for what networks see, and for the choice")
    parser.add_argument("--worst", type=int, default=0, help="judge: list so many pictures that are judged worst")
    parser.add_argument("--checkpoint", type=Path, help="fit: the network that ships")
    parser.add_argument("--out", type=Path, help="fit: the head")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    subjects = read_subjects(arguments.data, Review.read(REVIEW_FILE))
    (judge if arguments.step == "judge" else fit)(arguments, subjects)


if __name__ == "__main__":
    main()
