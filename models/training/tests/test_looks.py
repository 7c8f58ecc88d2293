"""What a teacher is shown besides its held-out pictures: windows without a wound, and photos taken anew."""

import tempfile
import unittest
from pathlib import Path

import numpy as np
from PIL import Image

from wound_segmentation.looks import Looks, unseen_others, window_without_wound
from wound_segmentation.retakes import RETAKE_ZOOM, retake

PHOTO = Image.fromarray(np.random.default_rng(1).integers(60, 200, (390, 560, 3), np.uint8))


def windows(photo: Image.Image, label: np.ndarray) -> list[Image.Image]:
    drawn = [window_without_wound(photo, label, np.random.default_rng(seed)) for seed in range(40)]
    return [window for window in drawn if window is not None]


class Windows(unittest.TestCase):
    def test_are_none_where_the_wound_fills_the_photo(self):
        self.assertEqual(windows(PHOTO, np.ones((390, 560), bool)), [])

    def test_are_none_of_black_padding(self):
        self.assertEqual(windows(Image.new("RGB", (560, 390)), np.zeros((390, 560), bool)), [])

    def test_hold_nothing_that_is_labelled(self):
        label = np.zeros((390, 560), bool)
        label[:, :200] = True
        marked = np.array(PHOTO)
        marked[label] = (255, 0, 255)
        found = windows(Image.fromarray(marked), label)
        self.assertGreater(len(found), 5)
        for window in found:
            self.assertFalse((np.asarray(window) == (255, 0, 255)).all(2).any())

    def test_fit_into_a_photo_that_is_hardly_larger(self):
        small = PHOTO.crop((0, 0, 300, 200))
        self.assertEqual({window.size for window in windows(small, np.zeros((200, 300), bool))}, {(192, 192)})

    def test_that_a_photo_does_not_give_have_no_peak(self):
        with tempfile.TemporaryDirectory() as folder:
            looks = Looks(Path(folder))
            file = looks.window(0, "fuseg/0001")
            file.parent.mkdir(parents=True)
            file.write_text("")
            self.assertIsNone(looks.window_peak(0, "fuseg/0001"))
            self.assertIsNone(looks.retaken_areas(0, "fuseg/0001"))


class OtherWounds(unittest.TestCase):
    PHOTOS = [Path("medetec-other") / f"case-{number}-photo.webp" for number in range(60)]

    def test_are_shown_to_every_teacher_that_was_trained_on_none(self):
        self.assertEqual(unseen_others(self.PHOTOS, 3, False, {}), self.PHOTOS)

    def test_are_shown_to_one_teacher_each_where_teachers_saw_those_of_other_folds(self):
        parts = [unseen_others(self.PHOTOS, fold, True, {}) for fold in range(5)]
        self.assertEqual(sorted(photo for part in parts for photo in part), sorted(self.PHOTOS))
        self.assertTrue(all(0 < len(part) < len(self.PHOTOS) for part in parts))

    def test_are_shown_to_the_teacher_of_the_fold_that_holds_their_picture(self):
        photo = Path("medetec-other") / "leg.webp"
        self.assertEqual([fold for fold in range(5) if unseen_others([photo], fold, True, {"medetec-other/leg": 2})], [2])


class Retakes(unittest.TestCase):
    def test_have_the_size_of_the_photo_and_say_how_much_larger_things_are(self):
        for seed in range(5):
            again, enlarged = retake(PHOTO, np.random.default_rng(seed))
            self.assertEqual(again.size, PHOTO.size)
            self.assertLessEqual(abs(np.log(enlarged)), 2 * RETAKE_ZOOM)


if __name__ == "__main__":
    unittest.main()
