import { createHash } from 'node:crypto';
import {
  inRows,
  type Block,
  type CaptionedPicture,
  type ColumnsBlock,
  type Fact,
  type ReportDocument,
  type Section,
  type Sheet,
  type TableBlock,
  type Tile,
} from '../documents/document-blocks.js';
import { bodyMapFigure } from './body-map-svg.js';
import { TISSUE_TABLE, type Tissue } from '../../core/tissue/tissues.js';
import { patternInk, patternMarks } from '../documents/tissue-pattern.js';
import { chartFigure } from './chart-svg.js';
import { escapeHtml } from './escape-html.js';
import { documentStyle } from './html-style.js';

/** Content-Security-Policy of a report's page; the page itself asks for less. */
export const REPORT_PAGE_POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const MANY_COLUMNS = 5;
const SWATCH = { width: 24, height: 16, period: 6 } as const;

/** A document as one HTML file: no script, nothing fetched, pictures inside. */
export function renderHtml(document: ReportDocument): Uint8Array {
  const style = documentStyle(document);
  // Even a browser that was tricked into something else runs and fetches nothing.
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  const title = escapeHtml(document.title);
  const html = `<!DOCTYPE html>
<html lang="${document.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<header>
${document.mark === null ? '' : `<p class="mark">${escapeHtml(document.mark)}</p>\n`}<h1>${title}</h1>
${bannerOf(document)}
</header>
<main>
${document.sheets.map(sheetOf).join('\n')}
</main>
<footer class="foot"><p>${escapeHtml(document.footer)} · ${escapeHtml(document.notice)}</p></footer>
</body>
</html>
`;
  return Buffer.from(html, 'utf8');
}

function bannerOf({ banner }: ReportDocument): string {
  return `<p class="banner"><strong>${escapeHtml(banner.label)}</strong>${banner.lines.map((line) => `<br>${escapeHtml(line)}`).join('')}</p>`;
}

/** A sheet with a heading has the headings of its sections one level below. */
function sheetOf({ heading, sections }: Sheet): string {
  if (heading === null) return `<div class="sheet">\n${rowsOf(sections, 2)}\n</div>`;
  const inner = rowsOf(sections, 3);
  return `<section class="sheet">\n<h2 class="sheet-name">${escapeHtml(heading)}</h2>\n${inner}\n</section>`;
}

function rowsOf(sections: readonly Section[], level: 2 | 3): string {
  return inRows(sections)
    .map((row) => {
      const inner = row.map((section) => sectionOf(section, level)).join('\n');
      return row.length === 1 ? inner : `<div class="columns">\n${inner}\n</div>`;
    })
    .join('\n');
}

function sectionOf({ heading, blocks }: Section, level: 2 | 3): string {
  return `<section>\n<h${level}>${escapeHtml(heading)}</h${level}>\n${blocks.map(blockOf).join('\n')}\n</section>`;
}

function blockOf(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${escapeHtml(block.text)}</p>`;
    case 'headline':
      return `<p class="headline">${escapeHtml(block.text)}</p>`;
    case 'notice':
      return `<p class="notice">${escapeHtml(block.text)}</p>`;
    case 'quotation':
      return `<blockquote dir="auto">${escapeHtml(block.text)}</blockquote>`;
    case 'list':
      return `<ul>\n${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('\n')}\n</ul>`;
    case 'numbered':
      return `<ol>\n${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('\n')}\n</ol>`;
    case 'tiles':
      return `<div class="tiles">\n${block.tiles.map(tileOf).join('\n')}\n</div>`;
    case 'bodyMap':
      return bodyMapFigure(block.map);
    case 'columns':
      return columnsOf(block);
    case 'facts':
      return factList(block.facts, block.compact);
    case 'table':
      return tableOf(block);
    case 'pictures':
      return `<div class="pictures ${block.arrangement}">\n${block.pictures.map(pictureOf).join('\n')}\n</div>`;
    case 'shares':
      return sharesOf(block);
    case 'chart':
      return chartFigure(block.chart);
  }
}

function tileOf({ label, value, detail }: Tile): string {
  const small = detail === null ? '' : `<span class="detail">${escapeHtml(detail)}</span>`;
  return `<p><span class="label">${escapeHtml(label)}</span><strong>${escapeHtml(value)}</strong>${small}</p>`;
}

function columnsOf({ left, right }: ColumnsBlock): string {
  const column = (blocks: readonly Block[]) => `<div>\n${blocks.map(blockOf).join('\n')}\n</div>`;
  return `<div class="columns">\n${column(left)}\n${column(right)}\n</div>`;
}

function factList(facts: readonly Fact[], compact: boolean): string {
  const rows = facts.map(
    ({ label, value }) => `<div><dt>${escapeHtml(label)}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd></div>`,
  );
  return `<dl${compact ? ' class="compact"' : ''}>\n${rows.join('\n')}\n</dl>`;
}

function tableOf({ columns, rows }: TableBlock): string {
  const body = rows.map(
    ([name, ...cells]) =>
      `<tr><th scope="row">${escapeHtml(name!)}</th>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`,
  );
  // What is wider than a narrow screen scrolls, by keyboard as well.
  const frame = columns.length >= MANY_COLUMNS ? `class="scroll wide" tabindex="0"` : `class="scroll" tabindex="0"`;
  return `<div ${frame}><table>\n${headOf(columns)}\n<tbody>\n${body.join('\n')}\n</tbody>\n</table></div>`;
}

function headOf(columns: readonly string[]): string {
  return `<thead><tr>${columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join('')}</tr></thead>`;
}

function sharesOf({ columns, shares }: Extract<Block, { kind: 'shares' }>): string {
  const rows = shares.map(({ tissue, label, share, shareText, method }) => {
    const bar = `<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="${tissue}" width="${barWidth(share)}" height="8"/></svg>`;
    return `<tr><th scope="row">${swatchOf(tissue)}${escapeHtml(label)}</th><td>${escapeHtml(shareText)}${bar}</td><td>${escapeHtml(method)}</td></tr>`;
  });
  return `<div class="scroll" tabindex="0"><table class="shares">\n${headOf(columns)}\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table></div>`;
}

/** The colour and pattern that the tissue map has for it. */
function swatchOf(tissue: Tissue): string {
  const { colour, pattern } = TISSUE_TABLE[tissue];
  const { lines, dots } = patternMarks(pattern, SWATCH.width, SWATCH.height, SWATCH.period);
  const ink = patternInk(colour);
  const strokes = lines.map(([[x1, y1], [x2, y2]]) => `M${x1} ${y1}L${x2} ${y2}`).join('');
  const marks = [
    ...(strokes === '' ? [] : [`<path d="${strokes}" stroke="${ink}" fill="none"/>`]),
    ...dots.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="1.1" fill="${ink}"/>`),
  ];
  return `<svg class="swatch" viewBox="0 0 ${SWATCH.width} ${SWATCH.height}" aria-hidden="true"><rect class="${tissue}" width="${SWATCH.width}" height="${SWATCH.height}"/>${marks.join('')}</svg>`;
}

function barWidth(share: number): number {
  return Math.round(share * 1000) / 10;
}

function pictureOf({ picture, caption, date, notes, legend, alt }: CaptionedPicture): string {
  const source = `data:image/jpeg;base64,${Buffer.from(picture.bytes).toString('base64')}`;
  const size = `width="${picture.widthPx}" height="${picture.heightPx}"`;
  const texts = [...(date === null ? [] : [date]), ...notes].map((line) => `<br>${escapeHtml(line)}`);
  const swatches = legend.map(({ tissue, label }) => `<br>${swatchOf(tissue)}${escapeHtml(label)}`);
  const lines = [...texts, ...swatches].join('');
  return `<figure><img src="${source}" ${size} alt="${escapeHtml(alt)}"><figcaption><strong>${escapeHtml(caption)}</strong>${lines}</figcaption></figure>`;
}
