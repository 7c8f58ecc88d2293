"""Views drawn on the device: the same by seed, darker skin without a darker wound, and a training that goes on as if it never stopped."""

import os
import signal
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
import torch

from wound_segmentation import device_pictures, teacher
from wound_segmentation.augmentation import Recipe
from wound_segmentation.darker_skin import DARKENED_BY, darken_skin
from wound_segmentation.device_light import photographed
from wound_segmentation.device_pictures import DeviceViews, planes_of
from wound_segmentation.device_training import SCHEDULE as FULL, shortened
from wound_segmentation.schedule import Schedule, Stage
from wound_segmentation.skin_tone import class_of, lab, typology_angle

CPU = torch.device("cpu")
SCHEDULE = Schedule((Stage(3, 64, 4), Stage(5, 96, 2)), peak_learning_rate=2e-3)
RECIPE = Recipe(whole_share=0.5, small_wound_share=0.5, rim_px=3, belief_share=0.5)
SKIN, WOUND, CLOTH = (205, 160, 135), (170, 40, 40), (60, 120, 180)
SEED = 7


def drawn_picture(index: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Skin with a red disc on it, beside cloth."""
    y, x = np.mgrid[:200, :200]
    mask = ((y - 90) ** 2 + (x - 90 - 3 * index) ** 2 < 20**2).astype(np.uint8)
    photo = np.where(mask[..., None] > 0, WOUND, SKIN).astype(np.uint8)
    photo[:20] = CLOTH
    return torch.from_numpy(photo).permute(2, 0, 1).contiguous(), torch.from_numpy(mask)[None]


def views(seed: int = SEED, recipe: Recipe = RECIPE, count: int = 3) -> DeviceViews:
    with mock.patch.multiple(device_pictures, SIDE_PX=128, THINGS=4, EMPTY_SCENES=3, BANK_PX=64):
        return DeviceViews([drawn_picture(index) for index in range(count)], seed, SCHEDULE, recipe, CPU)


class Views(unittest.TestCase):
    def test_of_one_seed_are_the_same_in_whatever_order_they_are_asked_for(self):
        one, other = views(), views()
        late = other[4]
        for step in (0, 2, 4):
            for mine, theirs in zip(one[step], late if step == 4 else other[step], strict=True):
                self.assertTrue(torch.equal(mine, theirs))

    def test_of_another_seed_or_step_differ(self):
        self.assertFalse(torch.equal(views()[0][0], views(seed=8)[0][0]))
        same = views()
        self.assertFalse(torch.equal(same[0][0], same[1][0]))

    def test_have_the_size_of_their_stage_and_hold_colours_and_labels_of_0_to_1(self):
        for step, (count, side) in {0: (4, 64), 4: (2, 96)}.items():
            view, label = views()[step]
            self.assertEqual((view.shape, label.shape), ((count, 3, side, side), (count, 1, side, side)))
            for plane in (view, label):
                self.assertTrue(torch.isfinite(plane).all() and plane.min() >= 0 and plane.max() <= 1)

    def test_show_a_picture_that_stands_twice_in_the_list_twice_and_keep_it_once(self):
        picture = drawn_picture(0)
        with mock.patch.multiple(device_pictures, SIDE_PX=64, THINGS=2, EMPTY_SCENES=2, BANK_PX=64):
            made = DeviceViews([picture, picture, drawn_picture(1)], SEED, SCHEDULE, RECIPE, CPU)
        self.assertEqual((len(made.planes), sorted(made.order.tolist())), (2, [0, 0, 1]))

    def test_get_small_wounds_with_their_label(self):
        with mock.patch.multiple(device_pictures, NO_SKIN_SHARE=0, DARKENED_SHARE=0):
            without, with_some = (views(recipe=Recipe(whole_share=1, small_wound_share=share, eschar_share=0)) for share in (0, 1))
            labelled = [sum(float(made[step][1].sum()) for step in range(3)) for made in (without, with_some)]
        self.assertGreater(labelled[1], labelled[0])


class BeliefsInViews(unittest.TestCase):
    def test_are_a_share_of_the_label_where_nothing_was_drawn(self):
        photo, mask = drawn_picture(0)
        recipe = Recipe(scenery=False, whole_share=1, belief_share=0.5, eschar_share=0)
        with mock.patch.multiple(device_pictures, SIDE_PX=128, THINGS=1, EMPTY_SCENES=1, BANK_PX=64, NO_SKIN_SHARE=0):
            made = DeviceViews([(photo, mask, torch.full_like(mask, 255))], SEED, SCHEDULE, recipe, CPU)
            made.banks.things[:, 3] = 0
            _, label = made[0]
        inside = label[label > 0.01]
        self.assertTrue(((inside - 0.5).abs() < 0.02).logical_or((inside - 1).abs() < 0.02).float().mean() > 0.8)


class DarkerSkin(unittest.TestCase):
    def setUp(self) -> None:
        with mock.patch.object(device_pictures, "SIDE_PX", 128):
            planes = planes_of(*drawn_picture(0)).float()[None] / 255
        self.view, self.label, self.skin = planes[:, :3], (planes[:, 3:4] > 0.5).float(), planes[:, 5:]
        self.dark = darken_skin(self.view, self.label, self.skin, torch.tensor([1.0]))

    def test_leaves_wound_and_cloth_as_they_are(self):
        self.assertTrue(torch.equal(self.dark * self.label, self.view * self.label))
        self.assertTrue(torch.allclose(self.dark[..., :8, :], self.view[..., :8, :], atol=0.02))

    def test_is_as_much_darker_as_dark_skin_of_the_data_is(self):
        y, x = 100, 20
        light, dark = (self.view[0, :, y, x], self.dark[0, :, y, x])
        self.assertTrue(torch.allclose(-2.2 * (dark / light).log(), torch.tensor(DARKENED_BY), atol=0.01))
        angle = typology_angle(lab((dark * 255).round().byte().numpy()))
        self.assertIn(class_of(float(angle)), ("brown", "dark"))

    def test_of_a_view_that_is_not_chosen_stays(self):
        self.assertTrue(torch.equal(darken_skin(self.view, self.label, self.skin, torch.tensor([0.0])), self.view))

    def test_comes_in_a_third_of_the_views(self):
        rngs = [np.random.default_rng([1, place]) for place in range(600)]
        times = views()._some(rngs, device_pictures.DARKENED_SHARE, lambda rng: rng.uniform(*device_pictures.DARKENED_TIMES))
        self.assertAlmostEqual(float((times > 0).float().mean()), 1 / 3, delta=0.05)


class Light(unittest.TestCase):
    def test_of_a_view_does_not_depend_on_the_views_beside_it(self):
        view = torch.rand(3, 3, 32, 32, generator=torch.Generator().manual_seed(1))
        with mock.patch("wound_segmentation.device_light.torch.randn", lambda shape, **_: torch.zeros(shape)):
            whole = photographed(view, [np.random.default_rng([1, place]) for place in range(3)], torch.Generator())
            alone = photographed(view[1:2], [np.random.default_rng([1, 1])], torch.Generator())
        self.assertTrue(torch.allclose(whole[1:2], alone, atol=1e-6))


class ATrainingOnTheDevice(unittest.TestCase):
    def trained(self, folder: Path, *, stop_at: int | None = None) -> teacher.Run:
        run, _ = teacher.new_or_resumed(folder, SEED, CPU)
        step = run.step

        def stopping(*given: object) -> float:
            if run.steps + 1 == stop_at:
                os.kill(os.getpid(), signal.SIGTERM)
            return step(*given)

        run.step = stopping
        self.assertEqual(teacher.train_steps(run, 0, views(), drawers=0), stop_at is None)
        return run

    def test_that_was_stopped_ends_with_the_weights_of_one_that_was_not(self):
        with tempfile.TemporaryDirectory() as folder:
            whole = self.trained(Path(folder) / "whole")
            self.assertEqual(self.trained(Path(folder) / "parts", stop_at=2).steps, 2)
            parts = self.trained(Path(folder) / "parts")
            for (name, one), other in zip(whole.average.state_dict().items(), parts.average.state_dict().values(), strict=True):
                self.assertTrue(torch.equal(one, other), name)

    def test_of_a_share_of_the_steps_keeps_its_stages(self):
        short = shortened(FULL, 0.001)
        self.assertEqual([stage.side_px for stage in short.stages], [256, 384, 512])
        self.assertTrue(all(one.until_step < next_.until_step for one, next_ in zip(short.stages, short.stages[1:])))
        self.assertEqual(shortened(FULL, 1).steps, FULL.steps)


if __name__ == "__main__":
    unittest.main()
