// The exported unions of texts, as they are written: `'a' | 'b'`, and `(typeof LIST)[number]` beside its list.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const WRITTEN_OUT = /^export type (\w+) =((?:\s*\|?\s*'[^'\n]+')+);/gm;
const OF_A_LIST = /^export type (\w+) = \(typeof (\w+)\)\[number\];/gm;
const TEXTS = /'([^'\n]+)'/g;

/** The names of the unions in these folders by `keyOf` their members. */
export function exportedUnions(root, folders) {
  return Object.fromEntries(folders.flatMap((folder) => unionsBelow(join(root, folder))));
}

/** Members in any order as one text. */
export function keyOf(members) {
  return [...members].sort().join('\n');
}

function unionsBelow(folder) {
  return readdirSync(folder, { recursive: true }).flatMap((path) => {
    if (!path.endsWith('.ts') || path.endsWith('.spec.ts')) return [];
    const text = readFileSync(join(folder, path), 'utf8');
    return [
      ...[...text.matchAll(WRITTEN_OUT)].map(([, name, union]) => [textsIn(union), name]),
      ...[...text.matchAll(OF_A_LIST)].map(([, name, list]) => [listIn(text, list), name]),
    ].flatMap(([members, name]) => (members === null ? [] : [[keyOf(members), name]]));
  });
}

const textsIn = (source) => [...source.matchAll(TEXTS)].map(([, text]) => text);

/** The texts of a list that holds nothing else; null: it is another list. */
function listIn(text, name) {
  const list = new RegExp(`^(?:export )?const ${name}(?:: [^=]+)? = \\[([^\\]]*)\\] as const`, 'm').exec(text)?.[1];
  return list === undefined || /\.\.\./.test(list) ? null : textsIn(list);
}
