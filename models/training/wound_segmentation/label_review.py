"""What a person found of the labels: `label-review.tsv`, a picture a line (`fuseg/ID` or `medetec/ID`, verdict, reason), ids only; and of photos without a label."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

REVIEW_FILE = Path(__file__).parent.parent / "label-review.tsv"
# `wrong`: no training sees it. `doubtful`: noted, and trained on. `right`: looked at; the outline was wrong, not the label.
VERDICTS = ("wrong", "doubtful", "right")
# What a person saw on the unlabelled photos of other wounds.
OTHER_REVIEW_FILE = Path(__file__).parent.parent / "medetec-other-review.tsv"
WITHOUT_WOUND = ("healed", "skin", "dressing", "object")


@dataclass(frozen=True)
class Review:
    """Picture name -> verdict."""

    verdicts: dict[str, str]

    @classmethod
    def read(cls, file: Path) -> Review:
        """An absent file says nothing of any label."""
        if not file.exists():
            return cls({})
        with file.open(newline="") as lines:
            rows = [row for row in csv.reader(lines, delimiter="\t") if row and not row[0].startswith("#")]
        unknown = [row for row in rows if len(row) != 3 or row[1] not in VERDICTS]
        if unknown:
            raise SystemExit(f"{file}: each line has a name, one of {', '.join(VERDICTS)} and a reason, between tabs; this one has not: {unknown[0]}")
        return cls({name: verdict for name, verdict, _ in rows})

    def leaves_out(self, name: str) -> bool:
        return self.verdicts.get(name) == "wrong"


def read_without_wound(file: Path) -> set[str]:
    """Names of the photos of other wounds that show none, beyond doubt."""
    with file.open(newline="") as lines:
        rows = [row for row in csv.reader(lines, delimiter="\t") if row and not row[0].startswith("#")]
    return {name for name, shows, *_ in rows if shows in WITHOUT_WOUND}
