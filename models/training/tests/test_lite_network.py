"""A network on a pretrained encoder reads what every network here reads, and is one again from its file."""

import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import nn
from torch.nn import functional as F

from training.recipe import LiteRun, new_or_resumed
from wound_segmentation.export import ProbabilityNet, View
from wound_segmentation.lite_network import PRETRAINED_MEAN, PRETRAINED_STD, TAPS, LiteNet, read_as_ours
from wound_segmentation.onnx_folder import write_model_folder
from wound_segmentation.starting_weights import load_average
from wound_segmentation.train import CHECKPOINT, normalise

SIDE = 64
CPU = torch.device("cpu")


def drawn_photo() -> torch.Tensor:
    """uint8 [1, 3, SIDE, SIDE]"""
    return torch.randint(0, 256, (1, 3, SIDE, SIDE), dtype=torch.uint8, generator=torch.Generator().manual_seed(1))


class ALiteNetwork(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(1)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_takes_features_at_each_size(self) -> None:
        for variant in TAPS:
            network = LiteNet(variant).eval()
            with torch.no_grad():
                features = network.encode(torch.zeros(1, 3, SIDE, SIDE))
                logits, auxiliary = network.decode(features)
            self.assertEqual([SIDE // part.shape[-1] for part in features], [2, 4, 8, 16, 32])
            self.assertEqual(tuple(part.shape[1] for part in features), network.widths)
            self.assertEqual((logits.shape[-1], auxiliary.shape[-1]), (SIDE, SIDE // 8))

    def test_reads_our_photos_as_the_pretrained_one_read_its_own(self) -> None:
        stem, norm = nn.Conv2d(3, 8, 3, 2, bias=False), nn.BatchNorm2d(8).eval()
        photo = drawn_photo().float() / 255
        own = norm(stem((photo - PRETRAINED_MEAN) / PRETRAINED_STD))
        read_as_ours(stem, norm)
        self.assertTrue(torch.allclose(norm(stem(normalise(photo))), own, atol=1e-5))

    def test_says_the_same_exported_of_a_photo_normalised_as_its_manifest_says(self) -> None:
        network = LiteNet(0, pretrained=True).eval()
        # As it begins, it says next to the same of everything.
        nn.init.normal_(network.head.weight)
        unknown = torch.zeros(network.widths[-1])
        exported = ProbabilityNet([network], [View(1, mirrored=False)], unknown, torch.diag(unknown)).eval()
        write_model_folder(exported, self.folder, SIDE, ["probability", "novelty"], {})
        frame = json.loads((self.folder / "manifest.json").read_text())["input"]
        levels = drawn_photo().numpy().transpose(0, 2, 3, 1).astype(np.float32)
        read = ((levels / 255 - np.float32(frame["mean"])) / np.float32(frame["std"])).transpose(0, 3, 1, 2)
        session = onnxruntime.InferenceSession(str(self.folder / "model.onnx"), providers=["CPUExecutionProvider"])
        said = session.run(["probability"], {"image": read.astype(np.float32)})[0]
        with torch.no_grad():
            expected = torch.sigmoid(network(normalise(drawn_photo().float() / 255))[0]).numpy()
        self.assertGreater(float(expected.std()), 0.01)
        self.assertLess(float(np.abs(said - expected).max()), 1e-3)

    def test_does_not_look_at_further_planes_yet(self) -> None:
        photo, further = normalise(drawn_photo().float() / 255), torch.rand(1, 3, SIDE, SIDE)
        network = LiteNet(0, planes=6).eval()
        with torch.no_grad():
            without, with_them = (network(torch.cat([photo, planes], 1))[0] for planes in (torch.zeros_like(further), further))
        self.assertTrue(torch.equal(without, with_them))

    def test_is_itself_again_from_its_checkpoint(self) -> None:
        run = new_or_resumed(self.folder, 1, CPU, variant=0)
        run.step(torch.rand(2, 3, SIDE, SIDE), torch.zeros(2, 1, SIDE, SIDE), 1e-3)
        run.save()
        again = load_average(self.folder / CHECKPOINT)
        self.assertEqual(again.kind, run.network.kind)
        for name, value in again.state_dict().items():
            self.assertTrue(torch.equal(value, run.average.state_dict()[name]), name)


class ItsFirstBlocks(unittest.TestCase):
    def test_stay_as_they_are_and_the_others_learn(self) -> None:
        torch.manual_seed(1)
        with tempfile.TemporaryDirectory() as folder:
            network = LiteNet(0, pretrained=True)
            network.frozen_blocks = 3
            run = LiteRun(Path(folder), CPU, network)
            before = {name: value.clone() for name, value in network.state_dict().items()}
            run.step(torch.rand(2, 3, SIDE, SIDE), torch.zeros(2, 1, SIDE, SIDE), 1e-3)
        changed = {name for name, value in network.state_dict().items() if not torch.equal(value, before[name])}
        self.assertFalse([name for name in changed if name.startswith(("stem", "blocks.0.", "blocks.1.", "blocks.2."))])
        for name in ("blocks.3._project_conv.weight", "blocks.3._bn0.running_mean", "up0.refine.0.weight", "head.weight"):
            self.assertIn(name, changed)


class ADepthwiseConvolution(unittest.TestCase):
    def test_is_computed_in_32_bits_amid_16(self) -> None:
        layer = LiteNet(0).blocks[1]._depthwise_conv
        x = torch.rand(1, layer.conv.in_channels, 16, 16)
        plain = layer(x)
        with torch.autocast("cpu", torch.bfloat16):
            mixed = layer(x)
        self.assertEqual(mixed.dtype, torch.bfloat16)
        self.assertTrue(torch.equal(mixed, plain.bfloat16()))

    def test_pads_as_it_was_trained_to(self) -> None:
        layer = LiteNet(0).blocks[3]._depthwise_conv
        self.assertEqual((layer.conv.kernel_size, layer.conv.stride[0]), ((5, 5), 2))
        x = torch.rand(1, layer.conv.in_channels, 16, 16)
        expected = F.conv2d(F.pad(x, (1, 2, 1, 2)), layer.conv.weight, stride=2, groups=layer.conv.groups)
        self.assertTrue(torch.allclose(layer(x), expected, atol=1e-6))


if __name__ == "__main__":
    unittest.main()
