import { createHash } from 'node:crypto';
import type { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Language } from '../../../reports/index.js';
import { wordsFor } from './launch-words.js';

const STYLE = `body{font:1.05rem/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1.25rem;color:#1b2a33;background:#fff}
h1{font-size:1.45rem;line-height:1.25}a{display:inline-block;padding:.7rem 1.1rem;border-radius:.4rem;background:#0b5c74;color:#fff;text-decoration:none}
a:focus-visible{outline:3px solid #f0a202;outline-offset:2px}dl{margin-top:2.5rem;padding-top:1rem;border-top:1px solid #c8d3d9;font-size:.85rem;color:#44555f}
dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){body{color:#e6edf1;background:#10191e}a{background:#7fc8de;color:#0c2029}dl{color:#a9bac3;border-color:#33444e}}`;

/** Of the one style of the page, so that the policy lets in no other. */
const STYLE_SHA256 = createHash('sha256').update(STYLE).digest('base64');

/** What the page of a refused launch needs. */
export interface LaunchPage {
  readonly error: SuturaError;
  readonly language: Language;
  readonly requestId: string;
  /** Where the same launch begins in a window of its own; null: nothing is gained by one. */
  readonly ownWindow: string | null;
}

/** Nothing is loaded, sent or run; within frames of these origins alone. */
export function launchPagePolicy(frames: readonly string[]): string {
  const ancestors = frames.length === 0 ? "'none'" : frames.join(' ');
  return `default-src 'none'; style-src 'sha256-${STYLE_SHA256}'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`;
}

/** Says what is wrong and what to do, and nothing of any patient. */
export function renderLaunchPage({ error, language, requestId, ownWindow }: LaunchPage): string {
  const { title, advice, ownWindow: open, forIt } = wordsFor(language, error.code);
  const way =
    ownWindow === null
      ? ''
      : `<p><a href="${escapeHtml(ownWindow)}" target="_blank" rel="noopener noreferrer">${escapeHtml(open)}</a></p>\n`;
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(advice)}</p>
${way}<dl>
<dt>${escapeHtml(forIt)}</dt>
<dd><code>${error.code}</code> · ${escapeHtml(requestId)}</dd>
<dd lang="en">${escapeHtml(error.detail)}</dd>
</dl>
</main>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
