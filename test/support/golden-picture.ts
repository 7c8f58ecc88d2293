const SKIN = [214, 168, 146] as const;
const WOUND = [148, 38, 44] as const;
const REACH = 36_000;
const SOFT = 12_000;
// Taken out of the test world's global object, where every look-up is slow.
const { abs, floor, max, min } = Math;

/**
 * The picture of models/training/wound_segmentation/golden.py, drawn by the same whole-number arithmetic: RGB, row by row.
 * Divisions are rounded down, as Python's are.
 */
export function drawGoldenPicture(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 3) {
      const [dx, dy] = [down(x * 1000, width) - 440, down(y * 1000, height) - 520];
      const outside = limit(down((dx * dx + 2 * dy * dy - REACH) * 1000, SOFT), 1000);
      const shade = down(triangle(x, 70), 4) - down(triangle(y, 90), 5);
      const grain = down(down(triangle(3 * x + 2 * y, 40), 3) * (1000 - outside), 1000);
      for (let channel = 0; channel < 3; channel += 1) {
        const colour = down(SKIN[channel]! * outside + WOUND[channel]! * (1000 - outside), 1000);
        pixels[at + channel] = limit(colour + shade + grain, 255);
      }
    }
  }
  return pixels;
}

/** 0 up to `period` and down again. */
function triangle(number: number, period: number): number {
  return abs((number % (2 * period)) - period);
}

function down(number: number, by: number): number {
  return floor(number / by);
}

function limit(number: number, most: number): number {
  return min(most, max(0, number));
}
