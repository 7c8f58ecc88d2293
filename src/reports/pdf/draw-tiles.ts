import type { Tile } from '../documents/document-blocks.js';
import { INK, MUTED, type PageFlow, type TextStyle } from './page-flow.js';
import { BOLD, mm, REGULAR } from './pdf-page.js';

const GAP = mm(4);
const PADDING = mm(2);
const LABEL: TextStyle = { font: REGULAR, size: 8.5, colour: MUTED };
const VALUE: TextStyle = { font: BOLD, size: 19, colour: INK };
const DETAIL: TextStyle = { font: REGULAR, size: 8, colour: INK };

/** Figures in frames beside each other, to be read at a glance. */
export function drawTiles(flow: PageFlow, tiles: readonly Tile[]): void {
  const width = (flow.width - GAP * (tiles.length - 1)) / tiles.length;
  const set = tiles.map(({ label, value, detail }) => ({
    label: flow.lines(label, LABEL, width - 2 * PADDING),
    value: flow.lines(value, VALUE, width - 2 * PADDING),
    detail: detail === null ? [] : flow.lines(detail, DETAIL, width - 2 * PADDING),
  }));
  const highest = (part: 'label' | 'value' | 'detail') => Math.max(...set.map((tile) => tile[part].length));
  const labelHeight = highest('label') * flow.lineHeight(LABEL);
  const valueHeight = highest('value') * flow.lineHeight(VALUE) * 1.06;
  const height = 2 * PADDING + labelHeight + valueHeight + highest('detail') * flow.lineHeight(DETAIL);
  flow.ensure(height);
  set.forEach(({ label, value, detail }, index) => {
    const left = flow.left + index * (width + GAP);
    const [x, y] = [left + PADDING, flow.y + PADDING];
    flow.artifact(() => flow.pdf.lineWidth(0.8).rect(left, flow.y, width, height).stroke('#8a8a8a'));
    flow.tagged(flow.element('P'), 'P', () => {
      flow.write(label, LABEL, x, y);
      flow.write(value, VALUE, x, y + labelHeight);
      flow.write(detail, DETAIL, x, y + labelHeight + valueHeight);
    });
  });
  flow.y += height + flow.loose(2.5);
}
