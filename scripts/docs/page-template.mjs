// The page around a text. It has no script or style of its own: the gateway's policy would refuse both.
import { posix } from 'node:path';
import { escapeHtml } from './markdown.mjs';
import { placeOf, wayTo } from './site-sources.mjs';

const SITE = 'Sutura docs';

/** Below this number a page is read without a list of its headings. */
const FEWEST_HEADINGS = 3;

function pageLinks(groups, place, path) {
  const markOf = (link) => {
    if (link.anchor !== '') return '';
    if (link.path === path) return ' aria-current="page"';
    return link.path === `${posix.dirname(path)}/README.md` ? ' aria-current="true"' : '';
  };
  return groups
    .map(({ heading, links }) => {
      const isHere = links.some((link) => markOf(link) !== '');
      const rows = links.map(
        (link) =>
          `<li><a href="${wayTo(place, placeOf(link.path))}${link.anchor}"${markOf(link)}>${escapeHtml(link.title)}</a></li>`,
      );
      return `<details${isHere ? ' open' : ''}><summary>${escapeHtml(heading)}</summary><ul>${rows.join('')}</ul></details>`;
    })
    .join('\n');
}

function headingLinks(headings) {
  if (headings.length < FEWEST_HEADINGS) return '';
  const rows = headings.map(
    ({ id, heading }) => `<li><a href="#${encodeURIComponent(id)}">${escapeHtml(heading)}</a></li>`,
  );
  return `<nav class="headings" aria-label="On this page"><p class="hint">On this page</p><ul>${rows.join('')}</ul></nav>`;
}

/**
 * @param {{ path: string, place: string, title: string, html: string, headings: { id: string, heading: string }[] }} page
 * @param groups the navigation
 */
export function pageOf({ path, place, title, html, headings }, groups) {
  const to = (target) => wayTo(place, target);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · ${SITE}</title>
<link rel="icon" href="${to('assets/mark.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${to('assets/docs.css')}">
<script type="module" src="${to('assets/docs.js')}"></script>
</head>
<body>
<a class="skip" href="#site-text">Skip to the page</a>
<header>
<a class="home" href="${to('index.html')}"><img src="${to('assets/mark.svg')}" alt="" width="24" height="24">${SITE}</a>
<search id="site-search" hidden>
<label class="visually-hidden" for="site-words">Search the docs</label>
<input class="input" id="site-words" type="search" placeholder="Search: an error code, a setting, a word" autocomplete="off" spellcheck="false" aria-controls="site-found">
<div id="site-found" hidden><p class="hint" role="status"></p><ol></ol></div>
</search>
<button class="button" type="button" popovertarget="site-pages">Pages</button>
</header>
<div class="columns">
<nav id="site-pages" popover aria-label="Pages">
${pageLinks(groups, place, path)}
</nav>
<main id="site-text" tabindex="-1">
${html}</main>
${headingLinks(headings)}
</div>
</body>
</html>
`;
}
