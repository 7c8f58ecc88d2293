import { z } from 'zod';

const DEFAULT_LIMIT = 20;
const LARGEST_LIMIT = 100;

/** The `limit` of a list, as text of the query. */
export const limitText = z
  .string()
  .refine((text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= LARGEST_LIMIT, {
    error: `must be a whole number from 1 to ${LARGEST_LIMIT}`,
  })
  .meta({ type: 'integer', minimum: 1, maximum: LARGEST_LIMIT, default: DEFAULT_LIMIT });

/** How many items a page holds. */
export function pageSizeOf({ limit }: { readonly limit?: string | undefined }): number {
  return limit === undefined ? DEFAULT_LIMIT : Number(limit);
}
