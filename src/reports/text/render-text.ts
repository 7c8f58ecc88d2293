import type { Block, ReportDocument, Section, Sheet } from '../documents/document-blocks.js';
import { plainMinus } from '../wording/figure-format.js';
import { speak } from '../wording/wording.js';
import { hanging, textTable } from './text-table.js';
import { wrapText } from './wrap-text.js';

/** The width of an 80-column printer and of display segments in hospital messages. */
const COLUMNS = 78;

/** A document as plain UTF-8 text of at most 78 columns; pictures and curves are left to the other settings. */
export function renderText(document: ReportDocument): Uint8Array {
  const colon = speak(document.language)('colon');
  const { banner, mark } = document;
  const lines = [
    ...wrapText(document.title.toLocaleUpperCase(document.language), COLUMNS),
    '='.repeat(COLUMNS),
    ...(mark === null ? [] : wrapText(`*** ${mark} ***`, COLUMNS)),
    ...wrapText(banner.label, COLUMNS),
    ...banner.lines.flatMap((line) => wrapText(line, COLUMNS)),
    ...document.sheets.flatMap((sheet) => sheetLines(sheet, colon)),
    '',
    '='.repeat(COLUMNS),
    ...wrapText(document.footer, COLUMNS),
    ...(mark === null ? [] : wrapText(`*** ${mark} ***`, COLUMNS)),
  ];
  return Buffer.from(`${plainMinus(lines.join('\n').replaceAll('\u00a0', ' '))}\n`, 'utf8');
}

function sheetLines({ heading, sections }: Sheet, colon: string): string[] {
  const name = heading === null ? [] : ['', '='.repeat(COLUMNS), ...wrapText(heading.toUpperCase(), COLUMNS)];
  return [...name, ...sections.flatMap((section) => sectionLines(section, colon))];
}

function sectionLines({ heading, blocks }: Section, colon: string): string[] {
  const lines = blocks.flatMap((block) => blockLines(block, colon));
  return lines.length === 0 ? [] : ['', ...wrapText(heading.toUpperCase(), COLUMNS), '-'.repeat(COLUMNS), ...lines];
}

function blockLines(block: Block, colon: string): string[] {
  switch (block.kind) {
    case 'paragraph':
    case 'headline':
      return wrapText(block.text, COLUMNS);
    case 'notice':
      return wrapText(`! ${block.text}`, COLUMNS);
    case 'quotation':
      return wrapText(block.text, COLUMNS - 2).map((line) => `> ${line}`.trimEnd());
    case 'list':
      return block.items.flatMap((item) => hanging('- ', item, COLUMNS));
    case 'numbered':
      return block.items.flatMap((item, index) => hanging(`${index + 1}. `, item, COLUMNS));
    case 'tiles':
      return block.tiles.flatMap(({ label, value, detail }) =>
        hanging(`${label}${colon}`, detail === null ? value : `${value} (${detail})`, COLUMNS),
      );
    case 'columns':
      return [...block.left, ...block.right].flatMap((inner) => blockLines(inner, colon));
    case 'facts':
      return block.facts.flatMap(({ label, value }) => hanging(`${label}${colon}`, value, COLUMNS));
    case 'table':
      return textTable(block.columns, block.rows, COLUMNS, colon);
    case 'shares':
      return textTable(
        block.columns,
        block.shares.map(({ label, shareText, method }) => [label, shareText, method]),
        COLUMNS,
        colon,
      );
    // Their figures stand in a table beside them.
    case 'pictures':
    case 'bodyMap':
    case 'chart':
      return [];
  }
}
