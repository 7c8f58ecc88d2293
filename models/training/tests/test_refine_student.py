"""The student that goes on: shown what the student was shown, dark skin more often, beside what the teachers' means believe."""

import sys
import unittest
from unittest import mock

import numpy as np
import torch
from PIL import Image

from tests.test_device_training import drawn_folder
from wound_segmentation import refine_student
from wound_segmentation.folds import Data
from wound_segmentation.network import WoundSegmentationNet
from wound_segmentation.schedule import Schedule, Stage
from wound_segmentation.starting_weights import load_average
from wound_segmentation.teacher import read_description
from wound_segmentation.train import CHECKPOINT
from wound_segmentation.wound_free import WoundFree, photo_file

SCHEDULE = Schedule((Stage(2, 64, 2),), peak_learning_rate=1e-3, warm_up_steps=1)
BELIEVED = 128


class AStudentThatGoesOn(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = drawn_folder(self)
        self.data = self.folder / "data"
        self.labelled = [name for names in Data(self.data / "fuseg", self.data / "medetec-560").folds() for name in names]
        for folder_of, place in refine_student.UNLABELLED.items():
            for file in (self.data / place).glob("*.webp"):
                file.unlink()
            for directory in (self.data / place, self.folder / "beliefs" / folder_of):
                directory.mkdir(parents=True, exist_ok=True)
            Image.new("RGB", (64, 64), (90, 60, 50)).save(self.data / place / "drawn.webp", lossless=True)
            Image.fromarray(np.full((64, 64), BELIEVED, np.uint8)).save(self.folder / "beliefs" / folder_of / "drawn.png")
        window = WoundFree("medetec-other", "drawn", "skin", fold=0)
        self.assertTrue(photo_file(self.data, window.set, window.id).exists())
        self.dark = next(name for name in self.labelled if name.startswith("fuseg/"))
        replaced = {"SCHEDULE": SCHEDULE, "read_windows": lambda _: [window], "read_tones": lambda: {self.dark: "dark"}}
        for name, value in replaced.items():
            patch = mock.patch.object(refine_student, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def pictures(self) -> tuple[list, list]:
        return refine_student.pictures_of(self.data, self.folder / "means", self.folder / "beliefs")

    def test_is_shown_dark_skin_three_times_and_what_nobody_labelled_as_it_is_believed(self) -> None:
        labelled, others = self.pictures()
        medetec = sum(name.startswith("medetec/") for name in self.labelled)
        self.assertEqual(len(labelled), len(self.labelled) + 2 + 3 * medetec)
        believed = [picture for picture in others if len(picture) == 3]
        self.assertEqual([int(belief.max()) for _, _, belief in believed], [BELIEVED, BELIEVED])
        self.assertEqual(len(others), 3)

    def test_begins_with_the_weights_given_and_ends_with_others(self) -> None:
        torch.manual_seed(5)
        start = self.folder / "start.pt"
        torch.save({"average": WoundSegmentationNet().state_dict()}, start)
        arguments = ["refine_student", "--data", self.data, "--means", self.folder / "means", "--beliefs", self.folder / "beliefs"]
        arguments += ["--run", self.folder / "run", "--start-from", start, "--threads", "1", "--drawers", "0"]
        with mock.patch.object(sys, "argv", [str(one) for one in arguments]), mock.patch("builtins.print"):
            refine_student.main()
        began, ended = load_average(start).state_dict(), load_average(self.folder / "run" / CHECKPOINT).state_dict()
        self.assertFalse(torch.equal(began["head.weight"], ended["head.weight"]))
        self.assertTrue(torch.allclose(began["head.weight"], ended["head.weight"], atol=0.1))
        self.assertEqual(read_description(self.folder / "run")["steps"], SCHEDULE.steps)


if __name__ == "__main__":
    unittest.main()
