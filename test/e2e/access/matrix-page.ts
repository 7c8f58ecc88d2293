import { rowsOf, textOf } from '../../docs/pages.js';
import type { MatrixRoute, TypeRights } from './matrix-routes.js';

/** The tables of docs/conformance/access.md. */
export const PAGE = rowsOf(textOf('docs/conformance/access.md'));

/** The cells of the row about a caller, as [native, fhir, admin]. */
export function rowAbout(caller: string): Readonly<Record<MatrixRoute['door'], string>> {
  const row = PAGE.find(([first]) => first === caller);
  if (row === undefined) throw new Error(`access.md has no row "${caller}".`);
  const plain = row.map((cell) => cell.replace(/`/g, ''));
  return { native: plain[1]!, fhir: plain[2]!, admin: plain[3]!.split(',')[0]! };
}

/** What reads and what writes each type. */
export const TYPE_RIGHTS: ReadonlyMap<string, TypeRights> = new Map(
  PAGE.filter(
    ([, read = '', write, more]) =>
      /^(`analysis:read`|`webhooks:manage`$|`audit:read`$|any key)/.test(read) &&
      write !== undefined &&
      more === undefined,
  ).flatMap(([types = '', read = '', write = '']) => types.split(', ').map((type) => [type, { read, write }] as const)),
);
/** The scopes that each operation asks for. */
export const OPERATION_SCOPES: ReadonlyMap<string, readonly string[]> = new Map(
  PAGE.filter(([first = '']) => first.startsWith('`$')).flatMap(([names = '', scopes = '']) =>
    names.split(', ').map((name) => [name.replace(/`/g, ''), scopes.match(/[a-z]+:[a-z]+/g) ?? []] as const),
  ),
);
