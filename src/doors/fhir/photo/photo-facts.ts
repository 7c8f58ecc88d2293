import type { Attachment } from '@medplum/fhirtypes';
import { usableCameraTime } from '../../../core/analysis/camera-time.js';
import { contentTypeOf, type ImageVerdict } from '../../../core/images/image.js';
import { digestOf } from '../../../platform/turns/digest.js';
import type { StrippedPhoto } from './exif.js';

/** Facts of a photo whose bytes are there. Size and hash are those of the bytes as they are served. */
export interface PhotoFacts {
  readonly contentType: string;
  readonly sizeBytes: number;
  /** SHA-1 in base64, as R4's Attachment has it. */
  readonly sha1: string;
  /** In pixels, upright. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Time of the camera; FHIR dateTime. null: not stated, or one that cannot be, since its clock is wrong. */
  readonly takenAt: string | null;
}

export async function factsOf(
  { bytes, exif }: StrippedPhoto,
  verdict: Extract<ImageVerdict, { readable: true }>,
  now: Date,
): Promise<PhotoFacts> {
  const takenAt = usableCameraTime(exif.takenAt, { now, storedAt: null, birthDate: null })?.text ?? null;
  return {
    contentType: contentTypeOf(verdict.format),
    sizeBytes: bytes.length,
    sha1: await sha1Of(bytes),
    widthPx: verdict.widthPx,
    heightPx: verdict.heightPx,
    takenAt,
  };
}

export async function sha1Of(bytes: Uint8Array): Promise<string> {
  return (await digestOf('sha1', bytes)).toString('base64');
}

/** The attachment of a stored photo: its address and facts, replacing what the sender stated. */
export function storedAttachment(attachment: Attachment, imageId: string, facts: PhotoFacts | null): Attachment {
  const { data: _data, ...said } = attachment;
  const known = facts === null ? {} : { contentType: facts.contentType, size: facts.sizeBytes, hash: facts.sha1 };
  return { ...said, ...known, url: `Binary/${imageId}` };
}
