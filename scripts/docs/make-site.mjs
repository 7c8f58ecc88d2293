// Writes the pages, the pictures and the search of the docs site.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { makeAssets } from './assets.mjs';
import { parse, render, titleOf } from './markdown.mjs';
import { navigationOf } from './navigation.mjs';
import { pageOf } from './page-template.mjs';
import { sectionsOf } from './sections.mjs';
import { INDEX, placeOf, siteSources, wayTo } from './site-sources.mjs';

function write(out, place, content) {
  mkdirSync(dirname(join(out, place)), { recursive: true });
  writeFileSync(join(out, place), content);
}

/** Where a link of a page leads. A folder leads to its README. */
function resolver(pages, pictures, from) {
  const known = new Set([...pages.keys(), ...pictures]);
  return (target) => {
    const [file, anchor] = target.split('#');
    const path = posix.join(posix.dirname(from), decodeURIComponent(file)).replace(/\/$/, '');
    const found = [path, `${path}/README.md`].find((candidate) => known.has(candidate));
    const place = path === 'docs/openapi.json' ? '../api-docs/openapi.json' : found && placeOf(found);
    if (place === undefined) return { href: null, path };
    return { href: wayTo(placeOf(from), place) + (anchor === undefined ? '' : `#${anchor}`), path };
  };
}

/** Every page by its path: its text and title. */
function readPages(root, paths) {
  return new Map(
    paths.map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return [path, { text, title: titleOf(text, path) }];
    }),
  );
}

/** @returns {Promise<number>} how many pages there are */
export async function makeSite(root, out) {
  const { pages: paths, pictures } = siteSources(root);
  const pages = readPages(root, paths);
  const titles = new Map([...pages].map(([path, { title }]) => [path, title]));
  const groups = navigationOf(pages.get(INDEX)?.text ?? '', titles);
  const found = [];
  for (const [path, { text, title }] of pages) {
    const tokens = parse(text);
    const place = placeOf(path);
    const sections = sectionsOf(tokens);
    const headings = sections.filter(({ level }) => level === 2);
    const html = render(tokens, resolver(pages, pictures, path));
    write(out, place, pageOf({ path, place, title, html, headings }, groups));
    found.push(...sections.map(({ id, heading, text: words }) => [place, title, id, heading, words]));
  }
  for (const path of pictures) {
    mkdirSync(dirname(join(out, placeOf(path))), { recursive: true });
    copyFileSync(join(root, path), join(out, placeOf(path)));
  }
  write(out, 'assets/search.json', JSON.stringify(found));
  await makeAssets(root, join(out, 'assets'));
  return pages.size;
}
