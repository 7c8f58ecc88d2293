import sharp from 'sharp';

export interface PhotoWish {
  readonly width?: number;
  readonly height?: number;
  readonly format?: 'jpeg' | 'png' | 'webp';
  /** EXIF orientation 1 to 8; the pixels are drawn so that the oriented photo is what `width` and `height` say. */
  readonly orientation?: number;
  /** A photo of sound skin. */
  readonly withoutWound?: boolean;
  /** Makes one drawing differ from another; also moves the wound a little. */
  readonly seed?: number;
  /** Text for EXIF ImageDescription and Copyright, to see that it never leaves. */
  readonly description?: string;
}

/** Share of the drawn photo's width and height that the wound's ellipse spans. */
export const WOUND_SHARE = { width: 0.4, height: 0.3 } as const;

/** Draws a photo of skin with one reddish wound near the middle. Deterministic: the same wish gives the same bytes. */
export async function drawWoundPhoto(wish: PhotoWish = {}): Promise<Buffer> {
  const { width = 640, height = 480, format = 'jpeg', orientation, description } = wish;
  const pixels = paint(width, height, wish);
  let picture = sharp(pixels, { raw: { width, height, channels: 3 } });
  if (orientation !== undefined && orientation > 1) picture = turnBack(await picture.png().toBuffer(), orientation);
  const exif = description === undefined ? {} : { IFD0: { ImageDescription: description, Copyright: description } };
  if (orientation !== undefined || description !== undefined) {
    picture = picture.withMetadata({ exif, ...(orientation === undefined ? {} : { orientation }) });
  }
  if (format === 'png') return picture.png({ compressionLevel: 6 }).toBuffer();
  if (format === 'webp') return picture.webp({ quality: 90 }).toBuffer();
  return picture.jpeg({ quality: 90 }).toBuffer();
}

function paint(width: number, height: number, { seed = 1, withoutWound = false }: PhotoWish): Buffer {
  const random = randomOf(seed);
  const centreX = width * (0.5 + (random() - 0.5) * 0.1);
  const centreY = height * (0.5 + (random() - 0.5) * 0.1);
  const waves = Array.from({ length: 4 }, (_, index) => ({ count: index + 2, size: 0.03 + random() * 0.03, phase: random() * Math.PI * 2 }));
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const dx = (x - centreX) / ((width * WOUND_SHARE.width) / 2);
      const dy = (y - centreY) / ((height * WOUND_SHARE.height) / 2);
      const angle = Math.atan2(dy, dx);
      const edge = waves.reduce((sum, wave) => sum + wave.size * Math.sin(wave.count * angle + wave.phase), 1);
      const grain = (random() - 0.5) * 8;
      const inWound = !withoutWound && Math.hypot(dx, dy) < edge;
      const [red, green, blue] = inWound ? [158, 38, 42] : [222 - 20 * (y / height), 178 - 16 * (y / height), 152];
      pixels.set([red + grain, green + grain, blue + grain].map((value) => Math.round(value)), (y * width + x) * 3);
    }
  }
  return pixels;
}

/** Undoes the turn that the EXIF orientation will ask for (Exif 2.32, tag 0x0112). */
function turnBack(upright: Buffer, orientation: number): sharp.Sharp {
  const picture = sharp(upright);
  switch (orientation) {
    case 2:
      return picture.flop();
    case 3:
      return picture.rotate(180);
    case 4:
      return picture.flip();
    case 5:
      return picture.rotate(90).flop();
    case 6:
      return picture.rotate(270);
    case 7:
      return picture.rotate(270).flop();
    case 8:
      return picture.rotate(90);
    default:
      return picture;
  }
}

/** Mulberry32: small, seeded, the same everywhere. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
