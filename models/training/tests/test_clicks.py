"""Clicks are laid where the outline is wrong, and a network that answers them begins as the teacher that it comes from."""

import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

from training.clicks import RADIUS_PX, Clicked, ClickRun, click_network, outline, wrong_place
from wound_segmentation.lite_network import LiteNet

SIDE = 64


def square(top: int, left: int, side: int) -> np.ndarray:
    made = np.zeros((SIDE, SIDE), bool)
    made[top : top + side, left : left + side] = True
    return made


class APlaceToClick(unittest.TestCase):
    def test_is_the_middle_of_the_largest_wrong_part(self) -> None:
        label = square(0, 0, 5) | square(20, 20, 21)
        self.assertEqual(wrong_place(np.zeros_like(label), label, None), (30, 30, True))
        self.assertEqual(wrong_place(label | square(44, 4, 20), label, None)[2], False)

    def test_is_inside_a_part_that_reaches_the_edge_of_the_picture(self) -> None:
        y, x, add = wrong_place(np.zeros((SIDE, SIDE), bool), square(0, 0, 21), None)
        self.assertEqual((y, x, add), (10, 10, True))

    def test_is_any_that_is_wrong_where_chance_says_so(self) -> None:
        label, rng = square(20, 20, 20), np.random.default_rng(1)
        places = {wrong_place(np.zeros_like(label), label, rng) for _ in range(20)}
        self.assertGreater(len(places), 5)
        self.assertTrue(all(label[y, x] and add for y, x, add in places))

    def test_is_none_where_next_to_nothing_is_wrong(self) -> None:
        self.assertIsNone(wrong_place(square(20, 20, 20) | square(0, 0, 4), square(20, 20, 20), None))


class AClickedPicture(unittest.TestCase):
    def test_has_discs_where_to_add_and_where_to_take_away(self) -> None:
        one = Clicked(square(20, 20, 20))
        self.assertTrue(one.click(None))
        y, x = np.argwhere(one.planes[1]).mean(0)
        self.assertTrue(one.label[int(y), int(x)])
        self.assertEqual(int(one.planes[1].sum()), sum(dy * dy + dx * dx <= RADIUS_PX**2 for dy in range(-5, 6) for dx in range(-5, 6)))
        one.outlined(square(20, 20, 20) | square(45, 45, 15))
        self.assertTrue(one.click(None))
        self.assertGreater(one.planes[2].sum(), 0)
        one.outlined(one.label)
        self.assertFalse(one.click(None))


class AClickNetwork(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(1)
        self.teacher = LiteNet(0).eval()
        self.network = click_network(self.teacher).eval()

    def test_is_its_teacher_until_it_has_learnt(self) -> None:
        photo = torch.rand(1, 3, SIDE, SIDE)
        with torch.no_grad():
            expected = self.teacher(photo)[0]
            self.assertTrue(torch.allclose(self.network(torch.cat([photo, torch.ones_like(photo)], 1))[0], expected, atol=1e-5))

    def test_outlines_each_picture_anew(self) -> None:
        self.network.head.bias.data.fill_(9)
        clicked = [Clicked(square(20, 20, 20)) for _ in range(2)]
        outline(self.network, torch.rand(2, 3, SIDE, SIDE), clicked)
        self.assertTrue(all(one.planes[0].all() for one in clicked))

    def test_learns_to_look_at_what_was_clicked(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            run = ClickRun(Path(folder), torch.device("cpu"), self.network)
            masks = torch.from_numpy(square(20, 20, 20)).float()[None, None].repeat(2, 1, 1, 1)
            shown = run.inputs(torch.rand(2, 3, SIDE, SIDE), masks)
            self.assertEqual(tuple(shown.shape), (2, 6, SIDE, SIDE))
            self.assertGreater(float(shown[:, 4:].sum()), 0)
            run.step(torch.rand(2, 3, SIDE, SIDE), masks, 1e-3)
            self.assertGreater(float(run.network.stem.weight[:, 4].abs().sum()), 0)


if __name__ == "__main__":
    unittest.main()
