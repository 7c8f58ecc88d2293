import type { JobCursor } from '../../core/ports/job.repository.js';
import { invalidInput } from '../../platform/http/parse-input.js';

const DECODED = /^1\.(\d{1,14})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Where a page ended, as opaque text. It is no secret and grants nothing: every page is read with the caller's own rights. */
export function toCursorText(cursor: JobCursor): string {
  return Buffer.from(`1.${cursor.createdAt.getTime()}.${cursor.id}`, 'latin1').toString('base64url');
}

/** `request.invalid` for what `toCursorText` did not make. */
export function fromCursorText(text: string): JobCursor {
  const found = DECODED.exec(Buffer.from(text, 'base64url').toString('latin1'));
  const createdAt = new Date(Number(found?.[1]));
  const id = found?.[2];
  if (id === undefined || Number.isNaN(createdAt.getTime())) throw invalidInput('/query/cursor', 'is not a cursor of this service');
  return { createdAt, id };
}
