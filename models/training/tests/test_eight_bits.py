"""A network that is made ready for 8 bits says what it said, and loses less in them than one whose weights are rounded each for itself."""

import copy
import tempfile
import unittest
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from torch import nn

from wound_segmentation.eight_bits import FoldedConv, FoldedNet, Inputs, equalise, nearest_on_grid, ready_for_eight_bits, rescaled, rounded
from wound_segmentation.export import ProbabilityNet, View
from wound_segmentation.int8 import named_ranges, quantise
from wound_segmentation.lite_network import LiteNet
from wound_segmentation.onnx_folder import write_onnx
from wound_segmentation.presence_head import Fitted, PresenceHead

SIDE = 64


def begun(seed: int = 1) -> LiteNet:
    """As training begins, with a head that says something."""
    torch.manual_seed(seed)
    network = LiteNet(0, pretrained=True).eval()
    nn.init.normal_(network.head.weight, std=0.3)
    return network


def photos(count: int) -> torch.Tensor:
    """Soft shapes, normalised: [count, 3, SIDE, SIDE]."""
    drawn = torch.rand(count, 3, 8, 8, generator=torch.Generator().manual_seed(2))
    return nn.functional.interpolate(drawn, size=SIDE, mode="bicubic", align_corners=False) * 3 - 1.5


def head_of(network: LiteNet) -> PresenceHead:
    count = network.widths[-1] + 6
    drawn = torch.Generator().manual_seed(3)
    fitted = Fitted(("inside", "map"), torch.zeros(count), torch.rand(count, generator=drawn) + 1, torch.randn(count, generator=drawn) / 10, 0.1)
    return PresenceHead(fitted, 1.0, 0.0)


class WeightsRoundedTogether(unittest.TestCase):
    def test_keep_what_a_filter_says_of_neighbours_that_are_alike(self) -> None:
        exact = torch.tensor([[[10.0, 0.4, 0.4, 0.4, 0.4]]], dtype=torch.float64)
        alike = torch.ones(1, 5, 5, dtype=torch.float64) + 0.01 * torch.eye(5, dtype=torch.float64)
        found = nearest_on_grid(exact, alike, 64)
        self.assertAlmostEqual(float(found.sum()), float(exact.sum()), delta=0.5)
        self.assertEqual(float(found[0, 0, 0]), 10)

    def test_are_the_nearest_where_what_they_read_has_nothing_in_common(self) -> None:
        exact = torch.randn(1, 3, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(4)) * 9
        self.assertTrue(torch.equal(nearest_on_grid(exact, torch.eye(6, dtype=torch.float64)[None], 64), exact.round()))

    def test_stay_in_their_range(self) -> None:
        exact = torch.tensor([[[64.0, 63.6, 63.6]]], dtype=torch.float64)
        alike = torch.ones(1, 3, 3, dtype=torch.float64) + 0.01 * torch.eye(3, dtype=torch.float64)
        self.assertLessEqual(float(nearest_on_grid(exact, alike, 64).abs().max()), 64)

    def test_leave_the_mean_of_what_is_said(self) -> None:
        torch.manual_seed(5)
        conv, norm = nn.Conv2d(4, 6, 3, padding=1, bias=False), nn.BatchNorm2d(6).eval()
        folded, x = FoldedConv(conv, norm), torch.rand(1, 4, 40, 40) + 1
        read = Inputs(folded)
        read.add(x)
        before = folded(x)
        folded.round_to(*read.figures())
        self.assertLess(float((folded(x) - before).mean((0, 2, 3)).abs().max()), 5e-3)


class ANetworkReadyForEightBits(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.network, cls.photos = begun(), photos(4)
        # Of many views it takes one in six.
        cls.ready = ready_for_eight_bits(copy.deepcopy(cls.network), None, cls.photos.repeat_interleave(6, 0))
        cls.made = cls.ready.network

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_says_folded_and_equalised_what_it_said(self) -> None:
        head, view = head_of(self.network), self.photos[:2]
        with torch.no_grad():
            features = self.network.encode(view)
            expected = self.network.decode(features)[0]
            presence = head.logit(features, expected)
            folded = FoldedNet(self.network)
            factor = equalise(folded, self.photos[2:])
            features = folded.encode(view)
            said = folded.decode(features)[0]
            self.assertTrue(torch.allclose(said, expected, atol=1e-3))
            self.assertTrue(torch.allclose(rescaled(head, factor).logit(features, said), presence, atol=1e-3))
        self.assertEqual(len(factor), self.network.widths[-1])

    def test_refuses_a_head_that_reads_other_features(self) -> None:
        head = head_of(self.network)
        other = PresenceHead(Fitted(("mean", "most"), *(getattr(head.fitted, part) for part in ("mean", "spread", "weights", "intercept"))), 1.0, 0.0)
        self.assertRaises(SystemExit, rescaled, other, torch.ones(self.network.widths[-1]))

    def test_finds_a_picture_as_new_as_before(self) -> None:
        mean, precision = torch.randn(self.network.widths[-1]), torch.rand(self.network.widths[-1], self.network.widths[-1])
        away = torch.randn(2, self.network.widths[-1])
        own_mean, own_precision = self.ready.known(mean, precision)
        scaled = (away + mean) * self.ready.factor - own_mean
        expected, said = (((x @ p) * x).sum(1) for x, p in ((away, precision), (scaled, own_precision)))
        self.assertTrue(torch.allclose(said, expected, rtol=1e-3, atol=1e-2))

    def test_has_weights_that_stay_as_they_are_on_their_grid(self) -> None:
        for conv in (part for part in self.made.modules() if isinstance(part, FoldedConv)):
            flat = conv.weight.flatten(1)
            far = flat.abs().amax(1, keepdim=True)
            codes = torch.where(far > 1e-6, flat / (far.clamp(min=1e-6) / 64), 0)
            self.assertLess(float((codes - codes.round()).abs().max()), 1e-3)

    def test_loses_less_in_eight_bits_than_one_that_is_not_ready(self) -> None:
        seen = self.photos.numpy()
        errors = []
        for ready in (False, True):
            network, ranges = (self.made, self.made.ranges()) if ready else (self.network, None)
            unknown = torch.zeros(self.network.widths[-1])
            file = self.folder / f"{ready}.onnx"
            write_onnx(ProbabilityNet([network], [View(1, False), View(1, True)], unknown, torch.diag(unknown)).eval(), file, SIDE, ["probability", "novelty"])
            plain = self._says(file)
            quantise(file, seen, seen[:2], plain[:2] > 2, ranges)
            errors.append(float(np.square(self._says(file) - plain).mean()))
        self.assertLess(errors[1], 0.5 * errors[0])

    def test_names_the_range_of_each_point_of_each_look(self) -> None:
        made, unknown = self.made, torch.zeros(self.made.widths[-1])
        file = self.folder / "model.onnx"
        write_onnx(ProbabilityNet([made], [View(1, False), View(1, True)], unknown, torch.diag(unknown)).eval(), file, SIDE, ["probability", "novelty"])
        graph = onnx.load(str(file)).graph
        named = named_ranges(graph, made.ranges())
        clips = [node for node in graph.node if node.op_type == "Clip"]
        self.assertTrue(clips and all(named[node.output[0]][0] == 0 and 0 < named[node.output[0]][1] <= 6 for node in clips))
        self.assertRaises(SystemExit, named_ranges, graph, made.ranges()[:-1])

    def _says(self, file: Path) -> np.ndarray:
        session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
        return np.stack([session.run(["probability"], {"image": photo[None].numpy()})[0][0, 0] for photo in self.photos])


class ARange(unittest.TestCase):
    def test_keeps_zero_as_it_is(self) -> None:
        self.assertEqual(float(rounded(torch.zeros(1), -0.31, 1.7)[0]), 0)


if __name__ == "__main__":
    unittest.main()
