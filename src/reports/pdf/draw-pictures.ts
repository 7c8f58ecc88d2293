import type { CaptionedPicture } from '../documents/document-blocks.js';
import { BODY, MUTED, STRONG, type PageFlow, type TextStyle } from './page-flow.js';
import { mm } from './pdf-page.js';

const GAP = mm(6);
const HIGHEST_MM = 65;
const CAPTION: TextStyle = { ...BODY, size: 8.5, colour: MUTED };

/** The height of photos side by side, with their captions. */
export function picturesHeight(flow: PageFlow, pictures: readonly CaptionedPicture[]): number {
  return commonHeight(flow, pictures) + captionHeight(flow);
}

/** Photos of equal height beside each other, in their own proportions, with caption and date below. */
export function drawPictures(flow: PageFlow, pictures: readonly CaptionedPicture[]): void {
  const height = commonHeight(flow, pictures);
  flow.ensure(height + captionHeight(flow));
  let x = flow.left;
  for (const { picture, caption, date, alt } of pictures) {
    const width = height * ratioOf(picture);
    const left = x;
    const figure = flow.element('Figure', undefined, { alt });
    flow.tagged(figure, 'Figure', () => flow.pdf.image(Buffer.from(picture.bytes), left, flow.y, { width, height }));
    drawCaption(flow, [caption, date], left, flow.y + height + mm(1), Math.max(width, mm(40)));
    x += width + GAP;
  }
  flow.y += height + captionHeight(flow);
}

function drawCaption(
  flow: PageFlow,
  [caption, date]: readonly [string, string],
  x: number,
  y: number,
  width: number,
): void {
  flow.tagged(flow.element('Caption'), 'Caption', () => {
    flow.write(flow.lines(caption, STRONG, width).slice(0, 1), STRONG, x, y);
    flow.write(flow.lines(date, CAPTION, width).slice(0, 2), CAPTION, x, y + flow.lineHeight(STRONG));
  });
}

function captionHeight(flow: PageFlow): number {
  return mm(3) + flow.lineHeight(STRONG) + 2 * flow.lineHeight(CAPTION);
}

/** The height at which all of them together are as wide as the page's text, or the greatest that is allowed. */
function commonHeight(flow: PageFlow, pictures: readonly CaptionedPicture[]): number {
  const ratios = pictures.reduce((sum, { picture }) => sum + ratioOf(picture), 0);
  return Math.min(flow.loose(HIGHEST_MM), (flow.width - GAP * (pictures.length - 1)) / ratios);
}

function ratioOf({ widthPx, heightPx }: CaptionedPicture['picture']): number {
  return widthPx / heightPx;
}
