import type { Resource } from '@medplum/fhirtypes';
import { referencesOf } from '../interactions/reference-walk.js';
import type { BundleEntry } from './bundle-entry.js';
import { relativeTo } from './entry-target.js';

/**
 * The entries of a batch in groups that are processed one after the other: what is put to an address comes before what refers to it, so that
 * a sender's order does not matter (R4 http.html 3.1.0.11.1 leaves it to the server). Entries that refer to each other in a circle stay together.
 */
export function inBatchOrder(entries: readonly BundleEntry[], base: string): readonly (readonly BundleEntry[])[] {
  const put = new Map<string, BundleEntry>(
    entries.flatMap((entry) =>
      entry.method === 'PUT' && entry.target.kind === 'instance'
        ? [[`${entry.target.type}/${entry.target.id}`, entry] as const]
        : [],
    ),
  );
  if (put.size === 0) return [entries];
  const ranks = new Map<BundleEntry, number>();
  const rankOf = (entry: BundleEntry): number => {
    const known = ranks.get(entry);
    if (known !== undefined) return known;
    // 0 until its rank is known, so that a circle of references ends.
    ranks.set(entry, 0);
    const before = namedBy(entry, base)
      .flatMap((address) => put.get(address) ?? [])
      .filter((other) => other !== entry);
    const rank = before.length === 0 ? 0 : 1 + Math.max(...before.map(rankOf));
    ranks.set(entry, rank);
    return rank;
  };
  const groups: BundleEntry[][] = [];
  for (const entry of entries) (groups[rankOf(entry)] ??= []).push(entry);
  return groups.filter((group) => group !== undefined);
}

/** `Type/id` of what its resource refers to. */
function namedBy({ method, resource }: BundleEntry, base: string): string[] {
  const isWritten = (method === 'POST' || method === 'PUT') && typeof resource === 'object' && resource !== null;
  return isWritten
    ? referencesOf(resource as Resource).map(({ reference }) =>
        relativeTo(base, reference).replace(/\/_history\/.*$/, ''),
      )
    : [];
}
