"""Webhooks are verified, or refused. The first vector is that of the libraries of Standard Webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import io
import json
import time
import unittest
from datetime import datetime
from email.message import Message
from pathlib import Path
from typing import Any, Dict
from unittest import mock

import support  # noqa: F401 (finds the sources)

from sutura_sdk import ConfigurationError, WebhookVerificationError, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_" + base64.b64encode(bytes(range(32))).decode()
BODY = '{"type":"report.ready","data":{"note":"Wunde größer"}}'
VECTORS = Path(__file__).parents[2] / "contract" / "webhook-vectors.json"
ERRORS = {"ConfigurationError": ConfigurationError, "WebhookVerificationError": WebhookVerificationError}


def signed(body: str = BODY, secret: str = SECRET, age: int = 0, identifier: str = "e1") -> Dict[str, str]:
    timestamp = str(int(time.time()) - age)
    content = f"{identifier}.{timestamp}.{body}".encode()
    digest = hmac.new(base64.b64decode(secret[6:]), content, hashlib.sha256).digest()
    return {"webhook-id": identifier, "webhook-timestamp": timestamp, "webhook-signature": "v1," + base64.b64encode(digest).decode()}


def event_of(*given: Any) -> Any:
    verify: Any = verify_webhook
    return verify(*given)


class Webhooks(unittest.TestCase):
    def refuses(self, body: str, headers: Dict[str, str], secret: Any = SECRET) -> None:
        with self.assertRaises(WebhookVerificationError) as raised:
            verify_webhook(body, headers, secret)
        self.assertNotIn(SECRET[6:], str(raised.exception))

    def test_refuses_another_body_id_time_and_secret_an_old_one_and_what_is_no_json(self) -> None:
        headers = signed()
        self.refuses(BODY + " ", headers)
        self.refuses(BODY, headers, OTHER)
        self.refuses(BODY, signed(age=310))
        self.refuses(BODY, signed(age=-310))
        self.refuses("no JSON", signed("no JSON"))
        self.refuses(BODY, signed(identifier="a.b"))
        for name, value in {
            "webhook-id": "another",
            "webhook-timestamp": headers["webhook-timestamp"] + ".0",
            "webhook-signature": headers["webhook-signature"].replace("v1,", "v1a,"),
        }.items():
            self.refuses(BODY, {**headers, name: value})
            self.refuses(BODY, {**headers, name: ""})
            self.refuses(BODY, {**headers, name.upper(): value})
        for signature in ("v1", "v1,", "v1,ä", headers["webhook-signature"][:-4]):
            self.refuses(BODY, {**headers, "webhook-signature": signature})
        self.refuses(BODY, {})

    def test_refuses_a_secret_that_is_empty_short_none_or_a_public_key(self) -> None:
        for secret in ("", "whsec_", "whsec_c2hvcnQ=", "hunter2hunter2hunter2hunter2", "whpk_" + OTHER[6:], [], [SECRET, ""]):
            with self.assertRaises(ConfigurationError) as raised:
                verify_webhook(BODY, signed(), secret)
            self.assertNotIn("hunter2", str(raised.exception))

    def test_says_in_one_sentence_that_a_body_was_parsed_or_not_read_and_that_a_secret_or_the_headers_are_missing(self) -> None:
        verify: Any = verify_webhook
        for said, given in (
            ("raw body.*a dict came: something had parsed the body", ({"type": "x"}, signed(), SECRET)),
            ("raw body.*a BytesIO came.*not read", (io.BytesIO(b"{}"), signed(), SECRET)),
            ("raw body.*None came: nothing had read", (None, signed(), SECRET)),
            ("No webhook secret.*variable", (BODY, signed(), None)),
            ("No webhook secret.*variable", (BODY, signed(), "")),
            ("No webhook secret.*variable", (BODY, signed(), [SECRET, None])),
            ("secret of a webhook is whsec_", (BODY, signed(), 12)),
            ("headers of the request", (BODY, None, SECRET)),
        ):
            with self.subTest(said), self.assertRaisesRegex(ConfigurationError, said):
                verify(*given)

    def test_holds_to_the_vectors_of_all_libraries(self) -> None:
        shared = json.loads(VECTORS.read_text(encoding="utf-8"))
        for vector in shared["vectors"]:
            if vector.get("scheme") == "v1a":  # needs a library for ed25519
                continue
            with self.subTest(vector["name"]):
                self.holds({**shared["default"], **vector})

    def holds(self, vector: Dict[str, Any]) -> None:
        headers = Message()
        for name, values in vector["headers"].items():
            for value in values:
                headers[name] = value
        now = datetime.fromisoformat(vector["now"].replace("Z", "+00:00")).timestamp()
        outcome = vector["outcome"]
        with mock.patch("time.time", return_value=now):
            if "throws" not in outcome:
                self.assertEqual(event_of(vector["body"], headers, vector["secrets"]), outcome["event"])
                return
            with self.assertRaises(ERRORS[outcome["throws"]]):
                event_of(vector["body"], headers, vector["secrets"])

    def test_verifies_what_the_library_of_standard_webhooks_signs(self) -> None:
        headers = {
            "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "Webhook-Timestamp": "1614265330",
            "Webhook-Signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }
        with mock.patch("time.time", return_value=1614265330.0 + 290):
            self.assertEqual(verify_webhook('{"test": 2432232314}', headers, SECRET), {"test": 2432232314})
        self.refuses('{"test": 2432232314}', headers)

    def test_gives_the_event_of_text_or_bytes_with_any_of_several_secrets_and_none_for_an_empty_body(self) -> None:
        message = Message()
        for name, value in signed().items():
            message[name] = value
        self.assertEqual(event_of(BODY.encode(), message, SECRET)["data"]["note"], "Wunde größer")
        headers = signed(secret=OTHER)
        self.assertEqual(event_of(BODY, headers, [SECRET, OTHER])["type"], "report.ready")
        both = {**headers, "webhook-signature": f"v9,x {headers['webhook-signature']} {signed()['webhook-signature']}"}
        self.assertEqual(event_of(BODY, both, SECRET)["type"], "report.ready")
        self.assertIsNone(verify_webhook("", signed(""), SECRET))


if __name__ == "__main__":
    unittest.main()
