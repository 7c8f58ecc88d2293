import { z } from 'zod';
import type { LookUpCursor, LookUpPage } from '../../../core/analysis/look-up-page.js';
import { invalidInput } from '../../../platform/http/parse-input.js';

/** The end of a page: lists are newest first by (createdAt, id). */
export interface PageCursor {
  readonly createdAt: Date;
  readonly id: string;
  /** Of a look-up: what came after it is on no page. Absent or null: everything counts. */
  readonly until?: Date | null;
}

const DECODED = /^1\.(\d{1,14})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.(\d{1,14}))?$/;

/** The end of a page as opaque text. It is no secret and grants nothing: every page is read with the caller's own rights. */
export function toCursorText(cursor: PageCursor): string {
  const { createdAt, id, until = null } = cursor;
  const end = until === null ? '' : `.${until.getTime()}`;
  return Buffer.from(`1.${createdAt.getTime()}.${id}${end}`, 'latin1').toString('base64url');
}

/** `request.invalid` for what `toCursorText` did not make. */
export function fromCursorText(text: string): PageCursor {
  const found = DECODED.exec(Buffer.from(text, 'base64url').toString('latin1'));
  const createdAt = new Date(Number(found?.[1]));
  const id = found?.[2];
  if (id === undefined || Number.isNaN(createdAt.getTime()))
    throw invalidInput('/query/cursor', 'is not a cursor of this service');
  return found?.[3] === undefined ? { createdAt, id } : { createdAt, id, until: new Date(Number(found[3])) };
}

const DEFAULT_LIMIT = 20;
const LARGEST_LIMIT = 100;

/** The `limit` of a list, as text of the query. */
export const limitText = z
  .string()
  .refine((text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= LARGEST_LIMIT, {
    error: `must be a whole number from 1 to ${LARGEST_LIMIT}`,
  })
  .meta({ type: 'integer', minimum: 1, maximum: LARGEST_LIMIT, default: DEFAULT_LIMIT });

/** The number of items on a page. */
export function pageSizeOf({ limit }: { readonly limit?: string | undefined }): number {
  return limit === undefined ? DEFAULT_LIMIT : Number(limit);
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** null at the end. */
  readonly nextCursor: string | null;
}

/** A list that always comes whole, in the envelope of every list; `olderName`: what its items were called before, which stays. */
export function wholeList<Item>(
  items: readonly Item[],
  olderName?: string,
): Page<Item> & Readonly<Record<string, unknown>> {
  return { ...(olderName === undefined ? {} : { [olderName]: items }), items, nextCursor: null };
}

/** Of a list's schema: the fields that every list has, and the older name of its items. */
export const listFields = <Item extends z.ZodType>(
  item: Item,
  order: string,
): { items: z.ZodArray<Item>; nextCursor: z.ZodNullable<z.ZodString> } => ({
  items: z.array(item).describe(order),
  nextCursor: z.string().nullable().describe('For the next page; null at the end.'),
});
export const olderItems = <Item extends z.ZodType>(item: Item): z.ZodArray<Item> =>
  z.array(item).meta({ deprecated: true, description: 'The same as items, by the name that they had first.' });

/** One page of a list. `read` gives up to so many items behind the cursor: one more than the page holds tells whether there is another. */
export async function readPage<Item extends PageCursor>(
  query: { readonly limit?: string | undefined; readonly cursor?: string | undefined },
  read: (limit: number, after: PageCursor | null) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  const size = pageSizeOf(query);
  const found = await read(size + 1, query.cursor === undefined ? null : fromCursorText(query.cursor));
  const items = found.slice(0, size);
  const last = items.at(-1);
  return { items, nextCursor: found.length > size && last !== undefined ? toCursorText(last) : null };
}

/** Before every id of the same moment. */
const BEFORE_ALL_IDS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * One page of a look-up. It may have fewer items than it holds, even none, and yet a cursor: `read` looks at so many records and no more. What came
 * since the first page is on none.
 */
export async function readLookUp<Item extends { readonly id: string; readonly listedAt: Date }>(
  query: { readonly limit?: string | undefined; readonly cursor?: string | undefined },
  read: (limit: number, after: LookUpCursor | null) => Promise<LookUpPage<Item>>,
): Promise<Page<Item>> {
  const size = pageSizeOf(query);
  const from = query.cursor === undefined ? null : fromCursorText(query.cursor);
  const after = from === null ? null : { listedAt: from.createdAt, id: from.id, until: from.until ?? null };
  const { items, lookedTo } = await read(size + 1, after);
  const until = after?.until ?? items[0]?.listedAt ?? lookedTo;
  const last = items.length > size ? items[size - 1] : undefined;
  if (last !== undefined)
    return { items: items.slice(0, size), nextCursor: toCursorText({ createdAt: last.listedAt, id: last.id, until }) };
  if (lookedTo === null) return { items, nextCursor: null };
  // Of that moment there may be more that was not looked at: all of it is on the next page.
  const whole = items.filter(({ listedAt }) => listedAt > lookedTo);
  return { items: whole, nextCursor: toCursorText({ createdAt: lookedTo, id: BEFORE_ALL_IDS, until }) };
}
