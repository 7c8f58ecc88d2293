"""The operations on images."""

from __future__ import annotations

from typing import Mapping, Optional, Union

from .._answers import to_image_metadata, to_upload_ticket
from .._async_files import digest_of, open_photo
from .._photo import ImageFile, Photo
from ..errors import SuturaError
from ..models import ImageMetadata, OnProgress, UploadReceipt, UploadTicket
from .operations import Operations, checked_id, without_none
from .uploads import is_expired, upload_photo


class ImageOperations(Operations):
    """Upload addresses, uploads, metadata, deletion."""

    async def get_upload_url(
        self,
        *,
        content_type: Optional[str] = None,
        content_length: Optional[int] = None,
        sha256: Optional[str] = None,
    ) -> UploadTicket:
        """Asks for a signed upload address. All that is known of the photo beforehand is optional, and binding when given.

        Scope ``images:write``. Costs no analysis.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        ticket = await client.get_upload_url(content_type="image/jpeg")
        print(ticket.image_id, ticket.expires_at, ticket.max_bytes)
        ```
        """
        body = without_none(contentType=content_type, contentLength=content_length, sha256=sha256)
        return await self._post(self._address("api", "v1", "images", "upload-url"), body, to_upload_ticket)

    async def upload_file_to_signed_url(
        self,
        upload_url: Union[str, UploadTicket],
        file: ImageFile,
        *,
        headers: Optional[Mapping[str, str]] = None,
        max_bytes: Optional[int] = None,
        on_progress: Optional[OnProgress] = None,
    ) -> UploadReceipt:
        """Uploads a JPEG, PNG or WebP to the address of a ticket, with its ``headers``. The API key does not go along.

        A ticket may stand in place of its address: its headers and its limit then go with it, unless others are given.

        ``UnsupportedImageError`` and, with ``max_bytes``, ``PayloadTooLargeError`` come before anything is sent.
        ``GoneError`` ``upload.expired``: ask for a new address. ``ConflictError`` ``image.already_uploaded``: other bytes are there.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        ticket = await client.get_upload_url()
        await client.upload_file_to_signed_url(ticket, "photo.jpg")
        job = await client.create_analysis_job(ticket.image_id)
        ```
        """
        if isinstance(upload_url, UploadTicket):
            headers = upload_url.headers if headers is None else headers
            max_bytes = upload_url.max_bytes if max_bytes is None else max_bytes
            upload_url = upload_url.upload_url
        with await open_photo(file) as photo:
            return await upload_photo(self._transport, photo, upload_url, headers or {}, max_bytes, on_progress)

    async def get_image(self, image_id: str) -> ImageMetadata:
        """Reads what is known of a photo, without the photo: whether it came, its type and size, and whether it can be analysed.

        Scope ``analysis:read``. ``NotFoundError`` ``image.not_found``; ``GoneError`` ``image.unavailable`` once it was erased.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        job = await client.analyze_image("photo.jpg")
        image = await client.get_image(job.image_id)
        print(image.status, image.content_type, image.size_bytes)
        ```
        """
        return await self._get(self._address("api", "v1", "images", checked_id(image_id, "image_id")), to_image_metadata)

    async def delete_image(self, image_id: str) -> None:
        """Erases a photo and every picture made from it; results stay.

        Scope ``images:write``. ``NotFoundError`` ``image.not_found``; ``ConflictError`` ``image.in_use`` while a job works on it.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        job = await client.analyze_image_and_wait("photo.jpg")
        await client.delete_image(job.image_id)
        ```
        """
        address = self._address("api", "v1", "images", checked_id(image_id, "image_id"))
        await self._send_delete(address)

    async def _upload(self, file: ImageFile, on_progress: Optional[OnProgress]) -> str:
        """Address and upload in one; an address that runs out meanwhile is replaced once. Gives the image's id."""
        with await open_photo(file) as photo:
            ticket = await self._ticket_for(photo)
            try:
                await self._put(photo, ticket, on_progress)
            except SuturaError as error:
                if not is_expired(error, ticket, self._transport.clock.now()):
                    raise
                ticket = await self._ticket_for(photo)
                await self._put(photo, ticket, on_progress)
            return ticket.image_id

    async def _ticket_for(self, photo: Photo) -> UploadTicket:
        digest = await digest_of(photo)
        return await self.get_upload_url(content_type=photo.content_type, content_length=photo.size, sha256=digest)

    async def _put(self, photo: Photo, ticket: UploadTicket, on_progress: Optional[OnProgress]) -> None:
        await upload_photo(self._transport, photo, ticket.upload_url, ticket.headers, ticket.max_bytes, on_progress)
