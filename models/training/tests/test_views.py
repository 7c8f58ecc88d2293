"""What a further look is worth: the difference to what ships, over the same drawn pictures."""

import unittest

from wound_segmentation.out_of_fold import Outlined, mean_dice, pooled_dice
from wound_segmentation.views import Choices

PICTURES = [f"fuseg/{number}" for number in range(12)]


def outlined(overlap_by_picture: dict[str, int]) -> dict[str, Outlined]:
    return {name: Outlined(name, labelled=100, found=100, overlap=overlap, seen_area_px=100.0) for name, overlap in overlap_by_picture.items()}


class BesideShipped(unittest.TestCase):
    shipped = {name: 50 + 3 * place for place, name in enumerate(PICTURES)}

    def choices(self, other: dict[str, int]) -> Choices:
        return Choices([[name] for name in PICTURES], {"1+1m": outlined(self.shipped), "other": outlined(other)})

    def test_finds_no_difference_between_equals(self) -> None:
        beside = self.choices(self.shipped).beside_shipped("other", mean_dice)
        self.assertEqual((beside["more"], beside["from"], beside["to"]), (0, 0, 0))

    def test_pairs_the_pictures_so_that_an_even_gain_has_a_narrow_interval(self) -> None:
        gained = self.choices({name: overlap + 2 for name, overlap in self.shipped.items()})
        for figure in (mean_dice, pooled_dice):
            beside = gained.beside_shipped("other", figure)
            self.assertAlmostEqual(beside["more"], 0.02, places=4)
            self.assertAlmostEqual(beside["to"] - beside["from"], 0, places=4)

    def test_is_unsure_of_a_gain_on_one_picture_alone(self) -> None:
        beside = self.choices(self.shipped | {PICTURES[0]: 98}).beside_shipped("other", mean_dice)
        self.assertAlmostEqual(beside["more"], 0.04, places=4)
        self.assertEqual(beside["from"], 0)


if __name__ == "__main__":
    unittest.main()
