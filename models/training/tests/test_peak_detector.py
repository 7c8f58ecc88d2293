"""A threshold keeps the wanted share of wounds, and what lies below it is counted by group."""

import unittest

import numpy as np

from wound_segmentation.peak_detector import LARGE_PX, PERCENTILES, Negative, Positive, groups_of, highest_threshold, peaks, report
from wound_segmentation.wound_free import WoundFree


LEAST, SECOND = PERCENTILES


def both(score: float) -> dict[float, float]:
    return dict.fromkeys(PERCENTILES, score)


def large(*scores: float) -> list[Positive]:
    return [Positive("fuseg/0001", LARGE_PX, both(score)) for score in scores]


def small(*scores: float) -> list[Positive]:
    return [Positive("fuseg/0002", LARGE_PX - 1, both(score)) for score in scores]


class AThreshold(unittest.TestCase):
    def test_loses_one_large_wound_of_a_hundred_and_none_of_fewer(self) -> None:
        self.assertEqual(highest_threshold([0.3, *[0.9] * 98], []), 0.3)
        self.assertEqual(highest_threshold([0.9, 0.3, 0.4, *[0.9] * 97], []), 0.4)

    def test_loses_three_small_ones_of_a_hundred(self) -> None:
        self.assertEqual(highest_threshold([], [0.1, 0.2, 0.3, 0.4, *[0.9] * 96]), 0.4)

    def test_satisfies_both(self) -> None:
        self.assertEqual(highest_threshold([0.8, 0.9], [0.6, 0.7]), 0.6)
        self.assertEqual(highest_threshold([0.5, 0.9], [0.6, 0.7]), 0.5)


class AReport(unittest.TestCase):
    negatives = [
        Negative("a", ("windows", "windows, skin"), both(0.1)),
        Negative("b", ("windows", "windows, toes", "windows, hard"), both(0.7)),
        Negative("c", ("whole photos", "whole photos, healed"), {LEAST: 0.95, SECOND: 0.2}),
        Negative("drawn/0", ("drawn",), both(0.55)),
    ]

    def test_counts_what_lies_below_by_group_and_leaves_drawn_scenes_apart(self) -> None:
        found = report(large(0.6, 0.9), self.negatives, LEAST)["negatives"]
        self.assertEqual(found["all judged by eye"], {"pictures": 3, "specificity": 0.333, "specificityOfLarge": 0.333, "specificityAtHalf": 0.333})
        self.assertEqual(found["windows"]["specificity"], 0.5)
        self.assertEqual((found["drawn"]["specificity"], found["drawn"]["specificityAtHalf"]), (1, 0))

    def test_of_fewer_pixels_reads_those(self) -> None:
        self.assertEqual(report(large(0.6, 0.9), self.negatives, SECOND)["negatives"]["whole photos"]["specificity"], 1)

    def test_states_what_a_threshold_for_large_wounds_alone_would_find(self) -> None:
        found = report(large(0.6, 0.9) + small(0.45, 0.7), self.negatives, LEAST)
        self.assertEqual((found["threshold"], found["thresholdOfLarge"]), (0.45, 0.6))
        self.assertEqual(found["positives"]["small"], {"pictures": 2, "sensitivity": 1, "sensitivityOfLarge": 0.5, "sensitivityAtHalf": 0.5})

    def test_ranks_wounds_against_pictures_without_one(self) -> None:
        self.assertAlmostEqual(report(large(0.7, 1), self.negatives, LEAST)["areaUnderCurve"], (0.5 + 1) / 2, places=3)


class Groups(unittest.TestCase):
    def test_tell_windows_from_whole_photos(self) -> None:
        self.assertEqual(groups_of(WoundFree("fuseg", "0001", "toes", (0, 0, 9, 9), True)), ("windows", "windows, toes", "windows, hard"))
        self.assertEqual(groups_of(WoundFree("fuseg", "0001", "healed")), ("whole photos", "whole photos, healed"))


class Peaks(unittest.TestCase):
    def test_leave_out_a_thousandth_of_the_picture_and_a_fifth_of_that(self) -> None:
        probability = np.zeros((100, 100))
        probability[0, :5] = 1
        self.assertEqual(peaks(probability), {LEAST: 0, SECOND: 1})
        probability[0, :20] = 1
        self.assertEqual(peaks(probability), {LEAST: 1, SECOND: 1})


if __name__ == "__main__":
    unittest.main()
