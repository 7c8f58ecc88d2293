// Who reads what, from docs/index.md: a heading for each reader, with a list of links below it.
import { posix } from 'node:path';
import { DOCS, INDEX } from './site-sources.mjs';

const LINK = /\[([^\]]+)\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?\)/;
const OTHER = 'More pages';

/** The first link of each item of the lists in the index, by heading; what the site does not have is left out. */
function groupsOf(index, has) {
  const [, ...parts] = index.split(/^## /m);
  return parts.map((part) => {
    const links = [...part.matchAll(/^- (.*)$/gm)].flatMap(([, item]) => {
      const [, title, target, anchor = ''] = LINK.exec(item) ?? [];
      const path = target && posix.join(posix.dirname(INDEX), target);
      return path !== undefined && has(path) ? [{ title: title.replaceAll('`', ''), path, anchor }] : [];
    });
    return { heading: part.slice(0, part.indexOf('\n')).trim(), links };
  });
}

/**
 * The groups of the navigation, each page by its path. A page of the docs that the index does not name is in a group
 * of its own at the end, so that none is lost where one was moved.
 * @param {string} index the text of docs/index.md
 * @param {Map<string, string>} titles of all pages, by path
 */
export function navigationOf(index, titles) {
  const groups = groupsOf(index, (path) => titles.has(path)).filter(({ links }) => links.length > 0);
  const named = new Set(groups.flatMap(({ links }) => links.map(({ path }) => path)));
  const isInFolderNamed = (path) => {
    const folder = posix.dirname(path);
    return folder !== DOCS && named.has(`${folder}/README.md`);
  };
  const others = [...titles.keys()].filter(
    (path) => path.startsWith(`${DOCS}/`) && path !== INDEX && !named.has(path) && !isInFolderNamed(path),
  );
  if (others.length === 0) return groups;
  return [...groups, { heading: OTHER, links: others.map((path) => ({ title: titles.get(path), path, anchor: '' })) }];
}
