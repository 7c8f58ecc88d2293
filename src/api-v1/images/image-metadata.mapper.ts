import { contentTypeOf, type ImageRecord } from '../../core/images/image.js';
import type { ImageMetadataView } from './images.schema.js';

/** What is known of the bytes is said once they are stored. */
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
