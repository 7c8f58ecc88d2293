"""A student learns what its teachers believe where nothing was drawn over it, and never what a person has said is no wound."""

import argparse
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from wound_segmentation.augmentation import Augmenter, Recipe
from wound_segmentation.label_review import read_without_wound
from wound_segmentation.student import Unlabelled, believed_picture, read_belief, read_list, without_wound_pictures
from wound_segmentation.wound_free import WoundFree

SIDE = 96
PLAIN = Recipe(scenery=False, whole_share=1, belief_share=0.5)


def photo() -> torch.Tensor:
    return torch.full((3, SIDE, SIDE), 180, dtype=torch.uint8)


def plane(value: int) -> torch.Tensor:
    return torch.full((1, SIDE, SIDE), value, dtype=torch.uint8)


class AView(unittest.TestCase):
    def middle(self, recipe: Recipe, *picture: torch.Tensor) -> float:
        return float(Augmenter(64, 3, recipe).view(*picture)[1][0, 32, 32])

    def test_of_a_picture_without_a_belief_has_its_label(self) -> None:
        self.assertEqual(self.middle(PLAIN, photo(), plane(1)), 1)

    def test_has_half_of_the_label_and_half_of_the_belief(self) -> None:
        self.assertAlmostEqual(self.middle(PLAIN, photo(), plane(1), plane(51)), 0.6, places=3)
        self.assertAlmostEqual(self.middle(PLAIN, photo(), plane(0), plane(255)), 0.5, places=3)

    def test_leaves_the_belief_alone_where_the_recipe_has_no_share_for_it(self) -> None:
        self.assertEqual(self.middle(Recipe(scenery=False, whole_share=1), photo(), plane(0), plane(255)), 0)

    def test_does_not_ask_the_belief_where_a_wound_was_drawn_into_it(self) -> None:
        wound = torch.zeros((1, SIDE, SIDE), dtype=torch.uint8)
        wound[:, 30:60, 30:60] = 1
        scenery = Recipe(whole_share=1, belief_share=1, eschar_share=1)
        drawn = believed = 0
        for seed in range(40):
            label = Augmenter(64, seed, scenery).view(photo(), wound, torch.zeros_like(wound))[1]
            drawn += float(label.sum()) > 0
            believed += float(label.sum()) == 0
        # Crusts reach beyond the wound now and then; what they add is label, whatever the teachers believe.
        self.assertGreater(drawn, 0)
        self.assertGreater(believed, 0)

    def test_with_the_same_seed_is_the_same_with_a_belief_and_without(self) -> None:
        views = [Augmenter(64, 9, Recipe(whole_share=0.5, belief_share=0.5)).view(photo(), plane(0), *more)[0] for more in ([], [plane(9)])]
        self.assertTrue(torch.equal(*views))


class UnlabelledPictures(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in ("images", "beliefs"):
            (self.folder / name).mkdir()
        for name, belief in (("foot", 200), ("scar", 200), ("doubt", 20)):
            Image.new("RGB", (8, 6), (180, 150, 130)).save(self.folder / "images" / f"{name}.webp", lossless=True)
            Image.fromarray(np.full((6, 8), belief, np.uint8)).save(self.folder / "beliefs" / f"{name}.png")

    def test_need_two_folders(self) -> None:
        with self.assertRaises(argparse.ArgumentTypeError):
            Unlabelled.parse("images")

    def test_are_labelled_by_belief_but_where_a_person_saw_no_wound(self) -> None:
        given = Unlabelled.parse(f"{self.folder}/images={self.folder}/beliefs").load({"scar"})
        self.assertEqual([[int(plane.max()) for plane in picture[1:]] for picture in given], [[0, 0], [1, 200], [0, 0]])

    def test_are_not_believed_below_a_tenth(self) -> None:
        self.assertEqual(int(read_belief(self.folder / "beliefs" / "doubt.png").max()), 0)
        self.assertEqual(int(believed_picture(photo(), plane(128))[1].max()), 1)


class WindowsWithoutAWound(unittest.TestCase):
    def test_are_pictures_of_their_own_but_those_of_photos_that_are_left_out(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder)
            (data / "fuseg" / "images").mkdir(parents=True)
            for name in ("0001", "0002"):
                Image.new("RGB", (40, 30), (180, 150, 130)).save(data / "fuseg" / "images" / f"{name}.webp")
            windows = [WoundFree("fuseg", name, "skin", (4, 2, 20, 10)) for name in ("0001", "0002")]
            pictures = without_wound_pictures(data, windows, {"fuseg/0002"})
        self.assertEqual([[tuple(plane.shape) for plane in picture] for picture in pictures], [[(3, 10, 20), (1, 10, 20)]])
        self.assertEqual(int(pictures[0][1].max()), 0)


class Lists(unittest.TestCase):
    def file(self, text: str) -> Path:
        with tempfile.NamedTemporaryFile("w", delete=False) as file:
            file.write(text)
        self.addCleanup(Path(file.name).unlink)
        return Path(file.name)

    def test_of_photos_without_a_wound_hold_no_doubtful_one(self) -> None:
        self.assertEqual(read_without_wound(self.file("# head\na\thealed\nb\tdoubtful\nc\topen\nd\tdressing\n")), {"a", "d"})

    def test_of_pictures_left_out_have_a_name_a_line(self) -> None:
        self.assertEqual(read_list(self.file("# head\n0001\n\n0002\n")), {"fuseg/0001", "fuseg/0002"})
        self.assertEqual(read_list(None), set())


if __name__ == "__main__":
    unittest.main()
