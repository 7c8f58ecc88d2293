import type { ErrorCode } from '../errors/catalogue.js';
import { SuturaError } from '../errors/sutura-error.js';

/** Final refusals of uploaded bytes, wherever they are first read: the same bytes fail again. */
export const UPLOAD_FAULTS = [
  'image.type',
  'image.too_large',
  'upload.digest',
  'upload.signature',
] as const satisfies readonly ErrorCode[];

/**
 * Refuses a header that differs from its announcement in the request for the address; null: not announced.
 * `upload.signature`, as a bad request where it was not sent at all.
 */
export function refuseOtherThanAnnounced(
  header: 'Content-Type' | 'Content-Length',
  announced: string | number | null,
  sent: string | number | null,
  remedy: string,
): void {
  if (announced === null || announced === sent) return;
  throw new SuturaError('upload.signature', {
    detail: `The header ${header} is not the one that was announced for this address. ${remedy}`,
    kind: sent === null ? 'bad_request' : 'forbidden',
  });
}
