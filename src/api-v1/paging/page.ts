import { fromCursorText, toCursorText, type PageCursor } from './page-cursor.js';
import { pageSizeOf } from './page-limit.js';

export interface Page<Item> {
  readonly items: readonly Item[];
  /** null at the end. */
  readonly nextCursor: string | null;
}

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
