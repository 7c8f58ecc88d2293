// Markdown as GitHub reads it, to HTML without a script, a style or a tag that the page's author wrote.
import { posix } from 'node:path';
import { Marked } from 'marked';

/** The anchor of a heading, as GitHub makes it. */
export const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapeHtml = (text) => text.replace(/[&<>"]/g, (character) => ESCAPES[character]);

/** A word that a table explains, such as an error code or a setting, alone in the first cell of its row. */
const TERM = /^`([\w.:*/-]+)`$/;
const OTHER_HOST = /^(?:https?|mailto):/i;

/** The title of a page: its first heading. */
export function titleOf(text, path) {
  const heading = /^# (.+)$/m.exec(text)?.[1] ?? posix.basename(path, '.md');
  return heading.replace(/[`*]/g, '').trim();
}

/** The words of tokens, without their form. */
export const wordsOf = (tokens) => tokens.map(wordsOfToken).join('').replace(/\s+/g, ' ').trim();

function wordsOfToken(token) {
  if (token.type === 'table') return [token.header, ...token.rows].map(wordsOfRow).join(' ');
  if (token.type === 'list') return token.items.map(({ tokens }) => `${wordsOf(tokens)} `).join('');
  if (token.type === 'br' || token.type === 'space') return ' ';
  const isBlock = /^(?:paragraph|heading|blockquote|code)$/.test(token.type);
  const words = token.tokens ? token.tokens.map(wordsOfToken).join('') : (token.text ?? '');
  return isBlock ? `${words} ` : words;
}

export const wordsOfRow = (row) => row.map(({ tokens }) => wordsOf(tokens)).join(' ');

/** Gives headings and the rows that explain a term the names by which they can be led to, each once on a page. */
export function nameParts(tokens) {
  const times = new Map();
  const headings = tokens.filter(({ type }) => type === 'heading');
  for (const heading of headings) {
    const slug = slugOf(heading.text);
    const before = times.get(slug) ?? 0;
    times.set(slug, before + 1);
    heading.id = before === 0 ? slug : `${slug}-${before}`;
  }
  const taken = new Set(headings.map(({ id }) => id));
  for (const row of tokens.flatMap((token) => (token.type === 'table' ? token.rows : []))) {
    const [, term] = TERM.exec(row[0].text) ?? [];
    if (term === undefined || taken.has(term)) continue;
    taken.add(term);
    row.id = term;
  }
}

const idOf = ({ id }) => (id === undefined ? '' : ` id="${escapeHtml(id)}"`);

/** Renders one page. `resolve(target)` says where a relative link leads in the site: `{ href, path }`, a null `href`: nowhere. */
function rendererOf(resolve) {
  const addressOf = (target) =>
    target.startsWith('#') || OTHER_HOST.test(target) ? { href: target, path: target } : resolve(target);
  return {
    heading(token) {
      return `<h${token.depth}${idOf(token)}>${this.parser.parseInline(token.tokens)}</h${token.depth}>\n`;
    },
    // Wide ones scroll by themselves, by keyboard too. A style attribute would be refused: a side is a class.
    table({ header, rows }) {
      const cell = (tag, { tokens, align }) =>
        `<${tag}${align ? ` class="to-${align}"` : ''}>${this.parser.parseInline(tokens)}</${tag}>`;
      const row = (tag, cells) => `<tr${idOf(cells)}>${cells.map((each) => cell(tag, each)).join('')}</tr>\n`;
      const body = rows.map((cells) => row('td', cells)).join('');
      // A heading without words is none; Markdown has no table without a row of them.
      const hasHead = header.some(({ text }) => text !== '');
      const head = hasHead ? `<thead>${row('th', header).replaceAll(/<th[^>]*><\/th>/g, '<td></td>')}</thead>\n` : '';
      return `<div class="wide" tabindex="0"><table class="plain">\n${head}<tbody>${body}</tbody></table></div>\n`;
    },
    /** Long names break where a reader would break them. */
    codespan({ text }) {
      return `<code>${escapeHtml(text).replaceAll(/(?<=\w[._/])(?=\w)/g, '<wbr>')}</code>`;
    },
    code({ text, lang }) {
      const block = `<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre>\n`;
      // What draws it elsewhere is larger than the whole site.
      return lang === 'mermaid' ? `<details><summary>Drawing, as text</summary>${block}</details>\n` : block;
    },
    html({ raw }) {
      return escapeHtml(raw);
    },
    link({ href: target, tokens }) {
      const { href, path } = addressOf(target);
      const words = this.parser.parseInline(tokens);
      if (href !== null) return `<a href="${escapeHtml(href)}">${words}</a>`;
      return wordsOf(tokens).includes(posix.basename(path)) ? words : `${words} (${escapeHtml(path)})`;
    },
    image({ href: target, text }) {
      const { href } = addressOf(target);
      return href === null ? escapeHtml(text) : `<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}">`;
    },
  };
}

/** The tokens of a page's text, with its parts named. */
export function parse(text) {
  const tokens = new Marked().lexer(text);
  nameParts(tokens);
  return tokens;
}

export function render(tokens, resolve) {
  return new Marked({ renderer: rendererOf(resolve) }).parser(tokens);
}
