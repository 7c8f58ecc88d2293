// What the docs site is made of, and where each page lies in it.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Pages of the docs, below this folder. */
export const DOCS = 'docs';
/** The page that says who reads what: the navigation is made of it. */
export const INDEX = 'docs/index.md';
/** Pages beside the docs that these lead to. */
const BESIDE = [
  /^(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$/,
  /^(bench|fhir-profiles|fhir-definitions)\/README\.md$/,
  /^sdk\/([^/]+\/)?(README|CHANGELOG)\.md$/,
  /^models\/[^/]+\/(MODEL_CARD|README|[a-z-]+)\.md$/,
];
const FOLDERS_BESIDE = ['.', 'bench', 'fhir-profiles', 'fhir-definitions', 'sdk', 'sdk/*', 'models/*'];
/** What makes the site of them. */
const MAKERS = [
  'scripts/docs',
  'web/src/docs',
  'web/src/shared/theme.css',
  'web/src/shared/components/components.css',
  'web/public/mark.svg',
  'package.json',
  'package-lock.json',
];
const PICTURE = /\.(png|svg)$/;

function filesBelow(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      posix.join(entry.parentPath.slice(root.length).replaceAll('\\', '/').replace(/^\//, ''), entry.name),
    );
}

function filesIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.name !== 'node_modules');
}

function* pagesBeside(root) {
  for (const place of FOLDERS_BESIDE) {
    const [top, star] = place.split('/');
    const folders =
      star === undefined
        ? [place]
        : filesIn(root, top)
            .filter((entry) => entry.isDirectory())
            .map(({ name }) => `${top}/${name}`);
    for (const folder of folders)
      for (const entry of filesIn(root, folder)) {
        const path = posix.join(folder, entry.name);
        if (entry.isFile() && BESIDE.some((pattern) => pattern.test(path))) yield path;
      }
  }
}

/** The files of the site by their paths from the root: pages in Markdown, and pictures of the docs. */
export function siteSources(root) {
  const docs = filesBelow(root, DOCS);
  const pages = [...docs.filter((path) => path.endsWith('.md')), ...pagesBeside(root)].sort();
  return { pages, pictures: docs.filter((path) => PICTURE.test(path)).sort() };
}

/** A digest of everything that the site is made of: equal ones make equal sites. */
export function stampOfSite(root) {
  const { pages, pictures } = siteSources(root);
  const makers = MAKERS.flatMap((maker) => (/\.\w+$/.test(maker) ? [maker] : filesBelow(root, maker)));
  const digest = createHash('sha256');
  for (const path of [...pages, ...pictures, ...makers.sort()]) {
    if (!existsSync(join(root, path))) continue;
    digest
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return digest.digest('hex').slice(0, 32);
}

/** Where a page or a picture of the repository lies in the site: the page of a folder is its `index.html`. */
export function placeOf(path) {
  const inside = path.startsWith(`${DOCS}/`) ? path.slice(DOCS.length + 1) : `project/${path}`;
  return inside.replace(/(?<=^|\/)README\.md$/, 'index.md').replace(/\.md$/, '.html');
}

/** The way from one place of the site to another. */
export function wayTo(from, to) {
  return posix.relative(posix.dirname(from), to) || posix.basename(to);
}
