import type { CaptionedPicture } from '../documents/document-blocks.js';
import { BODY, MUTED, STRONG, type PageFlow, type TextStyle } from './page-flow.js';
import { mm } from './pdf-page.js';

const GAP = mm(4);
const HIGHEST_MM = 65;
const LEAST_CAPTION = mm(36);
const CAPTION: TextStyle = { ...BODY, size: 8.5, colour: MUTED };

interface PlacedPicture {
  readonly picture: CaptionedPicture;
  readonly x: number;
  readonly width: number;
  readonly caption: readonly string[];
  readonly notes: readonly string[];
}

/** The height of photos side by side, with their captions. */
export function picturesHeight(flow: PageFlow, pictures: readonly CaptionedPicture[]): number {
  return commonHeight(flow, pictures) + captionHeight(flow, place(flow, pictures));
}

/**
 * Photos of equal height beside each other, in their own proportions, with caption, date and notes below. Pictures of one size and scale
 * are equally large on paper.
 */
export function drawPictures(flow: PageFlow, pictures: readonly CaptionedPicture[]): void {
  const height = commonHeight(flow, pictures);
  const placed = place(flow, pictures);
  const below = captionHeight(flow, placed);
  flow.ensure(height + below);
  for (const { picture, x, width, caption, notes } of placed) {
    const figure = flow.element('Figure', undefined, { alt: picture.alt });
    flow.tagged(figure, 'Figure', () =>
      flow.pdf.image(Buffer.from(picture.picture.bytes), x, flow.y, { width, height }),
    );
    const y = flow.y + height + mm(1);
    flow.tagged(flow.element('Caption'), 'Caption', () => {
      flow.write(caption, STRONG, x, y);
      flow.write(notes, CAPTION, x, y + caption.length * flow.lineHeight(STRONG));
    });
  }
  flow.y += height + below;
}

function place(flow: PageFlow, pictures: readonly CaptionedPicture[]): PlacedPicture[] {
  const height = commonHeight(flow, pictures);
  let x = flow.left;
  return pictures.map((picture) => {
    const left = x;
    const width = height * ratioOf(picture);
    // A narrow picture has a caption wider than itself.
    const room = Math.min(Math.max(width, LEAST_CAPTION), flow.left + flow.width - left);
    x += Math.max(width, pictures.length > 1 ? Math.min(room, LEAST_CAPTION) : 0) + GAP;
    return {
      picture,
      x: left,
      width,
      caption: flow.lines(picture.caption, STRONG, room),
      notes: [picture.date, ...picture.notes].flatMap((text) => flow.lines(text, CAPTION, room)),
    };
  });
}

function captionHeight(flow: PageFlow, placed: readonly PlacedPicture[]): number {
  const heights = placed.map(
    ({ caption, notes }) => caption.length * flow.lineHeight(STRONG) + notes.length * flow.lineHeight(CAPTION),
  );
  return mm(3) + Math.max(0, ...heights);
}

/** The height at which all of them together are as wide as the page's text, or the greatest that is allowed. */
function commonHeight(flow: PageFlow, pictures: readonly CaptionedPicture[]): number {
  const ratios = pictures.reduce((sum, picture) => sum + ratioOf(picture), 0);
  return Math.min(flow.loose(HIGHEST_MM), (flow.width - GAP * (pictures.length - 1)) / ratios);
}

function ratioOf({ picture: { widthPx, heightPx } }: CaptionedPicture): number {
  return widthPx / heightPx;
}
