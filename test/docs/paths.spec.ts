import { dirname, join, normalize } from 'node:path';
import { blocksOf, FILES, FOLDERS, SOURCES, textOf } from './pages.js';

const PAGES = FILES.filter(
  (file) =>
    /^(README|CONTRIBUTING|SECURITY|CHANGELOG)\.md$/.test(file) ||
    /^docs\/.*\.md$/.test(file) ||
    /^(src|test|bench|sdk|fhir-profiles)\/(.*\/)?README\.md$/.test(file),
);
const KNOWN = new Set([...FILES, ...FOLDERS]);
const TOPS = [...FOLDERS].filter((folder) => !folder.includes('/'));
const FOLDERS_OF_SRC = [...FOLDERS].flatMap((folder) => /^src\/([^/]+)$/.exec(folder)?.[1] ?? []);
/** What a run leaves behind, and what stands in somebody else's project. */
const MADE_BY_USE = /^(\.\/)?(\.data|\.cache|dist|wound-series|bench\/out|models\/training\/(data|runs|out))(\/|$)/;
const NAMES_A_FILE = /\.(ts|mjs|cjs|md)$/;

const matcherOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+?^$()|[\]\\]/g, '\\$&').replace(/\*+/g, '[^/]*')}$`);

const ancestorsOf = (folder: string): string[] =>
  folder.split('/').map((_, depth, parts) => parts.slice(0, depth + 1).join('/'));

/** A path is read from the page's folder, from one above it or from src; a name alone is a file anywhere below the page. */
function exists(page: string, written: string): boolean {
  const path = written.replace(/\/$/, '');
  const folder = dirname(page);
  const places = ['', 'src', ...ancestorsOf(folder)].map((from) => normalize(join(from, path)));
  if (!path.includes('*')) {
    if (places.some((place) => KNOWN.has(place))) return true;
    if (path.includes('/')) return false;
  }
  const below = /^(?:src|tools)\//.test(page) ? `${folder}/` : '';
  const ofName = path.includes('/') ? null : matcherOf(path);
  const ofPlaces = path.includes('*') ? places.map(matcherOf) : [];
  return [...KNOWN].some(
    (known) =>
      ofPlaces.some((place) => place.test(known)) ||
      (ofName !== null && known.startsWith(below) && ofName.test(known.slice(known.lastIndexOf('/') + 1))),
  );
}

/** Text in backticks that can only be a path: it names a source file, or begins with a folder of the repository. */
function pathsIn(prose: string, page: string): string[] {
  return [...prose.matchAll(/`([\w@.*-]+(?:\/[\w@.*-]+)*\/?)`/g)]
    .map(([, text]) => text!)
    .filter((text) => {
      if (MADE_BY_USE.test(text)) return false;
      if (NAMES_A_FILE.test(text)) return true;
      if (!text.includes('/')) return false;
      const [first] = text.split('/');
      return TOPS.includes(first!) || (page.startsWith('src/') && text.endsWith('/'));
    });
}

/** Whole paths of files in running text, such as the tests of a table. */
const plainPathsIn = (prose: string): string[] =>
  [
    ...prose.matchAll(
      /(?<![\w/.`$:-])(?:src|tools|test|sdk|bench|docs|scripts|migrations)\/[\w./-]*\.(?:ts|mjs|py|json|md)\b/g,
    ),
  ].map(([path]) => path);

/** Paths in drawings: from src or one of its folders on, not the end of an address or of a longer path. */
function drawnPathsIn(block: string): string[] {
  const start = [...TOPS, ...FOLDERS_OF_SRC].join('|');
  return [...block.matchAll(new RegExp(`(?<![\\w/.$:@-])(?:${start})/[\\w./-]*[\\w/]`, 'g'))].map(([path]) => path);
}

function linksIn(prose: string): string[] {
  return [...prose.matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g)].map(([, target]) => target!);
}

/** Every word of the sources that begins as a class does, so that a class that was renamed is not named any longer. */
const WORDS = new Set(
  FILES.filter(
    (file) =>
      /^(src|test|sdk|migrations)\/.*\.(ts|mts|mjs|cjs|js|py|java|cs)$/.test(file) && !file.startsWith('test/docs/'),
  ).flatMap((file) => textOf(file).match(/\b[A-Z]\w+/g) ?? []),
);

/** Names such as `PatientMergeService` or `PhotoTracer.trace`. */
const classNamesIn = (prose: string): string[] =>
  [...prose.matchAll(/`([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)(?:[.(][^`\n]*)?`/g)].map(([, name]) => name!);

/** The rows of tables that have another number of cells than the row above; a bar inside a cell is written `\\|`. */
function unevenRowsIn(prose: string): string[] {
  const cells = (line: string | undefined): number => (line?.startsWith('|') ? line.split(/(?<!\\)\|/).length : 0);
  const lines = prose.split('\n');
  return lines.filter(
    (line, at) => cells(line) > 0 && cells(lines[at - 1]) > 0 && cells(line) !== cells(lines[at - 1]),
  );
}

const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const headingsOf = (page: string): string[] =>
  [...blocksOf(textOf(page)).prose.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slugOf(heading!));

describe.each(PAGES)('%s', (page) => {
  const { prose, blocks } = blocksOf(textOf(page));

  it('links to pages and headings that exist', () => {
    const broken = linksIn(prose).filter((target) => {
      const [path, anchor] = target.split('#');
      const file = path === '' ? page : normalize(join(dirname(page), path!)).replace(/\/$/, '');
      if (!KNOWN.has(file)) return true;
      return anchor !== undefined && file.endsWith('.md') && !headingsOf(file).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('has as many cells in each row of a table', () => {
    expect(unevenRowsIn(prose)).toEqual([]);
  });

  it('names classes and types that exist', () => {
    expect(classNamesIn(prose).filter((name) => !WORDS.has(name))).toEqual([]);
  });

  it('names paths that exist', () => {
    // A bullet of docs/developer may name a file that the reader is to make; developer-pages.spec.ts reads those.
    const written = page.startsWith('docs/developer/') ? prose.replace(/^.*\(new\b.*$/gm, '') : prose;
    const named = [...pathsIn(written, page), ...plainPathsIn(written), ...blocks.flatMap(drawnPathsIn)];
    expect(named.filter((path) => !MADE_BY_USE.test(path) && !exists(page, path))).toEqual([]);
  });
});

describe('comments and texts of src', () => {
  const NAMED = SOURCES.flatMap((source) =>
    [...textOf(source).matchAll(/\bdocs\/(?:decisions\/\d{4}|[\w/-]+\.md)/g)].map(([page]) => [source, page] as const),
  );

  it('name pages', () => {
    expect(NAMED.length).toBeGreaterThan(5);
  });

  it('name pages that exist; a decision is named by its number', () => {
    expect(NAMED.filter(([, page]) => !FILES.some((file) => file === page || file.startsWith(`${page}-`)))).toEqual([]);
  });
});
