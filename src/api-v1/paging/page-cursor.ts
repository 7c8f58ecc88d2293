import { invalidInput } from '../../platform/http/parse-input.js';

/** Where a page ended: lists are newest first by (createdAt, id). */
export interface PageCursor {
  readonly createdAt: Date;
  readonly id: string;
}

const DECODED = /^1\.(\d{1,14})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Where a page ended, as opaque text. It is no secret and grants nothing: every page is read with the caller's own rights. */
export function toCursorText(cursor: PageCursor): string {
  return Buffer.from(`1.${cursor.createdAt.getTime()}.${cursor.id}`, 'latin1').toString('base64url');
}

/** `request.invalid` for what `toCursorText` did not make. */
export function fromCursorText(text: string): PageCursor {
  const found = DECODED.exec(Buffer.from(text, 'base64url').toString('latin1'));
  const createdAt = new Date(Number(found?.[1]));
  const id = found?.[2];
  if (id === undefined || Number.isNaN(createdAt.getTime()))
    throw invalidInput('/query/cursor', 'is not a cursor of this service');
  return { createdAt, id };
}
