# Made of _async/pages.py by generate_sync.py: change that one.
"""Lists that come in pages."""

from __future__ import annotations

import collections
from typing import Any, Iterator, Callable, Deque, Generic, Optional, Tuple, TypeVar

from ..models import ListPage

PageT = TypeVar("PageT", bound=ListPage[Any])
ItemT = TypeVar("ItemT")


class Pages(Generic[PageT, ItemT]):
    """A list of the service, gone through item by item, or page by page by ``pages``. Each page is read when it is needed.

    ``next_cursor`` of the page that was read last is where to go on at another time. After an error the same page is asked
    for again.

    ```python
    from sutura_sdk import SuturaClient

    client = SuturaClient()
    for page in client.iterate_jobs(limit=50).pages():
        print(len(page.items), page.has_next_page, page.next_cursor)
    ```
    """

    def __init__(self, fetch: Callable[[Optional[str]], PageT], cursor: Optional[str]) -> None:
        self._fetch = fetch
        self._cursor = cursor
        self._has_next_page = True
        self._rest: Deque[ItemT] = collections.deque()

    @property
    def has_next_page(self) -> bool:
        """Whether there is a page that was not read; known for the first one once it was asked for."""
        return self._has_next_page

    def pages(self) -> Iterator[PageT]:
        """The pages that were not read yet."""
        while self._has_next_page:
            yield self._read()

    def __iter__(self) -> Pages[PageT, ItemT]:
        return self

    def __next__(self) -> ItemT:
        while not self._rest:
            if not self._has_next_page:
                raise StopIteration
            items: Tuple[ItemT, ...] = self._read().items
            self._rest.extend(items)
        return self._rest.popleft()

    def _read(self) -> PageT:
        page = self._fetch(self._cursor)
        self._cursor = page.next_cursor
        self._has_next_page = page.has_next_page
        return page
