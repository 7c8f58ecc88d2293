import sharp, { type Sharp } from 'sharp';

export interface PhotoOptions {
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
export async function drawWoundPhoto(wish: PhotoOptions = {}): Promise<Buffer> {
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

/** The same of a quarter of the pixels: enough for a result, whose analysis takes less than half the processor time. */
export function drawSmallWoundPhoto(wish: PhotoOptions = {}): Promise<Buffer> {
  return drawWoundPhoto({ width: 320, height: 240, ...wish });
}

const SKIN = [222, 178, 152] as const;
const WOUND = [158, 38, 42] as const;

function paint(width: number, height: number, { seed = 1, withoutWound = false }: PhotoOptions): Buffer {
  const random = randomOf(seed);
  const centreX = width * (0.5 + (random() - 0.5) * 0.1);
  const centreY = height * (0.5 + (random() - 0.5) * 0.1);
  const lobes = 3 + Math.floor(random() * 3);
  const phase = random() * Math.PI * 2;
  const pixels = Buffer.alloc(width * height * 3);
  let noise = seed >>> 0;
  for (let y = 0, at = 0; y < height; y += 1) {
    const dy = (y - centreY) / ((height * WOUND_SHARE.height) / 2);
    for (let x = 0; x < width; x += 1, at += 3) {
      const dx = (x - centreX) / ((width * WOUND_SHARE.width) / 2);
      const squared = dx * dx + dy * dy;
      const nearEdge = squared > 0.7 && squared < 1.4;
      const reach = nearEdge ? 1 + 0.06 * Math.sin(lobes * Math.atan2(dy, dx) + phase) : 1;
      const colour = !withoutWound && squared < reach * reach ? WOUND : SKIN;
      noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) >>> 0;
      const grain = (noise >>> 28) - 8;
      pixels[at] = colour[0] + grain;
      pixels[at + 1] = colour[1] + grain;
      pixels[at + 2] = colour[2] + grain;
    }
  }
  return pixels;
}

/** Undoes the turn that the EXIF orientation will ask for (Exif 2.32, tag 0x0112). sharp mirrors before it turns. */
function turnBack(upright: Buffer, orientation: number): Sharp {
  const picture = sharp(upright);
  switch (orientation) {
    case 2:
      return picture.flop();
    case 3:
      return picture.rotate(180);
    case 4:
      return picture.flip();
    case 5:
      return picture.rotate(270).flop();
    case 6:
      return picture.rotate(270);
    case 7:
      return picture.rotate(90).flop();
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
