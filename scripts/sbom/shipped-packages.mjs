import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Packages that state their licence in a file only, as that file does; a test reads it. */
const LICENCE_OF = { 'png-js': 'MIT' };

/** What the pages of web/ are built from: installed for development, and shipped inside dist/web and dist/docs. */
export const OF_THE_PAGES = [
  '@tanstack/react-query',
  '@tanstack/react-virtual',
  'minisearch',
  'react',
  'react-aria-components',
  'react-dom',
  'react-router',
];

/**
 * The npm packages that are shipped: those of package-lock.json that are not for development alone, and those that the
 * pages are built from, by path.
 * @returns {Promise<{ path: string, name: string, version: string, purl: string, licence: string, sha512: string,
 *   optional: boolean, ofOnePlatform: boolean, installed: boolean, needs: Record<string, string> }[]>}
 */
export async function shippedPackages(root) {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const ofPages = pathsBelow(packages, OF_THE_PAGES);
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && ((!dev && !devOptional) || ofPages.has(path)))
    .map(([path, entry]) => {
      const name = nameOf(path);
      const licence = entry.license ?? LICENCE_OF[name];
      if (licence === undefined) throw new Error(`${path} states no licence. Look, and name it in LICENCE_OF.`);
      return {
        path,
        name,
        version: entry.version,
        purl: npmPurl(name, entry.version),
        licence,
        sha512: Buffer.from(entry.integrity.replace(/^sha512-/, ''), 'base64').toString('hex'),
        optional: entry.optional === true,
        ofOnePlatform: entry.optional === true && (entry.os ?? entry.cpu) !== undefined,
        installed: existsSync(join(root, path)),
        needs: { ...entry.dependencies, ...entry.optionalDependencies, ...requiredPeers(entry) },
      };
    });
}

/** The paths, in the lock file's `packages`, of these packages and of all that they need. */
export function pathsBelow(packages, names) {
  const found = new Set();
  const add = (from, name) => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
      const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
      const entry = packages[path];
      if (entry !== undefined) {
        if (found.has(path)) return;
        found.add(path);
        for (const needed of Object.keys({ ...entry.dependencies, ...requiredPeers(entry) })) add(path, needed);
        return;
      }
      if (folder === '') return;
    }
  };
  for (const name of names) add('', name);
  return found;
}

/** What each package of `packages` finds under the names that it needs, as Node.js looks for them. */
export function linksOf(packages) {
  const byPath = new Map(packages.map((entry) => [entry.path, entry]));
  const find = (from, name) => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
      const found = byPath.get(folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`);
      if (found !== undefined || folder === '') return found;
    }
  };
  return (path, needs) =>
    Object.keys(needs).flatMap((name) => {
      const found = find(path, name);
      return found === undefined ? [] : [found.purl];
    });
}

/** Package URL of an npm package; only the @ of a scope is escaped. */
export function npmPurl(name, version) {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
}

function nameOf(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function requiredPeers({ peerDependencies = {}, peerDependenciesMeta = {} }) {
  return Object.fromEntries(Object.entries(peerDependencies).filter(([name]) => !peerDependenciesMeta[name]?.optional));
}
