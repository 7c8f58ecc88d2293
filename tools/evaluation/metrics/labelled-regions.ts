import type { BinaryMask } from './binary-mask.js';

/** The separate wounds of a label. */
interface LabelledRegions {
  /** For each pixel the number of its region from 1 on; 0 is no wound. */
  readonly regionOfPixel: Int32Array;
  /** By number, from 1 on; the first entry (no wound) is 0. */
  readonly areasPx: readonly number[];
}

/** Divides a label into its connected regions; pixels that touch at a corner belong together. */
export function divideIntoRegions({ width, height, pixels }: BinaryMask): LabelledRegions {
  const regionOfPixel = new Int32Array(pixels.length);
  const areasPx = [0];
  const waiting: number[] = [];
  for (let start = pixels.indexOf(1); start >= 0; start = pixels.indexOf(1, start + 1)) {
    if (regionOfPixel[start] !== 0) continue;
    const region = areasPx.length;
    let areaPx = 0;
    regionOfPixel[start] = region;
    waiting.push(start);
    for (let pixel = waiting.pop(); pixel !== undefined; pixel = waiting.pop()) {
      areaPx += 1;
      const [column, row] = [pixel % width, Math.floor(pixel / width)];
      for (let y = Math.max(0, row - 1); y <= Math.min(height - 1, row + 1); y += 1) {
        for (let x = Math.max(0, column - 1); x <= Math.min(width - 1, column + 1); x += 1) {
          const neighbour = y * width + x;
          if (pixels[neighbour] === 0 || regionOfPixel[neighbour] !== 0) continue;
          regionOfPixel[neighbour] = region;
          waiting.push(neighbour);
        }
      }
    }
    areasPx.push(areaPx);
  }
  return { regionOfPixel, areasPx };
}
