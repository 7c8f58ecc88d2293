import { jsonBytes } from './packed-content.js';

/** Bytes of JSON after which a page ends, whatever number of resources was asked for: thirty of the largest, thousands of ordinary ones. */
export const PAGE_BYTES = 8 * 1024 * 1024;

/** Columns of the bounded rows. */
export interface MeasuredRow {
  readonly bytes: number;
  /** The number of rows without the bound. */
  readonly found: number;
}

/**
 * Bounds a page by bytes: of the rows of a query, in the order given (of columns of `q`), those before which fewer than PAGE_BYTES of `content` stand. So the first
 * is always in, and at most one reaches beyond. Measured in the database, since a page of large resources must not travel to be cut.
 */
export function withinPage(rows: string, columns: string, order: string): string {
  return `select ${columns}, q.bytes, q.found::int as found
    from (select q.*, count(*) over () as found, sum(q.bytes) over (order by ${order} rows between unbounded preceding and 1 preceding) as before
      from (select q.*, ${jsonBytes('q')} as bytes from (${rows}) q) q) q
    where coalesce(q.before, 0) < ${PAGE_BYTES} order by ${order}`;
}
