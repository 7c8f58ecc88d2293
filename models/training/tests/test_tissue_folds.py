"""A student learns from its teacher's beliefs and never from the labels of the fold that it is judged on."""

import os
import signal
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
import torch
from PIL import Image

from tissue_segmentation import folds
from tissue_segmentation.beliefs import believed_pictures
from tissue_segmentation.dataset import FOLDS, load_pictures, read_ids, tissue_fold
from tissue_segmentation.judge import figures_of
from tissue_segmentation.train import STUDENT, TEACHER, TissueRun, TissueViews, Training, tissue_loss
from wound_segmentation.schedule import Schedule, Stage

SIDE = 64
BRIEF = Schedule((Stage(3, SIDE, 4),), peak_learning_rate=1e-3)
COLOURS = np.array([(205, 160, 135), (200, 180, 90), (170, 40, 40), (220, 200, 170)], np.uint8)


def draw(folder: Path, name: str) -> None:
    """Three bars of tissue on skin."""
    classes = np.zeros((SIDE, SIDE), np.uint8)
    for tissue in (1, 2, 3):
        classes[16:48, tissue * 12 : tissue * 12 + 12] = tissue
    Image.fromarray(COLOURS[classes]).save(folder / "images" / f"{name}.webp", lossless=True)
    Image.fromarray(classes).save(folder / "masks" / f"{name}.png")


def brief(training: Training) -> Training:
    return Training(BRIEF, training.recipe, training.believed_share)


class ASitting(unittest.TestCase):
    def setUp(self) -> None:
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = Path(kept.name)
        for part in ("images", "masks", "unlabelled"):
            (self.folder / part).mkdir()
        for name in range(12):
            draw(self.folder, f"{name:04}")
        for name in ("9000", "9001"):
            Image.fromarray(COLOURS[np.full((SIDE, SIDE), 2)]).save(self.folder / "unlabelled" / f"{name}.webp", lossless=True)
        for role, training in (("TEACHER", TEACHER), ("STUDENT", STUDENT)):
            patch = mock.patch.object(folds, role, brief(training))
            patch.start()
            self.addCleanup(patch.stop)
        self.pictures = load_pictures(self.folder, read_ids(self.folder))

    def sitting(self, runs: str) -> folds.Sitting:
        return folds.Sitting(self.pictures, self.folder / "unlabelled", self.folder / runs, None)

    def seen_by(self, role: str, fold: int) -> tuple[list, list]:
        """The labelled and the believed pictures that a training is given."""
        seen: list = []
        sitting = self.sitting("runs")

        def noting(labelled: list, believed: list, *rest: object) -> TissueViews:
            seen.append((labelled, believed))
            return TissueViews(labelled, believed, *rest)

        with mock.patch.object(folds, "TissueViews", noting):
            getattr(sitting, role)(fold)
        return seen[-1]

    def test_shows_neither_teacher_nor_student_a_label_of_the_fold_they_are_judged_on(self) -> None:
        fold = tissue_fold("0000")
        held_out = {id(picture) for name, picture in self.pictures.items() if tissue_fold(name) == fold}
        for role, believed in (("teacher", 0), ("student", 2)):
            labelled, unlabelled = self.seen_by(role, fold)
            self.assertEqual(len(labelled), len(self.pictures) - len(held_out))
            self.assertFalse(held_out & {id(picture) for picture in labelled})
            self.assertEqual(len(unlabelled), believed)

    def test_gives_a_student_the_beliefs_of_its_own_fold_s_teacher_alone(self) -> None:
        sitting = self.sitting("runs")
        sitting.teacher(0)
        with self.assertRaises(FileNotFoundError):
            sitting.student(1)

    def test_that_was_stopped_ends_with_the_weights_of_one_that_was_not(self) -> None:
        self.sitting("whole").teacher(0)
        step = TissueRun.step

        def stopping(run: TissueRun, *given: object) -> float:
            if run.steps == 1:
                os.kill(os.getpid(), signal.SIGTERM)
            return step(run, *given)

        with mock.patch.object(TissueRun, "step", stopping), self.assertRaises(folds.Stopped):
            self.sitting("parts").teacher(0)
        self.sitting("parts").teacher(0)
        one, other = (torch.load(self.folder / runs / "teacher-0" / "checkpoint.pt", weights_only=True)["average"] for runs in ("whole", "parts"))
        self.assertTrue(all(torch.equal(one[name], other[name]) for name in one))

    def test_leaves_what_is_finished_as_it_is(self) -> None:
        self.sitting("runs").teacher(0)
        before = {file: file.stat().st_mtime_ns for file in (self.folder / "runs").rglob("*") if file.is_file()}
        self.sitting("runs").teacher(0)
        self.assertEqual(before, {file: file.stat().st_mtime_ns for file in before})

    def test_believes_the_mean_of_all_teachers_for_the_network_that_ships(self) -> None:
        for name, value in (("one", 255), ("two", 155)):
            (self.folder / name).mkdir()
            for crop in ("9000", "9001"):
                Image.fromarray(np.tile(np.uint8([0, value, 0]), (SIDE, SIDE, 1))).save(self.folder / name / f"{crop}.png")
        _, planes, belief = believed_pictures(self.folder / "unlabelled", [self.folder / "one", self.folder / "two"])[0]
        self.assertEqual(belief[:, 0, 0].tolist(), [0, 205, 0])
        self.assertEqual(planes[:, 0, 0].tolist(), [0, 1, 0])


class ABatch(unittest.TestCase):
    def test_of_a_student_is_half_labels_and_half_beliefs(self) -> None:
        one, other = [("label", at) for at in range(5)], [("belief", at) for at in range(3)]
        shown = [TissueViews(one, other, 1, STUDENT).shown(step, 8) for step in range(15)]
        self.assertEqual({sum(kind == "label" for kind, _ in pictures) for pictures in shown}, {4})
        self.assertEqual([sum(picture == ("belief", at) for pictures in shown for picture in pictures) for at in range(3)], [20] * 3)


class TheLoss(unittest.TestCase):
    logits = torch.tensor([0.0, 1.0, 2.0, -1.0]).view(1, 4, 1, 1).expand(1, 4, 8, 8)

    def test_does_not_ask_a_belief_in_which_all_classes_are_as_likely(self) -> None:
        unsure = torch.full((1, 3, 8, 8), 0.25)
        self.assertAlmostEqual(float(tissue_loss(self.logits, unsure)), 0, places=6)

    def test_weighs_a_sure_pixel_more_than_a_doubtful_one(self) -> None:
        logits = torch.zeros((1, 4, 1, 2), requires_grad=True)
        planes = torch.zeros((1, 3, 1, 2))
        planes[0, 0, 0] = torch.tensor([1.0, 0.55])
        tissue_loss(logits, planes).backward()
        sure, doubtful = logits.grad[0, :, 0].norm(dim=0).tolist()
        self.assertGreater(sure, 3 * doubtful)

    def test_is_least_where_the_network_says_what_is_believed(self) -> None:
        belief = self.logits.softmax(1)[:, 1:]
        self.assertLess(float(tissue_loss(self.logits, belief)), float(tissue_loss(2 * self.logits, belief)))
        self.assertLess(float(tissue_loss(self.logits, belief)), float(tissue_loss(0.5 * self.logits, belief)))


class Figures(unittest.TestCase):
    def test_are_pooled_dice_and_how_much_of_the_bed_has_the_right_tissue(self) -> None:
        confusion = np.array([[10, 0, 0, 0], [0, 6, 2, 0], [0, 2, 10, 0], [0, 0, 0, 5]])
        figures = figures_of(confusion)
        self.assertEqual((figures["slough"], figures["callus"], figures["wound_bed"]), (0.75, 1.0, 1.0))
        self.assertEqual((figures["tissue_agreement_in_bed"], FOLDS), (0.8, 5))


if __name__ == "__main__":
    unittest.main()
