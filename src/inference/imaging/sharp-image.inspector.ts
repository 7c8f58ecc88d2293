import sharp, { type Metadata } from 'sharp';
import { NO_EXIF, readExif } from '../../core/images/exif.js';
import type { ImageFormat, ImageVerdict, UnreadableReason } from '../../core/images/image.js';
import { ImageInspector } from '../../core/images/image-inspector.js';
import type { ConcurrencyLimit } from '../../platform/turns/concurrency-limit.js';
import { jpegVerdict } from './jpeg-damage.js';
import { nextMarker } from './jpeg-markers.js';
import { inTurns, type Paced } from '../../platform/turns/turns.js';

/** Shorter than this, in pixels, a side is too small to outline anything. */
const MIN_SIDE_PX = 64;
const MAX_ASPECT = 20;
/** The decoding is only a proof: at an eighth libjpeg still reads every block, and does the least with it. It is asked for where the picture may be smaller than that. */
const PROOF_SHRINK = 10;
const PNG_SIGNATURE_BYTES = 8;
/** Length and type before a chunk's data, checksum after it. */
const PNG_CHUNK_FRAME_BYTES = 12;

const JPEG_END = 0xd9;
/**
 * Segments of a JPEG; a colour profile, extended XMP and the scans of a progressive one take some hundred at most. libjpeg and libvips keep each
 * with some hundred bytes, so that 12 MiB of empty ones would take hundreds.
 */
const MOST_JPEG_SEGMENTS = 2000;

/** Reads a photo once from its first to its last byte and says whether it can be analysed. */
export class SharpImageInspector extends ImageInspector {
  /** @param maxPixels largest width × height */
  constructor(
    private readonly maxPixels: number,
    private readonly decoding: ConcurrencyLimit,
  ) {
    super();
  }

  override inspect(read: () => Promise<Uint8Array>, format: ImageFormat): Promise<ImageVerdict> {
    return this.decoding.run(async () => this.judge(await read(), format));
  }

  private async judge(bytes: Uint8Array, format: ImageFormat): Promise<ImageVerdict> {
    const unreadable = (reason: UnreadableReason): ImageVerdict => ({ readable: false, format, reason });
    if (format === 'jpeg' && (await inTurns(tooManySegments(bytes)))) return unreadable('broken');
    const facts = await readFacts(bytes);
    if (facts === null) return unreadable('broken');
    const { width: widthPx, height: heightPx } = facts.autoOrient;
    const reason = this.reasonAgainst(facts, widthPx, heightPx, format === 'png' && isAnimatedPng(bytes));
    if (reason !== null) return unreadable(reason);
    if (!(await this.decodesWhole(bytes, facts))) return unreadable('broken');
    if (format === 'jpeg' && (await inTurns(jpegVerdict(bytes))) === 'damaged') return unreadable('damaged');
    const { takenAt } = facts.exif === undefined ? NO_EXIF : readExif(facts.exif);
    return { readable: true, format, widthPx, heightPx, ...(takenAt === null ? {} : { takenAt }) };
  }

  private reasonAgainst(
    facts: Metadata,
    widthPx: number,
    heightPx: number,
    animatedPng: boolean,
  ): UnreadableReason | null {
    if (animatedPng || (facts.pages ?? 1) > 1) return 'animated';
    if (widthPx * heightPx > this.maxPixels) return 'too_many_pixels';
    if (Math.min(widthPx, heightPx) < MIN_SIDE_PX) return 'too_small';
    return Math.max(widthPx, heightPx) > MAX_ASPECT * Math.min(widthPx, heightPx) ? 'too_narrow' : null;
  }

  private async decodesWhole(bytes: Uint8Array, facts: Metadata): Promise<boolean> {
    try {
      await sharp(bytes, { failOn: 'error', limitInputPixels: this.maxPixels })
        .resize({ width: Math.max(1, Math.floor(facts.width / PROOF_SHRINK)), kernel: 'linear' })
        .raw()
        .toBuffer();
      return true;
    } catch {
      return false;
    }
  }
}

/** The header of an image of any size; null: unreadable. */
async function readFacts(bytes: Uint8Array): Promise<Metadata | null> {
  try {
    return await sharp(bytes, { failOn: 'error', limitInputPixels: false }).metadata();
  } catch {
    return null;
  }
}

/** Walks over the segments to the end of the picture (ITU-T T.81, B.1.1); what is appended to it is not decoded. */
function* tooManySegments(bytes: Uint8Array): Paced<boolean> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  // Behind the marker of its beginning.
  for (let at = yield* nextMarker(bytes, 2); at + 4 <= bytes.byteLength; at = yield* nextMarker(bytes, at)) {
    if (bytes[at + 1] === JPEG_END) return false;
    if ((count += 1) > MOST_JPEG_SEGMENTS) return true;
    at += 2 + view.getUint16(at + 2);
  }
  return false;
}

/**
 * True for a PNG with an animation control chunk before its pixels (W3C PNG 3rd edition, 11.3.6.1 acTL).
 * libvips reads only the first frame of such a file and does not tell.
 */
function isAnimatedPng(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = PNG_SIGNATURE_BYTES;
  while (offset + PNG_CHUNK_FRAME_BYTES <= bytes.byteLength) {
    const type = String.fromCharCode(...bytes.subarray(offset + 4, offset + 8));
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
    offset += PNG_CHUNK_FRAME_BYTES + view.getUint32(offset);
  }
  return false;
}
