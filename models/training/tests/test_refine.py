"""Teachers that go on with darker skin: from their own weights, on what they saw before, and one view of it."""

import json
import sys
import unittest
from unittest import mock

import torch
from PIL import Image

from tests.test_device_pictures import drawn_picture
from tests.test_device_training import drawn_folder
from wound_segmentation import folds, refine
from wound_segmentation.augmentation import Augmenter, Recipe
from wound_segmentation.folds import Data, Fold, describe, export_weights
from wound_segmentation.label_review import REVIEW_FILE, Review
from wound_segmentation.schedule import Schedule, Stage
from wound_segmentation.starting_weights import load_average
from wound_segmentation.teacher import is_finished, new_or_resumed, read_description, steps_done, write_description
from wound_segmentation.train import CHECKPOINT, computes_in_bfloat16
from wound_segmentation.wound_free import WoundFree, photo_file

SCHEDULE = Schedule((Stage(2, 64, 2),), peak_learning_rate=1e-3, warm_up_steps=1)
CPU = torch.device("cpu")


class TeachersThatGoOn(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = drawn_folder(self)
        self.data = Data(self.folder / "data" / "fuseg", self.folder / "data" / "medetec-560")
        # Drawn photos that nobody has judged: one of each fold, and a label that is empty.
        self.free = [WoundFree("fuseg-unlabelled", f"free-{fold}", "skin", fold=fold) for fold in range(folds.FOLDS)]
        self.free.append(WoundFree("fuseg", "empty", "healed", fold=1))
        for one in self.free[: folds.FOLDS]:
            file = photo_file(self.folder / "data", one.set, one.id)
            file.parent.mkdir(parents=True, exist_ok=True)
            Image.new("RGB", (64, 64), (200, 160, 140)).save(file)
        patches = (("SCHEDULE", SCHEDULE), ("read_wound_free", lambda _: self.free))
        for patch in (*(mock.patch.object(refine, *one) for one in patches), mock.patch.object(folds, "INPUT_SIZE", 64)):
            patch.start()
            self.addCleanup(patch.stop)
        trained = Fold(0, self.folder / "folds", self.folder / "weights")
        run, _ = new_or_resumed(trained.run, trained.seed, CPU)
        write_description(trained.run, describe(trained, self.data, Review.read(REVIEW_FILE)))
        run.steps = 8000
        run.save()
        export_weights(trained)
        self.fold = Fold(0, self.folder / "refined", self.folder / "weights")

    def run_command(self, runs: str = "refined") -> None:
        arguments = ["refine", "--data", str(self.folder / "data"), "--runs", str(self.folder / runs), "--weights", str(self.fold.weights)]
        arguments += ["--kept", str(self.folder / "kept"), "--means", str(self.folder / "means")]
        with mock.patch.object(sys, "argv", [*arguments, "--only", "0", "--drawers", "0", "--threads", "1"]), mock.patch("builtins.print"):
            refine.main()

    def test_begin_with_their_weights_at_step_0(self) -> None:
        refine.begin(self.fold)
        self.assertEqual(steps_done(self.fold.run), 0)
        kept = torch.load(self.fold.committed, weights_only=True)["average"]
        for name, value in load_average(self.fold.run / CHECKPOINT).state_dict().items():
            self.assertTrue(torch.equal(value.float(), kept[name].float()), name)

    def test_end_with_other_weights_and_outline_what_they_never_saw_once(self) -> None:
        self.run_command()
        self.assertEqual(steps_done(self.fold.run), SCHEDULE.steps)
        kept = torch.load(self.fold.committed, weights_only=True)["average"]["head.weight"]
        self.assertFalse(torch.equal(load_average(self.fold.run / CHECKPOINT).head.weight, kept.float()))
        for name in read_description(self.fold.run)["held_out"]:
            self.assertTrue((self.fold.run / "out-of-fold" / f"{name}.png").exists())
        done = (self.fold.run / CHECKPOINT).stat().st_mtime_ns
        self.run_command()
        self.assertEqual((self.fold.run / CHECKPOINT).stat().st_mtime_ns, done)

    def test_outline_again_with_the_mean_of_the_weights_that_they_began_and_ended_with(self) -> None:
        self.run_command()
        began = torch.load(self.fold.committed, weights_only=True)["average"]["head.weight"].float()
        ended = load_average(self.fold.run / CHECKPOINT).head.weight
        mean = Fold(0, self.folder / "means", None)
        self.assertTrue(torch.allclose(load_average(mean.run / CHECKPOINT).head.weight, (began + ended) / 2))
        self.assertEqual(folds.predicted_step(mean), SCHEDULE.steps)
        self.assertTrue(is_finished(mean.run))
        for name in read_description(mean.run)["held_out"]:
            self.assertTrue((mean.run / "out-of-fold" / f"{name}.png").exists())

    def test_are_not_trained_again_where_their_weights_were_kept(self) -> None:
        self.run_command()
        with mock.patch.object(refine, "train_steps", side_effect=AssertionError("trained again")):
            self.run_command("elsewhere")
        first, again = (load_average(self.folder / runs / "fold-0" / CHECKPOINT).head.weight for runs in ("refined", "elsewhere"))
        self.assertTrue(torch.equal(first.half(), again.half()))
        name = read_description(self.fold.run)["held_out"][0]
        self.assertTrue((self.folder / "elsewhere" / "fold-0" / "out-of-fold" / f"{name}.png").exists())

    def test_see_no_held_out_picture_and_dark_skin_more_often(self) -> None:
        refine.begin(self.fold)
        unseen = set(read_description(self.fold.run)["held_out"])
        seen = [name for names in self.data.folds() for name in names if name not in unseen and name.startswith("fuseg/")]
        pictures = refine.pictures_of(self.fold, self.data, {seen[0]: "dark", seen[1]: "doubtful"})
        others = len([name for names in self.data.folds() for name in names if name not in unseen and name.startswith("medetec/")])
        self.assertEqual(len(pictures), refine.DARK_SKIN_TIMES + len(seen) - 1 + others * folds.MEDETEC_TIMES)


    def test_see_what_shows_no_wound_but_for_their_own_fold_and_for_empty_labels_that_they_know(self) -> None:
        pictures = refine.without_wound(self.fold, self.folder / "data")
        self.assertEqual(len(pictures), folds.FOLDS - 1)
        self.assertFalse(any(mask.any() for _, mask in pictures))


class AViewOnDarkerSkin(unittest.TestCase):
    def test_is_darker_beside_the_wound_and_not_on_it(self) -> None:
        photo, mask = drawn_picture(0)
        light, dark = (self.plain_view(photo, mask, share) for share in (0.0, 1.0))
        wound = dark[1][0] > 0.5
        skin = ~torch.nn.functional.max_pool2d(dark[1], 25, 1, 12)[0].bool() & (light[0][0] > 0.7)
        self.assertGreater(int(skin.sum()), 100)
        self.assertLess(float(dark[0].mean(0)[skin].mean()), 0.8 * float(light[0].mean(0)[skin].mean()))
        self.assertAlmostEqual(float(dark[0].mean(0)[wound].mean()), float(light[0].mean(0)[wound].mean()), delta=0.02)

    def plain_view(self, photo: torch.Tensor, mask: torch.Tensor, share: float) -> tuple[torch.Tensor, torch.Tensor]:
        augmenter = Augmenter(96, 3, Recipe(scenery=False, whole_share=1.0, darker_skin_share=share))
        augmenter._photograph = lambda view: view
        return augmenter.view(photo, mask)


class Bfloat16(unittest.TestCase):
    def test_is_left_to_processors_that_have_it(self) -> None:
        for has, expected in (({"avx2": True}, False), ({"avx512_bf16": True}, True), ({"amx_bf16": True}, True)):
            with mock.patch.object(torch.cpu, "get_capabilities", return_value=has):
                self.assertEqual(computes_in_bfloat16(CPU), expected, json.dumps(has))
        self.assertTrue(computes_in_bfloat16(torch.device("cuda")))


if __name__ == "__main__":
    unittest.main()
