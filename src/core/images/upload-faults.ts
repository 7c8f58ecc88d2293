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

const ASK_ANEW = 'Send the photo that was announced, or request a new upload URL for this one.';

/** Refuses bytes beyond the announced ones as soon as they come: `upload.signature`. A body in chunks says its length at its end alone. */
export function refuseMoreThanAnnounced(announcedBytes: number | null, receivedBytes: number): void {
  if (announcedBytes === null || receivedBytes <= announcedBytes) return;
  throw new SuturaError('upload.signature', {
    detail: `The body has more than the ${announcedBytes} bytes that were announced for this address. ${ASK_ANEW}`,
  });
}

/** Refuses a whole body that is shorter than announced: `upload.signature`. */
export function refuseFewerThanAnnounced(announcedBytes: number | null, receivedBytes: number): void {
  if (announcedBytes === null || receivedBytes >= announcedBytes) return;
  throw new SuturaError('upload.signature', {
    detail: `The body has ${receivedBytes} bytes, and ${announcedBytes} were announced for this address. ${ASK_ANEW}`,
  });
}
