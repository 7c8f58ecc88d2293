import sharp from 'sharp';
import type { PixelPoint, PixelPolygon } from '../../core/analysis/wound-result.js';
import type { PhotoSize } from '../../core/measurement/probability-map.js';

export const MASK_CONTENT_TYPE = 'image/png';

const WOUND = 255;
/** Masks are flat, so that the least effort already packs them a hundredfold. */
const COMPRESSION_LEVEL = 1;

/**
 * An 8-bit grey PNG of the oriented photo's size: 255 inside the outlines, 0 elsewhere and in holes.
 * Drawn from the outlines of the result itself, so that mask, contour and area never tell different stories.
 */
export function drawMaskPicture(outlines: readonly PixelPolygon[], { widthPx, heightPx }: PhotoSize): Promise<Buffer> {
  const pixels = Buffer.alloc(widthPx * heightPx);
  for (const outline of outlines) fillPolygon(pixels, widthPx, heightPx, outline);
  return sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 1 }, limitInputPixels: false })
    .toColourspace('b-w')
    .png({ compressionLevel: COMPRESSION_LEVEL, adaptiveFiltering: false })
    .toBuffer();
}

/** A pixel belongs to the polygon when its centre does (even-odd rule over all rings). */
function fillPolygon(pixels: Buffer, width: number, height: number, polygon: PixelPolygon): void {
  for (const [row, crossings] of crossingsByRow(polygon, height)) {
    crossings.sort((a, b) => a - b);
    for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
      const from = Math.max(0, Math.ceil(crossings[pair]! - 0.5));
      const to = Math.min(width, Math.ceil(crossings[pair + 1]! - 0.5));
      if (to > from) pixels.fill(WOUND, row * width + from, row * width + to);
    }
  }
}

/** For each row of pixels the places where the rings cross the line through its centres. */
function crossingsByRow(polygon: PixelPolygon, height: number): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  for (const ring of polygon.coordinates) {
    for (let index = 0; index + 1 < ring.length; index += 1) addCrossings(rows, ring[index]!, ring[index + 1]!, height);
  }
  return rows;
}

function addCrossings(rows: Map<number, number[]>, [x1, y1]: PixelPoint, [x2, y2]: PixelPoint, height: number): void {
  const first = Math.max(0, Math.ceil(Math.min(y1, y2) - 0.5));
  const end = Math.min(height, Math.ceil(Math.max(y1, y2) - 0.5));
  for (let row = first; row < end; row += 1) {
    const x = x1 + ((row + 0.5 - y1) * (x2 - x1)) / (y2 - y1);
    const crossings = rows.get(row);
    if (crossings === undefined) rows.set(row, [x]);
    else crossings.push(x);
  }
}
