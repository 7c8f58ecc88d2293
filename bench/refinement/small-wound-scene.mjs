import sharp from 'sharp';

const RGB = 3;
/** Darker than this in every channel is padding. */
const PADDING = 14;
const CLOTHS = [
  [200, 205, 208],
  [120, 150, 170],
  [90, 130, 120],
  [70, 70, 74],
  [225, 222, 215],
];
/** As a photo of 12 megapixels is held. */
export const SCENE = { width: 2016, height: 1512 };

/**
 * A labelled photo pasted small onto cloth or skin, at `side` pixels, somewhere in a scene as large as a raster of a 12-megapixel photo.
 * Answers the raster and the label as one value, 0 or 1, for each of its pixels.
 */
export async function pasteSmall(photoFile, maskFile, side, seed) {
  const random = randomOf(seed);
  const fit = (file) => sharp(file).resize(side, side, { fit: 'fill', kernel: 'linear' });
  const photo = await fit(photoFile).removeAlpha().toColourspace('srgb').raw().toBuffer();
  const mask = await fit(maskFile).extractChannel(0).raw().toBuffer();
  const cover = await coverOf(photo, side);
  const { width, height } = SCENE;
  const ground = seed % 2 === 0 ? CLOTHS[Math.floor(random() * CLOTHS.length)] : skinOf(photo, mask);
  const pixels = paintGround(ground, random);
  const [left, top] = [Math.floor(random() * (width - side)), Math.floor(random() * (height - side))];
  const label = new Uint8Array(width * height);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const [from, to] = [y * side + x, (top + y) * width + left + x];
      const share = cover[from] / 255;
      for (let channel = 0; channel < RGB; channel += 1) {
        pixels[to * RGB + channel] = pixels[to * RGB + channel] * (1 - share) + photo[from * RGB + channel] * share;
      }
      label[to] = mask[from] > 127 ? 1 : 0;
    }
  }
  return { raster: { pixels, width, height, photo: { widthPx: width, heightPx: height } }, label };
}

/** 255 where the photo shows something, softly down to 0 in its padding. */
function coverOf(photo, side) {
  const shown = Buffer.alloc(side * side);
  for (let index = 0; index < shown.length; index += 1) shown[index] = brightest(photo, index) > PADDING ? 255 : 0;
  return sharp(shown, { raw: { width: side, height: side, channels: 1 } })
    .median(5)
    .blur(Math.max(1, side / 150))
    .extractChannel(0)
    .raw()
    .toBuffer();
}

/** Median colour beside the wound. */
function skinOf(photo, mask) {
  return [0, 1, 2].map((channel) => {
    const found = [];
    for (let index = 0; index < mask.length; index += 17)
      if (mask[index] < 10 && photo[index * RGB] > 70) found.push(photo[index * RGB + channel]);
    found.sort((a, b) => a - b);
    return found[found.length >> 1] ?? 180;
  });
}

function paintGround(colour, random) {
  const { width, height } = SCENE;
  const pixels = new Uint8ClampedArray(width * height * RGB);
  const [phaseX, phaseY] = [random() * 6, random() * 6];
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += RGB) {
      const light = 10 * Math.sin(x / 400 + phaseX) + 10 * Math.sin(y / 300 + phaseY) + (random() - 0.5) * 8;
      for (let channel = 0; channel < RGB; channel += 1) pixels[at + channel] = colour[channel] + light;
    }
  }
  return new Uint8Array(pixels.buffer);
}

function brightest(photo, index) {
  return Math.max(photo[index * RGB], photo[index * RGB + 1], photo[index * RGB + 2]);
}

/** Numerical Recipes' linear congruential generator: the same scenes on every machine. */
function randomOf(seed) {
  let state = (seed + 1) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
