import type { AnnouncedUpload } from '../../core/images/image.js';
import type { UploadTicket } from '../../core/images/image.service.js';
import type { UploadRequest, UploadTicketView } from './images.schema.js';

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
