import { SuturaError } from '../errors/sutura-error.js';
import type { Tenant } from '../tenancy/tenant.js';

export const IMAGE_FORMATS = ['jpeg', 'png', 'webp'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

export const IMAGE_CONTENT_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type ImageContentType = (typeof IMAGE_CONTENT_TYPES)[number];

export function contentTypeOf(format: ImageFormat): ImageContentType {
  return `image/${format}`;
}

/** Why a file that is an image cannot be analysed. */
export type UnreadableReason = 'broken' | 'damaged' | 'too_small' | 'too_many_pixels' | 'too_narrow' | 'animated';

/** The outcome of decoding the bytes once, kept for good. Width and height are in pixels after the EXIF orientation. */
export type ImageVerdict =
  | {
      readonly readable: true;
      readonly format: ImageFormat;
      readonly widthPx: number;
      readonly heightPx: number;
      /** When the camera says that it was taken: FHIR dateTime, of a camera without a zone the day alone. Absent: it says nothing that can be. */
      readonly takenAt?: string;
    }
  | { readonly readable: false; readonly format: ImageFormat; readonly reason: UnreadableReason };

/** awaiting_upload → stored → deleted. `stored` says nothing about readability: that is the verdict. */
export type ImageStatus = 'awaiting_upload' | 'stored' | 'deleted';

/** The way of the bytes: through a signed address (upload), with the request that brought the image (message), or fetched by us (address). */
export const IMAGE_ORIGINS = ['upload', 'message', 'address'] as const;
export type ImageOrigin = (typeof IMAGE_ORIGINS)[number];

/** The client's announcement when it asked for the upload URL; each field is checked against the bytes. */
export interface AnnouncedUpload {
  readonly contentType: ImageContentType | null;
  readonly contentLength: number | null;
  /** Hex, lower case. */
  readonly sha256: string | null;
}

export interface ImageRecord extends Tenant {
  readonly id: string;
  readonly patientId: string | null;
  readonly status: ImageStatus;
  readonly origin: ImageOrigin;
  /** Something waits for the bytes: their arrival is announced as `image.stored`. */
  readonly awaited: boolean;
  readonly announced: AnnouncedUpload;
  readonly maxBytes: number;
  readonly uploadExpiresAt: Date;
  readonly objectKey: string;
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
  readonly verdict: ImageVerdict | null;
  readonly createdAt: Date;
  readonly storedAt: Date | null;
  readonly deletedAt: Date | null;
}

/** The image; `image.not_found` for one that is unknown or deleted. */
export function requireImage(image: ImageRecord | null): ImageRecord {
  if (image === null || image.status === 'deleted') throw new SuturaError('image.not_found');
  return image;
}

/** The folder of one image in the object store: the photo and everything derived from it. */
export function imageFolder(imageId: string): string {
  return `images/${imageId}/`;
}

/** The object of the photo as it came in. */
export function originalKey(imageId: string): string {
  return `${imageFolder(imageId)}original`;
}

const REASON_TEXT: Readonly<Record<UnreadableReason, string>> = {
  broken: 'The file is damaged or cut off.',
  damaged: 'Part of the photo was lost or changed on its way: it would be measured wrongly.',
  too_small: 'The photo is smaller than 64 pixels on a side.',
  too_many_pixels: 'The photo has more pixels than this service reads.',
  too_narrow: 'The photo is more than 20 times as long as it is wide.',
  animated: 'The file is an animation or has several pages.',
};

/** The reason as a sentence with advice. */
export function describeUnreadable(reason: UnreadableReason): string {
  return `${REASON_TEXT[reason]} Take or export the photo again and upload it as a new image.`;
}

/** `image.damaged` for what a decoder would paint all the same, `image.unreadable` for the rest. */
export function unreadableFault(reason: UnreadableReason): SuturaError {
  return new SuturaError(reason === 'damaged' ? 'image.damaged' : 'image.unreadable', {
    detail: describeUnreadable(reason),
  });
}

/** Bytes that have arrived completely but are not yet an image of the service. */
export interface StagedUpload {
  readonly sizeBytes: number;
  /** Hex, lower case. */
  readonly sha256: string;
  /** The first bytes, at least FORMAT_SIGNATURE_BYTES where there are that many. */
  readonly head: Uint8Array;
  read(): Promise<Uint8Array>;
  /** Moves the bytes to their place in the object store, durably. */
  keepAs(objectKey: string): Promise<void>;
}
