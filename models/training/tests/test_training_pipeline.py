"""A teacher on a pretrained encoder that was stopped goes on as if it never had been, and sees nothing of its own fold."""

import json
import os
import signal
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import torch
from PIL import Image

from tests.test_device_training import drawn_folder
from tests.test_teacher import drawn_pictures
from training import __main__ as pipeline
from training import beliefs, committed, compare, ship, student, teachers
from training.recipe import RECIPE, Cycles, LiteRun, new_or_resumed
from wound_segmentation import folds
from wound_segmentation.folds import Fold
from wound_segmentation.network import WoundSegmentationNet
from wound_segmentation.schedule import Schedule, Stage
from wound_segmentation.small_wounds import SmallWounds
from wound_segmentation.teacher import Views, is_finished, train_steps

SCHEDULE = Schedule((Stage(5, 64, 2),), peak_learning_rate=1e-3, warm_up_steps=2)
SEED = 5


class ATeacherThatWasStopped(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def trained(self, name: str, *, stop_at: int | None = None) -> LiteRun:
        run = new_or_resumed(self.folder / name, SEED, torch.device("cpu"), variant=0)
        step = run.step

        def stopping(*given: object) -> float:
            if run.steps + 1 == stop_at:
                os.kill(os.getpid(), signal.SIGTERM)
            return step(*given)

        run.step = stopping
        views = Views(drawn_pictures(3), SEED, SCHEDULE, RECIPE, SmallWounds([]))
        with mock.patch("builtins.print"):
            self.assertEqual(train_steps(run, 0, views, drawers=0), stop_at is None)
        return run

    def test_ends_with_the_weights_of_one_that_was_not(self) -> None:
        whole = self.trained("whole")
        self.assertEqual(self.trained("parts", stop_at=3).steps, 3)
        parts = self.trained("parts")
        self.assertEqual(parts.steps, SCHEDULE.steps)
        for (name, one), other in zip(whole.average.state_dict().items(), parts.average.state_dict().values(), strict=True):
            self.assertTrue(torch.equal(one, other), name)

    def test_learns_in_two_rates(self) -> None:
        run = self.trained("whole")
        encoder, decoder = (group["lr"] for group in run.optimiser.param_groups)
        self.assertAlmostEqual(encoder, 0.4 * decoder)


class AFurtherStage(unittest.TestCase):
    def test_changes_no_rate_before_it_and_begins_anew_from_a_lower_peak(self) -> None:
        first, both = Stage(100, 64, 2), (Stage(100, 64, 2), Stage(300, 96, 2))
        one, two = (Cycles(stages, peak_learning_rate=1e-3, warm_up_steps=10) for stages in ((first,), both))
        self.assertEqual([one.learning_rate(step) for step in range(100)], [two.learning_rate(step) for step in range(100)])
        self.assertLess(two.learning_rate(99), 1e-5)
        self.assertAlmostEqual(max(two.learning_rate(step) for step in range(100, 300)), 1e-3 * 2 / 3, delta=1e-5)
        self.assertLess(two.learning_rate(299), 1e-5)


class OtherWounds(unittest.TestCase):
    def test_of_the_fold_itself_and_without_a_wound_are_not_shown_as_believed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            data, beliefs = Path(folder) / "data", Path(folder) / "beliefs"
            for place in (data / teachers.OTHER, beliefs):
                place.mkdir(parents=True)
            for name in ("own", "another", "healed"):
                Image.new("RGB", (8, 8)).save(data / teachers.OTHER / f"{name}.webp")
                Image.new("L", (8, 8), 200).save(beliefs / f"{name}.png")
            patches = {"fold_of_photo": lambda name, _: int(name.endswith("own")), "read_without_wound": lambda _: {"healed"}}
            labelled = mock.Mock(folds=lambda: [])
            with mock.patch.multiple(teachers, **patches, data_of=lambda _: labelled):
                shown = teachers.believed_others(Fold(1, Path(folder), None), data, beliefs)
        self.assertEqual(len(shown), 1)
        self.assertEqual(int(shown[0][2].max()), 200)


class TheCommand(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = drawn_folder(self)
        self.data, self.work = self.folder / "data", self.folder / "work"
        shortest = Schedule((Stage(2, 64, 2),), peak_learning_rate=1e-3)
        for patch in (
            mock.patch.multiple(teachers, read_without_wound=lambda _: set(), without_wound=lambda *_: []),
            mock.patch.multiple(student, SCHEDULE=shortest, COMMITTED=self.folder / "kept" / "student.pt", read_windows=lambda _: []),
            mock.patch.object(teachers.train_teacher, "__defaults__", (0, shortest)),
            mock.patch.object(pipeline, "KEPT", self.folder / "kept"),
            mock.patch.object(beliefs, "old_teacher", lambda _: WoundSegmentationNet()),
            mock.patch.object(folds, "INPUT_SIZE", 64),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def run_command(self, step: str, *more: str) -> str:
        """What it says last."""
        arguments = ["training", step, "--data", str(self.data), "--work", str(self.work), "--variant", "0", "--drawers", "0", *more]
        with mock.patch.object(sys, "argv", arguments), mock.patch("builtins.print") as said:
            given = pipeline.parsed()
            self.assertTrue(pipeline.STEPS[step](given))
        return str(said.call_args.args[0]) if said.call_args else ""

    def test_trains_a_teacher_and_a_student_and_keeps_weights_that_are_small(self) -> None:
        self.run_command("teachers", "--only", "0")
        fold = Fold(0, self.work / "teachers", self.folder / "kept")
        self.assertEqual(folds.predicted_step(fold), 2)
        self.assertTrue((self.work / "beliefs" / "fold-0" / teachers.OTHER / "one.png").exists())
        self.assertIn('"step": 2', self.run_command("student"))
        self.run_command("keep", "--only", "0", "--out", str(fold.weights))
        kept = torch.load(fold.committed, weights_only=True)
        self.assertEqual((kept["average"]["head.weight"].dtype, kept["kind"]["variant"]), (torch.float16, 0))
        again = folds.load_average(fold.committed)
        self.assertEqual(len(again.widths), 5)
        with mock.patch.object(teachers, "train_steps", side_effect=AssertionError("trained again")):
            self.run_command("teachers", "--only", "0")
        elsewhere = Fold(0, self.folder / "elsewhere", fold.weights)
        run, begun_at = self.begun(elsewhere.run, fold.committed)
        self.assertEqual((run.steps, begun_at), (2, 2))
        self.assertTrue(torch.equal(run.network.head.weight.half(), kept["average"]["head.weight"]))
        self.assertEqual(self.begun(elsewhere.run, fold.committed)[1], 2)
        self.assertEqual(self.begun(self.folder / "next", fold.weights / "student.pt")[1], 2)

    def test_adopts_committed_weights_and_trains_nothing_and_refuses_those_of_half_a_training(self) -> None:
        self.run_command("teachers", "--only", "0")
        self.run_command("student")
        kept = self.folder / "kept"
        self.run_command("keep", "--only", "0", "--out", str(kept))
        data, elsewhere = self.data, self.folder / "elsewhere"
        with self.assertRaisesRegex(SystemExit, "There are no weights .*fold-1.pt"):
            committed.adopt([1], data, elsewhere, 0, kept, kept / "student.pt")
        with mock.patch.object(teachers, "train_steps", side_effect=AssertionError("trained")):
            committed.adopt([0], data, elsewhere, 0, kept, kept / "student.pt")
        names = [sorted(file.name for file in (work / "teachers" / "fold-0" / "out-of-fold").rglob("*.png")) for work in (self.work, elsewhere)]
        self.assertEqual(names[0], names[1])
        self.assertTrue(is_finished(elsewhere / "student"))
        with mock.patch.object(committed, "predict_fold", side_effect=AssertionError("outlined again")):
            committed.adopt([0], data, elsewhere, 0, kept, kept / "student.pt")
        description = teachers.read_description(elsewhere / "student")
        teachers.write_description(elsewhere / "student", description | {"steps": 9})
        with self.assertRaisesRegex(SystemExit, "student has not ended"):
            committed.adopt([0], data, elsewhere, 0, kept, kept / "student.pt")

    def begun(self, folder: Path, committed: Path) -> tuple[LiteRun, int]:
        return teachers.begun(folder, committed, SEED, torch.device("cpu"), 0)

    def test_runs_all_steps_in_their_order_and_none_after_one_that_was_asked_to_stop(self) -> None:
        for stopped_at, expected in ((None, ["teachers", "figures", "student", "shipped"]), ("student", ["teachers", "figures", "student"])):
            ran: list[str] = []

            def noting(name: str) -> Callable[[object], bool]:
                return lambda _: ran.append(name) or name != stopped_at

            steps = {name: noting(name) for name in ("teachers", "figures", "student", "shipped")}
            with mock.patch.multiple(pipeline, **steps):
                self.assertEqual(pipeline.every(mock.Mock()), stopped_at is None)
            self.assertEqual(ran, expected)

    def test_ships_by_commands_and_options_that_are_there(self) -> None:
        source = Path(ship.__file__).parent.parent / "wound_segmentation"
        made = ship.commands(self.data, self.work, "0.8.0", self.folder)
        self.assertEqual([command[0] for command in made], ["presence", "presence", "export", "export", "looks", "calibrate", "familiarity", "golden"])
        for module, *arguments in made:
            for option in (part for part in arguments if part.startswith("--")):
                self.assertIn(f'"{option}"', (source / f"{module}.py").read_text(), f"{module} {option}")

    def test_ships_from_the_command_that_a_stop_left(self) -> None:
        made = ship.commands(self.data, self.work, "0.8.0", None)
        with self.assertRaisesRegex(SystemExit, "no step exports; there are presence, export, looks"):
            ship.since(made, "exports")
        self.assertEqual([command[0] for command in ship.since(made, "looks")], ["looks", "calibrate", "golden"])
        self.assertEqual(ship.since(made, None), made)

    def test_compares_in_as_many_steps_as_the_same_time_holds(self) -> None:
        (self.work).mkdir()
        for variant, seconds in ((0, 1.0), (2, 2.5)):
            (self.work / f"lite{variant}-seconds.json").write_text(json.dumps(seconds))
        self.assertEqual([compare.of_minutes(variant, 10, self.work).steps for variant in (0, 2)], [600, 240])


if __name__ == "__main__":
    unittest.main()
