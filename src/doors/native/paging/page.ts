import { z } from 'zod';
import { invalidInput } from '../../../platform/http/parse-input.js';

/** The end of a page: lists are newest first by (createdAt, id). */
export interface PageCursor {
  readonly createdAt: Date;
  readonly id: string;
}

const DECODED = /^1\.(\d{1,14})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The end of a page as opaque text. It is no secret and grants nothing: every page is read with the caller's own rights. */
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
