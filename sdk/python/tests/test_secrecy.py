"""What must not be seen: the key, signed addresses, patients."""

from __future__ import annotations

import copy
import logging
import os
import pickle
import unittest
from typing import Any, cast
from unittest import mock

from small_service import KEY, SmallService
from small_setup import SECRET
from support import JPEG

from sutura_sdk import (
    AsyncSuturaClient,
    AuthenticationError,
    ConfigurationError,
    FailedJob,
    JobFailedError,
    MalformedResponseError,
    SuturaClient,
    WaitTimeoutError,
)


class Secrecy(unittest.TestCase):
    def setUp(self) -> None:
        self.service = SmallService()
        self.addCleanup(self.service.close)
        self.client = SuturaClient(KEY, base_url=self.service.url)
        self.addCleanup(self.client.close)

    def test_refuses_to_be_made_without_a_key_or_with_a_damaged_one(self) -> None:
        with mock.patch.dict(os.environ):
            os.environ.pop("SUTURA_API_KEY", None)
            for damaged in (None, "", "   ", "sut_test_ä", "sut_test\nX-Other: 1", "two words"):
                with self.assertRaises(ConfigurationError) as caught:
                    SuturaClient(damaged)
                self.assertNotIn("sut_test", str(caught.exception))

    def test_takes_key_and_address_from_the_environment_and_drops_the_end_of_line_of_a_key_file(self) -> None:
        with mock.patch.dict(os.environ, SUTURA_API_KEY=KEY + "\n", SUTURA_BASE_URL=self.service.url):
            with SuturaClient() as client:
                self.assertEqual(client.get_usage().limit, 25)

    def test_refuses_addresses_that_cannot_work(self) -> None:
        for url in ("localhost:3000", "ftp://host", "http://", "http://host:port", "http://me:secret@host", "http://host/?a=secret", "http://host/#secret"):
            with self.assertRaisesRegex(ConfigurationError, "^base_url: ") as caught:
                SuturaClient(KEY, base_url=url)
            self.assertNotIn("secret", str(caught.exception))

    def test_refuses_limits_that_make_no_sense(self) -> None:
        cases: Any = ({"timeout": 0}, {"timeout": float("nan")}, {"max_retries": -1}, {"max_retry_after": -1})
        for options in cases:
            with self.assertRaises(ConfigurationError):
                SuturaClient(KEY, **options)

    def test_is_neither_pickled_nor_copied_with_its_key(self) -> None:
        other = AsyncSuturaClient(KEY, base_url=self.service.url)
        for client in (self.client, other):
            self.assertNotIn(KEY, f"{client!r} {vars(client)!r} {vars(client._transport)!r}")
            for attempt in (pickle.dumps, copy.deepcopy):
                with self.assertRaises(TypeError):
                    attempt(client)

    def test_shows_no_signature_in_a_ticket(self) -> None:
        ticket = self.client.get_upload_url()
        self.assertIn("secret-of-the-address", ticket.upload_url)
        self.assertNotIn("secret", repr(ticket))
        self.assertIn(ticket.image_id, repr(ticket))

    def test_shows_no_secret_of_a_webhook_and_no_body_of_an_answer(self) -> None:
        webhook = self.client.create_webhook("https://ward.example.org/sutura")
        self.assertEqual(webhook.secret, SECRET)
        self.assertNotIn("whsec_", repr(webhook))
        answer = self.client.request("POST", "/api/v1/webhooks", json={})
        self.assertIn(SECRET.encode(), answer.body)
        self.assertNotIn("whsec_", repr(answer))

    def test_shows_nothing_of_a_patient_in_a_job(self) -> None:
        job = self.client.analyze_image_and_wait(JPEG, clinical_context="private words", subject={"patientId": "private number"})
        self.assertEqual((job.clinical_context, job.subject), ("private words", {"patientId": "private number"}))
        self.assertNotIn("private", repr(job))
        self.assertIn(job.id, repr(job))
        self.assertEqual(len({job, self.client.get_job(job.id)}), 1)

    def test_logs_method_path_status_attempt_and_request_and_nothing_else(self) -> None:
        with self.assertLogs("sutura_sdk", logging.DEBUG) as logs:
            job = self.client.analyze_image(JPEG, clinical_context="private words")
        self.assertEqual(len(logs.output), 3)
        for line in logs.output:
            self.assertRegex(line, r"^DEBUG:sutura_sdk:(POST|PUT) /\S+ -> 20[01], attempt 1, \d+ ms, request request-1$")
            for secret in (KEY, "secret", "private"):
                self.assertNotIn(secret, line)
        self.assertIn(f"/storage/uploads/{job.image_id} ", logs.output[1])

    def test_shows_no_address_that_the_service_garbled(self) -> None:
        for url in ("/relative?signature=secret", "http://[secret", "http://host:secret/x", "file:///secret"):
            with self.assertRaises(MalformedResponseError) as caught:
                self.client.upload_file_to_signed_url(url, JPEG)
            self.assertNotIn("secret", f"{caught.exception!r} {caught.exception.__cause__!r}")
            self.assertTrue(caught.exception.__suppress_context__)

    def test_refuses_headers_that_would_split_a_request_without_showing_them(self) -> None:
        with self.assertRaises(ConfigurationError) as caught:
            self.client.upload_file_to_signed_url(f"{self.service.url}/storage/x", JPEG, headers={"X-Amz-Token": "secret\r\nX-Other: 1"})
        self.assertNotIn("secret", str(caught.exception))
        with self.assertRaises(ConfigurationError):
            self.client.create_analysis_job("image", idempotency_key="a\r\nb")
        self.assertEqual(self.service.requests, [])

    def test_errors_travel_between_processes(self) -> None:
        with SuturaClient("sut_test_other", base_url=self.service.url) as other:
            with self.assertRaises(AuthenticationError) as caught:
                other.get_usage()
        error = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((type(error), str(error), error.status, error.code), (AuthenticationError, str(caught.exception), 401, "auth.invalid"))
        job = self.client.analyze_image(JPEG)
        failed = pickle.loads(pickle.dumps(JobFailedError("x", job=cast(FailedJob, job), detail="y", retryable=True, code="z")))
        self.assertEqual((failed.job, failed.code, failed.retryable), (job, "z", True))
        self.assertEqual(pickle.loads(pickle.dumps(WaitTimeoutError("x", job=job))).job, job)


if __name__ == "__main__":
    unittest.main()
