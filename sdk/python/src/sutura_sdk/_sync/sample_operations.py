# Made of _async/sample_operations.py by generate_sync.py: change that one.
"""The photos that were drawn for tests."""

from __future__ import annotations

from .._sample_answers import to_sample_list
from ..samples import SampleList
from .downloads import download_bytes
from .operations import Operations, checked_id


class SampleOperations(Operations):
    """Reading samples, to try an integration with."""

    def list_samples(self) -> SampleList:
        """The photos of the service that were drawn for tests, with what its shipped models make of each. Scope ``analysis:read``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        samples = client.list_samples()
        print([(sample.name, sample.seen["areaCm2"]) for sample in samples.items], samples.seen_with_active_models)
        ```
        """
        return self._get(self._address("api", "v1", "samples"), to_sample_list)

    def download_sample(self, name: str) -> bytes:
        """A photo of ``list_samples``, to be analysed. Scope ``analysis:read``. ``NotFoundError`` ``sample.not_found``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        photo = client.download_sample("clean-wound")
        job = client.analyze_image_and_wait(photo)
        print(job.result["wounds"][:1], job.result.get("attention"))
        ```
        """
        address = self._address("api", "v1", "samples", checked_id(name, "name"))
        return download_bytes(self._transport, address, "image/jpeg")
