"""A head says whether there is a wound by what it was fitted on, is judged on what it never saw, and says the same as ONNX."""

import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch

from wound_segmentation.export import ProbabilityNet, View
from wound_segmentation.int8 import from_heads_on
from wound_segmentation.lite_network import TAPS, LiteNet
from wound_segmentation.network import WoundSegmentationNet
from wound_segmentation.onnx_folder import write_onnx
from wound_segmentation.presence import Judged, Seen, calibration_of, decided, judged_by, share_right, threshold_of
from wound_segmentation.presence_head import LAYOUTS, PARTS, WIDTHS, PresenceHead, columns_of, evidence_parts, fit_head, load_head, save_head
from wound_segmentation.presence_pictures import Subject

# Names of what a network computes before its head.
NETWORK = ("/stem", "/stage", "/up")
ALL = sum(WIDTHS.values())


def subject(number: int, wound: bool, fold: int, area_px: float = 0) -> Subject:
    return Subject(f"medetec-other/{number}", "other" if wound else "healed", wound, fold, f"group-{number}", area_px)


def evidence(wound: torch.Tensor, seed: int = 1) -> torch.Tensor:
    """Noise, but for one figure of the map that says it."""
    made = torch.from_numpy(np.random.default_rng(seed).standard_normal((len(wound), ALL))).float()
    made[:, columns_of(("map",))[0]] += 6 * wound.float()
    return made


def fitted_head() -> PresenceHead:
    wound = torch.arange(60) % 2 == 0
    return PresenceHead(fit_head(("inside", "map"), evidence(wound), wound, 0.01), slope=1.5, offset=-0.5)


class Evidence(unittest.TestCase):
    def test_has_the_widths_that_are_stated(self) -> None:
        for network in (WoundSegmentationNet(), *(LiteNet(variant) for variant in TAPS)):
            with torch.no_grad():
                features = network.eval().encode(torch.rand(2, 3, 64, 96))
                parts = evidence_parts(features, network.decode(features)[0])
            widths = {name: part.shape[1] for name, part in parts.items()}
            self.assertEqual(widths, LAYOUTS[sum(widths.values())])
            self.assertEqual(tuple(parts), PARTS)

    def test_of_a_place_that_is_no_wound_does_not_reach_what_is_inside(self) -> None:
        deep, middle = torch.zeros(1, 192, 4, 4), torch.zeros(1, 128, 8, 8)
        deep[:, :, :, 2:], middle[:, :, :, 4:] = 9, 9
        logits = torch.full((1, 1, 128, 128), -20.0)
        logits[:, :, :, :64] = 20
        parts = evidence_parts((middle, deep), logits)
        self.assertLess(float(parts["inside"].max()), 0.01)
        self.assertLess(float(parts["inside_finer"].max()), 0.01)
        self.assertAlmostEqual(float(parts["mean"].max()), 4.5, places=3)


class AHead(unittest.TestCase):
    def test_tells_apart_what_it_was_fitted_on_however_few_have_none(self) -> None:
        wound = torch.arange(80) % 8 != 0
        logits = fit_head(("map",), evidence(wound), wound, 0.01).logits(evidence(wound, seed=2))
        self.assertGreater(float(logits[wound].min()), float(logits[~wound].max()))
        self.assertLess(float(logits[~wound].mean()), 0)

    def test_is_the_same_from_its_file(self) -> None:
        head = fitted_head()
        with tempfile.TemporaryDirectory() as folder:
            save_head(head, 0.123, 0.045, Path(folder) / "head.pt")
            again, manifest = load_head(Path(folder) / "head.pt")
        self.assertEqual(manifest, {"threshold": 0.123, "expectedCalibrationError": 0.045})
        logits = torch.tensor([[0.4], [-2.0]])
        self.assertTrue(torch.equal(head([logits]), again([logits])))

    def test_averages_the_log_odds_of_its_views_before_it_calibrates(self) -> None:
        said = fitted_head()([torch.tensor([[1.0]]), torch.tensor([[3.0]])])
        self.assertAlmostEqual(float(said), 1 / (1 + float(np.exp(-(1.5 * 2 - 0.5)))), places=5)

    def test_says_in_onnx_what_it_says_here_for_one_picture_and_for_two(self) -> None:
        torch.manual_seed(3)
        views = [View(1, mirrored=False), View(1, mirrored=True)]
        network = ProbabilityNet([WoundSegmentationNet().eval()], views, torch.zeros(192), torch.eye(192), fitted_head()).eval()
        pictures = torch.rand(2, 3, 64, 64)
        with tempfile.TemporaryDirectory() as folder, torch.no_grad():
            file = Path(folder) / "model.onnx"
            write_onnx(network, file, 64, ["probability", "novelty", "presence"])
            graph = onnx.load(str(file)).graph
            session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
            for some in (pictures, pictures[:1]):
                found = session.run(["presence"], {"image": some.numpy()})[0]
                self.assertEqual(found.shape, (len(some), 1))
                np.testing.assert_allclose(found, network(some)[2].numpy(), atol=1e-4)
        in_32_bits = set(from_heads_on(graph))
        made_by = {output: node for node in graph.node for output in node.output}
        # What every view adds to the answer, each from its own head on, never computes in 8 bits.
        self.assertTrue({"/head/Conv", "/head_1/Conv", made_by["presence"].name, made_by["probability"].name} <= in_32_bits)
        read_by = {name: other.name for other in graph.node for name in other.input}
        sums = [n.name for n in graph.node if n.op_type in ("Add", "Concat") and not n.name.startswith(NETWORK) and not read_by[n.output[0]].startswith(NETWORK)]
        self.assertGreater(len(sums), 2)
        self.assertTrue(set(sums) <= in_32_bits, sorted(set(sums) - in_32_bits))


class Judging(unittest.TestCase):
    def test_never_asks_a_head_that_was_fitted_on_the_part_it_judges(self) -> None:
        subjects = [subject(i, i % 2 == 0, i % 5) for i in range(50)]
        # In each part the figure says the opposite of what it says in the others: a head that saw the part would do better.
        plain = evidence(torch.tensor([s.wound != (s.fold == 0) for s in subjects]))
        judged = judged_by({0: Seen(subjects, plain[:, None].repeat(1, 2, 1), [], torch.zeros(0, ALL))}, ("map",))
        mine = [j for j in judged if j.subject.fold == 0]
        self.assertEqual(len(judged), 50)
        self.assertTrue(all((j.logit > 0) != j.subject.wound for j in mine))

    def test_of_a_part_whose_teacher_is_missing_is_nothing_said(self) -> None:
        """Another teacher may have been trained on it."""
        subjects = [subject(number, number % 2 == 0, number % 5) for number in range(100)]
        seen = Seen(subjects, evidence(torch.tensor([s.wound for s in subjects]))[:, None].repeat(1, 2, 1), [], torch.zeros(0, ALL))
        self.assertEqual({j.subject.fold for j in judged_by({0: seen, 3: seen}, ("map",))}, {0, 3})

    def test_counts_a_further_view_as_often_as_its_subject_says(self) -> None:
        wound = torch.arange(40) % 2 == 0
        subjects, further = [subject(i, bool(w), 1) for i, w in enumerate(wound)], [subject(40, True, 2), subject(41, False, 2)]
        plain, more = evidence(wound)[:, None].repeat(1, 2, 1), evidence(torch.tensor([False, True]), seed=5)

        def head(further: list[Subject], more: torch.Tensor) -> torch.Tensor:
            return Seen(subjects, plain, further, more).head_without(0, ("map",)).weights

        weighted = head([replace(further[0], times=3), further[1]], more)
        self.assertTrue(torch.equal(weighted, head([further[0]] * 3 + [further[1]], more[[0, 0, 0, 1]])))
        self.assertFalse(torch.equal(weighted, head(further, more)))

    def test_takes_the_threshold_that_finds_enough_of_every_kind(self) -> None:
        large = [Judged(subject(i, True, 0, 900), float(i)) for i in range(200)]
        small = [Judged(subject(i, True, 0, 300), i + 0.5) for i in range(100)]
        self.assertEqual(threshold_of(large), 2)
        self.assertEqual(threshold_of([*large, *(Judged(subject(i, True, 0, 300), 500.0) for i in range(9))]), 2)
        self.assertEqual(threshold_of([Judged(j.subject, j.logit + 50) for j in large] + small), 3.5)

    def test_decides_by_a_threshold_of_the_other_parts(self) -> None:
        judged = [Judged(subject(i, True, i % 5, 900), 10.0 if i % 5 else 1.0) for i in range(50)]
        said = decided(judged)
        self.assertTrue(all(wound == (s.fold != 0) for s, wound in said))

    def test_states_shares_with_intervals_by_group(self) -> None:
        said = [(subject(i, False, 0), i < 4) for i in range(20)]
        figures = share_right(said, lambda s: not s.wound)
        self.assertEqual((figures["pictures"], figures["right"]), (20, 0.8))
        self.assertTrue(figures["from"] < 0.8 < figures["to"])
        self.assertIsNone(share_right(said, lambda s: s.wound))

    def test_calibrates_log_odds_to_the_share_that_is_a_wound(self) -> None:
        rng = np.random.default_rng(4)
        logits = rng.normal(0, 2, 4000)
        judged = [Judged(subject(i, bool(rng.random() < 1 / (1 + np.exp(-2 * z + 1))), 0), float(z)) for i, z in enumerate(logits)]
        offset, slope = calibration_of(judged)
        self.assertAlmostEqual(slope, 2, delta=0.2)
        self.assertAlmostEqual(offset, -1, delta=0.2)


if __name__ == "__main__":
    unittest.main()
