"""Files in, files out, and the values that go with them."""

from __future__ import annotations

import dataclasses
import datetime
import io
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from case_runner import OneWayStream
from small_service import KEY, SmallService
from support import JPEG, LoopedClient

from sutura_sdk import PayloadTooLargeError, SuturaClient, UnsupportedImageError


class Files(unittest.TestCase):
    make: Any = SuturaClient

    def setUp(self) -> None:
        self.service = SmallService()
        self.addCleanup(self.service.close)
        self.client = self.make(KEY, base_url=self.service.url)
        self.addCleanup(self.client.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_refuses_what_is_no_file_before_anything_is_sent(self) -> None:
        text = self.folder / "photo.txt"
        text.write_text("x" * 20)
        cases: Any = [(7, TypeError), (None, TypeError), (io.StringIO("x"), TypeError), (self.folder / "none.jpg", FileNotFoundError)]
        cases += [(self.folder, OSError), (b"", UnsupportedImageError), (text, UnsupportedImageError), (b"RIFFxxxxWAVE", UnsupportedImageError)]
        for file, kind in cases:
            with self.assertRaises(kind):
                self.client.analyze_image(file)
        with open(text) as opened, self.assertRaisesRegex(TypeError, "binary"):
            self.client.analyze_image(opened)
        self.assertEqual(self.service.requests, [])

    def test_takes_paths_bytes_and_files_of_every_kind(self) -> None:
        photo = self.folder / "photo.jpg"
        photo.write_bytes(JPEG)
        with open(photo, "rb") as opened, open(photo, "rb", buffering=0) as unbuffered:
            for file in (photo, str(photo), JPEG, bytearray(JPEG), memoryview(JPEG), io.BytesIO(JPEG), opened, unbuffered, OneWayStream(JPEG)):
                self.assertEqual(self.client.upload_file_to_signed_url(f"{self.service.url}/storage/x", file).size_bytes, len(JPEG))

    def test_reads_a_file_from_where_it_stands_and_leaves_it_open(self) -> None:
        file = io.BytesIO(b"a header" + JPEG)
        file.seek(8)
        self.assertEqual(self.client.upload_file_to_signed_url(f"{self.service.url}/storage/x", file).size_bytes, len(JPEG))
        self.assertFalse(file.closed)

    def test_holds_a_stream_on_disk_and_removes_it(self) -> None:
        with mock.patch.object(tempfile, "tempdir", str(self.folder)):
            self.client.analyze_image(OneWayStream(JPEG))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_takes_a_ticket_in_place_of_its_address_with_its_headers_and_limit(self) -> None:
        ticket = self.client.get_upload_url()
        self.assertEqual(self.client.upload_file_to_signed_url(ticket, JPEG).size_bytes, len(JPEG))
        self.assertEqual(self.service.requests[-1], f"PUT /storage/uploads/{ticket.image_id}")
        with self.assertRaises(PayloadTooLargeError):
            self.client.upload_file_to_signed_url(dataclasses.replace(ticket, max_bytes=10), JPEG)
        limited = dataclasses.replace(ticket, max_bytes=10)
        self.assertEqual(self.client.upload_file_to_signed_url(limited, JPEG, max_bytes=len(JPEG)).size_bytes, len(JPEG))

    def test_lets_a_failure_of_the_callers_own_file_and_callback_through(self) -> None:
        class Failing(io.BytesIO):
            def read(self, size: Any = -1) -> bytes:
                if self.tell() >= 100_000:
                    raise OSError("the disk is gone")
                return super().read(size)

        with self.assertRaisesRegex(OSError, "disk"):
            self.client.upload_file_to_signed_url(f"{self.service.url}/storage/x", Failing(JPEG + bytes(200_000)))

        def stop(progress: object) -> None:
            raise BrokenPipeError("the window was closed")

        with self.assertRaisesRegex(BrokenPipeError, "window"):
            self.client.analyze_image(JPEG, on_progress=stop)

    def test_replaces_a_file_only_when_the_new_one_is_whole(self) -> None:
        job = self.client.analyze_image_and_wait(JPEG)
        target = self.folder / "overlay.png"
        target.write_bytes(b"old")
        saved = self.client.download_artifact(job.id, "overlay", target)
        self.assertEqual((saved.path, saved.size_bytes, target.read_bytes()), (str(target), 12, b"\x89PNG picture"))
        self.assertEqual(os.listdir(self.folder), ["overlay.png"])

    def test_says_that_a_picture_cannot_be_written(self) -> None:
        job = self.client.analyze_image_and_wait(JPEG)
        with self.assertRaises(FileNotFoundError):
            self.client.download_artifact(job.id, "overlay", self.folder / "none" / "overlay.png")

    def test_takes_moments_with_a_time_zone_only(self) -> None:
        moment = datetime.datetime(2026, 1, 5, 8, 0, tzinfo=datetime.timezone.utc)
        job = self.client.create_analysis_job("image", captured_at=moment)
        self.assertEqual(job.captured_at, "2026-01-05T08:00:00+00:00")
        with self.assertRaisesRegex(ValueError, "captured_at must have a time zone"):
            self.client.create_analysis_job("image", captured_at=moment.replace(tzinfo=None))

    def test_refuses_an_id_that_would_lead_to_another_route(self) -> None:
        for call in (self.client.get_job, self.client.get_image, self.client.delete_image, self.client.wait_for_job, self.client.create_analysis_job):
            for wrong in ("", ".", ".."):
                with self.assertRaises(ValueError):
                    call(wrong)
        self.assertEqual(self.service.requests, [])


class AsyncFiles(Files):
    make = LoopedClient


if __name__ == "__main__":
    unittest.main()
