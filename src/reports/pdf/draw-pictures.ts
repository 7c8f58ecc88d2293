import type { CaptionedPicture } from '../documents/document-blocks.js';
import { drawSwatch } from './draw-shares.js';
import { BODY, MUTED, STRONG, type PageFlow, type TextStyle } from './page-flow.js';
import { mm } from './pdf-page.js';

const GAP = mm(4);
const ABOVE = mm(0.8);
const HIGHEST_MM = 65;
/** Smaller ones show too little. */
const LEAST_DENSITY = 0.65;
const LEAST_CAPTION = mm(36);
const SWATCH = { width: mm(5), height: mm(2.8) };
const CAPTION: TextStyle = { ...BODY, size: 8.5, colour: MUTED };

interface PlacedPicture {
  readonly picture: CaptionedPicture;
  readonly x: number;
  readonly width: number;
  readonly caption: readonly string[];
  readonly notes: readonly string[];
}

/** The height of photos side by side, with their captions. */
export function picturesHeight(
  flow: PageFlow,
  pictures: readonly CaptionedPicture[],
  columns = pictures.length,
): number {
  return ABOVE + commonHeight(flow, pictures, columns) + captionHeight(flow, place(flow, pictures, columns));
}

/**
 * Photos of equal height beside each other, in their own proportions, with caption, date and notes below. Pictures of one size and scale
 * are equally large on paper, and in rows below each other where `columns` says how many would fill one.
 */
export function drawPictures(flow: PageFlow, pictures: readonly CaptionedPicture[], columns = pictures.length): void {
  const height = commonHeight(flow, pictures, columns);
  const placed = place(flow, pictures, columns);
  const below = captionHeight(flow, placed);
  flow.ensure(ABOVE + height + below);
  flow.y += ABOVE;
  for (const { picture, x, width, caption, notes } of placed) {
    const figure = flow.element('Figure', undefined, { alt: picture.alt });
    flow.tagged(figure, 'Figure', () =>
      flow.pdf.image(Buffer.from(picture.picture.bytes), x, flow.y, { width, height }),
    );
    const y = flow.y + height + mm(1);
    flow.tagged(flow.element('Caption'), 'Caption', () => {
      flow.write(caption, STRONG, x, y);
      flow.write(notes, CAPTION, x, y + caption.length * flow.lineHeight(STRONG));
      drawLegend(flow, picture, x, y + textHeight(flow, caption, notes));
    });
  }
  flow.y += height + below;
}

function place(flow: PageFlow, pictures: readonly CaptionedPicture[], columns: number): PlacedPicture[] {
  const height = commonHeight(flow, pictures, columns);
  const slots = slotsOf(flow, pictures, columns, height);
  let x = flow.left;
  return pictures.map((picture, index) => {
    const left = x;
    const room = Math.min(slots[index]!, flow.left + flow.width - left);
    x += slots[index]! + GAP;
    return {
      picture,
      x: left,
      width: height * ratioOf(picture),
      caption: flow.lines(picture.caption, STRONG, room),
      notes: [...(picture.date === null ? [] : [picture.date]), ...picture.notes].flatMap((text) =>
        flow.lines(text, CAPTION, room),
      ),
    };
  });
}

/** How wide each picture is with its caption: together the whole width, or less where one of them is too narrow for a caption. */
function slotsOf(flow: PageFlow, pictures: readonly CaptionedPicture[], columns: number, height: number): number[] {
  const ratios = pictures.map(ratioOf);
  const all = ratioOfRow(pictures, columns);
  const slots = ratios.map((ratio) => ((flow.width - GAP * (columns - 1)) * ratio) / all);
  if (slots.every((slot) => slot >= Math.min(LEAST_CAPTION, flow.width / columns - GAP))) return slots;
  return ratios.map((ratio) => Math.max(height * ratio, LEAST_CAPTION));
}

function captionHeight(flow: PageFlow, placed: readonly PlacedPicture[]): number {
  const heights = placed.map(
    ({ caption, notes, picture }) =>
      textHeight(flow, caption, notes) + picture.legend.length * flow.lineHeight(CAPTION),
  );
  return mm(3) + Math.max(0, ...heights);
}

function textHeight(flow: PageFlow, caption: readonly string[], notes: readonly string[]): number {
  return caption.length * flow.lineHeight(STRONG) + notes.length * flow.lineHeight(CAPTION);
}

/** What the colours and patterns of a picture mean, one below the other. */
function drawLegend(flow: PageFlow, { legend }: CaptionedPicture, x: number, top: number): void {
  legend.forEach(({ tissue, label }, index) => {
    const y = top + index * flow.lineHeight(CAPTION);
    drawSwatch(flow, tissue, x, y + mm(0.6), SWATCH.width, SWATCH.height);
    flow.write([label], CAPTION, x + SWATCH.width + mm(1.5), y);
  });
}

/** The height at which all of them together are as wide as the page's text, or the greatest that is allowed; smaller where that saves a page. */
function commonHeight(flow: PageFlow, pictures: readonly CaptionedPicture[], columns: number): number {
  const byWidth = (flow.width - GAP * (columns - 1)) / ratioOfRow(pictures, columns);
  return Math.min(mm(HIGHEST_MM), byWidth) * Math.max(LEAST_DENSITY, flow.density);
}

/** Of a full row: what is missing of it counts as the mean of those that are there. */
function ratioOfRow(pictures: readonly CaptionedPicture[], columns: number): number {
  const ratios = pictures.reduce((sum, picture) => sum + ratioOf(picture), 0);
  return (ratios * columns) / pictures.length;
}

function ratioOf({ picture: { widthPx, heightPx } }: CaptionedPicture): number {
  return widthPx / heightPx;
}
