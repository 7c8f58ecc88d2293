import type { Block, Section } from '../documents/document-blocks.js';
import { escapeHtml } from './escape-html.js';

/** A section as the narrative of a FHIR resource (R4 narrative.html): XHTML, and nothing but what its rules allow. Pictures and charts are left out. */
export function toNarrative({ blocks }: Section): string {
  return `<div xmlns="http://www.w3.org/1999/xhtml">${blocks.map(blockOf).join('')}</div>`;
}

/** Whether anything of a section is left in its narrative: R4 has no empty ones (txt-2). */
export function isTold({ blocks }: Section): boolean {
  return blocks.map(blockOf).join('') !== '';
}

function blockOf(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'headline':
    case 'notice':
      return `<p>${escapeHtml(block.text)}</p>`;
    case 'quotation':
      return `<blockquote>${escapeHtml(block.text)}</blockquote>`;
    case 'list':
    case 'numbered':
      return `<ul>${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;
    case 'facts':
      return rowsOf(block.facts.map(({ label, value }) => [label, value]));
    case 'table':
      return rowsOf(block.rows, block.columns);
    case 'tiles':
      return rowsOf(
        block.tiles.map(({ label, value, detail }) => [label, detail === null ? value : `${value} ${detail}`]),
      );
    case 'shares':
      return rowsOf(
        block.shares.map(({ label, shareText, method }) => [label, shareText, method]),
        block.columns,
      );
    case 'columns':
      return [...block.left, ...block.right].map(blockOf).join('');
    case 'bodyMap':
    case 'pictures':
    case 'chart':
      return '';
  }
}

function rowsOf(rows: readonly (readonly string[])[], columns: readonly string[] = []): string {
  // A table without rows says nothing, and is no XHTML.
  if (rows.length === 0) return '';
  const cells = (texts: readonly string[], tag: 'td' | 'th') =>
    `<tr>${texts.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join('')}</tr>`;
  const head = columns.length === 0 ? '' : `<thead>${cells(columns, 'th')}</thead>`;
  return `<table>${head}<tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table>`;
}
