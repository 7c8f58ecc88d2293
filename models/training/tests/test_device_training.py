"""One command trains all six networks, outlines what each teacher never saw, and says what that is worth."""

import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
from PIL import Image

from tests.test_device_pictures import drawn_picture
from wound_segmentation import device_pictures, device_training, folds
from wound_segmentation.folds import FOLDS, Fold
from wound_segmentation.schedule import Schedule, Stage
from wound_segmentation.teacher import is_finished, read_description, steps_done

SCHEDULE = Schedule((Stage(1, 64, 2), Stage(2, 64, 2)), peak_learning_rate=1e-3)


def drawn_folder(case: unittest.TestCase) -> Path:
    """A folder for the length of one test, with drawn sets in `data`."""
    folder = tempfile.TemporaryDirectory()
    case.addCleanup(folder.cleanup)
    write_data(Path(folder.name) / "data")
    return Path(folder.name)


def write_data(folder: Path) -> None:
    """Five feet and five pictures of another clinic, one unlabelled picture of each other set."""
    for index in range(5):
        for set_ in ("fuseg", "medetec-560"):
            photo, mask = drawn_picture(index)
            for kind, plane in (("images", photo.permute(1, 2, 0).numpy()), ("masks", mask[0].numpy() * np.uint8(255))):
                file = folder / set_ / kind / f"{index:04d}.{'webp' if kind == 'images' else 'png'}"
                file.parent.mkdir(parents=True, exist_ok=True)
                Image.fromarray(plane).save(file)
    (folder / "fuseg" / "near-duplicates.txt").write_text("")
    for images in device_training.UNLABELLED.values():
        (folder / images).mkdir(parents=True)
        Image.fromarray(drawn_picture(9)[0].permute(1, 2, 0).numpy()).save(folder / images / "one.webp")


class TheCommand(unittest.TestCase):
    def setUp(self) -> None:
        folder = drawn_folder(self)
        self.data, self.runs = folder / "data", folder / "runs"
        for patch in (
            mock.patch.multiple(device_pictures, SIDE_PX=64, THINGS=2, EMPTY_SCENES=2, BANK_PX=64),
            mock.patch.multiple(device_training, SCHEDULE=SCHEDULE, read_windows=lambda _: []),
            mock.patch.object(folds, "INPUT_SIZE", 64),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def run_command(self, *more: str) -> str:
        with mock.patch.object(sys, "argv", ["device_training", "--data", str(self.data), "--runs", str(self.runs), *more]), mock.patch("builtins.print") as said:
            device_training.main()
        return str(said.call_args.args[0])

    def test_trains_all_outlines_what_was_held_out_and_goes_on_where_it_is(self) -> None:
        figures = json.loads(self.run_command())
        self.assertEqual(figures["all"]["pictures"], 10)
        self.assertIn("by eye, lighter", figures)
        held_out = []
        for fold in (Fold(index, self.runs, None) for index in range(FOLDS)):
            self.assertTrue(is_finished(fold.run))
            names = read_description(fold.run)["held_out"]
            self.assertTrue(all((fold.run / "out-of-fold" / f"{name}.png").exists() for name in names))
            held_out += names
        self.assertEqual(len(set(held_out)), 10)
        self.assertTrue((self.runs / "beliefs" / "medetec-other" / "one.png").exists())
        self.assertEqual((steps_done(self.runs / "student"), read_description(self.runs / "student")["pictures"]), (2, 5 + 5 * 3 + 2))
        with mock.patch.object(device_training, "DeviceViews", side_effect=AssertionError("trained again")):
            self.assertEqual(json.loads(self.run_command()), figures)
            self.assertEqual(json.loads(self.run_command("--figures")), figures)

    def test_calls_a_teacher_finished_by_its_own_number_of_steps(self) -> None:
        with mock.patch.object(device_training, "train_student", return_value=False):
            self.run_command()
        run = self.runs / "fold-0"
        (run / "teacher.json").write_text(json.dumps(read_description(run) | {"steps": 3}))
        self.assertFalse(is_finished(run))


if __name__ == "__main__":
    unittest.main()
