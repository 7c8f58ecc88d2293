"""A head is fitted on further views of pictures: on those of dark skin more often than on others, with a wound and without one."""

import unittest
from collections import Counter

import torch

from tests.test_device_training import drawn_folder
from wound_segmentation.presence_pictures import LABELLED_EVERY, SCENES, Subject, as_seen, further_views, photo_of
from wound_segmentation.skin_tone import DARK_SKIN_TIMES
from wound_segmentation.wound_free import WoundFree

# As it is, and mirrored.
OF_DARK_SKIN = 2


def labelled(name: str) -> Subject:
    return Subject(name, "labelled", True, 0, name, 900)


def without_wound(name: str) -> Subject:
    set_, _, picture = name.partition("/")
    return Subject(name, "skin", False, 0, name, free=WoundFree(set_, picture, "skin"))


class FurtherViews(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = drawn_folder(self) / "data"

    def views(self, subjects: list[Subject], tones: dict[str, str]) -> list[tuple[torch.Tensor, Subject]]:
        return [(view, subject) for view, subject in further_views(subjects, self.folder, tones) if subject.kind != "drawn"]

    def counted(self, subjects: list[Subject], tones: dict[str, str]) -> Counter[str]:
        return Counter(subject.name for _, subject in self.views(subjects, tones))

    def test_are_one_of_every_second_labelled_picture_whose_skin_is_light_or_in_doubt(self) -> None:
        subjects = [labelled(f"fuseg/{picture:04}") for picture in range(5)]
        counted = self.counted(subjects, {"fuseg/0002": "doubtful", "fuseg/0003": "doubtful"})
        self.assertEqual(counted, {subject.name: 1 for subject in subjects[::LABELLED_EVERY]})

    def test_are_two_of_every_labelled_picture_of_dark_skin_and_count_more_often(self) -> None:
        views = self.views([labelled(f"fuseg/{picture:04}") for picture in range(4)], {"fuseg/0000": "dark", "fuseg/0001": "dark"})
        self.assertEqual(Counter(subject.name for _, subject in views), {"fuseg/0000": OF_DARK_SKIN, "fuseg/0001": OF_DARK_SKIN, "fuseg/0002": 1})
        self.assertEqual([subject.times for _, subject in views], [DARK_SKIN_TIMES] * 2 * OF_DARK_SKIN + [1])

    def test_are_as_many_of_dark_skin_without_a_wound(self) -> None:
        """Or a head would learn that dark skin itself is one."""
        views = self.views([without_wound("fuseg/0000"), without_wound("fuseg/0001")], {"fuseg/0000": "dark"})
        self.assertEqual([(subject.name, subject.times) for _, subject in views], [("fuseg/0000", DARK_SKIN_TIMES)] * OF_DARK_SKIN + [("fuseg/0001", 1)])
        self.assertFalse(any(subject.wound for _, subject in views))

    def test_show_dark_skin_as_the_service_sees_it(self) -> None:
        subject = labelled("fuseg/0000")
        views = [view for view, _ in self.views([subject], {"fuseg/0000": "dark"})]
        seen = as_seen(photo_of(subject, self.folder))
        self.assertTrue(torch.equal(views[0], seen))
        self.assertTrue(torch.equal(views[1], seen.flip(2)))

    def test_are_none_of_wounds_that_nobody_labelled_and_are_the_same_each_time(self) -> None:
        other = Subject("medetec-other/one", "other", True, 0, "one")
        self.assertEqual(self.views([other], {}), [])
        subjects, tones = [labelled("fuseg/0000"), without_wound("medetec-other/one"), labelled("fuseg/0003")], {"fuseg/0003": "dark"}
        first, again = self.views(subjects, tones), self.views(subjects, tones)
        self.assertTrue(all(torch.equal(a, b) for (a, _), (b, _) in zip(first, again, strict=True)))

    def test_end_with_drawn_scenes_that_show_no_wound(self) -> None:
        drawn = [subject for _, subject in further_views([], self.folder, {})]
        self.assertEqual(len(drawn), SCENES)
        self.assertFalse(any(subject.wound or subject.labelled for subject in drawn))


if __name__ == "__main__":
    unittest.main()
