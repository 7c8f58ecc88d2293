"""A teacher on a pretrained encoder that was stopped goes on as if it never had been, and sees nothing of its own fold."""

import os
import signal
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import torch
from PIL import Image

from tests.test_teacher import drawn_pictures
from training import teachers
from training.recipe import RECIPE, LiteRun, new_or_resumed
from wound_segmentation.folds import Fold
from wound_segmentation.schedule import Schedule, Stage
from wound_segmentation.small_wounds import SmallWounds
from wound_segmentation.teacher import Views, train_steps

SCHEDULE = Schedule((Stage(5, 64, 2),), peak_learning_rate=1e-3, warm_up_steps=2)
SEED = 5


class ATeacherThatWasStopped(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def trained(self, name: str, *, stop_at: int | None = None) -> LiteRun:
        run = new_or_resumed(self.folder / name, SEED, torch.device("cpu"), variant=0)
        step = run.step

        def stopping(*given: object) -> float:
            if run.steps + 1 == stop_at:
                os.kill(os.getpid(), signal.SIGTERM)
            return step(*given)

        run.step = stopping
        views = Views(drawn_pictures(3), SEED, SCHEDULE, RECIPE, SmallWounds([]))
        with mock.patch("builtins.print"):
            self.assertEqual(train_steps(run, 0, views, drawers=0), stop_at is None)
        return run

    def test_ends_with_the_weights_of_one_that_was_not(self) -> None:
        whole = self.trained("whole")
        self.assertEqual(self.trained("parts", stop_at=3).steps, 3)
        parts = self.trained("parts")
        self.assertEqual(parts.steps, SCHEDULE.steps)
        for (name, one), other in zip(whole.average.state_dict().items(), parts.average.state_dict().values(), strict=True):
            self.assertTrue(torch.equal(one, other), name)

    def test_learns_in_two_rates(self) -> None:
        run = self.trained("whole")
        encoder, decoder = (group["lr"] for group in run.optimiser.param_groups)
        self.assertAlmostEqual(encoder, 0.4 * decoder)


class OtherWounds(unittest.TestCase):
    def test_of_the_fold_itself_and_without_a_wound_are_not_shown_as_believed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            data, beliefs = Path(folder) / "data", Path(folder) / "beliefs"
            for place in (data / teachers.OTHER, beliefs):
                place.mkdir(parents=True)
            for name in ("own", "another", "healed"):
                Image.new("RGB", (8, 8)).save(data / teachers.OTHER / f"{name}.webp")
                Image.new("L", (8, 8), 200).save(beliefs / f"{name}.png")
            patches = {"fold_of_photo": lambda name, _: int(name.endswith("own")), "read_without_wound": lambda _: {"healed"}}
            labelled = mock.Mock(folds=lambda: [])
            with mock.patch.multiple(teachers, **patches, data_of=lambda _: labelled):
                shown = teachers.believed_others(Fold(1, Path(folder), None), data, beliefs)
        self.assertEqual(len(shown), 1)
        self.assertEqual(int(shown[0][2].max()), 200)


if __name__ == "__main__":
    unittest.main()
