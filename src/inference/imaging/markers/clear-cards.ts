import type { PixelPoint } from '../../../core/measurement/wound-result.js';
import type { PhotoSize, ProbabilityMap } from '../../../core/measurement/probability-map.js';

/**
 * Removes the wound probability of printed cards from a map, in place: a red patch is no wound and a black marker no
 * eschar, however similar they look. A pixel of the map lies on the card where its centre does.
 * @param outlines edges of the cards, in pixels of the oriented photo; convex
 */
export function clearCards(map: ProbabilityMap, photo: PhotoSize, outlines: readonly (readonly PixelPoint[])[]): void {
  const { content } = map;
  const [scaleX, scaleY] = [content.width / photo.widthPx, content.height / photo.heightPx];
  for (const outline of outlines) {
    const ring = outline.map(([x, y]): PixelPoint => [content.x + x * scaleX, content.y + y * scaleY]);
    for (let row = 0; row < map.height; row += 1) clearRow(map, row, ring);
  }
}

function clearRow({ width, values }: ProbabilityMap, row: number, ring: readonly PixelPoint[]): void {
  const y = row + 0.5;
  let [left, right] = [Infinity, -Infinity];
  ring.forEach(([x1, y1], index) => {
    const [x2, y2] = ring[(index + 1) % ring.length]!;
    if (y1 > y === y2 > y) return;
    const x = x1 + ((y - y1) / (y2 - y1)) * (x2 - x1);
    left = Math.min(left, x);
    right = Math.max(right, x);
  });
  const from = Math.max(0, Math.ceil(left - 0.5));
  const to = Math.min(width, Math.floor(right - 0.5) + 1);
  if (from < to) values.fill(0, row * width + from, row * width + to);
}
