"""Every listed picture can be read, shows no labelled wound, and stands in the fold of its photo."""

import os
import tempfile
import unittest
from collections import Counter
from pathlib import Path

import numpy as np
from PIL import Image

from wound_segmentation.folds import FOLDS
from wound_segmentation.out_of_fold import SERIES_FILE, read_series
from wound_segmentation.wound_free import (
    KINDS,
    WINDOWS_FILE,
    WoundFree,
    drawn_scenes,
    fold_of_photo,
    photo_file,
    read_windows,
    read_wound_free,
    right_empty_labels,
    series_of,
)

HEAD = "set\tid\tx\ty\twidth\theight\tkind\tnote\n"
# The folder that holds fuseg, medetec-560, medetec-other and fuseg-unlabelled.
DATA = Path(os.environ.get("SUTURA_TRAINING_DATA", "/nowhere"))
# A window shows at least so much, where the longer side of its photo is 512.
LEAST_SIDE_PX = 192
SEEN_SIDE_PX = 512


class AList(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def written(self, *lines: str) -> Path:
        file = self.folder / "list.tsv"
        file.write_text("# a comment\n" + HEAD + "".join(line + "\n" for line in lines))
        return file

    def test_with_an_unknown_kind_or_set_is_refused(self) -> None:
        for line in ("fuseg\t0001\t0\t0\t200\t200\twound\t", "elsewhere\t0001\t0\t0\t200\t200\tskin\t"):
            with self.assertRaises(SystemExit):
                read_windows(self.written(line))

    def test_says_which_windows_are_hard(self) -> None:
        windows = read_windows(self.written("fuseg\t0001\t0\t0\t200\t200\tskin\thard; heel", "medetec-560\t0004\t8\t9\t210\t220\ttoes\tnail"))
        self.assertEqual([window.hard for window in windows], [True, False])
        self.assertEqual(windows[1].box, (8, 9, 210, 220))
        self.assertEqual(windows[1].name, "medetec/0004")

    def test_gives_the_pixels_of_the_window_and_of_the_photo(self) -> None:
        pixels = np.arange(6 * 8 * 3, dtype=np.uint8).reshape(6, 8, 3)
        file = photo_file(self.folder, "medetec-other", "a--b")
        file.parent.mkdir(parents=True)
        Image.fromarray(pixels).save(file, lossless=True)
        self.assertTrue(np.array_equal(WoundFree("medetec-other", "a--b", "skin", (2, 1, 5, 4)).load(self.folder), pixels[1:5, 2:7]))
        self.assertEqual(WoundFree("medetec-other", "a--b", "skin").load(self.folder).shape, (6, 8, 3))

    def test_takes_right_labels_alone_that_are_empty(self) -> None:
        masks = self.folder / "fuseg" / "masks"
        masks.mkdir(parents=True)
        for picture, value in {"0001": 0, "0002": 255, "0003": 0, "0004": 0}.items():
            Image.fromarray(np.full((4, 4), value, np.uint8)).save(masks / f"{picture}.png")
        review = self.folder / "review.tsv"
        review.write_text("fuseg/0001\tright\tcallus, no break seen\nfuseg/0002\tright\toutline differs\nfuseg/0003\twrong\tempty\nfuseg/0004\tright\tpink scar\n")
        found = right_empty_labels(review, self.folder)
        self.assertEqual([(one.id, one.kind) for one in found], [("0001", "callus"), ("0004", "healed")])


class Folds(unittest.TestCase):
    def test_of_a_labelled_photo_is_its_own(self) -> None:
        self.assertEqual(fold_of_photo("fuseg/0001", {"fuseg/0001": 3}), 3)

    def test_of_one_case_are_one(self) -> None:
        of_case = ["medetec-other/meningitis--meningitis-case-1-hand-2", "medetec-other/meningitis--meningitis-case-1-elbow-5-1"]
        numbered = ["medetec-other/leg-ulcer-images--leg-ulcers-0015", "medetec-other/leg-ulcer-images--leg-ulcers-0038"]
        for names in (of_case, numbered):
            self.assertEqual(len({series_of(name) for name in names}), 1)
            self.assertEqual(len({fold_of_photo(name, {}) for name in names}), 1)
        self.assertNotEqual(series_of("fuseg-unlabelled/1011"), series_of("fuseg-unlabelled/1012"))

    def test_of_a_photo_that_stands_in_two_sets_is_that_of_the_labelled_one(self) -> None:
        name = "medetec-other/pressure-ulcer-images-a--pressure-ulcer-on-foot-0049"
        self.assertEqual([fold_of_photo(name, {"medetec/0029": fold}) for fold in range(FOLDS)], list(range(FOLDS)))


class DrawnScenes(unittest.TestCase):
    def test_are_as_many_as_asked_for_and_the_same_from_one_seed(self) -> None:
        first, again, other = drawn_scenes(9, 1, 64), drawn_scenes(9, 1, 64), drawn_scenes(9, 2, 64)
        self.assertEqual([scene.shape for scene in first], [(64, 64, 3)] * 9)
        self.assertTrue(all(np.array_equal(a, b) for a, b in zip(first, again, strict=True)))
        self.assertFalse(all(np.array_equal(a, b) for a, b in zip(first, other, strict=True)))


class TheListedWindows(unittest.TestCase):
    def test_are_of_many_kinds_and_at_most_two_of_a_photo(self) -> None:
        windows = read_windows(WINDOWS_FILE)
        kinds = Counter(window.kind for window in windows)
        self.assertGreaterEqual(len(windows), 60)
        self.assertLessEqual(set(kinds), set(KINDS))
        for together in (("skin",), ("toes",), ("dressing", "cloth"), ("object", "scene")):
            self.assertGreaterEqual(sum(kinds[kind] for kind in together), 15)
        self.assertLessEqual(max(Counter(window.name for window in windows).values()), 2)

    def test_are_of_one_photo_of_a_series(self) -> None:
        listed = {window.name for window in read_windows(WINDOWS_FILE)}
        self.assertEqual([series for series in read_series(SERIES_FILE) if len(listed & set(series)) > 1], [])

    @unittest.skipUnless(DATA.exists(), "SUTURA_TRAINING_DATA does not name the folder of the training data")
    def test_lie_inside_their_photo_and_clear_of_its_label(self) -> None:
        for window in read_windows(WINDOWS_FILE):
            with self.subTest(name=window.name):
                with Image.open(photo_file(DATA, window.set, window.id)) as photo:
                    width, height = photo.size
                left, top, across, down = window.box
                self.assertTrue(left >= 0 and top >= 0 and left + across <= width and top + down <= height)
                self.assertGreaterEqual(min(across, down) * SEEN_SIDE_PX / max(width, height), LEAST_SIDE_PX)
                mask = DATA / window.set / "masks" / f"{window.id}.png"
                if mask.exists():
                    label = np.asarray(Image.open(mask).convert("L")) > 127
                    self.assertFalse(label[top : top + down, left : left + across].any())

    @unittest.skipUnless(DATA.exists(), "SUTURA_TRAINING_DATA does not name the folder of the training data")
    def test_and_the_whole_photos_stand_in_all_folds(self) -> None:
        every = read_wound_free(DATA)
        self.assertEqual({one.fold for one in every}, set(range(FOLDS)))
        of_photo: dict[str, set[int]] = {}
        for one in every:
            of_photo.setdefault(one.name, set()).add(one.fold)
        self.assertEqual([name for name, folds in of_photo.items() if len(folds) > 1], [])


if __name__ == "__main__":
    unittest.main()
