import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What is compiled file by file. */
export const PROGRAM_FOLDERS = ['src', 'migrations', 'tools'];
/** What the pages are made of; of src they import the measurement alone, and types. */
const PAGE_SOURCES = ['web/', 'src/core/'];
/** What makes a build, and the packages that are bundled into it: a change of either makes all of it anew. */
const MAKERS = ['scripts/build', 'package-lock.json'];

const isSource = (name) => !/\.(spec\.tsx?|d\.ts|md)$/.test(name);

function* filesBelow(root, path) {
  if (!existsSync(join(root, path))) return;
  if (statSync(join(root, path)).isFile()) return yield path;
  for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
    if (entry.name === 'dist' || entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) yield* filesBelow(root, `${path}/${entry.name}`);
    else if (isSource(entry.name)) yield `${path}/${entry.name}`;
  }
}

const digestOf = (content) => createHash('sha256').update(content).digest('hex').slice(0, 32);
const stampOf = (digests) => digestOf(JSON.stringify(digests));

/**
 * The sources of a build as they are now: the digest of each by its path, and stamps over the whole, over what makes a
 * build and over the pages. Equal stamps make equal files.
 */
export function readSources(root) {
  const paths = [...PROGRAM_FOLDERS, 'web', ...MAKERS].flatMap((place) => [...filesBelow(root, place)]).sort();
  const digests = Object.fromEntries(paths.map((path) => [path, digestOf(readFileSync(join(root, path)))]));
  const part = (isPart) => Object.fromEntries(Object.entries(digests).filter(([path]) => isPart(path)));
  const makers = part((path) => MAKERS.some((maker) => path.startsWith(maker)));
  return {
    digests,
    stamp: stampOf(digests),
    makers: stampOf(makers),
    pages: stampOf({ ...makers, ...part((path) => PAGE_SOURCES.some((folder) => path.startsWith(folder))) }),
  };
}
