import { blocksOf, FILES, FOLDERS, rowsOf, textOf } from './pages.js';

const INDEX = 'docs/developer/README.md';
const PAGES = FILES.filter((file) => file.startsWith('docs/developer/') && file !== INDEX);

it('docs/developer/README.md has a row for every page, and no other', () => {
  const linked = rowsOf(textOf(INDEX)).flatMap(([, page]) => /\]\(([\w.-]+\.md)\)/.exec(page ?? '')?.[1] ?? []);
  expect(linked.sort()).toEqual(PAGES.map((page) => page.replace('docs/developer/', '')).sort());
});

/** Bullets and numbered steps that begin with paths: "- `src/core/x.ts`, `src/core/y.ts`: text". A file to make is marked "(new)". */
function placesIn(page: string): { readonly path: string; readonly isNew: boolean }[] {
  const steps = [
    ...blocksOf(textOf(page)).prose.matchAll(
      /^\s*(?:[-*]|\d+\.) (`[^`\n]+`(?: \(new\b[^)]*\))?(?:(?:,| and|, and) `[^`\n]+`(?: \(new\b[^)]*\))?)*)/gm,
    ),
  ];
  return steps.flatMap(([, places]) =>
    [...places!.matchAll(/`([^`]+)`( \(new)?/g)].flatMap(([, path, mark]) =>
      path!.includes('/') || /\.\w+$/.test(path!) ? [{ path: path!, isNew: mark !== undefined }] : [],
    ),
  );
}

describe.each(PAGES)('%s', (page) => {
  const places = placesIn(page);

  it('names the files of its change', () => {
    expect(places.length).toBeGreaterThan(0);
  });

  it('names files that exist, but for those that it marks as new', () => {
    const missing = places.filter(({ path, isNew }) => {
      const place = path.replace(/\/$/, '').replace(/[#:].*$/, '');
      return !isNew && !FILES.includes(place) && !FOLDERS.has(place);
    });
    expect(missing.map(({ path }) => path)).toEqual([]);
  });

  it('marks no file as new that is there already', () => {
    const there = places.filter(({ path, isNew }) => isNew && (FILES.includes(path) || FOLDERS.has(path)));
    expect(there.map(({ path }) => path)).toEqual([]);
  });
});
