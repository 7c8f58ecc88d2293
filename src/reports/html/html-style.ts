import { TISSUE_TABLE, TISSUES } from '../../core/tissue/tissues.js';
import { PAPER_TABLE, type Paper } from '../documents/paper.js';
import { escapeCssString } from './escape-html.js';

/** The text in the margins of each printed page. */
export interface PrintedMargins {
  readonly mark: string | null;
  readonly footer: string;
  readonly identity: string;
  readonly paper: Paper;
}

/** Parts of a bar have the name of their tissue as their class. */
const TISSUE_FILLS = TISSUES.map((tissue) => `.${tissue} { fill: ${TISSUE_TABLE[tissue].colour}; }`).join(' ');

/** Of the lines and signs of a curve, wherever it is drawn. */
export const CHART_STYLE = `.chart .axis { stroke: #333; }
.chart .grid { stroke: #ddd; }
.chart .band { fill: #dfe6ec; }
.chart .slope { fill: none; stroke: #8fa6b8; stroke-width: 3; }
.chart .expected { fill: none; stroke: #5a5a5a; stroke-width: 1.5; stroke-dasharray: 7 4; }
.chart .segment { stroke: #9a7b3c; }
.chart .event { fill: #fff; stroke: #111; }
.chart .moment { stroke: #111; stroke-dasharray: 2 3; }
.chart .curve { fill: none; stroke: #1f4e79; stroke-width: 1.5; }
.chart .whisker { fill: none; stroke: #333; }
.chart .dot { fill: #1f4e79; }
.chart .sum { fill: #fff; stroke: #1f4e79; stroke-width: 1.6; }
.chart .diamond { fill: #fff; stroke: #111; stroke-width: 2; }
.chart .ring { fill: #fff; stroke: #111; stroke-width: 1.2; }
`;

const SCREEN = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 56rem; padding: 1.25rem; background: #fff; color: #1a1a1a; font: 1rem/1.5 "Noto Sans", "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .75rem; }
h2, h3 { font-size: 1.15rem; line-height: 1.3; margin: 1.75rem 0 .5rem; padding-bottom: .2rem; border-bottom: 1px solid #8a8a8a; }
h3 { font-size: 1.05rem; }
.sheet-name { font-size: 1.4rem; border-bottom: 0; margin-top: 2.5rem; }
p { margin: .4rem 0; }
.mark { margin: 0 0 1rem; padding: .5rem .75rem; border: 2px solid #7a1f1f; background: #fdf0ee; color: #5c1212; font-weight: 600; }
.banner { padding: .5rem .75rem; border: 1px solid #8a8a8a; background: #f4f4f4; }
.headline { font-size: 1.15rem; font-weight: 600; }
.notice { padding: .4rem .75rem; border-left: 4px solid #5a5a5a; background: #f4f4f4; font-weight: 600; }
blockquote { margin: .4rem 0; padding: .4rem .75rem; border-left: 4px solid #b0b0b0; white-space: pre-line; }
table { width: 100%; border-collapse: collapse; margin: .5rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid #c4c4c4; text-align: left; vertical-align: top; }
thead th { border-bottom: 2px solid #5a5a5a; }
tbody th { font-weight: 400; color: #3d3d3d; }
tbody td { font-weight: 600; }
.scroll { overflow-x: auto; }
.scroll td, .scroll th { overflow-wrap: normal; }
.wide td, .wide th { white-space: nowrap; }
dl { margin: .5rem 0; }
dl > div { display: grid; grid-template-columns: minmax(9rem, 2fr) 3fr; gap: .75rem; padding: .2rem 0; border-bottom: 1px solid #dcdcdc; }
dl.compact { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); column-gap: 2rem; }
dt { color: #3d3d3d; hyphens: auto; }
dd { margin: 0; font-weight: 600; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); gap: .75rem; margin: .5rem 0 .75rem; }
.tiles p { margin: 0; padding: .5rem .75rem; border: 1px solid #8a8a8a; }
.tiles .label, .tiles .detail { display: block; font-size: .9rem; }
.tiles strong { display: block; font-size: 1.7rem; line-height: 1.25; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: .5rem 1.5rem; align-items: start; }
.columns > * { min-width: 0; }
.columns .pictures img { height: auto; max-height: 24rem; }
ol, ul { margin: .4rem 0; padding-left: 1.5rem; }
.body-map { display: flex; justify-content: center; gap: 1rem; margin: 0; }
.body-map > span { flex: 0 1 8rem; text-align: center; }
.body-map svg { max-height: 13rem; }
.body-map .caption { font-size: .85rem; }
.body-map .outline { fill: #fff; stroke: #5a5a5a; stroke-width: 1; }
.body-map .detail { fill: none; stroke: #8a8a8a; stroke-width: .6; }
.body-map .place { fill: none; stroke: #111; stroke-width: 2; }
.body-map text { font-size: 9px; font-weight: 600; }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; }
.pictures figure { margin: 0; max-width: 100%; }
.pictures img { display: block; width: auto; height: 19rem; max-width: 100%; object-fit: contain; object-position: left; }
.pictures.row { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); }
.pictures.pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); max-width: 34rem; }
.pictures.row img, .pictures.pair img { height: auto; }
figcaption { font-size: .9rem; }
@media (max-width: 40rem) {
  .pictures.row { grid-template-columns: minmax(0, 1fr); }
}
svg { display: block; width: 100%; height: auto; }
.chart { margin: .5rem 0; max-width: 46rem; }
.chart .scroll { direction: rtl; }
.chart .scroll svg { direction: ltr; min-width: 32rem; }
${CHART_STYLE}.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin: .2rem 0; padding: 0; }
.legend li { display: flex; align-items: center; gap: .35rem; }
.legend svg { width: 1.5rem; height: 1.1rem; flex: none; }
.shares .swatch, figcaption .swatch { border: 1px solid #555; display: inline-block; width: 1.5rem; height: 1rem; margin: 0 .4rem 0 0; vertical-align: -.15rem; }
.shares svg { height: .7rem; margin-top: .15rem; border: 1px solid #555; background: #fff; }
${TISSUE_FILLS}
.foot { margin-top: 2rem; padding-top: .5rem; border-top: 1px solid #8a8a8a; font-size: .9rem; }
`;

const LONGEST_IDENTITY = 90;

const PRINT = `
@media print {
  body { max-width: none; padding: 0; font-size: 9.5pt; }
  h2, h3 { break-after: avoid; }
  .sheet + .sheet { break-before: page; }
  .columns { grid-template-columns: 1fr 1fr; }
  .tiles { grid-template-columns: repeat(3, 1fr); }
  .foot, figcaption { font-size: 8.5pt; }
  .pictures img { height: 60mm; }
  .pictures.row { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .pictures.row img, .pictures.pair img { height: auto; }
  .chart .scroll svg { min-width: 0; }
  .wide { overflow: visible; font-size: 7.5pt; }
  .wide td, .wide th { white-space: normal; }
  figure, tr, dl > div, .notice, .banner, .tiles, .columns, li { break-inside: avoid; }
  .mark, .banner, .notice { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

/** The style of a document; browsers that know margin boxes repeat mark, identity and page numbers on every printed page. */
export function documentStyle({ mark, footer, identity, paper }: PrintedMargins): string {
  const box = (place: string, content: string, weight = 400) =>
    `@${place} { content: ${content}; font: ${weight} 8pt "Noto Sans", Arial, sans-serif; }`;
  const quoted = (text: string) => `"${escapeCssString(text)}"`;
  const boxes = [
    ...(mark === null ? [] : [box('top-center', quoted(mark), 600)]),
    box('top-left', mark === null ? quoted(shortened(identity)) : 'none'),
    box('bottom-left', quoted(footer)),
    box('bottom-right', 'counter(page) " / " counter(pages)'),
  ];
  return `${SCREEN}${PRINT}@page { size: ${PAPER_TABLE[paper].cssName}; margin: 18mm 16mm; ${boxes.join(' ')} }\n`;
}

/** The margin has one line. */
function shortened(text: string): string {
  return text.length > LONGEST_IDENTITY ? `${text.slice(0, LONGEST_IDENTITY)}…` : text;
}
