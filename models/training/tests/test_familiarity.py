"""What an outline's agreement is worth is read from photos whose outlines are known, and from no others."""

import tempfile
import unittest
from pathlib import Path

import numpy as np

from wound_segmentation.calibrate import expected_calibration_error
from wound_segmentation.familiarity import Case, Judgement, agreement_of, fit_score, fit_steps, halves, judged_cases, known_outlines, read_judgements, rising
from wound_segmentation.looks import SHIPPED, Looks
from wound_segmentation.retakes import repeatability_pct


def square(side: int, certain: float = 1.0) -> np.ndarray:
    probability = np.zeros((100, 100), np.float32)
    probability[20 : 20 + side, 20 : 20 + side] = certain
    return probability


def cases(count: int, ground: str = "labelled") -> list[Case]:
    """The surer, the better; every third that is hardly sure is bad."""
    rng = np.random.default_rng(5)
    made = []
    for number in range(count):
        agreement = float(rng.uniform(0.7, 0.99))
        dice = float(np.clip(agreement - rng.uniform(0, 2.5) * (1 - agreement), 0, 1))
        made.append(Case(ground, f"{ground}-{number}", agreement, dice, 2 * (1 - dice)))
    return made


class OutlinesOfOtherWounds(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.looks = Looks(Path(self.folder.name))

    def seen(self, fold: int, photo: str, probability: np.ndarray) -> None:
        for view in SHIPPED:
            self.looks.write(self.looks.file(fold, f"other/{photo}", view), probability)

    def test_are_unknown_where_they_differ_from_the_one_that_was_judged(self):
        self.looks.write(self.looks.judged("leg"), square(40))
        self.seen(1, "leg", square(20))
        known = known_outlines(self.looks, [Judgement("leg", 0.9, "A")], {})
        self.assertEqual(judged_cases(self.looks, [1], known), ([], 1))

    def test_are_as_good_as_the_judged_one_where_they_are_nearly_the_same(self):
        self.looks.write(self.looks.judged("leg"), square(40))
        self.seen(1, "leg", square(38))
        ((case,), unknown) = judged_cases(self.looks, [1], known_outlines(self.looks, [Judgement("leg", 0.9, "A")], {}))
        self.assertEqual((case.ground, case.dice, case.area_error, unknown), ("A", 0.9, None, 0))

    def test_are_as_a_teachers_own_where_that_was_judged(self):
        self.looks.write(self.looks.judged("leg"), square(40))
        self.seen(1, "leg", square(20))
        ((case,), _) = judged_cases(self.looks, [1], known_outlines(self.looks, [Judgement("leg", 0.9, "A")], {1: [Judgement("leg", 0.3, "A")]}))
        self.assertFalse(case.good)

    def test_that_were_none_are_not_counted(self):
        file = Path(self.folder.name) / "judged.tsv"
        file.write_text("# Name, verdict, Dice, half.\na\tgood\t0.90\tA\nb\tno-outline\t\tB\n")
        self.assertEqual(read_judgements(file), [Judgement("a", 0.9, "A")])


class Trust(unittest.TestCase):
    def test_has_nothing_to_go_by_without_an_outline(self):
        self.assertIsNone(agreement_of(square(40, certain=0.4)))

    def test_is_full_where_every_pixel_is_certain(self):
        self.assertEqual(agreement_of(square(40)), 1)

    def test_rises_with_agreement(self):
        self.assertGreater(fit_score(cases(200))[1], 0)

    def test_counts_other_wounds_as_much_as_labelled_ones_however_few_they_are(self):
        sure_and_bad = [Case("A", f"A-{n}", 0.95, 0.1, None) for n in range(20)]
        alone, with_others = fit_score(cases(400)), fit_score(cases(400) + sure_and_bad)
        self.assertLess(with_others[0] + 3 * with_others[1], alone[0] + 3 * alone[1] - 0.5)

    def test_is_checked_on_groups_that_it_was_not_fitted_on(self):
        fit, check = halves(cases(40) + cases(10, "A") + cases(10, "B"))
        self.assertEqual({case.ground for case in fit}, {"labelled", "A"})
        self.assertFalse({case.group for case in fit} & {case.group for case in check})


class Steps(unittest.TestCase):
    def test_never_get_worse_as_the_agreement_rises(self):
        self.assertEqual(rising(np.array([0.2, 0.5, 0.3, 0.9]), np.ones(4)).tolist(), [0.2, 0.4, 0.4, 0.9])
        steps = fit_steps(cases(300), fit_score(cases(300)))
        for before, step in zip(steps, steps[1:]):
            self.assertGreater(step["agreement"], before["agreement"])
            for figure in ("dice", "lower", "upper"):
                self.assertGreaterEqual(step[figure], before[figure])
            self.assertLessEqual(step["areaPct"], before["areaPct"])

    def test_widen_no_bounds_of_outlines_that_are_reliable(self):
        steps = fit_steps(cases(300), fit_score(cases(300)))
        self.assertGreater(steps[0]["areaPct"], 0)
        self.assertEqual(steps[-1]["areaPct"], 0)


class Figures(unittest.TestCase):
    def test_confidence_that_is_right_as_often_as_it_says_has_no_error(self):
        stated = np.repeat([0.25, 0.75], 100)
        outcome = np.concatenate([np.arange(100) < 25, np.arange(100) < 75]).astype(float)
        self.assertAlmostEqual(expected_calibration_error(stated, outcome), 0)
        self.assertAlmostEqual(expected_calibration_error(stated, 1 - outcome), 0.5)

    def test_repeatability_is_one_standard_deviation_of_areas_of_one_wound(self):
        self.assertAlmostEqual(repeatability_pct([np.array([90.0, 110.0]), np.array([900.0, 1100.0])]), 100 * np.sqrt(200) / 100)


if __name__ == "__main__":
    unittest.main()
