"""A network that is only looked with says what the trained one says, of any size, whichever kind it is."""

import unittest

import torch
from torch import nn

from wound_segmentation.lite_network import LiteNet
from wound_segmentation.network import WoundSegmentationNet
from wound_segmentation.presence_head import evidence_parts, joined_evidence
from wound_segmentation.quick_network import QuickNetwork


def trained_like(network: nn.Module) -> nn.Module:
    """As it begins, a network says next to the same of everything."""
    torch.manual_seed(2)
    nn.init.normal_(network.head.weight)
    return network.eval()


class AQuickNetwork(unittest.TestCase):
    def test_says_what_the_trained_one_says(self) -> None:
        for network in (trained_like(LiteNet(0)), trained_like(WoundSegmentationNet())):
            quick = QuickNetwork(network)
            for side in (512, 640):
                photo = torch.rand(1, 3, side, side, generator=torch.Generator().manual_seed(side))
                with torch.no_grad():
                    features = network.encode(photo)
                    logits = network.decode(features)[0]
                self.assertTrue(torch.allclose(quick(photo)[0], logits, atol=1e-5))
                self.assertGreater(float(logits.std()), 1e-3)
                evidence = joined_evidence(evidence_parts(features, logits))
                found = joined_evidence(evidence_parts(seen := quick.encode(photo), quick.decode(seen)[0]))
                self.assertTrue(torch.allclose(found, evidence, atol=1e-2, rtol=1e-3))

    def test_sees_a_mirrored_photo_mirrored(self) -> None:
        quick = QuickNetwork(trained_like(LiteNet(0)))
        photo = torch.rand(1, 3, 512, 512, generator=torch.Generator().manual_seed(3))
        self.assertFalse(torch.equal(quick(photo)[0], quick(photo.flip(3))[0]))
        self.assertTrue(torch.equal(quick(photo.flip(3))[0], quick(photo.flip(3).clone())[0]))


if __name__ == "__main__":
    unittest.main()
