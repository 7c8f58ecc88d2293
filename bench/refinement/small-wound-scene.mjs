import sharp from 'sharp';

const RGB = 3;
/** Darker than this in every channel is padding. */
const PADDING = 14;
/** Shorter side of a scene by its longer one, as phones take photos. */
const ASPECT = 3 / 4;
/** Sides of the window of another photo that becomes the ground, in its pixels: the largest that shows no wound and hardly any padding. */
const WINDOW_SIDES = [320, 256, 192, 160, 128];
const WINDOW_STRIDE = 16;
const MOST_PADDING_SHARE = 0.02;
/** Kept between a window and a labelled wound, in pixels. */
const WINDOW_MARGIN = 16;
/** The window covers this share of the scene's longer side, and its mirror images the rest. */
const WINDOW_SPAN = 0.6;
const JPEG_QUALITY = 92;

/** A labelled photo, decoded: `wound` is one byte a pixel, 0 to 255; `share` the part of the photo that it covers. */
export async function readLabelled(photoFile, maskFile) {
  const { data: pixels, info } = await sharp(photoFile)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const wound = await sharp(maskFile).extractChannel(0).raw().toBuffer();
  const { width, height } = info;
  return { pixels, wound, width, height, share: wound.filter((value) => value > 127).length / (width * height) };
}

/** A photo's longer side, as a share of the scene's, at which its wound covers `woundShare` of the scene. */
export function pastedSpan({ share, width, height }, woundShare) {
  const photoAspect = Math.min(width, height) / Math.max(width, height);
  return Math.sqrt((woundShare * ASPECT) / (share * photoAspect));
}

/** The part of a photo that can be the ground of a scene; null where no window is free of wound and padding. */
export function groundOf({ pixels, wound, width, height }) {
  for (const side of WINDOW_SIDES) {
    for (let top = 0; top + side <= height; top += WINDOW_STRIDE) {
      for (let left = 0; left + side <= width; left += WINDOW_STRIDE) {
        if (isFree({ pixels, wound, width, height }, left, top, side)) {
          return cut(pixels, width, left, top, side);
        }
      }
    }
  }
  return null;
}

function isFree({ pixels, wound, width, height }, left, top, side) {
  const [right, bottom] = [left + side, top + side];
  let padding = 0;
  for (let y = Math.max(0, top - WINDOW_MARGIN); y < Math.min(height, bottom + WINDOW_MARGIN); y += 2) {
    for (let x = Math.max(0, left - WINDOW_MARGIN); x < Math.min(width, right + WINDOW_MARGIN); x += 2) {
      const at = y * width + x;
      if (wound[at] > 127) return false;
      if (brightest(pixels, at) <= PADDING) padding += 1;
    }
  }
  return padding <= MOST_PADDING_SHARE * (side / 2) ** 2;
}

function cut(pixels, width, left, top, side) {
  const window = Buffer.alloc(side * side * RGB);
  for (let y = 0; y < side; y += 1) {
    const from = ((top + y) * width + left) * RGB;
    pixels.copy(window, y * side * RGB, from, from + side * RGB);
  }
  return { pixels: window, side };
}

/**
 * A labelled photo pasted onto the ground, somewhere in a scene of `longerSide` pixels, so that its wound covers `woundShare` of
 * the scene. Answers a JPEG and the label as one value, 0 or 1, for each of its pixels.
 */
export async function drawScene(labelled, ground, longerSide, woundShare, seed) {
  const random = randomOf(seed);
  const [width, height] = [longerSide, Math.round(longerSide * ASPECT)];
  const scale = (pastedSpan(labelled, woundShare) * longerSide) / Math.max(labelled.width, labelled.height);
  const pasted = await enlarged(labelled, scale);
  const left = Math.floor(random() * (width - pasted.width));
  const top = Math.floor(random() * (height - pasted.height));
  const pixels = await paintGround(ground, width, height, random);
  const label = new Uint8Array(width * height);
  for (let y = 0; y < pasted.height; y += 1) {
    for (let x = 0; x < pasted.width; x += 1) {
      const [from, to] = [y * pasted.width + x, (top + y) * width + left + x];
      const share = pasted.cover[from] / 255;
      for (let channel = 0; channel < RGB; channel += 1) {
        const beneath = pixels[to * RGB + channel];
        pixels[to * RGB + channel] = beneath + (pasted.pixels[from * RGB + channel] - beneath) * share;
      }
      label[to] = pasted.wound[from] > 127 ? 1 : 0;
    }
  }
  const photo = sharp(pixels, { raw: { width, height, channels: RGB } });
  return { bytes: await photo.jpeg({ quality: JPEG_QUALITY }).toBuffer(), label, width, height };
}

async function enlarged(labelled, scale) {
  const [width, height] = [labelled.width, labelled.height].map((side) => Math.max(1, Math.round(side * scale)));
  const resized = (bytes, channels) =>
    sharp(bytes, { raw: { width: labelled.width, height: labelled.height, channels } }).resize(width, height, {
      fit: 'fill',
      kernel: 'linear',
    });
  const pixels = await resized(labelled.pixels, RGB).raw().toBuffer();
  const wound = await resized(labelled.wound, 1).extractChannel(0).raw().toBuffer();
  return { pixels, wound, width, height, cover: await coverOf(pixels, width, height) };
}

/** 255 where the photo shows something, softly down to 0 in its padding and at its edge. */
function coverOf(photo, width, height) {
  const shown = Buffer.alloc(width * height);
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      if (brightest(photo, y * width + x) > PADDING) shown[y * width + x] = 255;
    }
  }
  return sharp(shown, { raw: { width, height, channels: 1 } })
    .median(5)
    .blur(Math.max(1, Math.max(width, height) / 150))
    .extractChannel(0)
    .raw()
    .toBuffer();
}

/** The window and its mirror images side by side, with a camera's noise. */
async function paintGround({ pixels: window, side }, width, height, random) {
  const tile = Math.round(WINDOW_SPAN * Math.max(width, height));
  const tiled = await sharp(window, { raw: { width: side, height: side, channels: RGB } })
    .resize(tile, tile, { kernel: 'linear' })
    .raw()
    .toBuffer();
  const mirrored = (at) => (at % (2 * tile) < tile ? at % tile : tile - 1 - (at % tile));
  const pixels = new Uint8ClampedArray(width * height * RGB);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += RGB) {
      const from = (mirrored(y) * tile + mirrored(x)) * RGB;
      const noise = (random() - 0.5) * 8;
      for (let channel = 0; channel < RGB; channel += 1) pixels[at + channel] = tiled[from + channel] + noise;
    }
  }
  return pixels;
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
