const RGB = 3;
/** Longer side of the grid: about a model's resolution, so that finer detail is not judged. */
const GRID_SIDE = 512;
/** A row or column of the border is padding while nothing in it is lighter. */
const PADDING_LIGHTNESS = 4;
/** The padding itself may keep a few odd pixels (dust, JPEG noise). */
const PADDING_SHARE = 0.995;
const LUMINANCE_STEPS = 4096;
/** Fractions of a step, as bits: sums of whole numbers need no rounding in the loop over all pixels. */
const FRACTION_BITS = 10;

// sRGB (IEC 61966-2-1) to relative luminance, each channel with its share, and luminance to L* (CIE 1976).
const LINEAR = Array.from({ length: 256 }, (_, value) =>
  value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
);
const fromChannel = (weight: number) =>
  Int32Array.from(LINEAR, (linear) => linear * weight * (LUMINANCE_STEPS - 1) * 2 ** FRACTION_BITS);
const [FROM_RED, FROM_GREEN, FROM_BLUE] = [fromChannel(0.2126), fromChannel(0.7152), fromChannel(0.0722)];
const LIGHTNESS = Float32Array.from({ length: LUMINANCE_STEPS }, (_, step) => {
  const luminance = step / (LUMINANCE_STEPS - 1);
  return luminance > (6 / 29) ** 3 ? 116 * Math.cbrt(luminance) - 16 : luminance * (29 / 3) ** 3;
});

/** A decoded picture: 8-bit sRGB, row by row. */
export interface RgbRaster {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A photo at one size, whatever its own: lightness, and where all three channels are at their end. */
export interface LightnessGrid {
  readonly width: number;
  readonly height: number;
  /** L*, 0 to 100, row by row. */
  readonly lightness: Float32Array;
  /** The least of the three channels, 0 to 255: near 255 only where light is white. */
  readonly whiteness: Uint8Array;
}

/** Rows and columns from `left`, `top` up to but without `right`, `bottom`. */
export interface GridRegion {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Shrinks a photo to the grid: each cell is the mean of four pixels spread over it; smaller photos keep their pixels. */
export function toLightnessGrid({ pixels, width, height }: RgbRaster): LightnessGrid {
  const step = Math.max(1, Math.max(width, height) / GRID_SIDE);
  const [columns, rows] = [Math.max(1, Math.floor(width / step)), Math.max(1, Math.floor(height / step))];
  const lightness = new Float32Array(columns * rows);
  const whiteness = new Uint8Array(columns * rows);
  const [leftOf, rightOf] = [0.25, 0.75].map((part) =>
    Int32Array.from({ length: columns }, (_, column) => Math.floor((column + part) * step) * RGB),
  ) as [Int32Array, Int32Array];
  for (let row = 0, cell = 0; row < rows; row += 1) {
    const upper = Math.floor((row + 0.25) * step) * width * RGB;
    const lower = Math.floor((row + 0.75) * step) * width * RGB;
    for (let column = 0; column < columns; column += 1, cell += 1) {
      const left = leftOf[column]!;
      const right = rightOf[column]!;
      const a = upper + left;
      const b = upper + right;
      const c = lower + left;
      const d = lower + right;
      const red = (pixels[a]! + pixels[b]! + pixels[c]! + pixels[d]!) >> 2;
      const green = (pixels[a + 1]! + pixels[b + 1]! + pixels[c + 1]! + pixels[d + 1]!) >> 2;
      const blue = (pixels[a + 2]! + pixels[b + 2]! + pixels[c + 2]! + pixels[d + 2]!) >> 2;
      lightness[cell] = LIGHTNESS[(FROM_RED[red]! + FROM_GREEN[green]! + FROM_BLUE[blue]!) >> FRACTION_BITS]!;
      whiteness[cell] = Math.min(red, green, blue);
    }
  }
  return { width: columns, height: rows, lightness, whiteness };
}

/** The grid without the black padding around the photo; empty where everything is black. */
export function contentOf(grid: LightnessGrid): GridRegion {
  const { width, height } = grid;
  let [top, bottom, left, right] = [0, height, 0, width];
  while (top < bottom && isPadding(grid, top * width, 1, width)) top += 1;
  while (bottom > top && isPadding(grid, (bottom - 1) * width, 1, width)) bottom -= 1;
  while (left < right && isPadding(grid, top * width + left, width, bottom - top)) left += 1;
  while (right > left && isPadding(grid, top * width + right - 1, width, bottom - top)) right -= 1;
  return { left, top, right, bottom };
}

function isPadding({ lightness }: LightnessGrid, start: number, stride: number, count: number): boolean {
  let dark = 0;
  for (let index = 0; index < count; index += 1) if (lightness[start + index * stride]! < PADDING_LIGHTNESS) dark += 1;
  return dark >= count * PADDING_SHARE;
}
