import { contentTypeOf, type ImageRecord, type AnnouncedUpload } from '../../../core/images/image.js';
import type { ImageMetadataView, UploadRequest, UploadTicketView } from './images.schema.js';
import type { UploadTicket } from '../../../core/images/image.service.js';

/** Figures of the bytes appear once they are stored. */
export function toImageMetadataView(image: ImageRecord): ImageMetadataView {
  const isStored = image.status === 'stored';
  const verdict = isStored ? image.verdict : null;
  return {
    imageId: image.id,
    status: image.status,
    contentType: verdict === null ? null : contentTypeOf(verdict.format),
    sizeBytes: isStored ? image.sizeBytes : null,
    sha256: isStored ? image.sha256 : null,
    width: verdict?.readable === true ? verdict.widthPx : null,
    height: verdict?.readable === true ? verdict.heightPx : null,
    readable: verdict?.readable ?? null,
    unreadableReason: verdict?.readable === false ? verdict.reason : null,
    environment: image.environment,
    createdAt: image.createdAt.toISOString(),
    storedAt: image.storedAt?.toISOString() ?? null,
    uploadExpiresAt: image.uploadExpiresAt.toISOString(),
  };
}

export function toAnnouncedUpload(request: UploadRequest): AnnouncedUpload {
  return {
    contentType: request.contentType ?? null,
    contentLength: request.contentLength ?? null,
    sha256: request.sha256?.toLowerCase() ?? null,
  };
}

export function toUploadTicketView({ image, upload }: UploadTicket): UploadTicketView {
  return {
    imageId: image.id,
    uploadUrl: upload.url,
    method: 'PUT',
    headers: { ...upload.headers },
    expiresAt: image.uploadExpiresAt.toISOString(),
    maxBytes: image.maxBytes,
  };
}
