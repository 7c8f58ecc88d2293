import type { Bundle } from '@medplum/fhirtypes';

type Plain = Readonly<Record<string, unknown>>;

/** Only these name an entry; whatever else looks like a name is text. */
const NAMING = new Set(['fullUrl', 'reference']);

/** A copy as JSON would carry it, without what is undefined and without an empty list of entries. What is prepared of a Bundle is written into it; its maker's stays as it is. */
export function plainBundle({ entry, ...bundle }: Bundle): unknown {
  return plain({ ...bundle, ...(entry === undefined || entry.length === 0 ? {} : { entry }) });
}

/**
 * One transaction with the entries of all of these, in their order. Makers number the entries of each Bundle alike; here every entry gets a
 * fullUrl of its own.
 */
export function joinBundles(bundles: readonly Bundle[]): unknown {
  if (bundles.length === 1) return plainBundle(bundles[0]!);
  const entry = bundles.flatMap((bundle, at) => {
    const { entry: entries = [] } = plainBundle(bundle) as { entry?: readonly Plain[] };
    const names = new Map(
      entries.flatMap(({ fullUrl }, place) => (typeof fullUrl === 'string' ? [[fullUrl, nameOf(at, place)]] : [])),
    );
    return entries.map((one) => renamed(one, names));
  });
  return { resourceType: 'Bundle', type: 'transaction', entry };
}

function nameOf(bundle: number, place: number): string {
  return `urn:uuid:00000000-0000-4000-${(0x8000 + bundle).toString(16)}-${String(place + 1).padStart(12, '0')}`;
}

function renamed<T>(value: T, names: ReadonlyMap<string, string>, key = ''): T {
  if (Array.isArray(value)) return value.map((inner: unknown) => renamed(inner, names)) as T;
  if (typeof value === 'string') return (NAMING.has(key) ? (names.get(value) ?? value) : value) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, renamed(inner, names, name)])) as T;
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [[name, plain(inner)]])),
  );
}
