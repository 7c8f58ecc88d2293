/** Ways in which a photo goes wrong; each takes and gives { pixels, width, height }, 8-bit RGB, and leaves its argument alone. */
import sharp from 'sharp';

const RGB = 3;
const LINEAR = Array.from({ length: 256 }, (_, value) =>
  value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
);

function encode(linear) {
  const share = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (share <= 0.0031308 ? 12.92 * share : 1.055 * share ** (1 / 2.4) - 0.055));
}

/** Out of focus: a Gaussian of `sigma` pixels. */
export async function blur({ pixels, width, height }, sigma) {
  const blurred = await sharp(pixels, { raw: { width, height, channels: RGB } })
    .blur(sigma)
    .raw()
    .toBuffer();
  return { pixels: blurred, width, height };
}

/** Moved sideways by `length` pixels while the shutter was open. */
export function move({ pixels, width, height }, length) {
  const moved = new Uint8Array(pixels.length);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      for (let channel = 0; channel < RGB; channel += 1) {
        let sum = 0;
        for (let step = 0; step < length; step += 1) {
          const from = Math.min(width - 1, Math.max(0, column + step - (length >> 1)));
          sum += pixels[(row * width + from) * RGB + channel];
        }
        moved[(row * width + column) * RGB + channel] = Math.round(sum / length);
      }
    }
  }
  return { pixels: moved, width, height };
}

/** `factor` times the light, the sensor's end clipped. */
export function expose({ pixels, width, height }, factor) {
  const table = Uint8Array.from(LINEAR, (linear) => encode(linear * factor));
  return { pixels: Uint8Array.from(pixels, (value) => table[value]), width, height };
}

/** Round white reflections with soft borders, of 3 to 9 pixels' radius, that cover about `share` of the photo. */
export function reflectLamp({ pixels, width, height }, share, seed) {
  const lit = Uint8Array.from(pixels);
  const next = generator(seed);
  let left = share * width * height;
  while (left > 0) {
    const radius = 3 + 6 * next();
    const [x, y] = [width * (0.1 + 0.8 * next()), height * (0.1 + 0.8 * next())];
    left -= Math.PI * radius ** 2;
    for (let row = Math.max(0, Math.floor(y - radius - 2)); row < Math.min(height, y + radius + 2); row += 1) {
      for (
        let column = Math.max(0, Math.floor(x - radius - 2));
        column < Math.min(width, x + radius + 2);
        column += 1
      ) {
        const cover = Math.min(1, Math.max(0, (radius - Math.hypot(column - x, row - y)) / 2 + 0.5));
        for (let channel = 0; channel < RGB; channel += 1) {
          const index = (row * width + column) * RGB + channel;
          lit[index] = Math.round(lit[index] + (255 - lit[index]) * cover);
        }
      }
    }
  }
  return { pixels: lit, width, height };
}

/** Park and Miller's minimal standard generator: the same places at each run. */
function generator(seed) {
  let state = (seed * 7919) % 2147483647;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}
