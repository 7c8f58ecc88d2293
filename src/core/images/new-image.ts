import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import { originalKey, type AnnouncedUpload, type ImageOrigin, type ImageRecord } from './image.js';

/** The facts of an image that are known before its record exists. */
export interface NewImageFacts {
  readonly id: string;
  readonly origin: ImageOrigin;
  readonly awaited: boolean;
  readonly announced: AnnouncedUpload;
  readonly maxBytes: number;
  /** Time within which the bytes must come, in seconds. */
  readonly lifeS: number;
  readonly now: Date;
}

/** The record of an image that awaits its bytes, however they come. */
export function newImage(
  tenant: Tenant,
  { id, origin, awaited, announced, maxBytes, lifeS, now }: NewImageFacts,
): ImageRecord {
  return {
    ...tenantOf(tenant),
    id,
    patientId: null,
    status: 'awaiting_upload',
    origin,
    awaited,
    announced,
    maxBytes,
    uploadExpiresAt: new Date(now.getTime() + lifeS * 1000),
    objectKey: originalKey(id),
    sizeBytes: null,
    sha256: null,
    verdict: null,
    createdAt: now,
    storedAt: null,
    deletedAt: null,
  };
}
