# Made of _async/webhook_operations.py by generate_sync.py: change that one.
"""The operations on webhooks and their deliveries."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Mapping, Optional, Sequence, Tuple, Union

from .._addresses import Address
from .._setup_answers import (
    to_delivery_detail,
    to_delivery_page,
    to_replayed,
    to_trial,
    to_webhook,
    to_webhook_with_secret,
    to_webhooks,
)
from ..endpoints import (
    DeliveryPage,
    DeliveryState,
    Webhook,
    WebhookContent,
    WebhookDelivery,
    WebhookDeliveryDetail,
    WebhookSignature,
    WebhookTrial,
    WebhookWithSecret,
)
from .operations import Operations, checked_id, moment_text, read_answer, without_none
from .pages import Pages


class WebhookOperations(Operations):
    """Setting addresses up that are told of events, and looking after what they were told."""

    def create_webhook(
        self,
        url: str,
        *,
        types: Optional[Sequence[str]] = None,
        content: Optional[WebhookContent] = None,
        signatures: Optional[Sequence[WebhookSignature]] = None,
    ) -> WebhookWithSecret:
        """Has an address told of what happens from now on. Scope ``webhooks:manage``; ``content="full"`` also ``analysis:read``.

        ``types``: all if absent. ``content``: ``ids`` if absent. The ``secret`` is shown this once. After a lost answer the
        call is not repeated, since there might be two webhooks then: look at ``list_webhooks`` first.
        ``UnprocessableError`` ``webhook.url_refused``; ``ConflictError`` ``webhook.too_many``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        webhook = client.create_webhook("https://ward.example.org/sutura", types=["report.ready", "report.amended"])
        print(webhook.id, len(webhook.secret))  # keep the secret where verify_webhook finds it
        ```
        """
        wish = {"url": url, **_wish(types, content, signatures)}
        answer = self._send_json("POST", self._address("api", "v1", "webhooks"), wish, repeatable=False)
        return read_answer(answer, to_webhook_with_secret)

    def list_webhooks(self) -> Tuple[Webhook, ...]:
        """All webhooks of the organization in this environment, oldest first. Scope ``webhooks:manage``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for webhook in client.list_webhooks():
            print(webhook.url, webhook.state, webhook.failing_since)
        ```
        """
        return self._get(self._address("api", "v1", "webhooks"), to_webhooks)

    def get_webhook(self, webhook_id: str) -> Webhook:
        """Reads a webhook, and whether it is well. Scope ``webhooks:manage``. ``NotFoundError`` ``webhook.not_found``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for webhook in client.list_webhooks():
            print(client.get_webhook(webhook.id).state)
        ```
        """
        return self._get(self._webhook_address(webhook_id), to_webhook)

    def change_webhook(
        self,
        webhook_id: str,
        *,
        url: Optional[str] = None,
        types: Optional[Sequence[str]] = None,
        content: Optional[WebhookContent] = None,
        signatures: Optional[Sequence[WebhookSignature]] = None,
    ) -> Webhook:
        """Changes what is given. What waits keeps its body and goes where the webhook points now. Scope ``webhooks:manage``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for webhook in client.list_webhooks():
            print(client.change_webhook(webhook.id, types=["report.ready"]).types)
        ```
        """
        change = {**without_none(url=url), **_wish(types, content, signatures)}
        return read_answer(self._send_json("PATCH", self._webhook_address(webhook_id), change), to_webhook)

    def delete_webhook(self, webhook_id: str) -> None:
        """Deletes a webhook; what waits for it is never sent. Scope ``webhooks:manage``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for webhook in client.list_webhooks():
            if webhook.disabled_for == "gone":
                client.delete_webhook(webhook.id)
        ```
        """
        self._send_delete(self._webhook_address(webhook_id))

    def rotate_webhook(self, webhook_id: str, *, overlap: Optional[int] = None) -> WebhookWithSecret:
        """Gives a webhook new keys. The old ones sign as well for ``overlap`` seconds, a day if absent, 0: no longer.

        Scope ``webhooks:manage``. Not repeated after a lost answer, with which the new secret is lost: rotate again.
        ``ConflictError`` ``webhook.too_many_keys``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for webhook in client.list_webhooks():
            print(client.rotate_webhook(webhook.id, overlap=3600).previous_keys_until)
        ```
        """
        address = self._webhook_address(webhook_id, "rotate")
        answer = self._send_json("POST", address, without_none(overlapS=overlap), repeatable=False)
        return read_answer(answer, to_webhook_with_secret)

    def test_webhook(self, webhook_id: str) -> WebhookTrial:
        """Sends one signed ``webhook.test`` now, past the queue, and says how the endpoint answered. Scope ``webhooks:manage``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for webhook in client.list_webhooks():
            trial = client.test_webhook(webhook.id)
            print(trial.delivered, trial.status_code, trial.fault)
        ```
        """
        return read_answer(self._send_json("POST", self._webhook_address(webhook_id, "test"), None, repeatable=False), to_trial)

    def pause_webhook(self, webhook_id: str) -> Webhook:
        """Stops delivering; events are kept and wait. Scope ``webhooks:manage``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for webhook in client.list_webhooks():
            print(client.pause_webhook(webhook.id).state)
        ```
        """
        return read_answer(self._send_json("POST", self._webhook_address(webhook_id, "pause"), None), to_webhook)

    def resume_webhook(self, webhook_id: str) -> Webhook:
        """Delivers again, after a pause or after the service disabled it; what waited comes in its order. Scope ``webhooks:manage``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for webhook in client.list_webhooks():
            if webhook.state != "active":
                client.resume_webhook(webhook.id)
        ```
        """
        return read_answer(self._send_json("POST", self._webhook_address(webhook_id, "resume"), None), to_webhook)

    def replay_webhook(
        self, webhook_id: str, *, since: Union[str, datetime], until: Union[str, datetime, None] = None
    ) -> int:
        """Sends the deliveries of a time again that were delivered or are parked, under their old ids; gives how many.

        Scope ``webhooks:manage``. ``since`` and ``until`` (not included; now if absent): when the deliveries were made.

        ```python
        from datetime import datetime, timedelta, timezone
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        yesterday = datetime.now(timezone.utc) - timedelta(days=1)
        for webhook in client.list_webhooks():
            print(client.replay_webhook(webhook.id, since=yesterday), "on their way")
        ```
        """
        time = without_none(since=moment_text(since, "since"), until=moment_text(until, "until"))
        return read_answer(self._send_json("POST", self._webhook_address(webhook_id, "replay"), time, repeatable=False), to_replayed)

    def list_webhook_deliveries(
        self, webhook_id: str, *, state: Optional[DeliveryState] = None, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> DeliveryPage:
        """One page of what was delivered, waits or is parked, newest first. Scope ``webhooks:manage``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for webhook in client.list_webhooks():
            page = client.list_webhook_deliveries(webhook.id, state="waiting", limit=10)
            print([(one.type, one.attempts, one.next_at) for one in page.items])
        ```
        """
        query = without_none(state=state, limit=limit, cursor=cursor)
        return self._get(self._webhook_address(webhook_id, "deliveries", query=query), to_delivery_page)

    def iterate_webhook_deliveries(
        self, webhook_id: str, *, state: Optional[DeliveryState] = None, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> Pages[DeliveryPage, WebhookDelivery]:
        """Every delivery of all pages, newest first; ``limit`` is the size of a page. Pages are read as they are needed.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for webhook in client.list_webhooks():
            for delivery in client.iterate_webhook_deliveries(webhook.id, state="parked"):
                client.replay_webhook_delivery(webhook.id, delivery.id)
        ```
        """
        return Pages(lambda at: self.list_webhook_deliveries(webhook_id, state=state, limit=limit, cursor=at), cursor)

    def get_webhook_delivery(self, webhook_id: str, delivery_id: str) -> WebhookDeliveryDetail:
        """A delivery with its body and every attempt. Scope ``webhooks:manage``. ``NotFoundError`` ``webhook.delivery_not_found``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for webhook in client.list_webhooks():
            for one in client.list_webhook_deliveries(webhook.id, limit=1).items:
                print([attempt.fault for attempt in client.get_webhook_delivery(webhook.id, one.id).log])
        ```
        """
        return self._get(self._delivery_address(webhook_id, delivery_id), to_delivery_detail)

    def replay_webhook_delivery(self, webhook_id: str, delivery_id: str) -> None:
        """Sends a delivery again, under its old id. Scope ``webhooks:manage``. ``ConflictError`` ``webhook.delivery_state``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for webhook in client.list_webhooks():
            for one in client.list_webhook_deliveries(webhook.id, state="parked").items:
                client.replay_webhook_delivery(webhook.id, one.id)
        ```
        """
        self._send_json("POST", self._delivery_address(webhook_id, delivery_id, "replay"), None, repeatable=False)

    def park_webhook_delivery(self, webhook_id: str, delivery_id: str) -> None:
        """Lets a delivery that waits step aside; what waits behind it goes on. Scope ``webhooks:manage``.

        ``ConflictError`` ``webhook.delivery_state`` where it does not wait, as after a repeat of this very call.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for webhook in client.list_webhooks():
            for one in client.list_webhook_deliveries(webhook.id, state="waiting", limit=1).items:
                client.park_webhook_delivery(webhook.id, one.id)
        ```
        """
        self._send_json("POST", self._delivery_address(webhook_id, delivery_id, "park"), None)

    def discard_webhook_delivery(self, webhook_id: str, delivery_id: str) -> None:
        """Gives a parked delivery up for good. Scope ``webhooks:manage``. Errors as for ``park_webhook_delivery``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for webhook in client.list_webhooks():
            for one in client.list_webhook_deliveries(webhook.id, state="parked").items:
                client.discard_webhook_delivery(webhook.id, one.id)
        ```
        """
        self._send_json("POST", self._delivery_address(webhook_id, delivery_id, "discard"), None)

    def _delivery_address(self, webhook_id: str, delivery_id: str, *action: str) -> Address:
        return self._webhook_address(webhook_id, "deliveries", checked_id(delivery_id, "delivery_id"), *action)

    def _webhook_address(self, webhook_id: str, *segments: str, query: Optional[Mapping[str, Any]] = None) -> Address:
        return self._address("api", "v1", "webhooks", checked_id(webhook_id, "webhook_id"), *segments, query=query)


def _wish(
    types: Optional[Sequence[str]], content: Optional[WebhookContent], signatures: Optional[Sequence[WebhookSignature]]
) -> Mapping[str, Any]:
    return without_none(
        types=None if types is None else list(types),
        content=content,
        signatures=None if signatures is None else list(signatures),
    )
