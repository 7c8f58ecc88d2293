import sharp from 'sharp';
import { drawWoundPhoto } from './wound-photo.js';

/** Where the two wounds of the photo lie, a point in each; the second has about a quarter of the area of the first. */
export const IN_LARGE = { x: 320, y: 240 } as const;
export const IN_SMALL = { x: 800, y: 240 } as const;

/** A photo of skin with a large wound on the left and a small one on the right, 960 × 480 pixels. */
export async function drawTwoWoundsPhoto(seed = 1): Promise<Buffer> {
  const [large, small] = await Promise.all([
    drawWoundPhoto({ seed, format: 'png' }),
    drawWoundPhoto({ seed: seed + 1, width: 320, height: 240, format: 'png' }),
  ]);
  return sharp({ create: { width: 960, height: 480, channels: 3, background: { r: 222, g: 178, b: 152 } } })
    .composite([
      { input: large, left: 0, top: 0 },
      { input: small, left: 640, top: 120 },
    ])
    .jpeg({ quality: 90 })
    .toBuffer();
}
