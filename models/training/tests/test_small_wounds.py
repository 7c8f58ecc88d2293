"""Small wounds are laid on skin alone, in the size and the light that are wanted."""

import unittest

import numpy as np
import torch
from scipy import ndimage

from wound_segmentation.augmentation import soften
from wound_segmentation.small_wounds import MOST_PASTED, PASTED_AREA_PX, SmallWounds

SKIN, CLOTH = (0.80, 0.62, 0.52), (0.75, 0.80, 0.85)


def disc(side: int, radius: int, centre: tuple[int, int]) -> torch.Tensor:
    y, x = np.mgrid[:side, :side]
    return torch.from_numpy(((y - centre[0]) ** 2 + (x - centre[1]) ** 2 < radius**2).astype(np.float32))[None]


def photo_of(label: torch.Tensor, light: float = 1.0) -> torch.Tensor:
    """Skin on the left, cloth on the right, red wounds."""
    side = label.shape[-1]
    view = torch.tensor(SKIN).view(3, 1, 1).repeat(1, side, side)
    view[:, :, side * 2 // 3 :] = torch.tensor(CLOTH).view(3, 1, 1)
    return torch.where(label > 0, torch.tensor((0.6, 0.1, 0.1)).view(3, 1, 1), view) * light


class SmallWoundsPasted(unittest.TestCase):
    def setUp(self) -> None:
        donor = disc(384, 40, (190, 120))
        self.wounds = SmallWounds([((photo_of(donor, light=0.8) * 255).byte(), donor.byte())])
        self.label = disc(384, 30, (80, 100))
        self.view = photo_of(self.label)

    def test_leave_a_view_without_a_wound_as_it_is(self) -> None:
        empty = torch.zeros_like(self.label)
        view, label = self.wounds.paste(self.view, empty, np.random.default_rng(1))
        self.assertTrue(torch.equal(view, self.view))
        self.assertFalse(label.any())

    def test_lie_on_skin_and_never_on_cloth_or_on_the_wound_that_was_there(self) -> None:
        pasted = 0
        for seed in range(20):
            _, label = self.wounds.paste(self.view, self.label, np.random.default_rng(seed))
            added = label - self.label
            self.assertTrue((added >= 0).all())
            self.assertFalse(added[:, :, 384 * 2 // 3 :].any())
            _, count = ndimage.label(added[0].numpy())
            self.assertLessEqual(count, MOST_PASTED)
            pasted += count
        self.assertGreater(pasted, 10)

    def test_have_the_area_and_the_light_that_are_wanted(self) -> None:
        for seed in range(20):
            view, label = self.wounds.paste(self.view, self.label, np.random.default_rng(seed))
            parts, count = ndimage.label((label - self.label)[0].numpy())
            for index in range(1, count + 1):
                mine = parts == index
                self.assertTrue(0.85 * PASTED_AREA_PX[0] < mine.sum() < 1.15 * MOST_PASTED * PASTED_AREA_PX[1])
                beside = ndimage.binary_dilation(mine, iterations=3) & ~ndimage.binary_dilation(mine, iterations=2) & (label[0].numpy() == 0)
                self.assertLess(float((view[:, torch.from_numpy(beside)].mean(1) - torch.tensor(SKIN)).abs().max()), 0.05)


    def test_are_smaller_where_the_view_shows_the_picture_smaller(self) -> None:
        for seed in range(10):
            _, label = self.wounds.paste(self.view, self.label, np.random.default_rng(seed), zoom=0.5)
            parts, count = ndimage.label((label - self.label)[0].numpy())
            for index in range(1, count + 1):
                self.assertLess((parts == index).sum(), 1.15 * MOST_PASTED * PASTED_AREA_PX[1] / 4)


class ASoftRim(unittest.TestCase):
    def test_rises_over_so_many_pixels_on_either_side_of_the_border(self) -> None:
        label = torch.zeros(1, 40, 40)
        label[:, :, 20:] = 1
        row = soften(label, 3)[0, 20]
        self.assertTrue((row[:17] == 0).all() and (row[23:] == 1).all())
        self.assertTrue((row[17:23].diff() > 0).all())
        self.assertTrue(0 < row[19] < 0.5 < row[20] < 1)

    def test_of_no_pixels_changes_nothing(self) -> None:
        label = disc(40, 8, (20, 20))
        self.assertTrue(torch.equal(soften(label, 0), label))


if __name__ == "__main__":
    unittest.main()
