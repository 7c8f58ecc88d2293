import type { ReportFormat } from '../../src/core/report/report-document.js';
import { pdfPages } from './pdf-text.js';

/** What a person reads in a document, whatever its format: words in their order, white space as single spaces, a minus sign as a hyphen. */
export function readDocument(bytes: Uint8Array, format: ReportFormat): string {
  const text = format === 'pdf' ? pdfPages(bytes).join('\n') : Buffer.from(bytes).toString('utf8');
  return (format === 'html' ? withoutTags(text) : text)
    .replace(/^> |^ *! /gm, '')
    .replace(/\s+/g, ' ')
    .replaceAll('\u2212', '-');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

function withoutTags(html: string): string {
  return html
    .slice(html.indexOf('<body>'))
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity]!);
}
