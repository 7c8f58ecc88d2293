"""Bounds hold as many areas as they say, are as wide as an outline is doubtful, and are what the service makes of the manifest."""

import unittest

import numpy as np

from wound_segmentation import bounds
from wound_segmentation.bounds import SHIPPED, SHIPPED_CUTS, Fitted, ScaleModel, Way, conformal_quantile, in_manifest, judge, judge_on_halves
from wound_segmentation.found_outlines import FoundOutline, Shown, outlines_in

SHOWN = Shown("fuseg/0001", 0, 0, wrong_label=False)


def outline(area: float, labelled: float, most: float, least: float, group: int = 0) -> FoundOutline:
    return FoundOutline(f"fuseg/{group:04d}", group % 2, group, False, area, labelled, 0.01, 0.9, True, {SHIPPED_CUTS: (most, least)}, {})


def drawn(count: int) -> list[FoundOutline]:
    """Outlines whose errors grow with the softness of the border."""
    rng = np.random.default_rng(3)
    made = []
    for group in range(count):
        area, softness = np.exp(rng.uniform(6, 9)), rng.uniform(0.05, 0.5)
        made.append(outline(area, area * np.exp(rng.normal(0, 0.5 * softness)), area * np.exp(softness / 2), area * np.exp(-softness / 2), group))
    return made


class WhatBoundsAreReadFrom(unittest.TestCase):
    def test_a_region_that_is_not_joined_or_nearer_to_another_outline_is_not_reached(self):
        probability = np.zeros((40, 80), np.float32)
        probability[10:20, 10:20] = probability[10:20, 60:70] = 0.9
        probability[10:20, 20:60] = 0.3  # a bridge between two wounds
        probability[30:35, 10:15] = 0.3  # an island
        left, right = outlines_in(SHOWN, probability, probability > 1, {})
        self.assertEqual([one.cut_px["0.25 to 0.75"][0] for one in (left, right)], [300 * (512 / 80) ** 2] * 2)

    def test_an_outline_where_nothing_is_labelled_matches_nothing(self):
        probability = np.zeros((40, 40), np.float32)
        probability[10:20, 10:20] = 0.9
        (found,) = outlines_in(SHOWN, probability, np.zeros((40, 40), bool), {})
        self.assertFalse(found.matches)

    def test_labelled_pixels_belong_to_the_outline_that_they_are_nearest_to(self):
        probability, label = np.zeros((40, 80), np.float32), np.zeros((40, 80), bool)
        probability[10:20, 10:20] = probability[10:20, 60:70] = 0.9
        label[10:20, 10:24] = label[10:20, 60:62] = True
        left, right = outlines_in(SHOWN, probability, label, {})
        self.assertEqual([left.labelled_px, right.labelled_px], [140 * (512 / 80) ** 2, 20 * (512 / 80) ** 2])
        self.assertEqual([left.matches, right.matches], [True, False])


class Bounds(unittest.TestCase):
    def test_of_few_outlines_reach_to_the_worst_of_them(self):
        self.assertEqual(conformal_quantile(np.array([0.1, 0.5, 0.2]), 0.95), 0.5)

    def test_never_leave_the_outline_itself_out(self):
        self.assertEqual(conformal_quantile(np.array([-0.3, -0.2, -0.1]), 0.95), 0.0)

    def test_hold_nine_of_ten_areas_that_they_were_not_fitted_on(self):
        self.assertAlmostEqual(judge_on_halves(SHIPPED, drawn(400)).held[0], 0.9, delta=0.025)

    def test_are_narrower_where_the_border_is_sharp_and_hold_as_many_there(self):
        narrow, one_width = judge_on_halves(SHIPPED, drawn(400)), judge_on_halves(Way("one width for all"), drawn(400))
        self.assertLess(narrow.half_widths[0], one_width.half_widths[0])
        for held in narrow.held_by_width:
            self.assertAlmostEqual(held, 0.9, delta=0.05)

    def test_are_not_made_wider_than_any_that_was_fitted_on(self):
        fitted = SHIPPED.fit(drawn(200))
        wildest = judge(fitted, [outline(30, 30, 30_000, 0)]).half_widths[0]
        widest = max(judge(fitted, [one]).half_widths[0] for one in drawn(200))
        self.assertLessEqual(wildest, widest + 1e-9)

    # src/core/measurement/area-bounds.spec.ts has the same outline and the same figures.
    def test_are_what_the_service_makes_of_the_same_outline(self):
        scale = ScaleModel(SHIPPED.features, -0.5, np.array([-0.1, 0.5]), 0.02, 0.4)
        fitted = Fitted(SHIPPED, scale, [(2.0, 2.5)])
        ((low, high),) = fitted.of([outline(3000, 3000, 3450, 2700)])
        self.assertEqual([f"{1 - np.exp(low):.4f}", f"{np.exp(high) - 1:.4f}"], ["0.2445", "0.4198"])
        self.assertEqual(
            in_manifest(fitted),
            {
                "lowerThreshold": 0.25,
                "upperThreshold": 0.75,
                "conformal": {"intercept": -0.5, "logArea": -0.1, "logBand": 0.5, "leastScale": 0.02, "mostScale": 0.4, "below": 2.0, "above": 2.5},
                "coverage": 0.9,
            },
        )


def setUpModule() -> None:
    bounds.HALVES = 30


if __name__ == "__main__":
    unittest.main()
