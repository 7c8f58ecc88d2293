import sharp, { type Metadata } from 'sharp';
import type { ImageFormat, ImageVerdict, UnreadableReason } from '../../core/images/image.js';
import { ImageInspector } from '../../core/images/image-inspector.js';
import type { ConcurrencyLimit } from '../../platform/turns/concurrency-limit.js';

/** Shorter than this, in pixels, a side is too small to outline anything. */
const MIN_SIDE_PX = 64;
const MAX_ASPECT = 20;
/** The decoding is only a proof: at an eighth libjpeg still reads every block, and does the least with it. It is asked for where the picture may be smaller than that. */
const PROOF_SHRINK = 10;
const PNG_SIGNATURE_BYTES = 8;
/** Length and type before a chunk's data, checksum after it. */
const PNG_CHUNK_FRAME_BYTES = 12;

const JPEG_MARKER = 0xff;
const JPEG_START_OF_SCAN = 0xda;
/**
 * Segments before the pixels of a JPEG; a colour profile and extended XMP take some hundred at most. libvips keeps each with some hundred bytes, so
 * that 12 MiB of empty ones would take hundreds.
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
    if (format === 'jpeg' && hasTooManySegments(bytes)) return unreadable('broken');
    const facts = await readFacts(bytes);
    if (facts === null) return unreadable('broken');
    const { width: widthPx, height: heightPx } = facts.autoOrient;
    const reason = this.reasonAgainst(facts, widthPx, heightPx, format === 'png' && isAnimatedPng(bytes));
    if (reason !== null) return unreadable(reason);
    const whole = await this.decodesWhole(bytes, facts);
    return whole ? { readable: true, format, widthPx, heightPx } : unreadable('broken');
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

/** Walks over the lengths of the segments (ITU-T T.81, B.1.1.4); what comes behind the first scan is not looked at. */
function hasTooManySegments(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 2;
  for (let count = 0; offset + 4 <= bytes.byteLength; count += 1) {
    if (count > MOST_JPEG_SEGMENTS) return true;
    while (bytes[offset] === JPEG_MARKER && bytes[offset + 1] === JPEG_MARKER) offset += 1;
    if (bytes[offset] !== JPEG_MARKER || bytes[offset + 1] === JPEG_START_OF_SCAN || offset + 4 > bytes.byteLength)
      return false;
    offset += 2 + view.getUint16(offset + 2);
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
