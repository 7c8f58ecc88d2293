"""The tone of the skin beside a wound, and what outlines are worth by it."""

import tempfile
import unittest
from pathlib import Path

import numpy as np

from wound_segmentation.found_outlines import SeenPicture, Shown, outlines_in
from wound_segmentation.label_review import REVIEW_FILE
from wound_segmentation.skin_tone import CLASSES, angle_of, class_of, lab, read_tones, skin_beside, typology_angle
from wound_segmentation.skin_tone_figures import LIGHTER, Toned, behind, figures_of, toned
from wound_segmentation.out_of_fold import Outlined

LIGHT_SKIN, DARK_SKIN, WOUND, CLOTH = (222, 184, 160), (84, 56, 44), (150, 30, 34), (40, 110, 170)


def photo_with(skin: tuple[int, int, int], side: int = 200) -> tuple[np.ndarray, np.ndarray]:
    photo, label = np.zeros((side, side, 3), np.uint8), np.zeros((side, side), bool)
    photo[:, 40:] = skin
    photo[:40, 40:] = CLOTH
    label[90:110, 90:110] = True
    photo[label] = WOUND
    return photo, label


class TheAngle(unittest.TestCase):
    def test_of_colours_is_that_of_the_definition(self):
        white, grey = lab(np.array([[255, 255, 255], [119, 119, 119]], np.uint8))
        self.assertAlmostEqual(white[0], 100, places=2)
        self.assertAlmostEqual(grey[0], 50, delta=0.2)
        self.assertAlmostEqual(float(typology_angle(np.array([60.0, 10.0, 10.0]))), 45)
        self.assertAlmostEqual(float(typology_angle(np.array([40.0, 10.0, 10.0]))), -45)

    def test_of_a_photo_is_that_of_its_skin_without_wound_cloth_and_padding(self):
        for skin in (LIGHT_SKIN, DARK_SKIN):
            photo, label = photo_with(skin)
            beside = skin_beside(photo, label)
            self.assertTrue((photo[beside] == skin).all())
            self.assertAlmostEqual(angle_of(photo, label), float(typology_angle(lab(np.array(skin, np.uint8)))))

    def test_of_a_picture_without_a_label_is_read_from_all_of_its_skin(self):
        photo, label = photo_with(DARK_SKIN)
        self.assertEqual(class_of(angle_of(photo, label & False)), "dark")

    def test_is_none_where_no_skin_is_seen(self):
        self.assertIsNone(angle_of(np.full((100, 100, 3), CLOTH, np.uint8), np.zeros((100, 100), bool)))

    def test_falls_into_the_class_of_the_literature(self):
        self.assertEqual([class_of(angle) for angle in (70, 50, 30, 20, 0, -40, -90)], [*CLASSES, "dark"])


class TheList(unittest.TestCase):
    def test_names_each_picture_of_feet_once_and_keeps_no_wrong_word(self):
        tones = read_tones()
        self.assertEqual({tone for tone in tones.values()}, {"dark", "doubtful"})
        self.assertTrue(all(name.startswith("fuseg/") for name in tones))

    def test_with_another_word_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "tones.tsv"
            file.write_text("fuseg/0001\tbeige\t\n")
            with self.assertRaises(SystemExit):
                read_tones(file)

    def test_has_one_verdict_for_a_series_of_one_wound(self):
        tones = read_tones()
        for line in (REVIEW_FILE.parent / "fuseg-series.txt").read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                seen = {tones.get(f"fuseg/{picture}", LIGHTER) for picture in line.split()}
                self.assertEqual(len(seen), 1, line)


def picture(number: int, wrong: bool = False, found: bool = True) -> SeenPicture:
    label = np.zeros((64, 64), bool)
    label[20:40, 20:40] = True
    probability = np.where(label & found, 0.9, 0.05).astype(np.float32)
    shown = Shown(f"fuseg/{number:04d}", 0, number, wrong)
    return SeenPicture(shown, probability, label, outlines_in(shown, probability, label, {}))


def one(tone: str, group: int, dice: float, seen_px: float = 1000) -> Toned:
    return Toned(tone, group, Outlined(f"fuseg/{group:04d}", 1000, 1000, round(1000 * dice), seen_px), (True,))


class FiguresByTone(unittest.TestCase):
    def test_leave_out_wrong_labels_and_pictures_without_a_label(self):
        empty = SeenPicture(Shown("fuseg/0099", 0, 99, False), np.zeros((64, 64), np.float32), np.zeros((64, 64), bool), [])
        kept = toned([*(picture(n) for n in range(20)), picture(50, wrong=True), empty], lambda _: "dark")
        self.assertEqual(len(kept), 20)
        self.assertTrue(all(len(p.held) == 1 for p in kept))

    def test_count_what_was_missed(self):
        kept = toned([*(picture(n) for n in range(20)), picture(30, found=False)], lambda _: "dark")
        self.assertEqual(figures_of(kept)["missed"], 1)
        self.assertAlmostEqual(figures_of(kept)["meanDice"]["value"], 20 / 21, places=3)

    def test_say_how_far_one_tone_is_behind_with_an_interval(self):
        pictures = [one("dark", n, 0.7) for n in range(30)] + [one(LIGHTER, 100 + n, 0.8) for n in range(30)]
        said = behind(pictures, "dark", LIGHTER, same_size=False)
        self.assertAlmostEqual(said["value"], -0.1, places=3)
        self.assertTrue(said["from"] <= said["value"] <= said["to"])

    def test_at_the_same_size_do_not_blame_the_tone_for_small_wounds(self):
        pictures = [one("dark", n, 0.6, 300) for n in range(20)] + [one(LIGHTER, 100 + n, 0.6, 300) for n in range(5)] + [one(LIGHTER, 200 + n, 0.9, 9000) for n in range(20)]
        self.assertLess(behind(pictures, "dark", LIGHTER, same_size=False)["value"], -0.2)
        self.assertAlmostEqual(behind(pictures, "dark", LIGHTER, same_size=True)["value"], 0, places=3)


if __name__ == "__main__":
    unittest.main()
