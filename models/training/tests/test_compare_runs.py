"""Trainings compared on pictures that all of them outlined and none saw."""

import json
import unittest
from pathlib import Path

import numpy as np
from PIL import Image

from tests.test_device_training import drawn_folder
from training.figures import without_series
from wound_segmentation.compare_runs import harms, report_of
from wound_segmentation.folds import Data
from wound_segmentation.label_review import REVIEW_FILE, Review
from wound_segmentation.out_of_fold import Outlined


class Trainings(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = drawn_folder(self)
        self.data = Data(self.folder / "data" / "fuseg", self.folder / "data" / "medetec-560")
        self.held_out = [name for name in self.data.folds()[0] if self.data.label(name).any()]

    def write(self, run: str, share: float, names: list[str]) -> Path:
        """Outlines that hold so much of each label, from its top."""
        fold = self.folder / run / "fold-0"
        for name in names:
            label = self.data.label(name)
            rows = np.cumsum(label.sum(1)) <= share * label.sum()
            file = fold / "out-of-fold" / f"{name}.png"
            file.parent.mkdir(parents=True, exist_ok=True)
            Image.fromarray(np.where(label & rows[:, None], 255, 0).astype(np.uint8)).save(file)
        (fold / "out-of-fold" / "step.json").write_text(json.dumps({"step": 1}))
        (fold / "teacher.json").write_text(json.dumps({"held_out": names}))
        return self.folder / run

    def test_are_compared_on_what_all_have_outlined_by_tone(self) -> None:
        half = self.write("half", 0.5, self.held_out)
        whole = self.write("whole", 1, self.held_out[1:])
        dark = self.held_out[1]
        report = report_of(self.data, [half, whole], Review.read(REVIEW_FILE), {dark: "dark"})
        self.assertEqual(report["all"]["pictures"], len(self.held_out) - 1)
        self.assertEqual(report["dark"]["pictures"], 1)
        self.assertEqual(report["all"][str(whole)]["meanDice"], 1)
        gained = report["all"][str(whole)]["meanDiceDifference"]
        self.assertAlmostEqual(gained["value"], 1 - report["all"][str(half)]["meanDice"], places=3)
        self.assertLessEqual(gained["from"], gained["value"])

    def test_are_counted_by_what_would_mislead(self) -> None:
        missed, elsewhere, too_large, a_third, good = ((0, 0), (150, 0), (201, 100), (33, 33), (100, 90))
        pictures = [Outlined("fuseg/1", 100, found, overlap, 100.0) for found, overlap in (missed, elsewhere, too_large, a_third, good)]
        self.assertEqual(harms(pictures), {"missed": 2, "diceBelowHalf": 3, "areaTwiceTooLarge": 1, "areaLessThanHalf": 2})

    def test_leave_out_wounds_that_stand_in_other_pictures_with_all_their_pictures(self) -> None:
        groups = [[(Outlined(f"fuseg/{number}", 1, 1, 1, 1.0),) for number in numbers] for numbers in ((1, 2), (3,), (4,))]
        self.assertEqual(without_series(groups, [["fuseg/2", "fuseg/9"], ["fuseg/4"]]), [groups[1]])

    def test_that_are_the_same_differ_by_nothing(self) -> None:
        runs = [self.write(name, 0.7, self.held_out) for name in ("one", "other")]
        report = report_of(self.data, runs, Review.read(REVIEW_FILE), {})
        self.assertEqual(report["all"][str(runs[1])]["meanDiceDifference"], {"value": 0, "from": 0, "to": 0})


if __name__ == "__main__":
    unittest.main()
