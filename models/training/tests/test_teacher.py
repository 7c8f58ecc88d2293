"""A training that was stopped goes on as if it never had been; what is left out is not seen."""

import os
import signal
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
import torch

from wound_segmentation import teacher
from wound_segmentation.folds import Fold, export_weights
from wound_segmentation.label_review import Review
from wound_segmentation.schedule import Schedule, Stage
from wound_segmentation.small_wounds import SmallWounds
from wound_segmentation.starting_weights import load_average
from wound_segmentation.train import Run

SCHEDULE = Schedule((Stage(4, 64, 2), Stage(7, 96, 2)), peak_learning_rate=2e-3)
SEED = 5


def drawn_pictures(count: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Skin with a red disc on it."""
    pictures = []
    for index in range(count):
        y, x = np.mgrid[:160, :160]
        mask = ((y - 70) ** 2 + (x - 60 - 5 * index) ** 2 < 20**2).astype(np.uint8)
        photo = np.where(mask[..., None] > 0, (170, 40, 40), (205, 160, 135)).astype(np.uint8)
        pictures.append((torch.from_numpy(photo).permute(2, 0, 1).contiguous(), torch.from_numpy(mask)[None]))
    return pictures


class ATrainingThatWasStopped(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        patch = mock.patch.object(teacher, "SCHEDULE", SCHEDULE)
        patch.start()
        self.addCleanup(patch.stop)

    def trained(self, name: str, *, stop_at: int | None = None) -> Run:
        run, begun_at = teacher.new_or_resumed(self.folder / name, SEED, torch.device("cpu"))
        step = run.step

        def stopping(*given: object) -> float:
            if run.steps + 1 == stop_at:
                os.kill(os.getpid(), signal.SIGTERM)
            return step(*given)

        run.step = stopping
        self.assertEqual(teacher.train_teacher(run, begun_at, drawn_pictures(3), SEED, drawers=0), stop_at is None)
        return run

    def test_ends_with_the_weights_of_one_that_was_not(self) -> None:
        whole = self.trained("whole")
        self.assertEqual(self.trained("parts", stop_at=3).steps, 3)
        self.assertEqual(self.trained("parts", stop_at=5).steps, 5)
        parts = self.trained("parts")
        self.assertEqual(parts.steps, 7)
        for (name, one), other in zip(whole.average.state_dict().items(), parts.average.state_dict().values(), strict=True):
            self.assertTrue(torch.equal(one, other), name)

    def test_goes_on_from_committed_weights_at_their_step(self) -> None:
        self.trained("here", stop_at=3)
        here = Fold(0, self.folder / "runs", self.folder / "teachers")
        here.run.parent.mkdir()
        (self.folder / "here").rename(here.run)
        teacher.write_description(here.run, {"fold": 0, "held_out": ["fuseg/0001"], "left_out": []})
        export_weights(here)
        elsewhere = Fold(0, self.folder / "elsewhere", self.folder / "teachers")
        teacher.adopt(elsewhere.run, elsewhere.committed)
        run, begun_at = teacher.new_or_resumed(elsewhere.run, SEED, torch.device("cpu"))
        self.assertEqual((run.steps, begun_at), (3, 3))
        self.assertEqual(teacher.read_description(elsewhere.run)["held_out"], ["fuseg/0001"])
        for one, other in zip(load_average(here.run / "checkpoint.pt").parameters(), run.average.parameters(), strict=True):
            self.assertTrue(torch.allclose(one, other, rtol=1e-3, atol=1e-6))
        self.assertLess(SCHEDULE.learning_rate(3, begun_at), SCHEDULE.learning_rate(3))

    def test_shows_every_picture_once_before_any_twice(self) -> None:
        views = teacher.Views(drawn_pictures(5), SEED, SCHEDULE, teacher.RECIPE, SmallWounds([]))
        shown = [views._shown(view) for view in range(10)]
        self.assertEqual(sorted(shown[:5]), [0, 1, 2, 3, 4])
        self.assertEqual(sorted(shown[5:]), [0, 1, 2, 3, 4])

    def test_counts_the_views_of_all_stages(self) -> None:
        self.assertEqual([SCHEDULE.views_before(step) for step in (0, 1, 4, 6)], [0, 2, 8, 12])


class AReview(unittest.TestCase):
    def read(self, text: str) -> Review:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "review.tsv"
            file.write_text(text)
            return Review.read(file)

    def test_refuses_a_verdict_it_does_not_know(self) -> None:
        with self.assertRaises(SystemExit):
            self.read("fuseg/0001\tbad\tshifted\n")

    def test_leaves_out_wrong_labels_alone(self) -> None:
        review = self.read("# a remark\nfuseg/0001\twrong\tshifted\nfuseg/0002\tdoubtful\tpale rim\n")
        self.assertTrue(review.leaves_out("fuseg/0001"))
        self.assertFalse(review.leaves_out("fuseg/0002"))
        self.assertFalse(review.leaves_out("fuseg/0003"))


if __name__ == "__main__":
    unittest.main()
